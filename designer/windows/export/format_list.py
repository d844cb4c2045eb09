"""The list of export formats: grouped, and searched by a few letters."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLineEdit, QTreeWidget, QTreeWidgetItem, QVBoxLayout, QWidget

from designer.analysis.selecting.fuzzy import score
from designer.exchange.exporter import GROUPS, Exporter
from designer.model.shown_text import plain_text
from designer.panels.widgets.labels import EmptyState
from designer.panels.widgets.rows import DETAIL_ROLE, ID_ROLE, DetailDelegate, rows_under, sections


class FormatList(QWidget):
    """`chosen` carries the exporter that is chosen."""

    chosen = Signal(object)

    def __init__(self, exporters: Sequence[Exporter]) -> None:
        super().__init__()
        self._exporters = {one.name: one for one in exporters}
        self.search = QLineEdit()
        self.search.setPlaceholderText("Search formats")
        self.search.setAccessibleName("Search formats")
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self._search)
        self.tree = QTreeWidget()
        self.tree.setHeaderHidden(True)
        self.tree.setRootIsDecorated(False)
        self.tree.setItemsExpandable(False)
        self.tree.setIndentation(10)
        self.tree.setItemDelegate(DetailDelegate(self.tree))
        self.tree.setAccessibleName("Formats")
        self.tree.currentItemChanged.connect(lambda *_: self._choose())
        self._nothing = EmptyState("No matches.", "Try fewer letters, or the suffix of the file.")
        self._nothing.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self.search)
        column.addWidget(self.tree, 1)
        column.addWidget(self._nothing, 1)
        self._fill()

    @property
    def current(self) -> Exporter | None:
        """The exporter that is chosen."""
        item = self.tree.currentItem()
        return self._exporters.get(str(item.data(0, ID_ROLE))) if item is not None else None

    @property
    def names(self) -> list[str]:
        """The formats that are listed now, from the top down."""
        shown = (item for group in sections(self.tree) for item in rows_under(group) if not item.isHidden())
        return [str(item.data(0, ID_ROLE)) for item in shown]

    def choose(self, name: str) -> None:
        """Make a format the chosen one; the first where there is none of that name."""
        self.search.clear()
        items = [item for group in sections(self.tree) for item in rows_under(group)]
        self.tree.setCurrentItem(next((one for one in items if one.data(0, ID_ROLE) == name), items[0]))

    def _fill(self) -> None:
        by_group: dict[str, list[Exporter]] = {group: [] for group in GROUPS}
        for exporter in self._exporters.values():
            by_group.setdefault(exporter.group, []).append(exporter)
        for group, exporters in by_group.items():
            if not exporters:
                continue
            heading = QTreeWidgetItem([group])
            heading.setFlags(Qt.ItemFlag.ItemIsEnabled)
            font = heading.font(0)
            font.setBold(True)
            heading.setFont(0, font)
            self.tree.addTopLevelItem(heading)
            for exporter in exporters:
                item = QTreeWidgetItem([exporter.title])
                item.setData(0, ID_ROLE, exporter.name)
                item.setData(0, DETAIL_ROLE, " ".join((exporter.suffix, *exporter.other_suffixes)))
                item.setToolTip(0, plain_text(f"{exporter.title}\n{exporter.about}".strip()))
                heading.addChild(item)
            heading.setExpanded(True)

    def _search(self, text: str) -> None:
        for group in sections(self.tree):
            for item in rows_under(group):
                one = self._exporters[str(item.data(0, ID_ROLE))]
                words = " ".join((one.title, one.name, one.suffix, *one.other_suffixes, one.group))
                item.setHidden(bool(text.strip()) and score(text, words) is None)
            group.setHidden(all(item.isHidden() for item in rows_under(group)))
        is_any = bool(self.names)
        self.tree.setVisible(is_any)
        self._nothing.setVisible(not is_any)
        if is_any and (self.current is None or self.current.name not in self.names):
            shown = (item for group in sections(self.tree) for item in rows_under(group) if not item.isHidden())
            self.tree.setCurrentItem(next(shown))

    def _choose(self) -> None:
        if self.current is not None:
            self.chosen.emit(self.current)
