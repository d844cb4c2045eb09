"""What a search for a mapping found."""

from dataclasses import dataclass, field
from typing import ClassVar

from designer.tables.columns import Column, Columns, keys
from designer.units import format_bandwidth, format_time

AT_BOUND = 5e-4
"""As a share of the time: what is not nearer to the bound than this is worth searching on."""


@dataclass(frozen=True, slots=True)
class Tried:
    """The best mapping of one kind. `blocks` counts the sets of leaf switches that its servers are on."""

    name: str
    title: str
    ranks: tuple[int, ...] = field(repr=False)
    servers: int
    blocks: int
    time_s: float
    busbw_gbytes_per_s: float | None
    over_bound: float | None
    """Time over the bound, less one; None without a bound."""

    COLUMNS: ClassVar[Columns] = (
        Column("title", "Mapping"),
        Column("servers", "Servers", right=True),
        Column("blocks", "Blocks", right=True, tip="Sets of leaf switches that the servers are on"),
        Column("time_s", "Time", text=format_time, right=True),
        Column("busbw_gbytes_per_s", "busbw", text=format_bandwidth, right=True),
        Column("over_bound", "Over the bound", text=lambda share: f"{100 * share:.1f} %", right=True, empty="–"),
    )


@dataclass(frozen=True, slots=True)
class Mapping:
    """The mappings tried, the best last, and the time that none can be below."""

    job: str
    tried: tuple[Tried, ...]
    bound_s: float
    """0 where nothing bounds the time."""
    empty_s: float | None
    """The best time found on a fabric without the earlier jobs; None where there are none."""
    runs: int
    free_servers: int
    earlier: tuple[str, ...]
    """What came before, in sentences."""
    wall_s: float

    COLUMNS: ClassVar[Columns] = (
        *keys("job time_s bound_s over_bound=best.over_bound empty_s slowdown runs free_servers"),
        Column("ranks", value="best.ranks"),
        *keys("tried earlier wall_s"),
    )

    @property
    def best(self) -> Tried:
        """The fastest mapping; of equal ones the simplest."""
        return min(self.tried, key=lambda one: one.time_s)

    @property
    def time_s(self) -> float:
        """That of the best."""
        return self.best.time_s

    @property
    def slowdown(self) -> float | None:
        """The time over that on an empty fabric; None where that is not known."""
        return self.time_s / self.empty_s if self.empty_s else None

    @property
    def conclusion(self) -> str:
        """What the search comes to, in a sentence without a full stop."""
        best, first = self.best, self.tried[0]
        gain = first.time_s / best.time_s - 1
        faster = f"{100 * gain:.1f} % faster than {first.title}" if gain > AT_BOUND else f"no faster than {first.title}"
        if best.over_bound is None:
            return faster
        if best.over_bound < AT_BOUND:
            return f"{faster}, and at the bound: no other mapping is faster"
        return f"{faster}; no mapping is more than {100 * best.over_bound / (1 + best.over_bound):.1f} % faster than it"
