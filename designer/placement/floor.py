"""The floor plan: where racks stand in meters, the rows they form, and the verbs that move, copy and arrange them.

x runs along the rows, y across them and down; a rack's place is the centre of its footprint.
"""

import itertools
import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from designer.errors import EditError, ParameterError, UnknownEntityError
from designer.model import fragments
from designer.model.annotation import Annotation
from designer.model.design import Design
from designer.model.edit import Change, Edit, joined
from designer.model.entities import FABRIC, Placement, Rack
from designer.model.fixture import FLOOR_FARTHEST_M, Fixture
from designer.model.furnishing import TOUCH_M, moved, standing
from designer.model.records import ordered
from designer.units import format_counted

Point = tuple[float, float]

SAME_ROW_M = 0.3
"""Racks whose centres differ by less than this across the rows stand in one row."""


@dataclass(frozen=True, slots=True)
class Row:
    """Racks side by side, from left to right. Rows without a name of their own are A, B, ... from the top."""

    name: str
    y_m: float
    rack_ids: tuple[str, ...]


def place_of(rack: Rack) -> Point | None:
    """Centre of the rack's footprint in meters; None while it has no place on the floor."""
    return None if rack.x_m is None or rack.y_m is None else (rack.x_m, rack.y_m)


def rows(design: Design) -> tuple[Row, ...]:
    """The rows that the racks on the floor form, from the top down, under their names."""
    return rows_of(ordered(design.racks))


def rows_of(racks: Iterable[Rack]) -> tuple[Row, ...]:
    """The rows that these racks form, from the top down. Of two rows that claim a name, that of more racks has it."""
    placed = [(point[1], point[0], rack) for rack in racks if (point := place_of(rack)) is not None]
    heaps: list[list[tuple[float, float, Rack]]] = []
    for one in sorted(placed, key=lambda one: (one[0], one[1], one[2].id)):
        if heaps and one[0] - heaps[-1][0][0] < SAME_ROW_M:
            heaps[-1].append(one)
        else:
            heaps.append([one])
    counts = (Counter(rack.row for _, _, rack in heap if rack.row) for heap in heaps)
    claims = [(-count, number, name) for number, counted in enumerate(counts) for name, count in counted.items()]
    names = row_names(len(heaps), sorted(claims))
    return tuple(
        Row(name, heap[0][0], tuple(rack.id for _, _, rack in sorted(heap, key=lambda one: one[1])))
        for name, heap in zip(names, heaps, strict=True)
    )


def row_names(count: int, claims: Iterable[tuple[int, int, str]]) -> list[str]:
    """The names of so many rows: what each claims first and no other before it, else its letter from the top.

    Claims end in the number of a row and a name. A row whose letter another one has gets the first free one.
    """
    names, taken = [""] * count, set[str]()
    for _, number, name in claims:
        if not names[number] and name not in taken:
            names[number] = name
            taken.add(name)
    for number in range(count):
        if not names[number] and (letter := row_name(number)) not in taken:
            names[number] = letter
    taken.update(names)
    free = (letter for letter in map(row_name, itertools.count()) if letter not in taken)
    return [name or next(free) for name in names]


def row_name(number: int) -> str:
    """A to Z, then AA, AB, ...; from 0."""
    letters = ""
    while True:
        number, letter = divmod(number, 26)
        letters = chr(ord("A") + letter) + letters
        if number == 0:
            return letters
        number -= 1


def place_racks(design: Design, places: Mapping[str, Point | None]) -> Edit:
    """The racks at these places on the floor; None takes one off it. Raises EditError for a place no room has."""
    changes = []
    for rack_id, place in places.items():
        rack = _rack(design, rack_id)
        if place is None:
            after = replace(rack, x_m=None, y_m=None)
        else:
            for value in place:
                if not math.isfinite(value) or abs(value) > FLOOR_FARTHEST_M:
                    raise EditError(
                        f"{rack.name}: a place on the floor lies within {FLOOR_FARTHEST_M:,.0f} m of its middle, "
                        f"not at {value:g} m"
                    )
            after = replace(rack, x_m=float(place[0]), y_m=float(place[1]))
        if after != rack:
            changes.append(Change(rack, after))
    what = _rack(design, next(iter(places))).name if len(places) == 1 else f"{len(places)} racks"
    return Edit(f"Place {what}", tuple(changes))


def turn_racks(design: Design, rack_ids: Iterable[str]) -> Edit:
    """The racks with their fronts the other way round."""
    racks = [_rack(design, one) for one in dict.fromkeys(rack_ids)]
    what = racks[0].name if len(racks) == 1 else f"{len(racks)} racks"
    return Edit(
        f"Flip {what}", tuple(Change(one, replace(one, facing="" if one.facing == "up" else "up")) for one in racks)
    )


