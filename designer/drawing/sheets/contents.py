"""The first pages: what is in the set and where, what its colors mean, and each cable's pages by its number."""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from designer.analysis.cable_numbers import cable_name
from designer.analysis.tiers import counted_devices
from designer.analysis.topology_text import topology_text
from designer.drawing.captions import word_of_kind
from designer.drawing.colouring import DeviceColours, tinted
from designer.drawing.display_list import Key
from designer.drawing.parts.primitives import Group, Ink, Part, Pen, Rect, Text
from designer.drawing.room.floor_plan import kind_of
from designer.drawing.sheets.book import Draft, Numbers, room_of
from designer.drawing.sheets.lettering import broken, jump_of, label, width
from designer.drawing.sheets.paper import Paper
from designer.drawing.sheets.tables import Column, Layout, Row, Slot, column, spread, table_parts
from designer.drawing.theme import Theme
from designer.model.design import Design
from designer.model.entities import End, Link
from designer.placement.cable_lengths import lengths_cover
from designer.units import format_count, format_counted

SECTION, CABLES = "index", "cables"
TITLE_SIZE, LINE_SIZE, LINE = 18, 9, 13.0
"""Of what stands over the lists: the name, and sentences below it, from baseline to baseline."""
FIRST_LINE, LEGEND = 32.0, 35.0
"""From the top to the first sentence, and the least height of the legend with what is left around it."""
PAGES_WIDE = width("000–000")
"""Of the pages of a subject, in letters of one point."""
KEY_WIDTH, KEY_HEIGHT, KEY_SIZE, KEY_GAP, KEY_LINE = 18.0, 11.0, 8, 14.0, 16.0
MOST_KEYS = 24
"""Colors of devices that a legend names; more are counted."""


class Entry(NamedTuple):
    """A line of the index: what it says, and the subject whose first page it names; "" for a heading."""

    text: str
    subject: str = ""
    is_fault: bool = True
    """Whether what it says is to be put right first; of warnings alone."""


def contents_drafts(
    design: Design,
    entries: Sequence[Entry],
    paper: Paper,
    theme: Theme,
    warnings: Sequence[Entry] = (),
    colours: DeviceColours | None = None,
) -> Iterator[Draft]:
    """The index of subjects. Warnings are what is read first; those with a subject name its page.

    `colours` are what devices are drawn in; without, they have those of their kinds.
    """
    room = room_of(paper)
    left, top, right, bottom = room
    keys = legend(design, theme, colours)
    deep = max(LEGEND, lines_of(keys, right - left) * KEY_LINE)
    stated = _stated(design, right - left, theme)
    below = FIRST_LINE + LINE * (len(stated) + len(warnings))
    columns = (column("Sheet", (one.text for one in entries)), Column("Page", PAGES_WIDE, right=True, leads=True))
    heads = [place for place, one in enumerate(entries) if not one.subject]
    shown, pages = spread(columns, len(entries), (left, top + below + deep, right, bottom), room, heads=heads)
    pages = pages or [[]]

    def draw(page: list[Slot], numbers: Numbers) -> Iterator[Group]:
        if page is pages[0]:
            title = label(design.name, left, top + 16.0, right - left, TITLE_SIZE, theme.text, bold=True)
            lines = (
                label(text, left, top + FIRST_LINE + LINE * number, right - left, LINE_SIZE, colour)
                for number, (text, colour) in enumerate(stated)
            )
            yield Group((title, *lines), "heading", label="Heading")
            warned = tuple(_warned(warnings, left, top + FIRST_LINE + LINE * len(stated), right - left, theme, numbers))
            if warned:
                yield Group(warned, "warning", label="Warnings")
            yield Group(tuple(in_lines(keys, left, top + below, right - left, theme)), "legend", label="Legend")
        rows = [(one.text, numbers.span(one.subject)) if one.subject else (one.text,) for one in entries]
        yield _tables(shown, page, rows, theme)

    for page in pages:
        yield Draft(SECTION, "Index", partial(draw, page))


def cable_drafts(links: Iterable[Link], paper: Paper, theme: Theme) -> Iterator[Draft]:
    """Cables by number, each with the pages that list its ends."""
    room = room_of(paper)
    ends: dict[int, tuple[End, End]] = {}
    for link in links:
        if link.cable:
            ends.setdefault(link.cable, (link.a, link.b))
    order = sorted(ends)
    if not order:
        return
    number = column("Cable", (cable_name(order[-1]),))
    columns = (number, *(Column(text, 3.5, right=True, leads=True) for text in ("Page", "Other end")))
    shown, pages = spread(columns, len(order), None, room)

    def draw(page: list[Slot], numbers: Numbers) -> Iterator[Group]:
        start = page[0].start
        rows = [
            (cable_name(one), *(str(numbers.ends.get(end, "")) for end in ends[one]))
            for one in order[start : page[-1].stop]
        ]
        moved = [Slot(one.x, one.y, one.start - start, one.stop - start) for one in page]
        yield _tables(shown, moved, rows, theme)

    for page in pages:
        first, last = (cable_name(order[place]) for place in (page[0].start, page[-1].stop - 1))
        name = f"{first} to {last}"
        yield Draft(CABLES, f"Cables by number: {name}", partial(draw, page), f"{CABLES} {first}", name)


