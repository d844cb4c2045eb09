"""The outline: groups and rooms of the design as a tree, filled as it is opened, with one selection with all views."""

from collections.abc import Iterable, Iterator

from PySide6.QtCore import QItemSelectionModel, Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QAbstractItemView, QLineEdit, QTreeWidget, QTreeWidgetItem, QVBoxLayout, QWidget

from designer.analysis.outline import MOST_HITS, Entry, Outline
from designer.model.edit import Edit
from designer.model.shown_text import plain_text
from designer.panels.bookmarks import BookmarkList
from designer.panels.widgets.appearance import Appearance
from designer.panels.widgets.labels import EmptyState
from designer.panels.widgets.rows import DETAIL_ROLE, ID_ROLE, DetailDelegate, all_rows, rows_under
from designer.session.session import Session
from designer.session.timers import later

ENTRY_ROLE = ID_ROLE
REFRESH_MS = 150
MOST_SHOWN = 300
"""Of a larger selection the lines are not searched for."""
Key = tuple[str, ...]


class OutlinePanel(QWidget):
    """Search line and tree. `going` carries what to bring into view: what was double-clicked or entered."""

    going = Signal(object)

    def __init__(self, session: Session, appearance: Appearance) -> None:
        super().__init__()
        self._session, self._appearance = session, appearance
        self._outline = Outline(session.design)
        self._stale = True
        self._linking = False
        """While one selection follows the other."""
        self.search = QLineEdit()
        self.search.setPlaceholderText("Search names")
        self.search.setClearButtonEnabled(True)
        self.search.setAccessibleName("Search the outline")
        self.tree = QTreeWidget()
        self.tree.setHeaderHidden(True)
        self.tree.setUniformRowHeights(True)
        self.tree.setIndentation(16)
        self.tree.setExpandsOnDoubleClick(False)
        self.tree.setItemDelegate(DetailDelegate(self.tree, 24))
        self.tree.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.tree.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.tree.setAccessibleName("Outline")
        self._nothing = EmptyState("No matches.", "The search covers names of groups, racks and devices.")
        self._nothing.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 8, 0, 0)
        column.setSpacing(6)
        line = QVBoxLayout()
        line.setContentsMargins(8, 0, 8, 0)
        line.addWidget(self.search)
        column.addLayout(line)
        column.addWidget(self.tree, 1)
        column.addWidget(self._nothing, 1)
        self.bookmarks = BookmarkList(session, appearance)
        column.addWidget(self.bookmarks)
        self._refresh_later = later(self, REFRESH_MS, self.refresh)
        self.search.textChanged.connect(self._refresh_later.start)
        self.tree.itemExpanded.connect(self._fill)
        self.tree.itemActivated.connect(self._go)
        self.tree.itemSelectionChanged.connect(self._select_in_session)
        session.changed.connect(self._follow)
        session.reset.connect(self._start_afresh)
        session.selection_changed.connect(self._show_selection)
        appearance.changed.connect(self._start_afresh)

    # -- keeping up -----------------------------------------------------------------------------------------------

    def showEvent(self, event: QShowEvent) -> None:
        """Bring the tree up to date when it is seen."""
        super().showEvent(event)
        if self._stale:
            self.refresh()

    def _follow(self, _edit: Edit) -> None:
        self._stale = True
        if self.isVisible():
            self._refresh_later.start()

    def _start_afresh(self) -> None:
        self._stale = True
        self.tree.clear()
        if self.isVisible():
            self.refresh()

    def refresh(self) -> None:
        """Make the tree of the design as it stands; branches that were open stay open."""
        opened = {_key(item) for item in all_rows(self.tree) if item.isExpanded()}
        bar = self.tree.verticalScrollBar()
        seen_from = bar.value()
        self._outline, self._stale = Outline(self._session.design), False
        wanted = self.search.text().strip()
        hits = self._outline.search(wanted)
        self._linking = True
        self.tree.clear()
        self._add(self.tree.invisibleRootItem(), hits if wanted else self._outline.roots())
        self._open_again(self.tree.invisibleRootItem(), opened)
        self._linking = False
        self._nothing.setVisible(bool(wanted) and not hits)
        self.tree.setVisible(self._nothing.isHidden())
        self.tree.setToolTip(plain_text(f"The first {MOST_HITS} matches" if len(hits) == MOST_HITS else ""))
        bar.setValue(seen_from)
        self._show_selection()

    def _open_again(self, parent: QTreeWidgetItem, opened: set[Key]) -> None:
        for item in rows_under(parent):
            if _key(item) in opened:
                item.setExpanded(True)
                self._open_again(item, opened)

    def _add(self, parent: QTreeWidgetItem, entries: Iterable[Entry]) -> None:
        items = []
        for entry in entries:
            item = QTreeWidgetItem([entry.title])
            item.setData(0, ENTRY_ROLE, entry)
            item.setData(0, DETAIL_ROLE, entry.detail)
            item.setToolTip(0, plain_text(entry.counted))
            if entry.kind:
                item.setIcon(0, self._appearance.icon(entry.kind, "muted"))
            if entry.has_children:
                item.setChildIndicatorPolicy(QTreeWidgetItem.ChildIndicatorPolicy.ShowIndicator)
            items.append(item)
        parent.addChildren(items)

    def _fill(self, item: QTreeWidgetItem) -> None:
        """Add the lines below one that is opened for the first time."""
        if not item.childCount():
            self._add(item, self._outline.children(item.data(0, ENTRY_ROLE)))

    # -- one selection --------------------------------------------------------------------------------------------

    def _select_in_session(self) -> None:
        if not self._linking:
            self._linking = True
            self._session.select(one for item in self.tree.selectedItems() for one in _entry(item).ids)
            self._linking = False

    def _show_selection(self) -> None:
        """Choose the lines of what is selected elsewhere; the branches to a single thing are opened."""
        if self._linking or self._stale or not self.isVisible():
            return
        selection = self._session.selection
        self._linking = True
        self.tree.clearSelection()
        if len(selection) == 1 and not self.search.text():
            self._reveal(next(iter(selection)))
        if len(selection) <= MOST_SHOWN:
            for item in self._shown():
                ids = _entry(item).ids
                if len(ids) == 1 and ids[0] in selection:
                    item.setSelected(True)
        self._linking = False

    def _shown(self) -> Iterator[QTreeWidgetItem]:
        return (item for item in all_rows(self.tree))

    def _reveal(self, entity_id: str) -> None:
        parent = self.tree.invisibleRootItem()
        for key in self._outline.path_to(entity_id):
            found = next((item for item in rows_under(parent) if _key(item) == key), None)
            if found is None:
                continue  # racks stand right below the room where none is on the floor
            if key == (entity_id,):
                self.tree.setCurrentItem(found, 0, QItemSelectionModel.SelectionFlag.NoUpdate)
                self.tree.scrollToItem(found)
                return
            found.setExpanded(True)
            parent = found

    def _go(self, item: QTreeWidgetItem) -> None:
        ids = frozenset(_entry(item).ids)
        if ids:
            self.going.emit(ids)
        else:
            item.setExpanded(not item.isExpanded())


def _entry(item: QTreeWidgetItem) -> Entry:
    entry: Entry = item.data(0, ENTRY_ROLE)
    return entry


def _key(item: QTreeWidgetItem) -> Key:
    return _entry(item).key
