"""Hand edits by number: what an architect does to a generated fabric, each made by the verb the window uses."""

from dataclasses import replace

from designer.catalog.catalog import load
from designer.errors import DesignerError, UnknownEntityError
from designer.model import operations
from designer.model.edit import Change, Edit
from designer.model.entities import End, order_key
from designer.model.networks import NETWORKS
from designer.model.placed_jobs import whole

CATALOG = load()


def pick(table, seed):
    ids = sorted(table, key=order_key)
    if not ids:
        raise UnknownEntityError("there is none")
    return ids[seed % len(ids)]


def rename(design, a, b):
    return operations.rename(design, pick(design.devices, a), f"by-hand-{b}")


def rename_rack(design, a, b):
    return operations.rename(design, pick(design.racks, a), f"row {b}")


def move(design, a, b):
    one = pick(design.devices, a)
    stands = design.placements[one]
    return operations.move(design, {one: (stands.x + 1 + b % 500, stands.y - 7.5)})


def add_switch(design, a, b):
    type_ = CATALOG.get("nvidia-qm9700")
    return operations.add_device(design, type_, 5000, b, catalog_types=CATALOG.types, role="spine")


def add_member(design, a, b):
    type_ = CATALOG.get("nvidia-qm9700")
    group_id = pick(design.groups, a)
    return operations.add_device(design, type_, 5000, b, catalog_types=CATALOG.types, group_id=group_id)


def connect(design, a, b):
    return operations.connect_devices(design, pick(design.devices, a), pick(design.devices, b))


def delete_link(design, a, b):
    return operations.delete(design, [pick(design.links, a)])


def delete_device(design, a, b):
    return operations.delete(design, [pick(design.devices, a)])


def delete_rack(design, a, b):
    return operations.delete(design, [pick(design.racks, a)])


def ungroup(design, a, b):
    inner = [one for one, group in design.groups.items() if group.kind != "fabric"]
    return operations.ungroup(design, pick(inner, a))


def cable(design, a, b):
    return operations.set_cable(design, [pick(design.links, a)], CATALOG.get("dac-ndr-twin"), 1.5)


def label(design, a, b):
    return operations.rename(design, pick(design.links, a), f"cable {b}")


def split(design, a, b):
    switches = [one for one in design.devices if design.is_switch(one)]
    return operations.set_port_mode(design, pick(switches, a), "128x200G")


def mount(design, a, b):
    return operations.mount(design, pick(design.devices, a), pick(design.racks, b))


def remount(design, a, b):
    one = pick(design.devices, a)
    placement = design.placements[one]
    rack = placement.rack_id or pick(design.racks, b)
    return operations.mount(design, one, rack, 1 + b % 30, "rear")


def take_out(design, a, b):
    return operations.mount(design, pick(design.devices, a), None)


def retype(design, a, b):
    one = pick(design.devices, a)
    type_id = "hgx-h100-oem" if design.is_server(one) else "generic-switch-96x400g"
    return operations.set_type(design, one, CATALOG.get(type_id), catalog_types=CATALOG.types)


def remove_nic(design, a, b):
    return operations.remove_modules(design, [pick(design.modules, a)])


def install_module(design, a, b):
    return operations.install_module(design, pick([s.id for s in design.servers()], a), CATALOG.get("connectx-7-ndr"))


def reserve(design, a, b):
    switch = pick([one for one in design.devices if design.is_switch(one)], a)
    free = design.free_ports(switch)
    device = design.device(switch)
    if not free:
        return Edit("Reserve", ())
    after = replace(device, reserved_ports=(*device.reserved_ports, free[b % len(free)].name))
    return Edit("Reserve", (Change(device, after),))


def move_end(design, a, b):
    link = design.links[pick(design.links, a)]
    free = design.free_ports(link.b.device_id)
    if not free:
        return Edit("Move the end", ())
    return Edit("Move the end", (Change(link, replace(link, b=End(link.b.device_id, free[b % len(free)].name))),))


def role(design, a, b):
    device = design.device(pick(design.devices, a))
    return Edit("Role", (Change(device, replace(device, role="core", plane=2)),))


def set_network(design, a, b):
    return operations.set_network(design, [pick([s.id for s in design.switches()], a)], NETWORKS[b % len(NETWORKS)])


def place_a_job(design, a, b):
    servers = [server.id for server in design.servers()]
    chosen = dict.fromkeys((pick(servers, a), pick(servers, b)))
    return operations.add_job(design, servers=whole(chosen), size_bytes=1e6, traffic="shift:1")


EDITS = (
    rename,
    rename_rack,
    move,
    add_switch,
    add_member,
    connect,
    delete_link,
    delete_device,
    delete_rack,
    ungroup,
    cable,
    label,
    split,
    mount,
    remount,
    take_out,
    retype,
    remove_nic,
    install_module,
    reserve,
    move_end,
    role,
    place_a_job,
    set_network,
)


def do(design, number, a, b):
    """Apply an edit, unless it is refused; the edit that was made, or None."""
    try:
        edit = EDITS[number % len(EDITS)](design, a, b)
        design.apply(edit)
    except DesignerError:
        return None
    return edit
