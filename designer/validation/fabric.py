"""Rules about the fabric as a whole: reach, oversubscription, spread, rails."""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from designer.analysis import connectivity, oversubscription
from designer.analysis.diameter import diameter_hops
from designer.analysis.oversubscription import Oversubscription
from designer.analysis.survey import Run
from designer.late import Late
from designer.model.edit import Edit, added
from designer.model.entities import End, Link
from designer.model.hardware.ports import Port
from designer.model.networks import COMPUTE, network_of_switch
from designer.placement.preparation import cabled_like_neighbours
from designer.units import all_of, first_of, format_capacity, format_count, format_counted
from designer.validation.findings import Finding, NotChecked, Severity
from designer.validation.inspection import Inspection
from designer.validation.joining import Moves
from designer.validation.oversubscribed import LEAF, SPINE, over
from designer.validation.rule import Rule, rule
from designer.validation.scope import CABLING, ROOM, Scope
from designer.validation.sources import AL_FARES, DALLY, OF_POLICY, RAIL_ONLY, SUPERPOD_RAILS, WCMP
from designer.validation.uncrossing import Crossed
from designer.validation.uplinks import Uplinks, uplinks

link_rails = Late("designer.model.link_rails")

TOLERANCE = 1e-9
PIECES_NAMED = 3
"""Pieces of a fabric, and leaf switches of each, that a finding names before the rest is counted."""


@rule(
    "REACH-001",
    Severity.ERROR,
    "Unreachable endpoint",
    "Every GPU must be able to reach every other GPU over the fabric.",
    remedy="Connect the endpoint, or repair the path to it.",
    example="A server none of whose NICs has a cable.",
    source=f"{DALLY}, ch. 3: a network joins all of its terminals.",
    scope=Scope.NETWORK,
    reads=CABLING,
)
def unreachable_endpoint(seen: Inspection, this: Rule) -> Iterator[Finding | NotChecked]:
    """Finds servers without a fabric link and servers that do not reach all others; one finding for servers alike."""
    n_servers = len(seen.survey.hosts)
    if n_servers < 2:
        return
    alike: dict[object, list[connectivity.CutOff]] = {}
    for cut in connectivity.cut_off(seen.survey):  # a part of the fabric on its own is one finding, not one a server
        alike.setdefault((cut.reached, cut.missed) if cut.linked else cut.device_id, []).append(cut)
    others, other = n_servers - 1, f"the other {seen.server_word}"
    for cuts in alike.values():
        first, name = cuts[0], seen.name(cuts[0].device_id)
        missed = first_of(seen.name(first.missed), others - first.reached, seen.server_word)
        reached = f"{format_count(first.reached)} of {format_count(others)}"
        if others == 1:
            lacks = "has no fabric link: it " if not first.linked else ""
            message = f"{name} {lacks}does not reach {seen.name(first.missed) if first.linked else other}"
        elif not first.linked:
            message = f"{name} has no fabric link: it reaches none of {seen.servers(others)}"
        elif len(cuts) == 1:
            message = f"{name} cannot reach {missed}: it reaches {reached}"
        else:
            more = format_counted(len(cuts) - 1, f"more {seen.server_word}")
            message = f"{name} and {more} cannot reach {missed}: each reaches {reached}"
        yield this.finding(message, tuple(cut.device_id for cut in cuts), value=first.reached, limit=others)


@rule(
    "REACH-002",
    Severity.WARNING,
    "Fabric in pieces",
    "Traffic between the pieces has to be relayed by servers.",
    remedy="Connect the pieces where traffic between them matters.",
    example="A server on leafs of the fabric and on a lab switch that has no uplink.",
    source=f"{RAIL_ONLY}: rails that servers alone join, which is no fault.",
    scope=Scope.NETWORK,
    reads=CABLING,
)
def fabric_in_pieces(seen: Inspection, this: Rule) -> Iterator[Finding | NotChecked]:
    """Finds a fabric in pieces that only servers join, unless they are rails or planes.

    Subjects are the leaf switches of all pieces.
    """
    pieces = connectivity.bridged(seen.survey)
    if not pieces or connectivity.is_by_design(seen.survey, pieces):
        return
    servers = {server for piece in pieces for server in piece.ways if sum(server in one.ways for one in pieces) > 1}
    shown = "; ".join(_some(seen, piece.leafs) for piece in pieces[:PIECES_NAMED])
    more = f"; and {format_count(len(pieces) - PIECES_NAMED)} more" if len(pieces) > PIECES_NAMED else ""
    yield this.finding(
        f"The fabric is in {format_count(len(pieces))} pieces that only {seen.server_word}s join "
        f"({seen.servers(len(servers))}): {shown}{more}",
        tuple(leaf for piece in pieces for leaf in piece.leafs),
        value=len(pieces),
        limit=1,
    )


