"""Scale-up fabrics, planned: parameters, hardware and all numbers, before anything is built."""

import math
from dataclasses import dataclass, replace

from designer.errors import ParameterError
from designer.fields import kinds
from designer.fields.field import check, setting
from designer.fields.ranges import Range
from designer.model.hardware.ports import PortMode
from designer.model.hardware.switches import SwitchType
from designer.topologies.equipment import (
    ServerKit,
    TypeSource,
    first_ports,
    mode_joining,
    server_joining,
    server_kits,
    switch_type,
)
from designer.topologies.parameters import racks_parameter
from designer.topologies.sizing import even_spread
from designer.units import format_count, format_counted


@dataclass(frozen=True, slots=True)
class ScaleUpParameters:
    """What a scale-up fabric is made of. Raises ParameterError for values that make no sense by themselves."""

    server: str = setting(
        "gb200-compute-tray",
        title="Compute tray",
        help="Type of the compute trays or servers; its NICs are the scale-up links of its GPUs.",
        kind=kinds.SERVER,
        first=True,
    )
    servers: int = setting(
        18,
        title="Trays per group",
        help="Compute trays or servers that share the switches of a group.",
        kind=kinds.COUNT,
        option="--trays",
        first=True,
    )
    switch: str = setting(
        "nvlink-5-switch-tray", title="Switch", help="Type of the switch trays.", kind=kinds.SWITCH, first=True
    )
    switches: int = setting(
        9,
        title="Switches per group",
        help="Switch trays of each group; 0 joins every two trays of one GPU directly, as a full mesh.",
        kind=kinds.COUNT,
        within=Range(0),
        first=True,
    )
    chips: int = setting(
        2,
        title="Chips per switch",
        help="Switch chips of a tray, which share its ports evenly. Every GPU has links to every chip. Simulations "
        "take the tray as one switch.",
        kind=kinds.COUNT,
    )
    groups: int = setting(
        1,
        title="Groups",
        help="Groups of trays with switches of their own: racks, or servers with switch chips inside.",
        kind=kinds.COUNT,
        first=True,
    )
    upper_switches: int | None = setting(
        None,
        title="Second-level switches per sub-plane",
        noun="second-level switches",
        help="Switches that join the chips of the same number of all groups; if left out, there is no second level.",
        kind=kinds.COUNT,
        empty="none",
    )
    uplinks: int | None = setting(
        None,
        title="Uplinks per chip",
        noun="uplinks",
        help="Links of a switch chip to the second level; if left out, as many as lead down from it.",
        kind=kinds.COUNT,
    )
    upper_switch: str = setting(
        "",
        title="Second-level switch",
        help="Type of the second-level switches; if left out, that of the others.",
        kind=kinds.SWITCH,
    )
    cross_links: int | None = setting(
        None,
        title="Links across",
        noun="links across",
        help="Links between the chips of the same number of every two groups, without a second level.",
        kind=kinds.COUNT,
        empty="none",
    )
    nic_switch: str = setting(
        "",
        title="Scale-out switch",
        help="Type of the leaf switches and spines between groups: NIC i of every tray of a group connects to leaf "
        "switch i of the group. If left out, NICs are not used.",
        kind=kinds.SWITCH,
        empty="none",
    )
    nic_spines: int | None = setting(
        None,
        title="Scale-out spines",
        help="Spine switches above these leaf switches; if left out, the fewest for as many uplinks as downlinks.",
        kind=kinds.COUNT,
    )
    racks: str = racks_parameter()

    def __post_init__(self) -> None:
        check(self)
        if self.upper_switches is None and (self.uplinks is not None or self.upper_switch):
            raise ParameterError("uplinks and their switch need a number of second-level switches")
        if self.upper_switches is not None and self.cross_links is not None:
            raise ParameterError("groups are joined by a second level or by links across, not by both")
        if self.groups == 1 and (self.upper_switches is not None or self.cross_links is not None):
            raise ParameterError("one group has nothing to be joined with: give at least 2 groups")
        if not self.switches and (self.groups > 1 or self.nic_switch):
            raise ParameterError("a full mesh without switches is one group, without a scale-out network")
        if self.nic_spines is not None and (not self.nic_switch or self.groups == 1):
            raise ParameterError("scale-out spines need a scale-out switch and at least 2 groups")

    @property
    def n_chips(self) -> int:
        """Switch chips of a group."""
        return self.switches * self.chips


