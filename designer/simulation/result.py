"""What a simulation found: times, bandwidths, loads of every arc, and what holds the traffic back."""

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from designer.graph.arrays import Graph
from designer.graph.class_figures import figures_text
from designer.graph.link_loads import LinkLoads
from designer.simulation.explain.imbalance import Imbalance
from designer.simulation.explain.pressure import CONGESTED_FROM
from designer.simulation.explain.victims import Congestion
from designer.simulation.failures.borrowed_nics import notice
from designer.simulation.flows.relays import Relays
from designer.simulation.models import SimulationModel
from designer.simulation.start_up import start_note
from designer.simulation.traffic.ranks import left_out_note
from designer.simulation.traffic.who_sends import WhoSends
from designer.tables.columns import ARROW, Column, Columns, keys, percent, record
from designer.units import (
    format_capacity,
    format_carried,
    format_count,
    format_counted,
    format_size,
    format_time,
    some_of,
)

HANGS_FROM = 0.01
"""The share of latency in a time from which on comparisons say that it depends on what was assumed."""

MOST_FROM = 0.5
"""The share of latency in a time from which on latency, not a link, sets the pace."""

AT_PACE = 0.99
"""Of the mean load of congested links: what has less waits for them."""


@dataclass(frozen=True, slots=True)
class Bottleneck:
    """An arc that decides how long the traffic takes. `utilization` is its peak; `link_id` None inside a server."""

    source: str
    target: str
    port: str
    target_port: str
    link_id: str | None
    utilization: float
    flows: int
    why: str
    alike: int = 1
    """How many arcs, this one among them, hold the traffic back just so; the result has a few of them."""

    COLUMNS: ClassVar = keys("from=source to=target port utilization flows why")


@dataclass(frozen=True, slots=True)
class PhaseTime:
    """A phase runs `repeat` times, each taking `time_s`; it begins `start_s` after the traffic does."""

    name: str
    repeat: int
    time_s: float
    start_s: float

    COLUMNS: ClassVar = (
        Column("name", "Phase"),
        Column("repeat", "Times", right=True),
        Column("time_s", "Each", text=format_time, unit="s", right=True),
        Column("total_s", "Together", text=format_time, unit="s", right=True, is_json=False),
    )

    @property
    def total_s(self) -> float:
        """Of all its repeats."""
        return self.repeat * self.time_s


@dataclass(frozen=True, slots=True)
class FlowFigures:
    """Rates at the start, in Gb/s of payload, and ends of a pattern's flows; None where nothing limits a flow."""

    count: int
    rate_min_gbps: float | None
    rate_mean_gbps: float | None
    rate_max_gbps: float | None
    first_finish_s: float
    mean_finish_s: float
    who_sends: WhoSends = field(default=WhoSends(0, 0))

    COLUMNS: ClassVar = keys(
        "count rate_min_gbps rate_mean_gbps rate_max_gbps first_finish_s mean_finish_s inside_servers=who_sends.inside "
        "receiver=who_sends.receiver? senders=who_sends.senders?"
    )


@dataclass(frozen=True, slots=True)
class LoadedLink:
    """One direction of a link and what it carries in the whole run. Utilization is a share of its payload rate."""

    source: str
    source_port: str
    target: str
    target_port: str
    capacity_gbps: float
    bytes: float
    utilization_mean: float
    utilization_peak: float

    COLUMNS: ClassVar[Columns] = (
        Column("end", "From", lambda row: f"{row.source} {row.source_port}", is_json=False),
        ARROW,
        Column("far_end", "To", lambda row: f"{row.target} {row.target_port}", is_json=False),
        *keys("from=source from_port=source_port to=target to_port=target_port"),
        Column("capacity_gbps", "Capacity", text=format_capacity, right=True),
        Column("bytes", "Bytes", text=format_carried, right=True),
        Column("utilization_mean", "Mean", text=percent, right=True),
        Column("utilization_peak", "Peak", text=percent, right=True),
    )


