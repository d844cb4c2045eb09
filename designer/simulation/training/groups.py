"""Which ranks talk to which in a training step, and what all groups of a kind send at once."""

from dataclasses import dataclass, replace
from itertools import zip_longest

import numpy as np
from numpy.typing import NDArray

from designer.routing.network import Network
from designer.simulation.phase_results import written_out
from designer.simulation.scenario import Scenario
from designer.simulation.traffic.collectives import Plan, collective_plan
from designer.simulation.traffic.phases import AllPairs, Flows, Phase, flows, joined
from designer.simulation.training.request import Degrees

Table = NDArray[np.int64]

MOST_COMPARED = 512
"""Ranks of a group up to which its pattern is compared with that of others."""


@dataclass(frozen=True, slots=True, eq=False)
class Groups:
    """The groups of each kind, one a row: (n_groups, size)."""

    tensor: Table
    data: Table
    expert: Table
    expert_data: Table
    """Replicas of the same experts."""
    stages: Table  # (pipeline, data * tensor): column i of a stage passes on to column i of the next


def groups_of(ranks: NDArray[np.int64], degrees: Degrees, layout: str) -> Groups:
    """The groups of the first ranks. Tensor groups are neighbors; then data and pipeline as the layout says."""
    t, p, d, e = degrees.tensor, degrees.pipeline, degrees.data, degrees.expert
    ranks = ranks[: degrees.ranks]
    # [pipeline, data, tensor]
    table = ranks.reshape(p, d, t) if layout == "tensor-data-pipeline" else ranks.reshape(d, p, t).transpose(1, 0, 2)
    by_expert = table.reshape(p, d // e, e, t)
    return Groups(
        tensor=table.reshape(p * d, t),
        data=table.transpose(0, 2, 1).reshape(p * t, d),
        expert=by_expert.transpose(0, 1, 3, 2).reshape(-1, e),
        expert_data=by_expert.transpose(0, 2, 3, 1).reshape(-1, d // e),
        stages=table.reshape(p, d * t),
    )


def at_once(network: Network, scenario: Scenario, groups: Table) -> Plan:
    """The scenario's collective by every group at the same time, step by step together."""
    plans, channels = [], None
    for like in _alike(network, scenario, groups):
        plan = collective_plan(network, scenario, like[0])
        channels = plan.channels
        plans.append([_phase_by_all(phase, like) for phase in plan.phases])
    # Groups of another shape may need fewer steps, as a hierarchy whose groups are one server each.
    steps = [[phase for phase in step if phase is not None] for step in zip_longest(*plans)]
    return Plan([_phases_together(step) for step in steps], channels)


def _alike(network: Network, scenario: Scenario, groups: Table) -> list[Table]:
    """The groups, those together that sit on servers and NICs in the same pattern: a plan looks at nothing else.

    Buckets look at a torus's coordinates, and large groups are few: there each is by itself.
    """
    if scenario.algorithm_used == "bucket" or groups.shape[1] > MOST_COMPARED:
        return [group[None] for group in groups]
    ends, graph = network.ends, network.graph
    places = [graph.device[groups], *(ends.nic[groups, way] for way in range(ends.n_ways))]
    # By rank of a group: the first rank of it on the same server, or with the same NIC.
    pattern = np.hstack([(place[:, :, None] == place[:, None, :]).argmax(axis=2) for place in places])
    has_nic = np.hstack([place >= 0 for place in places])
    _, of = np.unique(np.hstack([pattern, has_nic]), axis=0, return_inverse=True)
    return [groups[of.reshape(-1) == number] for number in range(int(of.max()) + 1)]


def _phase_by_all(phase: Phase, groups: Table) -> Phase:
    """The phase of the first group, which all of them run."""
    pipelines = None if phase.pipelines is None else phase.pipelines.times(len(groups))
    return replace(phase, traffic=_by_all(phase.traffic, groups), pipelines=pipelines)


def _phases_together(phases: list[Phase]) -> Phase:
    own = [phase.pipelines for phase in phases if phase.pipelines is not None]
    return replace(
        phases[0], traffic=_together([phase.traffic for phase in phases]), pipelines=joined(own) if own else None
    )


def _by_all(traffic: Flows | AllPairs, groups: Table) -> Flows | AllPairs:
    """What the first group sends, sent by all of them."""
    if len(groups) == 1:
        return traffic
    sent = traffic if isinstance(traffic, Flows) else written_out(traffic, 0, len(traffic.members))
    order = np.argsort(groups[0])
    src, dst = (order[np.searchsorted(groups[0], side, sorter=order)] for side in (sent.src, sent.dst))
    times = len(groups)
    return Flows(
        groups[:, src].reshape(-1),
        groups[:, dst].reshape(-1),
        np.tile(sent.size_bytes, times),
        np.tile(sent.channel, times),
    )


def along_pipelines(network: Network, groups: Groups, part_bytes: float) -> Plan:
    """A micro-batch's activations from every stage to the next, and gradients back.

    Every GPU sends its tensor rank's part, which the next stage's tensor groups put together again (Narayanan et al.
    2021, section 4.1).
    """
    ahead = groups.stages[:-1].reshape(-1), groups.stages[1:].reshape(-1)
    phases = [
        Phase("activations to the next stage", 1, flows(*ahead, part_bytes)),
        Phase("gradients to the stage before", 1, flows(*ahead[::-1], part_bytes)),
    ]
    size = groups.tensor.shape[1]
    if size > 1:
        gather = Scenario(collective="all-gather", size_bytes=part_bytes * size)
        (gathered,) = at_once(network, gather, groups.tensor).phases
        rings = gathered.pipelines
        times = replace(
            gathered,
            name="all-gather in the tensor groups",
            repeat=2 * gathered.repeat,
            pipelines=None if rings is None else replace(rings, rounds=2 * rings.rounds),
        )
        phases.append(times)
    return Plan(phases)


def _together(traffic: list[Flows | AllPairs]) -> Flows | AllPairs:
    if len(traffic) == 1:
        return traffic[0]
    sent = [one if isinstance(one, Flows) else written_out(one, 0, len(one.members)) for one in traffic]
    return Flows(
        np.concatenate([one.src for one in sent]),
        np.concatenate([one.dst for one in sent]),
        np.concatenate([one.size_bytes for one in sent]),
        np.concatenate([one.channel for one in sent]),
    )
