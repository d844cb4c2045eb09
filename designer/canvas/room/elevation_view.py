"""The elevation of the racks, from the front or the rear. Devices are dragged between units and racks."""

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QBrush, QColor, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QWidget

from designer.canvas.glyphs import fitted
from designer.canvas.room.plane import Gesture, RoomView
from designer.drawing.geometry import Rect
from designer.drawing.room.elevation import HEADER, Box, Frame, Line, elevation
from designer.errors import DesignerError, EditError
from designer.model import operations
from designer.model.edit import Edit
from designer.model.equipping import height
from designer.model.hardware import HardwareType, ServerType, SwitchType
from designer.placement.metrics import ROW_PITCH
from designer.placement.mounting import Berth, move_mounted
from designer.placement.rack_stacks import stacked
from designer.session.session import Session

LEAST_NAME_PX = 7.0
LEAST_LINE_PX = 4.0


class ElevationView(RoomView):
    """The racks as one stands before them."""

    side_changed = Signal()

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, parent)
        self.rear = False
        self.lines: tuple[Line, ...] = elevation(session.design)
        self.setAccessibleName("Rack elevation")

    def show_rear(self, rear: bool) -> None:
        """Walk round to the rear of the racks, or back to the front."""
        if rear != self.rear:
            self.cancel()
            self.rear = rear
            self._stale = True
            self.side_changed.emit()
            self.update()

    def read(self) -> None:
        self.lines = elevation(self.session.design, rear=self.rear)

    @property
    def frames(self) -> list[Frame]:
        return [frame for line in self.lines for frame in line.frames]

    def bounds(self) -> Rect | None:
        rects = [frame.whole for frame in self.frames]
        if not rects:
            return None
        lefts, tops, rights, bottoms = zip(*rects, strict=True)
        return min(lefts), min(tops) - 34, max(rights), max(bottoms)

    def frame_at(self, x: float, y: float) -> Frame | None:
        for frame in self.frames:
            left, top, right, bottom = frame.whole
            if left <= x <= right and top <= y <= bottom:
                return frame
        return None

    def hit(self, x: float, y: float) -> str | None:
        frame = self.frame_at(x, y)
        if frame is None:
            return None
        for box in frame.boxes:
            left, top, right, bottom = box.rect
            if left <= x <= right and top <= y < bottom:
                return box.id
        return frame.rack_id if y < frame.rect[1] else None

    def rect_of(self, entity_id: str) -> Rect | None:
        for frame in self.frames:
            if frame.rack_id == entity_id:
                return frame.whole
            for box in frame.boxes:
                if box.id == entity_id:
                    return box.rect
        return None

    def inside(self, rect: QRectF) -> list[str]:
        boxes = (box for frame in self.frames for box in frame.boxes)
        return [box.id for box in boxes if rect.contains(self.px(box.rect).center())]

    def drag(self, hit: str, start: QPointF) -> Gesture | None:
        if hit not in self.session.design.devices:
            return None
        home = next(frame for frame in self.frames if any(box.id == hit for box in frame.boxes))
        chosen = [box for box in home.boxes if box.id in self.session.selection]
        anchor = next(box for box in home.boxes if box.id == hit)
        return DragDevices(self, start, anchor, chosen or [anchor])

    def sentence(self, hit: str) -> str:
        design = self.session.design
        if hit in design.racks:
            frame = next(frame for frame in self.frames if frame.rack_id == hit)
            return f"{frame.title}: {frame.note}"
        place = design.placements.get(hit)
        units = height(design.device_type(hit))
        model = design.device_type(hit).model
        if place is None or place.rack_id is None or place.unit is None:
            return f"{design.device(hit).name}: {model}, {units} U, in no rack"
        side = "rear" if place.side else "front"
        rack = design.racks[place.rack_id].name
        return f"{design.device(hit).name}: {model}, {rack} unit {place.unit}, {units} U, ports to the {side}"

    def nudge(self, dx: int, dy: int) -> Edit | None:
        design = self.session.design
        berths: dict[str, Berth] = {}
        for one in sorted(self.session.selection):
            place = design.placements.get(one) if one in design.devices else None
            if dy and place is not None and place.rack_id is not None and place.unit is not None:
                berths[one] = (place.rack_id, place.unit - dy)
        return stacked(design, move_mounted(design, berths)) if berths else None

    def dropped(self, type_: HardwareType, x: float, y: float) -> Edit:
        """A device in the unit it is let go over; on the canvas it stands in its rack, or below everything."""
        frame, design = self.frame_at(x, y), self.session.design
        if not isinstance(type_, SwitchType | ServerType):
            raise EditError(f"{type_.model} is not mounted in a rack")
        if frame is None or frame.rack_id is None:
            raise EditError(f"{type_.model} is dropped onto a rack")
        unit = max(1, min(frame.unit_at(y), frame.units - height(type_) + 1))
        places = design.placements.values()
        below = max((place.y for place in places), default=0.0) + ROW_PITCH
        edit = operations.add_device(
            design,
            type_,
            min((place.x for place in places), default=0.0),
            below,
            catalog_types=self.session.catalog.types,
            rack_id=frame.rack_id,
            unit=unit,
        )
        return stacked(design, edit)

    # -- painting ---------------------------------------------------------------------------------------------------

    def draw(self, painter: QPainter) -> None:
        bad = self._wrong()
        for line in self.lines:
            self._draw_title(painter, line)
            for frame in line.frames:
                if self.px(frame.whole).intersects(QRectF(self.rect())):
                    self._draw_frame(painter, frame, bad)

    def _wrong(self) -> set[str]:
        report = self.session.workbench.validation.report if self.session.workbench.validation.current else None
        found = report.findings if report is not None else ()
        return {one for finding in found if finding.code == "RACK-001" for one in finding.subjects[:2]}

    def _draw_title(self, painter: QPainter, line: Line) -> None:
        at = self.point_px(line.x, line.y)
        side = "" if not line.frames or line.frames[0].rack_id is None else " (rear)" if self.rear else " (front)"
        painter.setFont(self.fonts.at(max(10.0, min(17.0, 22 * self.camera.scale)), bold=True))
        painter.setPen(QColor(self.theme.muted))
        painter.drawText(QPointF(at.x(), at.y() - 8 * min(1.0, self.camera.scale)), f"{line.title}{side}")

    def _draw_frame(self, painter: QPainter, frame: Frame, bad: set[str]) -> None:
        theme, rect = self.theme, self.px(frame.rect)
        marked = frame.rack_id in self.session.selection
        if frame.rack_id is not None:
            border = theme.accent if marked else theme.error if frame.over_budget else theme.rack_border
            painter.setPen(QPen(QColor(border), 2.0 if marked or frame.over_budget else 1.0))
            painter.setBrush(QColor(theme.rack_fill))
            painter.drawRect(rect)
            self._draw_units(painter, frame, rect)
            self._draw_header(painter, frame)
        for box in frame.boxes:
            self._draw_box(painter, box, box.id in bad)

    def _draw_units(self, painter: QPainter, frame: Frame, rect: QRectF) -> None:
        """A line under every unit, and the number of every fifth."""
        step = rect.height() / frame.units
        if step < LEAST_LINE_PX:
            return
        painter.setFont(self.fonts.at(max(7.0, min(10.0, step * 0.62))))
        for unit in range(1, frame.units + 1):
            y = rect.bottom() - unit * step
            painter.setPen(QPen(QColor(self.theme.grid), 1.0))
            if unit < frame.units:
                painter.drawLine(QPointF(rect.left() + 1, y), QPointF(rect.right() - 1, y))
            if step >= 8 and (unit % 5 == 0 or unit == 1):
                painter.setPen(QColor(self.theme.muted))
                spot = QRectF(rect.right() + 4, y, 24, step)
                painter.drawText(spot, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, str(unit))

    def _draw_header(self, painter: QPainter, frame: Frame) -> None:
        rect = self.px((frame.rect[0], frame.rect[1] - HEADER, frame.rect[2], frame.rect[1]))
        over, size = frame.over_budget, min(14.0, rect.height() * 0.44)
        if size < LEAST_NAME_PX - 1:  # the name alone, as large as it can be
            font = self.fonts.at(min(10.0, rect.height() * 0.8, rect.width() * 0.16), bold=True)
            if font.pixelSize() >= LEAST_NAME_PX:
                painter.setFont(font)
                painter.setPen(QColor(self.theme.error if over else self.theme.text))
                text = fitted(frame.title, QFontMetricsF(font), rect.width())
                painter.drawText(rect, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom, text)
            return
        for share, text, colour, bold in (
            (0, frame.title, self.theme.text, True),
            (1, frame.note, self.theme.error if over else self.theme.muted, over),
        ):
            font = self.fonts.at(size - (2 if share else 0), bold=bold)
            painter.setFont(font)
            painter.setPen(QColor(colour))
            line = QRectF(rect.left(), rect.top() + share * rect.height() * 0.46, rect.width(), rect.height() * 0.5)
            shown = fitted(text, QFontMetricsF(font), rect.width())
            painter.drawText(line, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, shown)

    def _draw_box(self, painter: QPainter, box: Box, bad: bool) -> None:
        theme, rect, colours = self.theme, self.px(box.rect), self.theme.boxes[box.kind]
        marked = box.id in self.session.selection
        inner = rect.adjusted(1.5, 0.75, -1.5, -0.75)
        border = theme.accent if marked else theme.error if bad else colours.border
        painter.setPen(QPen(QColor(border), 2.0 if marked or bad else 1.0))
        painter.setBrush(QColor(colours.fill))
        painter.drawRect(inner)
        if box.faces:
            painter.fillRect(QRectF(inner.left(), inner.top(), 4.0, inner.height()), QColor(colours.stripe))
        else:
            painter.fillRect(inner, QBrush(QColor(colours.border), Qt.BrushStyle.BDiagPattern))
        size = min(12.0, rect.width() * 0.13, rect.height() * 0.62)
        if size < LEAST_NAME_PX:
            return
        font = self.fonts.at(size, bold=True)
        metrics = QFontMetricsF(font)
        room = inner.width() - 18
        name = fitted(box.name, metrics, room)
        advance = metrics.horizontalAdvance(name)
        if not box.faces and name:  # a plate under the name, over the hatching
            plate = QRectF(inner.left() + 7, inner.center().y() - size * 0.72, advance + 8, size * 1.44)
            painter.fillRect(plate, QColor(colours.fill))
        painter.setFont(font)
        painter.setPen(QColor(theme.text if box.faces else theme.muted))
        line = inner.adjusted(11, 0, -7, 0)
        painter.drawText(line, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, name)
        small = self.fonts.at(max(LEAST_NAME_PX, size - 2))
        model = fitted(box.model, QFontMetricsF(small), room - advance - 14)
        if model and box.faces:
            painter.setFont(small)
            painter.setPen(QColor(theme.muted))
            painter.drawText(line, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, model)


