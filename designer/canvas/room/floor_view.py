"""The floor plan: racks in metres, rows, aisles and trays. Racks are dragged; one drag is one edit."""

from dataclasses import dataclass, replace

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from designer.canvas.glyphs import fitted
from designer.canvas.room.plane import Gesture, RoomView
from designer.drawing.geometry import Rect
from designer.drawing.room.floor_plan import PER_M, FloorPlan, FloorRack, floor_plan
from designer.errors import EditError
from designer.model import operations
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.entities import Device, Link, Placement, Rack
from designer.model.hardware import HardwareType, RackType
from designer.placement import floor
from designer.placement.cable_lengths import route, tray_points
from designer.placement.floor import Point
from designer.placement.rack_contents import free_units, rack_power, units_of
from designer.session.session import Session
from designer.units import format_length, format_power

STEP_M = 0.05
SNAP_M = 0.2
NUDGE_M = 0.1
TILE_M = 0.6
MOST_ROUTES = 60
"""Ways of more selected links than this would cover the plan."""


class FloorView(RoomView):
    """The room from above."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, parent)
        self.plan: FloorPlan = floor_plan(session.design)
        self.setAccessibleName("Floor plan")

    def read(self) -> None:
        self.plan = floor_plan(self.session.design)

    def bounds(self) -> Rect | None:
        return self.plan.bounds

    def hit(self, x: float, y: float) -> str | None:
        for rack in reversed(self.plan.racks):
            left, top, right, bottom = rack.rect
            if left <= x <= right and top <= y <= bottom:
                return rack.id
        return None

    def rect_of(self, entity_id: str) -> Rect | None:
        rack_id = self._rack_of(entity_id)
        return next((rack.rect for rack in self.plan.racks if rack.id == rack_id), None)

    def _rack_of(self, entity_id: str) -> str | None:
        """The rack itself, or the one a device stands in."""
        if entity_id in self.session.design.racks:
            return entity_id
        placement = self.session.design.placements.get(entity_id)
        return placement.rack_id if placement is not None else None

    def inside(self, rect: QRectF) -> list[str]:
        return [rack.id for rack in self.plan.racks if rect.contains(self.px(rack.rect).center())]

    def drag(self, hit: str, start: QPointF) -> Gesture | None:
        chosen = [rack for rack in self.plan.racks if rack.id in self.session.selection]
        anchor = next(rack for rack in self.plan.racks if rack.id == hit)
        return DragRacks(self, start, anchor, chosen or [anchor])

    def sentence(self, hit: str) -> str:
        design = self.session.design
        rack = design.racks[hit]
        power = rack_power(design, hit)
        draw = format_power(power.draw_w) + (f" of {format_power(power.budget_w)}" if power.budget_w else "")
        units = units_of(design, hit)
        return f"{rack.name}: {units - free_units(design, hit)} of {units} U taken, {draw}"

    def nudge(self, dx: int, dy: int) -> Edit | None:
        design = self.session.design
        places: dict[str, Point | None] = {}
        for one in sorted(self.session.selection):
            at = floor.place_of(design.racks[one]) if one in design.racks else None
            if at is not None:
                places[one] = (round(at[0] + dx * NUDGE_M, 4), round(at[1] + dy * NUDGE_M, 4))
        return floor.place_racks(design, places) if places else None

    def dropped(self, type_: HardwareType, x: float, y: float) -> Edit:
        """A rack where it is let go; on the canvas it shows once something is drawn in it."""
        if not isinstance(type_, RackType):
            raise EditError(f"{type_.model} belongs in a rack: drop it in the rack elevation")
        edit = operations.add_rack(self.session.design, type_, 0.0, 0.0)
        at = [round(value / PER_M / STEP_M) * STEP_M for value in (x, y)]
        changes = []
        for change in edit.changes:
            entity = change.after
            if isinstance(entity, Rack):
                entity = replace(entity, x_m=round(at[0], 4), y_m=round(at[1], 4))
            if not isinstance(entity, Placement):
                changes.append(Change(None, entity))
        return Edit(edit.label, tuple(changes))

    # -- painting ---------------------------------------------------------------------------------------------------

    def draw(self, painter: QPainter) -> None:
        self._draw_tiles(painter)
        self._draw_trays(painter)
        self._draw_words(painter)
        marked = {rack_id for one in self.session.selection if (rack_id := self._rack_of(one)) is not None}
        bad = _wrong_racks(self.session)
        for rack in self.plan.racks:
            self._draw_rack(painter, rack, rack.id in marked, rack.id in bad)
        self._draw_routes(painter)
        self._draw_scale(painter)

    def _draw_tiles(self, painter: QPainter) -> None:
        step = TILE_M * PER_M
        if step * self.camera.scale < 9:
            return
        left, top, right, bottom = self.camera.seen(self.width(), self.height())
        painter.setPen(QPen(QColor(self.theme.grid), 1.0))
        for number in range(int(left // step), int(right // step) + 2):
            x = self.camera.to_view((number - 0.5) * step, 0)[0]
            painter.drawLine(QPointF(x, 0), QPointF(x, self.height()))
        for number in range(int(top // step), int(bottom // step) + 2):
            y = self.camera.to_view(0, number * step)[1]
            painter.drawLine(QPointF(0, y), QPointF(self.width(), y))

    def _draw_trays(self, painter: QPainter) -> None:
        """Trays over the rows, and those that lead from row to row where the design says where they are."""
        design = self.session.design
        painter.setPen(QPen(QColor(self.theme.link), 1.5, Qt.PenStyle.DashLine))
        half, crossing = design.settings.rack_width_m / 2, design.settings.cross_trays_m
        for row in self.plan.rows:
            xs = [x for one in row.rack_ids if (x := design.racks[one].x_m) is not None]
            ends = min([min(xs) - half, *crossing]), max([max(xs) + half, *crossing])
            painter.drawLine(self._metre(ends[0], row.y_m), self._metre(ends[1], row.y_m))
        if len(self.plan.rows) > 1:
            for x in crossing:
                painter.drawLine(self._metre(x, self.plan.rows[0].y_m), self._metre(x, self.plan.rows[-1].y_m))

    def _draw_words(self, painter: QPainter) -> None:
        design, size = self.session.design, max(9.0, min(16.0, 26.0 * self.camera.scale))
        painter.setFont(self.fonts.at(size, bold=True))
        painter.setPen(QColor(self.theme.text))
        for row in self.plan.rows:
            xs = (x for one in row.rack_ids if (x := design.racks[one].x_m) is not None)
            at = self._metre(min([min(xs) - design.settings.rack_width_m / 2, *design.settings.cross_trays_m]), row.y_m)
            box = QRectF(at.x() - 70, at.y() - 14, 58, 28)
            painter.drawText(box, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, row.name)
        painter.setFont(self.fonts.at(max(8.0, size - 3)))
        painter.setPen(QColor(self.theme.muted))
        if self.camera.scale * PER_M > 14:
            for aisle in self.plan.aisles:
                at = self.point_px(aisle.left - design.settings.rack_width_m * PER_M / 2, aisle.y)
                box = QRectF(at.x(), at.y() - 12, 400, 24)
                painter.drawText(box, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, aisle.text)
        if self.plan.strip is not None:
            at = self.point_px(self.plan.strip[0], self.plan.strip[1])
            painter.drawText(QPointF(at.x(), at.y() - 10), "Not on the floor yet: drag it to its place")

    def _draw_rack(self, painter: QPainter, rack: FloorRack, marked: bool, bad: bool) -> None:
        theme, rect = self.theme, self.px(rack.rect)
        if not rect.intersects(QRectF(self.rect())):
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
        painter.setPen(QColor(self.theme.text))
        line = QRectF(-room / 2, -rect.width() * 0.42, room, rect.width() * 0.42)
        painter.drawText(line, Qt.AlignmentFlag.AlignCenter, fitted(rack.name, QFontMetricsF(font), room))
        design = self.session.design
        font = self.fonts.at(max(6.5, size - 2.5))
        painter.setFont(font)
        painter.setPen(QColor(self.theme.muted))
        units = units_of(design, rack.id)
        note = f"{units - free_units(design, rack.id)}/{units} U"
        line = QRectF(-room / 2, 0, room, rect.width() * 0.42)
        painter.drawText(line, Qt.AlignmentFlag.AlignCenter, fitted(note, QFontMetricsF(font), room))
        painter.restore()

    def _draw_routes(self, painter: QPainter) -> None:
        """The ways of the selected links along the trays."""
        design = self.session.design
        ways = [way for one in sorted(self.session.selection) if (way := _way(design, one)) is not None]
        painter.setBrush(Qt.BrushStyle.NoBrush)
        colour = QColor(self.theme.accent)
        colour.setAlpha(170)
        painter.setPen(QPen(colour, 3.0, j=Qt.PenJoinStyle.RoundJoin))
        for points in ways[:MOST_ROUTES]:
            painter.drawPolyline(QPolygonF([self._metre(*point) for point in points]))

    def _draw_scale(self, painter: QPainter) -> None:
        """A bar of a round length at the left bottom."""
        px_per_m = PER_M * self.camera.scale
        length_m = next((m for m in (0.5, 1, 2, 5, 10, 20, 50, 100) if m * px_per_m >= 60), 200)
        y, x = self.height() - 18.0, 18.0
        painter.setPen(QPen(QColor(self.theme.muted), 1.5))
        for a, b in (((x, y), (x + length_m * px_per_m, y)), ((x, y - 4), (x, y + 4))):
            painter.drawLine(QPointF(*a), QPointF(*b))
        end = x + length_m * px_per_m
        painter.drawLine(QPointF(end, y - 4), QPointF(end, y + 4))
        painter.setFont(self.fonts.at(11))
        painter.drawText(QPointF(end + 8, y + 4), format_length(length_m))

    def _metre(self, x_m: float, y_m: float) -> QPointF:
        return self.point_px(x_m * PER_M, y_m * PER_M)


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


@dataclass(frozen=True, slots=True)
class _Snap:
    x_m: float
    y_m: float


class DragRacks(Gesture):
    """Racks dragged over the floor, in steps, and against their neighbours."""

    def __init__(self, view: FloorView, start: QPointF, anchor: FloorRack, racks: list[FloorRack]) -> None:
        super().__init__(view, start)
        self.floor = view
        self._anchor = anchor
        self._racks = racks
        self._free = False

    def move(self, at: QPointF, keys: Qt.KeyboardModifier) -> None:
        super().move(at, keys)
        self._free = bool(keys & Qt.KeyboardModifier.AltModifier)

    def places(self) -> dict[str, Point | None]:
        """Where each rack would stand, in metres."""
        scale = PER_M * self.floor.camera.scale
        start = _centre_m(self._anchor)
        wanted = start.x_m + (self.at.x() - self.start.x()) / scale, start.y_m + (self.at.y() - self.start.y()) / scale
        x_m, y_m = wanted if self._free else self._snapped(*wanted)
        places: dict[str, Point | None] = {}
        for rack in self._racks:
            own = _centre_m(rack)
            places[rack.id] = (round(x_m + own.x_m - start.x_m, 4), round(y_m + own.y_m - start.y_m, 4))
        return places

    def _snapped(self, x_m: float, y_m: float) -> Point:
        """Beside the nearest rack of the row it comes to, else the next step of the floor."""
        settings = self.floor.session.design.settings
        moving = {rack.id for rack in self._racks}
        others = [_centre_m(rack) for rack in self.floor.plan.racks if rack.on_floor and rack.id not in moving]
        rows = [one.y_m for one in others if abs(one.y_m - y_m) < SNAP_M]
        row = min(rows, key=lambda y: abs(y - y_m), default=None)
        if row is None:
            return round(x_m / STEP_M) * STEP_M, round(y_m / STEP_M) * STEP_M
        sides = [one.x_m + side for one in others if one.y_m == row for side in _sides(settings.rack_width_m)]
        near = min((x for x in sides if abs(x - x_m) < SNAP_M), key=lambda x: abs(x - x_m), default=None)
        return (near if near is not None else round(x_m / STEP_M) * STEP_M), row

    def release(self) -> None:
        session, places = self.floor.session, self.places()
        session.attempt(lambda: floor.place_racks(session.design, places))

    def paint(self, painter: QPainter) -> None:
        if not self.begun:
            return
        theme, design = self.floor.theme, self.floor.session.design
        half = design.settings.rack_width_m / 2 * PER_M, design.settings.rack_depth_m / 2 * PER_M
        for place in self.places().values():
            assert place is not None
            x, y = place[0] * PER_M, place[1] * PER_M
            colour = QColor(theme.error if self._blocked(place) else theme.accent)
            painter.setPen(QPen(colour, 2.0))
            colour.setAlpha(60)
            painter.setBrush(colour)
            painter.drawRect(self.floor.px((x - half[0], y - half[1], x + half[0], y + half[1])))
        place = self.places()[self._anchor.id]
        assert place is not None
        painter.setPen(QColor(theme.text))
        painter.setFont(self.floor.fonts.at(12))
        painter.drawText(self.at + QPointF(14, -8), f"{format_length(place[0])}, {format_length(place[1])}")

    def _blocked(self, place: Point) -> bool:
        settings = self.floor.session.design.settings
        moving = {rack.id for rack in self._racks}
        return any(
            abs(one.x_m - place[0]) < settings.rack_width_m - floor.TOUCH_M
            and abs(one.y_m - place[1]) < settings.rack_depth_m - floor.TOUCH_M
            for rack in self.floor.plan.racks
            if rack.on_floor and rack.id not in moving
            for one in (_centre_m(rack),)
        )


def _centre_m(rack: FloorRack) -> _Snap:
    left, top, right, bottom = rack.rect
    return _Snap((left + right) / 2 / PER_M, (top + bottom) / 2 / PER_M)


def _sides(width_m: float) -> tuple[float, float]:
    return -width_m, width_m
