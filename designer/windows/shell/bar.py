"""A bar above the design that offers something and waits for nothing."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QSizePolicy

from designer.model.shown_text import plain_text
from designer.panels.widgets.appearance import Appearance
from designer.panels.widgets.labels import label


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
        line = QHBoxLayout(self)
        line.setContentsMargins(14, 7, 10, 7)
        line.setSpacing(8)
        line.addWidget(self._icon)
        line.addWidget(self.text, 1)
        for one in buttons:
            line.addWidget(one)
        appearance.changed.connect(self._recolour)
        self._recolour()
        self.hide()

    def _recolour(self) -> None:
        self._icon.setPixmap(self._appearance.pixmap("info", 20, "info"))


def button(text: str, slot: Callable[[], object], tip: str) -> QPushButton:
    """A button with a tooltip; a click calls `slot`."""
    made = QPushButton(text)
    made.setToolTip(plain_text(tip))
    made.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the keyboard in the view: the bar goes with it
    made.clicked.connect(lambda _checked: slot())
    return made
