"""Rail-optimized fabric: a scalable unit has one leaf a rail (and plane), and NIC i of each server goes to leaf i.

Scalable units share the servers out evenly, and uplinks are for the servers there are. Where the servers of a unit are
given, or full units asked for, units and their leafs are built in full, and the ports of missing last servers stay free
("build full SUs"). The number of spines is the smallest that spreads a leaf's uplinks evenly, and of uplinks at or
above what the ratio asks for, a leaf has as many as need the fewest spines. With three tiers each rail has spines of
its own, joined by cores. Source: `generator_rules` even-spread, ufm-ports, build-full-su and rail-groups-3t of the
published reference designs in tests/topologies/data/, whose rows come out of this.
"""

import math
from dataclasses import dataclass, replace

from designer.catalog.catalog import Catalog
from designer.errors import ParameterError
from designer.fields import kinds
from designer.fields.field import setting
from designer.model.design import Design
from designer.model.edit import Edit
from designer.topologies.assembly import padded
from designer.topologies.attachment import Attachment, attachment
from designer.topologies.blueprint import Blueprint, assemble, tally
from designer.topologies.equipment import LeafSpineKit, TypeSource, leaf_spine_kit, types_of
from designer.topologies.leaf_spine import planned
from designer.topologies.leaf_spine_blueprint import blueprint_of
from designer.topologies.leaf_spine_plan import LeafSpinePlan
from designer.topologies.parameters import LeafSpineParameters
from designer.topologies.sizing import Counts
from designer.units import format_count, format_counted, format_ratio

TIER_CHOICES = ("auto", "2", "3")
SPINE_GROUP_CHOICES = ("rail", "common")


@dataclass(frozen=True, slots=True)
class RailOptimizedParameters(LeafSpineParameters):
    """What a rail-optimized fabric is made of. Raises ParameterError for values that make no sense by themselves."""

    servers_per_su: int | None = setting(
        None,
        title="Servers per SU",
        help="Servers in a full scalable unit. Every unit gets uplinks for this many servers, even if it has "
        "fewer. If left out, the servers are spread evenly over the fewest units, with uplinks for the servers "
        "there are.",
        kind=kinds.COUNT,
        first=True,
    )
    rails: int | None = setting(
        None,
        title="Rails",
        help="Leaf switches per scalable unit; if left out, one for every NIC of a server, or of a tray in a "
        "rack-scale system.",
        kind=kinds.COUNT,
    )
    leafs_per_rail: int = setting(
        1,
        title="Leaf switches per rail and SU",
        help="Leaf switches of each rail in a scalable unit, which share its servers: 8 for a unit of 8 racks with one "
        "leaf switch per rack and rail. With dual top-of-rack, pairs of them.",
        kind=kinds.COUNT,
        unwritten=1,
    )
    rail_only: bool = setting(
        False, title="Rail-only", help="No spines: traffic between rails goes through the servers.", kind=kinds.FLAG
    )
    tiers: str = setting(
        "auto",
        title="Tiers",
        help="Tiers of switches; auto takes the fewest that hold the servers. With three, the spine groups say who "
        "shares spine switches.",
        kind=kinds.CHOICE,
        choices=TIER_CHOICES,
    )
    spine_groups: str = setting(
        "rail",
        title="Spine groups",
        help="With three tiers: rail, each rail has its own spine switches; common, all rails of several "
        "consecutive units share them.",
        kind=kinds.CHOICE,
        choices=SPINE_GROUP_CHOICES,
    )
    full_units: bool = setting(
        False,
        title="Full units",
        help="Build every unit for as many servers as its leaf switches hold, even if there are fewer now: room to "
        "grow.",
        kind=kinds.FLAG,
        unwritten=True,
    )


def build(design: Design, parameters: RailOptimizedParameters, catalog: Catalog) -> Edit:
    """The edit that adds the fabric to a design.

    `reserve_leaf_ports` are counted over the whole fabric: one port a leaf in turn, on the leafs of the last scalable
    unit where it lacks servers (one DGX fewer frees the 4 ports of UFM in the published tables), and marked in
    Device.reserved_ports. The design's settings are left alone, its oversubscription limit too.
    Raises ParameterError, with the numbers, for what cannot be built.
    """
    find = types_of(design, catalog)
    return assemble(design, _blueprint(parameters, find), find)


def counts(parameters: RailOptimizedParameters, catalog: Catalog) -> Counts:
    """What `build` would add to an empty design."""
    return tally(_blueprint(parameters, catalog.get))


def _blueprint(parameters: RailOptimizedParameters, find: TypeSource) -> Blueprint:
    plan = _plan(parameters, find)
    kind = "rail-only" if parameters.rail_only else "rail-optimized"
    label = f"Generate {kind} fabric of {format_counted(parameters.servers, 'server')}"
    return blueprint_of(plan, find, label, lambda unit, place: _leaf_name(plan, unit, place))


