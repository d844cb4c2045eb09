"""Which hardware a generator builds with: ids resolved, NICs chosen, port modes matched to rates."""

import itertools
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from designer.catalog import generic
from designer.catalog.catalog import Catalog
from designer.errors import ParameterError
from designer.model.design import Design
from designer.model.hardware.device_ports import server_ports, switch_ports
from designer.model.hardware.modules import NicType
from designer.model.hardware.ports import NVLINK, Port, PortMode
from designer.model.hardware.servers import ServerType
from designer.model.hardware.switches import SwitchType
from designer.model.hardware.types import HardwareType
from designer.model.matching import port_compatibility, protocol_words
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
    nic_modes: tuple[tuple[str, str], ...] = ()
    """Modes by slot, of NICs that do not run in the one they are delivered in."""

    def port_names(self) -> list[str]:
        """Names of the fabric ports of the server."""
        return [port.name for port in self.ports]

    def only(self, ports: tuple[Port, ...]) -> "ServerKit":
        """The server with the NICs of these of its ports alone."""
        slots = {port.slot for port in ports}
        nics = tuple((slot, nic) for slot, nic in self.nics if slot in slots)
        return replace(self, nics=nics, ports=ports, nic_modes=tuple(one for one in self.nic_modes if one[0] in slots))

    @property
    def halves(self) -> tuple["ServerKit", ...]:
        """With its scale-up links alone and with its NICs alone, where it has both; else itself."""
        inside = tuple(port for port in self.ports if NVLINK in port.protocols)
        outside = tuple(port for port in self.ports if NVLINK not in port.protocols)
        return (self.only(inside), self.only(outside)) if inside and outside else (self,)

    @property
    def rate_gbps(self) -> float:
        """Rate of each fabric port of the server."""
        return self.ports[0].rate_gbps

    @property
    def called(self) -> str:
        """How a sentence names it: with the mode of its NICs, where these have several."""
        model = self.type_.model
        return f"{model} with NICs in {self.nic_mode.name}" if self.nics[0][1].modes else model

    @property
    def nic_mode(self) -> PortMode:
        """The mode of the first NIC."""
        slot, nic = self.nics[0]
        return nic.mode(dict(self.nic_modes).get(slot, ""))


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
        """Ports of a spine switch in its port mode."""
        return self.spine_type.n_ports(self.spine_mode)

    @property
    def core_radix(self) -> int:
        """Ports of a core switch in its port mode."""
        return self.core_type.n_ports(self.core_mode)

    @property
    def spine(self) -> LeafBudget:
        """How a spine's ports can be shared out where there are cores: both ways in the one mode."""
        return LeafBudget(self.spine_type, self.spine_mode, self.spine_mode)


def leaf_spine_kit(find: TypeSource, parameters: LeafSpineParameters) -> LeafSpineKit:
    """The hardware that the parameters name; without cores the core type is there all the same.

    "generic-switch" takes the rate of the links it carries; "generic-host" takes the NIC rate, else the link
    rate, else the rate of the leaf switch. Raises ParameterError or UnknownEntityError naming what does not fit.
    """
    link_rate_gbps = parameters.link_rate_gbps
    if parameters.server == "generic-host":
        kits = [_generic_server(find, parameters)]
    else:
        kits = server_kits(
            find, parameters.server, parameters.nics_per_server, parameters.nic_rate_gbps, parameters.nic_mode
        )
    server, down_mode = server_joining(kits, lambda rate_gbps: _switch_at(find, parameters.switch, rate_gbps))
    up_rate_gbps = server.rate_gbps if link_rate_gbps is None else link_rate_gbps
    leaf_type = _switch_at(find, parameters.switch, server.rate_gbps)
    spine_type = _switch_at(find, parameters.spine_switch or parameters.switch, up_rate_gbps)
    up_mode = down_mode if up_rate_gbps == server.rate_gbps else _modes_at(leaf_type, up_rate_gbps, "uplinks")[0]
    spine_mode = mode_joining(spine_type, _first_port(leaf_type, up_mode), leaf_type.model)
    core_type = spine_type
    if parameters.core_switch:
        core_type = _switch_at(find, parameters.core_switch, up_rate_gbps)
    core_mode = mode_joining(core_type, _first_port(spine_type, spine_mode), spine_type.model)
    return LeafSpineKit(server, LeafBudget(leaf_type, down_mode, up_mode), spine_type, spine_mode, core_type, core_mode)


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
        raise ParameterError(f"{type_.model} is not a switch")
    if not type_.cages:
        raise ParameterError(f"{type_.model} is delivered without line cards: it has no ports to build with")
    return type_


