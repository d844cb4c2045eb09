"""What a drag of boxes does to the design: they move, and where they are let go decides the rack they are in."""

from collections.abc import Callable, Collection, Iterable, Sequence

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPainter, QPen

from designer.canvas.guides import box_of, into_line, paint_guides
from designer.canvas.hits import rack_at
from designer.canvas.marks import MOST_OUTLINES
from designer.canvas.pointer import Pointer
from designer.canvas.sight import Sight
from designer.canvas.snapping import NO_SNAP, Snap
from designer.drawing.composition import Composition
from designer.model import operations
from designer.model.annotating import title_of
from designer.model.annotation import Annotation
from designer.model.design import Design
from designer.model.edit import Edit, joined
from designer.model.entities import Placement, order_key
from designer.placement.rack_stacks import stacked
from designer.session.drafting import Drafting
from designer.units import format_count

LOCK_KEYS = "Alt+Shift+P"


def movable(design: Design, ids: Iterable[str]) -> tuple[str, ...]:
    """Placed devices and racks among the ids and in the groups among them, in stable order; locked ones stay."""
    return tuple(one for one in arranged_among(design, ids) if not design.placements[one].locked)


def arranged_among(design: Design, ids: Iterable[str]) -> list[str]:
    """Placed devices and racks among the ids and in the groups among them, in stable order."""
    found: set[str] = set()
    waiting = list(ids)
    while waiting:
        one = waiting.pop()
        if one in design.groups:
            waiting.extend(design.members(one))
        elif one in design.placements:
            found.add(one)
    return sorted(found, key=order_key)


def locked_note(design: Design, ids: Iterable[str]) -> str:
    """What is said where a drag does not move these, as they are locked, alone or in their groups; "" for the rest."""
    places = design.placements
    locked = [one for one in arranged_among(design, ids) if places[one].locked]
    if not locked:
        return ""
    found = design.entity(locked[0])
    name = title_of(found) if isinstance(found, Annotation) else str(getattr(found, "name", ""))
    text = f"{name} is locked" if len(locked) == 1 else f"{format_count(len(locked))} selected things are locked"
    return f"{text}: Arrange > Lock Place ({LOCK_KEYS}) unlocks {'it' if len(locked) == 1 else 'them'}"


def carried(design: Design, ids: Collection[str]) -> tuple[str, ...]:
    """These and all that is mounted in the racks among them."""
    mounted = (device_id for one in ids if one in design.racks for device_id in design.mounted(one))
    return tuple(dict.fromkeys((*ids, *mounted)))


def moved(design: Design, ids: Sequence[str], dx: float, dy: float) -> Edit:
    """The things at their places plus a shift."""
    at = design.placements
    return operations.move(design, {one: (at[one].x + dx, at[one].y + dy) for one in ids})


def dropped(composition: Composition, ids: Sequence[str], dx: float, dy: float, x: float, y: float) -> Edit:
    """The things moved by a shift and let go at a canvas point.

    Devices let go on a rack are mounted in it, and stand in its frame as they do in the rack. Mounted devices let go
    off their rack leave it. `composition` shows the design as it was before the drag.
    Raises EditError where a rack has no room.
    """
    design = composition.design
    edits = [moved(design, ids, dx, dy)]
    rack_id = rack_at(composition, x, y)
    changing = [one for one in ids if one in design.devices and _changes_rack(composition, one, rack_id, set(ids))]
    if not changing:
        return edits[0]
    after = design.snapshot()
    after.apply(edits[0])
    for device_id in changing:
        edits.append(operations.mount(after, device_id, rack_id))
        after.apply(edits[-1])
    return stacked(design, joined(edits[-1].label if len(changing) == 1 else edits[0].label, edits))


def _changes_rack(composition: Composition, device_id: str, rack_id: str | None, moving: set[str]) -> bool:
    """Whether letting go over that rack, or over none, takes the device out of its rack or puts it into one."""
    design = composition.design
    held = design.placements[device_id].rack_id
    if held == rack_id or held in moving or rack_id in moving:
        return False
    # A rack that stands only in the room has no frame here to be dragged out of.
    return rack_id is not None or held in design.placements


def copied(design: Design, ids: Sequence[str], dx: float, dy: float, rack_id: str | None) -> Edit:
    """Copies of the things, with the links among them, a shift away; devices let go on a rack are mounted in it.

    A group, whose copy is a group, is not mounted. Raises EditError where the rack has no room.
    """
    edit = operations.duplicate(design, ids, dx, dy)
    if rack_id is None or rack_id in ids or any(one in design.groups for one in ids):
        return edit
    after = design.snapshot()
    after.apply(edit)
    edits = [edit]
    for change in edit.changes:
        new = change.after
        if isinstance(new, Placement) and new.id in after.devices and new.rack_id is None:
            edits.append(operations.mount(after, new.id, rack_id))
            after.apply(edits[-1])
    return stacked(design, joined(edit.label, edits))


