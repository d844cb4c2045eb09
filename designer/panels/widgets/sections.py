"""A titled part of a panel that folds away."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QToolButton, QVBoxLayout, QWidget

from designer.panels.widgets.appearance import Appearance


class Section(QWidget):
    """Click the title, or Space on it, to fold and unfold."""

    def __init__(self, title: str, body: QWidget, appearance: Appearance, *, is_open: bool) -> None:
        super().__init__()
        self._appearance = appearance
        self.body = body
        self.button = QToolButton()
        self.button.setText(title)
        self.button.setCheckable(True)
        self.button.setChecked(is_open)
        self.button.setProperty("kind", "section")
        self.button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.button.setIconSize(QSize(14, 14))
        self.button.toggled.connect(self._fold)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(self.button)
        column.addWidget(body)
        appearance.changed.connect(self._recolour)
        self._fold(is_open)

    def unfold(self) -> None:
        """Show what is in the section."""
        self.button.setChecked(True)

    def _recolour(self) -> None:
        self._fold(self.button.isChecked())

    def _fold(self, is_open: bool) -> None:
        self.button.setIcon(self._appearance.icon("chevron-down" if is_open else "chevron-right", "muted"))
        self.body.setVisible(is_open)
