"""What is under the cursor. All tests are array look-ups over everything drawn."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

import numpy as np

from designer.drawing.bundles import Flags, Floats
from designer.drawing.composition import Composition
from designer.drawing.folding.folded_projection import FoldedProjection
from designer.drawing.geometry import Container, distances
from designer.drawing.level_of_detail import Detail
from designer.drawing.ports import PortHandle
from designer.drawing.projection import Projection
from designer.model.entities import End

LINK_REACH_PX = 5.0
PORT_REACH_PX = 6.0
TITLE_HEIGHT_PX = 20.0
KNOB_REACH_PX = 8.0


@dataclass(frozen=True, slots=True)
class Box:
    """A box that stands for many devices: what a click on it selects, its name, and whether it was collapsed by hand.

    Others are boxes because they are far away, and open as one comes near.
    """

    ids: tuple[str, ...]
    name: str
    by_hand: bool


@dataclass(frozen=True, slots=True)
class Bend:
    """Where the line of selected links is taken: at a bend, or on a piece of it, where a drag makes one."""

    number: int
    """Twice the place of its point along the line; on a piece, one more than of the point before it."""
    at: tuple[float, float]
    is_bend: bool
    is_shown: bool = True
    """Whether there is a handle to be seen: the line bends wherever it is taken."""


@dataclass(frozen=True, slots=True)
class Target:
    """What a point is on, the topmost: a port, a device, links of one line, or a frame; all empty on bare canvas.

    On a box that stands for many devices, `box` says what for: a group or rack, or the devices of a role.
    """

    device_id: str | None = None
    end: End | None = None
    link_ids: tuple[str, ...] = ()
    container_id: str | None = None
    box: "Box | None" = None
    sign: bool = False
    """Whether it is the sign in the box, at which a click opens it."""
    members: tuple[str, ...] = ()
    """What a heading of a matrix stands for, or a corner of the frame around several annotations."""
    note_id: str | None = None
    """An annotation."""
    tip: bool = False
    """Whether it is the tip of the annotation's leader, or with links the end of their line."""
    note_number: int | None = None
    """Of the note between two tiers, whose `link_ids` or `members` are those it counts as unlike the others."""
    bend: Bend | None = None
    """Where a drag bends the line of `link_ids`, which are selected."""
    fixture_id: str | None = None
    """A wall, tray or the like on the floor plan."""

    @property
    def is_handle(self) -> bool:
        """Whether a drag takes hold of what is selected there, and pulls no line and stretches no rubber band."""
        return self.tip or self.bend is not None

    @property
    def ids(self) -> tuple[str, ...]:
        """What a click selects."""
        if self.note_id is not None:
            return (self.note_id,)
        if self.fixture_id is not None:
            return (self.fixture_id,)
        if self.device_id is not None:
            return (self.device_id,)
        if self.box is not None:
            return self.box.ids
        return self.link_ids or self.members or ((self.container_id,) if self.container_id is not None else ())

    def __bool__(self) -> bool:
        return bool(self.ids)


NOTHING = Target()


def target_at(
    composition: Composition, detail: Detail, scale: float, x: float, y: float, titled: Target | None = None
) -> Target:
    """What is at a canvas point; `titled` is the group or zone whose title is painted there, over the links."""
    reach = LINK_REACH_PX / scale
    note_id = note_at(composition, x, y, reach, behind=False)
    if note_id is not None:
        return Target(note_id=note_id)
    if detail.ports:
        end = port_at(composition, x, y, PORT_REACH_PX / scale)
        if end is not None:
            return Target(device_id=end.device_id, end=end)
    row = box_at(composition, x, y)
    if row is not None:
        return _on_box(composition.projection, row)
    if titled is not None:
        return titled
    link_ids = links_at(composition, detail, x, y, reach)
    if link_ids:
        return Target(link_ids=link_ids)
    note_id = note_at(composition, x, y, reach, behind=True)
    if note_id is not None:
        return Target(note_id=note_id)
    frame = frame_at(composition, x, y, TITLE_HEIGHT_PX / scale)
    return Target(container_id=frame.id) if frame is not None else NOTHING


def note_at(composition: Composition, x: float, y: float, reach: float, *, behind: bool) -> str | None:
    """The annotation the point is on, the topmost of those over the fabric or behind it."""
    at = (one for one in reversed(composition.notes.seen) if one.is_behind == behind and one.is_at(x, y, reach))
    return next((one.note.id for one in at), None)


def notes_within(composition: Composition, left: float, top: float, right: float, bottom: float) -> list[str]:
    """Annotations that the rectangle touches; those behind the fabric, as zones are, that lie inside it."""
    return [one.note.id for one in composition.notes.seen if one.is_within((left, top, right, bottom))]


def box_at(composition: Composition, x: float, y: float) -> int | None:
    """The row of the box that the point is in; of the one drawn last of several."""
    boxes = composition.boxes
    if not len(boxes):
        return None
    rows = np.flatnonzero(_near(boxes, x, y, 0.0))
    return int(rows[-1]) if len(rows) else None


def device_at(composition: Composition, x: float, y: float) -> str | None:
    """The device whose box the point is in; None also on a box that stands for many."""
    row = box_at(composition, x, y)
    return composition.projection.device_ids[row] if row is not None and composition.projection.is_single(row) else None