def set_power_budget(design: Design, rack_ids: Iterable[str], budget_w: float | None) -> Edit:
    """The racks with this much power to draw; None goes back to what their type states."""
    if budget_w is not None and not (math.isfinite(budget_w) and 0 < budget_w <= 1e9):
        raise ParameterError(f"a power budget is more than 0 W, not {budget_w:g} W")
    racks = [_rack(design, one) for one in dict.fromkeys(rack_ids)]
    changes = (Change(one, replace(one, power_budget_w=budget_w)) for one in racks if one.power_budget_w != budget_w)
    what = racks[0].name if len(racks) == 1 else f"{len(racks)} racks"
    return Edit(f"Set the power budget of {what}", tuple(changes))


def copy_rack(design: Design, rack_id: str) -> Edit:
    """A copy of a rack with all that stands in it and the links among that, on the next free place to its right."""
    name = _rack(design, rack_id).name
    edit = fragments.duplicate(design, [rack_id], *shift_below(design, [rack_id, *design.mounted(rack_id)]))
    return Edit(f"Copy {name}", edit.changes)


def copy_to(design: Design, shift_m: Point, ids: Sequence[str]) -> Edit:
    """Copies of racks, with all that stands in them, of fixtures and annotations, so far away on the floor."""
    held = [device_id for one in ids if one in design.racks for device_id in design.mounted(one)]
    edit = fragments.duplicate(design, ids, *shift_below(design, [*ids, *held]))
    racks = iter(ordered({one: design.racks[one] for one in ids if one in design.racks}))
    fixtures = iter(standing(design, (design.fixtures[one] for one in ids if one in design.fixtures), frozenset(ids)))
    notes = iter([design.annotations[one] for one in ids if one in design.annotations])
    changes, places = [], {}
    for change in edit.changes:
        copy = change.after
        if isinstance(copy, Fixture):
            stood = moved(next(fixtures), *shift_m)
            changes.append(Change(None, replace(stood, id=copy.id, name=copy.name, ties=copy.ties)))
            continue
        if isinstance(copy, Annotation) and (x_m := (note := next(notes)).x_m) is not None and note.y_m is not None:
            stood_m = round(x_m + shift_m[0], 4), round(note.y_m + shift_m[1], 4)
            changes.append(Change(None, replace(copy, x_m=stood_m[0], y_m=stood_m[1])))
            continue
        if isinstance(copy, Rack) and (at := place_of(next(racks))) is not None:
            places[copy.id] = round(at[0] + shift_m[0], 4), round(at[1] + shift_m[1], 4)
        changes.append(change)
    return _with_places(design, Edit(edit.label, tuple(changes)), places)


def _with_places(design: Design, edit: Edit, places: Mapping[str, Point]) -> Edit:
    """The edit with the racks that it brings at these places of the floor."""
    if not places:
        return edit
    after = design.snapshot()
    after.apply(edit)
    return joined(edit.label, [edit, place_racks(after, places)])


