"""Copies in rows and columns, as one edit."""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TypeVar

from designer.errors import ParameterError
from designer.model import operations
from designer.model.design import Design
from designer.model.edit import Change, Edit, added
from designer.model.entities import Device, Rack
from designer.model.several import names_from
from designer.placement.extents import Rect, extent_of
from designer.placement.metrics import GAP, box_size

MOST_COPIES = 512
IN_LINE = 4.0
"""Canvas units: devices so far off a line still stand in it."""
MOST_DEVICES = 10_000
"""What an array may add, so that its preview follows what is typed."""


Named = TypeVar("Named", bound=Device | Rack)


def _nowhere(_places: Sequence[Rect]) -> float:
    return 0.0


def array(
    design: Design,
    ids: Sequence[str],
    columns: int,
    rows: int,
    gap_x: float,
    gap_y: float,
    name: str = "",
    aside: Callable[[Sequence[Rect]], float] = _nowhere,
) -> Edit:
    """The things, and copies of them with the links among them, in columns and rows that far apart, edge to edge.

    Copies are named on from their originals, row by row; with a `name` all devices are named from that, the originals
    first. `aside` says how far all copies go to the right from where they would stand, to cover nothing there.

    Raises ParameterError for an array of nothing, of one, or of too much.
    """
    require_copies(columns, rows, 0)
    fragment = operations.copy_fragment(design, ids)
    require_copies(columns, rows, len(fragment.devices))
    extent = extent_of(fragment)
    if extent is None:
        raise ParameterError("select what stands on the canvas to make an array of it")
    left, top, right, bottom = extent
    width, height = right - left, bottom - top
    after, changes = design.snapshot(), list[Change]()
    steps = [(n % columns * (width + gap_x), n // columns * (height + gap_y)) for n in range(1, columns * rows)]
    further = aside([(left + dx, top + dy, right + dx, bottom + dy) for dx, dy in steps])
    for dx, dy in steps:
        edit = operations.duplicate(after, ids, dx + further, dy)
        after.apply(edit)
        changes += edit.changes
    entities = [change.after for change in changes if change.after is not None]
    originals = [design.devices[one.id] for one in fragment.devices]
    new = [one for one in entities if isinstance(one, Device)]
    named = {one.id: one for one in named_on(design.devices, originals, new, name)}
    renamed = [Change(one, named[one.id]) for one in originals if named.get(one.id, one) != one]
    arrived = added([named.get(one.id, one) if isinstance(one, Device) else one for one in entities])
    return Edit(f"Array of {columns} x {rows}", (*renamed, *arrived))


def require_copies(columns: int, rows: int, n_devices: int) -> None:
    """Raises ParameterError for an array of one place, of too many, or of too many devices."""
    n_copies = columns * rows - 1
    if not 1 <= n_copies <= MOST_COPIES:
        raise ParameterError(f"an array has 2 to {MOST_COPIES + 1} places, not {columns} x {rows} = {columns * rows:,}")
    if n_copies * n_devices > MOST_DEVICES:
        raise ParameterError(
            f"an array adds {MOST_DEVICES:,} devices at most; {n_copies} copies of {n_devices:,} are "
            f"{n_copies * n_devices:,}: choose fewer columns or rows"
        )


def names_of(edit: Edit, kind: type[Device | Rack] = Device) -> tuple[str, str] | None:
    """The first and the last name of the devices, or of the racks, in an array, row by row; None where it has none."""
    named = [change.after.name for change in edit.changes if isinstance(change.after, kind)]
    return (named[0], named[-1]) if named else None


def usual_gap(design: Design, ids: Iterable[str], axis: int) -> float:
    """The gap that is most common in the rows (axis 0) or columns (1) that these devices stand in, edge to edge.

    Among devices of the same types that stand on the canvas in no rack; GAP where there are no two.
    """
    chosen = {one for one in ids if one in design.devices}
    types = {design.devices[one].type_id for one in chosen}
    boxes = [
        (one, (place.x, place.y), box_size(design.is_switch(one)))
        for one, place in design.placements.items()
        if place.rack_id is None and one in design.devices and design.devices[one].type_id in types
    ]
    line, last, gaps = list[tuple[float, float, bool]](), -math.inf, Counter[float]()
    for one, at, size in [*sorted(boxes, key=lambda box: box[1][1 - axis]), ("", (math.inf, math.inf), (0.0, 0.0))]:
        if at[1 - axis] > last + IN_LINE:  # the line before is whole
            if any(is_chosen for *_, is_chosen in line):
                gaps.update(round(low - high) for (_, high, _), (low, *_) in pairwise(sorted(line)) if low >= high)
            line, last = [], at[1 - axis]
        line.append((at[axis] - size[axis] / 2, at[axis] + size[axis] / 2, one in chosen))
    return min(gaps, key=lambda gap: (-gaps[gap], gap), default=GAP)


def named_on(there: Mapping[str, Named], originals: Sequence[Named], new: Sequence[Named], name: str) -> list[Named]:
    """The things of an array named on from a name, the originals first; none where there is no name.

    `there` is what has names already.
    """
    things: list[Named] = [*originals, *new]
    if not name.strip() or not things:
        return []
    ids = {one.id for one in originals}
    given = names_from(name, len(things), [one.name for one in there.values() if one.id not in ids])
    return [replace(one, name=text) for one, text in zip(things, given, strict=True)]
