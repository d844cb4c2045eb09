"""A plan of leafs, spines and cores, from what was asked for: how many units, uplinks, spines and cores there are."""

import math
from dataclasses import replace

from designer.errors import ParameterError
from designer.topologies.equipment import LeafSpineKit
from designer.topologies.leaf_spine_plan import LeafSpinePlan, Socket
from designer.topologies.parameters import LeafSpineParameters
from designer.topologies.reserved_ports import reserved_ports
from designer.topologies.sizing import require_countable
from designer.topologies.upper_tiers import Asked, UpperTiers, three_tiers, two_tiers
from designer.units import format_count, format_ratio


def planned(
    kit: LeafSpineKit,
    parameters: LeafSpineParameters,
    leafs_per_unit: int,
    sockets: tuple[tuple[Socket, ...], ...],
    *,
    tiers: str = "auto",
    above: bool = True,
    scalable_units: bool = False,
    pods_by_rail: bool = False,
    leafs_per_rail: int = 1,
    inter_leaf_links: int = 0,
    trim: bool = False,
) -> LeafSpinePlan:
    """The plan for units of the given shape: uplinks from the ratio, spines and cores by even spread.

    `tiers` is "1", "2", "3" or "auto", the fewest that hold the servers; one leaf a plane needs no spine. `above` is
    False where nothing is to stand above the leafs. With `trim` scalable units share the servers out evenly, and
    any unit may have fewer servers than its shape where its leafs then need fewer spines; a unit is added where spines
    would outnumber leafs and that makes fewer switches.
    Raises ParameterError, with the numbers, for what cannot be built.
    """
    n_servers, n_planes = parameters.servers, parameters.planes
    n_units = math.ceil(n_servers / len(sockets))
    plan = LeafSpinePlan(
        kit,
        n_servers,
        n_units,
        leafs_per_unit,
        sockets,
        n_planes,
        None,
        pods_by_rail,
        inter_leaf_links,
        parameters.reserve_leaf_ports,
        parameters.racks,
        scalable_units,
        leafs_per_rail,
        parameters.uplinks is not None,
    )
    in_plane = n_units * plan.leafs_per_plane
    if tiers == "1" and n_units > 1:
        raise ParameterError(
            f"one tier has one leaf switch per plane, which ends at {format_count(len(sockets))} servers; "
            f"{format_count(n_servers)} were asked for"
        )
    tiers = _tiers_asked_for(parameters, tiers, above)
    if above and tiers != "1" and (tiers in ("2", "3") or in_plane > 1 or parameters.spines):
        plan = _under_spines(plan, parameters, tiers, trim)
        if trim and plan.n_spines > plan.n_leafs:
            plan = _one_unit_more(plan, parameters, sockets)
    require_countable(n_servers + plan.n_leafs + plan.n_spines + plan.n_cores, sum(plan.n_links.values()))
    reserved_ports(plan)  # refuses here, before anything is built
    return plan if parameters.only_plane is None else plan.only_plane(parameters.only_plane - 1)


def _tiers_asked_for(parameters: LeafSpineParameters, tiers: str, above: bool) -> str:
    """The tiers that numbers of spines, cores or leafs per pod ask for. Raises ParameterError where they contradict."""
    wanted = [
        (name, value, least)
        for name, value, least in (
            ("uplinks", parameters.uplinks, "2"),
            ("spines", parameters.spines, "2"),
            ("cores", parameters.cores, "3"),
            ("pod size", parameters.pod_size, "3"),
        )
        if value is not None
    ]
    for name, value, least in wanted:
        if not above:
            raise ParameterError(
                f"{name} is {format_count(value)}, and rail-only has no switches above its leaf switches"
            )
        if tiers != "auto" and tiers < least:
            word = {"1": "one tier has", "2": "two tiers have"}[tiers]
            what = "no spines" if least == "2" else "no cores and no pods"
            raise ParameterError(f"{name} is {format_count(value)}, and {word} {what}")
    return "3" if tiers == "auto" and any(least == "3" for _, _, least in wanted) else tiers


def _one_unit_more(
    plan: LeafSpinePlan, parameters: LeafSpineParameters, sockets: tuple[tuple[Socket, ...], ...]
) -> LeafSpinePlan:
    """The plan in more units of fewer servers each, if two tiers of fewer switches come of it; else as it is.

    Units nearly full leave no choice of uplinks, and a prime number of these spreads over as many spines alone.
    """
    fewer = math.ceil(plan.n_servers / plan.n_units) - 1
    if plan.n_cores or not fewer:
        return plan
    n_units = math.ceil(plan.n_servers / fewer)
    if n_units * plan.leafs_per_plane > plan.kit.spine_radix:
        return plan
    shape = replace(plan, n_units=n_units, sockets=sockets[: math.ceil(plan.n_servers / n_units)])
    other = _under_spines(shape, parameters, "2", trim=True)
    return min(plan, other, key=lambda one: one.n_leafs + one.n_spines)