def server_kits(
    find: TypeSource,
    type_id: str,
    nics_per_server: int | None = None,
    nic_rate_gbps: float | None = None,
    nic_mode: str = "",
) -> list[ServerKit]:
    """A server with its first `nics_per_server` fabric NICs, or all, in each way their modes let them run at one rate.

    The mode they are delivered in comes first. Raises ParameterError where it has not as many NICs, none of the rate or
    mode asked for, or where they cannot all run at one rate.
    """
    type_ = find(type_id)
    if not isinstance(type_, ServerType):
        raise ParameterError(f"{type_.model} is not a server")
    nics = fitted_nics(find, type_, ((slot.name, slot.nic_type_id) for slot in type_.slots if slot.purpose == "fabric"))
    if not nics:
        raise ParameterError(f"{type_.model} is delivered without fabric NICs")
    every = [mode for nic in dict.fromkeys(nic for _, nic in nics) for mode in nic.port_modes]
    modes = {nic.id: _asked_for(nic, nic_rate_gbps, nic_mode) for _, nic in nics}
    modes = {nic_id: found for nic_id, found in modes.items() if found}
    if not modes:
        rates = " and ".join(dict.fromkeys(format_rate(rate) for rate in sorted(mode.rate_gbps for mode in every)))
        if not nic_mode:
            none = format_rate(nic_rate_gbps or 0)
            raise ParameterError(f"the fabric NICs of {type_.model} run at {rates}, none at {none}")
        offered = " or ".join(dict.fromkeys(mode.name for mode in every))
        at = f" at {format_rate(nic_rate_gbps)}" if nic_rate_gbps is not None else ""
        raise ParameterError(f"the fabric NICs of {type_.model} have no mode {nic_mode}{at}: they have {offered}")
    nics = [(slot, nic) for slot, nic in nics if nic.id in modes]
    if nics_per_server is not None and nics_per_server > len(nics):
        raise ParameterError(
            f"{format_count(nics_per_server)} NICs per server were requested; "
            f"{type_.model} is delivered with {len(nics)}"
        )
    chosen = nics[:nics_per_server]
    used = {nic.id: modes[nic.id] for _, nic in chosen}
    kits: list[ServerKit] = []
    refusal: ParameterError | None = None
    for together in itertools.product(*used.values()):
        named_modes = {nic_id: mode.name for nic_id, mode in zip(used, together, strict=True)}
        try:
            kits.append(_kit(type_, tuple(chosen), named_modes))
        except ParameterError as error:
            refusal = refusal or error
    if not kits and refusal is not None:
        raise refusal
    return kits


def _asked_for(nic: NicType, rate_gbps: float | None, mode_name: str) -> tuple[PortMode, ...]:
    """The modes of a NIC of the rate and name asked for, where one is."""
    return tuple(
        mode for mode in nic.port_modes if rate_gbps in (None, mode.rate_gbps) and mode_name in ("", mode.name)
    )


def delivered_server(find: TypeSource, type_id: str) -> ServerKit:
    """A server with all its fabric NICs, as it is delivered where these have several modes. Raises ParameterError."""
    return server_kits(find, type_id)[0]


def fitted_nics(find: TypeSource, type_: ServerType, slots: Iterable[tuple[str, str]]) -> list[tuple[str, NicType]]:
    """The NIC of each slot that states one, from (slot, id). Raises ParameterError for an id that is no NIC."""
    nics: list[tuple[str, NicType]] = []
    for slot, nic_id in slots:
        if nic_id:
            nic = find(nic_id)
            if not isinstance(nic, NicType):
                raise ParameterError(f"{type_.model} is delivered with {nic.model} in {slot}, which is no NIC")
            nics.append((slot, nic))
    return nics


