"""The verb that lays out again what was drawn: by a layout that is asked for, or by the one that suits it."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import repeat
from operator import attrgetter
from typing import Any

import numpy as np

from designer.errors import ParameterError
from designer.fields.field import Word
from designer.model.arranging import bends_along
from designer.model.design import Design
from designer.model.edit import Change, Edit, from_columns
from designer.model.entities import ROUTER_GROUPS, Group, Placement, Rack, order_key
from designer.placement.layouts import direct_networks, tiers_in_rows
from designer.placement.layouts.annotations import framed, pinned_clear, set_aside
from designer.placement.layouts.direct_networks import Cells, Coordinates, cells_of
from designer.placement.layouts.groups import groups_of, groups_on_circle
from designer.placement.layouts.lattices import lattice_of
from designer.placement.layouts.sketch import (
    Flags,
    Floats,
    Ints,
    Joins,
    Sketch,
    is_direct,
    levels_of,
    parts_of,
    sketch_of,
)
from designer.placement.metrics import BOX_HEIGHT, RACK_PADDING, RACK_SIZE, RACK_TITLE, box_size

AUTOMATIC = ""
PART_GAP = 160.0
"""Between parts that no link joins, and between boxes and racks below them."""
NO_GROUP = -1
"""The part of single boxes that are in no group; those of groups have lower numbers."""
IN_ROWS = (AUTOMATIC, "rows", "folded")
"""Layouts that set out tiers: in them boxes without links stand with their groups."""
MOST_RECOGNIZED = 20_000
"""Routers whose ports are looked at for a torus."""
FEW_ON_A_CIRCLE = 40

Progress = Callable[[float], None]


def _no_progress(_share: float) -> None:
    pass


@dataclass(frozen=True, slots=True)
class Layout:
    """A way to set out boxes. `centres` returns them by row of the sketch, around anywhere."""

    name: str
    title: str
    help: str
    centres: Callable[[Design, Sketch], Floats]


def _automatic(design: Design, sketch: Sketch) -> Floats:
    levels, of = levels_of(sketch), groups_of(sketch, _of_routers(design, sketch))
    if of is not None:
        return groups_on_circle(sketch, of)
    if not is_direct(sketch, levels):
        return tiers_in_rows.rows(sketch, levels=levels)
    cells, lattice = _recognized(design, sketch)
    if direct_networks.ring_of(cells) is not None and len(cells.routers) <= FEW_ON_A_CIRCLE:
        return direct_networks.circle(cells)
    if lattice is not None:
        return direct_networks.sheets(cells, lattice)
    of = groups_of(sketch)
    return groups_on_circle(sketch, of) if of is not None else direct_networks.springs(cells)


def _of_routers(design: Design, sketch: Sketch) -> Flags:
    """The rows in groups of routers, such as those of a dragonfly."""
    own = {one for one, group in design.groups.items() if group.kind in ROUTER_GROUPS}
    known = design.devices
    return np.array([known[one].group_id in own for one in sketch.ids], np.bool_)


def _circle(_design: Design, sketch: Sketch) -> Floats:
    of = groups_of(sketch)
    return groups_on_circle(sketch, of) if of is not None else direct_networks.circle(cells_of(sketch))


def _recognized(design: Design, sketch: Sketch) -> tuple[Cells, Coordinates | None]:
    cells = cells_of(sketch)
    return cells, lattice_of(design, cells) if len(cells.routers) <= MOST_RECOGNIZED else None


def _on_lattice(draw: Callable[[Cells, Coordinates], Floats]) -> Callable[[Design, Sketch], Floats]:
    def centres(design: Design, sketch: Sketch) -> Floats:
        cells, lattice = _recognized(design, sketch)
        if lattice is None:
            raise ParameterError("this is no torus or mesh: choose another layout, such as tiers in rows or a grid")
        return draw(cells, lattice)

    return centres


LAYOUTS: tuple[Layout, ...] = (
    Layout(AUTOMATIC, "Automatic", "What suits the links: tiers, a ring, a torus, groups or springs.", _automatic),
    Layout("rows", "Tiers in rows", "One row per tier.", lambda _, sketch: tiers_in_rows.rows(sketch, folded=False)),
    Layout(
        "folded",
        "Folded",
        "Tiers in rows, servers in several rows below their leaf switches.",
        lambda _, sketch: tiers_in_rows.rows(sketch, folded=True),
    ),
    Layout("grid", "Grid", "Switches row by row.", lambda _, sketch: direct_networks.grid(cells_of(sketch))),
    Layout(
        "circle",
        "Circle",
        "Switches or their groups.",
        _circle,
    ),
    Layout("sheets", "Sheets of a torus", "Further dimensions side by side.", _on_lattice(direct_networks.sheets)),
    Layout("cube", "Oblique cube", "A torus of three dimensions.", _on_lattice(direct_networks.cube)),
    Layout(
        "springs",
        "Springs",
        "Joined switches near each other.",
        lambda _, sketch: direct_networks.springs(cells_of(sketch)),
    ),
)
LAYOUT_WORDS = tuple(Word(layout.name, layout.title) for layout in LAYOUTS)


def tidy(
    design: Design,
    ids: Iterable[str] = (),
    layout: str = AUTOMATIC,
    progress: Progress = _no_progress,
    joins: Joins | None = None,
) -> Edit:
    """These devices, racks and groups laid out again, everything where none are named; groups keep the layout chosen.

    What is locked stays; zones go along with the devices that they frame, texts and blocks out of what these come to
    cover. The middle of what is laid out stays where it was; racks on the canvas come below, with what is mounted in
    them. With the `joins` of all placed devices, it takes a fifth less. Raises ParameterError where nothing can be laid
    out that way.
    """
    chosen = next((one for one in LAYOUTS if one.name == layout), None)
    if chosen is None:
        raise ParameterError(f"{layout!r} is no layout: choose {', '.join(one.name for one in LAYOUTS if one.name)}")
    groups, devices, racks = _members(design, ids)
    sketch = sketch_of(design, devices, joins)
    progress(0.3)
    if len(sketch.ids) + len(racks) < 2:
        raise ParameterError("select at least two devices that are not locked, or nothing to tidy everything")
    centres = _packed(design, sketch, chosen)
    progress(0.7)
    at = _as_before(sketch, centres).round(1)
    changes = _moves(design, sketch, at)
    if racks or design.annotations:
        places = dict(zip(sketch.ids, at.tolist(), strict=True))
        below = _below(design, racks, places)
        around = [*_rack_moves(design, below), *framed(design, places)]
        changes += around
        if changes:
            aside = [*set_aside(design, places, around)]
            changes += aside
            changes += pinned_clear(design, places, [*around, *aside])
    changes += bends_along(design, changes, drop=True)
    changes += _named(design, groups, layout)
    progress(1.0)
    count = len(sketch.ids) + len(racks)
    return Edit(f"Tidy {count:,} things" if layout == AUTOMATIC else f"Lay out: {chosen.title}", tuple(changes))


def _members(design: Design, ids: Iterable[str]) -> tuple[list[Group], list[str], list[Rack]]:
    """The groups among them, and all devices and racks in these and in the others that may be moved by themselves."""
    waiting = list(dict.fromkeys(ids)) or [*design.devices, *design.racks]
    groups: list[Group] = []
    for one in filter(design.groups.__contains__, waiting):  # what groups hold is added on the way
        groups.append(design.groups[one])
        waiting.extend(design.members(one))
    known_racks, placements = design.racks, design.placements
    free = [at for at in map(placements.get, waiting) if at is not None and not at.locked]
    racks = {at.id: known_racks[at.id] for at in free if at.id in known_racks} if known_racks else {}
    devices = dict.fromkeys([at.id for at in free if at.rack_id is None or at.rack_id not in placements])
    return (
        groups,
        [one for one in devices if one not in racks] if racks else [*devices],
        sorted(racks.values(), key=lambda rack: order_key(rack.id)),
    )


def _packed(design: Design, sketch: Sketch, layout: Layout) -> Floats:
    """The parts that no link joins, side by side, the largest first, then the single boxes of each group."""
    parts = parts_of(len(sketch.ids), sketch.pairs)
    sizes, lone = np.bincount(parts, minlength=1), NO_GROUP - 1 - sketch.groups
    if len(sizes) == 1 or (not len(sketch.pairs) and len(np.unique(lone)) == 1):
        return layout.centres(design, sketch)
    parts = np.where(sizes[parts] == 1, lone, parts)
    if layout.name in IN_ROWS and not is_direct(sketch, levels_of(sketch)):
        parts = _with_their_groups(sketch, parts)
    numbers = sorted({*parts[parts >= 0].tolist()}, key=lambda one: (-int(sizes[one]), one))
    numbers += sorted({*parts[parts < 0].tolist()}, key=lambda one: (one == NO_GROUP, -one))
    centres, x = np.zeros((len(sketch.ids), 2)), 0.0
    for number in numbers:
        own = np.flatnonzero(parts == number)
        at = layout.centres(design, sketch.part(own)) if number >= 0 else _squares(sketch, own)
        low, high = at.min(axis=0), at.max(axis=0)
        centres[own] = at - low + (x, 0.0)
        x += float(high[0] - low[0]) + PART_GAP + box_size(True)[0]
    return centres


def _with_their_groups(sketch: Sketch, parts: Ints) -> Ints:
    """The parts, with single boxes in those that most boxes of their groups are in."""
    found = parts.copy()
    lone = parts < 0
    for group in np.unique(sketch.groups[lone & (sketch.groups >= 0)]).tolist():
        own = sketch.groups == group
        linked = parts[own & ~lone]
        if len(linked):
            found[own & lone] = np.bincount(linked).argmax()
    return found


def _squares(sketch: Sketch, own: Ints) -> Floats:
    return direct_networks.grid(Cells(sketch, own, {}, np.empty((0, 2), np.int64)))[own]


def _as_before(sketch: Sketch, centres: Floats) -> Floats:
    """The centres with the middle of them where it was."""
    if not len(centres):
        return centres
    middles = [(at.min(axis=0) + at.max(axis=0)) / 2 for at in (sketch.at, centres)]
    shifted: Floats = centres + (middles[0] - middles[1])
    return shifted


def _below(design: Design, racks: list[Rack], places: dict[str, list[float]]) -> dict[str, list[float]]:
    """Where racks come to stand, in a row below the boxes; with none, in a row where the first one is."""
    if not racks:
        return {}
    extents = [_extent(design, rack) for rack in racks]
    if places:
        left = min(x for x, _ in places.values()) - box_size(True)[0] / 2
        top = max(y for _, y in places.values()) + BOX_HEIGHT / 2 + PART_GAP / 2
    else:
        first = design.placements[racks[0].id]
        left, top = first.x + extents[0][0], first.y + extents[0][1]
    found = {}
    for rack, (before, above, after) in zip(racks, extents, strict=True):
        found[rack.id] = [round(left - before, 1), round(top - above, 1)]
        left += after - before + PART_GAP / 4
    return found


def _extent(design: Design, rack: Rack) -> tuple[float, float, float]:
    """Left, top and right of a rack's frame, from its place."""
    at, (width, height) = design.placements[rack.id], RACK_SIZE
    left, top, right = -width / 2, -height / 2, width / 2
    for one in design.mounted(rack.id):
        its, (wide, tall) = design.placements[one], box_size(design.is_switch(one))
        left = min(left, its.x - at.x - wide / 2 - RACK_PADDING)
        right = max(right, its.x - at.x + wide / 2 + RACK_PADDING)
        top = min(top, its.y - at.y - tall / 2 - RACK_PADDING - RACK_TITLE)
    return left, top, right


