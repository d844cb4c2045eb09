"""What a set of drawings is made of, as a person sets it."""

from dataclasses import dataclass

from designer.drawing.sheets.pages import SECTIONS
from designer.drawing.sheets.paper import DEFAULT_MARGIN_MM, ORIENTATIONS, SIZES_MM
from designer.exchange.options import ExportOptions
from designer.fields import kinds
from designer.fields.field import Word, setting
from designer.fields.ranges import Range

PAPER, TITLE_BLOCK = "Paper", "Title block"
"""Sections of the form."""

_PAPERS = {"a4": "A4", "a3": "A3", "a1": "A1", "letter": "Letter"}


@dataclass(frozen=True, slots=True)
class DrawingOptions(ExportOptions):
    """Sheets, paper, and what the title block states beyond what the design does."""

    sheets: tuple[str, ...] = setting(
        (),
        title="Sheets",
        noun="sheet",
        help="Sheets to draw: {names}.",
        kind=kinds.NAMES,
        choices=tuple(Word(name, title) for name, title in SECTIONS.items()),
        metavar="SHEET,...",
        empty="all",
    )
    racks: tuple[str, ...] = setting(
        (),
        title="Racks",
        noun="rack",
        help="Names of the racks to draw, with the switches in them.",
        kind=kinds.NAMES,
        metavar="RACK,...",
        empty="all",
    )
    since: str = setting(
        "",
        title="Changes since",
        help="An earlier issue, whose changes are drawn: a design file, or the number of a revision.",
        kind=kinds.FILE,
        metavar="FILE|REVISION",
        empty="not drawn",
    )
    theme: str = setting(
        "light",
        title="Theme",
        help="Colours of the drawings.",
        kind=kinds.CHOICE,
        choices=(Word("light", "Light"), Word("dark", "Dark")),
    )
    paper: str = setting(
        "a4",
        title="Paper",
        help="Size of the paper.",
        kind=kinds.CHOICE,
        choices=tuple(Word(name, _PAPERS[name]) for name in SIZES_MM),
        section=PAPER,
    )
    orientation: str = setting(
        "landscape",
        title="Orientation",
        help="How the paper lies.",
        kind=kinds.CHOICE,
        choices=tuple(Word(name, name.capitalize()) for name in ORIENTATIONS),
        section=PAPER,
    )
    margin: float = setting(
        DEFAULT_MARGIN_MM,
        title="Margin, mm",
        noun="the margin",
        help="From the edge of the paper to the frame, in millimetres.",
        kind=kinds.AMOUNT,
        within=Range(0, 40),
        section=PAPER,
    )
    page: int = setting(
        1, title="Page", noun="the page", help="Which page an SVG has; a PDF has all.", kind=kinds.COUNT, section=PAPER
    )
    revision: str = setting(
        "",
        title="Revision",
        help="Number of the revision, where it is not the last that was recorded.",
        kind=kinds.TEXT,
        section=TITLE_BLOCK,
        empty="as recorded",
    )
    date: str = setting(
        "",
        title="Date",
        help="Date of issue, where it is not that of the revision; none is taken from the clock.",
        kind=kinds.TEXT,
        section=TITLE_BLOCK,
        empty="as recorded",
    )
    project: str = setting(
        "",
        title="Project",
        help="The project, where it is not the design's.",
        kind=kinds.TEXT,
        section=TITLE_BLOCK,
        empty="as in the design",
    )
    customer: str = setting(
        "",
        title="Customer",
        help="The customer, where it is not the design's.",
        kind=kinds.TEXT,
        section=TITLE_BLOCK,
        empty="as in the design",
    )
    site: str = setting(
        "",
        title="Site",
        help="The site, where it is not the design's.",
        kind=kinds.TEXT,
        section=TITLE_BLOCK,
        empty="as in the design",
    )
    author: str = setting(
        "",
        title="Author",
        help="The author, where it is not the design's.",
        kind=kinds.TEXT,
        section=TITLE_BLOCK,
        empty="as in the design",
    )
