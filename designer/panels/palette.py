"""The palette: the catalog as a list to drag from, with search and what was last used on top."""

from PySide6.QtCore import QElapsedTimer, QMimeData, QPoint, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QDrag, QFocusEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QLineEdit,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from designer.catalog.catalog import Catalog
from designer.catalog.headline import headline, search_text
from designer.model.hardware.modules import LineCardType, NicType
from designer.model.hardware.racks import RackType
from designer.model.hardware.servers import ServerType
from designer.model.hardware.switches import SwitchType
from designer.model.hardware.types import HardwareType
from designer.model.several import ONE, request
from designer.panels.inspector.facts import tooltip
from designer.panels.widgets.appearance import Appearance
from designer.panels.widgets.labels import ElidedLabel, EmptyState
from designer.panels.widgets.rows import DETAIL_ROLE, ID_ROLE, DetailDelegate, rows_under, sections
from designer.session.placing import Placing
from designer.session.preferences import Preferences

MIME_TYPE = "application/x-fabric-type"
TYPE_ROLE = ID_ROLE
RECENT = "Recently used"
ICON_OF: dict[type, str] = {
    SwitchType: "switch",
    ServerType: "server",
    NicType: "nic",
    LineCardType: "nic",
    RackType: "rack",
}


class TypeTree(QTreeWidget):
    """The list itself. What is dragged out of it is the id of a type; a number typed before or during says how many."""

    activated_type = Signal(str)
    placing_next = Signal()
    """A type is about to be dragged or added."""

    def __init__(self, placing: Placing, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._placing = placing
        self._searched = QElapsedTimer()
        """Since a letter was last typed to find a row."""
        self._dragging = False
        self.setHeaderHidden(True)
        self.setRootIsDecorated(False)
        self.setIndentation(10)
        self.setIconSize(QSize(18, 18))
        self.setDragEnabled(True)
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragOnly)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setItemDelegate(DetailDelegate(self, keeps_detail=True))
        self.setExpandsOnDoubleClick(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerItem)
        self.setAccessibleName("Catalog")
        self.itemDoubleClicked.connect(self._activate)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Rows are higher in a narrow list."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.scheduleDelayedItemsLayout()

    def mimeTypes(self) -> list[str]:
        """The one format of a drag: the id of a hardware type."""
        return [MIME_TYPE]

    def mimeData(self, items: list[QTreeWidgetItem]) -> QMimeData:  # type: ignore[override]
        """The id of the dragged type; nothing from a heading."""
        data = QMimeData()
        for item in items:
            type_id = item.data(0, TYPE_ROLE)
            if type_id:
                data.setData(MIME_TYPE, str(type_id).encode())
        return data

    def supportedDropActions(self) -> Qt.DropAction:
        """Copy: dragging a type leaves it in the palette."""
        return Qt.DropAction.CopyAction

    def startDrag(self, actions: Qt.DropAction) -> None:
        """Drag the type under the mouse; digits typed meanwhile say how many of it."""
        self.placing_next.emit()
        current = self.currentItem()
        if current is None:
            return
        drag = QDrag(self)
        drag.setMimeData(self.mimeData([current]))
        icon = current.icon(0).pixmap(self.iconSize())
        drag.setPixmap(icon)
        drag.setHotSpot(QPoint(icon.width() + 6, icon.height() + 6))  # clear of the boxes shown where they would stand
        self._dragging = True
        QTimer.singleShot(0, self._placing, self._placing.follow_keys)  # once the drag itself takes all keys
        try:
            drag.exec(actions, Qt.DropAction.CopyAction)
        finally:
            self._dragging = False
            self._placing.leave_keys()
            self._placing.forget()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Add the current type on Enter, as many as typed before; Esc forgets the number."""
        current = self.currentItem()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and current is not None:
            self._activate(current)
        elif event.key() == Qt.Key.Key_Escape and self._placing.wanted != ONE:
            self._placing.forget()
        elif self._is_searching() or not self._placing.take(event):
            super().keyPressEvent(event)

    def keyboardSearch(self, text: str) -> None:
        """Go to the next row that begins with what was typed; digits belong to it once it has begun."""
        self._searched.start()
        super().keyboardSearch(text)

    def _is_searching(self) -> bool:
        return self._searched.isValid() and self._searched.elapsed() < QApplication.keyboardInputInterval()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Forget the number typed when the keyboard goes elsewhere in the window."""
        if not self._dragging and event.reason() is not Qt.FocusReason.ActiveWindowFocusReason:
            self._placing.forget()
        super().focusOutEvent(event)

    def _activate(self, item: QTreeWidgetItem) -> None:
        type_id = item.data(0, TYPE_ROLE)
        if type_id:
            self.placing_next.emit()
            self.activated_type.emit(str(type_id))


