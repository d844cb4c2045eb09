"""Rules about NICs and what is around them: host interfaces, rates, switches of their ports, empty slots."""

from collections import Counter
from collections.abc import Iterator, Sequence

from designer.analysis.nic_use import FABRIC
from designer.model.hardware.modules import NicType, Slot
from designer.model.hardware.ports import NVLINK, Port
from designer.model.hardware.servers import ServerType
from designer.model.host_interface import interface_gbps
from designer.units import format_counted, format_rate
from designer.validation.findings import Finding, NotChecked, Severity
from designer.validation.inspection import Inspection
from designer.validation.rule import Rule, rule
from designer.validation.scope import CABLING, DEVICES, MODULES, TYPES, Scope
from designer.validation.sources import DATA_SHEETS, HPN
from designer.validation.subjects import listed

PCIE = "PCI Express Base Specification: 8, 16 and 32 GT/s a lane at 128b/130b, 64 GT/s in flits of 242 of 256 bytes."


@rule(
    "NIC-005",
    Severity.ERROR,
    "Host interface slower than the NIC",
    "The ports can never be filled: what the host interface carries is all that the NIC can send.",
    remedy="Use a NIC with a faster host interface, or plan with fewer or slower ports.",
    example="A NIC of 800 Gb/s behind PCIe Gen5 x16, which carries 504 Gb/s.",
    source=PCIE,
    scope=Scope.WHOLE,
    reads=(DEVICES, MODULES, TYPES),
)
def slow_host_interface(seen: Inspection, this: Rule) -> Iterator[Finding | NotChecked]:
    """Finds NICs whose ports together are faster than the host interface that their type states.

    One finding for each type of NIC. Subjects are the NICs. Types that state no host interface are not checked.
    """
    design = seen.design
    held: dict[str, list[str]] = {}
    for module in design.modules.values():
        held.setdefault(module.type_id, []).append(module.id)
    unknown = 0
    for type_id, ids in held.items():
        nic = design.types[type_id]
        if not isinstance(nic, NicType) or nic.protocols == (NVLINK,):
            continue
        gbps = interface_gbps(nic.host_interface)
        if gbps is None:
            unknown += len(ids)
        elif nic.ports * nic.rate_gbps > gbps:
            yield this.finding(
                f"{nic.model}: {format_counted(nic.ports, 'port')} of {format_rate(nic.rate_gbps)} behind "
                f"{nic.host_interface}, which carries {gbps:.0f} Gb/s; {format_counted(len(ids), 'NIC')}",
                tuple(sorted(ids)),
                value=nic.ports * nic.rate_gbps,
                limit=round(gbps, 1),
                aspect=type_id,
            )
    if unknown:
        yield this.not_checked(f"the host interface of {format_counted(unknown, 'NIC')} is not known")


@rule(
    "NIC-006",
    Severity.WARNING,
    "NICs of different rates in a server",
    "A collective spreads its data evenly over the NICs of a server, so that it runs at the pace of the slowest.",
    remedy="Use NICs of one rate for each network, or set them to the same port mode.",
    example="A server has seven NICs of 400G and one of 200G in the compute network.",
    source="P. Patarasuk, X. Yuan, “Bandwidth Optimal All-reduce Algorithms for Clusters of Workstations” (2009): "
    "equal shares for all.",
    scope=Scope.WHOLE,
    reads=(DEVICES, MODULES, TYPES),
)
def unlike_rates(seen: Inspection, this: Rule) -> Iterator[Finding | NotChecked]:
    """Finds servers whose NICs for the compute network have different rates; one finding for servers alike."""
    rates: dict[int, str] = {}
    alike: dict[str, list[str]] = {}
    for server in seen.survey.servers:
        ports = seen.design.ports(server.id)  # one tuple for all servers of a type with the same NICs
        if id(ports) not in rates:
            rates[id(ports)] = _rates(ports)
        if rates[id(ports)]:
            alike.setdefault(rates[id(ports)], []).append(server.id)
    for stated, servers in alike.items():
        has = "has" if len(servers) == 1 else "have"
        yield this.finding(
            f"{listed([seen.name(one) for one in servers])} {has} compute NICs of {stated}",
            tuple(servers),
            value=stated,
            aspect=stated,
        )


def _rates(ports: Sequence[Port]) -> str:
    """ "200G and 400G": the rates of the NICs for compute; "" for one rate."""
    of_slot: dict[str, float] = {}
    for port in ports:
        if port.slot and port.purpose == FABRIC and port.protocols != (NVLINK,):
            of_slot[port.slot] = of_slot.get(port.slot, 0.0) + port.rate_gbps
    rates = sorted(set(of_slot.values()))
    return " and ".join(map(format_rate, rates)) if len(rates) > 1 else ""