def pinnable_at(composition: Composition, detail: Detail, scale: float, x: float, y: float) -> str:
    """The device, or the link, at a canvas point that a leader can be pinned to there; "" for none."""
    row = box_at(composition, x, y)
    if row is not None:
        return composition.projection.device_ids[row] if composition.projection.is_single(row) else ""
    return next(iter(links_at(composition, detail, x, y, LINK_REACH_PX / scale)), "")


def _on_box(projection: Projection, row: int) -> Target:
    fold = projection.fold_at(row) if isinstance(projection, FoldedProjection) else None
    if fold is None or not isinstance(projection, FoldedProjection):
        return Target(device_id=projection.device_ids[row])
    return Target(box=Box(projection.ids_at(row), projection.title_at(row), fold.by_hand))


def devices_within(composition: Composition, left: float, top: float, right: float, bottom: float) -> list[str]:
    """Devices whose boxes touch the rectangle; groups, racks and devices that stand as boxes in it."""
    x, y, width, height = composition.boxes.T
    rows = np.flatnonzero((x <= right) & (x + width >= left) & (y <= bottom) & (y + height >= top))
    return [one for row in rows.tolist() for one in composition.projection.ids_at(row)]


def racks_within(composition: Composition, left: float, top: float, right: float, bottom: float) -> list[str]:
    """Racks whose frames lie inside the rectangle."""
    return [
        frame.id
        for frame in composition.containers
        if frame.kind == "rack"
        and left <= frame.rect[0]
        and top <= frame.rect[1]
        and frame.rect[2] <= right
        and frame.rect[3] <= bottom
    ]


def port_at(composition: Composition, x: float, y: float, reach: float) -> End | None:
    """The port whose handle is nearest to the point, within reach."""
    boxes = composition.boxes
    if not len(boxes):
        return None
    best: tuple[float, End] | None = None
    for row in np.flatnonzero(_near(boxes, x, y, reach)).tolist():
        for handle in composition.ports(row):
            apart = max(abs(handle.x - x), abs(handle.y - y))
            if apart <= min(reach, _half_gap(handle)) and (best is None or apart < best[0]):
                best = (apart, End(composition.projection.device_ids[row], handle.name))
    return best[1] if best is not None else None


def _near(boxes: Floats, x: float, y: float, reach: float) -> Flags:
    left, top, width, height = boxes.T
    across = (left - reach <= x) & (x <= left + width + reach)
    return np.asarray(across & (top - reach <= y) & (y <= top + height + reach))


def _half_gap(handle: PortHandle) -> float:
    """How far from a handle a press still means it: a little beyond its square."""
    return handle.size / 2 + 1.0


def links_at(composition: Composition, detail: Detail, x: float, y: float, reach: float) -> tuple[str, ...]:
    """Ids of the links of the line nearest to the point, within reach, in stable order."""
    lines = composition.lines(detail)
    if not len(lines.xy):
        return ()
    apart = distances(lines.xy, x, y)
    row = int(np.argmin(apart))
    if apart[row] > reach:
        return ()
    end = lines.starts[row + 1] if row + 1 < len(lines.starts) else len(lines.links)
    link_rows = np.unique(lines.links[lines.starts[row] : end])
    return tuple(composition.projection.link_ids[link] for link in link_rows)


def links_of_bus(composition: Composition, detail: Detail, link_ids: Collection[str]) -> int:
    """How many links the bus carries that a piece of it with these is part of; as many as these where there is none."""
    lines, taken = composition.lines(detail), composition.chosen_links(link_ids)
    pieces = np.flatnonzero(~lines.direct)
    of_pieces = np.repeat(~lines.direct, lines.counts)
    links, piece_of = lines.links[of_pieces], np.repeat(np.arange(len(pieces)), lines.counts[pieces])
    count = -1
    while count != (count := int(np.count_nonzero(taken))):
        touched = np.bincount(piece_of, taken[links], len(pieces)) > 0
        taken[links[touched[piece_of]]] = True
    return count


def frame_at(composition: Composition, x: float, y: float, title_height: float) -> Container | None:
    """The rack the point is in, or the group whose title it is on; the innermost of several."""
    for frame in reversed(composition.containers):
        left, top, right, bottom = frame.rect
        if frame.kind == "rack":
            if left <= x <= right and top <= y <= bottom:
                return frame
        elif left <= x <= right and top - title_height <= y <= top:
            return frame
    return None


def rack_at(composition: Composition, x: float, y: float) -> str | None:
    """The rack whose frame the point is in."""
    return next((one.id for one in _frames_at(composition, x, y) if one.kind == "rack"), None)


def group_at(composition: Composition, x: float, y: float) -> str | None:
    """The group whose box or frame the point is in, the innermost of several; None on the box of a rack or role."""
    row = box_at(composition, x, y)
    if row is not None and not composition.projection.is_single(row):
        stands_for = composition.projection.ids_at(row)[0]
        return stands_for if stands_for in composition.design.groups else None
    return next((one.id for one in _frames_at(composition, x, y) if one.kind != "rack"), None)


def _frames_at(composition: Composition, x: float, y: float) -> Iterator[Container]:
    """The frames that the point is in, the topmost first."""
    for frame in reversed(composition.containers):
        left, top, right, bottom = frame.rect
        if left <= x <= right and top <= y <= bottom:
            yield frame
