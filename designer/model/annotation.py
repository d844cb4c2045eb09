"""The record of an annotation: what people write and draw on the canvas or the floor plan in addition to the rest."""

from dataclasses import dataclass
from typing import Any

from designer.fields import kinds
from designer.fields.field import Word, setting
from designer.fields.ranges import Range

TEXT, NOTE, CALLOUT, ZONE = "text", "note", "callout", "zone"
ARROW, LINE, DIMENSION, IMAGE = "arrow", "line", "dimension", "image"
LEGEND, TITLE_BLOCK, COMMENT = "legend", "title-block", "comment"


@dataclass(frozen=True, slots=True)
class Kind(Word):
    """A kind of annotation, and how a hand draws one."""

    gesture: str = ""
    gesture_on_floor: str = ""
    """The same on the floor plan, where it is another."""


_ACROSS = "Drag from corner to corner, or click"
_ALONG = "Drag from one end to the other, or click; Shift keeps it level or upright"
KINDS: tuple[Kind, ...] = (
    Kind(TEXT, "Text", "Words on the canvas", "Click where the text begins, or drag as wide as it is"),
    Kind(
        NOTE,
        "Note",
        "A note; from a device or link it stays pinned to that",
        "Drag from corner to corner, or from a device or link that the note belongs to",
        "Drag from corner to corner, or from a rack that the note belongs to",
    ),
    Kind(
        CALLOUT,
        "Callout",
        "Words with a leader line to a device, a link or a place",
        "Drag from the device, link or place that the callout points to, to where its text stands",
        "Drag from the rack or place that the callout points to, to where its text stands",
    ),
    Kind(ZONE, "Zone", "A rectangle behind the fabric, with a title; around the selection, if any", _ACROSS),
    Kind(ARROW, "Arrow", "An arrow from here to there", _ALONG),
    Kind(LINE, "Line", "A line from here to there", _ALONG),
    Kind(DIMENSION, "Dimension", "A line with ticks at its ends, and words over it", _ALONG),
    Kind(IMAGE, "Image", "A picture or logo, kept in the file", _ACROSS),
    Kind(LEGEND, "Legend", "What the colors of devices and links tell", _ACROSS),
    Kind(TITLE_BLOCK, "Title Block", "Name, project, customer, author and revision of the design", _ACROSS),
    Kind(
        COMMENT,
        "Comment",
        "A remark with author and date, open or resolved",
        "Drag from corner to corner, or from a device or link that the comment is about",
        "Drag from corner to corner, or from a rack that the comment is about",
    ),
)

STRAIGHT = frozenset((ARROW, LINE, DIMENSION))
"""Those that lead from a point to another."""
PINNABLE = frozenset((NOTE, CALLOUT, COMMENT))
"""Those that can belong to a device or link, and have a leader to it or to a point."""
WRITTEN = frozenset((TEXT, NOTE, CALLOUT, ZONE, DIMENSION, COMMENT))
"""Those that bear words of their own."""

SOLID, DASHED, DOTTED = LINE_STYLES = ("solid", "dashed", "dotted")
NO_FILL = "none"
UNITS_PER_M = 100.0
"""Units of the floor plan per meter: those in which annotations on it have their sizes."""
FARTHEST = 1e6
LEVELS = Range(-1_000_000, 1_000_000)
SIZE, USUAL_SIZE = Range(4, 400), 13.0
LINE_WIDTH, USUAL_LINE_WIDTH = Range(0, 40), 1.5


def _size() -> Any:
    return setting(
        USUAL_SIZE, title="Text size", help="Height of its letters, in canvas units.", kind=kinds.AMOUNT, within=SIZE
    )


def _colour() -> Any:
    return setting(
        "",
        title="Color",
        help="Color of its text and lines, as #rrggbb.",
        kind=kinds.COLOUR,
        empty="from the theme",
    )


def _fill() -> Any:
    return setting(
        "",
        title="Fill",
        help="Color of its area, as #rrggbb, or none.",
        kind=kinds.COLOUR,
        empty="default",
    )


