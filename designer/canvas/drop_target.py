"""Takes types dragged in from the palette: says what letting go would do, and does it."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QLineF, QPointF, Qt
from PySide6.QtGui import QColor, QDragEnterEvent, QDragMoveEvent, QDropEvent, QPainter, QPen

from designer.canvas.dropping import MIME_TYPE, Landing, landing
from designer.canvas.painting import seen_rect
from designer.canvas.tools.tool import Pointer
from designer.model.entities import Device, Module, Rack

if TYPE_CHECKING:
    from designer.canvas.view import CanvasView


class DropTarget:
    """The drag that is over the view, if any."""

    def __init__(self, view: "CanvasView") -> None:
        self._view = view
        self._landing: Landing | None = None

    def enter(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasFormat(MIME_TYPE):
            event.acceptProposedAction()
        else:
            event.ignore()  # files are for the window

    def move(self, event: QDragMoveEvent, at: Pointer) -> None:
        self._landing = found = self._landing_of(event, at)
        if found is None:
            event.ignore()
            return
        self._view.note(found.text, at, refused=found.edit is None)
        if found.edit is None:
            event.ignore()
        else:
            event.acceptProposedAction()

    def leave(self) -> None:
        self._landing = None
        self._view.drop_note()

    def drop(self, event: QDropEvent, at: Pointer) -> None:
        view, found = self._view, self._landing_of(event, at)
        self.leave()
        edit = found.edit if found is not None else None
        if edit is None:
            event.ignore()
            if found is not None:
                view.note(found.text, at, refused=True, lasting=True)
            return
        event.acceptProposedAction()
        if view.session.attempt(lambda: edit):
            arrived = [change.after for change in edit.changes if change.before is None]
            boxes = [one.id for one in arrived if isinstance(one, Device | Rack)]
            view.session.select(boxes or [one.device_id for one in arrived if isinstance(one, Module)])
        view.setFocus(Qt.FocusReason.MouseFocusReason)

    def _landing_of(self, event: QDropEvent, at: Pointer) -> Landing | None:
        view = self._view
        if not event.mimeData().hasFormat(MIME_TYPE):
            return None
        types = view.session.catalog.types
        type_ = types.get(bytes(event.mimeData().data(MIME_TYPE).data()).decode("utf-8", "replace"))
        if type_ is None:
            return Landing(None, "the catalog has no such type")
        return landing(view.composition, type_, types, at.x, at.y, view.camera.scale)

    def paint(self, painter: QPainter) -> None:
        """A dashed box where it would stand, guides it snapped to, and an outline around what takes it in."""
        if self._landing is None:
            return
        landing, frame = self._landing, self._view.frame
        colour = QColor(frame.theme.error if landing.edit is None else frame.theme.accent)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if landing.rect is not None:
            painter.setPen(QPen(colour, 1.5, Qt.PenStyle.DashLine))
            fill = QColor(colour)
            fill.setAlphaF(0.10)
            painter.setBrush(fill)
            painter.drawRoundedRect(seen_rect(frame.camera, landing.rect), 5, 5)
            painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(colour, 1.0, Qt.PenStyle.DashLine))
        for x1, y1, x2, y2 in landing.snap.guides:
            painter.drawLine(QLineF(QPointF(*frame.camera.to_view(x1, y1)), QPointF(*frame.camera.to_view(x2, y2))))
        taking = frame.composition.rect_of(landing.onto) if landing.onto is not None else None
        if taking is not None:
            painter.setPen(QPen(colour, 2.5))
            painter.drawRoundedRect(seen_rect(frame.camera, taking).adjusted(-3, -3, 3, 3), 6, 6)
