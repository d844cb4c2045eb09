"""What a plan of leafs, spines and cores amounts to: its counts, and the racks it stands in."""

from dataclasses import dataclass

from designer.model.hardware import RackType
from designer.placement.racks import fill
from designer.topologies.equipment import TypeSource, rack_type
from designer.topologies.leaf_spine import LeafSpinePlan
from designer.topologies.sizing import Counts

SERVERS_PER_RACK = 4
"""As NVIDIA stands eight-GPU servers (DGX SuperPOD H100): four a rack; fewer where four are higher than the rack."""


@dataclass(frozen=True, slots=True)
class RackRow:
    """Devices that fill racks one after another: numbers from 0 of servers, leafs, spines and cores, in that order."""

    rack: RackType
    heights: tuple[float, ...]
    servers: range = range(0)
    leafs: range = range(0)
    spines: range = range(0)
    cores: range = range(0)
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
    core_height = plan.kit.core_type.rack_units
    if core_height is not None and plan.n_cores:
        rows.append(RackRow(rack, (core_height,) * plan.n_cores, cores=range(plan.n_cores)))
    return rows


def counted(plan: LeafSpinePlan, find: TypeSource) -> Counts:
    """What building the plan would add to a design."""
    n_node_links = plan.n_servers * len(plan.kit.server.ports)
    switches = {"leaf": plan.n_leafs}
    links = {"server-leaf": n_node_links}
    if plan.inter_leaf_links:
        links["leaf-leaf"] = plan.inter_leaf_links
    if plan.upper:
        switches["spine"] = plan.n_spines
        links["leaf-spine"] = plan.n_leafs * plan.n_uplinks
        if plan.n_cores:
            switches["core"] = plan.n_cores
            links["spine-core"] = plan.n_spines * plan.upper.spine_uplinks
    return Counts(
        servers=plan.n_servers,
        endpoints=plan.n_servers * plan.kit.server.type_.gpus,
        switches=switches,
        links=links,
        racks=sum(row.n_racks for row in rack_rows(plan, find)),
        nics=plan.n_servers * len(plan.kit.server.nics),
        remark=plan.remark,
    )
