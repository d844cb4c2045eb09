"""The networks other than compute, added to servers that stand there: storage, in-band and out-of-band management.

Each network has switches of its own. Which ports a server has for it is what its type states, and nothing else; the
out-of-band network takes the management ports of switches too. A server with two ports or more in a network is on two
switches of it, so that one may fail; where two switches do not take all servers, leafs fill one after another under
spines that spread evenly.

Port order: on a leaf, servers take the first ports and links up the last ones, as in a fat-tree; before those are the
ports that are kept for what the design does not show.
"""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from designer.catalog.catalog import Catalog
from designer.errors import ParameterError
from designer.fields import kinds
from designer.fields.field import check, setting
from designer.fields.ranges import Range
from designer.model.design import Design
from designer.model.edit import Edit
from designer.model.entities import End
from designer.model.hardware import Port, switch_ports
from designer.model.matching import port_compatibility
from designer.model.networks import (
    IN_BAND,
    OUT_OF_BAND,
    STORAGE,
    TITLES,
    network_of_switch,
)
from designer.placement.metrics import BOX_HEIGHT, COLUMN_PITCH, ROW_PITCH
from designer.topologies.assembly import Assembly, padded
from designer.topologies.equipment import (
    TypeSource,
    switch_type,
    types_of,
)
from designer.topologies.network_members import Member, filled, managed_switches, servers_to_join
from designer.topologies.network_plans import Kept, NetworkPlan, WantedNetwork, plan_network
from designer.topologies.parameters import ratio_parameter
from designer.topologies.racking import mounted_units, rack_for
from designer.units import format_count

GAP_BELOW = 150.0
"""Canvas units between the design and the networks under it, at least."""
GAP_BELOW_SHARE = 0.06
"""And so much of the width over which their links spread."""

KEPT_FOR = {
    STORAGE: (("storage_server_ports", "storage servers"), ("storage_manager_ports", "fabric managers")),
    IN_BAND: (
        ("in_band_core_ports", "the core"),
        ("in_band_edge_ports", "the edge"),
        ("in_band_support_ports", "support servers"),
        ("in_band_storage_ports", "storage servers"),
    ),
    OUT_OF_BAND: (("oob_device_ports", "other devices"),),
}
"""What ports of leafs are kept for: what a network leads to and the design does not show; by field of parameters."""

MOST_KEPT = 1024

Point = tuple[float, float]

GROUP_NAMES = {STORAGE: "Storage", IN_BAND: "In-band", OUT_OF_BAND: "Out-of-band"}

WORDS = {STORAGE: "storage", IN_BAND: "inband", OUT_OF_BAND: "oob"}
"""What names of the switches begin with."""


def _switch(name: str, help: str) -> Any:
    return setting("", title=name, help=help, kind=kinds.SWITCH, empty="none")


def _number(name: str, help: str) -> Any:
    return setting(None, title=name, help=f"{help}; if left out, the fewest.", kind=kinds.COUNT)


def _kept(name: str, which: str, what: str) -> Any:
    return setting(
        0, title=name, help=f"{which} that are kept for {what}.", kind=kinds.COUNT, within=Range(0, MOST_KEPT)
    )


@dataclass(frozen=True, slots=True)
class NetworkParameters:
    """Which networks to add, and with what. Raises ParameterError for values that make no sense."""

    storage_switch: str = _switch(
        "Storage switch", "Type of the switches of a storage network; if left out, there is no such network."
    )
    storage_oversubscription: float = ratio_parameter(
        "Storage oversubscription", "Storage: highest ratio of downlink to uplink capacity of a leaf switch."
    )
    storage_leafs: int | None = _number("Storage leaf switches", "Storage: number of leaf switches")
    storage_spines: int | None = _number("Storage spines", "Storage: number of spine switches above the leafs")
    in_band_switch: str = _switch(
        "In-band switch",
        "Type of the switches of an in-band management network; if left out, there is no such network.",
    )
    in_band_oversubscription: float = ratio_parameter(
        "In-band oversubscription", "In-band: highest ratio of downlink to uplink capacity of a leaf switch."
    )
    in_band_leafs: int | None = _number("In-band leaf switches", "In-band: number of leaf switches")
    in_band_spines: int | None = _number("In-band spines", "In-band: number of spine switches above the leafs")
    oob_switch: str = _switch(
        "Out-of-band switch",
        "Type of the switches that connect server controllers (BMC) and management ports of switches; if left out, "
        "there is no such network.",
    )
    oob_uplinks: int = setting(
        1,
        title="Out-of-band uplinks",
        help="Out-of-band: uplinks of each switch, if one switch is not enough for all servers.",
        kind=kinds.COUNT,
    )
    oob_leafs: int | None = _number(
        "Out-of-band leaf switches", "Out-of-band: number of switches that devices connect to"
    )
    oob_spines: int | None = _number(
        "Out-of-band spines", "Out-of-band: number of switches above those that devices connect to"
    )
    storage_server_ports: int = _kept(
        "Ports for storage servers", "Storage: ports of each leaf switch", "storage servers"
    )
    storage_manager_ports: int = _kept(
        "Storage ports for managers", "Storage: ports of each leaf switch", "fabric managers, such as UFM"
    )
    in_band_core_ports: int = _kept("Ports for the core", "In-band: ports of each leaf switch", "the core")
    in_band_edge_ports: int = _kept("Ports for the edge", "In-band: ports of each leaf switch", "the edge")
    in_band_support_ports: int = _kept(
        "Ports for support servers", "In-band: ports of each leaf switch", "support servers, such as management nodes"
    )
    in_band_storage_ports: int = _kept(
        "In-band ports for storage", "In-band: ports of each leaf switch", "storage servers"
    )
    oob_device_ports: int = _kept(
        "Ports for other devices", "Out-of-band: ports of each leaf switch", "other devices, such as PDUs"
    )

    def __post_init__(self) -> None:
        check(self)

    @property
    def any(self) -> bool:
        """Whether at least one network is asked for."""
        return bool(self.storage_switch or self.in_band_switch or self.oob_switch)


