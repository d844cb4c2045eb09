"""What paths are shown as: a row for each path, and for each of its hops."""

from dataclasses import dataclass
from typing import ClassVar

from designer.tables.columns import ARROW, Column, Columns, fine_percent, keys, percent, pick
from designer.units import format_capacity, format_count, format_counted, format_time

S_PER_NS = 1e-9
SHARE_DIGITS = 12
"""Shares that agree to so many decimal places are equal: they are sums of fractions."""


def _time_text(latency_ns: float) -> str:
    return format_time(latency_ns * S_PER_NS)


@dataclass(frozen=True, slots=True)
class PathHop:
    """One hop: a link, or parallel links of which a path takes any. `share` of all the traffic crosses it.

    Ports are named as the chassis is printed; inside a server there are none. `utilization` is the fullest link's peak
    in the last run, None without one.
    """

    source: str
    source_id: str
    port: str
    target: str
    target_id: str
    target_port: str
    link_ids: tuple[str, ...]
    share: float
    capacity_gbps: float
    utilization: float | None
    latency_ns: float

    COLUMNS: ClassVar[Columns] = (
        Column("end", "From", lambda hop: f"{hop.source} {hop.port}".rstrip(), is_json=False),
        ARROW,
        Column("far_end", "To", lambda hop: f"{hop.target} {hop.target_port}".rstrip(), is_json=False),
        Column("from", "From", "source"),
        Column("port", "Port"),
        Column("to", "To", "target"),
        Column("to_port", "To port", "target_port"),
        *keys("links=link_ids"),
        Column(
            "share",
            "Link share",
            text=fine_percent,
            right=True,
            tip="What share of the traffic takes this link",
            sheet="share",
        ),
        Column("capacity_gbps", "Capacity", text=format_capacity, unit="Gb/s", right=True),
        Column("utilization", "Load", text=percent, right=True, empty="–"),
        Column("latency_ns", "Latency", text=_time_text, unit="ns", right=True),
    )


@dataclass(frozen=True, slots=True)
class FlowPath:
    """A path, or `count` alike that differ in parallel links only; `share` of all the traffic takes them."""

    source: str
    target: str
    via: str
    """The group or leaf switch that a path goes by which is not a shortest one; else ""."""
    share: float
    count: int
    hops: tuple[PathHop, ...]

    COLUMNS: ClassVar[Columns] = (
        Column("from", "From", "source"),
        ARROW,
        Column("to", "To", "target"),
        Column("via", "Via", text=lambda via: via or "–"),
        Column(
            "share",
            "Path share",
            text=fine_percent,
            right=True,
            tip="What share of the traffic takes this path",
            sheet="share",
        ),
        Column("paths", "Paths", "count", right=True),
        Column("capacity_gbps", "Capacity", text=format_capacity, right=True),
        Column("utilization", "Load", text=percent, right=True, empty="–"),
        Column("latency_ns", "Latency", text=_time_text, right=True),
        *keys("hops"),
    )

    @property
    def capacity_gbps(self) -> float:
        """Of its narrowest hop."""
        return min((hop.capacity_gbps for hop in self.hops), default=0.0)

    @property
    def utilization(self) -> float | None:
        """Of its fullest hop in the last run."""
        known = [hop.utilization for hop in self.hops if hop.utilization is not None]
        return max(known, default=None)

    @property
    def latency_ns(self) -> float:
        """From end to end."""
        return sum(hop.latency_ns for hop in self.hops)

    @property
    def link_ids(self) -> frozenset[str]:
        """All its links."""
        return frozenset(link for hop in self.hops for link in hop.link_ids)

    @property
    def places(self) -> tuple[str, ...]:
        """What it leads through: "leaf-01", "spine-03", "leaf-05"; the ends themselves go without saying."""
        return tuple(hop.target for hop in self.hops[:-1])

    @property
    def story(self) -> str:
        """Where it leads: "leaf-01 → spine-03 → leaf-05"."""
        return " → ".join(self.places) or "direct"


@dataclass(frozen=True, slots=True)
class PathsBetween:
    """All paths of the traffic between two places; `paths` has the first of them, `links` all their links."""

    source: str
    target: str
    routing: str
    flows: int
    is_of_run: bool
    """Whether the flows are those of the scenario; else one flow for each GPU, sent for the question."""
    n_groups: int
    """Rows that there are, `paths` having the first of them."""
    n_paths: int
    is_complete: bool
    """False where there are so many paths that the rest is not counted."""
    paths: tuple[FlowPath, ...]
    links: tuple[str, ...]
    devices: tuple[str, ...]
    """Ids of the devices on the way, the ends among them."""
    note: str

    COLUMNS: ClassVar = keys(
        "from=source to=target routing flows in_run=is_of_run paths_count=n_paths groups_count=n_groups "
        "complete=is_complete summary note paths"
    )

    @property
    def summary(self) -> str:
        """ "8 flows, 64 paths in 16 groups; the first 10 are listed"."""
        at_least = "" if self.is_complete else "more than "
        said = f"{format_counted(self.flows, 'flow')}, {at_least}{format_counted(self.n_paths, 'path')}"
        if self.n_groups != self.n_paths:
            said += f" in {format_counted(self.n_groups, 'group')} of parallel links"
        return f"{said}; {self._listed}" if len(self.paths) < self.n_groups else said

    @property
    def common(self) -> tuple[str, ...]:
        """What all listed paths lead through, in the order of the first; () where that is all that they do."""
        every = [path.places for path in self.paths]
        shared = tuple(name for name in every[0] if all(name in one for one in every)) if every else ()
        return shared if any(len(one) > len(shared) for one in every) else ()

    @property
    def ways_apart(self) -> tuple[tuple[str, ...], ...]:
        """What each listed path leads through without what all do: what distinguishes them."""
        common = frozenset(self.common)
        return tuple(tuple(name for name in path.places if name not in common) for path in self.paths)

    @property
    def have_same_ends(self) -> bool:
        """Whether all listed paths lead from one GPU, NIC or switch to one other."""
        return len({(path.source, path.target) for path in self.paths}) <= 1

    @property
    def _listed(self) -> str:
        """ "the first 10 are listed"; "the 10 with the largest shares are listed" where listed shares differ."""
        n_listed = len(self.paths)
        by_share = len({round(path.share, SHARE_DIGITS) for path in self.paths}) > 1
        number = format_count(n_listed)
        which = f"{number} with the largest shares" if by_share else f"first {number}" if n_listed > 1 else "first"
        return f"the {which} {'is' if n_listed == 1 else 'are'} listed"


@dataclass(frozen=True, slots=True)
class NumberedHop:
    """A hop under the number of its path."""

    number: int
    hop: PathHop


NUMBERED_HOPS: Columns = (
    Column("number", "Path", right=True),
    *(
        column.within("hop")
        for column in pick(PathHop.COLUMNS, "from port to to_port share capacity_gbps utilization latency_ns")
    ),
)
"""Those of a spreadsheet."""


def numbered_hops(found: PathsBetween) -> tuple[NumberedHop, ...]:
    """The hops of all listed paths."""
    return tuple(NumberedHop(number, hop) for number, path in enumerate(found.paths, 1) for hop in path.hops)