def auto_place(design: Design, rack_ids: Iterable[str] | None = None) -> Edit:
    """All racks, or these, in rows: units with their leafs in their middle, spines in the middle of the room.

    Rows are so long that the room comes out about square; every second row looks the other way, so that fronts
    meet over one aisle and backs over the next. Of all racks those that are locked stay, and the others stand below.
    """
    chosen = [_rack(design, one) for one in dict.fromkeys(rack_ids)] if rack_ids is not None else ordered(design.racks)
    locked = [one for one in chosen if rack_ids is None and one.is_locked and place_of(one) is not None]
    if locked:
        kept = {one.id for one in locked}
        rest = [one.id for one in chosen if one.id not in kept]
        if not rest:
            raise EditError("all racks are locked: unlock those that may be placed again")
        return _below(design, auto_place(design, rest), locked)
    if not chosen:
        raise EditError("there are no racks to place on the floor")
    blocks, middle = _blocks(design, chosen)
    settings = design.settings
    pitch_m = settings.rack_depth_m + settings.aisle_m
    lines = _lines(blocks, middle, settings.rack_width_m, pitch_m)
    changes = []
    for row, line in enumerate(lines):
        first_m = -(len(line) // 2) * settings.rack_width_m  # all rows on the same tiles
        for column, rack in enumerate(line):
            after = replace(
                rack,
                x_m=round(first_m + column * settings.rack_width_m, 4),
                y_m=round(row * pitch_m, 4),
                facing="up" if row % 2 else "",
            )
            if after != rack:
                changes.append(Change(rack, after))
    return Edit(f"Place {format_counted(len(chosen), 'rack')} on the floor", tuple(changes))


def place_missing(design: Design, rack_ids: Collection[str] | None = None) -> Edit:
    """The racks, or those of these, that have no place, in rows of their own below those that stand.

    As `auto_place` where none stands; an edit without changes where none is missing.
    """
    standing = [rack for rack in ordered(design.racks) if place_of(rack) is not None]
    among = design.racks if rack_ids is None else rack_ids
    missing = [rack.id for rack in ordered(design.racks) if rack.id in among and place_of(rack) is None]
    if not missing:
        return Edit("Place 0 racks on the floor", ())
    edit = auto_place(design, missing)
    return _below(design, edit, standing) if standing else edit


def _below(design: Design, edit: Edit, standing: Sequence[Rack]) -> Edit:
    """The edit that places racks, all of them below these, whose last row they look at."""
    settings, places = design.settings, [place for one in standing if (place := place_of(one)) is not None]
    lowest = max(y for _, y in places)
    down_m = lowest + settings.rack_depth_m + settings.aisle_m
    left_m = min(x for x, _ in places) - min(_after(change).x_m or 0.0 for change in edit.changes)
    last = [one.facing for one, (_, y) in zip(standing, places, strict=True) if lowest - y < SAME_ROW_M]
    is_turned = 2 * last.count("up") < len(last)  # what comes below fronts that look down looks up at them
    changes = []
    for change in edit.changes:
        rack = _after(change)
        at = round((rack.x_m or 0.0) + left_m, 4), round((rack.y_m or 0.0) + down_m, 4)
        facing = "up" if (rack.facing == "up") != is_turned else ""
        changes.append(Change(change.before, replace(rack, x_m=at[0], y_m=at[1], facing=facing)))
    return Edit(edit.label, tuple(changes))


def _after(change: Change) -> Rack:
    assert isinstance(change.after, Rack)
    return change.after


def overlaps(design: Design) -> list[tuple[str, str]]:
    """Pairs of racks whose footprints share floor."""
    width, depth = design.settings.rack_width_m, design.settings.rack_depth_m
    placed = sorted((point[0], point[1], one.id) for one in ordered(design.racks) if (point := place_of(one)))
    found = []
    for index, (x, y, one) in enumerate(placed):
        for other_x, other_y, other in placed[index + 1 :]:
            if other_x - x >= width - TOUCH_M:
                break
            if abs(other_y - y) < depth - TOUCH_M:
                found.append((one, other))
    return found


def _blocks(design: Design, racks: Sequence[Rack]) -> tuple[list[list[Rack]], list[Rack]]:
    """Racks by the unit they belong to, its switches in its middle; and those of switches alone that have none."""
    units: dict[str, list[Rack]] = {}
    loose: list[Rack] = []
    middle: list[Rack] = []
    for rack in racks:
        group = design.groups.get(rack.group_id or "")
        if group is not None and group.kind != FABRIC:
            units.setdefault(group.id, []).append(rack)
        elif _holds_switches_only(design, rack):
            middle.append(rack)
        else:
            loose.append(rack)
    blocks = []
    for unit in units.values():
        switches = [rack for rack in unit if _holds_switches_only(design, rack)]
        others = [rack for rack in unit if rack not in switches]
        half = (len(others) + 1) // 2
        blocks.append([*others[:half], *switches, *others[half:]])
    return [*blocks, *([rack] for rack in loose)], middle


def _holds_switches_only(design: Design, rack: Rack) -> bool:
    devices = [one for one in design.mounted(rack.id) if one in design.devices]
    return bool(devices) and all(map(design.is_switch, devices))


def _lines(blocks: list[list[Rack]], middle: list[Rack], width_m: float, pitch_m: float) -> list[list[Rack]]:
    """Rows of whole blocks with `middle` in the middle one, of the number that makes the room the most square.

    What would make that row longer than a side of the most square room stands in rows of its own, as long as that.
    """
    n_racks = len(middle) + sum(map(len, blocks))
    n_rows = math.ceil(len(middle) / math.ceil(math.sqrt(n_racks * pitch_m / width_m)))
    own = [middle[len(middle) * row // n_rows : len(middle) * (row + 1) // n_rows] for row in range(n_rows)]
    if not blocks:
        return own

    def shaped(per_row: int) -> list[list[Rack]]:
        heaps = [blocks[first : first + per_row] for first in range(0, len(blocks), per_row)]
        centre = len(heaps) // 2
        if n_rows <= 1:
            heaps[centre] = _around(heaps[centre], middle)
        lines = [[rack for block in one for rack in block] for one in heaps]
        return lines if n_rows <= 1 else [*lines[:centre], *own, *lines[centre:]]

    def side_m(lines: list[list[Rack]]) -> float:
        return max(max(map(len, lines)) * width_m, len(lines) * pitch_m)

    return min((shaped(per_row) for per_row in range(1, len(blocks) + 1)), key=side_m)


def _around(blocks: list[list[Rack]], middle: list[Rack]) -> list[list[Rack]]:
    """The blocks of one row with others in their midst; a lone block opens for them."""
    if len(blocks) == 1:
        (only,) = blocks
        half = (len(only) + 1) // 2
        return [only[:half], middle, only[half:]]
    half = (len(blocks) + 1) // 2
    return [*blocks[:half], middle, *blocks[half:]]


def shift_below(design: Design, ids: Collection[str]) -> Point:
    """Canvas units that bring copies of these below everything there is."""
    own = [place.y for one in ids if (place := design.placements.get(one))]
    everything = [place.y for place in design.placements.values() if isinstance(place, Placement)]
    return (0.0, max(everything) - min(own) + 120.0) if own else (0.0, 0.0)


def _rack(design: Design, rack_id: str) -> Rack:
    found = design.racks.get(rack_id)
    if found is None:
        raise UnknownEntityError(f"there is no rack with id {rack_id!r}")
    return found
