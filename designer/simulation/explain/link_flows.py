"""Which flows of a phase cross a link, and by which share of each."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from designer.errors import ParameterError
from designer.graph.arrays import SWITCH
from designer.graph.sums import sums
from designer.routing.network import Network
from designer.routing.policies import policy_named
from designer.simulation.explain import link_leafs
from designer.simulation.explain.link_leafs import Hosts, LeafPairs
from designer.simulation.flows import uniform
from designer.simulation.payload_rate import payload_rate
from designer.simulation.phase_results import MOST_WIDE
from designer.simulation.scenario import Scenario
from designer.simulation.traffic.phases import Flows, Phase, flows
from designer.units import format_count

Progress = Callable[[float], None]
Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

MOST_AT_ONCE = 500_000
# Flows routed in one go.
NEGLIGIBLE = 1e-12

Part = tuple[Ints, Ints, Floats, Floats]
"""Sources, destinations, the share of each flow over the arc, its size."""


def crossing_flows(
    net: Network, scenario: Scenario, phase: Phase, arc: int, top: int, progress: Progress
) -> Iterator[Part | LeafPairs]:
    """The flows of a phase over an arc, some at a time; `top` of those that come as pairs of leafs are listed.

    Raises ParameterError for an all-to-all of more flows than can be listed where GPUs have several NICs.
    """
    policy, traffic = policy_named(scenario.routing), phase.traffic
    if isinstance(traffic, Flows):
        yield _routed(net, scenario, traffic, arc)
        progress(1.0)
        return
    members = traffic.members
    if link_leafs.applies(net, members, arc, policy):
        yield from _leaf_by_leaf(net, scenario, members, traffic.pair_bytes, arc, top)
        progress(1.0)
        return
    if policy.pieces is not None and len(traffic) > MOST_WIDE:
        # Pieces of so many flows are placed together: of each flow its share on average is known, that of spray.
        even = replace(scenario, routing="spray")
        yield from crossing_flows(net, even, phase, arc, top, progress)
        return
    if policy.wide and len(traffic) > MOST_WIDE:
        if not uniform.applies(net, members):
            raise ParameterError(
                f"the {format_count(len(traffic))} flows over a link cannot be listed under {scenario.routing} "
                f"where GPUs have several NICs: choose fewer ranks or another routing"
            )
        if all(net.graph.kind[end] == SWITCH for end in (net.graph.source[arc], net.graph.target[arc])):
            yield from _split(net, scenario, members, traffic.pair_bytes, arc, top)
            progress(1.0)
            return
        scenario = replace(scenario, routing="spray")  # onto the fabric and off it flows go alike
    elif policy.wide:
        yield _routed(net, scenario, _pairs(members, members, traffic.pair_bytes), arc)
        progress(1.0)
        return
    blocks = list(_blocks(net, members, arc))
    for number, (sources, targets) in enumerate(blocks):
        sent = _pairs(sources, targets, traffic.pair_bytes)
        if len(sent):
            yield _routed(net, scenario, sent, arc)
        progress((number + 1) / len(blocks))


def _blocks(net: Network, members: Ints, arc: int) -> Iterator[tuple[Ints, Ints]]:
    """(sources, destinations) whose flows among all pairs of members may cross an arc, some at a time."""
    ends, switches, graph = net.ends, net.switches, net.graph
    sources, targets_of = members, {-1: members}
    leaf = ends.leaf[members, 0]
    block = np.full(len(members), -1, dtype=np.int64)
    if uniform.applies(net, members) and not switches.only.shape[1]:
        if graph.kind[graph.source[arc]] != SWITCH:
            sources = members[(ends.out[members, 0] == arc).any(axis=1)]
            block = block[: len(sources)]
        elif graph.kind[graph.target[arc]] != SWITCH:
            targets_of = {-1: members[(ends.in_[members, 0] == arc).any(axis=1)]}
        else:
            may = link_leafs.leafs_across(net, arc)
            able = np.asarray(may.any(axis=1))[leaf]
            sources, block = members[able], leaf[able].astype(np.int64)
            targets_of = {int(one): members[may[one][leaf]] for one in np.unique(block)}
    for one in np.unique(block).tolist():
        senders, receivers = sources[block == one], targets_of[one]
        step = max(1, MOST_AT_ONCE // max(1, len(receivers)))
        for first in range(0, len(senders), step):
            yield senders[first : first + step], receivers


def _leaf_by_leaf(
    net: Network, scenario: Scenario, members: Ints, pair_bytes: float, arc: int, top: int
) -> Iterator[Part | LeafPairs]:
    """One flow routed for all that go alike."""
    hosts, policy = link_leafs.Hosts(net, members), policy_named(scenario.routing)
    leafs, targets = link_leafs.candidates(net, hosts, arc, policy)
    senders = hosts.senders(leafs, net.ends.domain[targets].astype(np.int64))
    if policy.evenly:
        # Where all of a leaf share the first destination's domain, another host of that leaf may not.
        last = hosts.members[hosts.start[net.ends.leaf[targets, 0] + 1] - 1]
        again = senders < 0
        targets = np.where(again, last, targets)
        senders[again] = hosts.senders(leafs[again], net.ends.domain[targets[again]].astype(np.int64))
    able = senders >= 0
    leafs, targets = leafs[able], targets[able]
    shares = _shares(net, scenario, flows(senders[able], targets, pair_bytes), arc)
    hit = shares > NEGLIGIBLE
    leafs, targets, shares = leafs[hit], targets[hit], shares[hit]
    if policy.evenly:
        yield _reported(hosts, leafs, targets, shares, pair_bytes, top)
        return
    src, dst, of = hosts.all_of(leafs, targets)
    yield src, dst, shares[of], np.full(len(src), pair_bytes)


def _split(
    net: Network, scenario: Scenario, members: Ints, pair_bytes: float, arc: int, top: int
) -> Iterator[Part | LeafPairs]:
    """Flows that are split over minimal and other ways, by pairs of leafs where they are too many."""
    hosts = link_leafs.Hosts(net, members)
    capacity = payload_rate(net.graph, scenario.efficiency).capacity
    leafs, targets, shares = link_leafs.split_candidates(net, hosts, arc, policy_named(scenario.routing), capacity)
    yield _reported(hosts, leafs, targets, shares, pair_bytes, top)


def _reported(
    hosts: Hosts, leafs: Ints, targets: Ints, shares: Floats, pair_bytes: float, top: int
) -> Part | LeafPairs:
    """Pairs of leafs, each by one destination, flow by flow where these are not too many."""
    if link_leafs.total(hosts, leafs, targets) > link_leafs.MOST_WRITTEN_OUT:
        return link_leafs.spread_out(hosts, leafs, targets, shares, pair_bytes, top)
    others = hosts.net.ends.leaf[targets, 0].astype(np.int64)
    src, dst, share = link_leafs.written_out(hosts, leafs, others, shares)
    return src, dst, share, np.full(len(src), pair_bytes)


def _pairs(sources: Ints, targets: Ints, pair_bytes: float) -> Flows:
    src, dst = np.repeat(sources, len(targets)), np.tile(targets, len(sources))
    differs = src != dst
    return flows(src[differs], dst[differs], pair_bytes)


def _routed(net: Network, scenario: Scenario, sent: Flows, arc: int) -> Part:
    share = _shares(net, scenario, sent, arc)
    hit = np.flatnonzero(share > NEGLIGIBLE)
    return sent.src[hit], sent.dst[hit], share[hit], sent.size_bytes[hit]


def _shares(net: Network, scenario: Scenario, sent: Flows, arc: int) -> Floats:
    """(n_flows,) the share of each flow that crosses an arc."""
    policy = policy_named(scenario.routing)
    paths = policy.route(net, sent.src, sent.dst, sent.size_bytes, sent.channel, scenario.seed)
    spokesman = int(paths.stands_for[arc])
    entries = np.flatnonzero(paths.arcs == spokesman)
    flow = np.searchsorted(paths.start, entries, side="right") - 1
    weights = paths.weights[entries]
    if spokesman != arc and len(entries):
        # Flows use both in one proportion, which their bytes tell.
        weights = weights * (paths.bytes_on[arc] / paths.bytes_on[spokesman])
    return sums(flow, weights, len(sent))