def _moves(design: Design, sketch: Sketch, at: Floats) -> list[Change]:
    """The boxes of a sketch at new places."""
    rows = np.flatnonzero((at != sketch.at).any(axis=1))
    ids = [*map(sketch.ids.__getitem__, rows.tolist())]
    before = [*map(design.placements.__getitem__, ids)]
    x, y = at[rows].T.tolist()
    columns: dict[str, Iterable[Any]] = {"id": ids, "x": x, "y": y, "locked": repeat(False)}  # none is locked
    columns |= {name: map(attrgetter(name), before) for name in ("rack_id", "unit", "side")}
    return from_columns(Change, len(ids), {"before": before, "after": from_columns(Placement, len(ids), columns)})


def _rack_moves(design: Design, places: dict[str, list[float]]) -> Iterator[Change]:
    """Racks at new places, with what is mounted in them."""
    stood = design.placements
    for one, (x, y) in places.items():
        before = stood[one]
        if before.x == x and before.y == y:
            continue
        yield Change(before, replace(before, x=x, y=y))
        for its in map(stood.__getitem__, design.mounted(one)):
            yield Change(its, replace(its, x=its.x + x - before.x, y=its.y + y - before.y))


def _named(design: Design, groups: list[Group], layout: str) -> Iterator[Change]:
    """The layout noted with the groups that were asked for."""
    asked = {group.id for group in groups}
    for group in groups:
        if group.parent_id not in asked and group.layout != layout:
            yield Change(group, replace(group, layout=layout))
