"""A bar above the design that offers something and waits for nothing."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QPushButton, QSizePolicy

from designer.model.shown_text import plain_text
from designer.panels.widgets.appearance import Appearance
from designer.panels.widgets.labels import label

SIDE_BY_SIDE, BELOW = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
LEAST_TEXT_LETTERS = 36
"""With less room for the sentence next to the buttons, these stand below it."""


class Bar(QFrame):
    """A sentence and the buttons that answer it. Hidden until there is something to offer."""

    def __init__(self, name: str, appearance: Appearance, buttons: Sequence[QPushButton]) -> None:
        super().__init__()
        self._appearance = appearance
        self.setProperty("surface", "bar")
        self.setObjectName(name)
        self._icon = label()
        self.text = label("", wrap=True)
        self.text.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)  # at most its hint would cut a text that wraps
        self.setSizePolicy(policy)
        self._line, sentence, self._answers = QBoxLayout(SIDE_BY_SIDE, self), QHBoxLayout(), QHBoxLayout()
        self._line.setContentsMargins(14, 7, 10, 7)
        for one in (self._line, sentence, self._answers):
            one.setSpacing(8)
        sentence.addWidget(self._icon)
        sentence.addWidget(self.text, 1)
        self._answers.addStretch(1)
        for button_ in buttons:
            self._answers.addWidget(button_)
        self._line.addLayout(sentence, 1)
        self._line.addLayout(self._answers)
        appearance.changed.connect(self._recolour)
        self._recolour()
        self.hide()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """In a narrow bar the buttons stand below the sentence."""
        room = event.size().width() - self._answers.sizeHint().width()
        is_narrow = room < LEAST_TEXT_LETTERS * self.fontMetrics().averageCharWidth()
        self._line.setDirection(BELOW if is_narrow else SIDE_BY_SIDE)
        super().resizeEvent(event)

    def _recolour(self) -> None:
        self._icon.setPixmap(self._appearance.pixmap("info", 20, "info"))


def button(text: str, slot: Callable[[], object], tip: str) -> QPushButton:
    """A button with a tooltip; a click calls `slot`."""
    made = QPushButton(text)
    made.setToolTip(plain_text(tip))
    made.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the keyboard in the view: the bar goes with it
    made.clicked.connect(lambda _checked: slot())
    return made
