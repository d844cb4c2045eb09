"""A small picture of a design, as large as its place allows."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from designer.canvas.glyphs import Fonts
from designer.canvas.painting import paint
from designer.drawing.camera import Viewport, fitting
from designer.drawing.composition import Composition
from designer.drawing.level_of_detail import detail_at
from designer.drawing.parts.picture import layers
from designer.drawing.parts.sheet import Sheet
from designer.drawing.theme import Theme
from designer.model.design import Design

MARGIN = 10.0


class Miniature(QWidget):
    """Draws a design with the canvas's own painter, or says why there is none."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._composition: Composition | None = None
        self._theme = theme
        self._note_text = ""
        self.setMinimumSize(240, 200)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName("Preview")

    def show_design(self, design: Design, theme: Theme) -> None:
        """Show a design in the colors of a theme."""
        self._composition, self._theme, self._note_text = Composition(design), theme, ""
        self.update()

    def show_nothing(self, why: str) -> None:
        """Show why there is no picture in its place."""
        self._composition, self._note_text = None, why
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Draw the picture as large as the new size allows."""
        super().resizeEvent(event)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the design, or why there is none."""
        del event
        painter = QPainter(self)
        try:
            self._paint(painter)
        finally:
            painter.end()

    def _paint(self, painter: QPainter) -> None:
        composition = self._composition
        painter.fillRect(self.rect(), QColor(self._theme.background))
        bounds = composition.bounds if composition is not None else None
        if composition is None or bounds is None:
            painter.setPen(self.palette().placeholderText().color())
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, self._note_text)
            return
        width, height = float(self.width()), float(self.height())
        camera = fitting(bounds, width, height, most=1.0, margin=MARGIN)
        projection = composition.projection
        detail = detail_at(
            camera.scale, len(projection.device_ids), len(composition.bundles.pairs), len(projection.link_ids)
        )
        fonts = Fonts(self.font())
        sheet = Sheet.of_view(Viewport(camera, width, height), self._theme, fonts)
        paint(painter, layers(composition.picture(self._theme, detail), sheet), fonts)