def _under_spines(plan: LeafSpinePlan, parameters: LeafSpineParameters, tiers: str, trim: bool) -> LeafSpinePlan:
    """The plan with spines, and cores at three tiers, and no more servers a unit than its leafs then have ports for."""
    kit, in_plane = plan.kit, plan.n_units * plan.leafs_per_plane
    n_servers = _servers_served(plan, trim)
    n_down = 1 + max(port for server in plan.sockets[:n_servers] for _, port in server)
    if parameters.uplinks is None:
        uplinks = _uplink_choices(plan, parameters.oversubscription, n_down, trim)
    else:
        uplinks = range(parameters.uplinks, parameters.uplinks + 1)
    if tiers == "3" or (tiers == "auto" and in_plane > kit.spine_radix):
        upper = _three_tiers(plan, parameters, uplinks)
    elif in_plane > kit.spine_radix:
        raise ParameterError(_too_large(plan, parameters, 2, kit.spine_radix // plan.leafs_per_plane))
    else:
        upper = two_tiers(plan.n_planes, in_plane, uplinks, kit.spine_radix, parameters.spines)
    most_down = kit.leaf.ports_down(upper.n_uplinks)
    sockets = tuple(server for server in plan.sockets[:n_servers] if _fits(server, most_down))
    return replace(plan, upper=upper, sockets=sockets)


def _servers_served(plan: LeafSpinePlan, trim: bool) -> int:
    """Servers of a unit that its leafs' uplinks are for: with `trim` an even share of those there are.

    The leafs of a fat-tree are filled one after another instead.
    """
    if trim and plan.scalable_units:
        return math.ceil(plan.n_servers / plan.n_units)
    return plan.servers_per_unit


def _uplink_choices(plan: LeafSpinePlan, oversubscription: float, n_down: int, trim: bool) -> range:
    """Uplinks that a leaf may have: no more than leave room for the servers and for the ports to be reserved."""
    leaf, sockets = plan.kit.leaf, plan.sockets
    least_servers = math.ceil(plan.n_servers / plan.n_units) if trim else plan.servers_per_unit
    least_down = 1 + max(port for server in sockets[:least_servers] for _, port in server)
    in_use = plan.n_servers * len(sockets[0]) + plan.reserve_leaf_ports
    choices = leaf.uplink_choices(n_down, oversubscription, max(least_down, math.ceil(in_use / plan.n_leafs)))
    return choices or range(choices.start, choices.start + 1)


def _fits(server: tuple[Socket, ...], n_down: int) -> bool:
    """Whether the ports of a server are among the first `n_down` of its leafs."""
    return all(port < n_down for _, port in server)


def _three_tiers(plan: LeafSpinePlan, parameters: LeafSpineParameters, uplinks: range) -> UpperTiers:
    """Pods of the size asked for, or as large as a spine's ports down allow, all of one size, and two at least."""
    kit = plan.kit
    asked = Asked(parameters.spine_oversubscription, parameters.spines, parameters.cores)
    most_leafs = kit.spine.most_down(asked.ratio)
    size = parameters.pod_size
    if size is not None:
        leafs_per_pod, pods = size, _pods_of(plan, size)
        most_units = kit.core_radix * size // plan.leafs_per_plane
    elif plan.pods_by_rail:
        on_rail = plan.n_units * plan.leafs_per_rail
        pods_per_rail = math.ceil(on_rail / max(1, most_leafs))
        pods = pods_per_rail * plan.n_rails
        leafs_per_pod = math.ceil(on_rail / pods_per_rail)
        most_units = kit.core_radix // plan.n_rails * most_leafs // plan.leafs_per_rail
    else:
        units_per_pod = most_leafs // plan.leafs_per_plane
        if not units_per_pod:
            raise ParameterError(
                f"{format_count(plan.leafs_per_plane)} leaf switches that share servers do not fit under one pod's "
                "spines: "
                f"a {kit.spine_type.model} has {format_count(most_leafs)} ports down"
            )
        pods = max(math.ceil(plan.n_units / units_per_pod), _pods_worth_cores(plan, asked))
        leafs_per_pod = math.ceil(plan.n_units / pods) * plan.leafs_per_plane
        most_units = kit.core_radix * units_per_pod
    if pods > kit.core_radix:
        raise ParameterError(_too_large(plan, parameters, 3, most_units))
    return three_tiers(plan.n_planes, pods, leafs_per_pod, uplinks, kit.spine, kit.core_radix, asked)


def _pods_worth_cores(plan: LeafSpinePlan, asked: Asked) -> int:
    """The fewest pods per plane, so that cores join any: two, or one where units or spines asked for do not split."""
    is_even = asked.spines is None or asked.spines % (2 * plan.n_planes) == 0
    return 2 if plan.n_units > 1 and is_even else 1


def _pods_of(plan: LeafSpinePlan, size: int) -> int:
    """Spine groups of one plane, with pods of so many leafs. Raises ParameterError where units would be cut in two."""
    if plan.pods_by_rail:
        return math.ceil(plan.n_units * plan.leafs_per_rail / size) * plan.n_rails
    if size % plan.leafs_per_plane:
        raise ParameterError(
            f"a pod of {format_count(size)} leaf switches would separate the {format_count(plan.leafs_per_plane)} "
            f"leaf switches that share servers: choose a multiple of {format_count(plan.leafs_per_plane)}"
        )
    return math.ceil(plan.n_units * plan.leafs_per_plane / size)


def _too_large(plan: LeafSpinePlan, parameters: LeafSpineParameters, tiers: int, most_units: int) -> str:
    kit = plan.kit
    per_server = len(kit.server.ports)
    most_servers = most_units * plan.servers_per_unit
    n_servers, ratio = parameters.servers, format_ratio(parameters.oversubscription)
    tier_word, top = ("two", kit.spine_radix) if tiers == 2 else ("three", kit.core_radix)
    return (
        f"{format_count(n_servers)} x {kit.server.type_.model} needs {format_count(n_servers * per_server)} ports; "
        f"a {tier_word}-tier fabric of {kit.leaf.type_.model} at {ratio} under {'spines' if tiers == 2 else 'cores'} "
        f"of radix {top} ends at {format_count(most_servers * per_server)} endpoint ports "
        f"({format_count(most_servers)} servers)"
    )
