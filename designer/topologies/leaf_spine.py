"""Two tiers, planned: every number that fat-tree and rail-optimized have in common, before anything is built.

A fabric is a row of like units. A unit is the smallest run of whole servers on whole leafs: one leaf and its servers in
a fat-tree, a scalable unit of one leaf a rail in a rail-optimized fabric. The last unit may lack servers; its leafs,
their links to the spines and the spines are there in full, and the ports of the missing servers stay free.

Port order, which routing relies on: on a leaf, links down take the first ports, by server and then by NIC, and links up
the last ones, by spine, parallel links side by side; on a spine, ports follow the leafs, parallel links side by side.
"""

import math
from dataclasses import dataclass
from typing import Literal

from designer.errors import ParameterError
from designer.model.hardware import RackType
from designer.placement.racks import fill
from designer.topologies.equipment import LeafSpineKit, TypeSource, rack_type
from designer.topologies.parameters import LeafSpineParameters
from designer.topologies.sizing import Counts, even_spread, require_holdable
from designer.units import format_count, format_ratio

SERVERS_PER_RACK = 4
"""As NVIDIA stands eight-GPU servers (DGX SuperPOD H100): four a rack; fewer where four are higher than the rack."""

Socket = tuple[int, int]
"""A leaf of the unit, and the number of its port, both from 0."""


@dataclass(frozen=True, slots=True)
class LeafSpinePlan:
    """Every number of a two-tier fabric, before anything is built."""

    kit: LeafSpineKit
    n_servers: int
    n_units: int
    leafs_per_unit: int
    sockets: tuple[tuple[Socket, ...], ...]
    """Where the ports of each server of a unit go: (servers a unit, fabric ports a server)."""
    n_uplinks: int
    """Links up of every leaf; 0 where there are no spines."""
    n_spines: int
    reserve_leaf_ports: int
    racks: str
    scalable_units: bool
    """Units are shown as groups, and stand in racks of their own."""

    @property
    def servers_per_unit(self) -> int:
        return len(self.sockets)

    @property
    def n_leafs(self) -> int:
        return self.n_units * self.leafs_per_unit

    def servers_in(self, unit: int) -> int:
        """Servers present in a unit, counted from 0."""
        return min(self.servers_per_unit, self.n_servers - unit * self.servers_per_unit)


def planned(
    kit: LeafSpineKit,
    parameters: LeafSpineParameters,
    leafs_per_unit: int,
    sockets: tuple[tuple[Socket, ...], ...],
    *,
    spines: Literal["needed", "always", "never"] = "needed",
    scalable_units: bool = False,
) -> LeafSpinePlan:
    """The plan for units of the given shape: links up from the ratio, spines by even spread.

    One leaf alone needs no spine. Raises ParameterError, with the numbers, for what cannot be built.
    """
    n_servers = parameters.servers
    n_units = math.ceil(n_servers / len(sockets))
    n_leafs = n_units * leafs_per_unit
    n_uplinks = n_spines = 0
    if spines == "always" or (spines == "needed" and n_leafs > 1):
        n_down = 1 + max(port for server in sockets for _, port in server)
        n_uplinks = kit.leaf.uplinks(n_down, parameters.oversubscription)
        if n_leafs > kit.spine_radix:
            raise ParameterError(_too_large(kit, parameters, leafs_per_unit, len(sockets)))
        n_spines = even_spread(n_uplinks, n_leafs, kit.spine_radix)
    require_holdable(n_servers + n_leafs + n_spines, n_servers * len(sockets[0]) + n_leafs * n_uplinks)
    plan = LeafSpinePlan(
        kit, n_servers, n_units, leafs_per_unit, sockets, n_uplinks, n_spines, parameters.reserve_leaf_ports,
        parameters.racks, scalable_units,
    )
    reserved_ports(plan)  # refuses here, before anything is built
    return plan


def _too_large(
    kit: LeafSpineKit, parameters: LeafSpineParameters, leafs_per_unit: int, servers_per_unit: int
) -> str:
    per_server = len(kit.server.ports)
    most_servers = kit.spine_radix // leafs_per_unit * servers_per_unit
    n_servers, ratio = parameters.servers, format_ratio(parameters.oversubscription)
    return (
        f"{format_count(n_servers)} x {kit.server.type_.id} needs {format_count(n_servers * per_server)} ports; "
        f"a two-tier fabric of {kit.leaf.type_.id} at {ratio} under spines of radix {kit.spine_radix} "
        f"ends at {format_count(most_servers * per_server)} endpoint ports ({format_count(most_servers)} servers)"
    )


