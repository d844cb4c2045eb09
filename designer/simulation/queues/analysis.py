"""Queues of a scenario on a graph: its bottlenecks found, each integrated by itself."""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from designer.graph.arrays import Graph
from designer.graph.building.delays import UNKNOWN_LENGTH
from designer.model.design import Design
from designer.routing.network import network
from designer.simulation.designs import graph_for
from designer.simulation.engine import plan_of
from designer.simulation.explain.victims import PlaceNames
from designer.simulation.payload_rate import payload_rate
from designer.simulation.prepared import prepared
from designer.simulation.queues.crossings import (
    Crossing,
    RoutedPhase,
    crossing,
    routed_phase,
    without_infiniband,
    worst_first,
)
from designer.simulation.queues.fixed_point import fixed_point
from designer.simulation.queues.fluid import Course, control, integrated, step_of, without_pauses
from designer.simulation.queues.fluid_kernels import Control, Ports
from designer.simulation.queues.headroom import Headroom, dynamic_xoff_bytes, headroom
from designer.simulation.queues.ideal import fair_rates, ideal_ends_s, percentile
from designer.simulation.queues.parameters import Dcqcn, Pfc, Thresholds, pfc, set_named
from designer.simulation.queues.records import Bottleneck, PausedPort, Queues, format_bytes
from designer.simulation.queues.request import QueueSettings
from designer.simulation.queues.stability import phase_margin_deg
from designer.simulation.scenario import Scenario
from designer.simulation.traffic.ranks import participants
from designer.units import BYTES_PER_S_PER_GBPS, format_capacity, format_length

Progress = Callable[[float], None]
Floats = NDArray[np.float64]

MBPS_PER_GBPS = 1e3
MOST_WORK = 2e7
"""Steps times classes and ports that one bottleneck may take: some seconds."""
LONGER = 4.0
"""How many times as long as the ideal ends a bottleneck is looked at."""
SETTLING_S = 0.1
"""At least so long, where affordable: DCQCN takes tens of milliseconds to settle."""
EACH_ALONE = (
    "each bottleneck by itself: its flows start together, at what their NICs send and full links before it let through"
)
NOT_COUNTED = "not counted: time of NICs between a mark and a slower rate, circuits and cells of the switch in headroom"


@dataclass(frozen=True, slots=True, eq=False)
class _Room:
    """What PFC has at one bottleneck; infinite Xoff where it is unknown."""

    ports: Ports
    xoff_bytes: float | None
    headroom_bytes: float | None


def queues_of_design(
    design: Design, scenario: Scenario, settings: QueueSettings, progress: Progress | None = None
) -> Queues:
    """The queues of a scenario on the design's fabric. Raises what `graph_for` and `queues` raise."""
    graph, scenario = graph_for(design, scenario)
    return queues(design, graph, scenario, settings, progress)


def queues(
    design: Design, graph: Graph, scenario: Scenario, settings: QueueSettings, progress: Progress | None = None
) -> Queues:
    """The bottlenecks of the scenario on a graph of the design, each with its course.

    `progress` may raise Cancelled. Raises ParameterError for InfiniBand, and for more flows than can be followed.
    """
    began = time.perf_counter()
    report = progress if progress is not None else _ignore
    net = prepared(graph, scenario)
    plan = plan_of(network(graph), scenario, participants(network(graph), scenario))
    capacity = payload_rate(graph, scenario.efficiency).capacity
    routed = []
    for number, phase in enumerate(plan.phases):
        if not phase.is_fill:
            routed.append(routed_phase(net, scenario, phase, capacity))
        report(0.3 * (number + 1) / len(plan.phases))
    found = list(worst_first(routed, graph))
    arcs = without_infiniband(graph, np.array([arc for _number, arc in found], dtype=np.int64))
    found = [(number, arc) for number, arc in found if arc in set(arcs.tolist())]
    work = _Work(design, graph, routed, settings)
    rows = []
    for done, (number, arc) in enumerate(found[: settings.top]):
        rows.append(work.bottleneck(number, arc))
        report(0.3 + 0.7 * (done + 1) / min(len(found), settings.top))
    report(1.0)
    return Queues(
        scenario.summary,
        work.parameters.name,
        work.parameters.source,
        len(found),
        tuple(rows),
        tuple(work.notes()) if rows else (),
        time.perf_counter() - began,
    )


def _ignore(_share: float) -> None:
    pass


