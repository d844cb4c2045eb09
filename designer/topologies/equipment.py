"""Which hardware a generator builds with: ids resolved, NICs chosen, port modes matched to rates."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from designer.catalog import generic
from designer.catalog.catalog import Catalog
from designer.errors import ParameterError
from designer.model.design import Design
from designer.model.hardware import (
    HardwareType,
    NicType,
    Port,
    PortMode,
    RackType,
    ServerType,
    SwitchType,
    server_ports,
    switch_ports,
)
from designer.model.matching import port_compatibility
from designer.topologies.parameters import LeafSpineParameters
from designer.topologies.sizing import LeafBudget
from designer.units import format_count, format_rate

TypeSource = Callable[[str], HardwareType]
"""Finds a type by id; raises UnknownEntityError."""


def types_of(design: Design, catalog: Catalog) -> TypeSource:
    """Types as the design has them, else from the catalog: a design's own figures are kept."""
    return lambda type_id: design.types.get(type_id) or catalog.get(type_id)


@dataclass(frozen=True, slots=True)
class ServerKit:
    """A server as it is delivered: its type, its fabric NICs by slot, and their ports, all of one rate."""

    type_: ServerType
    nics: tuple[tuple[str, NicType], ...]
    ports: tuple[Port, ...]

    @property
    def rate_gbps(self) -> float:
        return self.ports[0].rate_gbps


@dataclass(frozen=True, slots=True)
class LeafSpineKit:
    """The hardware of a fabric of two or three tiers, every switch with the port mode its links ask for."""

    server: ServerKit
    leaf: LeafBudget
    spine_type: SwitchType
    spine_mode: PortMode
    core_type: SwitchType
    core_mode: PortMode

    @property
    def spine_radix(self) -> int:
        return _radix(self.spine_type, self.spine_mode)

    @property
    def core_radix(self) -> int:
        return _radix(self.core_type, self.core_mode)

    @property
    def spine(self) -> LeafBudget:
        """How a spine's ports can be shared out where there are cores: both ways in the one mode."""
        return LeafBudget(self.spine_type, self.spine_mode, self.spine_mode)


def _radix(type_: SwitchType, mode: PortMode) -> int:
    return sum(group.count for group in type_.cages) * mode.ports_per_cage


def leaf_spine_kit(find: TypeSource, parameters: LeafSpineParameters) -> LeafSpineKit:
    """The hardware that the parameters name; without cores the core type is there all the same.

    "generic-switch" takes the rate of the links it carries; "generic-host" takes the NIC rate, else the link
    rate, else the rate of the leaf switch. Raises ParameterError or UnknownEntityError naming what does not fit.
    """
    link_rate_gbps = parameters.link_rate_gbps
    if parameters.server == "generic-host":
        server = _generic_server(find, parameters)
    else:
        server = delivered_server(find, parameters.server, parameters.nics_per_server, parameters.nic_rate_gbps)
    up_rate_gbps = server.rate_gbps if link_rate_gbps is None else link_rate_gbps
    leaf_type = _switch_at(find, parameters.switch, server.rate_gbps)
    spine_type = _switch_at(find, parameters.spine_switch or parameters.switch, up_rate_gbps)
    down_mode = mode_joining(leaf_type, server.ports[0], server.type_.id)
    up_mode = down_mode if up_rate_gbps == server.rate_gbps else _modes_at(leaf_type, up_rate_gbps, "uplinks")[0]
    spine_mode = mode_joining(spine_type, _first_port(leaf_type, up_mode), leaf_type.id)
    core_type = spine_type
    if parameters.core_switch:
        core_type = _switch_at(find, parameters.core_switch, up_rate_gbps)
    core_mode = mode_joining(core_type, _first_port(spine_type, spine_mode), spine_type.id)
    return LeafSpineKit(
        server, LeafBudget(leaf_type, down_mode, up_mode), spine_type, spine_mode, core_type, core_mode
    )


def _generic_server(find: TypeSource, parameters: LeafSpineParameters) -> ServerKit:
    rate_gbps = parameters.nic_rate_gbps or parameters.link_rate_gbps
    if rate_gbps is None:
        rate_gbps = switch_type(find, parameters.switch).modes[0].rate_gbps
    nics = parameters.nics_per_server or 1
    if nics > generic.MOST_NICS:
        raise ParameterError(f"a generic host has {generic.MOST_NICS} NICs at most, not {format_count(nics)}")
    return server_kit(*generic.generic_host(rate_gbps, nics))


