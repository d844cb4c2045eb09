"""Paints the floor plan: tiles, trays, rows, racks, the routes of selected links and a scale."""

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen, QPolygonF

from designer.canvas.glyphs import Fonts, fitted
from designer.canvas.sight import Sight
from designer.drawing.room.floor_plan import PER_M, FloorPlan, FloorRack
from designer.model.design import Design
from designer.model.entities import Device, Link
from designer.placement import floor
from designer.placement.cable_lengths import route, tray_points
from designer.placement.floor import Point
from designer.placement.rack_contents import free_units, units_of
from designer.session.session import Session
from designer.units import format_length

TILE_M = 0.6
MOST_ROUTES = 60
"""Ways of more selected links than this would cover the plan."""


def rack_of(design: Design, entity_id: str) -> str | None:
    """The rack itself, or the one a device stands in."""
    if entity_id in design.racks:
        return entity_id
    placement = design.placements.get(entity_id)
    return placement.rack_id if placement is not None else None


class FloorPainting:
    """One picture of the plan, as it is seen."""

    def __init__(self, plan: FloorPlan, session: Session, sight: Sight) -> None:
        self.plan = plan
        self.session = session
        self.design = session.design
        self.sight = sight
        self.fonts = Fonts(sight.font)

    def paint(self, painter: QPainter) -> None:
        """Paint everything."""
        self._draw_tiles(painter)
        self._draw_trays(painter)
        self._draw_words(painter)
        design, session = self.design, self.session
        marked = {rack_id for one in session.selection if (rack_id := rack_of(design, one)) is not None}
        bad = _wrong_racks(session)
        for rack in self.plan.racks:
            self._draw_rack(painter, rack, rack.id in marked, rack.id in bad)
        self._draw_routes(painter)
        self._draw_scale(painter)

    def _draw_tiles(self, painter: QPainter) -> None:
        step = TILE_M * PER_M
        if step * self.sight.camera.scale < 9:
            return
        left, top, right, bottom = self.sight.seen()
        painter.setPen(QPen(QColor(self.sight.theme.grid), 1.0))
        for number in range(int(left // step), int(right // step) + 2):
            x = self.sight.camera.to_view((number - 0.5) * step, 0)[0]
            painter.drawLine(QPointF(x, 0), QPointF(x, self.sight.height))
        for number in range(int(top // step), int(bottom // step) + 2):
            y = self.sight.camera.to_view(0, number * step)[1]
            painter.drawLine(QPointF(0, y), QPointF(self.sight.width, y))

    def _draw_trays(self, painter: QPainter) -> None:
        """Trays over the rows, and those that lead from row to row where the design says where they are."""
        design = self.design
        painter.setPen(QPen(QColor(self.sight.theme.link), 1.5, Qt.PenStyle.DashLine))
        half, crossing = design.settings.rack_width_m / 2, design.settings.cross_trays_m
        for row in self.plan.rows:
            xs = [x for one in row.rack_ids if (x := design.racks[one].x_m) is not None]
            ends = min([min(xs) - half, *crossing]), max([max(xs) + half, *crossing])
            painter.drawLine(self._metre(ends[0], row.y_m), self._metre(ends[1], row.y_m))
        if len(self.plan.rows) > 1:
            for x in crossing:
                painter.drawLine(self._metre(x, self.plan.rows[0].y_m), self._metre(x, self.plan.rows[-1].y_m))

    def _draw_words(self, painter: QPainter) -> None:
        design, size = self.design, max(9.0, min(16.0, 26.0 * self.sight.camera.scale))
        painter.setFont(self.fonts.at(size, bold=True))
        painter.setPen(QColor(self.sight.theme.text))
        for row in self.plan.rows:
            xs = (x for one in row.rack_ids if (x := design.racks[one].x_m) is not None)
            at = self._metre(min([min(xs) - design.settings.rack_width_m / 2, *design.settings.cross_trays_m]), row.y_m)
            box = QRectF(at.x() - 70, at.y() - 14, 58, 28)
            painter.drawText(box, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, row.name)
        painter.setFont(self.fonts.at(max(8.0, size - 3)))
        painter.setPen(QColor(self.sight.theme.muted))
        if self.sight.camera.scale * PER_M > 14:
            for aisle in self.plan.aisles:
                at = self.sight.point_px(aisle.left - design.settings.rack_width_m * PER_M / 2, aisle.y)
                box = QRectF(at.x(), at.y() - 12, 400, 24)
                painter.drawText(box, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, aisle.text)
        if self.plan.strip is not None:
            at = self.sight.point_px(self.plan.strip[0], self.plan.strip[1])
            painter.drawText(QPointF(at.x(), at.y() - 10), "Not on the floor yet: drag it to its place")

    def _draw_rack(self, painter: QPainter, rack: FloorRack, marked: bool, bad: bool) -> None:
        theme, rect = self.sight.theme, self.sight.px(rack.rect)
        if not rect.intersects(self.sight.rect):
            return
        colours = theme.boxes[rack.kind]
        border = theme.error if bad else theme.accent if marked else colours.border
        pen = QPen(QColor(border), 2.0 if marked or bad else 1.0)
        if not rack.on_floor:
            pen.setStyle(Qt.PenStyle.DashLine)
        painter.setPen(pen)
        painter.setBrush(QColor(colours.fill))
        painter.drawRect(rect)
        thick = min(6.0, max(2.0, rect.height() * 0.05))
        front = QRectF(rect.left(), rect.top() if rack.up else rect.bottom() - thick, rect.width(), thick)
        painter.fillRect(front, QColor(colours.stripe))
        self._draw_name(painter, rack, rect)

    def _draw_name(self, painter: QPainter, rack: FloorRack, rect: QRectF) -> None:
        """Along the depth of the rack, which is its longer side, with the units taken beneath."""
        size = min(13.0, rect.width() * 0.34)
        if size < 6.5:
            return
        painter.save()
        painter.translate(rect.center())
        painter.rotate(-90.0)
        room = rect.height() - 12
        font = self.fonts.at(size, bold=True)
        painter.setFont(font)
        painter.setPen(QColor(self.sight.theme.text))
        line = QRectF(-room / 2, -rect.width() * 0.42, room, rect.width() * 0.42)
        painter.drawText(line, Qt.AlignmentFlag.AlignCenter, fitted(rack.name, QFontMetricsF(font), room))
        design = self.design
        font = self.fonts.at(max(6.5, size - 2.5))
        painter.setFont(font)
        painter.setPen(QColor(self.sight.theme.muted))
        units = units_of(design, rack.id)
        note = f"{units - free_units(design, rack.id)}/{units} U"
        line = QRectF(-room / 2, 0, room, rect.width() * 0.42)
        painter.drawText(line, Qt.AlignmentFlag.AlignCenter, fitted(note, QFontMetricsF(font), room))
        painter.restore()

    def _draw_routes(self, painter: QPainter) -> None:
        """The ways of the selected links along the trays."""
        design = self.design
        ways = [way for one in sorted(self.session.selection) if (way := _way(design, one)) is not None]
        painter.setBrush(Qt.BrushStyle.NoBrush)
        colour = QColor(self.sight.theme.accent)
        colour.setAlpha(170)
        painter.setPen(QPen(colour, 3.0, j=Qt.PenJoinStyle.RoundJoin))
        for points in ways[:MOST_ROUTES]:
            painter.drawPolyline(QPolygonF([self._metre(*point) for point in points]))

    def _draw_scale(self, painter: QPainter) -> None:
        """A bar of a round length at the left bottom."""
        px_per_m = PER_M * self.sight.camera.scale
        length_m = next((m for m in (0.5, 1, 2, 5, 10, 20, 50, 100) if m * px_per_m >= 60), 200)
        y, x = self.sight.height - 18.0, 18.0
        painter.setPen(QPen(QColor(self.sight.theme.muted), 1.5))
        for a, b in (((x, y), (x + length_m * px_per_m, y)), ((x, y - 4), (x, y + 4))):
            painter.drawLine(QPointF(*a), QPointF(*b))
        end = x + length_m * px_per_m
        painter.drawLine(QPointF(end, y - 4), QPointF(end, y + 4))
        painter.setFont(self.fonts.at(11))
        painter.drawText(QPointF(end + 8, y + 4), format_length(length_m))

    def _metre(self, x_m: float, y_m: float) -> QPointF:
        return self.sight.point_px(x_m * PER_M, y_m * PER_M)


def _way(design: Design, link_id: str) -> tuple[Point, ...] | None:
    link = design.links.get(link_id)
    if not isinstance(link, Link) or route(design, link) is None:
        return None
    ends = []
    for end in (link.a, link.b):
        rack_id = design.placements[end.device_id].rack_id
        at = floor.place_of(design.racks[rack_id]) if rack_id is not None else None
        if at is None:
            return None
        ends.append(at)
    return tray_points(design.settings, ends[0], ends[1])


def _wrong_racks(session: Session) -> set[str]:
    """Racks that findings are about, themselves or by what stands in them, as far as they are about the room."""
    report = session.workbench.validation.report if session.workbench.validation.current else None
    if report is None:
        return set()
    return {
        one
        for finding in report.findings
        if finding.code.startswith("RACK-")
        for one in finding.subjects
        if one in session.design.racks and not isinstance(session.design.entity(one), Device)
    }
