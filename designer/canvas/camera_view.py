"""A view of a subject through a camera: what of it is seen, and how to go elsewhere."""

from collections.abc import Iterable

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontInfo, QNativeGestureEvent, QPainter, QPaintEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from designer.canvas.framing import clear_of, enlargement, fitted, is_seen_whole, with_room
from designer.canvas.hits import NOTHING, Target
from designer.canvas.sight import Sight
from designer.canvas.subject import Subject
from designer.drawing.camera import MOST_SCALE, Camera, fitting
from designer.drawing.geometry import Rect, around
from designer.drawing.theme import LIGHT, Theme
from designer.session.timers import later

REST_MS = 120
"""After the last movement, the picture is painted with all care."""
WHEEL_STEP = 1.0015
STEP_ZOOM = 1.25
GO_TO_SCALE = 1.0
"""Going to something far away shows it at most this large."""
MOST_STEPS = 8
"""Back to where all is shown: from farther away, what is open takes more of the drawing."""
MUCH_SMALLER = 0.6
"""Times as large as now: everything is not shown by itself if that would make it smaller."""
SPECK_PX = 8.0
"""What is lower than that is hardly seen."""


class EnlargedView(QWidget):
    """Where letters are larger than usual, all is drawn enlarged: a pixel of the drawing is several of the widget.

    Camera, sight and pointers count in pixels of the drawing.
    """

    @property
    def enlargement(self) -> float:
        """How many pixels of the widget a pixel of the drawing is."""
        return self._enlargement(self.size())

    def _enlargement(self, size: QSize) -> float:
        return enlargement(QFontInfo(self.font()).pixelSize(), size.width(), size.height())

    @property
    def extent(self) -> tuple[float, float]:
        """How wide and high the view is in pixels of the drawing."""
        larger = self.enlargement
        return self.width() / larger, self.height() / larger

    def spot(self, at: QPointF) -> QPointF:
        """A point of the widget in pixels of the drawing."""
        return at / self.enlargement

    def on_widget(self, rect: QRectF) -> QRectF:
        """A rectangle in pixels of the drawing as one of the widget, where something is to stand over it."""
        larger = self.enlargement
        return QRectF(rect.topLeft() * larger, rect.size() * larger)