def server_joining(kits: list[ServerKit], switch_at: Callable[[float], SwitchType]) -> tuple[ServerKit, PortMode]:
    """The first of a server's kits that a mode of the switch meets, and that mode; `switch_at` is asked for each rate.

    Of servers with scale-up links and NICs those are taken that the switch speaks to.
    Raises ParameterError saying what the NICs offer and what the switch does, where none meet.
    """
    refusals: list[ParameterError] = []
    kits = [half for kit in kits for half in kit.halves]
    for kit in kits:
        switch = switch_at(kit.rate_gbps)
        try:
            return kit, mode_joining(switch, kit.ports[0], kit.called)
        except ParameterError as error:
            refusals.append(error)
    if len(kits) == 1:
        raise refusals[0]
    offers = ", ".join(f"{kit.nic_mode.name} ({_spoken(kit.ports[0])})" for kit in kits)
    there = dict.fromkeys(_spoken(_first_port(switch, mode)) for mode in switch.modes)
    raise ParameterError(
        f"the fabric NICs of {kits[0].type_.model} run as {offers}; {switch.model} has ports of {', '.join(there)}"
    )


def _spoken(port: Port) -> str:
    return f"{format_rate(port.rate_gbps)} {protocol_words(port.protocols)}"


def server_kit(type_: ServerType, nic: NicType) -> ServerKit:
    """A server with the same NIC in every slot."""
    return _kit(type_, tuple((slot.name, nic) for slot in type_.slots))


def _kit(
    type_: ServerType, nics: tuple[tuple[str, NicType], ...], mode_names: Mapping[str, str] = MappingProxyType({})
) -> ServerKit:
    """`mode_names` are by NIC type."""
    chosen = ((slot, nic, mode_names.get(nic.id, "")) for slot, nic in nics)
    nic_modes = tuple((slot, name) for slot, nic, name in chosen if name not in ("", nic.port_modes[0].name))
    ports = tuple(port for port in server_ports(type_, nics, nic_modes) if port.purpose == "fabric")
    rates = sorted({port.rate_gbps for port in ports})
    if len(rates) > 1:
        named = " and ".join(format_rate(rate) for rate in rates)
        raise ParameterError(
            f"the fabric NICs of {type_.model} run at different rates ({named}): choose the NICs of one rate"
        )
    return ServerKit(type_, nics, ports, nic_modes)


def mode_joining(type_: SwitchType, port: Port, of: str) -> PortMode:
    """The first mode whose ports a cable joins to a port of a model, `of`. Raises ParameterError saying why none is."""
    modes = _modes_at(type_, port.rate_gbps, f"ports of {of}")
    reasons = [port_compatibility(_first_port(type_, mode), port, type_.model, of) for mode in modes]
    for mode, reason in zip(modes, reasons, strict=True):
        if reason is None:
            return mode
    raise ParameterError(reasons[0] or f"no cable joins {type_.model} and {of}")


def _modes_at(type_: SwitchType, rate_gbps: float, what: str) -> list[PortMode]:
    """The modes whose ports run at a rate. Raises ParameterError naming the rates there are, where it is not one."""
    modes = [mode for mode in type_.modes if mode.rate_gbps == rate_gbps]
    if not modes:
        offered = ", ".join(dict.fromkeys(format_rate(mode.rate_gbps) for mode in type_.modes))
        raise ParameterError(f"{what} run at {format_rate(rate_gbps)}; {type_.model} has ports of {offered}")
    return modes


def first_ports(type_: SwitchType) -> list[Port]:
    """The first port of a switch in each of its modes."""
    return [_first_port(type_, mode) for mode in type_.modes]


def _first_port(type_: SwitchType, mode: PortMode) -> Port:
    one_cage = replace(type_, cages=(replace(type_.cages[0], count=1),))
    return switch_ports(one_cage, mode.name)[0]