def _some(seen: Inspection, devices: tuple[str, ...]) -> str:
    names = ", ".join(seen.name(one) for one in devices[:PIECES_NAMED])
    more = len(devices) - PIECES_NAMED
    return f"{names} and {format_count(more)} more" if more > 0 else names


@rule(
    "OVER-001",
    Severity.ERROR,
    "Leaf oversubscribed",
    "Above the limit, servers sending at full rate wait for uplink capacity.",
    remedy="Add uplinks, move servers to another leaf switch, or change the limit in the policy of the design.",
    policy=("leaf_oversubscription",),
    fix="Adds uplinks to the spines with the fewest, where ports are free.",
    example="A leaf with 32 links of 400G down and 24 up: 1.33:1, where the limit is 1:1.",
    source=f"{AL_FARES}: oversubscription of a tier. {OF_POLICY}",
    scope=Scope.NETWORK,
    reads=(*CABLING, *ROOM),
)
def leaf_oversubscribed(seen: Inspection, this: Rule) -> Iterator[Finding | NotChecked]:
    """Finds leaf switches whose downlink over uplink capacity is above the limit of the policy."""
    limit = seen.design.policy.leaf_oversubscription

    def fix(row: Oversubscription) -> Edit | None:
        return _add_uplinks(seen, row, seen.of_network(uplinks, COMPUTE, LEAF).get(row.device_id), limit)

    yield from over(seen, this, COMPUTE, LEAF, limit, fix)


def _add_uplinks(seen: Inspection, row: Oversubscription, up: Uplinks | None, limit: float) -> Edit | None:
    """Links to the spines the leaf already has, fewest first, until the limit holds.

    None where ports run out, or where a spine would be oversubscribed towards the cores.
    """
    if up is None:
        return None
    port = up.port
    missing = math.ceil((row.down_gbps / limit - row.up_gbps) / port.rate_gbps - TOLERANCE)
    counts = dict.fromkeys(up.spines, 0) | up.links
    ends: list[str] = []
    for _ in range(missing):
        spine = min(counts, key=lambda spine: counts[spine])
        counts[spine] += 1
        ends.append(spine)
    links = _new_links(seen, row.device_id, port, ends)
    if links is None or _overloads(seen, Counter(ends), port.rate_gbps):
        return None
    return _add(seen, row.device_id, links)


def _add(seen: Inspection, leaf_id: str, links: list[Link]) -> Edit:
    what = "1 uplink" if len(links) == 1 else f"{len(links)} uplinks"
    return Edit(f"Add {what} to {seen.name(leaf_id)}", added(cabled_like_neighbours(seen.design, links)))


def _overloads(seen: Inspection, more: Mapping[str, int], rate_gbps: float) -> bool:
    """Whether that many more downlinks put a spine with links to cores above its limit, or further above it."""
    limit, rows = (
        seen.design.policy.spine_oversubscription,
        {row.device_id: row for row in seen.of_network(oversubscription.switches)},
    )
    return limit is not None and any(
        row is not None
        and row.up_links > 0
        and seen.survey.tier.get(spine) == SPINE
        and row.down_gbps + count * rate_gbps > limit * row.up_gbps + TOLERANCE
        for spine, count, row in ((spine, count, rows.get(spine)) for spine, count in more.items())
        if count > 0
    )