def _switch_at(find: TypeSource, type_id: str, rate_gbps: float) -> SwitchType:
    """The switch of that id; "generic-switch" is made to the rate."""
    if type_id == "generic-switch":
        return generic.generic_switch(generic.DEFAULT_PORTS, rate_gbps)
    return switch_type(find, type_id)


def switch_type(find: TypeSource, type_id: str) -> SwitchType:
    """Raises ParameterError where the id names something else than a switch."""
    type_ = find(type_id)
    if not isinstance(type_, SwitchType):
        raise ParameterError(f"{type_id} is not a switch")
    return type_


def delivered_server(
    find: TypeSource, type_id: str, nics_per_server: int | None, nic_rate_gbps: float | None = None
) -> ServerKit:
    """A server with its first `nics_per_server` fabric NICs of a rate, or all it is delivered with.

    Raises ParameterError where it has not as many, or where those are of several rates.
    """
    type_ = find(type_id)
    if not isinstance(type_, ServerType):
        raise ParameterError(f"{type_id} is not a server")
    nics: list[tuple[str, NicType]] = []
    for slot in type_.slots:
        if slot.purpose == "fabric" and slot.nic_type_id:
            nic = find(slot.nic_type_id)
            if not isinstance(nic, NicType):
                raise ParameterError(f"{type_id} is delivered with {slot.nic_type_id} in {slot.name}, which is no NIC")
            nics.append((slot.name, nic))
    if not nics:
        raise ParameterError(f"{type_id} is delivered without fabric NICs")
    if nic_rate_gbps is not None:
        rates = sorted({nic.rate_gbps for _, nic in nics})
        nics = [(slot, nic) for slot, nic in nics if nic.rate_gbps == nic_rate_gbps]
        if not nics:
            named = " and ".join(map(format_rate, rates))
            raise ParameterError(f"the fabric NICs of {type_id} run at {named}, none at {format_rate(nic_rate_gbps)}")
    if nics_per_server is not None and nics_per_server > len(nics):
        raise ParameterError(
            f"{format_count(nics_per_server)} NICs a server were asked for; {type_id} is delivered with {len(nics)}"
        )
    return _kit(type_, tuple(nics[:nics_per_server]))


def server_kit(type_: ServerType, nic: NicType) -> ServerKit:
    """A server with the same NIC in every slot."""
    return _kit(type_, tuple((slot.name, nic) for slot in type_.slots))


def _kit(type_: ServerType, nics: tuple[tuple[str, NicType], ...]) -> ServerKit:
    ports = tuple(port for port in server_ports(type_, nics) if port.purpose == "fabric")
    rates = sorted({port.rate_gbps for port in ports})
    if len(rates) > 1:
        named = " and ".join(format_rate(rate) for rate in rates)
        raise ParameterError(
            f"the fabric NICs of {type_.id} run at different rates ({named}): choose the NICs of one rate"
        )
    return ServerKit(type_, nics, ports)


def mode_joining(type_: SwitchType, port: Port, of: str) -> PortMode:
    """The first mode whose ports a cable joins to a port of the type `of`. Raises ParameterError saying why none is."""
    modes = _modes_at(type_, port.rate_gbps, f"ports of {of}")
    reasons = [port_compatibility(_first_port(type_, mode), port, type_.id, of) for mode in modes]
    for mode, reason in zip(modes, reasons, strict=True):
        if reason is None:
            return mode
    raise ParameterError(reasons[0] or f"no cable joins {type_.id} and {of}")


def _modes_at(type_: SwitchType, rate_gbps: float, what: str) -> list[PortMode]:
    """The modes whose ports run at a rate. Raises ParameterError naming the rates there are, where it is not one."""
    modes = [mode for mode in type_.modes if mode.rate_gbps == rate_gbps]
    if not modes:
        offered = ", ".join(dict.fromkeys(format_rate(mode.rate_gbps) for mode in type_.modes))
        raise ParameterError(f"{what} run at {format_rate(rate_gbps)}; {type_.id} has ports of {offered}")
    return modes


def _first_port(type_: SwitchType, mode: PortMode) -> Port:
    one_cage = replace(type_, cages=(replace(type_.cages[0], count=1),))
    return switch_ports(one_cage, mode.name)[0]


def rack_type(find: TypeSource, stack_units: float) -> RackType:
    """The lower of the catalog's two generic racks that holds a stack of so many units."""
    racks = [type_ for type_ in (find("rack-42u"), find("rack-48u")) if isinstance(type_, RackType)]
    if not racks:
        raise ParameterError("rack-42u and rack-48u are no racks: nothing can be mounted")
    return next((rack for rack in racks if stack_units <= rack.units), racks[-1])
