"""Rules about single points of failure: a link, a switch, a rack or a plane whose loss leaves servers in pieces."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from designer.analysis.adjacency import Adjacency
from designer.analysis.single_points import Cut, SinglePoints
from designer.model.networks import COMPUTE, NETWORKS, OUT_OF_BAND, networks_of_switch
from designer.units import format_counted
from designer.validation.findings import Finding, NotChecked, Severity
from designer.validation.inspection import Inspection
from designer.validation.rule import Rule, rule
from designer.validation.scope import CABLING, PLACEMENTS, RACKS, Scope
from designer.validation.sources import HPN, TARJAN
from designer.validation.subjects import in_network, listed


@rule(
    "SPOF-001",
    Severity.WARNING,
    "Link as a single point of failure",
    "When this link fails, the servers behind it no longer reach the others.",
    remedy="Add a second link, better to another switch.",
    example="A leaf with servers has one uplink, while the other leafs have two.",
    source=TARJAN,
    scope=Scope.NETWORK,
    reads=CABLING,
)
def link_alone(seen: Inspection, this: Rule) -> Iterator[Finding | NotChecked]:
    """Finds links between switches whose loss leaves servers of a network in pieces; one finding for links alike.

    Links of servers are not among them: a server may be on one link by choice. An out-of-band network is checked where
    the policy wants a second path there. Subjects are the links.
    """
    for network, near, points in _points(seen):
        runs = seen.survey_of(network).fabric_runs
        bridges = _alike(seen, near, points.links())
        pairs = _pairs(near) if bridges else {}
        for n_servers, cuts in bridges:
            links = [runs[near.runs(pairs[frozenset(cut.lost)])[0]].link for cut in cuts]
            yield this.finding(
                _sentence([seen.link_name(link) for link in links], "link", network, seen.servers(n_servers)),
                tuple(link.id for link in links),
                value=n_servers,
                limit=0,
                aspect=_aspect(network),
            )


@rule(
    "SPOF-002",
    Severity.WARNING,
    "Switch as a single point of failure",
    "When this switch fails, servers on other switches no longer reach each other.",
    remedy="Add a second switch next to it, with links to the same switches.",
    example="Four leafs, all with uplinks to one spine only.",
    source=TARJAN,
    scope=Scope.NETWORK,
    reads=CABLING,
)
def switch_alone(seen: Inspection, this: Rule) -> Iterator[Finding | NotChecked]:
    """Finds switches whose loss leaves servers on other switches in pieces; one finding for switches alike.

    Servers on the lost switch alone do not count: a server may be on one switch by choice. An out-of-band network is
    checked where the policy wants a second path there. Subjects are the switches.
    """
    for network, near, points in _points(seen):
        for n_servers, cuts in _alike(seen, near, points.switches()):
            ids = [near.ids[cut.lost[0]] for cut in cuts]
            yield this.finding(
                _sentence([seen.name(one) for one in ids], "switch", network, seen.servers(n_servers)),
                tuple(ids),
                value=n_servers,
                limit=0,
                aspect=_aspect(network),
            )


@rule(
    "SPOF-003",
    Severity.WARNING,
    "Rack as a single point of failure",
    "When this rack loses its power, servers in other racks no longer reach each other.",
    remedy="Put the switches that join the others into two racks or more.",
    example="Two spines, both in one rack, join leafs that stand in other racks.",
    policy=("survives_rack",),
    source="Reachability without the switches of each rack in turn; whether a rack may fail is for the policy to say.",
    scope=Scope.NETWORK,
    reads=(*CABLING, RACKS, PLACEMENTS),
)
def rack_alone(seen: Inspection, this: Rule) -> Iterator[Finding | NotChecked]:
    """Finds racks whose loss leaves servers in other racks in pieces, unless that of one of its switches does already.

    Subjects are the rack and its switches of that network.
    """
    design = seen.design
    for network, near, points in _points(seen) if design.policy.survives_rack else ():
        held: dict[str, list[int]] = {}
        for switch in near.ids[near.n_servers :]:
            place = design.placements.get(switch)
            if place is not None and place.rack_id is not None:
                held.setdefault(place.rack_id, []).append(near.number[switch])
        alone = {cut.lost[0] for cut in points.switches()}
        racks = {tuple(own): rack for rack, own in held.items() if len(own) > 1 and alone.isdisjoint(own)}
        for cut in points.together(racks):
            rack = design.racks[racks[cut.lost]]
            yield this.finding(
                f"The loss of {rack.name} with {format_counted(len(cut.lost), 'switch')}{in_network(network)} cuts off "
                f"{seen.servers(cut.n_servers)} in other racks",
                (rack.id, *(near.ids[one] for one in cut.lost)),
                value=cut.n_servers,
                limit=0,
                aspect=_aspect(network),
            )


@rule(
    "SPOF-004",
    Severity.WARNING,
    "Plane as a single point of failure",
    "Planes are there so that one may fail: the servers should reach each other over those that are left.",
    remedy="Connect the switches of each plane with each other, not over a switch of another plane.",
    example="The leafs of planes 1 and 2 have uplinks to spines of plane 1 only.",
    source=f"{HPN}: traffic goes on over the other plane when one fails.",
    scope=Scope.NETWORK,
    reads=CABLING,
)
def plane_alone(seen: Inspection, this: Rule) -> Iterator[Finding | NotChecked]:
    """Finds planes whose loss leaves servers on switches of other planes in pieces, unless one switch does already.

    Subjects are the switches of the plane.
    """
    for network, near, points in _points(seen):
        planes: dict[int, list[int]] = {}
        for switch in near.ids[near.n_servers :]:
            plane = seen.design.devices[switch].plane
            if plane is not None:
                planes.setdefault(plane, []).append(near.number[switch])
        if len(planes) < 2:
            continue
        alone = {cut.lost[0] for cut in points.switches()}
        of_switches = {tuple(own): plane for plane, own in sorted(planes.items()) if alone.isdisjoint(own)}
        for cut in points.together(of_switches):
            yield this.finding(
                f"The loss of plane {of_switches[cut.lost]}{in_network(network)} cuts off "
                f"{seen.servers(cut.n_servers)} on other planes",
                tuple(near.ids[one] for one in cut.lost),
                value=cut.n_servers,
                limit=0,
                aspect=_aspect(network),
            )


def _points(seen: Inspection) -> Iterator[tuple[str, Adjacency, SinglePoints]]:
    """Each network with links between switches, and its single points of failure.

    Out-of-band networks are built of single switches, and are left out unless the policy asks for a second path there.
    """
    there = {one for switch in seen.design.switches() for one in networks_of_switch(switch)}
    for network in NETWORKS:
        if network in there and (network != OUT_OF_BAND or network in seen.design.policy.second_path):
            near = seen.adjacency_of(network)
            if len(near.of_switches):
                yield network, near, seen.single_points(network)


def _alike(seen: Inspection, near: Adjacency, cuts: Sequence[Cut]) -> list[tuple[int, list[Cut]]]:
    """Cuts of things of the same roles that part as many servers, in design order."""

    def kind(cut: Cut) -> tuple[tuple[str, ...], int]:
        return tuple(sorted(seen.survey.role[near.ids[one]] for one in cut.lost)), cut.n_servers

    in_order = sorted(cuts, key=lambda cut: (kind(cut), cut.lost))
    return [(n_servers, list(own)) for (_, n_servers), own in groupby(in_order, key=kind)]


def _pairs(near: Adjacency) -> dict[frozenset[int], int]:
    """The index of each pair of switches, by their numbers."""
    own = near.of_switches
    ends = zip(near.low[own].tolist(), near.high[own].tolist(), own.tolist(), strict=True)
    return {frozenset((low, high)): pair for low, high, pair in ends}


def _sentence(names: Sequence[str], word: str, network: str, servers: str) -> str:
    if len(names) == 1:
        return f"The loss of {names[0]}{in_network(network)} cuts off {servers}"
    return (
        f"{format_counted(len(names), word)}{in_network(network)}: the loss of any cuts off {servers}: {listed(names)}"
    )


def _aspect(network: str) -> str:
    return "" if network == COMPUTE else network
