"""Dragonfly+ (Megafly): groups of leafs and spines all joined to each other, groups joined by global links of spines.

l leafs with p host ports each and s spines with h global links each; up to s * h + 1 groups; without oversubscription
and balanced where l = s = p = h. Leaf, spine, global, spine, leaf: 3 hops. Source: A. Shpiner et al., "Dragonfly+: Low
Cost Topology for Scaling Datacenters" (2017); `formulas.dragonfly_plus` of the published reference designs in
tests/topologies/data/.

Port order: on a leaf its hosts', then spines; on a spine its leafs, then global links. Hosts are numbered leaf by leaf.
"""

from dataclasses import dataclass

from designer.catalog.catalog import Catalog
from designer.model.design import Design
from designer.model.edit import Edit
from designer.model.entities import DRAGONFLY_GROUP, End
from designer.placement.direct import below, facing_rows, row, tracks_of
from designer.placement.metrics import BOX_HEIGHT, COLUMN_PITCH, GAP, SERVER_WIDTH
from designer.topologies.assembly import Assembly, padded
from designer.topologies.dragonfly import GENERIC, MADE_TO_MEASURE, GroupHardware, group_hardware
from designer.topologies.equipment import TypeSource, types_of
from designer.topologies.global_links import (
    arrangement_parameter,
    global_links,
    groups_parameter,
    links_per_pair,
    links_per_pair_parameter,
    require_groups,
)
from designer.topologies.parameters import link_rate_parameter, parameter, require_positive, require_whole
from designer.topologies.sizing import Counts, require_holdable
from designer.units import format_count

TIER_GAP = 130.0
"""Between the spines and the leafs of a group, where their links cross."""


@dataclass(frozen=True, slots=True)
class DragonflyPlusParameters:
    """What a dragonfly+ is made of. Raises ParameterError for values that make no sense by themselves."""

    leafs: int = parameter(4, label="Leafs", help="Leafs of a group.", kind="count")
    spines: int = parameter(4, label="Spines", help="Spines of a group.", kind="count")
    p: int = parameter(4, label="Host ports of a leaf, p", help="Ports of every leaf that hosts are on.", kind="count")
    h: int = parameter(
        4, label="Global links of a spine, h", help="Links of every spine to spines of other groups.", kind="count"
    )
    groups: int | None = groups_parameter("spines*h")
    links_per_pair: int | None = links_per_pair_parameter()
    arrangement: str = arrangement_parameter("spine")
    switch: str = parameter(
        GENERIC,
        label="Switch",
        help="Type of leafs and spines; generic ones are made with the ports they need.",
        kind="switch",
        choices=(MADE_TO_MEASURE,),
        option="--router",
    )
    server: str = parameter(
        "generic-host",
        label="Server",
        help="Type of the servers; with several NICs all on one leaf.",
        kind="server",
        option="--node",
    )
    link_rate_gbps: float = link_rate_parameter("Rate of every link between switches, and of generic hosts.")

    def __post_init__(self) -> None:
        for name, value in (("leafs", self.leafs), ("spines", self.spines), ("p", self.p), ("h", self.h)):
            require_whole(name, value, 1)
        require_groups(self.groups, self.links_per_pair, self.arrangement)
        require_positive("link rate", self.link_rate_gbps)

    @property
    def n_groups(self) -> int:
        return self.groups if self.groups is not None else self.spines * self.h + 1


