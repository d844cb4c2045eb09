"""What a generated network is, in a sentence with the terms of the literature: family, parameters, sizes.

A family's statement is made of its parameters and of what was built of it, so that whoever reads a document knows the
network without the program.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from designer.fields import kinds
from designer.fields.field import fields_of
from designer.fields.kinds import NamedTypes
from designer.model.hardware.servers import SERVER
from designer.topologies.dragonfly import DragonflyParameters
from designer.topologies.dragonfly_plus import DragonflyPlusParameters
from designer.topologies.fat_tree import FatTreeParameters
from designer.topologies.global_links import idle_switches
from designer.topologies.group_kinds import GroupKind, GroupPlan
from designer.topologies.hyperx import HyperXParameters
from designer.topologies.jellyfish import JellyfishParameters
from designer.topologies.k_ary_fat_tree import KAryFatTreeParameters
from designer.topologies.parameters import LeafSpineParameters
from designer.topologies.pgft import PgftParameters
from designer.topologies.rail_optimized import RailOptimizedParameters
from designer.topologies.slim_fly import SlimFlyParameters
from designer.topologies.torus import TorusParameters
from designer.units import all_of, format_count, format_counted, format_ratio

ARRANGED = {
    "relative": "from the next group on, {} by {}",
    "absolute": "by number of the group, {} by {}",
    "circulant": "by distance of the groups, both ways in turn, {} by {}",
    "even": "spread over all {}s",
}
"""What an arrangement of global links means, for the switches that hold them."""
WHOLE = (kinds.COUNT, kinds.COUNTS, kinds.DIMS)


@dataclass(frozen=True, slots=True)
class Built:
    """What there is of a generated network."""

    servers: int = 0
    switches: Mapping[str, int] | None = None
    """By role, in tier order."""
    units: int = 0
    """Scalable units, pods or groups."""
    unit: str = "scalable unit"
    """What a unit is called: a system that fills a rack, alone in its unit, is a rack."""
    per_rack: int = 0
    """Servers in each rack of servers; 0 where these are not alike, or there are none."""
    word: str = SERVER
    """What the servers are called."""

    def of(self, role: str) -> int:
        """Switches of that role."""
        return (self.switches or {}).get(role, 0)

    @property
    def text(self) -> str:
        """ "16 servers, 4 leaf switches, 2 spine switches"."""
        switches = (format_counted(count, _switch(role)) for role, count in (self.switches or {}).items())
        return ", ".join((format_counted(self.servers, self.word), *switches))


def _switch(role: str) -> str:
    """What a switch of a role is called."""
    return role if role == "router" else f"{role} switch"


def fat_tree(given: FatTreeParameters, built: Built) -> str:
    """A fat-tree: its tiers and the ratio they were built for."""
    return f"Fat-tree, {_tiers(built)}: {built.text}; {_ratio(given)}{_planes(given)}{_reserved(given)}."


def rail_optimized(given: RailOptimizedParameters, built: Built) -> str:
    """A rail-optimized fabric: its scalable units and rails."""
    name = "Rail-only fabric" if given.rail_only else "Rail-optimized fabric"
    units = format_counted(max(1, built.units), built.unit)
    size = "" if given.servers_per_su is None else f" of up to {format_counted(given.servers_per_su, built.word)}"
    planes = 1 if given.only_plane is not None else given.planes
    per_rail = max(1, built.units) * given.leafs_per_rail * given.leafs_per_nic * planes
    rails, odd = divmod(built.of("leaf"), per_rail)
    railed = "" if odd or not rails else f" with {format_counted(rails, 'rail')}, one leaf switch per rail"
    if railed and given.leafs_per_rail * given.leafs_per_nic > 1:
        railed = f" with {format_counted(rails, 'rail')}, {_leafs_of_rail(given, built)}"
    # With as many rails as a tray has NICs, NIC n is on rail n.
    in_turn = given.rails is not None or built.unit == "rack"
    joined = (
        "the NICs of each server connect to the rails in turn"
        if in_turn
        else ("NIC n of each server connects to rail n")
    )
    ratio = "" if given.rail_only else f"; {_ratio(given)}"
    return (
        f"{name}, {_tiers(built)}: {built.text}; {units}{size}{railed}; {joined}"
        f"{ratio}{_planes(given)}{_reserved(given)}."
    )


def _leafs_of_rail(given: RailOptimizedParameters, built: Built) -> str:
    """ "8 leaf switches per rail, one per rack of 18 servers"; twins of a dual top-of-rack are 2 for each."""
    rows, twins, units = given.leafs_per_rail, given.leafs_per_nic, max(1, built.units)
    several = f"{format_counted(rows * twins, 'leaf switch')} per rail"
    if given.servers_per_su is not None:
        each = -(-given.servers_per_su // rows)
    else:
        each = built.servers // (units * rows) if built.servers % (units * rows) == 0 else 0
    if rows == 1 or not each:
        return f"{several} and {built.unit}" if units > 1 else several
    one = "one" if twins == 1 else format_count(twins)
    servers = format_counted(each, built.word)
    return f"{several}, {one} per rack of {servers}" if built.per_rack == each else f"{several}, {one} for {servers}"


def dragonfly(given: DragonflyParameters, _built: Built) -> str:
    """A dragonfly: p, a, h and g, and how its global links are arranged."""
    plan = given.plan
    only = plan.kinds[0]
    head = f"Dragonfly, {format_counted(plan.n_groups, 'group')}"
    if len(plan.kinds) == 1:
        head = f"Dragonfly, p = {only.p}, a = {only.leafs}, h = {only.h}, g = {format_count(plan.n_groups)}"
    groups = "; ".join(_routers(one, len(plan.kinds) > 1) for one in plan.kinds)
    return f"{head}: {groups}{_kind_servers(given.kind_servers)}; {_global(plan, given.arrangement, 'router')}."


def dragonfly_plus(given: DragonflyPlusParameters, _built: Built) -> str:
    """A dragonfly+: its groups of leafs and spines, and how its global links are arranged."""
    plan = given.plan
    groups = "; ".join(
        f"{_groups(one, len(plan.kinds) > 1)} of {one.leafs} leaf and {format_counted(one.holders, 'spine switch')}, "
        f"each leaf connected to every spine of its group, with p = {format_counted(one.p, 'host port')} per leaf and "
        f"up to h = {format_counted(one.h, 'global link')} per spine"
        for one in plan.kinds
    )
    return f"Dragonfly+: {groups}{_kind_servers(given.kind_servers)}; {_global(plan, given.arrangement, 'spine')}."


def idle_routers(given: DragonflyParameters) -> str:
    """A sentence on routers without a global link; "" for none."""
    return idle_switches(given.plan, given.arrangement, "router")


def idle_spines(given: DragonflyPlusParameters) -> str:
    """A sentence on spines without a global link; "" for none."""
    return idle_switches(given.plan, given.arrangement, "spine")


def torus(given: TorusParameters, built: Built) -> str:
    """A torus or mesh: its dimensions."""
    name = "mesh" if given.mesh else "twisted torus" if given.twisted else "torus"
    cubes = given.cubes
    of_cubes = "" if cubes is None else f" in cubes of {_times(cubes.cube)}"
    joined = "" if cubes is None else f"; {cubes.joined}"
    dims = f"{_times(given.dims)} {name} ({format_counted(len(given.dims), 'dimension')})"
    return f"{dims}{of_cubes}: {format_counted(given.n_nodes, 'node')}, each a router with a {built.word}{joined}."


def hyperx(given: HyperXParameters, _built: Built) -> str:
    """A HyperX: its lattice."""
    widths = "" if given.widths is None else f", K = {', '.join(map(str, given.widths))} parallel links"
    return (
        f"HyperX, S = {_times(given.dims)}{widths}: routers connected to all others along each dimension, with "
        f"{format_counted(given.p, 'host port')} each."
    )


def k_ary_fat_tree(given: KAryFatTreeParameters, built: Built) -> str:
    """A k-ary fat-tree."""
    return f"k-ary fat-tree, k = {given.k}, 3 tiers, {format_counted(given.k, 'pod')}: {built.text}."


def pgft(given: PgftParameters, built: Built) -> str:
    """A parallel generalized fat-tree, as the literature writes it."""
    rows = "; ".join(",".join(map(str, row)) for row in (given.children, given.parents, given.parallels))
    return f"Parallel generalized fat-tree, PGFT({given.height}; {rows}): {built.text}."


def slim_fly(given: SlimFlyParameters, built: Built) -> str:
    """A Slim Fly."""
    return f"Slim Fly, q = {given.q} (MMS graph): {built.text}; no two routers more than two hops apart."


def jellyfish(_given: JellyfishParameters, built: Built) -> str:
    """A Jellyfish."""
    return f"Jellyfish (random regular graph of routers): {built.text}."


def plain(title: str, given: Any, built: Built) -> str:
    """Any other family: its name and the whole numbers that it was made with."""
    described = fields_of(type(given)).values()
    stated = (
        f"{one.title.lower()}: {one.show(value)}"
        for one in described
        if one.kind in WHOLE and (value := getattr(given, one.name)) is not None
    )
    return f"{title}: {'; '.join((built.text, *stated))}."


def _times(sizes: tuple[int, ...]) -> str:
    return " x ".join(map(str, sizes))


def _tiers(built: Built) -> str:
    count = len(built.switches or {})
    return f"{format_counted(count, 'tier')} of switches"


def _ratio(given: LeafSpineParameters) -> str:
    if given.uplinks is not None:
        return f"{format_counted(given.uplinks, 'uplink')} per leaf switch"
    spine = given.spine_oversubscription
    more = "" if spine == 1.0 else f", of the spine switches at most {format_ratio(spine)}"
    return f"planned oversubscription of the leaf switches at most {format_ratio(given.oversubscription)}{more}"


def _planes(given: LeafSpineParameters) -> str:
    if given.planes == 1:
        return ""
    only = "" if given.only_plane is None else f", plane {given.only_plane} alone is drawn"
    return f"; {format_count(given.planes)} planes{only}"


def _reserved(given: LeafSpineParameters) -> str:
    ports = given.reserve_leaf_ports
    return f"; {format_counted(ports, 'leaf port')} reserved" if ports else ""


def _groups(one: GroupKind, is_named: bool) -> str:
    return format_counted(one.count, f"{one.name} group" if is_named else "group")


def _routers(one: GroupKind, is_named: bool) -> str:
    joined = f"connected along lines of {_times(one.shape)}" if one.shape else "all connected to each other"
    return (
        f"{_groups(one, is_named)} of a = {format_counted(one.leafs, 'router')}, {joined}, with p = "
        f"{format_counted(one.p, 'host port')} and up to h = {format_counted(one.h, 'global link')} per router"
    )


def _kind_servers(named: NamedTypes) -> str:
    """What the servers of groups of other kinds are, where they are not those of all others."""
    by_type: dict[str, list[str]] = {}
    for kind, type_id in named:
        what = "no GPUs" if type_id.startswith("generic-node") else f"servers of type {type_id}"
        by_type.setdefault(what, []).append(kind)
    return "".join(f"; {what} in {all_of(kinds)} groups" for what, kinds in by_type.items())


def _global(plan: GroupPlan, arrangement: str, holder: str) -> str:
    counts = sorted(set(plan.per_pair.values()))
    least, most = counts[0], counts[-1]
    links = format_counted(least, "global link") if least == most else f"{least} to {most} global links"
    means = ARRANGED[arrangement].format(holder, holder)
    return f"{links} between every two groups, in the {arrangement} arrangement ({means})"
