"""Small pieces of text every panel is made of: quiet labels, section titles, empty states that teach."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QLabel, QLineEdit, QSizePolicy, QVBoxLayout, QWidget


def label(text: str = "", kind: str = "", *, wrap: bool = False) -> QLabel:
    """A label of a kind the style sheet knows: "muted", "section", "value", "heading", "error", ..."""
    made = QLabel(text)
    if kind:
        made.setProperty("kind", kind)
    made.setWordWrap(wrap)
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setIndent(0)
    if wrap:
        made.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.MinimumExpanding)
    return made


def rule() -> QFrame:
    """A hair line between two sections."""
    line = QFrame()
    line.setProperty("surface", "rule")
    return line


def mark_refused(field: QLineEdit, refused: bool) -> None:
    """Show whether a field's text was taken; the style sheet draws the border."""
    field.setProperty("refused", refused)
    field.style().unpolish(field)
    field.style().polish(field)


class ElidedLabel(QLabel):
    """A one-line label that gives up its tail when there is no room; the tooltip has the whole."""

    def __init__(self, text: str = "", kind: str = "") -> None:
        super().__init__()
        self._whole = ""
        if kind:
            self.setProperty("kind", kind)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.set_text(text)

    @property
    def whole_text(self) -> str:
        return self._whole

    def set_text(self, text: str) -> None:
        self._whole = text
        self._elide()

    def resizeEvent(self, event: object) -> None:
        super().resizeEvent(event)  # type: ignore[arg-type]
        self._elide()

    def _elide(self) -> None:
        shown = self.fontMetrics().elidedText(self._whole, Qt.TextElideMode.ElideRight, max(self.width() - 2, 40))
        self.setText(shown)
        self.setToolTip(self._whole if shown != self._whole else "")


class EmptyState(QWidget):
    """What a panel shows while it has nothing to show: what is missing, and what to do about it."""

    def __init__(self, what: str, how: str) -> None:
        super().__init__()
        self.setProperty("surface", "base")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._what = label(what, wrap=True)
        self._how = label(how, "muted", wrap=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(6)
        column.addWidget(self._what)
        column.addWidget(self._how)
        column.addStretch(1)

    def say(self, what: str, how: str) -> None:
        self._what.setText(what)
        self._how.setText(how)
