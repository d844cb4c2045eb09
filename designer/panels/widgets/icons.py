"""Icons drawn from resources/icons in the colors that are asked for."""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from designer.paths import resources_dir

SIZES = (16, 20, 32, 40)
FAINT = 0.45
"""How much of its color an icon has that cannot be clicked."""


class Icons:
    """Draws each icon once for each color, and keeps it."""

    def __init__(self) -> None:
        self._drawn: dict[tuple[str, str, str], QIcon] = {}

    def icon(self, name: str, colour: str, disabled: str) -> QIcon:
        """The icon of that name in a color, and faintly in the other one where it is disabled; colors as #rrggbb."""
        key = (name, colour, disabled)
        if key not in self._drawn:
            self._drawn[key] = _draw(*key)
        return self._drawn[key]


def _draw(name: str, colour: str, disabled: str) -> QIcon:
    source = (resources_dir() / "icons" / f"{name}.svg").read_text("utf-8")
    renderer = QSvgRenderer(source.replace("currentColor", colour).encode())
    icon = QIcon()
    for size in SIZES:
        pixmap = QPixmap(size, size)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        renderer.render(painter, QRectF(0, 0, size, size))
        painter.end()
        icon.addPixmap(pixmap)
        icon.addPixmap(_faint(pixmap, disabled), QIcon.Mode.Disabled)
    return icon


def _faint(pixmap: QPixmap, colour: str) -> QPixmap:
    """The same shape in another color, faintly."""
    ink = QColor(colour)
    ink.setAlphaF(FAINT)
    faint = QPixmap(pixmap)
    painter = QPainter(faint)
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceIn)
    painter.fillRect(faint.rect(), ink)
    painter.end()
    return faint
