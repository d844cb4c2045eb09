"""The page of keyboard shortcuts, read from the table of actions."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QDialog, QHeaderView, QLineEdit, QTreeWidget, QTreeWidgetItem, QVBoxLayout

from designer.panels.widgets import rows as tree_rows
from designer.panels.widgets.labels import enlarged
from designer.windows.commands.actions import ActionRow
from designer.windows.commands.table import ACTIONS
from designer.windows.desk import Desk


class ShortcutsDialog(QDialog):
    """Every action by menu, with its keys; the line on top filters."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.window)
        self.setWindowTitle("Keyboard Shortcuts")
        self.search = QLineEdit()
        self.search.setPlaceholderText("Filter by name or key")
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self._filter)
        self.tree = QTreeWidget()
        self.tree.setHeaderLabels(["Action", "Keys", "What it does"])
        self.tree.setRootIsDecorated(False)
        self.tree.setIndentation(14)
        self.tree.header().setSectionResizeMode(0, QHeaderView.ResizeMode.ResizeToContents)
        self.tree.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 12, 12, 12)
        column.setSpacing(8)
        column.addWidget(self.search)
        column.addWidget(self.tree, 1)
        self._fill()
        self.resize(enlarged(820), 640)

    def _fill(self) -> None:
        sections: dict[str, QTreeWidgetItem] = {}
        for row in ACTIONS:
            section = sections.get(row.menu)
            if section is None:
                section = sections[row.menu] = QTreeWidgetItem([row.menu])
                section.setFlags(Qt.ItemFlag.ItemIsEnabled)
                font = section.font(0)
                font.setBold(True)
                section.setFont(0, font)
                self.tree.addTopLevelItem(section)
                section.setExpanded(True)
            section.addChild(QTreeWidgetItem([row.text.replace("…", ""), keys_of(row), row.hint]))

    def _filter(self, text: str) -> None:
        words = text.lower().split()
        for section in tree_rows.sections(self.tree):
            shown = 0
            for child in tree_rows.rows_under(section):
                matches = all(word in f"{child.text(0)} {child.text(1)} {child.text(2)}".lower() for word in words)
                child.setHidden(not matches)
                shown += matches
            section.setHidden(not shown)


def keys_of(row: ActionRow) -> str:
    """The shortcuts of an action as the platform writes them."""
    return ", ".join(keys.toString(QKeySequence.SequenceFormat.NativeText) for keys in row.shortcuts)