class DragDevices(Gesture):
    """Devices of one rack dragged to other units, to another rack, or out onto the shelf."""

    def __init__(self, view: ElevationView, start: QPointF, anchor: Box, boxes: list[Box]) -> None:
        super().__init__(view, start)
        self.elevation = view
        self._boxes = boxes
        _, y = view.plane_at(start)
        frame = next(frame for frame in view.frames if any(box.id == anchor.id for box in frame.boxes))
        lowest = {box.id: frame.unit_at(box.rect[3] - 1) for box in boxes}
        self._offset = {one: unit - frame.unit_at(y) for one, unit in lowest.items()}
        """Units of each device's foot over the point the mouse holds."""

    def move(self, at: QPointF, keys: Qt.KeyboardModifier) -> None:
        super().move(at, keys)
        reason = self.refusal() if self.begun else None
        self.elevation.cursor_message.emit(reason or "")

    def berths(self) -> dict[str, Berth] | None:
        """Where each device would stand; None where the mouse is over nothing that holds devices."""
        x, y = self.elevation.plane_at(self.at)
        frame = self.elevation.frame_at(x, y)
        if frame is None:
            return None
        if frame.rack_id is None:
            return dict.fromkeys(self._offset)
        design = self.elevation.session.design
        wanted = {one: frame.unit_at(y) + offset for one, offset in self._offset.items()}
        top = max(unit + height(design.device_type(one)) - 1 for one, unit in wanted.items())
        shift = min(0, frame.units - top)
        shift = max(shift, 1 - min(wanted.values()))
        return {one: (frame.rack_id, unit + shift) for one, unit in wanted.items()}

    def refusal(self) -> str | None:
        """Why the devices cannot be let go here; None where they can."""
        berths = self.berths()
        if berths is None:
            return "Drop it on a rack"
        try:
            move_mounted(self.elevation.session.design, berths)
        except DesignerError as error:
            return str(error)
        return None

    def release(self) -> None:
        berths, session = self.berths(), self.elevation.session
        if berths is not None:
            session.attempt(lambda: stacked(session.design, move_mounted(session.design, berths)))

    def paint(self, painter: QPainter) -> None:
        berths = self.berths() if self.begun else None
        if not self.begun:
            return
        view, design = self.elevation, self.elevation.session.design
        reason = self.refusal()
        colour = QColor(view.theme.error if reason else view.theme.accent)
        painter.setPen(QPen(colour, 2.0))
        colour.setAlpha(60)
        painter.setBrush(colour)
        for one, berth in (berths or {}).items():
            if berth is not None:
                frame = next(frame for frame in view.frames if frame.rack_id == berth[0])
                units = height(design.device_type(one))
                painter.drawRect(view.px(frame.rect_of_units(berth[1], units)))
        if reason is not None:
            font = view.fonts.at(12)
            painter.setFont(font)
            spot = self.at + QPointF(16, 4)
            box = QFontMetricsF(font).boundingRect(reason).translated(spot).adjusted(-6, -4, 6, 4)
            painter.fillRect(box, QColor(view.theme.plate))
            painter.setPen(QColor(view.theme.error))
            painter.drawText(spot, reason)
