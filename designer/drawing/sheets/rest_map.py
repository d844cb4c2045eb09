"""Devices in no unit, such as the spines above all units, as one picture: what they are linked to is a box per unit."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import ceil
from typing import NamedTuple

import numpy as np

from designer.analysis.cable_places import by_name
from designer.analysis.tiers import servers_title
from designer.drawing.geometry import Rect as Area
from designer.drawing.parts.primitives import Group, Ink, Jump, Lines, Pen, Rect
from designer.drawing.room.floor_plan import kind_of
from designer.drawing.sheets.book import Numbers
from designer.drawing.sheets.lettering import LEAST_SIZE, label, size_for, width
from designer.drawing.theme import Theme
from designer.model.design import Design
from designer.model.naming import natural
from designer.model.networks import TITLES, network_of_switch
from designer.units import format_counted

NAME_SIZE, NOTE_SIZE = 9, 8
TALL, PADDING, BETWEEN = 22.0, 4.0, 6.0
MOST_ACROSS = 90.0
"""No box is wider, however few there are."""
SHARES = 0.12, 0.82
"""Where the rows of boxes stand in the height of a page."""
NOTES_ROOM = 14.0


class RestMap(NamedTuple):
    """Devices of one kind, the units that they are linked to, and how many links each pair has, by places."""

    title: str
    device_ids: Sequence[str]
    unit_ids: Sequence[str]
    unit_names: Sequence[str]
    links: Mapping[tuple[int, int], int]


def kinds_of(design: Design, device_ids: Iterable[str]) -> dict[str, list[str]]:
    """The devices by what they are, as a title: "Compute spines", "Storage leaf switches", "Servers"."""
    found: dict[str, list[str]] = {}
    servers = servers_title(design)
    for one in sorted((design.devices[one] for one in device_ids), key=by_name):
        title = servers
        if not design.is_server(one.id):
            word = format_counted(2, one.role.lower() or "switch").removeprefix("2 ")
            title = f"{TITLES[network_of_switch(one)]} {word}"
        found.setdefault(title, []).append(one.id)
    return dict(sorted(found.items()))


def rest_map(design: Design, title: str, device_ids: Sequence[str], units: Mapping[str, str]) -> RestMap:
    """What these devices are linked to; `units` are names by id. What is in none of them counts by what it is."""
    own = {one: place for place, one in enumerate(device_ids)}
    counts: Counter[tuple[int, tuple[str, str]]] = Counter()
    loose: dict[str, str] = {}
    for device_id, place in own.items():
        for link in design.links_of(device_id):
            far = design.devices[link.b.device_id if link.a.device_id == device_id else link.a.device_id]
            if far.id in own:
                continue
            if far.group_id is not None and far.group_id in units:
                counts[place, (far.group_id, units[far.group_id])] += 1
            else:
                if far.id not in loose:
                    loose[far.id] = next(iter(kinds_of(design, (far.id,))))
                counts[place, ("", loose[far.id])] += 1
    named = sorted({unit for _, unit in counts}, key=lambda one: natural(one[1]))
    at = {unit: place for place, unit in enumerate(named)}
    links = {(place, at[unit]): count for (place, unit), count in counts.items()}
    return RestMap(title, device_ids, [one for one, _ in named], [name for _, name in named], links)


def parts_of(shown: RestMap, design: Design, room: Area) -> list[RestMap]:
    """The map in as many parts as names of its devices need in a row; none where units have no room in one, or links.

    Each part has all units that its devices are linked to.
    """
    wide = room[2] - room[0]
    if not shown.links or _needed(shown.unit_names) * len(shown.unit_names) > wide:
        return []
    names = [design.devices[one].name for one in shown.device_ids]
    count = ceil(len(names) / max(1, int(wide / _needed(names))))
    each = ceil(len(names) / count)
    parts = []
    for first in range(0, len(names), each):
        ids = shown.device_ids[first : first + each]
        links = {(a - first, b): n for (a, b), n in shown.links.items() if first <= a < first + each}
        parts.append(shown._replace(device_ids=ids, links=links))
    return parts


def _needed(names: Iterable[str]) -> float:
    return max(width(name, bold=True) for name in names) * LEAST_SIZE + 2 * PADDING + BETWEEN


def draw_rest_map(shown: RestMap, design: Design, room: Area, theme: Theme, numbers: Numbers) -> Iterator[Group]:
    """The devices in a row over the units in another, each unit with its page."""
    left, top, right, bottom = room
    bottom -= NOTES_ROOM
    upper, lower = (top + share * (bottom - top) for share in SHARES)
    devices = list(_centres(len(shown.device_ids), left, right))
    units = list(_centres(len(shown.unit_ids), left, right))
    ends = [(devices[a], upper, units[b], lower) for a, b in sorted(shown.links)]
    yield Group((Lines(np.array(ends), Pen(theme.link, 0.5)),), "links", label="Links")
    boxes: list[Rect | Jump] = []
    texts = []
    pages = [numbers.first.get(one) if one else None for one in shown.unit_ids]
    names = [design.devices[one].name for one in shown.device_ids]
    for row, y, titles, leading in (
        (devices, upper, names, [numbers.first.get(one) for one in shown.device_ids]),
        (units, lower, shown.unit_names, pages),
    ):
        wide = min(MOST_ACROSS, (right - left) / len(row) - BETWEEN)
        size = min(size_for(one, wide - 2 * PADDING, NAME_SIZE, bold=True) for one in titles)
        for place, (x, title, page) in enumerate(zip(row, titles, leading, strict=True)):
            colours = theme.boxes[kind_of(design, shown.device_ids[place])] if row is devices else theme.boxes[0]
            boxes.append(Rect(x - wide / 2, y - TALL / 2, wide, TALL, Ink(colours.fill), Pen(colours.border, 0.75)))
            texts.append(label(title, x, y + size * 0.35, wide - PADDING, size, theme.text, bold=True, anchor="middle"))
            if page is not None:
                boxes.append(Jump(x - wide / 2, y - TALL / 2, wide, TALL, page))
    for place, (x, page) in enumerate(zip(units, pages, strict=True)):
        wide = (right - left) / len(units) - BETWEEN
        for line, text in enumerate((_count(shown, place), f"page {page}" if page is not None else "")):
            base = lower + TALL / 2 + (line + 1) * 1.3 * NOTE_SIZE
            texts.append(label(text, x, base, wide, NOTE_SIZE, theme.muted, anchor="middle"))
    yield Group((*boxes, *texts), "boxes", label="Devices and units")
    note = f"{format_counted(sum(shown.links.values()), 'link')}; each line stands for those of a device to a unit."
    noted = label(note, left, bottom + NOTE_SIZE + 2.0, right - left, NOTE_SIZE, theme.muted)
    yield Group((noted,), "notes", label="Notes")


def _count(shown: RestMap, unit: int) -> str:
    """ "256 links, 16 each", of what leads to a unit."""
    counts = [count for (_, place), count in shown.links.items() if place == unit]
    text = format_counted(sum(counts), "link")
    least, most = min(counts, default=0), max(counts, default=0)
    if len(counts) < len(shown.device_ids):
        return f"{text} of {len(counts)}"
    return f"{text}, {least} each" if least == most else f"{text}, {least} to {most} each"


def _centres(count: int, left: float, right: float) -> Iterator[float]:
    step = (right - left) / max(count, 1)
    return (left + (number + 0.5) * step for number in range(count))
