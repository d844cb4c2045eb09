"""X and Y of something on the canvas, to read and to type."""

from PySide6.QtWidgets import QHBoxLayout, QWidget

from designer.errors import ParameterError
from designer.model import operations
from designer.model.edit import Edit
from designer.panels.widgets.fields import TextField, try_edit
from designer.panels.widgets.labels import label
from designer.session.session import Session


class PositionFields(QWidget):
    """The middle of a device or rack, in units of the canvas."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._id = ""
        self.x_field = TextField("X", lambda text: self._move(0, text))
        self.y_field = TextField("Y", lambda text: self._move(1, text))
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(6)
        for name, field in (("X", self.x_field), ("Y", self.y_field)):
            line.addWidget(label(name, "muted"))
            line.addWidget(field, 1)

    def show_thing(self, entity_id: str) -> bool:
        """Show where something stands; False where it has no place on the canvas."""
        self._id = entity_id
        place = self._session.design.placements.get(entity_id)
        if place is not None:
            self.x_field.show_value(written(place.x))
            self.y_field.show_value(written(place.y))
        return place is not None

    def _move(self, axis: int, text: str) -> str | None:
        return try_edit(self._session, lambda: self._moved(axis, text))

    def _moved(self, axis: int, text: str) -> Edit:
        place = self._session.design.placements[self._id]
        try:
            value = float(text.replace(",", "."))
        except ValueError:
            raise ParameterError(f"{'XY'[axis]} must be a number, such as 120, not {text.strip()!r}") from None
        at = (value, place.y) if axis == 0 else (place.x, value)
        return operations.move(self._session.design, {self._id: at})


def written(value: float) -> str:
    """A place to a hundredth of a unit, without zeros behind it."""
    return f"{round(value, 2) + 0.0:.2f}".rstrip("0").rstrip(".")
