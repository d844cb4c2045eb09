"""Aisles between rows: cold where fronts meet, hot where backs meet, mixed where fronts draw in what backs blow out."""

import itertools
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.furnishing import TOUCH_M
from designer.placement import floor
from designer.placement.floor import Row, turn_racks
from designer.placement.row_order import row_facing

COLD, HOT, MIXED, WIDE = "cold", "hot", "mixed", "wide"
AISLE_MOST_M = 3.0
"""Rows that are further apart have a hall between them, where air mixes anyhow."""


@dataclass(frozen=True, slots=True)
class Aisle:
    """A piece of the floor between two rows that the same sides of racks look on, in meters.

    `fronts` and `backs` are the racks whose fronts and backs do.
    """

    kind: str
    left_m: float
    top_m: float
    right_m: float
    bottom_m: float
    above: str
    below: str
    """Names of the rows."""
    fronts: tuple[str, ...]
    backs: tuple[str, ...]


def aisles(design: Design) -> tuple[Aisle, ...]:
    """The aisles from the top of the plan, each from the left; none where rows touch."""
    half = design.settings.rack_depth_m / 2
    found: list[Aisle] = []
    for above, below in itertools.pairwise(floor.rows(design)):
        top, bottom = above.y_m + half, below.y_m - half
        if bottom - top > TOUCH_M:
            found += _merged(list(_pieces(design, above, below, top, bottom)))
    return tuple(found)


def _pieces(design: Design, above: Row, below: Row, top: float, bottom: float) -> Iterator[Aisle]:
    """The aisle from edge to edge of the racks on either side."""
    half = design.settings.rack_width_m / 2
    spans = [
        ((rack.x_m or 0.0) - half, (rack.x_m or 0.0) + half, rack, (rack.facing == "up") == (row is below))
        for row in (above, below)
        for rack in (design.racks[one] for one in row.rack_ids)
    ]
    edges = sorted({round(edge, 4) for low, high, _, _ in spans for edge in (low, high)})
    spans.sort(key=lambda span: span[0])
    lows = [low for low, *_ in spans]
    for left, right in itertools.pairwise(edges):
        middle = (left + right) / 2
        near = slice(bisect_left(lows, middle - 2 * half), bisect_left(lows, middle))
        here = [(rack, is_front) for low, high, rack, is_front in spans[near] if low < middle < high]
        fronts = tuple(rack.id for rack, is_front in here if is_front)
        backs = tuple(rack.id for rack, is_front in here if not is_front)
        if here:
            kind = WIDE if bottom - top > AISLE_MOST_M else MIXED if fronts and backs else COLD if fronts else HOT
            yield Aisle(kind, left, top, right, bottom, above.name, below.name, fronts, backs)


def _merged(pieces: list[Aisle]) -> list[Aisle]:
    """Neighboring pieces of one kind as one."""
    found = []
    for _, alike in itertools.groupby(pieces, key=lambda one: one.kind):
        run = list(alike)
        first, last = run[0], run[-1]
        fronts = dict.fromkeys(rack_id for one in run for rack_id in one.fronts)
        backs = dict.fromkeys(rack_id for one in run for rack_id in one.backs)
        found.append(
            Aisle(
                first.kind,
                first.left_m,
                first.top_m,
                last.right_m,
                first.bottom_m,
                first.above,
                first.below,
                tuple(fronts),
                tuple(backs),
            )
        )
    return found


def turn_rows(design: Design, rack_ids: Sequence[str]) -> Edit:
    """All racks of the rows that these stand in with their fronts the other way round."""
    wanted = set(rack_ids)
    rows = [row for row in floor.rows(design) if wanted & set(row.rack_ids)]
    edit = turn_racks(design, [one for row in rows for one in row.rack_ids])
    what = f"row {rows[0].name}" if len(rows) == 1 else f"{len(rows)} rows"
    return Edit(f"Flip {what}", edit.changes)


def face_rows(design: Design) -> Edit:
    """Every row facing as a whole so that cold and hot aisles take turns, beginning as most of the first row does."""
    changes = []
    facing = ""
    for number, row in enumerate(floor.rows(design)):
        if number == 0:
            facing = row_facing(design, row.rack_ids)
        for one in row.rack_ids:
            rack = design.racks[one]
            if rack.facing != facing:
                changes.append(Change(rack, replace(rack, facing=facing)))
        facing = "" if facing else "up"
    return Edit("Face rows to cold aisles", tuple(changes))
