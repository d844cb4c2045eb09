"""What a set of drawings is made of, as a person sets it."""

from dataclasses import dataclass

from designer.drawing.sheets.pages import SECTIONS
from designer.exchange.options import ExportOptions
from designer.exchange.paper_options import PAPER, margin_setting, orientation_setting, paper_setting
from designer.fields import kinds
from designer.fields.field import Word, setting

TITLE_BLOCK = "Title block"
"""A section of the form."""


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
        needs=(("changes", "since"),),
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
        help="Colors of the drawings.",
        kind=kinds.CHOICE,
        choices=(Word("light", "Light"), Word("dark", "Dark")),
    )
    paper: str = paper_setting("Size of the paper.")
    orientation: str = orientation_setting("How the paper lies.")
    margin: float = margin_setting("From the edge of the paper to the frame.")
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
    drawing_number: str = setting(
        "",
        title="Drawing number",
        noun="the drawing number",
        help="The number of the drawings, where it is not the design's.",
        kind=kinds.TEXT,
        section=TITLE_BLOCK,
        empty="as in the design",
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
