"""Fat-tree of one to three tiers: servers fill leaf after leaf, uplinks are spread evenly.

With radix r and oversubscription o, a leaf has d = floor(r * o / (o + 1)) ports for downlinks and r - d for uplinks;
without oversubscription r leafs carry r * r / 2 hosts under r / 2 spines. With three tiers, pods of leafs have spines
of their own, joined by cores: 2N/r leafs, as many spines and N/r cores for N hosts in full pods. Source:
`formulas.two_level` and `formulas.three_level` of the published reference designs in tests/topologies/data/.
"""

import math
from dataclasses import dataclass

from designer.catalog.catalog import Catalog
from designer.errors import ParameterError
from designer.fields import kinds
from designer.fields.field import setting
from designer.fields.ranges import Range
from designer.model.design import Design
from designer.model.edit import Edit
from designer.topologies.assembly import padded
from designer.topologies.attachment import Attachment, attachment
from designer.topologies.blueprint import Blueprint, assemble, tally
from designer.topologies.equipment import LeafSpineKit, TypeSource, leaf_spine_kit, types_of
from designer.topologies.leaf_spine import planned
from designer.topologies.leaf_spine_blueprint import blueprint_of
from designer.topologies.leaf_spine_plan import LeafSpinePlan, Socket
from designer.topologies.parameters import LeafSpineParameters
from designer.topologies.sizing import Counts
from designer.units import format_count, format_counted, format_ratio

TIER_CHOICES = ("auto", "1", "2", "3")


@dataclass(frozen=True, slots=True)
class FatTreeParameters(LeafSpineParameters):
    """What a fat-tree is made of. Raises ParameterError for values that make no sense by themselves."""

    tiers: str = setting(
        "auto",
        title="Tiers",
        help="Tiers of switches; auto takes the fewest that hold the servers, down to a single leaf switch.",
        kind=kinds.CHOICE,
        choices=TIER_CHOICES,
    )
    servers_per_leaf: int | None = setting(
        None,
        title="Servers per leaf switch",
        help="Servers on every leaf switch, with uplinks for this many; the other ports stay free. If left out, as "
        "many as the oversubscription allows, with uplinks for the servers there are.",
        kind=kinds.COUNT,
    )
    inter_leaf_links: int = setting(
        0,
        title="Inter-leaf links",
        help="With one tier: links between the two leaf switches of two planes, or of two per NIC, for small pods "
        "without spines.",
        kind=kinds.COUNT,
        within=Range(0),
    )

    def __post_init__(self) -> None:
        LeafSpineParameters.__post_init__(self)
        if self.inter_leaf_links and (self.tiers != "1" or self.planes * self.leafs_per_nic != 2):
            raise ParameterError(
                "inter-leaf links connect the two leaf switches of one tier: set tiers 1, and 2 planes or 2 leaf "
                "switches per NIC"
            )


def build(design: Design, parameters: FatTreeParameters, catalog: Catalog) -> Edit:
    """The edit that adds the fabric to a design.

    All NICs of a server go to one leaf, unless a leaf has fewer ports than a server has NICs. `reserve_leaf_ports` are
    counted over the whole fabric, taken from the leafs with free ports, the last leaf first, and marked in
    Device.reserved_ports. The design's settings are left alone, its oversubscription limit too.
    Raises ParameterError, with the numbers, for what cannot be built.
    """
    find = types_of(design, catalog)
    return assemble(design, _blueprint(parameters, find), find)


def counts(parameters: FatTreeParameters, catalog: Catalog) -> Counts:
    """What `build` would add to an empty design."""
    return tally(_blueprint(parameters, catalog.get))


def _blueprint(parameters: FatTreeParameters, find: TypeSource) -> Blueprint:
    plan = _plan(parameters, find)
    label = f"Generate fat-tree of {format_counted(parameters.servers, 'server')}"
    return blueprint_of(plan, find, label, lambda unit, place: _leaf_name(plan, unit, place))


def _plan(parameters: FatTreeParameters, find: TypeSource) -> LeafSpinePlan:
    kit = leaf_spine_kit(find, parameters)
    if parameters.tiers == "1":
        n_down = kit.leaf.ports_down(parameters.inter_leaf_links)
    else:
        n_down = kit.leaf.most_for_servers(parameters.oversubscription, parameters.uplinks)
    if n_down <= 0:
        ratio = format_ratio(parameters.oversubscription)
        raise ParameterError(f"a {kit.leaf.type_.model} at {ratio} has no port for servers")
    attached = attachment(kit, parameters)
    in_plane, plane_sockets = _unit(kit, n_down, attached, parameters.servers_per_leaf)
    sockets = tuple(
        tuple((plane * in_plane + server[number][0], server[number][1]) for plane, number in attached.planes)
        for server in plane_sockets
    )
    return planned(
        kit,
        parameters,
        parameters.planes * in_plane,
        sockets,
        tiers=parameters.tiers,
        inter_leaf_links=parameters.inter_leaf_links,
        trim=in_plane == attached.leafs_per_nic and parameters.servers_per_leaf is None,
    )


def _unit(
    kit: LeafSpineKit, n_down: int, attached: Attachment, servers_per_leaf: int | None
) -> tuple[int, tuple[tuple[Socket, ...], ...]]:
    """Leafs of a unit in one plane, and where its servers' ports go, on leafs with `n_down` ports for downlinks."""
    twins = attached.leafs_per_nic
    per_server = attached.per_plane // twins
    n_leafs, on_leafs = _row(n_down, per_server)
    if servers_per_leaf is not None:
        if servers_per_leaf * per_server > n_down:
            needs = f"{format_counted(servers_per_leaf, 'server')} per leaf switch"
            raise ParameterError(
                f"{needs} need {format_counted(servers_per_leaf * per_server, 'port')} down; "
                f"a {kit.leaf.type_.model} has {format_count(n_down)} for servers: "
                f"{format_count(n_down // per_server)} servers at most"
            )
        on_leafs = on_leafs[:servers_per_leaf]
    sockets = []
    for server in on_leafs:
        ports = [attached.twin(number) for number in range(attached.per_plane)]
        places = [(twin, server[nic * attached.per_twin + number]) for nic, twin, number in ports]
        sockets.append(tuple((leaf * twins + twin, port) for twin, (leaf, port) in places))
    return n_leafs * twins, tuple(sockets)


def _row(n_down: int, per_server: int) -> tuple[int, tuple[tuple[Socket, ...], ...]]:
    """Leafs that whole servers fill, and where the ports of each go."""
    if per_server <= n_down:
        servers = range(n_down // per_server)
        return 1, tuple(tuple((0, server * per_server + nic) for nic in range(per_server)) for server in servers)
    # A server has more NICs than a leaf has ports: whole servers come out even on whole leafs every lcm ports.
    n_ports = math.lcm(n_down, per_server)
    sockets = [divmod(port, n_down) for port in range(n_ports)]
    return n_ports // n_down, tuple(
        tuple(sockets[first : first + per_server]) for first in range(0, n_ports, per_server)
    )


def _leaf_name(plan: LeafSpinePlan, unit: int, place: int) -> str:
    if plan.n_planes == 1 and plan.whole is None:
        return f"leaf-{padded(unit * plan.leafs_per_unit + place + 1, plan.n_leafs)}"
    number = unit * plan.leafs_per_plane + place % plan.leafs_per_plane + 1
    return f"leaf-p{plan.first_plane + plan.plane_of(place) + 1}-{padded(number, plan.n_leafs // plan.n_planes)}"
