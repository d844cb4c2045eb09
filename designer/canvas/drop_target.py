"""Takes types dragged in from the palette: says what letting go would do, and does it."""

from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QColor, QDragEnterEvent, QDragMoveEvent, QDropEvent, QPainter, QPen

from designer.canvas.budget_marks import budgets_around
from designer.canvas.dropping import MIME_TYPE, Landing
from designer.canvas.pointer import Pointer
from designer.canvas.sight import Sight
from designer.canvas.stage import Stage
from designer.errors import DesignerError
from designer.model.budgets import Budget, slot_budget, unit_budget
from designer.model.entities import Device, Module, Rack
from designer.model.hardware.modules import ModuleType
from designer.model.hardware.servers import ServerType
from designer.model.hardware.switches import SwitchType


class DropTarget:
    """The drag that is over the view, if any."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._landing: Landing | None = None
        self._over: tuple[str, Pointer] | None = None
        """The type that is dragged over the view, and where."""
        stage.session.placing.changed.connect(self._count_again)

    def enter(self, event: QDragEnterEvent) -> None:
        """Accept a drag that carries a hardware type of the palette; leave all others, such as files, to the window."""
        if event.mimeData().hasFormat(MIME_TYPE):
            event.acceptProposedAction()
        else:
            event.ignore()  # files are for the window

    def move(self, event: QDragMoveEvent, at: Pointer) -> None:
        """Say at the cursor what letting go here would add, or why it is refused."""
        self._over = (_type_id(event), at) if event.mimeData().hasFormat(MIME_TYPE) else None
        found = self._look()
        if found is None or (found.edit is None and self._stage.session.placing.wanted.count == 1):
            event.ignore()
        else:
            event.acceptProposedAction()  # also where so many are too many: another number may be typed

    def _look(self) -> Landing | None:
        """What letting go would do now, said at the cursor."""
        self._landing = found = self._landing_of(*self._over) if self._over is not None else None
        if found is not None and self._over is not None:
            self._stage.notes.show(found.text, self._over[1], refused=found.edit is None)
        return found

    def _count_again(self) -> None:
        """Another number was typed while something is dragged over the view."""
        if self._over is not None:
            self._look()
            self._stage.update()

    def leave(self) -> None:
        """Forget the drag and its note."""
        self._landing = self._over = None
        self._stage.notes.drop()

    def drop(self, event: QDropEvent, at: Pointer) -> bool:
        """Do what letting go here does; returns whether the event was taken."""
        session = self._stage.session
        found = self._landing_of(_type_id(event), at) if event.mimeData().hasFormat(MIME_TYPE) else None
        self.leave()
        edit = found.edit if found is not None else None
        if edit is None:
            event.ignore()
            if found is not None:
                self._stage.notes.show(found.text, at, refused=True, lasting=True)
            return False
        event.acceptProposedAction()
        if session.attempt(lambda: edit):
            session.placing.forget()
            arrived = [change.after for change in edit.changes if change.before is None]
            boxes = [one.id for one in arrived if isinstance(one, Device | Rack)]
            session.select(boxes or [one.device_id for one in arrived if isinstance(one, Module)])
        return True

    def _landing_of(self, type_id: str, at: Pointer) -> Landing:
        stage = self._stage
        type_ = stage.session.catalog.types.get(type_id)
        if type_ is None:
            return Landing(None, "the catalog has no such type")
        try:
            return stage.subject.landing(type_, at, stage.sight, stage.session.placing.wanted)
        except DesignerError as error:
            return Landing(None, str(error))

    def budget_of(self, entity_id: str) -> Budget | None:
        """The slots of a device, or the units of a rack, for what is dragged; None for what it does not go into."""
        session = self._stage.session
        type_ = session.catalog.types.get(self._over[0]) if self._over is not None else None
        design, count = session.design, session.placing.wanted.count
        if isinstance(type_, ModuleType) and entity_id in design.devices:
            return slot_budget(design, entity_id, type_, count)
        if isinstance(type_, SwitchType | ServerType) and entity_id in design.racks:
            return unit_budget(design, entity_id, type_, count)
        return None

    def paint(self, painter: QPainter, sight: Sight) -> None:
        """Dashed boxes where they would stand, guides they snapped to, and an outline around what takes them in."""
        if self._landing is None:
            return
        subject = self._stage.subject

        def name_of(one: str) -> QRectF | None:
            return subject.name_rect(one, sight)

        with budgets_around(painter, sight, self._stage.notes, subject.takers(sight), self.budget_of, name_of):
            self._paint_landing(painter, sight, self._landing)

    def _paint_landing(self, painter: QPainter, sight: Sight, landing: Landing) -> None:
        colour = QColor(sight.theme.error if landing.edit is None else sight.theme.accent)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(colour, 1.5, Qt.PenStyle.DashLine))
        fill = QColor(colour)
        fill.setAlphaF(0.10)
        painter.setBrush(fill)
        for rect in landing.rects:
            painter.drawRoundedRect(sight.px(rect), 5, 5)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(colour, 1.0, Qt.PenStyle.DashLine))
        for x1, y1, x2, y2 in landing.snap.guides:
            painter.drawLine(QLineF(sight.point_px(x1, y1), sight.point_px(x2, y2)))
        taking = self._stage.subject.rect_of(landing.onto) if landing.onto is not None else None
        if taking is not None:
            painter.setPen(QPen(colour, 2.5))
            painter.drawRoundedRect(sight.px(taking).adjusted(-3, -3, 3, 3), 6, 6)


def _type_id(event: QDropEvent) -> str:
    """The id of the type that a drag out of the palette carries."""
    return bytes(event.mimeData().data(MIME_TYPE).data()).decode("utf-8", "replace")
