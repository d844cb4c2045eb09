"""Units that are linked to each other as one picture: a box per unit on an ellipse, a line per linked pair."""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from designer.analysis.tiers import server_word, switch_word
from designer.drawing.geometry import Rect as Area
from designer.drawing.parts.primitives import Group, Ink, Jump, Lines, Pen, Rect
from designer.drawing.sheets.book import Numbers
from designer.drawing.sheets.lettering import LEAST_SIZE, jump_of, label, width
from designer.drawing.theme import Theme
from designer.model.design import Design
from designer.model.entities import Group as Unit
from designer.units import format_counted

LEAST_UNITS = 3
FORMS = "{}\npage {}", "{}, p. {}", "{}"
"""What a box says of a unit and its page, in the order in which they are tried."""
NAME_SIZE, NOTE_SIZE = 9, 8
PADDING, BETWEEN = 3.0, 3.0
LINE_ROOM = 1.45
"""Height of a line of letters, in terms of their size."""
NOTES_ROOM, NOTE_LINE = 30.0, 11.0
"""Below a map with two lines of notes, and of each line."""
PAIRS, CABLES_OF_PAIRS = "cables between units", "Cables between groups"
"""The subject of the pages that list them, and what they are called."""
THIN, WIDE = 0.15, 1.2
"""Points: lines of a pair with one link among thousands of pairs, and the widest line."""
MANY_PAIRS, OWN = 1000, 0.6
"""From so many pairs on lines cannot be followed: those of the first unit stand for them, so wide."""
INK_ON_PAPER = 600.0
"""Points of width that all lines share, so that many are thin."""


class UnitMap(NamedTuple):
    """The units, and how many links each pair of them has, by places in the units."""

    units: Sequence[Unit]
    pairs: Counter[tuple[int, int]]
    n_servers: Sequence[int]
    n_switches: Sequence[int]
    words: tuple[str, str]
    """What the servers and the switches are called."""


def unit_map(design: Design, units: Sequence[Unit]) -> UnitMap | None:
    """The map of these units; None where there are few, or switches in none of them, or none linked to another."""
    place = {one.id: number for number, one in enumerate(units)}
    servers, switches = [0] * len(units), [0] * len(units)
    of: dict[str, int] = {}
    for device in design.devices.values():
        number = place.get(device.group_id or "", -1)
        is_switch = design.is_switch(device.id)
        if number < 0:
            if is_switch:
                return None
            continue
        of[device.id] = number
        (switches if is_switch else servers)[number] += 1
    ends = ((of.get(link.a.device_id, -1), of.get(link.b.device_id, -1)) for link in design.links.values())
    pairs = Counter((min(one), max(one)) for one in ends if one[0] != one[1] and min(one) >= 0)
    if len(units) < LEAST_UNITS or not pairs:
        return None
    return UnitMap(units, pairs, servers, switches, (server_word(design), switch_word(design)))


def draw_unit_map(
    shown: UnitMap, room: Area, theme: Theme, numbers: Numbers, stated: Sequence[str] = ()
) -> Iterator[Group]:
    """The map on a page: each box names its unit and the page of it. What is stated stands first below it."""
    left, top, right, bottom = room
    listed = numbers.first.get(PAIRS)
    said = [*stated, *_notes(shown)] + ([] if listed is None else [f"{CABLES_OF_PAIRS}: from page {listed} on"])
    bottom -= NOTES_ROOM + NOTE_LINE * (len(said) - 2)
    texts, size, wide, tall, centres = _boxes(shown.units, numbers, (left, top, right, bottom))
    yield Group(tuple(_lines(shown, centres, theme)), "links", label="Links")
    boxes: list[Rect | Jump] = []
    names = []
    for unit, lines, (x, y) in zip(shown.units, texts, centres, strict=True):
        if unit.id in numbers.first:
            boxes.append(Jump(x - wide / 2, y - tall / 2, wide, tall, numbers.first[unit.id]))
        boxes.append(
            Rect(x - wide / 2, y - tall / 2, wide, tall, Ink(theme.boxes[0].fill), Pen(theme.rack_border, 0.5))
        )
        for number, text in enumerate(lines):
            base = y - tall / 2 + PADDING / 2 + (number + 0.8) * LINE_ROOM * size
            colour = theme.muted if number else theme.text
            names.append(label(text, x, base, wide - PADDING, size, colour, bold=not number, anchor="middle"))
    yield Group((*boxes, *names), "boxes", label="Units")
    notes = [
        label(text, left, bottom + 12.0 + NOTE_LINE * row, right - left, NOTE_SIZE, theme.muted)
        for row, text in enumerate(said)
    ]
    yield Group((*notes, *(jump_of(notes[-1], listed) if notes else ())), "notes", label="Notes")


