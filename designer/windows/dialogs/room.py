"""Room dimensions: what the floor plan and the lengths of cables go by. Each takes effect at once."""

from functools import partial
from typing import Any

from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QVBoxLayout

from designer.fields.field import fields_of
from designer.model import operations
from designer.model.settings import ROOM, Settings
from designer.panels.widgets.fields import form, try_edit
from designer.panels.widgets.labels import label
from designer.panels.widgets.live_fields import LiveFields
from designer.windows.desk import Desk
from designer.windows.files import saving


class RoomDialog(QDialog):
    """Stays open beside the window; every finished field is one edit."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.window)
        self._session = desk.session
        self.setWindowTitle("Room Dimensions")
        self.fields = LiveFields(self._change, desk.session.message.emit)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(12)
        rows = form()
        for field in fields_of(Settings).values():
            if field.section == ROOM:
                self.fields.add(field, rows)
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
        """Show the room dimensions that the design has now."""
        self.fields.show(self._session.design.settings)

    def _leave(self) -> None:
        """Another design is open: what was being typed was meant for the one before."""
        self.fields.take_back()
        self.close()

    def _save(self, desk: Desk) -> None:
        """Ctrl+S, as in the window: what is being typed is saved too, unless it is refused."""
        if self.fields.finish():
            saving.save(desk)

    def _change(self, **values: Any) -> str | None:
        return try_edit(self._session, lambda: operations.set_settings(self._session.design, **values))