def _new_links(seen: Inspection, leaf_id: str, like: Port, spines: list[str]) -> list[Link] | None:
    """Links from free ports of a leaf to free ports of the spines named; None where one has too few.

    A port that leaf switches alike use for the same spine is taken before others, and others before those that they
    use for another spine.
    """
    own = [p for p in seen.free_ports(leaf_id) if p.rate_gbps == like.rate_gbps]
    theirs = {
        spine: iter([p for p in seen.free_ports(spine) if p.rate_gbps == like.rate_gbps])
        for spine in dict.fromkeys(spines)
    }
    if len(own) < len(spines):
        return None
    ids = seen.design.new_ids("links", len(spines))
    links = []
    usual = {spine: _usual_ports(seen, leaf_id, spine) for spine in theirs}
    n_uses = Counter(port for ports in usual.values() for port in ports)
    for link_id, spine in zip(ids, spines, strict=True):
        port = max(own, key=lambda one: (usual[spine][one.name], -n_uses[one.name]))
        own.remove(port)
        other = next(theirs[spine], None)
        if other is None:
            return None
        links.append(Link(link_id, End(leaf_id, port.name), End(spine, other.name)))
    return links


def _usual_ports(seen: Inspection, leaf_id: str, spine_id: str) -> Counter[str]:
    """How many of the switches like a leaf use each of their ports for a spine."""
    design, leaf = seen.design, seen.design.device(leaf_id)
    ends = (end for link in design.links_of(spine_id) for end in (link.a, link.b) if end.device_id != leaf_id)
    return Counter(
        end.port
        for end in ends
        if end.device_id != spine_id
        and (design.device(end.device_id).role, design.device(end.device_id).type_id) == (leaf.role, leaf.type_id)
    )


@rule(
    "SPREAD-001",
    Severity.WARNING,
    "Uneven uplinks",
    "Traffic is spread evenly over the switches above, so the links to the one with the fewest fill first.",
    remedy="Give each spine switch the same number of links from this leaf switch, and each core from this spine.",
    fix="Adds uplinks to the switches above with the fewest; moves some there where ports for more run out.",
    example="A leaf switch with nine links to one spine and seven to the other.",
    source=f"{WCMP}: equal shares to unequal capacities.",
    scope=Scope.BLOCK,
    reads=(*CABLING, *ROOM),
)
def uneven_uplinks(seen: Inspection, this: Rule) -> Iterator[Finding | NotChecked]:
    """Finds leaf switches with less capacity to some spine switches of their block than to others, spines likewise.

    Subjects are the leaf switch and the spine switches with the least, or a spine and the cores with the least.
    """
    for tier, word in ((1, "spines"), (2, "cores")):
        for lower_id, up in seen.of_network(uplinks, COMPUTE, tier).items():
            gbps = {upper: up.gbps.get(upper, 0.0) for upper in up.spines}
            least, most = min(gbps.values()), max(gbps.values())
            if most - least <= TOLERANCE:
                continue
            thin = [upper for upper, value in gbps.items() if value <= least + TOLERANCE]
            counts = {upper: up.links.get(upper, 0) for upper in up.spines}
            fewest, more = min(counts.values()), max(counts.values())
            span = f"{fewest} to {more}" if fewest < more else f"{format_capacity(least)} to {format_capacity(most)} of"
            yield this.finding(
                f"{seen.name(lower_id)}: {span} uplinks to each of "
                f"{len(counts)} {word}, fewest to {seen.name(thin[0])}",
                (lower_id, *thin),
                value=least,
                limit=most,
                fix=_even_out(seen, lower_id, up, counts),
            )


def _even_out(seen: Inspection, leaf_id: str, up: Uplinks, counts: dict[str, int]) -> Edit | None:
    """Add what the thinner spines lack, or move what the thicker ones have too many.

    None where ports run out, or where a spine would be oversubscribed towards the cores.
    """
    most = max(counts.values())
    spines = [spine for spine, count in counts.items() for _ in range(most - count)]
    links = _new_links(seen, leaf_id, up.port, spines) if spines else None
    if links and not _overloads(seen, Counter(spines), up.port.rate_gbps):
        return _add(seen, leaf_id, links)
    return _moved(seen, leaf_id, counts, up.port.rate_gbps)


