"""Measures of the room: what the floor plan and the lengths of cables go by. Each takes effect at once."""

from functools import partial

from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QVBoxLayout

from designer.model import operations
from designer.panels.widgets.fields import TextField, add_row, form, try_edit
from designer.panels.widgets.labels import label
from designer.windows.desk import Desk
from designer.windows.files import saving

FIELDS = (
    ("tray_height_m", "Tray height, m"),
    ("cable_slack_m", "Cable slack, m"),
    ("aisle_m", "Aisle, m"),
    ("rack_width_m", "Rack width, m"),
    ("rack_depth_m", "Rack depth, m"),
)


class RoomDialog(QDialog):
    """Stays open beside the window; every finished field is one edit."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.window)
        self._session = desk.session
        self.setWindowTitle("Room Dimensions")
        self.fields = {name: TextField(text, partial(self._set, name)) for name, text in FIELDS}
        self.trays = TextField("Cross trays", self._set_trays, "over every rack")
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(12)
        rows = form()
        for name, text in FIELDS:
            add_row(rows, text, self.fields[name])
        add_row(rows, "Cross trays at, m", self.trays)
        column.addLayout(rows)
        column.addWidget(
            label(
                "Slack is for both ends of a cable together. Cross trays run from row to row: enter their positions "
                "along the rows, separated by commas. To update the lengths, use Room > Calculate Cable Lengths.",
                "muted",
                wrap=True,
            )
        )
        column.addStretch(1)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.close)
        column.addWidget(buttons)
        self._session.changed.connect(self.refresh)
        self._session.reset.connect(self.refresh)
        self._session.reset.connect(self._leave)
        save = QShortcut(QKeySequence(QKeySequence.StandardKey.Save), self)
        save.activated.connect(partial(self._save, desk))
        self.refresh()
        self.resize(420, 380)

    def refresh(self) -> None:
        settings = self._session.design.settings
        for name, field in self.fields.items():
            field.show_value(f"{getattr(settings, name):g}")
        self.trays.show_value(", ".join(f"{x:g}" for x in settings.cross_trays_m))

    def _leave(self) -> None:
        """Another design is open: what was being typed was meant for the one before."""
        for field in (*self.fields.values(), self.trays):
            field.take_back()
        self.close()

    def _save(self, desk: Desk) -> None:
        """Ctrl+S, as in the window: what is being typed is saved too, unless it is refused."""
        if all(field.finish() for field in (*self.fields.values(), self.trays)):
            saving.save(desk)

    def _set(self, name: str, text: str) -> str | None:
        try:
            value = float(text)
        except ValueError:
            return f"{text!r} is not a number of metres."
        return try_edit(self._session, lambda: operations.set_settings(self._session.design, **{name: value}))

    def _set_trays(self, text: str) -> str | None:
        try:
            trays = tuple(float(part) for part in text.split(",") if part.strip())
        except ValueError:
            return "Enter metres separated by commas, such as -3.6, 3.6."
        return try_edit(self._session, lambda: operations.set_settings(self._session.design, cross_trays_m=trays))
