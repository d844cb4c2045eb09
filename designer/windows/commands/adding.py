"""Adding from the palette without dragging: in the view in front, or into the selected servers."""

from designer.canvas.camera_view import zoom_to_added
from designer.canvas.dropping import new_boxes
from designer.canvas.room.new_racks import at_the_end
from designer.errors import DesignerError
from designer.model import operations
from designer.model.bookmark import ELEVATION, FLOOR
from designer.model.design import Design
from designer.model.edit import Edit
from designer.model.entities import Device, Rack
from designer.model.hardware.modules import ModuleType, NicType
from designer.model.hardware.racks import RackType
from designer.model.hardware.servers import ServerType
from designer.model.hardware.switches import SwitchType
from designer.model.hardware.types import HardwareType
from designer.model.several import Wanted, role_of
from designer.placement.metrics import RACK_SIZE, box_size, extent, rows_around
from designer.units import format_count
from designer.windows.desk import Desk


def add_type(desk: Desk, type_id: str) -> None:
    """Add as many of this type as are wanted; NICs or line cards go into every selected server or chassis."""
    type_, wanted = desk.catalog.types[type_id], desk.session.placing.wanted
    desk.session.placing.forget()
    if isinstance(type_, ModuleType):
        install_in_selected(desk, type_, wanted.count)
        return
    if desk.views.on_welcome() or not _adds_to_the_room(desk, type_):
        desk.views.show_canvas()
    edits: list[Edit] = []

    def make() -> Edit:
        edits.append(_added(desk, type_, wanted))
        return edits[0]

    if desk.session.attempt(make):
        arrived = (change.after for change in edits[0].changes)
        desk.session.select(entity.id for entity in arrived if isinstance(entity, Device | Rack))
        zoom_to_added(desk.views.current, desk.session.selection)


def install_in_selected(desk: Desk, type_: ModuleType, count: int = 1) -> None:
    """Install NICs in each selected server, or line cards in each selected chassis, until the first that refuses them.

    One edit per device. What is refused, and a selection that takes none, is a message of the session.
    """
    session = desk.session
    design = session.design
    takes, what = (design.is_server, "servers") if isinstance(type_, NicType) else (design.is_switch, "chassis")
    devices = [i for i in sorted(session.selection) if i in design.devices and takes(i)]
    if not devices:
        session.message.emit(f"Select the {what} that {type_.model} goes into, or drop it onto one.")
    done = 0
    for device_id in devices:
        if not session.attempt(lambda device_id=device_id: operations.install_modules(design, device_id, type_, count)):  # type: ignore[misc]
            break
        done += 1
    if done and done == len(devices):
        each = f", {format_count(count)} in each" if count > 1 and done > 1 else ""
        where = design.device(devices[0]).name if done == 1 else f"{format_count(done)} {what}"
        desk.notice.say_of_edit(f"{format_count(count * done)} × {type_.model} installed in {where}{each}")


def _adds_to_the_room(desk: Desk, type_: HardwareType) -> bool:
    """Whether the view in front is one of racks alone, which a new rack comes into."""
    return isinstance(type_, RackType) and desk.views.name in (FLOOR, ELEVATION)


def _added(desk: Desk, type_: HardwareType, wanted: Wanted) -> Edit:
    if isinstance(type_, RackType) and _adds_to_the_room(desk, type_):
        return at_the_end(desk.session.design, type_, wanted)
    if not isinstance(type_, SwitchType | ServerType | RackType):
        raise DesignerError(f"{type_.model} is chosen for a link, in the inspector")
    size = RACK_SIZE if isinstance(type_, RackType) else box_size(isinstance(type_, SwitchType))
    canvas, area = desk.views.canvas, extent(wanted.count, *size)
    in_row = canvas.free_in_row(_tier(desk.session.design, type_, wanted), area)
    if in_row is not None:
        x, y = in_row
    elif wanted.count == 1 or isinstance(type_, RackType):
        x, y = canvas.free_spot(area)
    else:  # switches above servers
        x, y = canvas.free_row(area, -1 if isinstance(type_, SwitchType) else 1)
    return new_boxes(desk.session.design, type_, desk.catalog.types, rows_around(wanted.count, x, y, *size), wanted)


def _tier(design: Design, type_: HardwareType, wanted: Wanted) -> list[str]:
    """The devices that new ones stand in a row with: switches of the role that they are named by; all servers.

    None of them stands in a rack that is drawn there.
    """
    if isinstance(type_, SwitchType):
        role = role_of(wanted.name)
        ids = [one.id for one in design.devices.values() if role and one.role == role and design.is_switch(one.id)]
    elif isinstance(type_, ServerType):
        ids = [one.id for one in design.servers()]
    else:
        ids = []
    places = design.placements
    return [one for one in ids if (place := places.get(one)) is not None and place.rack_id not in places]