def _moved(seen: Inspection, leaf_id: str, counts: dict[str, int], rate_gbps: float) -> Edit | None:
    """The last links to the spines with too many, at those with too few; None where they do not divide evenly."""
    each, left = divmod(sum(counts.values()), len(counts))
    if left or _overloads(seen, {spine: each - count for spine, count in counts.items()}, rate_gbps):
        return None
    thin = [spine for spine, count in counts.items() for _ in range(each - count)]
    moves = Moves(seen)
    for spine, count in counts.items():
        own = [link for link in seen.design.links_of(leaf_id) if spine in (link.a.device_id, link.b.device_id)]
        for link in own[len(own) - max(0, count - each) :]:
            if not moves.move(link.id, spine, thin.pop(0)):
                return None
    return moves.edit(f"Move {format_counted(len(moves), 'uplink')} of {seen.name(leaf_id)}")


@rule(
    "RAIL-001",
    Severity.WARNING,
    "Rail crossed",
    "GPUs with the same index share a leaf switch only if their NICs are all on the same rail.",
    remedy="Connect the NIC to the leaf switch of its rail.",
    fix="Swaps two links that are crossed with each other, or moves the link to the leaf switch of its rail.",
    example="The links of rail1 and rail2 of one server are exchanged.",
    source=SUPERPOD_RAILS,
    scope=Scope.NETWORK,
    reads=(*CABLING, *ROOM),
)
def rail_crossed(seen: Inspection, this: Rule) -> Iterator[Finding | NotChecked]:
    """Finds links of a NIC slot to another rail than the one most servers of the type have that slot on.

    Where most servers have the ports of a slot on different rails, each port is compared with its like. Several links
    of a server to one switch are one finding. Subjects are the links, the server and the switch.
    """
    design = seen.design
    rails = {switch.id: switch.rail for switch in seen.survey.switches if switch.rail is not None}
    if not rails:
        return
    railed = [
        (
            run,
            (design.device(run.low.device_id).type_id, run.low_port.slot, run.low_port.name),
            rails[run.high.device_id],
        )
        for run in seen.survey.fabric_runs
        if run.low_port is not None
        and run.low_port.slot
        and design.is_server(run.low.device_id)
        and run.high.device_id in rails
    ]
    of_slots: dict[tuple[str, str], Counter[int]] = {}
    of_ports: dict[tuple[str, str, str], Counter[int]] = {}
    for _, port, rail in railed:
        of_slots.setdefault(port[:2], Counter())[rail] += 1
        of_ports.setdefault(port, Counter())[rail] += 1
    usual = {port: _usual(of_slots[port[:2]], at) for port, at in of_ports.items()}
    names = _RailNames(seen)
    crossed = Crossed(seen, [(run, rail, usual[port]) for run, port, rail in railed])
    astray: dict[tuple[str, str], list[Run]] = {}
    for run, port, rail in railed:
        if rail != usual[port]:
            astray.setdefault((run.low.device_id, run.high.device_id), []).append(run)
    links = Counter(run.low.device_id for run in seen.survey.fabric_runs)
    to_leaf = Counter((run.low.device_id, run.high.device_id) for run in seen.survey.fabric_runs)
    for (server, leaf), runs in astray.items():
        if len(runs) > 1:
            alone = links[server] if links[server] == to_leaf[server, leaf] else 0
            yield _several_crossed(seen, this, runs, alone, crossed, names)
    for run, port, rail in railed:
        if rail != usual[port] and len(astray[run.low.device_id, run.high.device_id]) == 1:
            like = port[1] if usual[port] == _most(of_slots[port[:2]]) else f"port {port[2]}"
            yield this.finding(
                f"{design.end_name(run.low)} goes to {seen.name(run.high.device_id)} of "
                f"{names.of(run.high.device_id)}; elsewhere {like} is on {names.stated(usual[port])}",
                (run.link.id, run.low.device_id, run.high.device_id),
                value=rail,
                limit=usual[port],
                fix=crossed.uncrossed(run),
            )


