"""Paints the rack elevation: titles of rows, racks with their units, and what is mounted in them."""

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFontMetricsF, QPainter, QPen

from designer.canvas.glyphs import Fonts, fitted
from designer.canvas.sight import Sight
from designer.drawing.room.elevation import HEADER, Box, Frame, Line
from designer.session.session import Session

LEAST_NAME_PX = 7.0
LEAST_LINE_PX = 4.0


class ElevationPainting:
    """One picture of the racks, as they are seen from the front or the rear."""

    def __init__(self, lines: tuple[Line, ...], rear: bool, session: Session, sight: Sight) -> None:
        self.lines = lines
        self.rear = rear
        self.session = session
        self.sight = sight
        self.fonts = Fonts(sight.font)

    def paint(self, painter: QPainter) -> None:
        """Paint everything."""
        bad = self._wrong()
        for line in self.lines:
            self._draw_title(painter, line)
            for frame in line.frames:
                if self.sight.px(frame.whole).intersects(self.sight.rect):
                    self._draw_frame(painter, frame, bad)

    def _wrong(self) -> set[str]:
        report = self.session.workbench.validation.report if self.session.workbench.validation.current else None
        found = report.findings if report is not None else ()
        return {one for finding in found if finding.code == "RACK-001" for one in finding.subjects[:2]}

    def _draw_title(self, painter: QPainter, line: Line) -> None:
        at = self.sight.point_px(line.x, line.y)
        side = "" if not line.frames or line.frames[0].rack_id is None else " (rear)" if self.rear else " (front)"
        painter.setFont(self.fonts.at(max(10.0, min(17.0, 22 * self.sight.camera.scale)), bold=True))
        painter.setPen(QColor(self.sight.theme.muted))
        painter.drawText(QPointF(at.x(), at.y() - 8 * min(1.0, self.sight.camera.scale)), f"{line.title}{side}")

    def _draw_frame(self, painter: QPainter, frame: Frame, bad: set[str]) -> None:
        theme, rect = self.sight.theme, self.sight.px(frame.rect)
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
            painter.setPen(QPen(QColor(self.sight.theme.grid), 1.0))
            if unit < frame.units:
                painter.drawLine(QPointF(rect.left() + 1, y), QPointF(rect.right() - 1, y))
            if step >= 8 and (unit % 5 == 0 or unit == 1):
                painter.setPen(QColor(self.sight.theme.muted))
                spot = QRectF(rect.right() + 4, y, 24, step)
                painter.drawText(spot, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, str(unit))

    def _draw_header(self, painter: QPainter, frame: Frame) -> None:
        rect = self.sight.px((frame.rect[0], frame.rect[1] - HEADER, frame.rect[2], frame.rect[1]))
        over, size = frame.over_budget, min(14.0, rect.height() * 0.44)
        if size < LEAST_NAME_PX - 1:  # the name alone, as large as it can be
            font = self.fonts.at(min(10.0, rect.height() * 0.8, rect.width() * 0.16), bold=True)
            if font.pixelSize() >= LEAST_NAME_PX:
                painter.setFont(font)
                painter.setPen(QColor(self.sight.theme.error if over else self.sight.theme.text))
                text = fitted(frame.title, QFontMetricsF(font), rect.width())
                painter.drawText(rect, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom, text)
            return
        for share, text, colour, bold in (
            (0, frame.title, self.sight.theme.text, True),
            (1, frame.note, self.sight.theme.error if over else self.sight.theme.muted, over),
        ):
            font = self.fonts.at(size - (2 if share else 0), bold=bold)
            painter.setFont(font)
            painter.setPen(QColor(colour))
            line = QRectF(rect.left(), rect.top() + share * rect.height() * 0.46, rect.width(), rect.height() * 0.5)
            shown = fitted(text, QFontMetricsF(font), rect.width())
            painter.drawText(line, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, shown)

    def _draw_box(self, painter: QPainter, box: Box, bad: bool) -> None:
        theme, rect, colours = self.sight.theme, self.sight.px(box.rect), self.sight.theme.boxes[box.kind]
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
