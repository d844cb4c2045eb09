"""Looking: a drag moves the picture, a click asks for what it is on."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt

from designer.canvas.pointer import Pointer
from designer.canvas.stage import Stage
from designer.canvas.tools.pan import PanTool


class LookTool(PanTool):
    """Edits nothing. `asked` is called with the ids under a click."""

    name = "look"

    def __init__(self, stage: Stage, asked: Callable[[Sequence[str]], object]) -> None:
        super().__init__(stage)
        self._asked = asked
        self._start: Pointer | None = None
        self._is_dragged = False

    @property
    def cursor(self) -> Qt.CursorShape:
        """A pointing hand; closed while it moves the picture."""
        return super().cursor if self.active and self._is_dragged else Qt.CursorShape.PointingHandCursor

    def press(self, at: Pointer) -> None:
        """Take hold of the picture."""
        self._start, self._is_dragged = at, False
        super().press(at)

    def move(self, at: Pointer) -> None:
        """Move the picture, once that is more than a click."""
        if self._start is not None and (self._is_dragged or at.far_from(self._start)):
            self._is_dragged = True
            super().move(at)

    def release(self, at: Pointer) -> None:
        """Let go of the picture; a click asks for what is there."""
        is_click = self._start is not None and not self._is_dragged
        super().release(at)
        if is_click:
            self._asked(self.stage.target_at(at).ids)

    def cancel(self) -> None:
        """Let go of the picture; it stays where it was moved to."""
        self._start = None
        super().cancel()
