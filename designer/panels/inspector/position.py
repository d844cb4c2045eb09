"""X and Y of something on the canvas or on the floor, to read and to type."""

from collections.abc import Callable

from PySide6.QtWidgets import QHBoxLayout, QWidget

from designer.errors import ParameterError
from designer.model import operations
from designer.model.annotating import move_on_floor
from designer.model.design import Design
from designer.model.edit import Edit
from designer.panels.widgets.fields import TextField, try_edit
from designer.panels.widgets.labels import label
from designer.placement import floor
from designer.session.session import Session

Point = tuple[float, float]
USUAL_PLACE, FRAME_PX = "-12345", 20
"""A place that can be read whole, and what is around it in a field."""
PlaceOf = Callable[[Design, str], Point | None]
Move = Callable[[Design, str, Point], Edit]


def _on_canvas(design: Design, entity_id: str) -> Point | None:
    """Where something is on the canvas, in its units; an annotation on the floor plan there, in meters."""
    note = design.annotations.get(entity_id)
    if note is not None and note.x_m is not None and note.y_m is not None:
        return note.x_m, note.y_m
    place = design.placements.get(entity_id)
    return None if place is None else (place.x, place.y)


def _moved_to(design: Design, entity_id: str, at: Point) -> Edit:
    note = design.annotations.get(entity_id)
    if note is not None and note.x_m is not None and note.y_m is not None:
        return move_on_floor(design, [entity_id], at[0] - note.x_m, at[1] - note.y_m)
    return operations.move(design, {entity_id: at})


def _on_floor(design: Design, entity_id: str) -> Point | None:
    rack = design.racks.get(entity_id)
    return None if rack is None else floor.place_of(rack)


class PositionFields(QWidget):
    """The middle of something, in units of the canvas, on the floor plan in meters."""

    def __init__(
        self,
        session: Session,
        place_of: PlaceOf = _on_canvas,
        move: Move = _moved_to,
    ) -> None:
        super().__init__()
        self._session = session
        self._place_of, self._move_to = place_of, move
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
        """Show where something stands; False where it has no place there."""
        self._id = entity_id
        place = self._place_of(self._session.design, entity_id)
        if place is not None:
            for field, value in zip((self.x_field, self.y_field), place, strict=True):
                field.line.setMinimumWidth(self.fontMetrics().horizontalAdvance(USUAL_PLACE) + FRAME_PX)
                field.show_value(written(value))
        return place is not None

    def _move(self, axis: int, text: str) -> str | None:
        return try_edit(self._session, lambda: self._moved(axis, text))

    def _moved(self, axis: int, text: str) -> Edit:
        x, y = self._place_of(self._session.design, self._id) or (0.0, 0.0)
        try:
            value = float(text.replace(",", "."))
        except ValueError:
            raise ParameterError(f"{'XY'[axis]} must be a number, such as 120, not {text.strip()!r}") from None
        return self._move_to(self._session.design, self._id, (value, y) if axis == 0 else (x, value))


def floor_fields(session: Session) -> PositionFields:
    """The middle of a rack on the floor, in meters."""
    return PositionFields(session, _on_floor, lambda design, one, at: floor.place_racks(design, {one: at}))


def written(value: float) -> str:
    """A place to a hundredth of a unit, without zeros behind it."""
    return f"{round(value, 2) + 0.0:.2f}".rstrip("0").rstrip(".")