@dataclass(frozen=True, slots=True)
class Rails:
    """The network between groups: a leaf switch for each NIC of a tray, in every group, under common spines."""

    ports: tuple[int, ...]
    """NIC ports of a tray, as numbers in `kit.ports`."""
    switch: SwitchType
    mode: PortMode
    n_leafs: int
    uplinks: int = 0
    n_spines: int = 0


@dataclass(frozen=True, slots=True)
class Plan:
    """Every number of a scale-up fabric, with its hardware."""

    parameters: ScaleUpParameters
    kit: ServerKit
    by_gpu: tuple[tuple[int, ...], ...]
    """Ports of a tray by GPU, as numbers in `kit.ports`."""
    leaf: SwitchType | None
    leaf_mode: PortMode | None
    spine: SwitchType | None = None
    spine_mode: PortMode | None = None
    uplinks: int = 0
    """Of a chip to the second level."""
    rails: Rails | None = None

    @property
    def n_servers(self) -> int:
        """Trays of all groups."""
        return self.parameters.groups * self.parameters.servers

    @property
    def n_leafs(self) -> int:
        """Switch trays of all groups."""
        return self.parameters.groups * self.parameters.switches

    @property
    def n_spines(self) -> int:
        """Second-level switches of all sub-planes."""
        return self.parameters.n_chips * (self.parameters.upper_switches or 0)

    @property
    def links_per_gpu(self) -> int:
        """Scale-up links of every GPU."""
        return len(self.by_gpu[0])

    @property
    def ports_per_chip(self) -> int:
        """Ports of a switch chip."""
        assert self.leaf is not None
        assert self.leaf_mode is not None
        return self.leaf.n_ports(self.leaf_mode) // self.parameters.chips

    def chip_of(self, link: int) -> int:
        """The chip of the group that a GPU's link leads to, both from 0: evenly, those of a chip side by side."""
        return link * self.parameters.n_chips // self.links_per_gpu

    def down(self, chip: int) -> int:
        """Links of a chip to GPUs."""
        per_gpu = sum(self.chip_of(link) == chip for link in range(self.links_per_gpu))
        return per_gpu * len(self.by_gpu) * self.parameters.servers

    @property
    def across(self) -> int:
        """Links of a chip to those of the same number of other groups."""
        return (self.parameters.cross_links or 0) * (self.parameters.groups - 1)


def planned(parameters: ScaleUpParameters, find: TypeSource) -> Plan:
    """The numbers and the hardware. Raises ParameterError, with the numbers, for what cannot be built."""
    kits = server_kits(find, parameters.server)
    if not parameters.switches:
        plan = Plan(parameters, kits[0], _by_gpu(kits[0]), None, None)
        links_per_peer(plan)
        return plan
    leaf = switch_type(find, parameters.switch)
    inside, outside = zip(*(_halves(kit, leaf) for kit in kits), strict=True)
    kit, leaf_mode = server_joining(list(inside), lambda _rate_gbps: leaf)
    plan = Plan(parameters, kit, _by_gpu(kit), leaf, leaf_mode)
    if parameters.nic_switch:
        plan = _with_rails(plan, [one for one in outside if one is not None], find)
    _require_even_chips(plan)
    if parameters.upper_switches is not None:
        spine = switch_type(find, parameters.upper_switch) if parameters.upper_switch else leaf
        port = first_ports(leaf)[leaf.modes.index(leaf_mode)]
        uplinks = parameters.uplinks if parameters.uplinks is not None else plan.down(0)
        plan = replace(plan, spine=spine, spine_mode=mode_joining(spine, port, leaf.model), uplinks=uplinks)
        _require_even_uplinks(plan)
    for chip in range(parameters.n_chips):
        used = plan.down(chip) + plan.uplinks + plan.across
        if used > plan.ports_per_chip:
            raise ParameterError(
                f"a chip of {leaf.model} has {format_count(plan.ports_per_chip)} ports; "
                f"{format_count(plan.down(chip))} downlinks and "
                f"{format_count(plan.uplinks + plan.across)} to other groups were asked for"
            )
    return plan


def _halves(kit: ServerKit, leaf: SwitchType) -> tuple[ServerKit, ServerKit | None]:
    """A tray with the links that go to scale-up switches, and with the other NICs; None where it has none."""
    inside = tuple(port for port in kit.ports if set(port.protocols) & set(leaf.protocols))
    outside = tuple(port for port in kit.ports if port not in inside)
    return kit.only(inside or kit.ports), kit.only(outside) if inside and outside else None


