"""The few kinds of things that every drawing is made of, and that every writer can draw.

A stream of them is in the units of its sheet: pixels on a screen, canvas units in a document. Back to front.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from designer.drawing.bundles import Floats
from designer.model.annotation import DASHED, DOTTED

Point = tuple[float, float]

MOST_LINES = 1024
"""Of one piece: a multiple of the 16 that Qt strokes as one shape, so that pieces look as the whole."""


class Ink(NamedTuple):
    """What an area is filled with; `hatched` draws slanting lines of it rather than the area."""

    colour: str
    alpha: float = 1.0
    hatched: bool = False


class Pen(NamedTuple):
    """What lines and borders are drawn with. A `fixed` pen keeps its width, and its dashes, however far one zooms."""

    colour: str
    width: float = 1.0
    alpha: float = 1.0
    dash: tuple[float, ...] = ()
    """Lengths of dashes and of the gaps between them, in turn; none is a whole line."""
    square: bool = False
    """Whether lines reach half a width beyond their ends."""
    fixed: bool = False


_DASHES: Mapping[str, tuple[float, ...]] = {DASHED: (7.0, 4.0), DOTTED: (1.5, 3.0)}


def dashes(line: str, width: float) -> tuple[float, ...]:
    """The dashes of a line of that style and width; none of a solid one."""
    return tuple(part * max(1.0, width) for part in _DASHES.get(line, ()))


class Rect(NamedTuple):
    """A rectangle; `radius` rounds its corners, and a `crisp` one has edges of whole pixels."""

    x: float
    y: float
    width: float
    height: float
    ink: Ink | None = None
    pen: Pen | None = None
    radius: float = 0.0
    crisp: bool = False


class Rects(NamedTuple):
    """Many rectangles, (n, 4) as left, top, width, height; `crisp` ones have edges of whole pixels."""

    xywh: Floats
    ink: Ink | None
    pen: Pen | None = None
    crisp: bool = False


class Circle(NamedTuple):
    """A circle around a point."""

    x: float
    y: float
    radius: float
    ink: Ink | None = None
    pen: Pen | None = None


class Lines(NamedTuple):
    """Many lines, (n, 4) from x, y to x, y."""

    xy: Floats
    pen: Pen


class Path(NamedTuple):
    """Lines from point to point; a closed one returns to its first."""

    points: tuple[Point, ...]
    ink: Ink | None = None
    pen: Pen | None = None
    closed: bool = False


class Text(NamedTuple):
    """One line of text that is already cut to its room; `y` is that of its baseline.

    `anchor` is "start", "middle" or "end": which part of the text stands at `x`. `turn` is clockwise, in degrees.
    """

    x: float
    y: float
    text: str
    size: int
    colour: str
    bold: bool = False
    anchor: str = "start"
    turn: float = 0.0


class Image(NamedTuple):
    """A picture in its own bytes, stretched to its place; `format` is "png" or "jpeg"."""

    x: float
    y: float
    width: float
    height: float
    data: bytes
    format: str


class Dots(NamedTuple):
    """A grid of small squares with corners at the multiples of `step`, counted from `origin`, within a rectangle."""

    x: float
    y: float
    width: float
    height: float
    step: float
    origin: Point
    side: float
    ink: Ink


class Jump(NamedTuple):
    """A place that leads to a page of the same set, by its number; it is not seen, and files of one page have none."""

    x: float
    y: float
    width: float
    height: float
    page: int


class Group(NamedTuple):
    """Parts that belong together, their origin at `at` and drawn `zoom` times as large.

    `title` is shown under the pointer; one with a `label` is a layer that programs for drawing list.
    """

    parts: "Iterable[Part]"
    id: str = ""
    title: str = ""
    label: str = ""
    at: Point = (0.0, 0.0)
    zoom: float = 1.0
    clip: tuple[float, float, float, float] | None = None
    """Left, top, width and height of what shows of it, as the parts count; None where all does."""


Part = Rect | Rects | Circle | Lines | Path | Text | Image | Dots | Jump | Group


def pieces(parts: Iterable[Part], most: int = MOST_LINES) -> Iterator[Part]:
    """The same drawing in parts that take little time each: groups that stand where they are, and lines, in pieces."""
    for part in parts:
        if isinstance(part, Group) and part.at == (0.0, 0.0) and part.zoom == 1.0 and part.clip is None:
            yield from pieces(part.parts, most)
        elif isinstance(part, Lines) and len(part.xy) > most:
            for first in range(0, len(part.xy), most):
                yield part._replace(xy=part.xy[first : first + most])
        else:
            yield part
