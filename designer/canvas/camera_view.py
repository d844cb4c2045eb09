"""A view of a drawing through a camera: what of it is seen, and how to go elsewhere."""

from collections.abc import Iterable

from PySide6.QtCore import QLineF, QPointF, QRectF, Signal
from PySide6.QtWidgets import QWidget

from designer.canvas import marks
from designer.canvas.dropping import free_spot
from designer.canvas.legend import HEIGHT_PX, MARGIN_PX, WIDTH_PX
from designer.canvas.painting import Viewport
from designer.drawing.camera import Camera, fitting
from designer.drawing.composition import Composition
from designer.drawing.geometry import Rect
from designer.drawing.level_of_detail import Detail, detail_at
from designer.drawing.theme import LIGHT, Theme
from designer.model.entities import End
from designer.placement.metrics import BOX_HEIGHT, SWITCH_WIDTH
from designer.session.session import Session
from designer.session.timers import later

REST_MS = 120
"""After the last movement, the picture is painted with all care."""
STEP_ZOOM = 1.25
GO_TO_SCALE = 1.0
"""Going to something far away shows it at most this large."""
LEAST_READABLE_SCALE = 0.45
CLOSE_SCALE = 2.0
LEGEND_CLEAR_PX = 10
LEAST_SHARE_OF_FIT = 0.5
"""A drawing is not made smaller than this for the sake of the legend."""
OPEN_SCALE = 8.0
"""A server this large shows what is inside it."""


