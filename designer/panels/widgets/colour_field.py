"""A line for a color: typed by name or as #rrggbb, or picked from those that devices are offered too."""

from functools import partial

from PySide6.QtGui import QAction, QColor, QIcon, QPixmap
from PySide6.QtWidgets import QLineEdit, QMenu

from designer.fields.kinds import NAMED_COLOURS, colour_of
from designer.panels.widgets.fields import Commit, TextField

SWATCH_PX = 18


def swatch(colour: str) -> QIcon:
    """A square of a color; without one, a square that is empty."""
    pixmap = QPixmap(SWATCH_PX, SWATCH_PX)
    pixmap.fill(QColor(colour or "transparent"))
    return QIcon(pixmap)


class ColourField(TextField):
    """A text field with its color before the text; a click on that offers colors by name."""

    def __init__(self, name: str, commit: Commit, placeholder: str = "") -> None:
        super().__init__(name, commit, placeholder)
        self._menu = QMenu(self)
        for text, colour in NAMED_COLOURS:
            self._menu.addAction(swatch(colour), text.capitalize(), partial(self._pick, colour))
        self._menu.addAction(placeholder.capitalize(), partial(self._pick, ""))
        self._chooser = QAction(swatch(""), f"Choose a color: {name}", self)
        self._chooser.triggered.connect(self._offer)
        self.line.addAction(self._chooser, QLineEdit.ActionPosition.TrailingPosition)
        self.line.textChanged.connect(lambda text: self._chooser.setIcon(swatch(colour_of(text))))
        self._chooser.setIcon(swatch(""))

    @property
    def choices(self) -> list[QAction]:
        """The colors that are offered, and none at the end."""
        return self._menu.actions()

    def _offer(self) -> None:
        self._menu.popup(self.line.mapToGlobal(self.line.rect().bottomLeft()))

    def _pick(self, colour: str) -> None:
        self.line.setText(colour)
        self.finish()
