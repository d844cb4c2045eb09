"""The bookmarks of the design as a list: go to a view, bring it up to date, rename it in place, delete it."""

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QListWidget, QListWidgetItem, QMenu, QToolButton, QVBoxLayout, QWidget

from designer.model import operations
from designer.model.bookmark import CANVAS, ELEVATION, FLOOR, MATRIX, Bookmark
from designer.model.edit import Edit
from designer.model.records import ordered
from designer.model.shown_text import plain_text, visible_line
from designer.panels.widgets.appearance import Appearance
from designer.panels.widgets.labels import label
from designer.panels.widgets.rows import DETAIL_ROLE, ID_ROLE, ROW_HEIGHT, DetailDelegate
from designer.session.session import Session

VIEW_TITLES = {CANVAS: "Canvas", MATRIX: "Matrix", FLOOR: "Floor plan", ELEVATION: "Rack elevation"}
MOST_ROWS = 6
"""More are scrolled to: the outline above needs the room."""


def run_title(one: Bookmark) -> str:
    """The collective or traffic that a bookmark keeps a run of; "" where it keeps none."""
    run = dict(one.run)
    return visible_line(run.get("collective") or run.get("traffic") or "")


def detail_of(one: Bookmark) -> str:
    """What lists show of a bookmark next to its name: the view, and what was run."""
    return ", ".join(filter(None, (VIEW_TITLES[one.view], run_title(one))))


class BookmarkList(QWidget):
    """`going` and `updating` carry the id of a bookmark, `adding` asks for another."""

    going = Signal(str)
    updating = Signal(str)
    adding = Signal()

    def __init__(self, session: Session, appearance: Appearance) -> None:
        super().__init__()
        self._session, self._appearance = session, appearance
        self.list = QListWidget()
        self.list.setAccessibleName("Bookmarks")
        self.list.setItemDelegate(DetailDelegate(self.list))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setEditTriggers(QListWidget.EditTrigger.NoEditTriggers)
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.add_button = QToolButton()
        self.add_button.setProperty("kind", "quiet")
        self.add_button.setToolTip("Add a bookmark of this view")
        self.add_button.setAccessibleName("Add bookmark")
        self.add_button.clicked.connect(self.adding)
        head = QHBoxLayout()
        head.setContentsMargins(10, 2, 4, 0)
        head.addWidget(label("Bookmarks", "section"), 1)
        head.addWidget(self.add_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addLayout(head)
        column.addWidget(self.list)
        self.list.itemActivated.connect(self._go)
        self.list.itemClicked.connect(self._go)
        self.list.itemChanged.connect(self._renamed)
        self.list.customContextMenuRequested.connect(self._show_menu)
        self.list.installEventFilter(self)
        session.changed.connect(self._follow)
        session.reset.connect(self.refresh)
        session.workbench.bookmarked.changed.connect(self.refresh)
        appearance.changed.connect(self._recolour)
        self._recolour()
        self.refresh()

    # -- keeping up -----------------------------------------------------------------------------------------------

    def _follow(self, edit: Edit) -> None:
        if Bookmark in edit.kinds:
            self.refresh()

    def _recolour(self) -> None:
        self.add_button.setIcon(self._appearance.icon("plus", "muted"))

    def refresh(self) -> None:
        """List the bookmarks that there are, the one that was chosen still chosen."""
        chosen = self.chosen()
        self.list.blockSignals(True)
        self.list.clear()
        for one in ordered(self._session.design.bookmarks):
            item = QListWidgetItem(one.name)
            item.setData(ID_ROLE, one.id)
            is_waiting = one.id == self._session.workbench.bookmarked.waiting
            item.setData(DETAIL_ROLE, "computing…" if is_waiting else detail_of(one))
            item.setToolTip(plain_text(f"{one.name}: {detail_of(one)}"))
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsEditable)
            self.list.addItem(item)
            if one.id == chosen:
                self.list.setCurrentItem(item)
        self.list.blockSignals(False)
        count = self.list.count()
        row = max(self.list.sizeHintForRow(0), ROW_HEIGHT)
        self.list.setFixedHeight(min(count, MOST_ROWS) * row + (6 if count else 0))
        self.list.setVisible(bool(count))

    def chosen(self) -> str:
        """The id of the bookmark that is chosen; "" for none."""
        item = self.list.currentItem()
        return str(item.data(ID_ROLE)) if item is not None else ""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """F2 and Delete are about the bookmark while the list has the keyboard, not about the selection."""
        if isinstance(event, QKeyEvent) and event.key() in (Qt.Key.Key_F2, Qt.Key.Key_Delete):
            if event.type() == QEvent.Type.ShortcutOverride:
                event.accept()
                return True
            if event.type() == QEvent.Type.KeyPress:
                (self.rename if event.key() == Qt.Key.Key_F2 else self.delete)()
                return True
        return super().eventFilter(watched, event)

    # -- what is done with one ------------------------------------------------------------------------------------

    def _go(self, item: QListWidgetItem) -> None:
        self.going.emit(str(item.data(ID_ROLE)))

    def rename(self) -> None:
        """Open the name of the one that is chosen for typing."""
        item = self.list.currentItem()
        if item is not None:
            self.list.editItem(item)

    def delete(self) -> None:
        """Delete the one that is chosen."""
        chosen = self.chosen()
        if chosen:
            self._session.attempt(lambda: operations.delete_bookmark(self._session.design, chosen))

    def _renamed(self, item: QListWidgetItem) -> None:
        session, one = self._session, str(item.data(ID_ROLE))
        if not session.attempt(lambda: operations.rename_bookmark(session.design, one, item.text())):
            self.refresh()

    def menu_at(self, at: QPoint) -> QMenu | None:
        """The menu of the bookmark at a point of the list; None where there is none."""
        item = self.list.itemAt(at)
        if item is None:
            return None
        self.list.setCurrentItem(item)
        one, menu = str(item.data(ID_ROLE)), QMenu(self)
        for text, slot in (
            ("Go To", lambda: self.going.emit(one)),
            ("Update with This View", lambda: self.updating.emit(one)),
            ("Rename", self.rename),
            ("Delete", self.delete),
        ):
            action = QAction(text, menu)
            action.triggered.connect(slot)
            menu.addAction(action)
        return menu

    def _show_menu(self, at: QPoint) -> None:
        menu = self.menu_at(at)
        if menu is not None:
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            menu.popup(self.list.viewport().mapToGlobal(at))