class _Work:
    """Computes bottlenecks; those that are alike in all figures once."""

    def __init__(self, design: Design, graph: Graph, routed: list[RoutedPhase], settings: QueueSettings) -> None:
        self._design, self._graph, self._routed, self._settings = design, graph, routed, settings
        self.parameters: Dcqcn = set_named(settings.parameters)
        own = settings.rate_ai_gbps
        self._constants = self.parameters if own is None else replace(self.parameters, rate_ai_mbps=own * MBPS_PER_GBPS)
        self._pfc: Pfc = pfc()
        self._names = PlaceNames(graph)
        self._courses: dict[bytes, tuple[Course, Floats]] = {}
        self._lengths = [design.links[link_id].length_m for link_id in graph.link_ids]
        self._stated_at: set[tuple[float, float]] = set()
        self._without_response: set[float] = set()
        self._assumes_length = self._assumes_buffer = self._too_small = False

    def bottleneck(self, number: int, arc: int) -> Bottleneck:
        """The row of an arc in a phase."""
        graph, routed = self._graph, self._routed[number]
        met = crossing(graph, routed, arc)
        rate_gbps, capacity = float(graph.capacity_gbps[arc]), float(routed.capacity[arc])
        marking = self._thresholds(rate_gbps)
        constants = control(self._constants, marking)
        room = self._room(arc, met)
        feedback_s = 2 * met.latency_s if self._settings.feedback_s is None else self._settings.feedback_s
        ideal_s = ideal_ends_s(met.senders, capacity)
        course = self._course(constants, met, room, capacity, feedback_s, float(ideal_s.max()))
        fair = fair_rates(met.senders.cap, met.senders.alike, capacity)
        equal = float(fair.max()) if len(fair) else 0.0
        rest = fixed_point(constants, capacity, capacity / equal)
        ends_s, counts = course.trace.finish_s, met.senders.alike
        p99_s, last_s = percentile(ends_s, counts, 0.99), float(ends_s.max())
        return Bottleneck(
            place=self._names.place(arc),
            phase=routed.phase.name,
            flows=met.n_flows,
            demand=float(routed.demand[arc]),
            capacity_gbps=capacity / BYTES_PER_S_PER_GBPS,
            fair_rate_gbps=equal / BYTES_PER_S_PER_GBPS,
            feedback_s=feedback_s,
            k_min_bytes=marking.k_min_bytes,
            k_max_bytes=marking.k_max_bytes,
            p_max=marking.p_max,
            xoff_bytes=room.xoff_bytes,
            headroom_bytes=room.headroom_bytes,
            stable_queue_bytes=None if rest.is_above(constants) else rest.queue_bytes,
            phase_margin_deg=phase_margin_deg(constants, capacity, capacity / equal, feedback_s),
            **_figures(course, capacity),
            ideal_p99_s=percentile(ideal_s, counts, 0.99),
            ideal_last_s=float(ideal_s.max()),
            p99_s=p99_s if math.isfinite(p99_s) else None,
            last_s=last_s if math.isfinite(last_s) else None,
            looked_at_s=course.end_s,
            paused=self._paused(met, course),
            course=course,
        )

    def _thresholds(self, rate_gbps: float) -> Thresholds:
        given, stated = self._settings, self.parameters.thresholds_at(rate_gbps)
        own = {
            name: value
            for name in ("k_min_bytes", "k_max_bytes", "p_max")
            if (value := getattr(given, name)) is not None
        }
        if stated.rate_gbps != rate_gbps and len(own) < 3:
            self._stated_at.add((rate_gbps, stated.rate_gbps))
        found = replace(stated, **own)
        if found.k_max_bytes <= found.k_min_bytes:
            found = replace(found, k_max_bytes=found.k_min_bytes * stated.k_max_bytes / stated.k_min_bytes)
        return found

    def _room(self, arc: int, met: Crossing) -> _Room:
        given = self._settings
        capacity = np.array([float(self._routed[0].capacity[one]) for one in met.ports]) * met.n_parallel.astype(
            np.float64
        )
        needs = [self._headroom(int(one)) for one in met.ports]
        if any(one is None for one in needs):
            return _Room(without_pauses(len(needs)), None, None)
        known = [one for one in needs if one is not None]
        extra = np.array([one.bytes if given.headroom_bytes is None else given.headroom_bytes for one in known])
        xoff = self._xoff(arc, float(extra.max()), int(met.n_parallel.sum()))
        xon = max(0.5 * xoff, xoff - self._pfc.resume_bytes)
        # Parallel ports carry equal parts, so they ask together.
        together = met.n_parallel.astype(np.float64)
        held, asks, resumes = (np.asarray(one * together, dtype=np.float64) for one in (xoff + extra, xoff, xon))
        delay_s = np.array([one.delay_s for one in known])
        upstream = np.asarray(asks * met.n_feeding, dtype=np.float64)
        room = Ports(capacity, delay_s, held, upstream, asks, resumes)
        return _Room(room, xoff, float(extra.max()))

    def _headroom(self, arc: int) -> Headroom | None:
        graph, given = self._graph, self._settings
        length_m = self._lengths[int(graph.link[arc])]
        if length_m is None:
            length_m = self._design.settings.default_cable_length_m
        if length_m is None:
            length_m, self._assumes_length = UNKNOWN_LENGTH.figure.value, True
        rate_gbps = float(graph.capacity_gbps[arc])
        found = headroom(self._pfc, rate_gbps, length_m, given.frame_bytes, given.response_s)
        if found is None:
            self._without_response.add(rate_gbps)
        return found

    def _xoff(self, arc: int, extra_bytes: float, n_ports: int) -> float:
        given, graph = self._settings, self._graph
        if given.xoff_bytes is not None:
            return given.xoff_bytes
        switch = graph.source[arc]
        n_links = int(np.count_nonzero((graph.target == switch) & (graph.link >= 0)))
        buffer_bytes = self._pfc.buffer_bytes if given.buffer_bytes is None else given.buffer_bytes
        self._assumes_buffer |= given.buffer_bytes is None
        shared = buffer_bytes - n_links * extra_bytes
        if shared <= 0:
            self._too_small = True
            shared = 0.1 * buffer_bytes
        return dynamic_xoff_bytes(shared, self._pfc.alpha, n_ports)

    def _course(
        self, constants: Control, met: Crossing, room: _Room, capacity: float, feedback_s: float, ideal_s: float
    ) -> Course:
        size = len(met.senders.port) + len(met.ports)
        most_s = MOST_WORK / size * step_of(constants, feedback_s)
        wanted_s = self._settings.duration_s
        duration_s = min(most_s, max(SETTLING_S, LONGER * ideal_s)) if wanted_s is None else min(wanted_s, 20 * most_s)
        parts = [*map(np.asarray, (*met.senders, *room.ports, constants, capacity, feedback_s, duration_s))]
        key = b"".join(part.tobytes() + bytes([len(part.shape)]) for part in parts)
        if key not in self._courses:
            course = integrated(constants, met.senders, room.ports, capacity, feedback_s, duration_s)
            self._courses[key] = course, course.trace.finish_s
        return self._courses[key][0]

    def _paused(self, met: Crossing, course: Course) -> tuple[PausedPort, ...]:
        trace = course.trace
        order = np.lexsort((met.ports, -np.round(trace.paused_s, 12)))
        return tuple(
            PausedPort(
                self._names.place(int(met.ports[at])),
                int(trace.pauses[at]),
                float(trace.paused_s[at]),
                float(trace.sources_paused_s[at]),
            )
            for at in order.tolist()
            if trace.pauses[at]
        )

    def notes(self) -> list[str]:
        """What was assumed, each in a sentence with the way to set it."""
        known, given = self._pfc, self._settings
        found = [EACH_ALONE, NOT_COUNTED]
        for rate, stated in sorted(self._stated_at):
            found.append(
                f"no thresholds are stated for {format_capacity(rate)} ports: those for {format_capacity(stated)} are "
                f"taken; set Kmin, Kmax and Pmax"
            )
        if self._assumes_buffer:
            found.append(
                f"no source states the switches' buffer: {format_bytes(known.buffer_bytes)} are assumed "
                f"({known.buffer_source}), with Xoff by a dynamic threshold of {known.alpha:g} ({known.alpha_source}); "
                f"set Buffer or Xoff"
            )
        if self._too_small:
            found.append("the buffer is smaller than the headroom of all ports: a tenth of it is shared here")
        for rate in sorted(self._without_response):
            found.append(
                f"no source states how long a {format_capacity(rate)} port may go on after a pause frame, so pauses "
                f"are left out: set the response time"
            )
        if self._assumes_length:
            figure = UNKNOWN_LENGTH.figure
            found.append(f"cables without a length count {format_length(figure.value)} ({figure.source})")
        if given.response_s is None and not self._without_response:
            found.append(f"response time: {known.pause_source}")
        return found


def _figures(course: Course, capacity: float) -> dict[str, Any]:
    trace, n = course.trace, course.n
    middle = (trace.queue_low[:n] + trace.queue_high[:n]) / 2
    return {
        "mean_queue_bytes": float(middle.mean()) if n else 0.0,
        "peak_queue_bytes": float(trace.totals[4]),
        "peak_upstream_bytes": float(trace.totals[6]),
        "marked": float(trace.marked[:n].mean()) if n else 0.0,
        "used": float(trace.totals[1]) / (capacity * course.end_s),
        "pauses": int(trace.pauses.sum()),
        "paused_s": float(trace.paused_s.max(initial=0.0)),
        "paused_ports": int(np.count_nonzero(trace.pauses)),
        "ports": len(trace.pauses),
        "lost_bytes": float(trace.totals[2]),
    }