def reserved_ports(plan: LeafSpinePlan) -> dict[int, tuple[int, ...]]:
    """Leaf ports kept for management appliances: leaf number to port numbers, all from 0.

    One port a leaf in turn, first on the leafs of the last unit where it lacks servers, then on any leaf with a port to
    spare. Raises ParameterError where fewer ports are free than are to be reserved.
    """
    wanted = plan.reserve_leaf_ports
    if not wanted:
        return {}
    n_ports = plan.kit.leaf.ports_down(plan.n_uplinks)
    full_use = _ports_in_use(plan, plan.servers_per_unit)
    last_use = _ports_in_use(plan, plan.servers_in(plan.n_units - 1))
    last = [(plan.n_leafs - plan.leafs_per_unit + leaf, last_use[leaf]) for leaf in range(plan.leafs_per_unit)]
    others = [(leaf, full_use[leaf % plan.leafs_per_unit]) for leaf in range(plan.n_leafs - plan.leafs_per_unit)]
    chosen: dict[int, list[int]] = {}
    free_in_all = 0
    for leafs in (last, others):
        free = [(leaf, [port for port in range(n_ports) if port not in used]) for leaf, used in leafs]
        free_in_all += sum(len(ports) for _, ports in free)
        for turn in range(max(len(ports) for _, ports in free) if free else 0):
            for leaf, ports in free:
                if turn < len(ports) and wanted:
                    chosen.setdefault(leaf, []).append(ports[turn])
                    wanted -= 1
    if wanted:
        raise ParameterError(
            f"{format_count(plan.reserve_leaf_ports)} leaf ports cannot be reserved: {format_count(plan.n_servers)} "
            f"servers leave {format_count(free_in_all)} free, every server fewer {len(plan.kit.server.ports)} more"
        )
    return {leaf: tuple(sorted(ports)) for leaf, ports in chosen.items()}


def _ports_in_use(plan: LeafSpinePlan, n_servers: int) -> list[frozenset[int]]:
    """Ports that the first `n_servers` of a unit take, leaf by leaf."""
    taken: list[set[int]] = [set() for _ in range(plan.leafs_per_unit)]
    for server in plan.sockets[:n_servers]:
        for leaf, port in server:
            taken[leaf].add(port)
    return [frozenset(ports) for ports in taken]


@dataclass(frozen=True, slots=True)
class RackRow:
    """Devices that fill racks one after another: numbers from 0 of servers, of leafs and of spines, in that order."""

    rack: RackType
    heights: tuple[float, ...]
    servers: range = range(0)
    leafs: range = range(0)
    spines: range = range(0)
    unit: int | None = None
    """The scalable unit whose row it is."""

    @property
    def of_servers(self) -> bool:
        return bool(self.servers)

    @property
    def most(self) -> int | None:
        """Devices in one rack at most."""
        return SERVERS_PER_RACK if self.of_servers else None

    @property
    def n_racks(self) -> int:
        return 1 + fill(self.heights, self.rack.units, self.most)[-1].rack


def rack_rows(plan: LeafSpinePlan, find: TypeSource) -> list[RackRow]:
    """How the fabric is mounted: servers four a rack, switches in racks of their own.

    A scalable unit's servers and leafs each start a new rack. Hardware of unknown height stands in no rack.
    """
    if plan.racks == "none":
        return []
    if plan.scalable_units:
        spans: list[tuple[range, range, int | None]] = [
            (
                range(unit * plan.servers_per_unit, unit * plan.servers_per_unit + plan.servers_in(unit)),
                range(unit * plan.leafs_per_unit, (unit + 1) * plan.leafs_per_unit),
                unit,
            )
            for unit in range(plan.n_units)
        ]
    else:
        spans = [(range(plan.n_servers), range(plan.n_leafs), None)]
    server_height = plan.kit.server.type_.rack_units
    leaf_height, spine_height = plan.kit.leaf.type_.rack_units, plan.kit.spine_type.rack_units
    rows: list[RackRow] = []
    if server_height is not None:
        rack = rack_type(find, SERVERS_PER_RACK * server_height)
        for servers, _, unit in spans:
            rows.append(RackRow(rack, (server_height,) * len(servers), servers=servers, unit=unit))
    rack = rack_type(find, 0)
    if leaf_height is not None:
        for _, leafs, unit in spans:
            rows.append(RackRow(rack, (leaf_height,) * len(leafs), leafs=leafs, unit=unit))
    if spine_height is not None and plan.n_spines:
        rows.append(RackRow(rack, (spine_height,) * plan.n_spines, spines=range(plan.n_spines)))
    return rows


def counted(plan: LeafSpinePlan, find: TypeSource) -> Counts:
    """What building the plan would add to a design."""
    n_node_links = plan.n_servers * len(plan.kit.server.ports)
    switches = {"leaf": plan.n_leafs}
    links = {"server-leaf": n_node_links}
    if plan.n_spines:
        switches["spine"] = plan.n_spines
        links["leaf-spine"] = plan.n_leafs * plan.n_uplinks
    return Counts(
        servers=plan.n_servers,
        endpoints=plan.n_servers * plan.kit.server.type_.gpus,
        switches=switches,
        links=links,
        racks=sum(row.n_racks for row in rack_rows(plan, find)),
        nics=plan.n_servers * len(plan.kit.server.nics),
    )
