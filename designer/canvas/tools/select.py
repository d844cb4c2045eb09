"""Selecting and moving: click, shift-click, rubber band, drag; a drag from a port or a knob connects."""

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from designer.canvas.hits import NOTHING, Target, devices_within, racks_within
from designer.canvas.moving import carried, dropped, movable
from designer.canvas.snapping import NO_SNAP, SNAP_PX, Snap, snapped
from designer.canvas.tools.connect import ConnectTool
from designer.canvas.tools.tool import Pointer, Tool
from designer.model.edit import Edit

if TYPE_CHECKING:
    from designer.canvas.view import CanvasView


class SelectTool(Tool):
    """The everyday tool. A drag moves what is drawn and pushes one edit when let go."""

    name = "select"

    def __init__(self, view: "CanvasView") -> None:
        super().__init__(view)
        self._connecting = ConnectTool(view)
        self._forget()

    def _forget(self) -> None:
        self._start: Pointer | None = None
        self._pressed: Target = NOTHING
        self._before: frozenset[str] = frozenset()
        self._band: QRectF | None = None
        self._moving: tuple[str, ...] = ()
        self._shift = (0.0, 0.0)
        self._snap = NO_SNAP

    @property
    def active(self) -> bool:
        return self._start is not None or self._connecting.active

    # -- the mouse ------------------------------------------------------------------------------------------------

    def press(self, at: Pointer) -> None:
        view = self.view
        found, knob_of = view.target_at(at), view.knob_at(at)
        if found.end is not None or knob_of is not None:
            self._connecting.begin(found if found.end is not None else Target(device_id=knob_of), at)
            return
        self._start, self._pressed, self._before = at, found, view.session.selection
        if at.alt and len(found.link_ids) > 1:
            self._pressed = found = Target(link_ids=(_next_of(found.link_ids, self._before),))
        ids = set(found.ids)
        if not ids and not at.adding:
            view.session.select(())
        elif not ids & self._before:
            view.session.select(self._before | ids if at.adding else ids)

    def move(self, at: Pointer) -> None:
        if self._connecting.active:
            self._connecting.move(at)
        elif self._start is None:
            return
        elif self._moving:
            self._drag(at)
        elif self._band is not None:
            self._stretch(at)
        elif at.far_from(self._start):
            self._begin(at)

    def _begin(self, at: Pointer) -> None:
        if not self._pressed:
            self._stretch(at)
        elif not self._pressed.link_ids:
            self._moving = movable(self.view.session.design, self.view.session.selection)
            if self._moving:
                self._drag(at)

    def release(self, at: Pointer) -> None:
        if self._connecting.active:
            self._connecting.release(at)
            return
        if self._start is None:
            return
        self.move(at)
        if self._moving:
            self._drop(at)
            return
        if self._band is None and not at.far_from(self._start):
            self._click(at)
        self._finish()

    def cancel(self) -> None:
        if self._connecting.active:
            self._connecting.cancel()
        elif self._band is not None:
            self.view.session.select(self._before)
        self._finish()

    def _finish(self) -> None:
        self._forget()
        self.view.composition.shift({})
        self.view.note(None)
        self.view.update()

    # -- clicking -------------------------------------------------------------------------------------------------

    def _click(self, at: Pointer) -> None:
        session, ids = self.view.session, set(self._pressed.ids)
        if not ids:
            return
        if not at.adding:
            session.select(ids)
        elif ids & self._before:
            session.select(session.selection - ids)

    # -- moving ---------------------------------------------------------------------------------------------------

    def _drag(self, at: Pointer) -> None:
        assert self._start is not None
        view = self.view
        dx, dy = at.x - self._start.x, at.y - self._start.y
        if at.shift:  # along one axis only
            dx, dy = (dx, 0.0) if abs(dx) >= abs(dy) else (0.0, dy)
        self._snap = NO_SNAP if at.alt else self._snapping(dx, dy)
        self._shift = (
            dx + (0.0 if at.shift and not dx else self._snap.dx),
            dy + (0.0 if at.shift and not dy else self._snap.dy),
        )
        everything = carried(view.session.design, self._moving)
        view.composition.shift(dict.fromkeys(everything, self._shift))
        view.schedule_repaint()

    def _snapping(self, dx: float, dy: float) -> Snap:
        """By the box under the mouse, to the boxes in view that stay."""
        composition = self.view.composition
        projection = composition.projection
        row = projection.row_of.get(self._pressed.device_id or "")
        if row is None:
            return NO_SNAP
        composition.shift({})
        boxes = composition.boxes
        going = [projection.row_of.get(one, row) for one in carried(composition.design, self._moving)]
        left, top, right, bottom = self.view.seen()
        x, y, width, height = boxes.T
        stays = (x <= right) & (x + width >= left) & (y <= bottom) & (y + height >= top)
        stays[going] = False
        box = boxes[row] + np.array((dx, dy, 0.0, 0.0))
        return snapped(boxes[stays], box, SNAP_PX / self.view.camera.scale)

    def _drop(self, at: Pointer) -> None:
        view, moving, (dx, dy) = self.view, self._moving, self._shift
        self._finish()

        def make() -> Edit:
            return dropped(view.composition, moving, dx, dy, at.x, at.y)

        view.session.attempt(make)

    # -- the rubber band ------------------------------------------------------------------------------------------

    def _stretch(self, at: Pointer) -> None:
        assert self._start is not None
        view = self.view
        self._band = QRectF(self._start.spot, at.spot).normalized()
        left, right = sorted((self._start.x, at.x))
        top, bottom = sorted((self._start.y, at.y))
        inside = [
            *devices_within(view.composition, left, top, right, bottom),
            *racks_within(view.composition, left, top, right, bottom),
        ]
        view.session.select(self._before.union(inside) if at.adding else inside)
        view.update()

    # -- what is shown --------------------------------------------------------------------------------------------

    def paint(self, painter: QPainter) -> None:
        if self._connecting.active:
            self._connecting.paint(painter)
            return
        colour = QColor(self.view.theme.accent)
        if self._band is not None:
            painter.setPen(QPen(colour, 1.0))
            colour.setAlphaF(0.12)
            painter.setBrush(colour)
            painter.drawRect(self._band)
        elif self._moving and self._snap.guides:
            painter.setPen(QPen(colour, 1.0, Qt.PenStyle.DashLine))
            to_view = self.view.camera.to_view
            for x1, y1, x2, y2 in self._snap.guides:
                painter.drawLine(QLineF(QPointF(*to_view(x1, y1)), QPointF(*to_view(x2, y2))))


def _next_of(link_ids: tuple[str, ...], selection: frozenset[str]) -> str:
    """The link of a line after the one that is selected alone, the first where none is."""
    chosen = [number for number, one in enumerate(link_ids) if selection == {one}]
    return link_ids[(chosen[0] + 1) % len(link_ids) if chosen else 0]