class PalettePanel(QWidget):
    """Search line and type tree. `type_activated` carries the id of a type to add at the centre of the view.

    "8 dgx h100 as gpu-1" in the search line asks for eight, named on from gpu-1.
    """

    type_activated = Signal(str)

    def __init__(self, catalog: Catalog, placing: Placing, appearance: Appearance, preferences: Preferences) -> None:
        super().__init__()
        self._catalog = catalog
        self._for_management: set[str] = set()
        self._placing = placing
        self._appearance = appearance
        self._preferences = preferences
        self.search = QLineEdit()
        self.search.setPlaceholderText("Search the catalog")
        self.search.setClearButtonEnabled(True)
        self.search.setAccessibleName("Search the catalog")
        self.search.setToolTip("Enter adds the first match. 8 dgx h100 as gpu-1 adds eight, named gpu-1 to gpu-8.")
        self.search.textChanged.connect(self._search)
        self.search.returnPressed.connect(self._activate_first)
        self.tree = TypeTree(placing)
        self.tree.placing_next.connect(self._ask_as_searched)
        self._count = ElidedLabel("", "muted")
        self._count.hide()
        placing.changed.connect(self._show_count)
        self.tree.activated_type.connect(self.type_activated)
        self._nothing = EmptyState("No matches.", "Search covers vendor, kind, model, rate and protocol.")
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
        foot = QVBoxLayout()
        foot.setContentsMargins(8, 0, 8, 6)
        foot.addWidget(self._count)
        column.addLayout(foot)
        appearance.changed.connect(self._fill)
        preferences.recent_types_changed.connect(self._fill_recent)
        self._recent: list[str] = []
        self._fill()

    def focus_search(self) -> None:
        """Put the cursor into the search line, its text selected."""
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.selectAll()

    def show_catalog(self, catalog: Catalog) -> None:
        """List the types of another catalog."""
        self._catalog = catalog
        self._fill()

    # -- how many -------------------------------------------------------------------------------------------------

    def _search(self, text: str) -> None:
        self._filter(text)
        self._placing.ask(request(text)[0])

    def _ask_as_searched(self) -> None:
        """Want what the search line says, unless a number was typed over the list."""
        if not self._placing.is_typed:
            self._placing.ask(request(self.search.text())[0])

    def _show_count(self) -> None:
        wanted = self._placing.wanted
        named = f", from {wanted.name}" if wanted.name else ""
        self._count.set_text(f"{wanted.count} at once{named}: drag, or Enter")
        self._count.setVisible(wanted != ONE)

    # -- contents -------------------------------------------------------------------------------------------------

    def _fill(self) -> None:
        catalog = self._catalog
        slots = (slot for type_ in catalog.types.values() if isinstance(type_, ServerType) for slot in type_.slots)
        self._for_management = {slot.network_nic_type_id for slot in slots if slot.purpose == "management"}
        self.tree.clear()
        contents: tuple[tuple[str, list[HardwareType]], ...] = (
            ("switches", [*catalog.switches()]),
            ("servers", [*catalog.servers()]),
            ("NICs: drop onto a server", [*catalog.nics()]),
            ("line cards: drop onto a chassis", [*catalog.line_cards()]),
            ("racks", [*catalog.racks()]),
        )
        for title, types in contents:
            by_vendor: dict[str, list[HardwareType]] = {}
            for type_ in types:
                by_vendor.setdefault(type_.vendor or "Other", []).append(type_)
            for vendor, its in by_vendor.items():
                self._add_section(f"{vendor} {title}", its)
        self._fill_recent()
        self._filter(self.search.text())
        self.tree.scrollToTop()

    def _fill_recent(self) -> None:
        """What was used lately stands on top. The rows below it stay where they are seen, and so do those in it."""
        known = [type_id for type_id in self._preferences.recent_types if type_id in self._catalog.types]
        kept = [type_id for type_id in self._recent if type_id in known]
        self._recent = [*(type_id for type_id in known if type_id not in kept), *kept]
        old = self._recent_section()
        rows_before = 0 if old is None else 1 + old.childCount()
        if old is not None and [item.data(0, TYPE_ROLE) for item in rows_under(old)] == self._recent:
            return
        bar = self.tree.verticalScrollBar()
        seen_from = bar.value()
        if old is not None:
            self.tree.takeTopLevelItem(0)
        if not self._recent:
            return
        self._add_section(RECENT, [self._catalog.types[type_id] for type_id in self._recent], at=0)
        self._filter(self.search.text())
        if not self.search.text():
            self.tree.doItemsLayout()
            bar.setValue(seen_from + 1 + len(self._recent) - rows_before)

    def _recent_section(self) -> QTreeWidgetItem | None:
        first = self.tree.topLevelItem(0)
        return first if first is not None and first.text(0) == RECENT else None

    def _add_section(self, title: str, types: list[HardwareType], at: int | None = None) -> None:
        section = QTreeWidgetItem([title])
        section.setFlags(Qt.ItemFlag.ItemIsEnabled)
        section.setForeground(0, self._appearance.colour("muted"))
        font = section.font(0)
        font.setBold(True)
        section.setFont(0, font)
        self.tree.insertTopLevelItem(self.tree.topLevelItemCount() if at is None else at, section)
        for type_ in types:
            item = QTreeWidgetItem([type_.model])
            item.setIcon(0, self._appearance.icon(ICON_OF[type(type_)], "muted"))
            item.setData(0, TYPE_ROLE, type_.id)
            item.setData(0, DETAIL_ROLE, headline(type_))
            item.setToolTip(0, tooltip(type_))
            item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsDragEnabled)
            section.addChild(item)
        section.setExpanded(True)

    def _filter(self, text: str) -> None:
        words = request(text)[1].lower().split()
        any_shown = False
        for section in sections(self.tree):
            shown = 0
            once = bool(words) and section.text(0) == RECENT  # what is searched for is listed under its own heading
            for item in rows_under(section):
                matches = not once and all(word in self._haystack(str(item.data(0, TYPE_ROLE))) for word in words)
                item.setHidden(not matches)
                shown += matches
            section.setHidden(shown == 0)
            any_shown = any_shown or shown > 0
        self.tree.setVisible(any_shown)
        self._nothing.setVisible(not any_shown)

    def _haystack(self, type_id: str) -> str:
        is_for_management = type_id in self._for_management
        return search_text(self._catalog.types[type_id]) + (" bmc management oob" if is_for_management else "")

    def _activate_first(self) -> None:
        for section in sections(self.tree):
            for item in rows_under(section):
                if not item.isHidden():
                    self._ask_as_searched()
                    self.type_activated.emit(str(item.data(0, TYPE_ROLE)))
                    self.search.selectAll()
                    return
