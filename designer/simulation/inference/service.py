"""Calculates how requests are served: every collective of both pools over the fabric, times, rates and loads."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from designer.graph.arrays import Graph
from designer.routing.network import Network, network
from designer.simulation.communication import Communication
from designer.simulation.failures.survivors import rank_keys, ranks_left
from designer.simulation.group_runs import GroupRun, Progress, communication, scenario_of, simulated, unheard
from designer.simulation.inference.costs import POOL_TITLES, Pass, decode_pass, prefill_pass, prefill_share
from designer.simulation.inference.formulas import formulas
from designer.simulation.inference.records import Pool, Service
from designer.simulation.inference.request import BY_SERVER, Inference, degrees_of, units_of
from designer.simulation.inference.units import (
    PoolRanks,
    along_stages,
    cache_transfer,
    domains_of,
    largest_servers,
    once_per_server,
    pools_of,
    servers_per_token,
)
from designer.simulation.payload_rate import payload_rate
from designer.simulation.result import Result
from designer.simulation.scenario import Scenario
from designer.simulation.traffic.collectives import Plan
from designer.simulation.traffic.ranks import participants
from designer.simulation.training.groups import at_once
from designer.units import format_count

EVEN = "requests and experts are spread evenly, as a load balancer would have them at best"


def serve(graph: Graph, inference: Inference, progress: Progress | None = None) -> Service:
    """How the fabric serves the requests. `progress` may raise Cancelled.

    Raises ParameterError for degrees that do not fit, GraphError for ranks that cannot reach each other.
    """
    began = time.perf_counter()
    report = progress if progress is not None else unheard
    report(0.0)
    net = network(graph)
    ranks = participants(net, Scenario(collective="all-reduce", order=inference.order, seed=inference.seed))
    if graph.failed:
        ranks, _ = ranks_left(graph, rank_keys(graph)[ranks])
    domain_size = int(net.ends.domain_size[ranks[0]])
    degrees = degrees_of(inference, "prefill", domain_size), degrees_of(inference, "decode", domain_size)
    costs = prefill_pass(inference, degrees[0]), decode_pass(inference, degrees[1])
    units = units_of(inference, *degrees, len(ranks), prefill_share(inference, *costs))
    pools = pools_of(ranks, inference, *degrees, units)
    sent = [one for cost, pool in zip(costs, pools, strict=True) for one in _sent_in(net, inference, cost, pool)]
    replica_bytes = inference.prefill_batch * inference.input_tokens * inference.model.kv_bytes_per_token
    transfer = GroupRun(
        "cache",
        "Key-value cache to the decode pool",
        pools[0].replicas,
        scenario_of(inference, "send-recv", replica_bytes),
        1,
        lambda: cache_transfer(*pools, degrees, inference.model.kv_heads, replica_bytes),
        "cache",
    )
    jobs = [*sent, transfer]
    done: list[tuple[GroupRun, Result]] = []
    for number, job in enumerate(jobs):
        done.append((job, simulated(graph, job, number, len(jobs), report)))
    first, second = (_pool(graph, inference, cost, pool, done) for cost, pool in zip(costs, pools, strict=True))
    cache = done[-1][1]
    found = communication(transfer, cache, cache.time_s * transfer.count)
    per_request, capacity = _bytes_per_request(inference, first, second, found), payload_rate(graph, None).capacity
    service = _service(graph, inference, first, second, found, per_request, capacity)
    report(1.0)
    service = replace(
        service,
        idle_gpus=len(ranks) - first.gpus - second.gpus,
        notes=tuple(_notes(net, inference, pools, (first, second), len(ranks))),
        wall_s=time.perf_counter() - began,
    )
    return replace(service, formulas=formulas(service))


# -- what is sent -----------------------------------------------------------------------------------------------------


def _sent_in(net: Network, inference: Inference, cost: Pass, pool: PoolRanks) -> Iterator[GroupRun]:
    """What the GPUs of a pool send in a pass."""
    model, degrees = inference.model, cost.degrees
    layers_of_experts = model.layers_of_experts if degrees.expert > 1 else 0
    if degrees.tensor > 1:
        size_bytes = cost.tokens * model.hidden * model.activation_bytes
        scenario = scenario_of(inference, "all-reduce", size_bytes)
        # One after the attention and one after the dense layer that follows it; experts apart need no second one.
        yield GroupRun(
            "tensor",
            f"{POOL_TITLES[cost.pool]}: tensor-parallel all-reduce",
            pool.tensor,
            scenario,
            2 * model.layers - layers_of_experts,
            lambda: at_once(net, scenario, pool.tensor),
            cost.pool,
        )
    if layers_of_experts:
        yield from _to_experts(net, inference, cost, pool)
    if degrees.pipeline > 1:
        part_bytes = cost.tokens * model.hidden * model.activation_bytes / degrees.tensor
        yield GroupRun(
            "pipeline",
            f"{POOL_TITLES[cost.pool]}: between pipeline stages",
            pool.table.transpose(0, 2, 3, 1).reshape(-1, degrees.pipeline),
            scenario_of(inference, "send-recv", part_bytes),
            degrees.pipeline - 1,
            lambda: along_stages(pool, part_bytes),
            cost.pool,
        )


def _to_experts(net: Network, inference: Inference, cost: Pass, pool: PoolRanks) -> Iterator[GroupRun]:
    """Dispatch and combine of a layer, all units and stages at once."""
    model, groups = inference.model, pool.expert
    way: str = getattr(inference, f"{cost.pool}_dispatch")
    servers = largest_servers(net, groups)
    for name, element_bytes in (("dispatch", model.dispatch_bytes), ("combine", model.activation_bytes)):
        token_bytes = cost.tokens / cost.degrees.tensor * model.hidden * element_bytes
        scenario = scenario_of(inference, "all-to-all", token_bytes * model.top_k)
        plan = _plan_to_experts(net, scenario, groups, token_bytes, inference, way, servers, name == "combine")
        title = f"{POOL_TITLES[cost.pool]}: expert-parallel {name}"
        yield GroupRun("expert", title, groups, scenario, model.layers_of_experts, plan, cost.pool)


def _plan_to_experts(
    net: Network,
    scenario: Scenario,
    groups: NDArray[np.int64],
    token_bytes: float,
    inference: Inference,
    way: str,
    servers: int,
    is_combine: bool,
) -> Callable[[], Plan]:
    if way != BY_SERVER or servers == 1:
        return lambda: at_once(net, scenario, groups)
    model = inference.model
    per_server = servers_per_token(servers, model.top_k, model.expert_servers)
    return lambda: once_per_server(net, groups, token_bytes, model.top_k, per_server, is_combine=is_combine)


# -- what it comes to -------------------------------------------------------------------------------------------------


def _pool(
    graph: Graph, inference: Inference, cost: Pass, ranks: PoolRanks, done: Sequence[tuple[GroupRun, Result]]
) -> Pool:
    own = [(job, result) for job, result in done if job.pool == cost.pool]
    all_s = sum(result.time_s * job.count for job, result in own)
    # No more can be hidden than there is computing to hide behind.
    hidden = min(inference.overlap * all_s, cost.busy_s) / all_s if all_s else 0.0
    found = tuple(communication(job, result, result.time_s * job.count * (1 - hidden)) for job, result in own)
    pass_s = cost.busy_s + sum(one.exposed_s for one in found)
    units, degrees = ranks.table.shape[0], cost.degrees
    passes = 1 if cost.pool == "prefill" else inference.output_tokens
    at_once_ = cost.requests * degrees.replicas * degrees.pipeline * units
    stated = {graph.gpu_memory_bytes[device] for device in np.unique(graph.device[ranks.table]).tolist()}
    memory = None if None in stated else min(one for one in stated if one is not None)
    return Pool(cost.pool, units, cost, found, pass_s, max(cost.busy_s, all_s), at_once_ / pass_s / passes, 1.0, memory)


def _bytes_per_request(
    inference: Inference, prefill: Pool, decode: Pool, transfer: Communication
) -> NDArray[np.float64]:
    """(n_arcs,) what a request puts on each arc on average, as all units of a pool take turns."""
    found: NDArray[np.float64] = transfer.result.bytes / (transfer.n_groups * prefill.cost.requests)
    for pool, passes in ((prefill, 1), (decode, inference.output_tokens)):
        requests = pool.cost.requests * pool.degrees.replicas * pool.units
        for one in pool.communications:
            # In a pass all stages send once for each of their own layers.
            stages = pool.degrees.pipeline if one.kind != "pipeline" else pool.degrees.pipeline - 1
            found = found + one.result.bytes * (one.count * passes / requests / max(1, stages))
    return found


def _service(
    graph: Graph,
    inference: Inference,
    prefill: Pool,
    decode: Pool,
    transfer: Communication,
    per_request: NDArray[np.float64],
    capacity: NDArray[np.float64],
) -> Service:
    busy_s = np.where(np.isfinite(capacity), per_request / capacity, 0.0)  # (n_arcs,) of an arc, for each request
    busiest = int(np.argmax(busy_s))
    fabric = float(1 / busy_s[busiest]) if busy_s[busiest] > 0 else np.inf
    limits = {
        f"the prefill pool sustains {prefill.capacity_per_s:,.4g} requests/s": prefill.capacity_per_s,
        f"the decode pool sustains {decode.capacity_per_s:,.4g} requests/s": decode.capacity_per_s,
        f"{_named(graph, busiest)} is full at {fabric:,.4g} requests/s": fabric,
    }
    limit, most = min(limits.items(), key=lambda one: one[1])
    rate = inference.rate if inference.rate is not None else most
    share = busy_s * rate
    result = transfer.result
    load = replace(
        result,
        model=replace(result.model, traffic=f"inference at {rate:,.4g} requests/s", groups=None),
        time_s=1.0,
        bottlenecks=(),
        phases=(),
        bytes=per_request * rate,
        utilization_mean=share,
        utilization_peak=share,
        demand=share,
        phase_peaks=(),
        phase_congested=(),
    )
    return Service(
        inference,
        replace(prefill, rate_per_s=rate),
        replace(decode, rate_per_s=rate),
        transfer,
        rate,
        fabric,
        limit,
        load,
        0,
        (),
        0.0,
    )


def _named(graph: Graph, arc: int) -> str:
    source, target = (graph.device_name(int(end[arc])) for end in (graph.source, graph.target))
    inside = "the scale-up domain of " if graph.link[arc] < 0 else ""
    return f"{inside}{source}" if inside else f"{source} to {target}"


def _notes(
    net: Network, inference: Inference, ranks: tuple[PoolRanks, PoolRanks], pools: tuple[Pool, Pool], n_ranks: int
) -> Iterator[str]:
    for pool, of in zip(pools, ranks, strict=True):
        if pool.degrees.tensor > 1:
            domain = domains_of(net, of.tensor)
            across = int(np.count_nonzero((domain != domain[:, :1]).any(axis=1)))
            if across:
                yield (
                    f"{format_count(across)} of {format_count(len(of.tensor))} tensor groups of the {pool.name} pool "
                    "reach beyond a scale-up domain: their all-reduces cross the fabric"
                )
        if pool.gpu_memory_bytes is None:
            yield f"memory of the {pool.name} pool not checked: the catalog does not state that of its GPUs"
    n_endpoints = net.graph.n_endpoints
    if n_ranks < n_endpoints:
        yield f"{format_count(n_endpoints - n_ranks)} of {format_count(n_endpoints)} GPUs are cut off by what failed"
    yield "times are those of a request that waits for no other: queues come on top, the longer the busier a pool is"
    if inference.model.experts:
        yield EVEN