def build(
    design: Design, parameters: NetworkParameters, catalog: Catalog, server_ids: Sequence[str] | None = None
) -> Edit:
    """The edit that adds the networks asked for to these servers, or to all of the design.

    Servers that are in a network already stay as they are; others come onto the free ports of its leafs where it is
    there already. Raises ParameterError for what cannot be built.
    """
    find = types_of(design, catalog)
    chosen = list(server_ids) if server_ids is not None else [server.id for server in design.servers()]
    if not parameters.any:
        raise ParameterError("choose the switches of one network at least")
    if not chosen:
        raise ParameterError("there is no server to join to a network: add servers first")
    assembly = Assembly(design, find, beside=False)
    plans: list[NetworkPlan] = []
    extended: list[tuple[str, tuple[Member, ...]]] = []
    for wanted in _wanted(parameters):
        network = wanted.network
        leaf = switch_type(find, wanted.switch)
        there = [switch.id for switch in design.switches() if network_of_switch(switch) == network]
        meeting = design.device_type(there[0]) if there else leaf
        managed: list[Member] = []
        if network == OUT_OF_BAND and server_ids is None:
            types = [plan.budget.type_ for plan in plans for _ in range(plan.n_leafs + plan.n_spines)]
            managed = managed_switches(design, types, meeting)
        members = (*servers_to_join(design, network, find, chosen, meeting, or_else=managed), *managed)
        if there:
            extended.append((network, members))
        else:
            plans.append(plan_network(design, members, leaf, wanted))
    built: list[str] = []
    for plan, rows in zip(plans, _rows(design, plans), strict=True):
        built += _add(assembly, design, replace(plan, members=filled(plan.members, built)), find, rows)
    for network, members in extended:
        _extend(assembly, design, network, filled(members, built))
    named = [one.network for one in _wanted(parameters)]
    what = f"{TITLES[named[0]].lower()} network" if len(named) == 1 else f"{len(named)} networks"
    return assembly.edit(f"Add {what}" if plans else f"Extend {what}")


def _wanted(parameters: NetworkParameters) -> list[WantedNetwork]:
    """The networks asked for; the out-of-band one last, which manages the switches of the others."""
    one = parameters
    every = (
        WantedNetwork(
            STORAGE,
            one.storage_switch,
            one.storage_oversubscription,
            0,
            _kept_of(one, STORAGE),
            one.storage_leafs,
            one.storage_spines,
        ),
        WantedNetwork(
            IN_BAND,
            one.in_band_switch,
            one.in_band_oversubscription,
            0,
            _kept_of(one, IN_BAND),
            one.in_band_leafs,
            one.in_band_spines,
        ),
        WantedNetwork(
            OUT_OF_BAND,
            one.oob_switch,
            None,
            one.oob_uplinks,
            _kept_of(one, OUT_OF_BAND),
            one.oob_leafs,
            one.oob_spines,
        ),
    )
    return [one for one in every if one.switch]


def _kept_of(parameters: NetworkParameters, network: str) -> Kept:
    return tuple((what, number) for name, what in KEPT_FOR[network] if (number := getattr(parameters, name)))


def _extend(assembly: Assembly, design: Design, network: str, members: Sequence[Member]) -> None:
    """The servers on the free ports of a network's leafs, each on the emptiest ones. Raises ParameterError."""
    leafs = [
        switch.id
        for switch in design.switches()
        if network_of_switch(switch) == network and switch.role in ("", "leaf", "storage", "management")
    ]
    free = {leaf: design.free_ports(leaf) for leaf in leafs}
    n_free, needed = sum(map(len, free.values())), sum(len(one.ports) for one in members)
    fitting: dict[str, list[Port]] = {}
    like: Port | None = None
    for member in members:
        first = member.ports[0]
        if like is None or replace(first, cage=like.cage, lane=like.lane) != like:
            fitting = {leaf: [p for p in ports if port_compatibility(p, first) is None] for leaf, ports in free.items()}
            like = first
        sides = min(2, len(member.ports), len(leafs))
        on_each = math.ceil(len(member.ports) / max(1, sides))
        chosen = [leaf for _, leaf in sorted((-len(fitting[leaf]), leaf) for leaf in leafs)[:sides]]
        if not chosen or len(fitting[chosen[-1]]) < on_each:
            raise ParameterError(
                f"the leaf switches of the {TITLES[network].lower()} network have {format_count(n_free)} ports left "
                "and "
                f"{format_count(needed)} are needed: delete its switches and add it again to make it larger"
            )
        assembly.install(member.device_id, member.nics, member.nic_modes)
        for place, port in enumerate(member.ports):
            leaf = chosen[place % sides]
            taken = fitting[leaf].pop(0)
            free[leaf].remove(taken)
            assembly.link(End(member.device_id, port.name), End(leaf, taken.name))


