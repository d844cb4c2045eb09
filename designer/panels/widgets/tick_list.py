"""A list of choices to tick and to put in order."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractItemView, QListWidget, QListWidgetItem

from designer.fields.field import Field
from designer.model.shown_text import visible_line
from designer.panels.widgets.rows import ID_ROLE

HEIGHT_PX = 190
ON, OFF = Qt.CheckState.Checked, Qt.CheckState.Unchecked


class TickList(QListWidget):
    """The choices of a field of names. All of them, in the field's order, are what an empty field stands for."""

    def __init__(self, field: Field, changed: Callable[[], None]) -> None:
        super().__init__()
        self._titles = {choice.name: choice.title for choice in field.offered}
        self.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        self.setFixedHeight(HEIGHT_PX)
        self.show_names(field.default)
        self.itemChanged.connect(lambda _item: changed())
        self.model().rowsMoved.connect(lambda *_: changed())

    @property
    def names(self) -> tuple[str, ...]:
        """What is ticked, in the order of the list."""
        items = [self.item(row) for row in range(self.count())]
        ticked = tuple(str(item.data(ID_ROLE)) for item in items if item.checkState() == ON)
        return () if ticked == tuple(self._titles) else ticked

    def show_names(self, names: tuple[str, ...]) -> None:
        """Tick these, in this order, and list the others after them; all are ticked where there are none."""
        ticked = [name for name in names if name in self._titles] or list(self._titles)
        self.blockSignals(True)  # the caller knows
        self.clear()
        for name in (*ticked, *(one for one in self._titles if one not in ticked)):
            item = QListWidgetItem(visible_line(self._titles[name]))
            item.setData(ID_ROLE, name)
            item.setCheckState(ON if name in ticked else OFF)
            item.setFlags(item.flags() & ~Qt.ItemFlag.ItemIsDropEnabled)  # beside it, not into it
            self.addItem(item)
        self.blockSignals(False)
