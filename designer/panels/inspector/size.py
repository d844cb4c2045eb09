"""Width and height of an annotation, to read and to type."""

from PySide6.QtWidgets import QHBoxLayout, QWidget

from designer.errors import ParameterError
from designer.model.annotating import place_here, resize
from designer.model.annotation import LEGEND, UNITS_PER_M, Annotation
from designer.model.edit import Edit
from designer.panels.inspector.position import written
from designer.panels.widgets.fields import TextField, try_edit
from designer.panels.widgets.labels import label
from designer.session.session import Session


class SizeFields(QWidget):
    """How large an annotation is at least; a legend is as high as what it explains.

    In units of the canvas, of one on the floor plan in meters.
    """

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._id = ""
        self.width_field = TextField("Width", lambda text: self._resize(0, text))
        self.height_field = TextField("Height", lambda text: self._resize(1, text))
        self._height_name = label("Height", "muted")
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(6)
        for name, field in ((label("Width", "muted"), self.width_field), (self._height_name, self.height_field)):
            line.addWidget(name)
            line.addWidget(field, 1)

    def show_annotation(self, note: Annotation) -> None:
        """Show how large this one is."""
        self._id = note.id
        self.width_field.show_value(written(abs(note.dx) / _unit_of(note)))
        self.height_field.show_value(written(abs(note.dy) / _unit_of(note)))
        for part in (self._height_name, self.height_field):
            part.setVisible(note.kind != LEGEND)

    def _resize(self, axis: int, text: str) -> str | None:
        return try_edit(self._session, lambda: self._resized(axis, text))

    def _resized(self, axis: int, text: str) -> Edit:
        design = self._session.design
        note = design.annotations[self._id]
        place = place_here(design, note)
        try:
            value = float(text.replace(",", "."))
        except ValueError:
            value = 0.0
        if not value > 0.0:
            raise ParameterError(f"{('Width', 'Height')[axis]} must be above 0, such as 120, not {text.strip()!r}")
        value *= _unit_of(note)
        left, top = place.x - abs(note.dx) / 2, place.y - abs(note.dy) / 2
        width, height = (value, abs(note.dy)) if axis == 0 else (abs(note.dx), value)
        return resize(design, self._id, (left, top), (left + width, top + height))


def _unit_of(note: Annotation) -> float:
    return UNITS_PER_M if note.is_on_floor else 1.0