@dataclass(frozen=True, slots=True, eq=False)
class Result:
    """The outcome of a scenario on a graph. Utilization is a share of what an arc carries of payload.

    `size_bytes` is the buffer of a collective as nccl-tests counts it, or the bytes of each flow of a pattern; `algbw`
    is size over time, `busbw` that times the collective's factor, None for patterns.
    """

    model: SimulationModel
    ranks: int
    size_bytes: float
    time_s: float
    algbw_gbytes_per_s: float | None
    busbw_gbytes_per_s: float | None
    bottlenecks: tuple[Bottleneck, ...]
    phases: tuple[PhaseTime, ...]
    latency_s: float
    """What of the time is latency: what is left of it when the bytes vanish."""
    flows: FlowFigures | None
    wall_s: float
    congestion: Congestion | None = field(default=None, kw_only=True)
    """Where congestion spreads: that of the longest phase that has any, or else of the first."""
    are_peaks_known: bool = field(default=True, kw_only=True)
    """False where peaks are lower bounds, about the mean loads, as the notes of the model say."""
    relays: Relays | None = field(default=None, kw_only=True)
    """Flows that no path over the fabric can take as a whole."""
    imbalance: Imbalance | None = field(default=None, kw_only=True)
    """Of the uplinks of switches in the phase that takes longest, where chance places flows or pieces of them."""
    graph: Graph = field(repr=False)
    bytes: NDArray[np.float64] = field(repr=False)  # (n_arcs,) over the whole run
    utilization_mean: NDArray[np.float64] = field(repr=False)  # (n_arcs,)
    utilization_peak: NDArray[np.float64] = field(repr=False)  # (n_arcs,)
    demand: NDArray[np.float64] = field(repr=False)
    """(n_arcs,) what its flows, each as fast as its sender's NIC lets it, would bring, as a share of what it carries.

    Of several phases the most.
    """
    phase_peaks: tuple[NDArray[np.float32], ...] = field(repr=False, default=())
    """(n_arcs,) peak utilization in each phase; empty where there are too many to keep."""
    phase_congested: tuple[NDArray[np.bool_], ...] = field(repr=False, default=())
    """(n_arcs,) `congested` of each phase; kept with `phase_peaks`."""

    COLUMNS: ClassVar = keys(
        "model ranks size_bytes time_s latency_s algbw_gbytes_per_s busbw_gbytes_per_s bottlenecks links=hottest_links "
        "phases wall_s time_note? notices? imbalance? congestion? flows?"
    )

    @property
    def run_text(self) -> str:
        """What was run, as every place that states its time does: "all-reduce, ring · spray, 1 GiB, 1,016 ranks"."""
        model = self.model
        return (
            f"{model.traffic} · {model.routing}, {format_size(self.size_bytes)}, {format_counted(self.ranks, 'rank')}"
        )

    @property
    def outcome_texts(self) -> tuple[str, ...]:
        """What came of it, in words, the longest text first: "57.19 ms, 138 GB/s busbw; failed: spine-01"."""
        figures = format_time(self.time_s)
        if self.busbw_gbytes_per_s is not None:
            figures += f", {self.busbw_gbytes_per_s:.4g} GB/s busbw"
        failed = self.model.failed
        if not failed:
            return (figures,)
        counted = f"{figures}; {format_count(len(failed))} failed"
        return f"{figures}; failed: {some_of(failed)}", f"{figures}; failed: {some_of(failed, 1)}", counted

    @property
    def notices(self) -> tuple[str, ...]:
        """What a reader of the times has to know of the fabric, in sentences without a full stop."""
        bare = self.model.gpus_without_nic
        apart = self.model.servers_left_out
        stated = (
            self.graph.plane_note,
            self.model.lost_note or "",
            self.relays.sentence if self.relays is not None else "",
            left_out_note(apart) if apart else "",
            notice(bare.count, bare.leave_over) if bare is not None else "",
        )
        return tuple(one for one in stated if one)

    @property
    def time_note(self) -> str:
        """That the start-up of a collective, which is not counted, would dominate; "" where it would not."""
        is_ideal = self.busbw_gbytes_per_s is not None and self.model.protocol is None
        return start_note(self.time_s) if is_ideal else ""

    @property
    def imbalance_note(self) -> str:
        """How uneven the uplinks of switches are, measured and expected, without a full stop; "" where it is exact."""
        return self.imbalance.sentence if self.imbalance is not None else ""

    @property
    def choice_note(self) -> str:
        """What a library chose and why, without a full stop; "" under the ideal model."""
        model = self.model
        if model.protocol is None:
            return ""
        return f"{model.algorithm} {model.protocol} on {model.channels} channels: {model.chosen_because}"

    @property
    def unstated_note(self) -> str:
        """What the design does not state and a library would ask, without a full stop; "" where there is nothing."""
        return self.model.unstated_note

    @property
    def assumed_note(self) -> str:
        """How much of the time depends on assumed latencies, for those who compare times; "" below 1 %."""
        is_assumed = self.model.assumed_latencies is not None and self.model.protocol is None
        return self.latency_note if is_assumed else ""

    @property
    def latency_note(self) -> str:
        """What share of the time is latency, and whether that is assumed; "" below 1 %."""
        if self.time_s <= 0 or self.latency_s < HANGS_FROM * self.time_s:
            return ""
        part = f"{f'{self.latency_s / self.time_s:.0%}'.replace('%', ' %')} of {format_time(self.time_s)}."
        if self.model.protocol is not None:
            return f"Start-up, hops and chunks are {part}"
        share = f"latency is {part}"
        if self.model.assumed_latencies is None:
            return share.capitalize()
        return f"Depends on assumed latencies ({figures_text(self.graph.unknown)}): {share}"

    @property
    def is_latency_bound(self) -> bool:
        """Whether latency is most of the time."""
        return is_mostly_latency(self.latency_s, self.time_s)

    def link_utilization(self) -> LinkLoads:
        """Peak utilization from end a to end b and back, by link id; failed and ignored links are not in it."""
        return self.by_link(self.utilization_peak)

    @property
    def congested(self) -> NDArray[np.bool_]:
        """(n_arcs,) arcs whose flows would bring over 1 % more than the arc carries."""
        return np.asarray(self.demand > CONGESTED_FROM)

    @property
    def full_at_times(self) -> NDArray[np.bool_]:
        """(n_arcs,) arcs that no flow waits for and whose senders wait for congested links: mean loads show it.

        A sender of one flow waits for nobody: it ends when its flow does.
        """
        waits_for_all = self.flows is None or self.flows.count > self.ranks
        congested = self.congested & (self.graph.link >= 0)
        if not waits_for_all or not congested.any():
            return np.zeros_like(congested)
        pace = self.utilization_mean[congested].max()
        return np.asarray(~self.congested & (self.utilization_mean < AT_PACE * pace))

    def congested_links(self) -> LinkLoads:
        """Why directions of links are full, for those of `link_utilization`: the demand where flows wait for them.

        The mean load with a minus where they are `full_at_times` at most; 0 where NICs at line rate set the pace.
        """
        why = np.where(self.full_at_times, -self.utilization_mean, 0.0)
        return self.by_link(np.where(self.congested, self.demand, why))

    def by_link(self, values: NDArray[np.floating]) -> LinkLoads:
        """Values of arcs by link id: from end a to end b, and back."""
        return utilization_by_link(self.graph, values)

    def links(self, top: int | None = 20) -> list[LoadedLink]:
        """The links, one for each direction, hottest first: by peak, then by bytes; None for all of them."""
        graph = self.graph
        arcs = np.flatnonzero(graph.link >= 0)
        order = np.lexsort((arcs, -self.bytes[arcs], -np.round(self.utilization_peak[arcs], 9)))
        chosen = arcs[order][:top]
        return [
            LoadedLink(*loads_on(graph, arc, self.bytes, self.utilization_mean, self.utilization_peak))
            for arc in chosen.tolist()
        ]

    @property
    def hottest_links(self) -> list[LoadedLink]:
        """The 20 hottest links, one for each direction: by peak, then by bytes."""
        return self.links()

    def as_dict(self, top: int | None = 20) -> dict[str, Any]:
        """The whole result as in the JSON of `simulate`."""
        return record(self, self.COLUMNS, {"links": self.links(top)})


