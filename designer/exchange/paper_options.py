"""Paper, orientation and margin, as a person sets them: described once for all that is printed."""

from typing import Any

from designer.drawing.sheets.paper import DEFAULT_MARGIN_MM, ORIENTATIONS, SIZES_MM, shown_name
from designer.fields import kinds
from designer.fields.field import Word, setting
from designer.fields.ranges import Range

PAPER = "Paper"
"""The section of forms."""


def paper_setting(help_text: str, *others: Word, without: tuple[str, ...] = (), section: str = PAPER) -> Any:
    """A size of paper: A4 by default, or the first of the `others`, which are offered before the sizes."""
    sizes = (Word(name, shown_name(name)) for name in SIZES_MM if name not in without)
    default = others[0].name if others else "a4"
    return setting(
        default, title="Paper", help=help_text, kind=kinds.CHOICE, choices=(*others, *sizes), section=section
    )


def orientation_setting(help_text: str) -> Any:
    """How a paper lies."""
    choices = tuple(Word(name, name.capitalize()) for name in ORIENTATIONS)
    return setting(
        ORIENTATIONS[0], title="Orientation", help=help_text, kind=kinds.CHOICE, choices=choices, section=PAPER
    )


def margin_setting(help_text: str) -> Any:
    """The margin of a paper in millimeters."""
    return setting(
        DEFAULT_MARGIN_MM,
        title="Margin",
        noun="the margin",
        help=help_text,
        unit="mm",
        kind=kinds.MILLIMETRES,
        within=Range(0, 40),
        section=PAPER,
    )
