"""The slots of a server or chassis: which NIC or line card each holds, with install, swap and remove."""

from collections.abc import Sequence

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

from designer.catalog.headline import headline
from designer.model import operations
from designer.model.entities import Module
from designer.model.equipping import slot_mismatch
from designer.model.hardware.modules import LineCardType, ModuleType, Slot
from designer.model.hardware.servers import ServerType
from designer.model.shown_text import in_menu
from designer.panels.inspector.facts import tooltip
from designer.panels.widgets.appearance import Appearance
from designer.panels.widgets.fields import ChoiceField, add_row, form
from designer.panels.widgets.rows import fitting_height
from designer.session.session import Session

SLOT_ROLE = int(Qt.ItemDataRole.UserRole)
MODULE_ROLE = SLOT_ROLE + 1
SHOWN_ROWS = 10


class ModuleSlots(QWidget):
    """A row a slot. Install fills the chosen slots or swaps what is in them, Remove empties them with their links.

    NICs and line cards that can run in several modes have a chooser for it: of those in the chosen slots, or of all.
    """

    def __init__(self, session: Session, appearance: Appearance) -> None:
        super().__init__()
        self._session = session
        self._appearance = appearance
        self._device_id = ""
        self._signature: object = None
        self.tree = QTreeWidget()
        self.tree.setRootIsDecorated(False)
        self.tree.setUniformRowHeights(True)
        self.tree.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        header = self.tree.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(2, QHeaderView.ResizeMode.ResizeToContents)
        self.tree.itemSelectionChanged.connect(self._enable)
        self.install = QPushButton("Install")
        self._menu = QMenu(self.install)
        self._menu.aboutToShow.connect(self._offer)
        self.install.setMenu(self._menu)
        self.remove = QPushButton("Remove")
        self.remove.clicked.connect(self._remove)
        self.mode = ChoiceField("Mode", self._set_mode)
        self._modes = QWidget()
        modes = form()
        modes.setContentsMargins(0, 0, 0, 0)
        self._modes.setLayout(modes)
        add_row(modes, "Mode", self.mode)
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

    def show_device(self, device_id: str) -> None:
        """Show the slots of a server or chassis; rows that are up to date keep what is chosen."""
        design = self._session.design
        self._device_id = device_id
        type_ = design.device_type(device_id)
        modules = {module.slot: module for module in design.modules_of(device_id)}
        used = tuple(design.used_ports(device_id)) if design.is_switch(device_id) else ()
        device = design.device(device_id)
        signature = (device_id, type_, tuple(modules.values()), device.port_mode, device.cage_modes, used)
        if signature != self._signature:
            self._signature = signature
            self._word(isinstance(type_, ServerType))
            self.tree.clear()
            for slot in type_.slots:
                module = modules.get(slot.name)
                self.tree.addTopLevelItem(self._row(slot, module))
            self.tree.setFixedHeight(fitting_height(self.tree, min(len(type_.slots), SHOWN_ROWS)))
        self._enable()

    def _word(self, in_server: bool) -> None:
        """Headings and help for NICs or for line cards."""
        self.tree.setHeaderLabels(["Slot", "NIC", "Serves"] if in_server else ["Slot", "Line card", "Ports"])
        self.tree.setAccessibleName("NIC slots" if in_server else "Slots for line cards")
        if in_server:
            self.install.setToolTip("Install a NIC in the selected slots or the next free one")
            self.remove.setToolTip("Remove the NICs from the selected slots; links on their ports are deleted too")
        else:
            self.install.setToolTip("Install a line card in the selected slots or the next free one")
            self.remove.setToolTip(
                "Remove the line cards from the selected slots; links on their ports are deleted too"
            )

    def _row(self, slot: Slot, module: Module | None) -> QTreeWidgetItem:
        held = self._session.design.module_type(module.id) if module is not None else None
        item = QTreeWidgetItem([slot.name, self._held(module), self._last(slot, module)])
        item.setData(0, SLOT_ROLE, slot.name)
        item.setData(0, MODULE_ROLE, module.id if module is not None else "")
        if held is not None:
            item.setToolTip(1, tooltip(held))
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
            now = {design.module_mode(one.id).name for one in modules}
            names = [mode.name for mode in design.module_type(modules[0].id).modes]
            choices = [(name, name) for name in names]
            if len(now) > 1:
                choices.insert(0, ("", "several"))
            self.mode.show_choices(choices, now.pop() if len(now) == 1 else "")

    def _modules_with_modes(self) -> list[Module]:
        """Modules of one type that has several modes: those in the chosen slots, else all of the device."""
        design, chosen = self._session.design, {item.data(0, SLOT_ROLE) for item in self.tree.selectedItems()}
        if self._device_id not in design.devices:
            return []
        modules = [
            one
            for one in design.modules_of(self._device_id)
            if (not chosen or one.slot in chosen) and len(design.module_type(one.id).modes) > 1
        ]
        return [one for one in modules if one.type_id == modules[0].type_id]

    def _offer(self) -> None:
        self._menu.clear()
        by_vendor: dict[str, list[ModuleType]] = {}
        for type_ in self._offered():
            by_vendor.setdefault(type_.vendor or "Other", []).append(type_)
        for vendor, its in by_vendor.items():
            menu = self._menu.addMenu(in_menu(vendor)) if len(by_vendor) > 1 else self._menu
            for type_ in its:
                action = menu.addAction(in_menu(f"{type_.model}  ·  {headline(type_)}"))
                action.triggered.connect(lambda _checked=False, type_=type_: self._install(type_))

    def _offered(self) -> Sequence[ModuleType]:
        """NICs for a server, for a chassis the line cards that fit one of its slots."""
        catalog, type_ = self._session.catalog, self._session.design.device_type(self._device_id)
        if isinstance(type_, ServerType):
            return catalog.nics()
        own = [one for one in self._session.design.types.values() if isinstance(one, LineCardType)]
        cards = {one.id: one for one in (*catalog.line_cards(), *own)}.values()
        return [one for one in cards if any(slot_mismatch(slot, one) is None for slot in type_.slots)]

    def _install(self, type_: ModuleType) -> None:
        design = self._session.design
        items = self.tree.selectedItems()
        chosen: list[tuple[str | None, str]]
        chosen = [(str(item.data(0, SLOT_ROLE)), str(item.data(0, MODULE_ROLE))) for item in items] or [(None, "")]
        for slot, module_id in chosen:
            if module_id:
                done = self._session.attempt(lambda one=module_id: operations.swap_module(design, one, type_))  # type: ignore[misc]
            else:
                done = self._session.attempt(
                    lambda slot=slot: operations.install_module(design, self._device_id, type_, slot)  # type: ignore[misc]
                )
            if not done:
                break

    def _set_mode(self, mode: str) -> None:
        ids = [one.id for one in self._modules_with_modes()]
        if mode and ids:
            self._session.attempt(lambda: operations.set_nic_mode(self._session.design, ids, mode))
            self.show_device(self._device_id)

    def _remove(self) -> None:
        ids = [str(item.data(0, MODULE_ROLE)) for item in self.tree.selectedItems() if item.data(0, MODULE_ROLE)]
        self._session.attempt(lambda: operations.remove_modules(self._session.design, ids))

    def _held(self, module: Module | None) -> str:
        """The NIC or line card in a slot, with its mode where it has several."""
        if module is None:
            return "empty"
        type_, mode = self._session.design.module_type(module.id), self._session.design.module_mode(module.id).name
        if isinstance(type_, LineCardType):
            return f"{type_.model}  ·  {mode}"
        return f"{mode}  ·  {type_.model}" if type_.modes else type_.model

    def _last(self, slot: Slot, module: Module | None) -> str:
        """What a NIC's slot is for; of a line card, how many of its ports are in use."""
        design = self._session.design
        if design.is_server(self._device_id):
            return _serves(slot)
        ports = [port for port in design.ports(self._device_id) if module is not None and port.slot == slot.name]
        used = design.used_ports(self._device_id)
        return f"{sum(port.name in used for port in ports)} of {len(ports)} used" if ports else ""


def _serves(slot: Slot) -> str:
    if slot.purposes != {"fabric"}:
        return " and ".join(dict.fromkeys((slot.purpose, *slot.port_purposes)))
    return "all GPUs" if slot.gpu is None else f"GPU {slot.gpu}"