class _Boxes(NamedTuple):
    """What the boxes say, in letters of what size, and where they stand."""

    texts: Sequence[Sequence[str]]
    size: int
    wide: float
    tall: float
    centres: Sequence[tuple[float, float]]


def _boxes(units: Sequence[Unit], numbers: Numbers, room: Area) -> _Boxes:
    """Names over pages in the largest letters for which there is room, else in one line, else names alone."""
    for form in FORMS:
        texts = [_texts(unit, numbers, form) for unit in units]
        for size in range(NAME_SIZE, LEAST_SIZE - 1, -1):
            found = _placed(texts, size, room)
            if not _meet(found.centres, found.wide + BETWEEN, found.tall + BETWEEN):
                return found
    return _placed([(unit.name,) for unit in units], LEAST_SIZE, room)


def _texts(unit: Unit, numbers: Numbers, form: str) -> tuple[str, ...]:
    page = numbers.first.get(unit.id)
    return (unit.name,) if page is None else tuple(form.format(unit.name, page).split("\n"))


def _placed(texts: Sequence[Sequence[str]], size: int, room: Area) -> _Boxes:
    left, top, right, bottom = room
    lines = max(len(one) for one in texts)
    wide = max(width(text, bold=not number) for one in texts for number, text in enumerate(one)) * size + 2 * PADDING
    tall, wide = lines * LINE_ROOM * size + PADDING, min(wide, (right - left) / 8)
    middle, across, along = ((left + right) / 2, (top + bottom) / 2), right - left - wide, bottom - top - tall
    return _Boxes(texts, size, wide, tall, _around(len(texts), middle, across, along, wide / tall))


def _meet(centres: Sequence[tuple[float, float]], wide: float, tall: float) -> bool:
    """Whether the box of one is on that of another."""
    at = np.array(centres)
    apart = np.abs(at[:, None, :] - at[None, :, :])
    met = (apart[:, :, 0] < wide) & (apart[:, :, 1] < tall)
    np.fill_diagonal(met, val=False)
    return bool(met.any())


def _around(
    count: int, middle: tuple[float, float], across: float, along: float, shape: float
) -> list[tuple[float, float]]:
    """Places clockwise from the top on an ellipse, a step across being so much longer than one down."""
    steps = np.linspace(0.0, 2 * math.pi, 4001)
    x, y = np.sin(steps) * across / 2, -np.cos(steps) * along / 2
    walked = np.concatenate(([0.0], np.cumsum(np.hypot(np.diff(x) / shape, np.diff(y)))))
    at = np.interp(np.arange(count) / count * walked[-1], walked, steps)
    return [(middle[0] + math.sin(one) * across / 2, middle[1] - math.cos(one) * along / 2) for one in at.tolist()]


def _lines(shown: UnitMap, centres: Sequence[tuple[float, float]], theme: Theme) -> Iterator[Lines]:
    """Lines by how many links they stand for, the wider on top; of very many those of one unit in a darker color."""
    if len(shown.pairs) > MANY_PAIRS:
        every = [(*centres[a], *centres[b]) for a, b in sorted(shown.pairs)]
        own = [(*centres[a], *centres[b]) for a, b in sorted(shown.pairs) if a == 0]
        yield Lines(np.array(every), Pen(theme.group_border, THIN))
        if own:
            yield Lines(np.array(own), Pen(theme.link, OWN))
        return
    most, thin = max(shown.pairs.values()), min(WIDE / 2, max(THIN, INK_ON_PAPER / len(shown.pairs)))
    for count in sorted(set(shown.pairs.values())):
        ends = [(*centres[a], *centres[b]) for (a, b), links in sorted(shown.pairs.items()) if links == count]
        yield Lines(np.array(ends), Pen(theme.link, thin + (WIDE - thin) * (count - 1) / most))


def _notes(shown: UnitMap) -> Iterator[str]:
    """What a line and a box stand for."""
    every = len(shown.units) * (len(shown.units) - 1) // 2
    counts = shown.pairs.values()
    least, most = min(counts), max(counts)
    each = format_counted(least, "link") if least == most else f"{least:,} to {format_counted(most, 'link')}"
    pairs = f"each of the {every:,}" if len(shown.pairs) == every else f"{len(shown.pairs):,} of the {every:,}"
    wider = "" if least == most or len(shown.pairs) > MANY_PAIRS else "; wider lines stand for more links"
    yield f"{sum(counts):,} links between {len(shown.units):,} groups: {each} between {pairs} pairs{wider}."
    if len(shown.pairs) > MANY_PAIRS:
        yield f"The links of {shown.units[0].name} are drawn darker as an example."
    servers, switches = shown.words
    yield f"Each group: {_span(shown.n_servers, servers)}, {_span(shown.n_switches, switches)}."


def _span(counts: Sequence[int], word: str) -> str:
    least, most = min(counts), max(counts)
    return format_counted(least, word) if least == most else f"{least:,} to {format_counted(most, word)}"