def _tables(shown: Layout, page: list[Slot], rows: Sequence[Row], theme: Theme) -> Group:
    parts = (part for one in page for part in table_parts(shown, rows[one.start : one.stop], one.x, one.y, theme))
    return Group(tuple(parts), "index", label="Index")


def _warned(
    warnings: Sequence[Entry], left: float, top: float, room: float, theme: Theme, numbers: Numbers
) -> Iterator[Part]:
    """The warnings line by line, each with the page that it leads to."""
    for number, one in enumerate(warnings):
        page = numbers.first.get(one.subject)
        text = one.text if page is None else f"{one.text}: page {page}"
        colour = theme.error if one.is_fault else theme.text
        line = label(text, left, top + LINE * number, room, LINE_SIZE, colour, bold=True)
        yield line
        yield from jump_of(line, page)


def _stated(design: Design, room: float, theme: Theme) -> list[tuple[str, str]]:
    """The lines below the name: what the topology is, what to know of it, what there is, and what lengths cover."""
    topology = topology_text(design)
    lines = [(line, theme.text) for line in broken(topology.text, room / LINE_SIZE)]
    lines += [(line, theme.text) for one in topology.cautions for line in broken(f"Note: {one}", room / LINE_SIZE)]
    covered = broken(" ".join(lengths_cover(design)), room / LINE_SIZE)
    return [*lines, (_counts(design), theme.muted), *((line, theme.muted) for line in covered if line)]


def _counts(design: Design) -> str:
    cables = len({link.cable for link in design.links.values() if link.cable})
    counted = (
        (len(design.racks), "rack"),
        (len(design.links), "link"),
        (cables, "cable number"),
    )
    return ", ".join((*counted_devices(design), *(format_counted(count, word) for count, word in counted if count)))


Shown = tuple[str, Ink | None, Pen | None, str]
"""A name of a legend, the box it stands for, and the stripe of that or, without a box, the line it stands for."""


def legend(design: Design, theme: Theme, colours: DeviceColours | None = None) -> list[Shown]:
    """What colors of the drawings mean that they have: kinds, or what devices are colored by, and patterns."""
    hatched = []
    if any(one.side == "rear" and one.rack_id is not None for one in design.placements.values()):
        hatched.append(("ports to the other side", theme.boxes[-1].border))
    if any(one.reserved_ports for one in design.devices.values()):
        hatched.append(("reserved", theme.group_border))
    patterns: list[Shown] = [(name, Ink(colour, hatched=True), Pen(theme.rack_border), "") for name, colour in hatched]
    kinds = kinds_in(design, theme) if colours is None or None in colours.looks else []
    return [*kinds, *(keys_in(colours.keys, theme) if colours is not None else ()), *patterns]


def kinds_in(design: Design, theme: Theme, device_ids: Iterable[str] | None = None) -> list[Shown]:
    """What boxes of the kinds of these devices, or of all, look like, in the order of KINDS."""
    held: dict[int, list[str]] = {}
    for one in design.devices if device_ids is None else device_ids:
        held.setdefault(kind_of(design, one), []).append(one)
    words = {kind: word_of_kind(design, kind, ids) for kind, ids in held.items()}
    boxes = ((words[one], theme.boxes[one]) for one in sorted(held))
    return [(name, Ink(one.fill), Pen(one.border), one.stripe) for name, one in boxes]


def keys_in(keys: Iterable[Key], theme: Theme) -> Iterator[Shown]:
    """What chosen colors of boxes, and those of links, mean."""
    for key in keys:
        for swatch in key.swatches[:MOST_KEYS]:
            if key.is_of_links:
                yield f"{swatch.text} (links)", None, None, swatch.colour
            else:
                look = tinted(theme, swatch.colour)
                yield swatch.text, Ink(look.fill), Pen(look.border), look.stripe
        if len(key.swatches) > MOST_KEYS:
            yield f"and {format_count(len(key.swatches) - MOST_KEYS)} more", None, None, ""


def lines_of(keys: Iterable[Shown], room: float) -> int:
    """In how many lines a legend has room."""
    return 1 + max((line for line, _, _ in _placed(keys, room)), default=-1)


def in_lines(keys: Iterable[Shown], left: float, top: float, room: float, theme: Theme) -> Iterator[Part]:
    """A legend, in as many lines as it needs."""
    for line, beside, (name, ink, pen, stripe) in _placed(keys, room):
        x, y = left + beside, top + line * KEY_LINE
        if ink is not None:
            yield Rect(x, y, KEY_WIDTH, KEY_HEIGHT, ink, pen)
            if stripe:
                yield Rect(x, y, 3.0, KEY_HEIGHT, Ink(stripe))
        elif stripe:
            yield Rect(x, y + KEY_HEIGHT / 2 - 1.5, KEY_WIDTH, 3.0, Ink(stripe))
        yield Text(x + (KEY_WIDTH + 4 if ink or stripe else 0.0), y + 8.5, name, KEY_SIZE, theme.muted)


def _placed(keys: Iterable[Shown], room: float) -> Iterator[tuple[int, float, Shown]]:
    """The line of each name, and how far from the left it begins there."""
    line, x = 0, 0.0
    for one in keys:
        wide = KEY_WIDTH + 4 + width(one[0]) * KEY_SIZE + KEY_GAP
        if x + wide > room and x > 0:
            line, x = line + 1, 0.0
        yield line, x, one
        x += wide