class LockedDrag:
    """A drag of things that are all locked: it says so and changes nothing."""

    def __init__(self, note: str) -> None:
        self._note = note

    def move(self, at: Pointer, sight: Sight) -> str | None:
        """Why they stay, and how to unlock them."""
        return self._note

    def end(self) -> None:
        """Nothing was moved in the picture."""

    def copied(self) -> None:
        """Nothing is copied."""

    def edit(self) -> Edit | None:
        """None: they stay."""
        return None

    def paint(self, painter: QPainter, sight: Sight) -> None:
        """Nothing but the note."""


class BoxDrag:
    """Boxes that follow the mouse: Shift keeps them on one axis, Control or Alt leaves them and takes copies along.

    With both Control and Alt nothing comes into line.
    """

    def __init__(
        self,
        composition: Composition,
        ids: tuple[str, ...],
        held: str | None,
        start: Pointer,
        drafting: Drafting,
        groups: Collection[str] = (),
    ) -> None:
        """`held` is what is under the mouse, which comes into line with others or a grid, as `drafting` says.

        `groups` are those that the boxes belong to and that are copied with them.
        """
        self._groups = tuple(sorted(groups, key=order_key))
        self._drafting = drafting
        self._composition = composition
        self._ids = ids
        self._held = held
        self._start = self._at = start
        self._shift = (0.0, 0.0)
        self._snap = NO_SNAP
        self._copying = False
        self._note = locked_note(composition.design, () if held is None else (held,)) or None
        """Of what is under the mouse, where that stays while others move."""

    def move(self, at: Pointer, sight: Sight) -> str | None:
        """Move the drawn boxes with the mouse, or outlines of copies, into line with boxes that stay.

        Returns why what is under the mouse stays, None where it goes along.
        """
        self._at, self._copying = at, at.control or at.alt
        dx, dy = at.x - self._start.x, at.y - self._start.y
        if at.shift:  # along one axis only
            dx, dy = (dx, 0.0) if abs(dx) >= abs(dy) else (0.0, dy)
        self._snap = NO_SNAP if at.alt and at.control else self._snapping(dx, dy, sight)
        self._shift = (
            dx + (0.0 if at.shift and not dx else self._snap.dx),
            dy + (0.0 if at.shift and not dy else self._snap.dy),
        )
        everything = () if self._copying else carried(self._composition.design, self._ids)
        self._composition.shift(dict.fromkeys(everything, self._shift))
        return None if self._copying else self._note

    def _snapping(self, dx: float, dy: float, sight: Sight) -> Snap:
        """By the box or annotation under the mouse, to those in view that stay."""
        composition = self._composition
        composition.shift({})
        box = box_of(composition, self._held)
        if box is None:
            return NO_SNAP
        going = () if self._copying else carried(composition.design, self._ids)
        return into_line(composition, going, box + np.array((dx, dy, 0.0, 0.0)), sight, self._drafting)

    def end(self) -> None:
        """Draw the boxes where the design has them again."""
        self._composition.shift({})

    def copied(self) -> tuple[tuple[str, ...], Callable[[Design], Edit]] | None:
        """What is copied, and how, where Control or Alt was held last."""
        if not self._copying:
            return None
        ids = (*self._groups, *self._ids)
        shift, rack_id = self._shift, rack_at(self._composition, self._at.x, self._at.y)
        return ids, lambda design: copied(design, ids, *shift, rack_id)

    def edit(self) -> Edit:
        """The boxes at their new places, and in the racks they are let go over. Raises DesignerError."""
        return dropped(self._composition, self._ids, *self._shift, self._at.x, self._at.y)

    def paint(self, painter: QPainter, sight: Sight) -> None:
        """The guides to what the box under the mouse is in line with, and where copies would stand."""
        paint_guides(painter, self._snap, sight)
        if self._copying:
            self._paint_copies(painter, sight)

    def _paint_copies(self, painter: QPainter, sight: Sight) -> None:
        colour = QColor(sight.theme.accent)
        painter.setPen(QPen(colour, 1.5, Qt.PenStyle.DashLine))
        colour.setAlphaF(0.12)
        painter.setBrush(colour)
        dx, dy = self._shift
        for one in carried(self._composition.design, self._ids)[:MOST_OUTLINES]:
            rect = self._composition.rect_of(one)
            if rect is not None:
                left, top, right, bottom = rect
                painter.drawRoundedRect(sight.px((left + dx, top + dy, right + dx, bottom + dy)), 5, 5)
        painter.setBrush(Qt.BrushStyle.NoBrush)
