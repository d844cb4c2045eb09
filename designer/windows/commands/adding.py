"""Adding from the palette without dragging: at the centre of the view, or into the selected servers."""

from designer.errors import DesignerError
from designer.model import operations
from designer.model.edit import Edit
from designer.model.entities import Device, Rack
from designer.model.hardware import HardwareType, ModuleType, NicType, RackType, ServerType, SwitchType
from designer.windows.desk import Desk


def add_type(desk: Desk, type_id: str) -> None:
    """Add one of this type of the catalog; a NIC or line card goes into every selected server or chassis."""
    type_ = desk.catalog.types[type_id]
    if isinstance(type_, ModuleType):
        install_in_selected(desk, type_)
        return
    if desk.views.on_welcome() or not isinstance(type_, RackType):
        desk.views.show_canvas()
    x, y = desk.views.canvas.free_spot()
    edits: list[Edit] = []

    def make() -> Edit:
        edits.append(_added(desk, type_, x, y))
        return edits[0]

    if desk.session.attempt(make):
        arrived = (change.after for change in edits[0].changes)
        desk.session.select(entity.id for entity in arrived if isinstance(entity, Device | Rack))


def install_in_selected(desk: Desk, type_: ModuleType) -> None:
    """Install a NIC in each selected server, or a line card in each selected chassis, until the first that refuses it.

    One edit per device. What is refused, and a selection that takes none, is a message of the session.
    """
    session = desk.session
    design = session.design
    takes, what = (design.is_server, "servers") if isinstance(type_, NicType) else (design.is_switch, "chassis")
    devices = [i for i in sorted(session.selection) if i in design.devices and takes(i)]
    if not devices:
        session.message.emit(f"Select the {what} that {type_.model} goes into, or drop it onto one.")
    for device_id in devices:
        if not session.attempt(lambda device_id=device_id: operations.install_module(design, device_id, type_)):  # type: ignore[misc]
            return


def _added(desk: Desk, type_: HardwareType, x: float, y: float) -> Edit:
    design = desk.session.design
    if isinstance(type_, RackType):
        return operations.add_rack(design, type_, x, y)
    if isinstance(type_, SwitchType | ServerType):
        return operations.add_device(design, type_, x, y, catalog_types=desk.catalog.types)
    raise DesignerError(f"{type_.model} is chosen for a link, in the inspector")
