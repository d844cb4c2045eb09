"""What estimates of workloads are made of: formulas, collectives of all groups at once, and parts of a time."""

from dataclasses import dataclass, field
from typing import ClassVar

from designer.simulation.result import Result
from designer.tables.columns import Column, Columns, keys
from designer.units import format_carried, format_count, format_time


@dataclass(frozen=True, slots=True)
class Formula:
    """`symbols` and `numbers` are the right side, once in letters and once with what they stand for."""

    name: str
    symbols: str
    numbers: str
    value: str


@dataclass(frozen=True, slots=True)
class Communication:
    """A collective of a step: what one of it sends, how often, and what of it computing does not hide.

    `kind` is "tensor", "expert", "pipeline", "data" or "cache"; `size_bytes` the buffer as nccl-tests counts it. A
    count of one takes `time_s`, all groups of the kind at once. `total_s` is that of all in a step, of which
    `exposed_s` is waited for.
    """

    kind: str
    title: str
    n_groups: int
    group_size: int
    size_bytes: float
    count: int
    time_s: float
    total_s: float
    exposed_s: float
    result: Result = field(repr=False, compare=False)

    COLUMNS: ClassVar[Columns] = (
        Column("kind"),
        Column("title"),
        Column("method", "Algorithm, routing"),
        Column("shape", "Groups x ranks", right=True, is_json=False),
        *keys("groups=n_groups group_size"),
        Column("size_bytes", "Size", text=format_carried, right=True),
        Column("count", "Times", right=True),
        Column("time_s", "Each", text=format_time, right=True),
        Column("total_s", "Together", text=format_time, right=True),
        Column("exposed_s", "Exposed", text=format_time, right=True),
        Column("bottleneck"),
    )

    @property
    def method(self) -> str:
        """ "ring · spray": by which algorithm, and by which routing."""
        model = self.result.model
        return f"{model.traffic.partition(', ')[2] or model.traffic} · {model.routing}"

    @property
    def shape(self) -> str:
        """ "16 x 8": how many groups, of how many ranks."""
        return f"{format_count(self.n_groups)} x {format_count(self.group_size)}"

    @property
    def bottleneck(self) -> str | None:
        """What sets the pace of one of it, as a sentence; None where nothing does."""
        return next((one.why for one in self.result.bottlenecks), None)

    @property
    def crosses_fabric(self) -> bool:
        """Whether anything of it leaves the scale-up domains."""
        return bool(self.result.bytes[self.result.graph.link >= 0].any())


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the step's time, as a bar shows it."""

    name: str
    title: str
    time_s: float

    COLUMNS: ClassVar[Columns] = (Column("title"), Column("time_s", text=format_time, right=True))
