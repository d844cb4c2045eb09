"""`train_step`: how long a training step takes on a fabric, and where the time goes.

Computing is 6 FLOPs a parameter and token, and 12 L h s a token for attention (Chowdhery et al. 2022, PaLM, appendix
B); with activations computed again a third more. Every collective is simulated over the fabric with all groups of its
kind at once. Micro-batches follow each other through the pipeline, which stands idle for (p - 1) of them (Narayanan et
al. 2021, section 2.2).
"""

import time
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from designer.graph.arrays import Graph
from designer.routing.network import Network, network
from designer.simulation.communication import Communication
from designer.simulation.failures.survivors import rank_keys, ranks_left
from designer.simulation.group_runs import GroupRun, Progress, communication, scenario_of, simulated, unheard
from designer.simulation.scenario import Scenario
from designer.simulation.traffic.ranks import participants
from designer.simulation.training.formulas import formulas
from designer.simulation.training.groups import Groups, along_pipelines, at_once, groups_of
from designer.simulation.training.records import Step
from designer.simulation.training.request import Degrees, Training, fitted, idle_why
from designer.units import format_count

FLOPS_PER_TFLOP = 1e12


def train_step(graph: Graph, training: Training, progress: Progress | None = None) -> Step:
    """The training step on the fabric. `progress` may raise Cancelled.

    Raises ParameterError for degrees that do not fit, GraphError for ranks that cannot reach each other.
    """
    began = time.perf_counter()
    report = progress if progress is not None else unheard
    report(0.0)
    net = network(graph)
    ranks = participants(net, Scenario(collective="all-reduce", order=training.order, seed=training.seed))
    if graph.failed:
        ranks, _ = ranks_left(graph, rank_keys(graph)[ranks])  # those that are cut off take no part
    degrees = fitted(training, len(ranks), int(net.ends.domain_size[ranks[0]]))
    groups = groups_of(ranks, degrees, training.layout)
    model = training.model
    model_flops = model.tokens_per_step * (
        6 * model.active_parameters + 12 * model.layers * model.hidden * model.sequence
    )
    peak_flops = degrees.ranks * training.gpu_tflops * FLOPS_PER_TFLOP
    again = 4 / 3 if training.recompute else 1.0
    compute_s = model_flops * again / (peak_flops * training.utilization)
    jobs = list(_jobs(net, training, degrees, groups))
    found = [
        _communication(graph, training, job, compute_s, report, number, len(jobs)) for number, job in enumerate(jobs)
    ]
    in_turn_s = compute_s + sum(one.exposed_s for one in found if one.kind != "data")
    bubble_s = in_turn_s * (degrees.pipeline - 1) / degrees.micro_batches
    step_s = in_turn_s + bubble_s + sum(one.exposed_s for one in found if one.kind == "data")
    report(1.0)
    state_bytes = _state_bytes(training, degrees)
    step = Step(
        training,
        degrees,
        compute_s,
        bubble_s,
        tuple(found),
        step_s,
        model_flops,
        model_flops / (peak_flops * step_s),
        state_bytes,
        _memory_bytes(graph, groups, state_bytes),
        len(ranks) - degrees.ranks,
        idle_why(training, degrees, len(ranks)),
        tuple(_notes(net, groups, degrees, len(ranks))),
        time.perf_counter() - began,
    )
    return replace(step, formulas=formulas(step))


def _jobs(net: Network, training: Training, degrees: Degrees, groups: Groups) -> Iterator[GroupRun]:
    """The collectives of a step, those between GPUs alone left out."""
    model, m = training.model, degrees.micro_batches
    activations_bytes = model.micro_batch * model.sequence * model.hidden * model.bytes_per_element
    layers = model.layers // degrees.pipeline

    def job(
        kind: str, title: str, table: NDArray[np.int64], collective: str, size_bytes: float, count: int
    ) -> GroupRun:
        algorithm = training.algorithm if collective == "all-reduce" else None
        scenario = scenario_of(training, collective, size_bytes, algorithm)
        return GroupRun(kind, title, table, scenario, count, lambda: at_once(net, scenario, table))

    if degrees.tensor > 1:
        times = 6 if training.recompute else 4
        yield job(
            "tensor", "Tensor-parallel all-reduce", groups.tensor, "all-reduce", activations_bytes, times * layers * m
        )
    if degrees.expert > 1:
        times = 6 if training.recompute else 4
        routed_bytes = activations_bytes * model.top_k / degrees.tensor
        yield job("expert", "Expert-parallel all-to-all", groups.expert, "all-to-all", routed_bytes, times * layers * m)
    if degrees.pipeline > 1:
        part_bytes = activations_bytes / degrees.tensor
        scenario = scenario_of(training, "send-recv", part_bytes)
        yield GroupRun(
            "pipeline",
            "Between pipeline stages",
            groups.stages.T,
            scenario,
            m,
            lambda: along_pipelines(net, groups, part_bytes),
        )
    shared = (model.parameter_count - model.expert_parameters) / (degrees.tensor * degrees.pipeline)
    own = model.expert_parameters / (degrees.tensor * degrees.pipeline * degrees.expert)
    if degrees.expert == 1:
        shared, own = shared + own, 0.0
    for count, table, name in ((shared, groups.data, ""), (own, groups.expert_data, " of experts")):
        if count and table.shape[1] > 1:
            for collective, element_bytes, times in _data_parallel(training, m):
                title = f"Data-parallel {collective}{name}"
                yield job("data", title, table, collective, count * element_bytes, times)


