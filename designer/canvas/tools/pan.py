"""Panning: the picture follows the hand, and moves on by itself while a drag is held at an edge of the view."""

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QObject, Qt

from designer.canvas.pointer import Pointer
from designer.canvas.stage import Stage
from designer.canvas.tools.tool import Tool
from designer.session.timers import later

EDGE_PX = 12.0
"""So near to an edge a drag moves the picture: nearer than Fit leaves boxes, so that a hand can draw around these."""
TICK_MS = 16
FASTEST_PX = 12.0
"""By how much at most with each tick; half of that just at the edge, all of it as far beyond as the edge is wide."""


class PanTool(Tool):
    """Drag to move what is seen. Edits nothing."""

    name = "pan"
    shows_knobs = False
    pans_at_edges = False

    _last: Pointer | None = None

    @property
    def active(self) -> bool:
        """Whether the picture is being moved."""
        return self._last is not None

    @property
    def cursor(self) -> Qt.CursorShape:
        """A hand: closed while it moves the picture."""
        return Qt.CursorShape.ClosedHandCursor if self.active else Qt.CursorShape.OpenHandCursor

    def press(self, at: Pointer) -> None:
        """Take hold of the picture."""
        self._last = at
        self.stage.show_cursor()

    def move(self, at: Pointer) -> None:
        """Move the picture as far as the mouse went."""
        if self._last is not None:
            camera = self.stage.sight.camera
            self.stage.move_camera(camera.moved(at.x_px - self._last.x_px, at.y_px - self._last.y_px))
            self._last = at

    def release(self, at: Pointer) -> None:
        """Let go of the picture where it is."""
        self.move(at)
        self.cancel()

    def cancel(self) -> None:
        """Let go of the picture; it stays where it was moved to."""
        self._last = None
        self.stage.show_cursor()


class EdgePan:
    """Moves the picture while a gesture is held near an edge that it was pressed further from, the faster the nearer.

    The gesture goes on as if the mouse had moved over the picture.
    """

    def __init__(self, owner: QObject, stage: Stage, gesture: Callable[[], Tool]) -> None:
        self._stage, self._gesture = stage, gesture
        self._start: Pointer | None = None
        self._at: Pointer | None = None
        self._tick = later(owner, TICK_MS, self._step)

    def press(self, at: Pointer) -> None:
        """A gesture may begin here."""
        self._start = at

    def move(self, at: Pointer) -> None:
        """The mouse moved with the button held."""
        self._at = at
        if not self._tick.isActive() and any(self._speed()):
            self._tick.start()

    def stop(self) -> None:
        """The button was let go."""
        self._start = self._at = None
        self._tick.stop()

    def _step(self) -> None:
        gesture, (dx, dy) = self._gesture(), self._speed()
        if self._at is None or not (dx or dy) or not (gesture.active and gesture.pans_at_edges):
            return
        self._stage.move_camera(self._stage.sight.camera.moved(dx, dy))
        x, y = self._stage.sight.camera.to_canvas(self._at.x_px, self._at.y_px)
        self._at = replace(self._at, x=x, y=y)
        gesture.move(self._at)
        self._tick.start()

    def _speed(self) -> tuple[float, float]:
        """By how many pixels the picture moves now, to the right and down."""
        start, at, sight = self._start, self._at, self._stage.sight
        if start is None or at is None:
            return 0.0, 0.0
        across = _pull(at.x_px, start.x_px) - _pull(sight.width - at.x_px, sight.width - start.x_px)
        down = _pull(at.y_px, start.y_px) - _pull(sight.height - at.y_px, sight.height - start.y_px)
        return across, down


def _pull(distance: float, at_first: float) -> float:
    """How fast an edge at that distance draws the picture in; not at all where the press was as near."""
    if distance >= min(EDGE_PX, at_first):
        return 0.0
    return min((EDGE_PX - distance) / EDGE_PX / 2, 1.0) * FASTEST_PX
