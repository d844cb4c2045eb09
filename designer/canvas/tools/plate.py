"""Moving a legend over the picture: a drag takes it to another corner, a click folds or opens it."""

from PySide6.QtCore import Qt

from designer.canvas.pointer import Pointer
from designer.canvas.subject import Plate
from designer.canvas.tools.tool import Tool


class PlateTool(Tool):
    """Takes hold of the legend under the mouse. It makes no edit: where a legend stands is the window's."""

    name = "plate"
    pans_at_edges = False
    shows_knobs = False

    _plate: Plate | None = None
    _start = (0.0, 0.0)

    @property
    def active(self) -> bool:
        """Whether a legend is held."""
        return self._plate is not None

    @property
    def cursor(self) -> Qt.CursorShape:
        """A closed hand."""
        return Qt.CursorShape.ClosedHandCursor

    def press(self, at: Pointer) -> None:
        """Take hold of the legend."""
        self._plate = self.stage.subject.plate_at(at, self.stage.sight)
        self._start = at.x_px, at.y_px

    def move(self, at: Pointer) -> None:
        """Take it along."""
        if self._plate is not None:
            self._plate.move(at.x_px - self._start[0], at.y_px - self._start[1])
            self.stage.update()

    def release(self, at: Pointer) -> None:
        """Let it go in the nearest corner; a click folds or opens it."""
        if self._plate is not None:
            self.move(at)
            self._plate.drop(self.stage.sight)
            self.stage.subject.legends_changed.emit()
        self._plate = None
        self.stage.update()

    def cancel(self) -> None:
        """Put it back where it was."""
        if self._plate is not None:
            self._plate.move(0.0, 0.0)
        self._plate = None
        self.stage.update()
