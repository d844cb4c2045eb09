"""Writing in place: lines of plain text over an annotation, taken when the keyboard goes elsewhere."""

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QPlainTextEdit

from designer.canvas.camera_view import CameraView
from designer.model.annotating import change_annotations
from designer.model.annotation import DIMENSION, TEXT, WRITTEN, ZONE
from designer.model.edit import Edit
from designer.model.operations import delete

LEAST_WIDTH_PX, LEAST_HEIGHT_PX = 150, 46
SEEN_THROUGH = frozenset((TEXT, ZONE, DIMENSION))
"""Kinds whose area lets the fabric through."""
ABOVE_PX = 16
"""Around its lines, above and below."""
TITLE_SHARE = 1.6
"""Height of the first line of a zone with what is above it, of its letters."""
FRAME_PX = 36
"""Around the letters of what is seen through, and for the next one."""
POPUP = Qt.FocusReason.PopupFocusReason
ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class TextEditor(QPlainTextEdit):
    """Enter begins a line; Esc, Ctrl+Enter or a click elsewhere takes the text. A text left empty goes away."""

    def __init__(self, view: CameraView) -> None:
        super().__init__(view)
        self._view = view
        self._id: str | None = None
        self._begun_at = -1
        """Revision of the design in which what is written was put down just now; its words are part of that step."""
        self.setAccessibleName("Text")
        self.setTabChangesFocus(True)
        self.hide()
        self.textChanged.connect(self._place)
        view.moved.connect(self._place)
        view.session.changed.connect(self._follow)
        view.session.replacing.connect(self.close_unchanged)

    @property
    def entity_id(self) -> str | None:
        """What is being written; None while the editor is closed."""
        return self._id

    def open(self, entity_id: str, *, is_new: bool = False) -> bool:
        """Put the cursor into the text of an annotation; False where it bears none."""
        note = self._view.session.design.annotations.get(entity_id)
        if note is None or note.kind not in WRITTEN or not self._view.shows(entity_id):
            return False
        self._id, self._begun_at = entity_id, self._view.session.design.revision if is_new else -1
        self.setPlainText(note.text)
        self.selectAll()
        self._place()
        self.show()
        self.setFocus(Qt.FocusReason.OtherFocusReason)
        return True

    def close_unchanged(self) -> None:
        """Close without taking the text, and give the keyboard back to the view."""
        if self._id is not None:
            had_keyboard = self.window().focusWidget() is self  # of a window that may not be active
            self._id = None
            self.hide()
            if had_keyboard:
                self._view.setFocus(Qt.FocusReason.OtherFocusReason)

    def accept(self) -> None:
        """Take the text and close."""
        one, session = self._id, self._view.session
        self.close_unchanged()
        note = session.design.annotations.get(one or "")
        if note is None:
            return
        text, goes_on = self.toPlainText().strip(), session.design.revision == self._begun_at
        if not text and note.kind == TEXT:
            session.attempt(lambda: delete(session.design, [note.id]), goes_on=goes_on)
        elif text != note.text:
            session.attempt(lambda: change_annotations(session.design, [note.id], text=text), goes_on=goes_on)

    def event(self, event: QEvent) -> bool:
        """Keep keys from shortcuts of the window; take the text at Esc, or when the keyboard goes elsewhere."""
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        if isinstance(event, QFocusEvent) and event.lostFocus() and event.reason() is not POPUP:
            self.accept()
        elif event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent) and _is_done(event):
            self.accept()
            return True
        return super().event(event)

    def _place(self) -> None:
        """Over the annotation, inside the view.

        Of what is seen through it covers the lines of text alone, and reaches out of the top of a zone where these
        are smaller than letters to type.
        """
        box = self._view.box_px(self._id) if self._id is not None else None
        if box is None:
            return
        note = self._view.session.design.annotations.get(self._id or "")
        across, down, raised = box.width(), max(box.height(), LEAST_HEIGHT_PX), 0.0
        if note is not None and note.kind in SEEN_THROUGH:
            lines, letters = self.toPlainText().split("\n"), self.fontMetrics()
            across = min(across, max(map(letters.horizontalAdvance, lines)) + FRAME_PX)
            down = len(lines) * letters.lineSpacing() + ABOVE_PX
            if note.kind == ZONE:
                raised = max(
                    0.0, down - TITLE_SHARE * note.size * len(lines) * self._view.camera.scale * self._view.enlargement
                )
        width = min(max(LEAST_WIDTH_PX, round(across) + 6), self._view.width())
        height = min(round(down) + 6, self._view.height())
        x = min(max(0, round(box.left()) - 3), self._view.width() - width)
        y = min(max(0, round(box.top() - raised) - 3), self._view.height() - height)
        self.setGeometry(x, y, width, height)

    def _follow(self, _edit: Edit) -> None:
        """Stay over what is written while the design changes, close where it is deleted."""
        if self._id is not None and not self._view.shows(self._id):
            self.close_unchanged()
        self._place()


def _is_done(event: QKeyEvent) -> bool:
    """Whether a key takes the text: Esc, or Enter with Control; all else is typed."""
    with_control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
    return event.key() == Qt.Key.Key_Escape or (event.key() in ENTER and with_control)
