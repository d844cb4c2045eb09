"""Rules about the NICs of GPU servers: are they there, and do they have a cable where their rail or plane is built."""

from collections.abc import Iterator, Sequence

from designer.analysis.nic_cables import nic_links
from designer.analysis.nic_use import FABRIC, NicUse, Wanted
from designer.model.edit import Edit, added
from designer.model.entities import Device, Link, Module
from designer.model.hardware.device_ports import server_ports
from designer.model.hardware.modules import NicType
from designer.model.hardware.servers import ServerType
from designer.model.port_labels import both_names
from designer.placement.preparation import cabled_like_neighbours
from designer.units import format_count, format_counted
from designer.validation.findings import Finding, NotChecked, Severity
from designer.validation.inspection import Inspection
from designer.validation.rule import Rule, rule
from designer.validation.scope import CABLING, ROOM, Scope
from designer.validation.sources import SUPERPOD, SUPERPOD_RAILS

MOST_NAMED = 8
"""Ports, or GPUs, that a message names."""


@rule(
    "NIC-003",
    Severity.WARNING,
    "NIC without a cable",
    "Without a cable, the traffic of the NIC's GPU has to share the other NICs.",
    remedy="Connect the NIC as on the other servers. If no server of its type has it connected, connect it to a leaf "
    "switch, or remove it if it is not needed.",
    fix="Connects the NIC ports to the leaf switches that they are meant for.",
    example="A server with eight NICs has seven cables; the leaf of the eighth rail serves the other servers.",
    hides=("OVER-001",),
    source=SUPERPOD_RAILS,
    scope=Scope.NETWORK,
    reads=(*CABLING, *ROOM),
)
def uncabled_nic(seen: Inspection, this: Rule) -> Iterator[Finding | NotChecked]:
    """Finds GPU servers with fabric NIC ports that have no cable although their rail or plane is built.

    And NICs that less than half of the servers alike have cabled, if any: one finding for all of them.
    """
    use = seen.nic_use
    for servers, ports in use.idle():
        total = sum(port.purpose == FABRIC for one in servers for port in seen.design.ports(one.id))
        verb = "has" if len(ports) == 1 else "have"
        yield this.finding(
            f"{format_count(len(ports))} of {format_count(total)} compute ports of {_servers(seen, servers)} {verb} no "
            f"link: {_named([both_names(port) for port in {port.name: port for port in ports}.values()])}",
            tuple(one.id for one in servers),
            value=len(ports),
            limit=0,
            aspect="idle",
        )
    for server in use.servers():
        missing = use.missing(server)
        if not missing:
            continue
        ports = [port for port in seen.design.ports(server.id) if port.purpose == FABRIC]
        word = "NIC" if len({port.slot for port in ports}) == len(ports) else "NIC port"
        verb = "has" if len(missing) == 1 else "have"
        links, why = _links(seen, server, missing, seen.design.new_ids("links", len(missing)))
        yield this.finding(
            f"{server.name}: {format_count(len(missing))} of {format_count(len(ports))} fabric {word}s {verb} "
            f"no cable: {_named([both_names(one.port) for one in missing])}",
            (server.id,),
            value=len(missing),
            limit=0,
            reason=_reason(this, why),
            fix=Edit(
                f"Connect {_counted(len(links), len(missing), word)} of {server.name}",
                added(cabled_like_neighbours(seen.design, links)),
            )
            if links
            else None,
        )


@rule(
    "NIC-004",
    Severity.WARNING,
    "GPU without a NIC of its own",
    "Other servers of this type have that NIC. Without it, the GPU's traffic has to share the other NICs.",
    remedy="Install the NIC, or remove it from all servers of this type if none is intended.",
    fix="Installs the missing NICs and connects them.",
    example="Slot rail6 of one server is empty; the other servers of its type have a NIC with a cable there.",
    hides=("OVER-001",),
    source=f"{SUPERPOD}: one compute NIC for each GPU.",
    scope=Scope.NETWORK,
    reads=(*CABLING, *ROOM),
)
def gpu_without_nic(seen: Inspection, this: Rule) -> Iterator[Finding | NotChecked]:
    """Finds GPU servers that lack a GPU's own NIC which at least half of the servers alike have and cable."""
    use, design = seen.nic_use, seen.design
    usual = _usual_nics(seen, use)
    for server in use.servers():
        type_ = design.device_type(server.id)
        if not isinstance(type_, ServerType):
            continue
        own = {module.slot for module in design.modules_of(server.id)}
        nics = usual.get(use.alike[server.id], {})
        if nics.keys() <= own:
            continue
        served = {slot.gpu for slot in type_.slots if slot.name in own and slot.purpose == FABRIC}
        bare = [
            (slot.gpu, slot.name)
            for slot in type_.slots
            if slot.name in nics and slot.name not in own and slot.gpu is not None and slot.gpu not in served
        ]
        if not bare:
            continue
        gpus = dict.fromkeys(gpu for gpu, _ in bare)
        fix, why = _installed(seen, use, server, {slot: nics[slot] for _, slot in bare})
        verb = "has no NIC of its own" if len(gpus) == 1 else "have no NIC of their own"
        yield this.finding(
            f"{server.name}: {format_count(len(gpus))} of {format_count(type_.gpus)} GPUs {verb}: "
            f"{_named([f'GPU {gpu} (slot {slot} is empty)' for gpu, slot in bare])}",
            (server.id,),
            value=len(gpus),
            limit=0,
            reason=_reason(this, why),
            fix=fix,
        )


