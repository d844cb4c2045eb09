"""Panning: the picture follows the hand."""

from PySide6.QtCore import Qt

from designer.canvas.tools.tool import Pointer, Tool


class PanTool(Tool):
    """Drag to move what is seen. Edits nothing."""

    name = "pan"
    cursor = Qt.CursorShape.OpenHandCursor

    _last: Pointer | None = None

    @property
    def active(self) -> bool:
        return self._last is not None

    def press(self, at: Pointer) -> None:
        self._last = at
        self.view.setCursor(Qt.CursorShape.ClosedHandCursor)

    def move(self, at: Pointer) -> None:
        if self._last is not None:
            self.view.move_camera(self.view.camera.moved(at.x_px - self._last.x_px, at.y_px - self._last.y_px))
            self._last = at

    def release(self, at: Pointer) -> None:
        self.move(at)
        self._last = None
        self.view.show_cursor()

    def cancel(self) -> None:
        self._last = None
        self.view.show_cursor()
