"""A field for several lines of plain text."""

from PySide6.QtCore import QEvent, Signal
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QPlainTextEdit


class WordsField(QPlainTextEdit):
    """Several lines of plain text, taken when the keyboard goes elsewhere."""

    taken = Signal(str)

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setTabChangesFocus(True)
        self.setAccessibleName(name)
        self.setMaximumHeight(110)
        self._shown = ""

    def show_text(self, text: str) -> None:
        """Show a text; what is being typed is left alone."""
        if not self.hasFocus() or text != self._shown:
            if text != self.toPlainText():
                self.setPlainText(text)
            self._shown = text

    def event(self, event: QEvent) -> bool:
        """Hand the text over when the keyboard goes."""
        if isinstance(event, QFocusEvent) and event.lostFocus() and self.toPlainText() != self._shown:
            self._shown = self.toPlainText()
            self.taken.emit(self._shown)
        return super().event(event)
