"""The NIC slots of a server: what each holds, with install and remove."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QMenu,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from designer.model import operations
from designer.model.hardware import NicType, ServerType, Slot
from designer.panels.appearance import Appearance
from designer.panels.facts import headline, tooltip
from designer.panels.rows import fitting_height
from designer.session.session import Session

SLOT_ROLE = int(Qt.ItemDataRole.UserRole)
MODULE_ROLE = SLOT_ROLE + 1
SHOWN_ROWS = 10


class NicSlots(QWidget):
    """A row a slot. Install fills the chosen slots, Remove empties them; links on their ports go first."""

    def __init__(self, session: Session, appearance: Appearance) -> None:
        super().__init__()
        self._session = session
        self._appearance = appearance
        self._device_id = ""
        self._signature: object = None
        self.tree = QTreeWidget()
        self.tree.setHeaderLabels(["Slot", "NIC", "Serves"])
        self.tree.setRootIsDecorated(False)
        self.tree.setUniformRowHeights(True)
        self.tree.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.tree.setAccessibleName("NIC slots")
        header = self.tree.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(2, QHeaderView.ResizeMode.ResizeToContents)
        self.tree.itemSelectionChanged.connect(self._enable)
        self.install = QPushButton("Install")
        self.install.setToolTip("Put a NIC into the chosen slots, or into the next free one")
        self._menu = QMenu(self.install)
        self._menu.aboutToShow.connect(self._offer)
        self.install.setMenu(self._menu)
        self.remove = QPushButton("Remove")
        self.remove.setToolTip("Take the NICs out of the chosen slots; links on their ports are deleted too")
        self.remove.clicked.connect(self._remove)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(self.tree)
        line = QHBoxLayout()
        line.setSpacing(6)
        line.addWidget(self.install)
        line.addWidget(self.remove)
        line.addStretch(1)
        column.addLayout(line)

    def show_server(self, device_id: str) -> None:
        design = self._session.design
        self._device_id = device_id
        type_ = design.device_type(device_id)
        modules = {module.slot: module for module in design.modules_of(device_id)}
        signature = (device_id, type_, tuple(modules.values()))
        if signature != self._signature and isinstance(type_, ServerType):
            self._signature = signature
            self.tree.clear()
            for slot in type_.slots:
                module = modules.get(slot.name)
                nic = design.nic_type(module.id) if module is not None else None
                self.tree.addTopLevelItem(self._row(slot, nic, module.id if module is not None else ""))
            self.tree.setFixedHeight(fitting_height(self.tree, min(len(type_.slots), SHOWN_ROWS)))
        self._enable()

    def _row(self, slot: Slot, nic: NicType | None, module_id: str) -> QTreeWidgetItem:
        item = QTreeWidgetItem([slot.name, nic.model if nic is not None else "empty", _serves(slot)])
        item.setData(0, SLOT_ROLE, slot.name)
        item.setData(0, MODULE_ROLE, module_id)
        if nic is not None:
            item.setToolTip(1, tooltip(nic))
        else:
            item.setForeground(1, self._appearance.colour("muted"))
        item.setForeground(2, self._appearance.colour("muted"))
        return item

    def _enable(self) -> None:
        self.remove.setEnabled(any(item.data(0, MODULE_ROLE) for item in self.tree.selectedItems()))

    def _offer(self) -> None:
        self._menu.clear()
        for nic in self._session.catalog.nics():
            action = self._menu.addAction(f"{nic.model}  ·  {headline(nic)}")
            action.triggered.connect(lambda _checked=False, nic=nic: self._install(nic))

    def _install(self, nic: NicType) -> None:
        design = self._session.design
        slots = [str(item.data(0, SLOT_ROLE)) for item in self.tree.selectedItems() if not item.data(0, MODULE_ROLE)]
        wanted: list[str | None] = [*slots] or [None]
        for slot in wanted:
            if not self._session.attempt(
                lambda slot=slot: operations.install_nic(design, self._device_id, nic, slot)  # type: ignore[misc]
            ):
                break

    def _remove(self) -> None:
        ids = [str(item.data(0, MODULE_ROLE)) for item in self.tree.selectedItems() if item.data(0, MODULE_ROLE)]
        self._session.attempt(lambda: operations.remove_modules(self._session.design, ids))


def _serves(slot: Slot) -> str:
    if slot.purpose != "fabric":
        return slot.purpose
    return "all GPUs" if slot.gpu is None else f"GPU {slot.gpu}"
