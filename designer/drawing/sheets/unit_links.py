"""The links of a unit whose switches are linked to each other, by port: what its picture has no room to say."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import takewhile
from typing import NamedTuple

from designer.analysis.cable_numbers import cable_name
from designer.analysis.cable_places import by_name
from designer.analysis.tiers import switch_word
from designer.drawing.geometry import Rect as Area
from designer.drawing.parts.primitives import Group, Part
from designer.drawing.sheets.book import Draft, Numbers, room_of
from designer.drawing.sheets.lettering import label
from designer.drawing.sheets.paper import Paper
from designer.drawing.sheets.tables import (
    LEAST_READ,
    Column,
    Layout,
    Row,
    Slot,
    Spread,
    column,
    layout,
    opens,
    spread,
    table_parts,
)
from designer.drawing.theme import Theme
from designer.model.design import Design
from designer.model.entities import Device, End, Link
from designer.model.naming import natural
from designer.model.port_labels import port_label
from designer.units import format_counted

LEAST_SHARE = 0.5
"""Of all pairs of switches, those that are linked where a matrix of them says more than a list."""
HEADING, SIZE, GAP = 14.0, 8, 10.0
NONE = "–"
PAGE_DIGITS = "00000"


class UnitLinks(NamedTuple):
    """The links of a unit's switches: those among themselves, and those to others, each from its own end."""

    name: str
    word: str
    switches: tuple[Device, ...]
    inside: tuple[tuple[End, End, Link], ...]
    out: tuple[tuple[End, End, Link], ...]

    @property
    def sentence(self) -> str:
        """The links between switches: "Every router of Group 1 is linked to every other: 120 links, 1 per pair"."""
        links, pairs = format_counted(len(self.inside), "link"), self.pairs
        count, every = len(self.switches), len(self.switches) * (len(self.switches) - 1) // 2
        if len(pairs) < every:
            return f"{links} between {format_counted(count, self.word)} of {self.name}"
        least, most = min(pairs.values()), max(pairs.values())
        each = f"{least}" if least == most else f"{least} to {most}"
        return f"Every {self.word} of {self.name} is linked to every other: {links}, {each} per pair"

    @property
    def pairs(self) -> Counter[tuple[str, str]]:
        """How many links each pair of the switches has, by their ids in order."""
        ends = (sorted((a.device_id, b.device_id)) for a, b, _ in self.inside)
        return Counter((one, other) for one, other in ends)


def unit_links(design: Design, name: str, device_ids: Sequence[str]) -> UnitLinks:
    """The links of the switches among these devices, in the order of their names and ports; none to servers of it."""
    switches = sorted((design.device(one) for one in device_ids if design.is_switch(one)), key=by_name)
    own, unit = {one.id for one in switches}, set(device_ids)
    inside: list[tuple[End, End, Link]] = []
    out: list[tuple[End, End, Link]] = []
    seen: set[str] = set()
    for switch in switches:
        used = design.used_ports(switch.id)
        for port in sorted(used, key=natural):
            for link in (design.links[one] for one in used[port]):
                end = End(switch.id, port)
                far = link.b if link.a == end else link.a
                if far.device_id not in unit:
                    out.append((end, far, link))
                elif far.device_id in own and link.id not in seen:
                    seen.add(link.id)
                    inside.append((end, far, link))
    return UnitLinks(name, switch_word(design, own), tuple(switches), tuple(inside), tuple(out))


def link_drafts(design: Design, shown: UnitLinks, section: str, paper: Paper, theme: Theme) -> Iterator[Draft]:
    """A matrix of the switches with port and cable of each link, and a list of the links to switches of other units."""
    room = room_of(paper)
    left, top, right, bottom = room
    matrix = _matrix(design, shown, (left, top + HEADING, right, bottom))
    listed = shown.out if matrix is not None else (*shown.inside, *shown.out)
    below = top
    if matrix is not None:
        below += HEADING + matrix.shown.header_height + matrix.shown.row_height * len(matrix.rows) + GAP
    table = _table(design, shown, listed, (left, below + HEADING, right, bottom), room)
    begins = bool(table.pages) and table.begins
    first, rest = (table.pages[0], table.pages[1:]) if begins else ([], table.pages)

    def draw_first(numbers: Numbers) -> Iterator[Group]:
        if matrix is not None:
            text = f"{shown.sentence}. In each field: port of the {shown.word} at the left{_and_cable(shown)}."
            heading: Part = label(text, left, top + SIZE, right - left, SIZE, theme.text, bold=True)
            yield Group((heading, *table_parts(matrix.shown, matrix.rows, left, top + HEADING, theme)), "matrix")
        if first:
            heading = label(table.title, left, below + SIZE, right - left, SIZE, theme.text, bold=True)
            yield Group((heading,), "heading", label="Heading")
            yield _listed(table, first, numbers, theme)

    title = f"Topology: {shown.name}, links by port"
    if matrix is not None or first:
        yield Draft(section, title, draw_first)
    for page in rest:
        yield Draft(section, title, partial(_more, table, page, theme))