def _usual_nics(seen: Inspection, use: NicUse) -> dict[tuple[int, str], dict[str, NicType]]:
    """For each kind of server the NIC in each GPU's slot that at least half of them have and cable."""
    found: dict[tuple[int, str], dict[str, NicType]] = {}
    counts: dict[tuple[int, str], dict[str, dict[str, int]]] = {}
    for server_id, kind in use.alike.items():
        cabled = use.switches[server_id]
        slots = {port.slot for port in seen.design.ports(server_id) if port.name in cabled}
        for module in seen.design.modules_of(server_id):
            if module.slot in slots:
                at = counts.setdefault(kind, {}).setdefault(module.slot, {})
                at[module.type_id] = at.get(module.type_id, 0) + 1
    for kind, by_slot in counts.items():
        for slot, nics in by_slot.items():
            if 2 * sum(nics.values()) >= use.sizes[kind]:
                nic = seen.design.types[max(nics, key=lambda type_id: (nics[type_id], type_id))]
                assert isinstance(nic, NicType)  # as the slots of servers take them
                found.setdefault(kind, {})[slot] = nic
    return found


def _installed(
    seen: Inspection, use: NicUse, server: Device, nics: dict[str, NicType]
) -> tuple[Edit | None, list[str]]:
    """The NICs put into their slots and cabled; None, and why, where a port has nowhere to go."""
    design, type_ = seen.design, seen.design.device_type(server.id)
    assert isinstance(type_, ServerType)
    held = [(module.slot, design.nic_type(module.id)) for module in design.modules_of(server.id)]
    ports = server_ports(type_, (*held, *nics.items()))
    wanted = [
        Wanted(port, use.leafs(server, port)) for port in ports if port.slot in nics and use.is_built(server, port)
    ]
    links, why = _links(seen, server, wanted, design.new_ids("links", len(wanted)))
    if len(links) < len(wanted):
        return None, why
    ids = design.new_ids("modules", len(nics))
    modules = [Module(one, server.id, slot, nic.id) for one, (slot, nic) in zip(ids, nics.items(), strict=True)]
    what = next(iter(nics.values())).model if len(nics) == 1 else format_counted(len(nics), "NIC")
    cabled = cabled_like_neighbours(design, links)
    return Edit(f"Install {what} in {server.name} and connect", added([*modules, *cabled])), []


def _links(
    seen: Inspection, server: Device, wanted: Sequence[Wanted], ids: Sequence[str]
) -> tuple[list[Link], list[str]]:
    """Links from the ports to free ports of their leaf switches; and why the others have none."""
    links, left = nic_links(server, wanted, ids, seen.free_ports, set())
    return links, list(dict.fromkeys(_no_port(seen, one) for one in left))


def _no_port(seen: Inspection, one: Wanted) -> str:
    if not one.leafs:
        return f"no leaf switch near the server serves {both_names(one.port)}"
    leaf = one.leafs[0]
    n_ports, n_used = len(seen.design.ports(leaf)), seen.design.n_used_ports(leaf)
    n_reserved = len(set(seen.design.device(leaf).reserved_ports) - set(seen.design.used_ports(leaf)))
    reserved = f", {format_count(n_reserved)} reserved" if n_reserved else ""
    return (
        f"{seen.name(leaf)} has no free port for {both_names(one.port)} "
        f"({format_count(n_used)} of {format_count(n_ports)} used{reserved})"
    )


def _servers(seen: Inspection, servers: Sequence[Device]) -> str:
    return servers[0].name if len(servers) == 1 else seen.servers(len(servers))


def _reason(this: Rule, why: Sequence[str]) -> str:
    return this.reason if not why else f"{this.reason} Not connected by a fix: {'; '.join(why)}."


def _named(names: Sequence[str]) -> str:
    more = len(names) - MOST_NAMED
    return ", ".join(names) if more <= 0 else f"{', '.join(names[:MOST_NAMED])} and {format_count(more)} more"


def _counted(count: int, of: int, word: str) -> str:
    return format_counted(count, word) if count == of else f"{format_count(count)} of {format_count(of)} {word}s"