def _plan(parameters: RailOptimizedParameters, find: TypeSource) -> LeafSpinePlan:
    kit = leaf_spine_kit(find, parameters)
    attached = attachment(kit, parameters)
    n_ports = attached.per_plane
    n_rails = parameters.rails or _nics_per_tray(kit, attached.n_nics)
    if n_ports % n_rails:
        raise ParameterError(f"{n_ports} NICs of {kit.server.type_.model} do not spread evenly over {n_rails} rails")
    if attached.n_nics % n_rails:
        attached = _by_port(attached, kit, n_rails)
    twins = attached.leafs_per_nic
    per_leaf = n_ports // n_rails // twins
    n_servers = _servers_per_su(parameters, kit, per_leaf)
    rows = parameters.leafs_per_rail
    on_leaf = math.ceil(n_servers / rows)
    # NIC i is on rail i mod rails; with fewer rails than NICs, a server's NICs of one rail are neighbors on its leaf.
    places = []
    for plane, number in attached.planes:
        nic, twin, port = attached.twin(number)
        rail = plane * n_rails + nic % n_rails
        places.append((rail * rows * twins + twin, nic // n_rails * attached.per_twin + port))
    sockets = tuple(
        tuple((leaf + server // on_leaf * twins, server % on_leaf * per_leaf + port) for leaf, port in places)
        for server in range(n_servers)
    )
    return planned(
        kit,
        parameters,
        parameters.planes * n_rails * rows * twins,
        sockets,
        tiers=parameters.tiers,
        above=not parameters.rail_only,
        scalable_units=True,
        pods_by_rail=parameters.spine_groups == "rail",
        leafs_per_rail=rows * twins,
        trim=parameters.servers_per_su is None and not parameters.full_units and rows == 1,
    )


def _by_port(attached: Attachment, kit: LeafSpineKit, n_rails: int) -> Attachment:
    """Rails that NICs do not spread evenly over take their ports one by one. Raises ParameterError for dual ToR."""
    if attached.leafs_per_nic > 1:
        raise ParameterError(
            f"{format_counted(attached.n_nics, 'NIC')} of {kit.server.type_.model} do not spread evenly over "
            f"{format_count(n_rails)} rails: with {format_count(attached.leafs_per_nic)} leaf switches per NIC all "
            "ports of a NIC should be on one rail"
        )
    return replace(attached, per_nic=1)


def _nics_per_tray(kit: LeafSpineKit, n_nics: int) -> int:
    """Rails of a server, one for every NIC it has in a plane; of a rack, those of one of its compute trays."""
    trays = kit.server.type_.trays
    return n_nics // trays if n_nics % trays == 0 else n_nics


def _servers_per_su(parameters: RailOptimizedParameters, kit: LeafSpineKit, per_leaf: int) -> int:
    """Servers of a full scalable unit, as asked for or as many as its leafs have ports for."""
    rail_only, budget, rows = parameters.rail_only, kit.leaf, parameters.leafs_per_rail
    all_ports = budget.n_cells * budget.down_per_cell
    n_ports = all_ports if rail_only else budget.most_for_servers(parameters.oversubscription, parameters.uplinks)
    most = n_ports // per_leaf * rows
    wanted = parameters.servers_per_su or (parameters.servers if rail_only else max(most, rows))
    if wanted < rows:
        raise ParameterError(
            f"{format_counted(wanted, 'server')} per scalable unit cannot be on {format_count(rows)} leaf switches of "
            "each rail"
        )
    if wanted > most:
        uplinks, ratio = parameters.uplinks, format_ratio(parameters.oversubscription)
        at = "without uplinks" if rail_only else f"at {ratio}" if uplinks is None else f"with {uplinks} uplinks"
        need = format_count(math.ceil(wanted / rows) * per_leaf)
        raise ParameterError(
            f"{format_count(wanted)} servers per scalable unit need {need} ports down on each leaf; "
            f"a {budget.type_.model} {at} has {format_count(n_ports)}"
        )
    if rail_only and parameters.servers > wanted:
        raise ParameterError(
            f"rail-only has no switches above its leaf switches: {format_count(parameters.servers)} servers do not "
            "fit in one "
            f"scalable unit of {format_count(wanted)}; leaf switches of {budget.type_.model} hold up to "
            f"{format_count(most)}"
        )
    return wanted


def _leaf_name(plan: LeafSpinePlan, unit: int, place: int) -> str:
    rail, leaf = divmod(place % plan.leafs_per_plane, plan.leafs_per_rail)
    name = f"leaf-{plan.unit_word.lower()}{padded(unit + 1, plan.n_units, 1)}-r{padded(rail + 1, plan.n_rails, 1)}"
    if plan.leafs_per_rail > 1:
        name = f"{name}-{padded(leaf + 1, plan.leafs_per_rail, 1)}"
    is_one = plan.n_planes == 1 and plan.whole is None
    return name if is_one else f"{name}-p{plan.first_plane + plan.plane_of(place) + 1}"