def _and_cable(shown: UnitLinks) -> str:
    return ", and cable" if any(link.cable for _, _, link in shown.inside) else ""


class _Matrix(NamedTuple):
    shown: Layout
    rows: Sequence[Row]


def _matrix(design: Design, shown: UnitLinks, room: Area) -> _Matrix | None:
    """The matrix in letters that can be read; None where there is no room for it, or few of its fields say anything."""
    count = len(shown.switches)
    if count < 2 or len(shown.pairs) < LEAST_SHARE * count * (count - 1) / 2:
        return None
    found: dict[tuple[str, str], list[str]] = {}
    for a, b, link in shown.inside:
        for end, far in ((a, b), (b, a)):
            text = " ".join((port_label(design, end), cable_name(link.cable))).strip()
            found.setdefault((end.device_id, far.device_id), []).append(text)
    ids = [one.id for one in shown.switches]
    cells = [[NONE if a == b else ", ".join(found.get((a, b), ())) for b in ids] for a in ids]
    names = [one.name for one in shown.switches]
    prefix = sum(1 for _ in takewhile(lambda letters: len(set(letters)) == 1, zip(*names, strict=False)))
    for heads in (names, [one[prefix:] for one in names]):
        columns = (
            column(shown.word.capitalize(), names),
            *(column(head, (row[place] for row in cells)) for place, head in enumerate(heads)),
        )
        made = layout(columns, room[2] - room[0])
        tall = made.header_height + made.row_height * count
        if made.lines == 1 and made.size >= LEAST_READ - 1 and tall <= room[3] - room[1]:
            return _Matrix(made, [(name, *row) for name, row in zip(names, cells, strict=True)])
    return None


class _Table(NamedTuple):
    title: str
    shown: Layout
    pages: list[list[Slot]]
    begins: bool
    rows: Sequence[Row]
    far: Sequence[End]


def _table(
    design: Design, shown: UnitLinks, listed: Sequence[tuple[End, End, Link]], below: Area, room: Area
) -> _Table:
    """The links in a list: own switch and port, cable, far switch and port, and the page of that."""
    devices = design.devices
    texts = [
        (
            devices[end.device_id].name,
            port_label(design, end),
            cable_name(link.cable),
            devices[far.device_id].name,
            port_label(design, far),
        )
        for end, far, link in listed
    ]
    headings = (shown.word.capitalize(), "Port", "Cable", "Far device", "Far port")
    kept = [place for place in range(len(headings)) if any(row[place] for row in texts)]
    heads, rows = [headings[place] for place in kept], [tuple(row[place] for place in kept) for row in texts]
    columns = [column(head, (row[place] for row in rows)) for place, head in enumerate(heads)]
    columns.append(Column("Page", column("", (PAGE_DIGITS,)).wide, right=True, leads=True))
    begins = opens(columns, below)
    made: Spread = spread(columns, len(rows), below if begins else None, room)
    title = f"{format_counted(len(listed), 'link')} to other groups and networks"
    if len(listed) > len(shown.out):
        title = f"{shown.sentence}, and {format_counted(len(shown.out), 'link')} to other groups and networks"
    return _Table(title, made.shown, made.pages, begins, rows, [far for _, far, _ in listed])


def _listed(table: _Table, page: Sequence[Slot], numbers: Numbers, theme: Theme) -> Group:
    parts: list[Part] = []
    for slot in page:
        places = range(slot.start, slot.stop)
        rows = [(*table.rows[one], str(numbers.ends.get(table.far[one], ""))) for one in places]
        parts += table_parts(table.shown, rows, slot.x, slot.y, theme)
    return Group(tuple(parts), "links-by-port", label="Links by port")


def _more(table: _Table, page: Sequence[Slot], theme: Theme, numbers: Numbers) -> Iterator[Group]:
    yield _listed(table, page, numbers, theme)