class _RailNames:
    """The rails of leaf switches in words, as links and the inspector have them; read when a finding needs them."""

    def __init__(self, seen: Inspection) -> None:
        self._seen = seen

    @cached_property
    def _known(self) -> Any:
        return link_rails.LinkRails(self._seen.design, list(self._seen.design.links.values()))

    @cached_property
    def _of_stated(self) -> dict[int, str]:
        switches = [one for one in self._seen.survey.switches if one.rail is not None]
        return {one.rail or 0: self.of(one.id) for one in reversed(switches)}

    def of(self, switch_id: str) -> str:
        """ "rails 5 and 6"."""
        rails = [*map(str, self._known.of_device(switch_id))]
        return f"{'rail' if len(rails) == 1 else 'rails'} {all_of(rails)}"

    def stated(self, rail: int) -> str:
        """The rails of the first switch that states this one."""
        return self._of_stated[rail]


def _several_crossed(
    seen: Inspection, this: Rule, runs: Sequence[Run], n_alone: int, crossed: Crossed, names: _RailNames
) -> Finding:
    """One finding for links of a server to one switch; `n_alone` are all its links, where no other switch has any."""
    server, leaf = runs[0].low.device_id, runs[0].high.device_id
    name, switch = seen.name(server), seen.name(leaf)
    ports = all_of([run.low.port for run in runs])
    alone = f"; all {n_alone} links of {name} lead there, and the loss of {switch} cuts it off" if n_alone else ""
    return this.finding(
        f"{name} ports {ports} go to {switch} of {names.of(leaf)}; elsewhere they are on other rails{alone}",
        (*(run.link.id for run in runs), server, leaf),
        value=len(runs),
        limit=0,
        fix=crossed.all_uncrossed(
            runs, f"Move {format_counted(len(runs), 'link')} of {name} to the leaf switches of their rails"
        ),
    )


def _usual(of_slot: Counter[int], of_port: Counter[int]) -> int:
    """The rail that a port is expected on: its own in more than half of several servers, or else that of its slot."""
    own = _most(of_port)
    return own if of_port.total() > 1 and 2 * of_port[own] > of_port.total() else _most(of_slot)


def _most(rails: Counter[int]) -> int:
    """The rail counted most; the lowest of several."""
    return max(rails, key=lambda rail: (rails[rail], -rail))


@rule(
    "DIAM-001",
    Severity.WARNING,
    "Diameter above the limit",
    "Each switch on the path adds latency.",
    remedy="Connect the switches with fewer hops between them, or change the limit in the policy of the design.",
    policy=("diameter_hops",),
    example="Servers up to 4 hops apart in a tree of three tiers, where the policy allows 2.",
    source=f"{DALLY}, ch. 3: diameter. {OF_POLICY}",
    scope=Scope.NETWORK,
    reads=CABLING,
)
def diameter_above_limit(seen: Inspection, this: Rule) -> Iterator[Finding | NotChecked]:
    """Finds a fabric with servers that are more links between switches apart than the policy allows."""
    limit = seen.design.policy.diameter_hops
    if limit is None:
        return
    hops = diameter_hops(seen.survey)
    if hops is None:
        yield this.not_checked("no two servers reach each other")
    elif hops > limit:
        yield this.finding(f"Servers are up to {hops} hops apart, limit {limit}", (), value=hops, limit=limit)


@rule(
    "TIER-001",
    Severity.WARNING,
    "Switch without a link",
    "A switch that nothing is connected to costs money, rack units and power.",
    remedy="Connect the switch, or delete it.",
    example="A switch without any link, next to leafs and spines that have theirs.",
    source="The links of the design.",
    scope=Scope.NETWORK,
    reads=CABLING,
)
def switch_without_link(seen: Inspection, this: Rule) -> Iterator[Finding | NotChecked]:
    """Finds switches without any link while others of their network have some; one finding for switches alike."""
    design = seen.design
    idle: dict[tuple[str, str], list[str]] = {}
    linked: set[str] = set()
    for switch in design.switches():
        network = network_of_switch(switch)
        if design.n_used_ports(switch.id):
            linked.add(network)
        else:
            idle.setdefault((network, switch.role), []).append(switch.id)
    for (network, _role), ids in idle.items():
        if network in linked:
            names = _some(seen, tuple(ids))
            verb = "has" if len(ids) == 1 else "have"
            yield this.finding(f"{names} {verb} no link", tuple(ids), value=0, limit=1)
