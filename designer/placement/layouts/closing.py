"""Verbs that close a drawing up around what is collapsed, and make room again for what is expanded.

Blocks are what moves as one: a collapsed box, a group without any inside it, a rack, or a single device.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np

from designer.errors import ParameterError
from designer.model import collapsing
from designer.model.arranging import bends_along
from designer.model.collapsing import BoxKey, collapsed_keys
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.entities import FABRIC, ROUTER_GROUPS, Placement, in_order
from designer.model.hardware.switches import SwitchType
from designer.placement.around import around
from designer.placement.layouts.sketch import Flags, Floats
from designer.placement.layouts.tiers_in_rows import apart
from designer.placement.metrics import BOX_HEIGHT, GAP, SERVER_WIDTH, box_size, collapsed_size

BETWEEN = 60.0
"""The most that blocks of a row stay apart."""
LEAST_ROOM, ROOM_SHARE = 160.0, 0.2
"""Between two rows, where links run: so much, or this share of the width."""
FRAME, TITLE = 20.0, 30.0
"""Around what is in an open group, and above that."""
CLOSE = 1.0
"""Less is no move."""


_Take = tuple[Callable[[str], None], Callable[[Placement], None]]


@dataclass(frozen=True, slots=True)
class Block:
    """What moves as one: ids of what is placed, the rectangle of all of it, and the least one that it is drawn in."""

    key: BoxKey
    ids: tuple[str, ...]
    full: tuple[float, float, float, float]
    """Left, top, right, bottom."""
    drawn: tuple[float, float, float, float]
    boxes: Floats = field(repr=False, compare=False)
    """The boxes of what it holds, (n, 4), as they are once it is open."""

    @property
    def middle(self) -> tuple[float, float]:
        """The middle of what is drawn."""
        left, top, right, bottom = self.drawn
        return (left + right) / 2, (top + bottom) / 2


def close_up(design: Design) -> Edit:
    """Everything nearer to what is collapsed, as rows of the boxes that are drawn. What is locked stays.

    Raises ParameterError where nothing is collapsed, or nothing can come nearer.
    """
    if not collapsed_keys(design):
        raise ParameterError("nothing is collapsed: collapse groups, racks or roles first (K)")
    blocks = blocks_of(design)
    middles = _around(design, blocks) or _in_rows(blocks)
    changes = tuple(_moved(design, _moves(blocks, middles)))
    if not changes:
        raise ParameterError("the drawing is as close as it can be")
    return Edit("Close up around collapsed boxes", changes)


def _moves(blocks: list[Block], middles: dict[int, tuple[float, float]]) -> dict[str, tuple[float, float]]:
    """How far each thing moves, those that move at all; `middles` are by id() of the blocks."""
    moves: dict[str, tuple[float, float]] = {}
    for block in blocks:
        (x, y), (was_x, was_y) = middles[id(block)], block.middle
        if max(abs(x - was_x), abs(y - was_y)) >= CLOSE:
            moves |= dict.fromkeys(block.ids, (x - was_x, y - was_y))
    return moves


def _around(design: Design, blocks: list[Block]) -> dict[int, tuple[float, float]] | None:
    """The middles of groups of routers around a free middle, in their order; None where anything else is."""
    kinds = {group.kind for block in blocks if (group := design.groups.get(block.key.id)) and not block.key.role}
    if not kinds <= ROUTER_GROUPS or not all(block.key.id in design.groups for block in blocks) or len(blocks) < 3:
        return None
    points = np.array([block.middle for block in blocks])
    middle = (points.min(axis=0) + points.max(axis=0)) / 2
    angles = np.arctan2(points[:, 0] - middle[0], middle[1] - points[:, 1]) % (2 * np.pi)  # clockwise from the top
    order = np.argsort(np.where(angles > 2 * np.pi - 0.01, 0.0, angles), kind="stable").tolist()
    spots = around(len(blocks), max(map(_width, blocks)), max(map(_height, blocks)))
    halves = np.array([_height(blocks[number]) / 2 for number in order])
    places = np.array([(x, y + (-half if up else half)) for (x, y, up), half in zip(spots, halves, strict=True)])
    places += middle - (places.min(axis=0) + places.max(axis=0)) / 2  # done again, nothing moves
    return {id(blocks[number]): (x, y) for number, (x, y) in zip(order, places.tolist(), strict=True)}


def _in_rows(blocks: list[Block]) -> dict[int, tuple[float, float]]:
    """The middles of blocks in the rows and the order that they have, as near to each other as they may be."""
    rows = _rows(blocks)
    widest = max(rows, key=lambda row: sum(_width(block) + BETWEEN for block in row))
    xs = {id(block): x for row in [widest] for block, x in zip(row, _in_a_row(row), strict=True)}
    olds, news = [block.middle[0] for block in widest], [xs[id(block)] for block in widest]
    for row in rows:
        if row is not widest:
            wanted = [_mapped(block.middle[0], olds, news) for block in row]
            xs |= {id(block): x for block, x in zip(row, _apart(row, wanted), strict=True)}
    width = max(xs.values()) - min(xs.values())
    ys = _heights(rows, max(LEAST_ROOM, ROOM_SHARE * width))
    return {id(block): (xs[id(block)], y) for row, y in zip(rows, ys, strict=True) for block in row}


def expand(design: Design, ids: Iterable[str]) -> Edit:
    """As `collapsing.expand`, and what stands in the room of what is expanded moves away from it."""
    edit = collapsing.expand(design, ids)
    still = {block.ids for block in blocks_of(_after(design, edit)) if block.full != block.drawn}
    return _with_room(design, edit, still)


def expand_all(design: Design) -> Edit:
    """As `collapsing.expand_all`, and what stands in the room of others moves away from them."""
    return _with_room(design, collapsing.expand_all(design), set())


def blocks_of(design: Design) -> list[Block]:
    """The blocks of a design, in stable order."""
    homes = _Homes(design)
    homes.take_all()
    widths = {type_id: box_size(isinstance(type_, SwitchType))[0] for type_id, type_ in design.types.items()}
    return [_block(design, widths, key, held) for key, held in homes.held.items()]


@dataclass(slots=True)
class _Held:
    """What moves as one, in the order in which it was taken."""

    is_box: bool = False
    ids: list[str] = field(default_factory=list)
    racks: list[Placement] = field(default_factory=list)
    by_type: dict[str, list[Placement]] = field(default_factory=dict)
    """Where devices stand, by their types."""

    def of_type(self, type_id: str) -> _Take:
        """What takes in an id and a place of a device of that type."""
        return self.ids.append, self.by_type.setdefault(type_id, []).append


class _Homes:
    """What placed things move with; found once for all devices that are alike."""

    def __init__(self, design: Design) -> None:
        self.held: dict[BoxKey, _Held] = {}
        self._design = design
        self._devices, self._racks, self._placements = design.devices, design.racks, design.placements
        self._with_boxes = _with_boxes(design)

    def take_all(self) -> None:
        """Add every device and rack to what it moves with; anything else stays out."""
        devices, placements = self._devices, self._placements
        of_alike: dict[tuple[str | None, str | None, str, str], _Take | None] = {}
        for one in in_order(placements):
            device, place = devices.get(one), placements[one]
            if device is None:
                if one in self._racks:
                    held = self._block_of(*self._home_of_rack(one))
                    held.ids.append(one)
                    held.racks.append(place)
                continue
            type_id = device.type_id
            alike = device.group_id, place.rack_id, type_id, device.role
            if alike not in of_alike:
                home = self._home_of_device(one, device.group_id, place.rack_id)
                of_alike[alike] = None if home is None else self._block_of(*home).of_type(type_id)
            take_id, take_place = of_alike[alike] or self._block_of(BoxKey(one), False).of_type(type_id)
            take_id(one)
            take_place(place)

    def _block_of(self, key: BoxKey, is_box: bool) -> _Held:
        held = self.held.setdefault(key, _Held())
        held.is_box = is_box
        return held

    def _home_of_rack(self, rack_id: str) -> tuple[BoxKey, bool]:
        design = self._design
        shown = next((box for box in _rack_holders(design, rack_id) if collapsing.is_collapsed(design, box)), None)
        if shown is not None:
            return shown, True
        return next(_outer(design, self._racks[rack_id].group_id, self._with_boxes), BoxKey(rack_id)), False

    def _home_of_device(self, one: str, group_id: str | None, rack_id: str | None) -> tuple[BoxKey, bool] | None:
        box = collapsing.box_of(self._design, one)
        if box is not None:
            return box, True
        around = next(_outer(self._design, group_id, self._with_boxes), None)
        if around is None and rack_id and rack_id in self._placements:
            around = BoxKey(rack_id)
        return None if around is None else (around, False)


def _with_boxes(design: Design) -> set[str]:
    """The groups with anything collapsed inside them."""
    found: set[str] = set()
    for key in collapsed_keys(design):
        rack, group = design.racks.get(key.id), design.groups.get(key.id)
        above = rack.group_id if rack else key.id if key.role else group.parent_id if group else None
        while above:
            found.add(above)
            above = design.groups[above].parent_id
    return found


def _outer(design: Design, group_id: str | None, with_boxes: set[str]) -> Iterator[BoxKey]:
    """The outermost open group around, if no box is inside it."""
    chain = []
    while group_id is not None:
        chain.append(group_id)
        group_id = design.groups[group_id].parent_id
    for one in reversed(chain):
        if design.groups[one].kind != FABRIC and one not in with_boxes:
            yield BoxKey(one)


def _rack_holders(design: Design, rack_id: str) -> Iterator[BoxKey]:
    group_id, chain = design.racks[rack_id].group_id, [BoxKey(rack_id)]
    while group_id is not None:
        chain.append(BoxKey(group_id))
        group_id = design.groups[group_id].parent_id
    yield from reversed(chain)


def _block(design: Design, widths: dict[str, float], key: BoxKey, held: _Held) -> Block:
    by_width: dict[float, list[Placement]] = {} if held.by_type else {SERVER_WIDTH: held.racks}
    for type_id, its in held.by_type.items():  # of racks only where there is nothing else
        by_width.setdefault(widths[type_id], []).extend(its)
    halves = [(width / 2, place) for width, places in by_width.items() for place in places]
    boxes = np.array([(at.x - half, at.y - BOX_HEIGHT / 2, at.x + half, at.y + BOX_HEIGHT / 2) for half, at in halves])
    (left, top), (right, bottom) = boxes[:, :2].min(axis=0).tolist(), boxes[:, 2:].max(axis=0).tolist()
    rect = left, top, right, bottom
    framed = not key.role and key.id not in design.devices
    full = (rect[0] - FRAME, rect[1] - FRAME - TITLE, rect[2] + FRAME, rect[3] + FRAME) if framed else rect
    if not held.is_box:
        return Block(key, tuple(held.ids), full, full, boxes)
    pad = FRAME if framed else 0.0
    width, height = collapsed_size(rect[2] - rect[0] + 2 * pad, rect[3] - rect[1] + 2 * pad, of_role=bool(key.role))
    x, y = (rect[0] + rect[2]) / 2, (rect[1] + rect[3]) / 2
    drawn = x - width / 2, y - height / 2, x + width / 2, y + height / 2
    return Block(key, tuple(held.ids), full, drawn, boxes)


def _width(block: Block) -> float:
    return block.drawn[2] - block.drawn[0]


def _height(block: Block) -> float:
    return block.drawn[3] - block.drawn[1]


def _rows(blocks: list[Block]) -> list[list[Block]]:
    """Blocks whose middles are about equally high, from the top, each row from the left."""
    rows: list[list[Block]] = []
    for block in sorted(blocks, key=lambda one: one.middle[1]):
        height = max(BOX_HEIGHT, _height(block))
        if not rows or block.middle[1] - rows[-1][0].middle[1] > height / 2:
            rows.append([])
        rows[-1].append(block)
    return [sorted(row, key=lambda one: one.middle[0]) for row in rows]


def _pitches(row: list[Block]) -> list[float]:
    """From each block of a row to the one before, middle to middle; 0 of the first."""
    found = [0.0]
    for one, other in pairwise(row):
        gap = min(max(other.drawn[0] - one.drawn[2], GAP), BETWEEN)
        found.append((_width(one) + _width(other)) / 2 + gap)
    return found


def _in_a_row(row: list[Block]) -> list[float]:
    """The x of blocks next to each other, their middle where it was."""
    at = np.cumsum(_pitches(row))
    was = (row[0].middle[0] + row[-1].middle[0]) / 2
    found: list[float] = (at - (at[0] + at[-1]) / 2 + was).tolist()
    return found


def _mapped(x: float, olds: list[float], news: list[float]) -> float:
    """Where x comes to stand as the others do: between them, or as far beside the outermost as it was."""
    inside = float(np.interp(x, olds, news))
    return inside + min(0.0, x - olds[0]) + max(0.0, x - olds[-1])


def _apart(row: list[Block], wanted: list[float]) -> list[float]:
    offsets: Floats = np.cumsum(_pitches(row))
    found: list[float] = (apart(np.array(wanted) - offsets, 0.0) + offsets).tolist()
    return found


def _heights(rows: list[list[Block]], most: float) -> list[float]:
    """The y of the middles of rows, the middle of all where it was, with the room between them that they had."""
    ys, tall = [0.0], [max(map(_height, row)) for row in rows]
    for number in range(1, len(rows)):
        above, below = rows[number - 1], rows[number]
        room = min(block.drawn[1] for block in below) - max(block.drawn[3] for block in above)
        ys.append(ys[-1] + (tall[number - 1] + tall[number]) / 2 + min(max(room, 2 * GAP), most))
    was = (rows[0][0].middle[1] + rows[-1][0].middle[1]) / 2
    return [y - ys[-1] / 2 + was for y in ys]


def _moved(design: Design, moves: dict[str, tuple[float, float]]) -> Iterator[Change]:
    made = []
    for one, (dx, dy) in moves.items():
        place = design.placements[one]
        if not place.locked:
            made.append(Change(place, replace(place, x=round(place.x + dx, 1), y=round(place.y + dy, 1))))
    yield from made
    yield from bends_along(design, made)


# -- room for what is expanded ----------------------------------------------------------------------------------------


def _after(design: Design, edit: Edit) -> Design:
    after = design.snapshot()
    after.apply(edit)
    return after


def _with_room(design: Design, edit: Edit, still: set[tuple[str, ...]]) -> Edit:
    """The edit, and what stands in the room of what it opens moved away; `still` are blocks that stay collapsed."""
    blocks = blocks_of(design)
    shifts = _shifts(blocks, [block.full != block.drawn and block.ids not in still for block in blocks])
    away = np.flatnonzero(np.abs(shifts).max(axis=1, initial=0.0) >= CLOSE).tolist()
    moves = {one: (float(shifts[row, 0]), float(shifts[row, 1])) for row in away for one in blocks[row].ids}
    if moves:
        after = _after(design, edit)
        opened_up = blocks_of(after)
        if (middles := _around(after, opened_up)) is not None:
            moves = _moves(opened_up, middles)
    return replace(edit, changes=(*edit.changes, *_moved(design, moves)))


def _shifts(blocks: list[Block], opens: list[bool]) -> Floats:
    """How far each block moves out of the room that those take that open, (n, 2), where any stands in it."""
    drawn = np.array([block.drawn for block in blocks]).reshape(-1, 4)
    found = np.zeros((len(blocks), 2))
    for row in np.flatnonzero(opens).tolist():
        own = np.tile(found[row], 2)
        full, was = (np.array(blocks[row].full) + own).tolist(), (drawn[row] + own).tolist()
        rects = drawn + np.tile(found, 2)
        others = np.arange(len(blocks)) != row
        if _is_any_covered(blocks, opens, found, row, np.flatnonzero(others & _overlap(full, rects)).tolist()):
            right = others & (rects[:, 0] >= was[2] - CLOSE)
            left = others & ~right & (rects[:, 2] <= was[0] + CLOSE)
            below = others & (rects[:, 1] >= was[3] - CLOSE)
            above = others & ~below & ((rects[:, 3] <= was[1] + CLOSE) | ~(right | left))
            found[right, 0] += full[2] - was[2]
            found[left, 0] -= was[0] - full[0]
            found[below, 1] += full[3] - was[3]  # the whole row, so that it stays one
            found[above, 1] -= was[1] - full[1]
        drawn[row] = blocks[row].full
    return found


def _is_any_covered(blocks: list[Block], opens: list[bool], shifts: Floats, row: int, near: list[int]) -> bool:
    """Whether a box that the block at `row` opens lies over one of the blocks that are near.

    What merely stands in its frame, or between what it holds, stood there when it was collapsed too: so collapsing
    and expanding moves nothing. But a collapsed one whose own content would lie there was brought there by closing up.
    """
    boxes = blocks[row].boxes + np.tile(shifts[row], 2)
    for other in near:
        block = blocks[other]
        is_shut = block.full != block.drawn and not opens[other]
        theirs = np.vstack(([block.drawn], block.boxes)) if is_shut else block.boxes
        for box in (theirs + np.tile(shifts[other], 2)).tolist():
            if _overlap(box, boxes).any():
                return True
    return False


def _overlap(full: list[float], rects: Floats) -> Flags:
    beside = (full[0] < rects[:, 2] - CLOSE) & (rects[:, 0] < full[2] - CLOSE)
    found: Flags = beside & (full[1] < rects[:, 3] - CLOSE) & (rects[:, 1] < full[3] - CLOSE)
    return found
