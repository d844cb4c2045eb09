"""Panning: the picture follows the hand."""

from PySide6.QtCore import Qt

from designer.canvas.pointer import Pointer
from designer.canvas.tools.tool import Tool


class PanTool(Tool):
    """Drag to move what is seen. Edits nothing."""

    name = "pan"
    shows_knobs = False

    _last: Pointer | None = None

    @property
    def active(self) -> bool:
        return self._last is not None

    @property
    def cursor(self) -> Qt.CursorShape:
        return Qt.CursorShape.ClosedHandCursor if self.active else Qt.CursorShape.OpenHandCursor

    def press(self, at: Pointer) -> None:
        self._last = at
        self.stage.show_cursor()

    def move(self, at: Pointer) -> None:
        if self._last is not None:
            camera = self.stage.sight.camera
            self.stage.move_camera(camera.moved(at.x_px - self._last.x_px, at.y_px - self._last.y_px))
            self._last = at

    def release(self, at: Pointer) -> None:
        self.move(at)
        self.cancel()

    def cancel(self) -> None:
        self._last = None
        self.stage.show_cursor()