@rule(
    "NIC-007",
    Severity.WARNING,
    "Ports of a NIC on one switch",
    "The ports of these NICs lead to different switches, so that one of them may fail. Here both are lost with one.",
    remedy="Connect one of the ports to the switch that the same port of the other servers is on.",
    example="Port 1 of every NIC is on a leaf of plane 1, port 2 on one of plane 2; in one server both are in plane 1.",
    source=f"{HPN}: the two ports of a NIC are on two leaf switches.",
    scope=Scope.NETWORK,
    reads=CABLING,
)
def ports_on_one_switch(seen: Inspection, this: Rule) -> Iterator[Finding | NotChecked]:
    """Finds NICs whose cabled ports are all on one switch, while those of most NICs in that slot are on several.

    One finding for each server. Subjects are the server and its NICs.
    """
    design = seen.design
    kinds_of_ports = {id(ports): ports for ports in map(design.ports, _ids(seen))}  # one tuple for all servers alike
    several = {number: _slots_of_several(ports) for number, ports in kinds_of_ports.items()}
    if not any(several.values()):
        return
    leads: dict[tuple[str, str], list[str]] = {}
    for run in seen.survey.fabric_runs:
        port, server = run.low_port, run.low.device_id
        if port is not None and port.slot in several.get(id(design.ports(server)), ()) and design.is_server(server):
            leads.setdefault((server, port.slot), []).append(run.high.device_id)
    cabled = {key: switches for key, switches in leads.items() if len(switches) > 1}
    kinds = {key: (design.devices[key[0]].type_id, key[1]) for key in cabled}
    sizes, apart = Counter(kinds.values()), Counter(kinds[key] for key, on in cabled.items() if len(set(on)) > 1)
    wrong: dict[str, list[str]] = {}
    for key, switches in cabled.items():
        if len(set(switches)) == 1 and 2 * apart[kinds[key]] > sizes[kinds[key]]:
            wrong.setdefault(key[0], []).append(key[1])
    for server, slots in wrong.items():
        switch = cabled[server, slots[0]][0]
        modules = [module.id for module in design.modules_of(server) if module.slot in slots]
        yield this.finding(
            f"{seen.name(server)}: all ports of {listed(slots)} are on {seen.name(switch)}; "
            "on other servers they are on different switches",
            (server, *modules),
            value=1,
            limit=2,
        )


def _slots_of_several(ports: Sequence[Port]) -> frozenset[str]:
    """Slots whose NIC has several ports for compute."""
    counts = Counter(port.slot for port in ports if port.slot and port.purpose == FABRIC)
    return frozenset(slot for slot, count in counts.items() if count > 1)


def _ids(seen: Inspection) -> Iterator[str]:
    return (server.id for server in seen.survey.servers)


@rule(
    "NIC-008",
    Severity.INFO,
    "Slot empty that is delivered with a NIC",
    "The server is delivered with a NIC there; without it in the design, bill, power and cables lack it.",
    remedy="Install the NIC that the type states, or keep the slot empty where the server is ordered without it.",
    example="A server type states a ConnectX-7 in slot storage1; the server in the design has none there.",
    source=f"{DATA_SHEETS}: the NICs that a server is delivered with.",
    scope=Scope.WHOLE,
    reads=(DEVICES, MODULES, TYPES),
)
def stated_slot_empty(seen: Inspection, this: Rule) -> Iterator[Finding | NotChecked]:
    """Finds empty slots whose server type states a NIC as delivered, in servers that have NICs of the same network.

    Those of a GPU's own NIC are left to NIC-004. One finding for servers alike. Subjects are the servers.
    """
    design = seen.design
    alike: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    stated = {
        type_.id: [slot for slot in type_.slots if slot.nic_type_id and not _is_own(slot)]
        for type_ in design.types.values()
        if isinstance(type_, ServerType)
    }
    for server in seen.survey.servers:
        wanted = stated.get(server.type_id, [])
        built = _purposes_built(seen, server.id) if wanted else frozenset()
        wanted = [slot for slot in wanted if slot.purpose in built]
        held = {module.slot for module in design.modules_of(server.id)} if wanted else set()
        if empty := tuple(slot.name for slot in wanted if slot.name not in held):
            alike.setdefault((server.type_id, empty), []).append(server.id)
    for (type_id, empty), servers in alike.items():
        word = "slot" if len(empty) == 1 else "slots"
        yield this.finding(
            f"{listed([seen.name(one) for one in servers])}: {word} {listed(empty)} "
            f"{'is' if len(empty) == 1 else 'are'} empty; {design.types[type_id].model} is delivered with a NIC there",
            tuple(servers),
            value=0,
            limit=len(empty),
            aspect=" ".join(empty),
        )


def _purposes_built(seen: Inspection, server_id: str) -> frozenset[str]:
    """What the ports of a server's NICs are for, those of its scale-up domain aside."""
    ports = seen.design.ports(server_id)
    return frozenset(port.purpose for port in ports if port.slot and port.protocols != (NVLINK,))


def _is_own(slot: Slot) -> bool:
    """Whether a slot is for the compute NIC of one GPU."""
    return slot.gpu is not None and slot.purpose == FABRIC
