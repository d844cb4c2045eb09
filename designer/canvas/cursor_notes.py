"""The note at the cursor: what a gesture would do, or why it cannot be done."""

from collections.abc import Iterable

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from designer.canvas import marks
from designer.canvas.pointer import Pointer
from designer.canvas.sight import Sight
from designer.session.timers import later

NOTE_MS = 5000


class CursorNotes:
    """Shows one note over a view, or none."""

    def __init__(self, view: QWidget) -> None:
        self._view = view
        self._fade = later(view, NOTE_MS, lambda: self.show(None))
        self.shown: marks.CursorNote | None = None
        self._figures: tuple[QRectF, ...] = ()

    def show(
        self, text: str | None, at: Pointer | None = None, *, refused: bool = False, lasting: bool = False
    ) -> None:
        """Show a line of text at the cursor, or none; a lasting one outlives the gesture for a while."""
        if text is None and self._fade.isActive() and at is None:
            return
        self._fade.stop()
        spot = at.spot if at is not None else QPointF()
        self.shown = marks.CursorNote(text, spot, refused) if text else None
        if lasting:
            self._fade.start()
        self._view.update()

    def drop(self) -> None:
        """Take the note away at once."""
        self._fade.stop()
        self.shown = None
        self._view.update()

    def keep_clear_of(self, figures: Iterable[QRectF]) -> None:
        """Cover none of these figures when painted next, where there is another place next to the cursor."""
        self._figures = tuple(figures)

    def paint(self, painter: QPainter, sight: Sight) -> None:
        """Paint the note beside the cursor, within the view; nothing where there is none."""
        figures, self._figures = self._figures, ()
        if self.shown is not None:
            marks.paint_note(painter, self.shown, sight.theme, sight.font, QRectF(sight.rect), figures)