class CameraView(QWidget):
    """Keeps the camera, and whether it moves."""

    scale_changed = Signal(float)

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.theme: Theme = LIGHT
        self.camera = Camera()
        self._whole: Camera | None = None
        """The camera that showed everything when that was last asked for."""
        self.composition = Composition(session.design, session.hidden_networks)
        self._moving = False
        self._rest = later(self, REST_MS, self._come_to_rest)

    # -- what is seen ---------------------------------------------------------------------------------------------

    @property
    def detail(self) -> Detail:
        projection = self.composition.projection
        return detail_at(
            self.camera.scale, len(projection.device_ids), len(self.composition.bundles.pairs), len(projection.link_ids)
        )

    @property
    def frame(self) -> marks.Frame:
        return marks.Frame(self.composition, self.camera, self.detail, self.theme)

    @property
    def viewport(self) -> Viewport:
        return Viewport(self.camera, self.width(), self.height())

    def seen(self) -> Rect:
        """Left, top, right, bottom of the canvas in view."""
        return self.camera.seen(self.width(), self.height())

    def box_px(self, device_id: str) -> QRectF | None:
        """The box of a device in pixels of the view; None where it is not drawn."""
        return self.frame.box(device_id)

    def port_px(self, end: End) -> QPointF | None:
        """The middle of a port's handle in pixels of the view."""
        return self.frame.port(end)

    def link_px(self, link_id: str) -> QLineF | None:
        """A link's line in pixels of the view, as it is drawn when every link has a line of its own."""
        return self.frame.link(link_id)

    def move_camera(self, camera: Camera) -> None:
        """Show another part, quickly drawn until it rests."""
        if camera == self.camera:
            return
        rescaled = camera.scale != self.camera.scale
        self.camera = camera
        self.schedule_repaint()
        if rescaled:
            self.scale_changed.emit(camera.scale)

    def schedule_repaint(self) -> None:
        """Something moves: draw quickly until it rests."""
        self._moving = True
        self._rest.start()
        self.update()

    def _come_to_rest(self) -> None:
        self._moving = False
        self.update()

    def zoom_to_fit(self) -> None:
        bounds = self.composition.bounds
        if bounds is None:
            self.move_camera(Camera(1.0, -self.width() / 2, -self.height() / 2))
        else:
            self.move_camera(self._fitted(bounds))
        self._whole = self.camera

    @property
    def shows_legend(self) -> bool:
        return False

    def _fitted(self, bounds: Rect) -> Camera:
        """The view of it all; above the legend or beside it, where that would lie over the drawing."""
        camera = fitting(bounds, self.width(), self.height())
        (left, _), (_, bottom) = camera.to_view(bounds[0], bounds[1]), camera.to_view(bounds[2], bounds[3])
        foot, side = HEIGHT_PX + MARGIN_PX + LEGEND_CLEAR_PX, WIDTH_PX + MARGIN_PX
        if left > side or bottom <= self.height() - foot:
            return camera
        if self.height() < 4 * foot and not self.shows_legend:
            return camera  # in a low view its room is left only once it is there
        above = fitting(bounds, self.width(), self.height() - foot)
        beside = fitting(bounds, self.width() - side, self.height()).moved(side, 0.0)
        best = max(above, beside, key=lambda one: one.scale)
        return best if best.scale >= LEAST_SHARE_OF_FIT * camera.scale else camera

    def zoom_to(self, ids: Iterable[str]) -> None:
        """Bring these into view; nothing moves where they are already seen at a readable size."""
        rects = [rect for one in ids if (rect := self.composition.rect_of(one)) is not None]
        if not rects:
            return
        lefts, tops, rights, bottoms = zip(*rects, strict=True)
        rect = min(lefts), min(tops), max(rights), max(bottoms)
        left, top, right, bottom = self.seen()
        inside = left <= rect[0] and top <= rect[1] and rect[2] <= right and rect[3] <= bottom
        if not inside or self.camera.scale < LEAST_READABLE_SCALE:
            most = max(GO_TO_SCALE, self.camera.scale)
            self.move_camera(self._clear_of_legend(fitting(rect, self.width(), self.height(), most, 90.0), rect))
        elif self._is_under_legend(self.camera, rect):
            self.move_camera(self._clear_of_legend(self.camera, rect))

    def _is_under_legend(self, camera: Camera, rect: Rect) -> bool:
        (left, _), (_, bottom) = camera.to_view(rect[0], rect[1]), camera.to_view(rect[2], rect[3])
        foot = self.height() - HEIGHT_PX - MARGIN_PX - LEGEND_CLEAR_PX
        return self.shows_legend and left < WIDTH_PX + MARGIN_PX + LEGEND_CLEAR_PX and bottom > foot

    def _clear_of_legend(self, camera: Camera, rect: Rect) -> Camera:
        """The view with the rectangle above the legend or beside it, the shorter way; smaller where neither fits."""
        if not self._is_under_legend(camera, rect):
            return camera
        (left, top), (right, bottom) = camera.to_view(rect[0], rect[1]), camera.to_view(rect[2], rect[3])
        up = bottom - (self.height() - HEIGHT_PX - MARGIN_PX - 2 * LEGEND_CLEAR_PX)
        aside = WIDTH_PX + MARGIN_PX + 2 * LEGEND_CLEAR_PX - left
        ways = [(up, (0.0, -up))] if top - up >= 0 else []
        ways += [(aside, (aside, 0.0))] if right + aside <= self.width() else []
        if ways:
            return camera.moved(*min(ways)[1])
        return fitting(rect, self.width(), self.height() - HEIGHT_PX - MARGIN_PX - LEGEND_CLEAR_PX, camera.scale)

    def zoom_onto(self, ids: Iterable[str]) -> None:
        """Fill the view with these; a server alone is opened, so that its GPUs and NICs show."""
        chosen = [one for one in ids if self.composition.rect_of(one) is not None]
        rects = [rect for one in chosen if (rect := self.composition.rect_of(one)) is not None]
        if not rects:
            return
        lefts, tops, rights, bottoms = zip(*rects, strict=True)
        alone = chosen[0] if len(chosen) == 1 else None
        opened = alone is not None and alone in self.session.design.devices and self.session.design.is_server(alone)
        most = OPEN_SCALE if opened else CLOSE_SCALE
        rect = min(lefts), min(tops), max(rights), max(bottoms)
        self.move_camera(fitting(rect, self.width(), self.height(), most, 60.0))

    def zoom_in(self) -> None:
        self._zoom_at_middle(STEP_ZOOM)

    def zoom_out(self) -> None:
        self._zoom_at_middle(1 / STEP_ZOOM)

    def zoom_reset(self) -> None:
        self._zoom_at_middle(1 / self.camera.scale)

    def _zoom_at_middle(self, factor: float) -> None:
        self.move_camera(self.camera.zoomed(factor, self.width() / 2, self.height() / 2))

    def free_spot(self) -> tuple[float, float]:
        """Where something new can stand: the middle of the view, or the nearest place to it that is free."""
        x, y = self.camera.to_canvas(self.width() / 2, self.height() / 2)
        return free_spot(self.composition, x, y, SWITCH_WIDTH, BOX_HEIGHT)
