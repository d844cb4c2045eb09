"""What was computed of queues: a row for each bottleneck, and what all of them rest on."""

from dataclasses import dataclass, field
from typing import ClassVar

from designer.simulation.explain.victims import Place
from designer.simulation.queues.fluid import Course
from designer.tables.columns import Column, Columns, fine_percent, keys
from designer.units import format_capacity, format_time

NEVER = "not in time"
"""Of flows that had not arrived when the time looked at was over."""


def format_bytes(size_bytes: float) -> str:
    """ "1.234 MB", "84.2 kB", "0 B": a queue, to four digits."""
    for name, factor in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if size_bytes >= factor * (1 - 1e-9):
            return f"{size_bytes / factor:.4g} {name}"
    return f"{size_bytes:.4g} B"


def _times(ratio: float) -> str:
    return f"{ratio:.3g} x"


@dataclass(frozen=True, slots=True)
class PausedPort:
    """An ingress port of the bottleneck's switch. Pauses reach what sends to it, and may reach beyond."""

    place: Place
    pauses: int
    paused_s: float
    sources_paused_s: float
    """How long pauses held the senders themselves, next to the port or one switch further."""

    COLUMNS: ClassVar[Columns] = (
        Column("port", "Paused cable", lambda port: str(port.place), is_json=False),
        *keys("from=place.source from_port=place.port to=place.target to_port=place.target_port"),
        Column("pauses", "Pauses", right=True),
        Column("paused_s", "Paused", text=format_time, right=True, sheet="paused (s)"),
        Column("sources_paused_s", "Senders held", text=format_time, right=True, sheet="senders held (s)"),
    )


@dataclass(frozen=True, slots=True, eq=False)
class Bottleneck:
    """A link whose flows want more than it carries: its queue, its pauses, and the ends of its flows.

    `demand` is what the flows would bring over what the link carries. Bytes are of the queue, times of one run of the
    phase. None where something is unknown, or was not reached in the time looked at.
    """

    place: Place
    phase: str
    flows: int
    demand: float
    capacity_gbps: float
    fair_rate_gbps: float
    feedback_s: float
    k_min_bytes: float
    k_max_bytes: float
    p_max: float
    xoff_bytes: float | None
    headroom_bytes: float | None
    stable_queue_bytes: float | None
    """By the fixed point of the papers; None where the ramp ends below what the flows need."""
    phase_margin_deg: float
    mean_queue_bytes: float
    peak_queue_bytes: float
    peak_upstream_bytes: float
    marked: float
    """Mean probability while any flow sends."""
    used: float
    """What left over what the link could have carried, until the last flow had arrived."""
    pauses: int
    paused_s: float
    """The longest of any ingress port."""
    paused_ports: int
    ports: int
    lost_bytes: float
    ideal_p99_s: float
    ideal_last_s: float
    p99_s: float | None
    last_s: float | None
    looked_at_s: float
    paused: tuple[PausedPort, ...] = ()
    course: Course | None = field(default=None, repr=False)

    COLUMNS: ClassVar[Columns] = (
        Column("link", "Bottleneck", lambda row: str(row.place), is_json=False, sheet="bottleneck"),
        *keys("from=place.source from_port=place.port to=place.target to_port=place.target_port"),
        Column("phase", "Phase"),
        Column("flows", "Flows", right=True),
        Column(
            "demand", "Demand", text=_times, right=True, tip="What the flows would bring over what the link carries"
        ),
        Column("capacity_gbps", "Capacity", text=format_capacity, right=True, sheet="capacity (Gb/s)"),
        Column("fair_rate_gbps", "Fair rate", text=format_capacity, right=True, sheet="fair rate (Gb/s)"),
        Column("feedback_s", "Feedback", text=format_time, right=True, sheet="feedback delay (s)"),
        Column("k_min_bytes", "Kmin", text=format_bytes, right=True, sheet="Kmin (bytes)"),
        Column("k_max_bytes", "Kmax", text=format_bytes, right=True, sheet="Kmax (bytes)"),
        Column("p_max", "Pmax", text=fine_percent, right=True, sheet="Pmax"),
        Column("xoff_bytes", "Xoff", text=format_bytes, right=True, empty="unknown", sheet="Xoff (bytes)"),
        Column("headroom_bytes", "Headroom", text=format_bytes, right=True, empty="unknown", sheet="headroom (bytes)"),
        Column(
            "stable_queue_bytes",
            "Stable queue",
            text=format_bytes,
            right=True,
            empty="above Kmax",
            tip="Where the published equations come to rest",
            sheet="stable queue (bytes)",
        ),
        Column(
            "phase_margin_deg",
            "Margin",
            text=lambda margin: f"{margin:.0f}°",
            right=True,
            tip="Phase margin of the control loop; below 0° the queue swings",
            sheet="phase margin (degrees)",
        ),
        Column("mean_queue_bytes", "Mean queue", text=format_bytes, right=True, sheet="mean queue (bytes)"),
        Column("peak_queue_bytes", "Peak queue", text=format_bytes, right=True, sheet="peak queue (bytes)"),
        Column("peak_upstream_bytes", "Upstream", text=format_bytes, right=True, sheet="peak queue upstream (bytes)"),
        Column("marked", "Marked", text=fine_percent, right=True, sheet="marked"),
        Column("used", "Used", text=fine_percent, right=True, tip="Share of the link's time that it sends"),
        Column("pauses", "Pauses", right=True),
        Column("paused_s", "Paused", text=format_time, right=True, sheet="longest pause time of a port (s)"),
        Column("paused_ports", "Paused ports", right=True),
        Column("ports", "Ports", right=True, sheet="ingress ports"),
        Column("lost_bytes", "Lost", text=format_bytes, right=True, sheet="lost (bytes)"),
        Column("ideal_p99_s", "Ideal 99 %", text=format_time, right=True, sheet="ideal 99 % (s)"),
        Column("ideal_last_s", "Ideal last", text=format_time, right=True, sheet="ideal last (s)"),
        Column("p99_s", "99 %", text=format_time, right=True, empty=NEVER, sheet="99 % (s)"),
        Column("last_s", "Last", text=format_time, right=True, empty=NEVER, sheet="last (s)"),
        Column("tail", "Tail", "tail", _times, right=True, empty="", tip="Last flow over the ideal last flow"),
        Column("looked_at_s", "Looked at", text=format_time, right=True, sheet="looked at (s)"),
        Column("paused", "Paused cables", is_json=True),
    )

    @property
    def tail(self) -> float | None:
        """The end of the last flow over the ideal one; None where it had not arrived."""
        return None if self.last_s is None else self.last_s / self.ideal_last_s

    @property
    def link_id(self) -> str:
        """The link that the bottleneck is on."""
        return self.place.link_id or ""


@dataclass(frozen=True, slots=True, eq=False)
class Queues:
    """The bottlenecks of a scenario, the most overloaded first; `n_bottlenecks` counts those not listed too."""

    scenario: str
    parameters: str
    source: str
    n_bottlenecks: int
    bottlenecks: tuple[Bottleneck, ...]
    notes: tuple[str, ...]
    wall_s: float

    COLUMNS: ClassVar = keys("scenario parameters source bottleneck_count=n_bottlenecks bottlenecks notes wall_s")
