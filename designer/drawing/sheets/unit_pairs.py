"""The cables between each two units that are linked to each other: found by the two units, from either of them."""

from collections.abc import Iterator
from functools import partial

from designer.analysis.cable_numbers import cable_name
from designer.drawing.parts.primitives import Group, Part
from designer.drawing.sheets.book import Draft, Numbers, room_of
from designer.drawing.sheets.paper import Paper
from designer.drawing.sheets.tables import Column, Slot, column, spread, table_parts
from designer.drawing.sheets.unit_map import CABLES_OF_PAIRS, PAIRS, UnitMap
from designer.drawing.theme import Theme
from designer.model.design import Design
from designer.model.entities import End

PAGE_DIGITS = "0000"


def pair_drafts(design: Design, shown: UnitMap, section: str, paper: Paper, theme: Theme) -> Iterator[Draft]:
    """From each unit to the others that it is linked to, with cables and the pages of both ends.

    Nothing where cables have no numbers. Each page is a subject of its own, so that the index leads to its units.
    """
    pairs = _pairs(design, shown)
    if not pairs:
        return
    names = [one.name for one in shown.units]
    cables = [cable_name(cable) for _, _, cable, _ in pairs]
    columns = (
        column("From", names),
        column("To", names),
        column("Cable", cables),
        *(Column(heading, column("", (PAGE_DIGITS,)).wide, right=True, leads=True) for heading in ("Page", "Far end")),
    )
    table, pages = spread(columns, len(pairs), None, room_of(paper))

    def draw(page: list[Slot], numbers: Numbers) -> Iterator[Group]:
        parts: list[Part] = []
        for slot in page:
            rows = [
                (names[unit], names[far], cables[place], *(str(numbers.ends.get(end, "")) for end in ends))
                for place, (unit, far, _, ends) in enumerate(pairs[slot.start : slot.stop], start=slot.start)
            ]
            parts += table_parts(table, rows, slot.x, slot.y, theme)
        yield Group(tuple(parts), "pairs", label="Cables by groups")

    for number, page in enumerate(pages):
        first, last = (names[pairs[place][0]] for place in (page[0].start, page[-1].stop - 1))
        span = first if first == last else f"{first} to {last}"
        subject = f"{PAIRS} {number}" if number else PAIRS
        title = f"{CABLES_OF_PAIRS}: {span}"
        yield Draft(section, title, partial(draw, page), subject, title)


def _pairs(design: Design, shown: UnitMap) -> list[tuple[int, int, int, tuple[End, End]]]:
    """Places of a unit and another, the number of a cable, and its ends, those of the unit first: each both ways."""
    place = {one.id: number for number, one in enumerate(shown.units)}
    of = {one.id: place[one.group_id] for one in design.devices.values() if one.group_id in place}
    found: list[tuple[int, int, int, tuple[End, End]]] = []
    for link in design.links.values():
        a, b = of.get(link.a.device_id, -1), of.get(link.b.device_id, -1)
        if a != b and min(a, b) >= 0 and link.cable:
            found += [(a, b, link.cable, (link.a, link.b)), (b, a, link.cable, (link.b, link.a))]
    return sorted(found, key=lambda one: one[:3])
