"""A small picture of a design, as large as its place allows."""

from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from designer.canvas.glyphs import Fonts
from designer.canvas.painting import paint
from designer.drawing.camera import Viewport, fitting
from designer.drawing.colour_by import Marks
from designer.drawing.composition import Composition
from designer.drawing.display_list import Picture
from designer.drawing.level_of_detail import detail_at
from designer.drawing.parts.picture import layers, legend_room, legends
from designer.drawing.parts.sheet import Sheet
from designer.drawing.theme import Theme
from designer.model.design import Design
from designer.panels.widgets.appearance import Appearance

MARGIN = 10.0
CAPTION_ROOM, FOOT_ROOM = 16.0, 12.0
"""Above the topmost and below the lowest boxes: titles and notes keep their size, however small the drawing."""


class Miniature(QWidget):
    """Draws a design with the canvas's own painter, or says why there is none."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._composition: Composition | None = None
        self._appearance = appearance
        appearance.changed.connect(self.update)
        self._note_text = ""
        self._has_legend = self._is_part = False
        self.setMinimumSize(240, 200)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName("Preview")

    @property
    def _theme(self) -> Theme:
        return self._appearance.theme

    def show_design(self, design: Design) -> None:
        """Show a design in the colors of the window."""
        self.show_composition(Composition(design))

    def show_part(self, design: Design, marks: Marks) -> None:
        """Show some devices of a larger design, in the colors of marks; nothing is counted, as others are left out."""
        composition = Composition(design)
        composition.colouring.show_marks(marks)
        self.show_composition(composition)
        self._is_part = True

    def show_composition(self, composition: Composition, *, has_legend: bool = False) -> None:
        """Show a drawing that was made elsewhere; with a legend, below it stands what its colors mean."""
        self._composition, self._note_text = composition, ""
        self._has_legend, self._is_part = has_legend, False
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
        fonts = Fonts(self.font())
        foot = self._legend_height(composition, fonts)
        room = height - foot - CAPTION_ROOM - FOOT_ROOM
        camera = fitting(bounds, width, room, most=1.0, margin=MARGIN).moved(0.0, CAPTION_ROOM)
        sheet = Sheet.of_view(Viewport(camera, width, height), self._theme, fonts)
        picture = self._picture(composition, camera.scale)
        paint(painter, layers(picture, sheet), fonts)
        if foot:
            paint(painter, legends(None, (), sheet, picture.keys), fonts)

    def _picture(self, composition: Composition, scale: float) -> Picture:
        picture = composition.picture(self._theme, composition.detail_at(scale))
        return replace(picture, tier_titles=(), tiers=lambda: None) if self._is_part else picture

    def _legend_height(self, composition: Composition, fonts: Fonts) -> float:
        if not self._has_legend:
            return 0.0
        picture = composition.picture(self._theme, detail_at(1.0, 1, 1, 1))
        return legend_room(None, picture.keys, fonts, jobs=False)[1] + MARGIN
