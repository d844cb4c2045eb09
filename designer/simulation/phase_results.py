"""The course of one phase: its flows routed, their rates solved, and what that means for every arc."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from designer.errors import GraphError, ParameterError
from designer.routing import dimension_order
from designer.routing.given import BY_ROUTING, SPLIT
from designer.routing.network import Network
from designer.routing.paths import Paths
from designer.routing.pieces import Pieces
from designer.routing.policies import SPRAYED, Route, Uniform, policy_named
from designer.simulation.explain import imbalance
from designer.simulation.explain.imbalance import Imbalance
from designer.simulation.explain.pressure import Pressure, by_flows, by_loads
from designer.simulation.flows import fluid, hashed, spreading, uniform, uniform_planes, uniform_torus, windows
from designer.simulation.flows.fluid import Progress
from designer.simulation.flows.spreading import Spreading
from designer.simulation.flows.uniform import UniformPhaseResult
from designer.simulation.memory import bytes_needed, require_room
from designer.simulation.prepared import prepared
from designer.simulation.scenario import Scenario
from designer.simulation.traffic.phases import AllPairs, Flows, Phase, flows
from designer.units import SECONDS_PER_NS, format_count

MERGED = 1e-3
"""Ends of flows closer than this, relative to the time since the phase began, count as one (unless `exact`)."""

MOST_FOLLOWED = 300_000
# All-to-all flows written out whose every end is followed; of more only the rates at the start and the last end.
MOST_AT_ONCE, MOST_WIDE = 2_000_000, 30_000
# All-to-all flows routed in one go; of those that policies spread over many arcs fewer.
PIECE_BYTES = 1e9
# What flows take, about, that are routed in one go where they do not fit into one anyway.


@dataclass(frozen=True, slots=True, eq=False)
class Spread:
    """How rates and ends are spread over the flows: kinds of flows with their counts. Bytes/s and seconds."""

    counts: NDArray[np.int64]
    first_rate: NDArray[np.float64]
    finish_s: NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class PhaseResult:
    """One run of a phase. `notes` say what is not exact, if anything."""

    time_s: float
    bytes_on: NDArray[np.float64]  # (n_arcs,)
    peak: NDArray[np.float64]  # (n_arcs,)
    spread: Spread
    pressure: Pressure
    n_solves: int
    sent_s: NDArray[np.float64]  # (n_ends,) when senders are done; grows with the sizes of all flows
    latency_s: NDArray[np.float64]  # (n_ends,) of the way, or a step's share of the pipeline's; sent_s + latency_s is
    # the arrival, the last one is time_s
    notes: tuple[str, ...] = ()
    spreading: Spreading | None = None
    are_peaks_known: bool = True
    """False where flows are not followed one by one at every moment: then peaks are estimates."""
    imbalance: Imbalance | None = None
    """Of uplinks, where chance places flows or pieces of them."""


def phase_result_of(
    network: Network,
    phase: Phase,
    scenario: Scenario,
    capacity: NDArray[np.float64],
    progress: Progress,
    *,
    brief: bool = False,
) -> PhaseResult:
    """The course of a phase; `capacity` (n_arcs,) is payload in bytes/s.

    `brief` is for runs of which only the time, the bytes and the fullest link are asked: these are exact then too.
    """
    traffic, policy = phase.traffic, policy_named(scenario.routing)
    by_dimension = policy.prepared is dimension_order.prepared
    alike = scenario.congestion == "none" and scenario.planes == BY_ROUTING
    if isinstance(traffic, AllPairs) and by_dimension and alike:
        by_symmetry = uniform_torus.run(
            network, traffic.members, traffic.pair_bytes, capacity, tolerance=_tolerance(scenario), progress=progress
        )
        if by_symmetry is not None:
            return _of_kinds(network, traffic, scenario, capacity, by_symmetry)
    network = prepared(network.graph, scenario)
    if isinstance(traffic, Flows):
        return _followed(network, traffic, scenario, capacity, progress, phase)
    if scenario.congestion != "none":
        return _followed(network, _all_written_out(traffic), scenario, capacity, progress)
    few = len(traffic) <= (MOST_WIDE if policy.wide else MOST_FOLLOWED if policy.takes_tables else 0)
    if policy.uniform is not None and not few and uniform.applies(network, traffic.members):
        return _uniform(network, traffic, scenario, policy.uniform, capacity, progress, brief)
    if len(traffic) <= (MOST_WIDE if policy.wide else MOST_FOLLOWED):
        return _followed(network, written_out(traffic, 0, len(traffic.members)), scenario, capacity, progress)
    if policy.uniform == SPRAYED and scenario.planes in (BY_ROUTING, SPLIT):
        by_planes = uniform_planes.run(network, traffic.members, traffic.pair_bytes, capacity)
        if by_planes is not None and (by_planes.known or len(traffic) > MOST_AT_ONCE):
            return _of_kinds(network, traffic, scenario, capacity, by_planes)
    return _counted(network, traffic, scenario, capacity, progress)


def _all_written_out(traffic: AllPairs) -> Flows:
    """The flows of an all-to-all whose pauses are to be followed. Raises ParameterError where they are too many."""
    if len(traffic) > MOST_FOLLOWED:
        raise ParameterError(
            f"spreading congestion is followed flow by flow, for up to {format_count(MOST_FOLLOWED)} flows; these "
            f"ranks send {format_count(len(traffic))}: choose fewer"
        )
    return written_out(traffic, 0, len(traffic.members))


def _tolerance(scenario: Scenario) -> float:
    return fluid.EXACT if scenario.exact else MERGED


def _followed(
    network: Network,
    sent: Flows,
    scenario: Scenario,
    capacity: NDArray[np.float64],
    progress: Progress,
    phase: Phase | None = None,
) -> PhaseResult:
    require_room(network, sent, _router(scenario), scenario)
    paths = _route(network, sent, scenario)
    progress(0.2)

    def followed(share: float) -> None:
        progress(0.2 + 0.7 * share)

    spread_map, tolerance = None, _tolerance(scenario)
    averaged = scenario.congestion == "none" and fluid.is_averaged(len(sent), tolerance)
    if scenario.congestion == "none":
        phase_result = fluid.run(
            paths.start, paths.arcs, paths.weights, capacity, sent.size_bytes, tolerance=tolerance, progress=followed
        )
    else:
        phase_result, spread_map = spreading.run(
            network.graph, paths, sent, capacity, tolerance=tolerance, progress=followed
        )
    latency_s = paths.latency_ns * SECONDS_PER_NS if scenario.latency else np.zeros(len(sent))
    if phase is not None:
        latency_s = phase.step_latency_s(latency_s)
    arrival = phase_result.finish_s + latency_s
    _require_finite(network, sent, arrival)
    peak = np.where(paths.bytes_on > 0, phase_result.peak[paths.stands_for], 0.0)
    spread = Spread(np.ones(len(sent), dtype=np.int64), phase_result.first_rate, phase_result.finish_s)
    pressure = by_flows(network.graph, paths, phase_result, capacity)
    return PhaseResult(
        float(arrival.max(initial=0.0)),
        paths.bytes_on,
        peak,
        spread,
        pressure,
        phase_result.n_solves,
        phase_result.finish_s,
        latency_s,
        _averaged(len(sent)) if averaged else _cut_short(spread_map, phase_result),
        spread_map,
        are_peaks_known=not averaged,
        imbalance=imbalance.of_paths(network, policy_named(scenario.routing), paths, sent.size_bytes),
    )


def _uniform(
    network: Network,
    traffic: AllPairs,
    scenario: Scenario,
    way: Uniform,
    capacity: NDArray[np.float64],
    progress: Progress,
    brief: bool,
) -> PhaseResult:
    phase_result = uniform.run(
        network,
        traffic.members,
        traffic.pair_bytes,
        way,
        capacity,
        tolerance=_tolerance(scenario),
        progress=progress,
        brief=brief,
    )
    return _of_kinds(network, traffic, scenario, capacity, phase_result, brief=brief)


def _of_kinds(
    network: Network,
    traffic: AllPairs,
    scenario: Scenario,
    capacity: NDArray[np.float64],
    phase_result: UniformPhaseResult,
    *,
    brief: bool = False,
) -> PhaseResult:
    latency_s = phase_result.latency_ns * SECONDS_PER_NS if scenario.latency else 0.0
    notes: tuple[str, ...] = (
        ()
        if phase_result.known
        else (
            "too irregular to follow every flow: time, bytes and mean loads are exact, "
            "peaks and mean rates lower bounds",
        )
    )
    if not phase_result.known and policy_named(scenario.routing).by_load:
        notes += (
            f"one share of detours for all pairs, the one that loads links least: chosen pair by pair, as up to "
            f"{format_count(MOST_WIDE)} flows are, it might end sooner",
        )
    return PhaseResult(
        phase_result.end_s + latency_s,
        phase_result.flows_on * traffic.pair_bytes,
        phase_result.peak,
        Spread(phase_result.counts, phase_result.first_rate, phase_result.finish_s),
        by_loads(
            network, traffic.members, phase_result.flows_on, phase_result.peak, capacity, scenario.routing, brief=brief
        ),
        phase_result.n_solves,
        np.array([phase_result.end_s]),
        np.array([latency_s]),
        notes,
        are_peaks_known=phase_result.known,
    )


def _counted(
    network: Network, traffic: AllPairs, scenario: Scenario, capacity: NDArray[np.float64], progress: Progress
) -> PhaseResult:
    """An all-to-all of too many flows to follow each: all routed, and the last end by the most loaded arc.

    That end is exact, see simulation.uniform. Rates at the start are solved while the flows fit into one go.
    """
    n = len(traffic.members)
    # Of a pattern the flows' rates are reported, so they are written out while they fit; of a collective its links.
    in_place = scenario.collective is not None or len(traffic) > MOST_AT_ONCE
    policy = policy_named(scenario.routing)
    if policy.pieces is not None and uniform.applies(network, traffic.members):
        return _in_pieces(network, traffic, scenario, policy.pieces, capacity, progress)
    in_place &= network.switching.hashes_ideally  # else flow by flow
    if policy.by_hash and in_place and uniform.applies(network, traffic.members):
        return _hashed(network, traffic, scenario, capacity, progress)
    step = _members_at_once(network, traffic, scenario)
    bytes_on, latency_ns = np.zeros(network.graph.n_arcs), 0.0
    spread: Spread | None = None
    peak = np.zeros(network.graph.n_arcs)
    for first in range(0, n, step):
        sent = written_out(traffic, first, min(n, first + step))
        paths = _route(network, sent, scenario)
        bytes_on += paths.bytes_on
        latency_ns = max(latency_ns, float(paths.latency_ns.max()))
        progress(0.8 * min(n, first + step) / n)
        if step >= n:
            phase_result = fluid.run(paths.start, paths.arcs, paths.weights, capacity, sent.size_bytes, only_rates=True)
            peak = np.where(bytes_on > 0, phase_result.peak[paths.stands_for], 0.0)
            spread = Spread(np.ones(len(sent), dtype=np.int64), phase_result.first_rate, phase_result.finish_s)
    end_s = float((bytes_on / capacity).max())
    notes = (
        f"the ends of {format_count(len(traffic))} unlike flows are not followed one by one: time, bytes and mean "
        f"loads are exact, peak loads are " + ("those at the start" if spread is not None else "lower bounds"),
    )
    if spread is None:
        return _by_busiest(network, traffic, scenario, capacity, bytes_on, latency_ns, notes)
    latency_s = latency_ns * SECONDS_PER_NS if scenario.latency else 0.0
    pressure = by_loads(network, traffic.members, bytes_on / traffic.pair_bytes, peak, capacity, scenario.routing)
    return PhaseResult(
        end_s + latency_s, bytes_on, peak, spread, pressure, 1, np.array([end_s]), np.array([latency_s]), notes
    )


def _members_at_once(network: Network, traffic: AllPairs, scenario: Scenario) -> int:
    """How many members' flows are routed in one go: all of them where they fit, else so many as leave room.

    Raises ParameterError where not even one member's fit.
    """
    n = len(traffic.members)
    most = max(1, min(n, (MOST_WIDE if policy_named(scenario.routing).wide else MOST_AT_ONCE) // n))
    one = written_out(traffic, n // 2, n // 2 + 1)
    require_room(network, one, _router(scenario), scenario)
    per_member = bytes_needed(network, one, _router(scenario), replace(scenario, memory_limit_bytes=1.0))
    if most * per_member <= scenario.memory_limit_bytes and most == n:
        return n
    return max(1, min(most, int(min(scenario.memory_limit_bytes, PIECE_BYTES) / per_member)))


def _hashed(
    network: Network, traffic: AllPairs, scenario: Scenario, capacity: NDArray[np.float64], progress: Progress
) -> PhaseResult:
    """An all-to-all under `ecmp` whose flows are counted on every arc, not written out."""
    flows_on, latency_ns = uniform.hashed_loads(network, traffic.members, scenario.seed, progress)
    count = format_count(len(traffic))
    if hashed.is_exact(len(traffic.members)):
        note = f"{count} flows hashed one by one: time, bytes and mean loads are exact, peak loads are lower bounds"
    else:
        note = (
            f"of {count} flows, how many take each port is drawn for all flows from a switch to a leaf at once, with "
            f"the odds of hashing each: another seed gives somewhat other loads; peak loads are lower bounds"
        )
    return _by_busiest(network, traffic, scenario, capacity, flows_on * traffic.pair_bytes, latency_ns, (note,))


def _in_pieces(
    network: Network,
    traffic: AllPairs,
    scenario: Scenario,
    pieces: Pieces,
    capacity: NDArray[np.float64],
    progress: Progress,
) -> PhaseResult:
    """An all-to-all whose pieces are counted on every arc."""
    n_pieces = float(pieces.count(network.switching, np.array([traffic.pair_bytes]))[0])
    flows_on, latency_ns = uniform.hashed_loads(network, traffic.members, scenario.seed, progress, n_pieces)
    note = (
        f"how many {pieces.noun}s of {format_count(len(traffic))} flows take each port is drawn for all flows from a "
        f"switch to a leaf at once; peak loads are lower bounds"
    )
    return _by_busiest(
        network, traffic, scenario, capacity, flows_on * traffic.pair_bytes, latency_ns, (note,), n_pieces
    )


def _by_busiest(
    network: Network,
    traffic: AllPairs,
    scenario: Scenario,
    capacity: NDArray[np.float64],
    bytes_on: NDArray[np.float64],
    latency_ns: float,
    notes: tuple[str, ...],
    n_pieces: float = 1.0,
) -> PhaseResult:
    """The course of flows whose single rates are not known: the busiest arc is full till the end."""
    end_s = float((bytes_on / capacity).max())
    spread = Spread(np.array([len(traffic)]), np.array([traffic.pair_bytes / end_s]), np.array([end_s]))
    peak = bytes_on / capacity / end_s
    latency_s = latency_ns * SECONDS_PER_NS if scenario.latency else 0.0
    pressure = by_loads(network, traffic.members, bytes_on / traffic.pair_bytes, peak, capacity, scenario.routing)
    return PhaseResult(
        end_s + latency_s,
        bytes_on,
        peak,
        spread,
        pressure,
        1,
        np.array([end_s]),
        np.array([latency_s]),
        notes,
        are_peaks_known=False,
        imbalance=imbalance.of_equal_pieces(
            network,
            policy_named(scenario.routing),
            bytes_on,
            traffic.pair_bytes / n_pieces / network.switching.queue_pairs,
        ),
    )


def _cut_short(spread_map: Spreading | None, phase_result: fluid.PhaseResult) -> tuple[str, ...]:
    if spread_map is None or phase_result.n_solves < spreading.MOST_SOLVES:
        return ()
    return (
        f"pauses were updated {phase_result.n_solves} times, the limit; flows that were still running kept their rates",
    )


def _averaged(n_flows: int) -> tuple[str, ...]:
    longest = f"{windows.LONGEST * MERGED:.0%}".replace("%", " %")
    return (
        f"of {format_count(n_flows)} flows all but {format_count(fluid.FEW_LEFT)} are followed on average over windows "
        f"of up to {longest} of the time since the start: nine in ten ends are right to about 0.1 %, peak loads are "
        f"those of the averages; --exact follows every end",
    )


def _router(scenario: Scenario) -> Route:
    policy = policy_named(scenario.routing)
    return policy.route if scenario.congestion == "none" else policy.in_full or policy.route


def _route(network: Network, sent: Flows, scenario: Scenario) -> Paths:
    return _router(scenario)(network, sent.src, sent.dst, sent.size_bytes, sent.channel, scenario.seed)


def written_out(traffic: AllPairs, first: int, last: int) -> Flows:
    """The flows from the members numbered first to last - 1."""
    members = traffic.members
    src, dst = np.repeat(members[first:last], len(members)), np.tile(members, last - first)
    differs = src != dst
    return flows(src[differs], dst[differs], traffic.pair_bytes)


def _require_finite(network: Network, sent: Flows, arrival: NDArray[np.float64]) -> None:
    stuck = np.flatnonzero(~np.isfinite(arrival))
    if len(stuck):
        graph, flow = network.graph, stuck[0]
        names = graph.vertex_name(int(sent.src[flow])), graph.vertex_name(int(sent.dst[flow]))
        raise GraphError(f"{names[0]} cannot send to {names[1]}: a link on the path has no capacity")