def build(design: Design, parameters: DragonflyPlusParameters, catalog: Catalog) -> Edit:
    """The edit that adds the network to a design. Raises ParameterError for what cannot be built."""
    leaf_kit, spine_kit, per_pair = _plan(parameters, types_of(design, catalog))
    assembly = Assembly(design)
    n_leafs, n_spines, p, h, g = (
        parameters.leafs, parameters.spines, parameters.p, parameters.h, parameters.n_groups,
    )  # fmt: skip
    leaf_ports, spine_ports = leaf_kit.ports(p, n_spines), spine_kit.ports(0, n_leafs + h)
    groups = [assembly.add_group(f"Group {number + 1}", DRAGONFLY_GROUP) for number in range(g)]
    leaf_points, spine_points, host_points = _points(parameters, leaf_kit.servers_per_router, per_pair)
    n_servers = g * n_leafs * leaf_kit.servers_per_router
    word = "gpu" if leaf_kit.server.type_.gpus > 1 else "host"
    hosts = []
    for number in range(n_servers):
        group = number // (n_leafs * leaf_kit.servers_per_router)
        name = f"{word}-{padded(number + 1, n_servers)}"
        type_ = leaf_kit.server.type_
        hosts.append(assembly.add_device(name, type_, host_points[number], group_id=groups[group], unit=group + 1))
        assembly.install(hosts[-1], leaf_kit.server.nics, leaf_kit.server.nic_modes)
    switches = {}
    for role, kit, count, points, cage_modes in (
        ("leaf", leaf_kit, n_leafs, leaf_points, leaf_kit.cage_modes(p)),
        ("spine", spine_kit, n_spines, spine_points, ()),
    ):
        switches[role] = [
            assembly.add_device(
                f"{role}-g{padded(number // count + 1, g, 1)}-{padded(number % count + 1, count, 1)}",
                kit.router,
                points[number],
                role=role,
                group_id=groups[number // count],
                port_mode=kit.port_mode,
                cage_modes=cage_modes,
                unit=number // count + 1,
            )
            for number in range(g * count)
        ]
    leafs, spines = switches["leaf"], switches["spine"]
    for number, host in enumerate(hosts):
        leaf, place = divmod(number, leaf_kit.servers_per_router)
        for lane, port in enumerate(leaf_kit.server.ports):
            first = place * len(leaf_kit.server.ports)
            assembly.link(End(host, port.name), End(leafs[leaf], leaf_ports[first + lane]))
    for group in range(g):
        for leaf in range(n_leafs):
            for spine in range(n_spines):
                assembly.link(
                    End(leafs[group * n_leafs + leaf], leaf_ports[p + spine]),
                    End(spines[group * n_spines + spine], spine_ports[leaf]),
                )
    for group, link, other, back in global_links(g, per_pair, parameters.arrangement):
        assembly.link(
            End(spines[group * n_spines + link // h], spine_ports[n_leafs + link % h]),
            End(spines[other * n_spines + back // h], spine_ports[n_leafs + back % h]),
        )
    return assembly.edit(f"Generate dragonfly+ of {format_count(g)} groups")


def counts(parameters: DragonflyPlusParameters, catalog: Catalog) -> Counts:
    """What `build` would add to an empty design."""
    leaf_kit, spine_kit, per_pair = _plan(parameters, catalog.get)
    leaf_kit.ports(parameters.p, parameters.spines)
    spine_kit.ports(0, parameters.leafs + parameters.h)
    g, n_leafs = parameters.n_groups, parameters.leafs
    n_servers = g * n_leafs * leaf_kit.servers_per_router
    links = {"server-leaf": g * n_leafs * parameters.p, "local": g * n_leafs * parameters.spines}
    if per_pair:
        links["global"] = g * (g - 1) // 2 * per_pair
    return Counts(
        servers=n_servers,
        endpoints=n_servers * leaf_kit.server.type_.gpus,
        switches={"leaf": g * n_leafs, "spine": g * parameters.spines},
        links=links,
        nics=n_servers * len(leaf_kit.server.nics),
    )


def _plan(parameters: DragonflyPlusParameters, find: TypeSource) -> tuple[GroupHardware, GroupHardware, int]:
    """Hardware of the leafs and of the spines (whose servers count for nothing), links per pair of groups."""
    n_leafs, n_spines, p, h, g = (
        parameters.leafs, parameters.spines, parameters.p, parameters.h, parameters.n_groups,
    )  # fmt: skip
    n_links = g * n_leafs * (p + n_spines) + g * n_spines * h // 2
    require_holdable(g * (n_leafs + n_spines), n_links)
    require_holdable(g * (n_leafs * (1 + p) + n_spines), n_links)
    per_pair = links_per_pair(n_spines * h, g, parameters.links_per_pair)
    rate_gbps = parameters.link_rate_gbps
    leaf_kit = group_hardware(find, parameters.server, parameters.switch, rate_gbps, p, p + n_spines)
    spine_kit = group_hardware(find, "generic-host", parameters.switch, rate_gbps, 1, n_leafs + h)
    return leaf_kit, spine_kit, per_pair


def _points(
    parameters: DragonflyPlusParameters, servers_per_leaf: int, per_pair: int
) -> tuple[list[tuple[float, float]], list[tuple[float, float]], list[tuple[float, float]]]:
    """Centres of leafs, spines and hosts: two rows of groups, spines towards the middle, hosts on the outer side."""
    pitch = COLUMN_PITCH if servers_per_leaf == 1 else 2 * (SERVER_WIDTH + GAP) + GAP
    wide = max(parameters.leafs * pitch, parameters.spines * COLUMN_PITCH)
    tracks = tracks_of(-(-parameters.n_groups // 2), per_pair, 0)
    leafs, spines, hosts = [], [], []
    for x, y, is_upper in facing_rows(parameters.n_groups, wide, tracks):
        sign = -1 if is_upper else 1
        first = y + sign * BOX_HEIGHT / 2
        spines += [(round(x + dx, 1), round(first, 1)) for dx in row(parameters.spines, COLUMN_PITCH)]
        for dx in row(parameters.leafs, pitch):
            leaf = (round(x + dx, 1), round(first + sign * TIER_GAP, 1))
            leafs.append(leaf)
            hosts += below(leaf, servers_per_leaf, flip=is_upper)
    return leafs, spines, hosts
