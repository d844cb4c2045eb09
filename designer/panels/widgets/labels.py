"""Small pieces of text every panel is made of: quiet labels, section titles, empty states that teach."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QFontInfo, QGuiApplication
from PySide6.QtWidgets import QFrame, QLabel, QLineEdit, QSizePolicy, QVBoxLayout, QWidget

from designer.drawing.text import USUAL_LETTERS_PX
from designer.errors import sentence
from designer.model.shown_text import plain_text, visible, visible_line


class Label(QLabel):
    """A label that shows a text as it is: never as markup, and what would turn its direction as an escape."""

    def setText(self, text: str) -> None:
        """Show a text as it is, with what would turn its direction as an escape."""
        super().setText(visible(text))

    def refuse(self, reason: str) -> None:
        """Show why something is refused, as a sentence; hidden for "" where nothing is."""
        self.setText(sentence(reason))
        self.setVisible(bool(reason))


class _Linked(Label):
    """Rich text whose links follow the colors of the window: Qt gives them theirs when the text is set."""

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.ApplicationPaletteChange, QEvent.Type.StyleChange):
            text = self.text()
            super().setText("")  # the same text again would be left as it is
            super().setText(text)


def label(text: str = "", kind: str = "", *, wrap: bool = False) -> Label:
    """A label of a kind the style sheet knows: "muted", "section", "value", "heading", "error", ..."""
    made = Label()
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setText(text)
    if kind:
        made.setProperty("kind", kind)
    made.setWordWrap(wrap)
    made.setIndent(0)
    if wrap:
        made.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.MinimumExpanding)
    return made


def set_kind(shown: QLabel, kind: str) -> None:
    """Give a label another kind that the style sheet knows."""
    if shown.property("kind") != kind:
        shown.setProperty("kind", kind)
        shown.style().unpolish(shown)
        shown.style().polish(shown)


def linked_label(follow: Callable[[str], object] | None = None) -> Label:
    """A label with links in it; what is set as its text is markup, so names in it go through `html.escape`.

    A link calls `follow`, or opens the browser where there is none.
    """
    made = _Linked()
    made.setWordWrap(True)
    made.setIndent(0)
    made.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.MinimumExpanding)
    made.setTextFormat(Qt.TextFormat.RichText)
    made.setTextInteractionFlags(Qt.TextInteractionFlag.TextBrowserInteraction)
    if follow is None:
        made.setOpenExternalLinks(True)
    else:
        made.linkActivated.connect(follow)
    return made


def rule() -> QFrame:
    """A hair line between two sections."""
    line = QFrame()
    line.setProperty("surface", "rule")
    return line


def enlarged(px: int) -> int:
    """As many pixels as stand for `px` where letters are larger than 12 px; never fewer."""
    return round(px * max(1.0, QFontInfo(QGuiApplication.font()).pixelSize() / USUAL_LETTERS_PX))


def mark_refused(field: QLineEdit, refused: bool) -> None:
    """Show whether a field's text was taken; the style sheet draws the border."""
    field.setProperty("refused", refused)
    field.style().unpolish(field)
    field.style().polish(field)


class ElidedLabel(Label):
    """A one-line label that says less or gives up its tail when there is no room; the tooltip has the whole."""

    def __init__(self, text: str = "", kind: str = "") -> None:
        super().__init__()
        self._whole, self._shorter = "", tuple[str, ...]()
        if kind:
            self.setProperty("kind", kind)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.set_text(text)

    @property
    def whole_text(self) -> str:
        """The text before it was shortened."""
        return self._whole

    def set_text(self, text: str, *shorter: str) -> None:
        """Show a text on one line: the first of some ever shorter ones that fits, or the last, cut to the width."""
        self._whole, self._shorter = visible_line(text), tuple(map(visible_line, shorter))
        self._elide()

    def resizeEvent(self, event: object) -> None:
        """Shorten the text to the new width."""
        super().resizeEvent(event)  # type: ignore[arg-type]
        self._elide()

    def _elide(self) -> None:
        room, metrics = max(self.width() - 2, 40), self.fontMetrics()
        forms = self._whole, *self._shorter
        fit = next((one for one in forms if metrics.horizontalAdvance(one) <= room), forms[-1])
        shown = metrics.elidedText(fit, Qt.TextElideMode.ElideRight, room)
        self.setText(shown)
        self.setToolTip(plain_text(self._whole if shown != self._whole else ""))


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

    @property
    def texts(self) -> tuple[str, str]:
        """What is said to be missing, and how to get it."""
        return self._what.text(), self._how.text()

    def say(self, what: str, how: str) -> None:
        """Show what is missing, and how to get it."""
        self._what.setText(what)
        self._how.setText(how)