class CameraView(EnlargedView):
    """Keeps the camera, and whether it moves."""

    moved = Signal()
    """Things are seen elsewhere in the view."""

    camera_changed = Signal()
    """Another part is seen, or as large as it was not."""

    def __init__(self, subject: Subject, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.subject = subject
        subject.setParent(self)
        self.session = subject.session
        self.theme: Theme = LIGHT
        self.camera = Camera()
        self.is_wheel_turned = False
        """Whether another part comes to be seen by the wheel: what is under the mouse stays there."""
        self._at = QPoint()
        """Where it is in its window."""
        self._whole: Camera | None = None
        """The camera that showed everything when that was last asked for."""
        self._unfitted = True
        """Whether everything is to be shown as soon as the view is seen."""
        self._moving = False
        self.over: list[QWidget] = []
        """What lies over the view: legends, and everything where it is all shown, keep clear of it."""
        self._rest = later(self, REST_MS, self._come_to_rest)
        self._go_on = later(self, 0, self.update)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setAccessibleName(subject.name)
        self.setMinimumSize(160, 110)
        subject.set_font(self.font())
        subject.changed.connect(self.update)
        subject.changed_now.connect(self.repaint)
        subject.replaced.connect(self._show_another)
        self._fit_again = later(self, 0, self._make_room)
        subject.legends_changed.connect(self._fit_again.start)

    # -- what is seen ---------------------------------------------------------------------------------------------

    @property
    def sight(self) -> Sight:
        """How the subject is seen now."""
        larger, (width, height) = self.enlargement, self.extent
        over = (QRectF(one.geometry()) for one in self.over if not one.isHidden())
        covered = tuple(
            (one.left() / larger, one.top() / larger, one.right() / larger, one.bottom() / larger) for one in over
        )
        ratio = self.devicePixelRatioF() * larger
        return Sight(self.camera, width, height, self.theme, self.font(), ratio, self._moving, covered)

    def box_px(self, entity_id: str) -> QRectF | None:
        """Where something is drawn on the widget; None where it is not."""
        rect = self.subject.rect_of(entity_id)
        return self.on_widget(self.sight.px(rect)) if rect is not None else None

    def shows(self, entity_id: str) -> bool:
        """Whether something has a place in this view."""
        return self.subject.rect_of(entity_id) is not None

    def set_theme(self, theme: Theme) -> None:
        """Use these colors from now on."""
        self.theme = theme
        self.update()

    # -- going elsewhere ------------------------------------------------------------------------------------------

    def move_camera(self, camera: Camera) -> None:
        """Show another part, quickly drawn until it rests."""
        self._unfitted = False
        if camera != self.camera:
            self.camera = camera
            self.schedule_repaint()
            self.camera_changed.emit()
            self.moved.emit()

    def schedule_repaint(self) -> None:
        """Something moves: draw quickly until it rests."""
        self._moving = True
        self._rest.start()
        self.update()

    def _come_to_rest(self) -> None:
        self._moving = False
        self.update()

    def _show_another(self) -> None:
        self._unfitted = True
        if self.isVisible():
            self.zoom_to_fit()
        self.update()

    def _make_room(self) -> None:
        """Keep everything clear of legends, where everything is shown."""
        if self.shows_all and self.isVisible():
            self.zoom_to_fit()

    def zoom_to_fit(self, *, when_seen: bool = False) -> None:
        """Show everything, now or `when_seen`: as soon as the view is painted, in the size that it has by then."""
        if when_seen:
            self._unfitted = True
            self.update()
            return
        bounds, (across, down) = self.subject.bounds(), self.extent
        if bounds is None:
            self.move_camera(Camera(1.0, -across / 2, -down / 2))
        else:
            left, top, right, _ = self.subject.covered_px(self.sight)  # fitted, all is clear of what is below
            width, height, subject = across - left - right, down - top, self.subject
            plates = [_moved(subject.taken_px(self.sight, soon=soon), left, top) for soon in (True, False)]
            first = list[Camera]()
            subject.close_at(0.0)
            for _ in range(MOST_STEPS):
                ways = (fitted(bounds, width, height, taken, subject.parts_at, subject.fit) for taken in plates)
                later, now = ways
                camera = with_room(now, later)
                first = first or [camera]
                before, bounds = bounds, around((bounds, subject.bounds_at(camera.scale) or bounds)) or bounds
                if bounds == before:
                    break
            if _leaves_room_unused(first[0], camera, subject, (width, height)):
                camera = first[0]
                subject.close_at(camera.scale)
            self.move_camera(camera.moved(left, top))
        self._whole = self.camera

    def stay(self) -> None:
        """Show this part from now on, also where it is everything: the view fits nothing by itself any more."""
        self._whole, self._unfitted = None, False

    @property
    def shows_all(self) -> bool:
        """Whether everything is shown, and nobody has moved the view since."""
        return self._unfitted or self.camera == self._whole

    def look_at(self, rect: Rect) -> None:
        """Show just this part, as large as the view allows."""
        self.move_camera(fitting(rect, *self.extent, MOST_SCALE, 0.0))

    def zoom_to(self, ids: Iterable[str]) -> None:
        """Bring these into view; nothing moves where they are already seen at a readable size."""
        rect = self._around(ids)
        if rect is None:
            return
        camera, size = self.camera, self.extent
        if not camera.shows(rect, *size) or camera.scale < self.subject.readable_scale:
            camera = fitting(rect, *size, max(GO_TO_SCALE, camera.scale), 90.0)
        self.move_camera(clear_of(camera, rect, *size, self.subject.taken_px(self.sight)))

    def bring_in(self, rect: Rect, foot_px: float) -> None:
        """Show all of a rectangle clear of legends, above the lowest pixels of the widget; else nothing moves."""
        width, height = self.extent
        height -= foot_px / self.enlargement
        inside = self.camera.shows(rect, width, height)
        camera = self.camera if inside else fitting(rect, width, height, self.camera.scale)
        self.move_camera(clear_of(camera, rect, width, height, self.subject.taken_px(self.sight)))

    def reveal(self, ids: Iterable[str]) -> None:
        """Bring these into the middle at the same scale, where none of them is in sight."""
        rect = self._around(ids)
        if rect is None:
            return
        left, top, right, bottom = self.camera.seen(*self.extent)
        if rect[0] < right and left < rect[2] and rect[1] < bottom and top < rect[3]:
            return
        dx, dy = (left + right - rect[0] - rect[2]) / 2, (top + bottom - rect[1] - rect[3]) / 2
        self.move_camera(self.camera.moved(dx * self.camera.scale, dy * self.camera.scale))

    def zoom_onto(self, ids: Iterable[str]) -> None:
        """Fill the view with these; a box is opened, and a server alone, so that its GPUs and NICs show."""
        camera = self.subject.camera_onto([one for one in ids if self.shows(one)], self.sight)
        if camera is not None:
            self.move_camera(camera)
            self.update()  # a box may have opened in its place

    def _around(self, ids: Iterable[str]) -> Rect | None:
        """The rectangle around these; None where none of them is drawn."""
        return around(rect for one in ids if (rect := self.subject.rect_of(one)) is not None)

    def zoom_in(self) -> None:
        """Show less, larger."""
        self.zoom_by(STEP_ZOOM)

    def zoom_out(self) -> None:
        """Show more, smaller."""
        self.zoom_by(1 / STEP_ZOOM)

    def zoom_reset(self) -> None:
        """Show one canvas unit in one pixel."""
        self.zoom_by(1 / self.camera.scale)

    def zoom_by(self, factor: float) -> None:
        """Zoom about the middle of the view."""
        across, down = self.extent
        self.move_camera(self.camera.zoomed(factor, across / 2, down / 2))

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom about the mouse; Shift with the wheel moves the picture sideways, two fingers on a touchpad move it."""
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        scrolled = event.pixelDelta()
        if event.phase() != Qt.ScrollPhase.NoScrollPhase and not scrolled.isNull() and not control:
            self.move_camera(self.camera.moved(*self.spot(scrolled.toPointF()).toTuple()))
        elif event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            turned = event.angleDelta()
            self.move_camera(self.camera.moved(turned.y() or turned.x(), 0.0))
        else:
            spot, turned = self.spot(event.position()), event.angleDelta()
            self.is_wheel_turned = True
            self.move_camera(self.camera.zoomed(WHEEL_STEP ** (turned.y() or turned.x()), spot.x(), spot.y()))
            self.is_wheel_turned = False
        event.accept()

    def event(self, event: QEvent) -> bool:
        """Zoom about the fingers when a touchpad pinches; all else goes to Qt."""
        if isinstance(event, QNativeGestureEvent) and event.gestureType() == Qt.NativeGestureType.ZoomNativeGesture:
            spot = self.spot(event.position())
            self.move_camera(self.camera.zoomed(1.0 + event.value(), spot.x(), spot.y()))
            return True
        return super().event(event)

    # -- painting -------------------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the subject as the camera sees it, all of it where that waited for the view to be seen."""
        if self._unfitted:
            self.zoom_to_fit()
        painter, is_painted = QPainter(self), False
        try:
            painter.scale(self.enlargement, self.enlargement)
            self.paint(painter, self.sight)
            is_painted = True
        finally:
            if not is_painted:
                _cover(painter, self.rect(), self.sight.theme.background)
            painter.end()

    def paint(self, painter: QPainter, sight: Sight) -> None:
        """Paint everything."""
        self.paint_subject(painter, sight)

    def paint_subject(
        self, painter: QPainter, sight: Sight, hovered: Target = NOTHING, *, connectable: bool = False
    ) -> None:
        """Paint the subject; it is painted again when things rest, where it was painted quickly."""
        again = self.subject.paint(painter, sight, hovered, connectable=connectable)
        if self.subject.is_at_work:
            self._go_on.start()
        elif again:
            self._rest.start()

    def changeEvent(self, event: QEvent) -> None:
        """Hand a new font of the application on to the subject."""
        if event.type() == QEvent.Type.FontChange:
            self.subject.set_font(self.font())
            self._unfitted = self.shows_all  # in letters of another size, captions take other room
        super().changeEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the picture where it is on the screen, or all of it in view where all was shown before.

        That moves only where it would not be seen whole, as where a panel opens, and where there is more room.
        """
        before, size, at = event.oldSize(), event.size(), self.mapTo(self.window(), QPoint())
        shift, self._at = self.spot(QPointF(self._at - at)), at
        is_whole, there = self.camera == self._whole, self.camera.moved(shift.x(), shift.y())
        stays = (
            is_whole
            and size == size.boundedTo(before)
            and is_seen_whole(there, self.subject.bounds(), *self.extent, self.subject.taken_px(self.sight))
        )
        if is_whole and not stays:  # nobody has moved the view since all was shown
            self.zoom_to_fit()
        elif before.isValid():
            self.camera, self._whole = there, there if is_whole else self._whole
            self.moved.emit()
        super().resizeEvent(event)


def _cover(painter: QPainter, rect: QRect, background: str) -> None:
    """Leave nothing of what was there before, where painting failed."""
    painter.resetTransform()
    painter.setOpacity(1.0)
    painter.setClipping(False)
    painter.fillRect(rect, QColor(background))


def zoom_to_added(view: CameraView, ids: Iterable[str]) -> None:
    """Bring these into view: with everything else, where that is readable and not much smaller, else alone.

    The scale stays where they are in view and no specks.
    """
    ids, subject, size = list(ids), view.subject, view.extent
    rects = [found for one in ids if (found := subject.rect_of(one)) is not None]
    rect, bounds = around(rects), subject.bounds()
    least = min((one[3] - one[1] for one in rects), default=0.0) * view.camera.scale
    if rect is not None and view.camera.shows(rect, *size) and least >= SPECK_PX:
        view.move_camera(clear_of(view.camera, rect, *size, subject.taken_px(view.sight)))
        return
    if rect is not None and bounds is not None and not view.camera.shows(rect, *size):
        scale = fitting(bounds, *size).scale
        if scale >= max(subject.readable_scale, MUCH_SMALLER * view.camera.scale):
            view.zoom_to_fit()
            return
    view.zoom_to(ids)


def _leaves_room_unused(first: Camera, found: Camera, subject: Subject, size: tuple[float, float]) -> bool:
    """Whether what is open has no room in the first view, and is drawn closed in the smaller one found for its sake."""
    seen, opened = (subject.bounds_at(one.scale) for one in (found, first))
    if found.scale >= first.scale or seen is None or opened is None:
        return False
    return first.shows(seen, *size) and not first.shows(opened, *size)


def _moved(taken: Iterable[Rect], left: float, top: float) -> list[Rect]:
    """What lies over a view, for a drawing that has headings at its left and top: they need room beside it too."""
    return [(x - left, y - top, end, low - top) for x, y, end, low in taken]
