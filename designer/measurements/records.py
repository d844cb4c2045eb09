"""Measurements: what a benchmark found on a real machine, whatever it was printed by."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, ClassVar

from designer.tables.columns import Column, Columns, keys
from designer.units import BYTES_PER_S_PER_GBYTES_PER_S, SECONDS_PER_US, format_count, format_size

OUR_NAMES: Mapping[str, str] = MappingProxyType(
    {
        "all_reduce": "all-reduce",
        "allreduce": "all-reduce",
        "all_gather": "all-gather",
        "allgather": "all-gather",
        "reduce_scatter": "reduce-scatter",
        "reducescatter": "reduce-scatter",
        "alltoall": "all-to-all",
        "all_to_all": "all-to-all",
        "broadcast": "broadcast",
        "bcast": "broadcast",
        "reduce": "reduce",
        "sendrecv": "send-recv",
        "send_recv": "send-recv",
    }
)
"""What benchmarks call a collective, and what it is called here; other names stay as they are."""


def our_name(collective: str) -> str:
    """ "all-reduce" from "all_reduce"; a name that is not known as it stands."""
    return OUR_NAMES.get(collective.lower().replace("-", "_"), collective)


def busbw_factor(collective: str, n_ranks: int) -> float | None:
    """What algbw is multiplied by, as nccl-tests does; None for what is not a collective or fewer than two ranks."""
    if n_ranks < 2:
        return None
    if collective == "all-reduce":
        return 2 * (n_ranks - 1) / n_ranks
    if collective in ("all-gather", "reduce-scatter", "all-to-all"):
        return (n_ranks - 1) / n_ranks
    return 1.0 if collective in ("broadcast", "reduce", "send-recv") else None


@dataclass(frozen=True, slots=True)
class MeasuredRow:
    """A line of a benchmark: the time of one size; None for what the source does not state.

    The size is counted as nccl-tests does. `n_wrong` counts wrong values, None where they were not checked.
    """

    size_bytes: int | None
    time_us: float | None
    algbw_gbytes_per_s: float | None
    busbw_gbytes_per_s: float | None
    n_wrong: int | None = None

    COLUMNS: ClassVar[Columns] = (
        Column("size_bytes", "Size", text=format_size, right=True, sheet="size (B)"),
        Column("time_us", "Time", text="{:.2f}".format, unit="us", right=True),
        Column("algbw_gbytes_per_s", "algbw", text="{:.2f}".format, unit="GB/s", right=True),
        Column("busbw_gbytes_per_s", "busbw", text="{:.2f}".format, unit="GB/s", right=True),
        *keys("n_wrong?"),
    )


@dataclass(frozen=True, slots=True)
class Spread:
    """All runs of one size, best first; a benchmark may state the times, the bandwidths or both."""

    size_bytes: int
    times_us: tuple[float, ...] = ()
    busbw_gbytes_per_s: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Hardware:
    """The machine, as far as the source names it: "" and None where it does not."""

    family: str = ""
    gpu: str = ""
    gpus_per_node: int | None = None
    scale_up: str = ""
    nics_per_node: int | None = None
    nic_gbps: float | None = None
    fabric: str = ""
    system: str = ""


@dataclass(frozen=True, slots=True)
class RankPlace:
    """Where a rank ran: the host, and the number of its GPU there as the process saw it."""

    host: str
    gpu: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurement:
    """One run of a benchmark, or the best of several: `rows` are out of place where both were measured."""

    id: str
    source: str = ""
    date: str = ""
    quality: str = ""
    """A: raw table with its context; B: part of that is missing; C: a single figure; "" where nobody says."""
    tool: str = ""
    """ "all_reduce_perf", "osu_bw", "ib_write_bw"."""
    hardware: Hardware = Hardware()
    library: str = ""
    algorithm: str = ""
    protocol: str = ""
    environment: Mapping[str, str] = field(default_factory=dict)
    collective: str = ""
    """As it is called here, "all-reduce"; "" where the log does not say."""
    n_gpus: int | None = None
    n_nodes: int | None = None
    rows: tuple[MeasuredRow, ...] = ()
    in_place_rows: tuple[MeasuredRow, ...] = ()
    is_size_per_rank: bool = False
    """Whether sizes are of one rank's part, as OSU's all-gather and all-to-all count, and the ranks are not known."""
    spread: tuple[Spread, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)
    latency_us: float | None = None
    notes: str = ""
    ranks: tuple[RankPlace, ...] = ()
    """Where the ranks ran, in their order; empty where the log does not list them."""
    device: str = ""
    """The network device of a test of one: "mlx5_0"."""
    part: str = ""
    """What part of the fabric it was about, where the log says so: "rail 3", "unit su-1", "pair su-1 su-2"."""

    COLUMNS: ClassVar[Columns] = keys(
        "id source? date? quality? tool? hardware library? algorithm? protocol? environment? collective n_gpus n_nodes "
        "rows in_place_rows? is_size_per_rank spread? facts? latency_us? notes? device? part?"
    )

    @property
    def hosts(self) -> tuple[str, ...]:
        """The hosts that the log lists, each once, in the order of their ranks."""
        return tuple(dict.fromkeys(rank.host for rank in self.ranks))

    @property
    def title(self) -> str:
        """ "all-reduce, 128 GPUs, NCCL 2.27.7": what tells it from others in a list."""
        gpus = "" if self.n_gpus is None else f"{format_count(self.n_gpus)} GPUs"
        return ", ".join(filter(None, (self.collective or self.tool, self.part or gpus, self.library))) or self.id

    @property
    def n_wrong(self) -> int:
        """How many values were wrong, over all sizes."""
        return sum(row.n_wrong or 0 for row in (*self.rows, *self.in_place_rows))

    def for_ranks(self, n_ranks: int) -> "Measurement":
        """With sizes and busbw as nccl-tests counts them for so many ranks, where the log itself left that open."""
        if not self.is_size_per_rank and all(row.busbw_gbytes_per_s is not None for row in self.rows):
            return self
        scale = n_ranks if self.is_size_per_rank else 1
        rows = tuple(_counted(row, scale, self.collective, n_ranks) for row in self.rows)
        return replace(self, rows=rows, is_size_per_rank=False, n_gpus=self.n_gpus or n_ranks)


def _counted(row: MeasuredRow, scale: int, collective: str, n_ranks: int) -> MeasuredRow:
    size_bytes = None if row.size_bytes is None else row.size_bytes * scale
    algbw = row.algbw_gbytes_per_s if scale == 1 else None
    if algbw is None and size_bytes is not None and row.time_us:
        algbw = rate_gbytes_per_s(size_bytes, row.time_us)
    factor = busbw_factor(collective, n_ranks)
    busbw = row.busbw_gbytes_per_s if scale == 1 else None
    if busbw is None and algbw is not None and factor is not None:
        busbw = algbw * factor
    return replace(row, size_bytes=size_bytes, algbw_gbytes_per_s=algbw, busbw_gbytes_per_s=busbw)


def rate_gbytes_per_s(size_bytes: float, time_us: float) -> float:
    """Bytes over time in GB/s."""
    return size_bytes / (time_us * SECONDS_PER_US) / BYTES_PER_S_PER_GBYTES_PER_S