def line_width(help: str = "Width of its lines, in canvas units.") -> Any:
    """The field of a record that says how wide its lines are."""
    return setting(
        USUAL_LINE_WIDTH,
        title="Line width",
        help=help,
        kind=kinds.AMOUNT,
        within=LINE_WIDTH,
    )


def line_style() -> Any:
    """The field of a record that says how its lines are drawn."""
    return setting(
        SOLID,
        title="Line style",
        help="How its lines are drawn.",
        kind=kinds.CHOICE,
        choices=(Word(SOLID, "Solid"), Word(DASHED, "Dashed"), Word(DOTTED, "Dotted")),
    )


def _bold() -> Any:
    return setting(False, title="Bold", help="Whether its text is bold.", kind=kinds.FLAG)


@dataclass(frozen=True, slots=True)
class Annotation:
    """Something written or drawn on the canvas, where its Placement is its middle, or on the floor plan.

    `dx` and `dy` are its width and height in canvas units, on the floor plan in hundredths of a meter; of a line, an
    arrow or a dimension how far it leads from its start, to the right and down.
    """

    id: str
    kind: str
    """One of text, note, callout, zone, arrow, line, dimension, image, legend, title-block and comment."""
    dx: float = 0.0
    dy: float = 0.0
    text: str = setting(
        "", title="Text", help="What it says; plain text, on as many lines as you like.", kind=kinds.TEXT
    )
    pinned_to: str = ""
    """Id of what it belongs to and moves along with: a device or link, on the floor plan a rack.

    One that is not there counts as none.
    """
    tip_dx: float | None = None
    """How far the tip of its leader is to the right of its middle; None where nobody put it anywhere."""
    tip_dy: float | None = None
    """How far it is below its middle. It counts where the annotation is pinned to nothing.

    Without one a callout has a tip below it, and others have no leader.
    """
    size: float = _size()
    colour: str = _colour()
    fill: str = _fill()
    line_width: float = line_width()
    line_style: str = line_style()
    bold: bool = _bold()
    author: str = setting("", title="Author", help="Who wrote the comment.", kind=kinds.TEXT)
    date: str = setting("", title="Date", help="When it was written, as 2026-11-22.", kind=kinds.TEXT)
    resolved: bool = setting(False, title="Resolved", help="Whether the comment needs no more work.", kind=kinds.FLAG)
    image: str = ""
    """The bytes of a PNG or JPEG, as base64."""
    style_id: str = ""
    """Id of the named style that it looks like, in place of a look of its own; one that is not there counts as none."""
    level: int = 0
    """Annotations of higher levels lie over those of lower ones; below 0 all lie behind the fabric, as zones always do.

    Of the same level, the one made last is on top.
    """
    x_m: float | None = None
    """Where its middle is on the floor plan, along the rows; None for one on the canvas."""
    y_m: float | None = None
    """The same across the rows and down the plan."""

    @property
    def is_on_floor(self) -> bool:
        """Whether it is on the floor plan, and nowhere else."""
        return self.x_m is not None

    @property
    def is_behind(self) -> bool:
        """Whether the fabric is drawn over it."""
        return self.kind == ZONE or self.level < 0


@dataclass(frozen=True, slots=True)
class AnnotationStyle:
    """A look with a name: all annotations and links that have the style look so, and follow when it changes."""

    id: str
    name: str
    size: float = _size()
    colour: str = _colour()
    fill: str = _fill()
    line_width: float = line_width()
    line_style: str = line_style()
    bold: bool = _bold()


LOOK = ("size", "colour", "fill", "line_width", "line_style", "bold")
"""The fields of a look: annotations and styles have them alike."""


LINE_WIDTH_HELP = f"Width of its line; {USUAL_LINE_WIDTH:g} is as wide as those of other links."


def line_colour() -> Any:
    """The field of a link that says which color its line has."""
    return setting(
        "",
        title="Line color",
        help="Color of its line, as #rrggbb, over what links are colored by.",
        kind=kinds.COLOUR,
        empty="none of its own",
    )