# -- building ----------------------------------------------------------------------------------------------------------


def _add(
    assembly: Assembly, design: Design, plan: NetworkPlan, find: TypeSource, rows: tuple[list[Point], list[Point]]
) -> list[str]:
    """Add the switches and links of a network; returns its leafs and spines. `rows` are the centres of both."""
    word, type_ = WORDS[plan.network], plan.budget.type_
    group = assembly.add_group(GROUP_NAMES[plan.network], "network")
    mode = plan.budget.down_mode
    fields = {
        "group_id": group,
        "port_mode": mode.name if mode != type_.modes[0] else "",
        "network": plan.network,
    }
    names = [port.name for port in switch_ports(type_, mode.name)]
    n_below = len(names) - plan.n_uplinks
    kept = tuple(names[n_below - plan.n_kept : n_below])
    purposes = [what for what, number in plan.kept for _ in range(number)]
    reserved = {"reserved_ports": kept, "reserved_for": tuple(zip(kept, purposes, strict=True))}
    leafs, spines = (
        [
            assembly.add_device(
                f"{word}-{role}-{padded(number + 1, len(points))}",
                type_,
                point,
                role=role,
                **fields,
                **(reserved if role == "leaf" else {}),
            )
            for number, point in enumerate(points)
        ]
        for role, points in zip(("leaf", "spine"), rows, strict=True)
    )
    taken = dict.fromkeys(leafs, 0)
    for number, member in enumerate(plan.members):
        assembly.install(member.device_id, member.nics, member.nic_modes)
        first = number // plan.members_per_unit * plan.sides
        for place, port in enumerate(member.ports):
            leaf = leafs[first + place % plan.sides]
            assembly.link(End(member.device_id, port.name), End(leaf, names[taken[leaf]]))
            taken[leaf] += 1
    lanes = plan.n_uplinks // plan.n_spines if plan.n_spines else 0
    for number, leaf in enumerate(leafs):
        for up in range(plan.n_uplinks):
            spine, lane = divmod(up, lanes)
            leaf_port = names[n_below + up]
            assembly.link(End(leaf, leaf_port), End(spines[spine], names[number * lanes + lane]))
    _mount(assembly, design, plan, find, group, [*leafs, *spines])
    return [*leafs, *spines]


def _rows(design: Design, plans: Sequence[NetworkPlan]) -> list[tuple[list[Point], list[Point]]]:
    """Centres of leafs and of spines under them, each in one row, the networks side by side below the design."""
    places = design.placements.values()
    left, right = min((p.x for p in places), default=0.0), max((p.x for p in places), default=0.0)
    widths = [max(plan.n_leafs, plan.n_spines) * COLUMN_PITCH for plan in plans]
    # Links to servers far to the side need height, else they lie on each other.
    reach = max(right - left, sum(widths))
    top = max((p.y for p in places), default=0.0) + BOX_HEIGHT + max(GAP_BELOW, GAP_BELOW_SHARE * reach)
    between = max(COLUMN_PITCH, (right - left - sum(widths)) / max(1, len(plans)))
    x = (left + right) / 2 - (sum(widths) + (len(plans) - 1) * between) / 2
    found = []
    for plan, width in zip(plans, widths, strict=True):
        middle = x + width / 2
        below = top + BOX_HEIGHT + max(ROW_PITCH, GAP_BELOW_SHARE * width)
        found.append((_centred(plan.n_leafs, middle, top), _centred(plan.n_spines, middle, below)))
        x += width + between
    return found


def _centred(count: int, middle: float, y: float) -> list[Point]:
    """One row of so many boxes."""
    left = middle - (count - 1) * COLUMN_PITCH / 2
    return [(round(left + number * COLUMN_PITCH, 1), round(y, 1)) for number in range(count)]


def _mount(
    assembly: Assembly, design: Design, plan: NetworkPlan, find: TypeSource, group: str, switches: Sequence[str]
) -> None:
    """In racks of their own, where the design has racks and the switch is none of the generic ones without a height."""
    units = mounted_units(plan.budget.type_)
    if design.racks and units is not None:
        names = (f"{WORDS[plan.network]}-net-{number:02d}" for number in itertools.count(1))
        rack = rack_for(find, units, 1)
        assembly.mount(switches, (units,) * len(switches), rack, names, from_top=True, group_id=group)
