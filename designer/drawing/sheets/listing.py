"""Tables that others make, as pages of a set: a change order, say."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from designer.drawing.parts.primitives import Group, Part
from designer.drawing.sheets.book import Draft, Numbers, room_of
from designer.drawing.sheets.lettering import label
from designer.drawing.sheets.paper import Paper
from designer.drawing.sheets.tables import Row, Slot, column, spread, table_parts
from designer.drawing.theme import Theme

HEADING, SIZE = 18.0, 9


@dataclass(frozen=True, slots=True)
class Listing:
    """A table for paper: headings, each with whether its column is of numbers, rows, and a line that sums them up."""

    title: str
    headings: tuple[tuple[str, bool], ...]
    rows: Sequence[Row]
    summary: str
    is_fault: bool = False
    """Whether what it lists keeps from building or ordering."""


def listing_drafts(listing: Listing, section: str, paper: Paper, theme: Theme) -> Iterator[Draft]:
    """The pages of a table; one that says why where it has no rows."""
    left, top, right, bottom = room_of(paper)
    columns = [
        column(heading, [row[place] for row in listing.rows], is_number)
        for place, (heading, is_number) in enumerate(listing.headings)
    ]
    room = left, top, right, bottom
    shown, pages = spread(columns, len(listing.rows), (left, top + HEADING, right, bottom), room)

    def draw(page: list[Slot], is_first: bool, _numbers: Numbers) -> Iterator[Group]:
        parts: list[Part] = []
        if is_first:
            parts.append(label(listing.summary, left, top + SIZE, right - left, SIZE, theme.text, bold=True))
        for one in page:
            parts += table_parts(shown, listing.rows[one.start : one.stop], one.x, one.y, theme)
        yield Group(tuple(parts), "table", label="Table")

    for number, page in enumerate(pages or [[]]):
        yield Draft(section, listing.title, partial(draw, page, number == 0), section, listing.summary)