def is_mostly_latency(latency_s: float, time_s: float) -> bool:
    """Whether latency is most of a time."""
    return latency_s > MOST_FROM * time_s


def utilization_by_link(graph: Graph, utilization: NDArray[np.floating]) -> LinkLoads:
    """From arcs to link ids: (end a to end b, and back)."""
    forth = np.flatnonzero(graph.link[::2] >= 0) * 2
    links, ids = graph.link[forth], graph.link_ids
    whole = len(links) == len(ids) and bool((links == np.arange(len(ids))).all())
    named = ids if whole else tuple(ids[link] for link in links.tolist())
    pairs = np.stack((utilization[forth], utilization[forth + 1]), axis=1).astype(np.float64)
    return LinkLoads(named, np.round(pairs, 12))


def loads_on(
    graph: Graph, arc: int, bytes_on: NDArray[np.float64], mean: NDArray[np.float64], peak: NDArray[np.float64]
) -> tuple[str, str, str, str, float, float, float, float]:
    """One direction of a link, as the fields of a LoadedLink."""
    return (
        graph.device_name(int(graph.source[arc])),
        graph.port_name(arc),
        graph.device_name(int(graph.target[arc])),
        graph.port_name(arc ^ 1),
        float(graph.capacity_gbps[arc]),
        float(bytes_on[arc]),
        float(mean[arc]),
        float(peak[arc]),
    )
