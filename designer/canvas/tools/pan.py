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
