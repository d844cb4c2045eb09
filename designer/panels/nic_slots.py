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
from designer.model.entities import Module
from designer.model.hardware import NicType, ServerType, Slot
from designer.model.shown_text import in_menu
from designer.panels.appearance import Appearance
from designer.panels.facts import headline, tooltip
from designer.panels.fields import ChoiceField, add_row, form
from designer.panels.rows import fitting_height
from designer.session.session import Session

SLOT_ROLE = int(Qt.ItemDataRole.UserRole)
MODULE_ROLE = SLOT_ROLE + 1
SHOWN_ROWS = 10


class NicSlots(QWidget):
    """A row a slot. Install fills the chosen slots, Remove empties them; links on their ports go first.

    NICs that can run in several modes have a chooser for it: of those in the chosen slots, or of all.
    """

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
        self.mode = ChoiceField("NIC mode", self._set_mode)
        self._modes = QWidget()
        modes = form()
        modes.setContentsMargins(0, 0, 0, 0)
        self._modes.setLayout(modes)
        add_row(modes, "NIC mode", self.mode)
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
        column.addWidget(self._modes)

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
                self.tree.addTopLevelItem(self._row(slot, nic, module))
            self.tree.setFixedHeight(fitting_height(self.tree, min(len(type_.slots), SHOWN_ROWS)))
        self._enable()

    def _row(self, slot: Slot, nic: NicType | None, module: Module | None) -> QTreeWidgetItem:
        item = QTreeWidgetItem([slot.name, _held(nic, module), _serves(slot)])
        item.setData(0, SLOT_ROLE, slot.name)
        item.setData(0, MODULE_ROLE, module.id if module is not None else "")
        if nic is not None:
            item.setToolTip(1, tooltip(nic))
        else:
            item.setForeground(1, self._appearance.colour("muted"))
        item.setForeground(2, self._appearance.colour("muted"))
        return item

    def _enable(self) -> None:
        self.remove.setEnabled(any(item.data(0, MODULE_ROLE) for item in self.tree.selectedItems()))
        modules = self._modules_with_modes()
        self._modes.setVisible(bool(modules))
        if modules:
            design = self._session.design
            now = {design.nic_type(one.id).mode(one.port_mode).name for one in modules}
            names = [mode.name for mode in design.nic_type(modules[0].id).modes]
            choices = [(name, name) for name in names]
            if len(now) > 1:
                choices.insert(0, ("", "several"))
            self.mode.show_choices(choices, now.pop() if len(now) == 1 else "")

    def _modules_with_modes(self) -> list[Module]:
        """NICs of one type that has several modes: those in the chosen slots, else all of the server."""
        design, chosen = self._session.design, {item.data(0, SLOT_ROLE) for item in self.tree.selectedItems()}
        if self._device_id not in design.devices:
            return []
        modules = [
            one
            for one in design.modules_of(self._device_id)
            if (not chosen or one.slot in chosen) and len(design.nic_type(one.id).modes) > 1
        ]
        return [one for one in modules if one.type_id == modules[0].type_id]

    def _offer(self) -> None:
        self._menu.clear()
        for nic in self._session.catalog.nics():
            action = self._menu.addAction(in_menu(f"{nic.model}  ·  {headline(nic)}"))
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

    def _set_mode(self, mode: str) -> None:
        ids = [one.id for one in self._modules_with_modes()]
        if mode and ids:
            self._session.attempt(lambda: operations.set_nic_mode(self._session.design, ids, mode))
            self.show_server(self._device_id)

    def _remove(self) -> None:
        ids = [str(item.data(0, MODULE_ROLE)) for item in self.tree.selectedItems() if item.data(0, MODULE_ROLE)]
        self._session.attempt(lambda: operations.remove_modules(self._session.design, ids))


def _held(nic: NicType | None, module: Module | None) -> str:
    """The NIC in a slot, with its mode where it has several."""
    if nic is None or module is None:
        return "empty"
    return f"{nic.mode(module.port_mode).name}  ·  {nic.model}" if nic.modes else nic.model


def _serves(slot: Slot) -> str:
    if slot.purposes != {"fabric"}:
        return " and ".join(dict.fromkeys((slot.purpose, *slot.port_purposes)))
    return "all GPUs" if slot.gpu is None else f"GPU {slot.gpu}"
