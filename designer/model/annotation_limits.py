"""What an annotation can be: kinds, colors, pins and pictures."""

from collections.abc import Iterable, Iterator

from designer.errors import ParameterError
from designer.fields.field import fields_of
from designer.model.annotation import IMAGE, KINDS, LINE_STYLES, NO_FILL, PINNABLE, SOLID, Annotation, AnnotationStyle
from designer.model.entities import Link
from designer.model.fixture import MARKINGS
from designer.model.images import picture_of
from designer.model.job_colours import is_colour
from designer.units import shortened

ANNOTATIONS_MOST = 10_000
BENDS_MOST = 100
"""Of the line of one link."""
_KINDS = tuple(word.name for word in KINDS)
_FIXTURES = frozenset(word.name for word in MARKINGS)


def annotation_faults(one: Annotation) -> Iterator[tuple[str, str]]:
    """Why an annotation could not be drawn: fields, and what is wrong with them."""
    if one.kind not in _KINDS:
        yield "kind", f"{shortened(one.kind)!r} is none of {', '.join(_KINDS)}"
    if one.is_on_floor and one.kind in _FIXTURES:
        yield "kind", "on the floor plan texts, zones and dimensions are fixtures"
    yield from look_faults(one)
    if one.pinned_to and one.kind not in PINNABLE:
        yield "pinned_to", "only notes, callouts and comments can be pinned to a device, link or rack"
    if (one.x_m is None) != (one.y_m is None):
        yield "x_m", "a place on the floor plan has an x and a y, or there is none"
    if (one.tip_dx is None) != (one.tip_dy is None):
        yield "tip_dx", "the tip of a leader is to the right and down, or nowhere"
    elif one.tip_dx is not None and one.kind not in PINNABLE:
        yield "tip_dx", "only notes, callouts and comments have a leader"
    if one.kind == IMAGE:
        try:
            picture_of(one.image)
        except ParameterError as error:
            yield "image", str(error)
    elif one.image:
        yield "image", "only an image has a picture"


def refuse(faults: Iterable[tuple[str, str]]) -> None:
    """Raises ParameterError for the first of these faults, under the title of its field."""
    described = {**fields_of(Link), **fields_of(Annotation)}
    for name, fault in faults:
        raise ParameterError(f"{described[name].title.lower() if name in described else name}: {fault}")


def look_faults(one: Annotation | AnnotationStyle) -> Iterator[tuple[str, str]]:
    """Colors and lines of a look that could not be drawn: fields, and what is wrong with them."""
    yield from _colour_faults("colour", one.colour)
    if one.fill != NO_FILL:
        yield from _colour_faults("fill", one.fill)
    yield from _line_faults(one.line_style)


def link_faults(link: Link) -> Iterable[tuple[str, str]]:
    """The same of the look and bends of a link, which few links have: the others take no time."""
    if len(link.bends) > BENDS_MOST:
        return (("bends", f"{len(link.bends)} bends, the most is {BENDS_MOST}"),)
    if not link.line_colour and link.line_style == SOLID:
        return ()
    return *_colour_faults("line_colour", link.line_colour), *_line_faults(link.line_style)


def _colour_faults(name: str, value: str) -> Iterator[tuple[str, str]]:
    if value and not is_colour(value):
        yield (
            name,
            f"{shortened(value)!r} is no color: write it as #rrggbb, such as #1f6fd1, or as a name such as teal",
        )


def _line_faults(line_style: str) -> Iterator[tuple[str, str]]:
    if line_style not in LINE_STYLES:
        yield "line_style", f"{shortened(line_style)!r} is none of dashed and dotted"