def _with_rails(plan: Plan, kits: list[ServerKit], find: TypeSource) -> Plan:
    """The plan with the network between groups, and with the NICs for it in the trays."""
    parameters = plan.parameters
    if not kits:
        raise ParameterError(
            f"{plan.kit.type_.model} has no NICs besides its scale-up links: choose a type that has, "
            "as GB200 compute tray"
        )
    switch = switch_type(find, parameters.nic_switch)
    nics, mode = server_joining(kits, lambda _rate_gbps: switch)
    both = replace(
        plan.kit,
        nics=plan.kit.nics + nics.nics,
        ports=plan.kit.ports + nics.ports,
        nic_modes=plan.kit.nic_modes + nics.nic_modes,
    )
    ports = tuple(range(len(plan.kit.ports), len(both.ports)))
    n_leafs, radix = parameters.groups * len(ports), switch.n_ports(mode)
    rails = Rails(ports, switch, mode, n_leafs)
    if parameters.groups > 1:
        spines = parameters.nic_spines or even_spread(parameters.servers, n_leafs, radix)
        rails = replace(rails, n_spines=spines, uplinks=math.ceil(parameters.servers / spines) * spines)
    used = max(parameters.servers + rails.uplinks, n_leafs * rails.uplinks // max(1, rails.n_spines))
    if used > radix:
        raise ParameterError(
            f"{switch.model} has {format_count(radix)} ports; {format_count(used)} are needed for "
            f"{format_counted(parameters.servers, 'tray')} per group and {format_counted(n_leafs, 'leaf switch')}"
        )
    return replace(plan, kit=both, rails=rails)


def _by_gpu(kit: ServerKit) -> tuple[tuple[int, ...], ...]:
    """Numbers of a tray's ports by GPU. Raises ParameterError where GPUs have unlike numbers of them."""
    found: dict[int, list[int]] = {gpu: [] for gpu in range(kit.type_.gpus)}
    for number, port in enumerate(kit.ports):
        if port.gpu is not None and port.gpu in found:
            found[port.gpu].append(number)
    sizes = {len(ports) for ports in found.values()}
    if len(sizes) != 1 or 0 in sizes:
        raise ParameterError(
            f"the GPUs of {kit.type_.model} should each have the same number of scale-up links, as those of "
            "gb200-compute-tray or generic-server-4x18x400g have"
        )
    return tuple(tuple(ports) for ports in found.values())


def _require_even_chips(plan: Plan) -> None:
    parameters, leaf = plan.parameters, plan.leaf
    assert leaf is not None
    assert plan.leaf_mode is not None
    n_ports = leaf.n_ports(plan.leaf_mode)
    if n_ports % parameters.chips:
        raise ParameterError(
            f"{format_count(n_ports)} ports of {leaf.model} do not spread evenly over "
            f"{format_count(parameters.chips)} chips"
        )
    if plan.links_per_gpu < parameters.n_chips:
        raise ParameterError(
            f"a GPU of {plan.kit.type_.model} has {format_counted(plan.links_per_gpu, 'link')}, and a group has "
            f"{format_counted(parameters.n_chips, 'switch chip')}: give no more chips than links"
        )


def _require_even_uplinks(plan: Plan) -> None:
    parameters, spine = plan.parameters, plan.spine
    assert spine is not None
    assert plan.spine_mode is not None
    assert parameters.upper_switches is not None
    if plan.uplinks % parameters.upper_switches:
        raise ParameterError(
            f"{format_count(plan.uplinks)} uplinks of a chip do not spread evenly over "
            f"{format_count(parameters.upper_switches)} second-level switches"
        )
    used = parameters.groups * plan.uplinks // parameters.upper_switches
    n_ports = spine.n_ports(plan.spine_mode)
    if used > n_ports:
        raise ParameterError(
            f"a second-level switch has {format_count(n_ports)} ports; {format_count(used)} links of "
            f"{format_count(parameters.groups)} groups were asked for: give more second-level switches per sub-plane"
        )


def links_per_peer(plan: Plan) -> int:
    """Parallel links between every two GPUs of a full mesh. Raises ParameterError where there is none."""
    peers = plan.parameters.servers - 1
    if len(plan.by_gpu) > 1:
        raise ParameterError(
            f"{plan.kit.type_.model} has {format_count(len(plan.by_gpu))} GPUs, joined inside it: a full mesh is "
            "drawn between devices of one GPU each, such as generic-server-1x7x512g"
        )
    if not peers or plan.links_per_gpu < peers:
        raise ParameterError(
            f"{format_counted(plan.links_per_gpu, 'link')} of a GPU cannot lead to each of {format_count(peers)} others"
        )
    return plan.links_per_gpu // peers
