"""The flows from one end to another: those of a scenario, or those that might be sent."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from designer.errors import DesignerError, ParameterError
from designer.routing.given import SPLIT
from designer.routing.legs import Legs, legs
from designer.routing.network import Network
from designer.routing.paths import Commodities, commodities
from designer.routing.planes import plane_pick
from designer.routing.policies import Policy
from designer.simulation.engine import plan_of
from designer.simulation.explain.link_leafs import detoured_share
from designer.simulation.flows import uniform
from designer.simulation.paths.places import PathEnd
from designer.simulation.payload_rate import payload_rate
from designer.simulation.phase_results import MOST_WIDE, written_out
from designer.simulation.scenario import Scenario
from designer.simulation.traffic.phases import AllPairs, Flows, Phase, flows
from designer.simulation.traffic.ranks import participants

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Sent:
    """Flows with the bytes they carry in the whole run; of a `phase`, or of none that is run."""

    flows: Flows
    phase: Phase | None = None


def sent_between(net: Network, scenario: Scenario, a: PathEnd, b: PathEnd) -> list[Sent]:
    """The scenario's flows from end to end; none where it has none, or cannot be run."""
    try:
        phases = plan_of(net, scenario, participants(net, scenario)).phases
    except DesignerError:  # the simulation says why; the paths are there all the same
        return []
    found = []
    for phase in phases:
        chosen = _between(phase.traffic, a.gpus, b.gpus)
        if len(chosen) and not phase.is_fill:
            moved = chosen.size_bytes * phase.repeat
            found.append(Sent(Flows(chosen.src, chosen.dst, moved, chosen.channel), phase))
    return found


def might_be_sent(net: Network, a: PathEnd, b: PathEnd) -> Sent:
    """One flow from each GPU to the one of the same number, over and over where one end has fewer.

    Through a switch without GPUs it is one flow from or to each GPU for each leaf switch there is. Raises
    ParameterError where both ends are one GPU.
    """
    if a.passed is not None or b.passed is not None:
        leafs, at = np.unique(net.ends.leaf[:, 0], return_index=True)
        first = at[leafs >= 0]
        senders, receivers = (first if end.passed is not None else end.gpus for end in (a, b))
        src, dst = np.repeat(senders, len(receivers)), np.tile(receivers, len(senders))
    else:
        n = max(len(a.gpus), len(b.gpus))
        src, dst = np.resize(a.gpus, n), np.resize(b.gpus, n)
    apart = src != dst
    if not apart.any():
        raise ParameterError(f"{a.name} and {b.name} are the same place: choose two")
    return Sent(flows(src[apart], dst[apart], 1.0))


def _between(traffic: Flows | AllPairs, senders: Ints, receivers: Ints) -> Flows:
    if isinstance(traffic, Flows):
        chosen = np.isin(traffic.src, senders) & np.isin(traffic.dst, receivers)
        return Flows(traffic.src[chosen], traffic.dst[chosen], traffic.size_bytes[chosen], traffic.channel[chosen])
    senders, receivers = (ends[np.isin(ends, traffic.members)] for ends in (senders, receivers))
    src, dst = np.repeat(senders, len(receivers)), np.tile(receivers, len(senders))
    return flows(src[src != dst], dst[src != dst], traffic.pair_bytes)


def detoured(net: Network, scenario: Scenario, policy: Policy, sent: Sent, found: Legs, sets: Commodities) -> Floats:
    """(n_commodities,) what of each of the sent flows' commodities takes detours, as the run has it.

    Where that depends on the load, it is chosen with all flows of the phase in mind.
    """
    assert policy.detoured is not None
    if not policy.by_load or sent.phase is None:
        return policy.detoured(net, found, sent.flows.size_bytes, sets)
    traffic = sent.phase.traffic
    if isinstance(traffic, AllPairs):
        if len(traffic) > MOST_WIDE and uniform.applies(net, traffic.members):
            capacity = payload_rate(net.graph, scenario.efficiency).capacity
            return np.full(sets.count, detoured_share(net, traffic.members, capacity))
        traffic = written_out(traffic, 0, len(traffic.members))
    every = legs(net, traffic.src, traffic.dst, plane_pick(net, traffic.channel, scenario.seed, SPLIT))
    all_sets = commodities(net, every)
    shares = policy.detoured(net, every, traffic.size_bytes, all_sets)
    known = dict(zip(_pairs(all_sets), shares.tolist(), strict=True))
    return np.array([known.get(pair, 0.0) for pair in _pairs(sets)])


def _pairs(sets: Commodities) -> Iterator[tuple[int, int]]:
    return zip(sets.from_leaf.tolist(), sets.to_leaf.tolist(), strict=True)