def _data_parallel(training: Training, micro_batches: int) -> tuple[tuple[str, float, int], ...]:
    """(collective, bytes of an element, how often a step). Source: Rajbhandari et al. 2020, section 7.

    ZeRO stage 3 keeps no weights: it gathers them for each micro-batch on the way there and back.
    """
    gradient, weight = training.model.gradient_bytes, training.model.bytes_per_element
    if training.zero == 0:
        return (("all-reduce", gradient, 1),)
    if training.zero < 3:
        return (("reduce-scatter", gradient, 1), ("all-gather", weight, 1))
    return (("reduce-scatter", gradient, micro_batches), ("all-gather", weight, 2 * micro_batches))


def _communication(
    graph: Graph, training: Training, job: GroupRun, compute_s: float, report: Progress, number: int, of: int
) -> Communication:
    result = simulated(graph, job, number, of, report)
    total_s = result.time_s * job.count
    overlap = {"data": training.overlap, "tensor": training.tensor_overlap}.get(job.kind, 0.0)
    # No more can be hidden than there is computing to hide behind.
    return communication(job, result, total_s - min(overlap * total_s, compute_s))


def _state_bytes(training: Training, degrees: Degrees) -> float:
    """Weights and gradients of 2 bytes, optimizer of 12; ZeRO spreads over data ranks one more of them each stage.

    Source: Rajbhandari et al. 2020, section 5.
    """
    model, split = training.model, degrees.tensor * degrees.pipeline
    found = 0.0
    experts = model.expert_parameters / degrees.expert
    for parameters, replicas in (
        (model.parameter_count - model.expert_parameters, degrees.data),
        (experts, degrees.data // degrees.expert),
    ):
        over = [1 if training.zero < stage else replicas for stage in (3, 2, 1)]
        found += parameters / split * (2 / over[0] + 2 / over[1] + 12 / over[2])
    return found


def _memory_bytes(graph: Graph, groups: Groups, state_bytes: float) -> float | None:
    """The smallest of the GPUs that take part; where one is not known None, unless another is too small."""
    stated = {graph.gpu_memory_bytes[device] for device in np.unique(graph.device[groups.tensor]).tolist()}
    least = min((memory for memory in stated if memory is not None), default=None)
    return least if least is not None and (None not in stated or least < state_bytes) else None


def _notes(net: Network, groups: Groups, degrees: Degrees, n_ranks: int) -> Iterator[str]:
    ends = net.ends
    domain = np.where(ends.domain >= 0, ends.domain, -1 - np.arange(len(ends.domain)))
    domain = np.where(ends.drawn >= 0, net.graph.n_vertices + ends.drawn, domain)[groups.tensor]
    across = int(np.count_nonzero((domain != domain[:, :1]).any(axis=1)))
    if across:
        yield (
            f"{format_count(across)} of {format_count(len(groups.tensor))} tensor groups of {degrees.tensor} reach "
            "beyond a scale-up domain: their all-reduces cross the fabric"
        )
    n_endpoints = net.graph.n_endpoints
    if n_ranks < n_endpoints:
        yield f"{format_count(n_endpoints - n_ranks)} of {format_count(n_endpoints)} GPUs are cut off by what failed"
    if degrees.micro_batches < degrees.pipeline:
        yield f"{degrees.micro_batches} micro-batches do not fill {degrees.pipeline} pipeline stages"
