"""What a plan of leafs, spines and cores amounts to: its counts, and the racks it stands in."""

from dataclasses import dataclass

from designer.model.hardware import RackType
from designer.placement.racks import fill
from designer.topologies.equipment import TypeSource
from designer.topologies.leaf_spine import LeafSpinePlan
from designer.topologies.racking import SERVERS_PER_RACK, assumed_heights, mounted_units, rack_for
from designer.topologies.sizing import Counts


@dataclass(frozen=True, slots=True)
class RackRow:
    """Devices that fill racks one after another: numbers from 0 of servers, leafs, spines and cores, in that order."""

    rack: RackType
    units: tuple[int, ...]
    """Those kept for each device."""
    servers: range = range(0)
    leafs: range = range(0)
    spines: range = range(0)
    cores: range = range(0)
    unit: int | None = None
    """The scalable unit whose row it is."""

    @property
    def of_servers(self) -> bool:
        """Whether servers stand in the row."""
        return bool(self.servers)

    @property
    def most(self) -> int | None:
        """Devices in one rack at most."""
        return SERVERS_PER_RACK if self.of_servers else None

    @property
    def n_racks(self) -> int:
        """How many racks the devices of the row fill."""
        return 1 + fill(self.units, self.rack.units, self.most)[-1].rack


def rack_rows(plan: LeafSpinePlan, find: TypeSource) -> list[RackRow]:
    """How the fabric is mounted: servers four a rack, rack-scale systems one a rack, switches in racks of their own.

    A scalable unit's servers and leafs each start a new rack. Generic hardware has no height and stands in no rack.
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
    kit, rows = plan.kit, list[RackRow]()
    server_units = mounted_units(kit.server.type_)
    if server_units is not None:
        rack = rack_for(find, server_units, SERVERS_PER_RACK)
        for servers, _, unit in spans:
            rows.append(RackRow(rack, (server_units,) * len(servers), servers=servers, unit=unit))
    leaf_units, spine_units = mounted_units(kit.leaf.type_), mounted_units(kit.spine_type)
    if leaf_units is not None:
        rack = rack_for(find, leaf_units, 1)
        for _, leafs, unit in spans:
            rows.append(RackRow(rack, (leaf_units,) * len(leafs), leafs=leafs, unit=unit))
    if spine_units is not None and plan.n_spines:
        rack = rack_for(find, spine_units, 1)
        rows.append(RackRow(rack, (spine_units,) * plan.n_spines, spines=range(plan.n_spines)))
    core_units = mounted_units(kit.core_type)
    if core_units is not None and plan.n_cores:
        rack = rack_for(find, core_units, 1)
        rows.append(RackRow(rack, (core_units,) * plan.n_cores, cores=range(plan.n_cores)))
    return rows


def _remark(plan: LeafSpinePlan) -> str:
    """What the counts do not show: of the plan, and of the heights that mounting it assumes."""
    if plan.racks == "none":
        return plan.remark
    kit = plan.kit
    above = [kit.spine_type] * bool(plan.n_spines) + [kit.core_type] * bool(plan.n_cores)
    return " ".join(filter(None, (plan.remark, assumed_heights([kit.server.type_, kit.leaf.type_, *above]))))


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
        remark=_remark(plan),
    )
