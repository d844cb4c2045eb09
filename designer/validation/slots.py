"""Rules about NICs and line cards, and the slots of servers and chassis."""

from collections.abc import Iterator

from designer.model.edit import Edit, removed
from designer.model.entities import Device, Module
from designer.model.equipping import slot_mismatch
from designer.model.hardware.modules import module_word
from designer.validation.findings import Finding, NotChecked, Severity
from designer.validation.inspection import Inspection
from designer.validation.rule import Rule, rule
from designer.validation.scope import CABLING, Scope
from designer.validation.sources import DATA_SHEETS


@rule(
    "NIC-001",
    Severity.ERROR,
    "NIC slots exceeded",
    "Each NIC and each line card needs a slot of its own.",
    remedy="Remove a NIC or line card, or use a type with more slots.",
    fix="Removes the NIC and its links.",
    example="Two NICs in slot rail1 of one server.",
    source=f"{DATA_SHEETS}: the slots of a server or chassis.",
    scope=Scope.DEVICE,
    reads=CABLING,
)
def nic_slots_exceeded(seen: Inspection, this: Rule) -> Iterator[Finding | NotChecked]:
    """Finds NICs and line cards in a slot that the server or chassis does not have, or that is taken already."""
    for server in seen.devices():
        if not _is_equipped(seen, server):
            continue
        type_ = seen.design.device_type(server.id)
        slots = {slot.name for slot in type_.slots}
        taken: dict[str, Module] = {}
        for module in seen.design.modules_of(server.id):
            nic = seen.design.module_type(module.id)
            if module.slot not in slots:
                problem = f"has no slot {module.slot} for its {nic.model}"
            elif module.slot in taken:
                problem = f"has two {module_word(nic)}s in slot {module.slot}"
            else:
                taken[module.slot] = module
                continue
            yield this.finding(
                f"{server.name} {problem}; {type_.model} has {len(slots)} slots",
                (server.id, module.id),
                value=len(seen.design.modules_of(server.id)),
                limit=len(slots),
                fix=_remove(seen, server, module),
            )


@rule(
    "NIC-002",
    Severity.ERROR,
    "NIC does not fit its slot",
    "A server takes only certain NICs, a chassis only the line cards of its series.",
    remedy="Install a NIC or line card that the type lists for this slot.",
    fix="Removes the NIC and its links.",
    example="A NIC with a QSFP56 port in a slot for QSFP112.",
    source=f"{DATA_SHEETS}: what each slot takes.",
    scope=Scope.DEVICE,
    reads=CABLING,
)
def nic_does_not_fit(seen: Inspection, this: Rule) -> Iterator[Finding | NotChecked]:
    """Finds NICs and line cards of a form that their slot does not take."""
    for server in seen.devices():
        if not _is_equipped(seen, server):
            continue
        type_ = seen.design.device_type(server.id)
        slots = {slot.name: slot for slot in type_.slots}
        for module in seen.design.modules_of(server.id):
            slot, nic = slots.get(module.slot), seen.design.module_type(module.id)
            mismatch = slot_mismatch(slot, nic) if slot is not None and slot.module_type_id != nic.id else None
            if slot is None or mismatch is None:
                continue
            yield this.finding(
                f"{server.name} {mismatch}",
                (server.id, module.id),
                value=" or ".join(nic.form_factors),
                limit=slot.form_factor,
                fix=_remove(seen, server, module),
            )


def _is_equipped(seen: Inspection, device: Device) -> bool:
    """Whether it is a server, or a switch that holds modules."""
    return bool(seen.design.module_count(device.id)) or seen.design.is_server(device.id)


def _remove(seen: Inspection, server: Device, module: Module) -> Edit:
    """Take one module out, with the links on the ports that go with it."""
    design = seen.design
    type_ = design.device_type(server.id)
    rest = [other for other in design.modules_of(server.id) if other.id != module.id]
    slot_kept = any(other.slot == module.slot for other in rest)
    exists = any(slot.name == module.slot for slot in type_.slots)
    emptied = exists and not slot_kept
    gone = {port.name for port in design.ports(server.id) if emptied and port.slot == module.slot}
    links = [
        design.links[link_id]
        for name, ids in design.used_ports(server.id).items()
        if name in gone
        for link_id in dict.fromkeys(ids)
    ]
    nic = design.module_type(module.id)
    return Edit(f"Remove the {nic.model} from slot {module.slot} of {server.name}", removed([*links, module]))
