"""A Scenario: what is asked of the simulation. Checked when made; needs no design and no numpy."""

import re
from dataclasses import dataclass, field

from designer.errors import ParameterError
from designer.model.job_limits import CHANNELS_MOST
from designer.model.networks import COMPUTE, NETWORKS
from designer.simulation import catalogue
from designer.units import MOST_WHOLE, format_size, parse_whole, shortened

SIZE_LIMIT_BYTES = 2**63
MEMORY_LIMIT_BYTES = 8e9
"""What flows that are followed one by one may take of the computer's memory where nothing else is said."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """A collective or a traffic pattern, and the assumptions. Raises ParameterError for what makes no sense.

    `size_bytes` is the buffer per rank of a collective as nccl-tests counts it (see catalogue.COLLECTIVES), or the
    bytes of each flow of a pattern. `ranks`: None for all GPUs, a number for the first so many, or some in rank order.
    `efficiency` None is taken from protocol and MTU. `exact` merges no ends of flows that are close together.
    `failed` names what the graph was built without.
    """

    collective: str | None = None
    traffic: str | None = None
    algorithm: str | None = None
    size_bytes: float = 2**30
    routing: str = "spray"
    seed: int = 0
    ranks: int | tuple[int, ...] | None = None
    order: str = "design"
    efficiency: float | None = None
    latency: bool = True
    exact: bool = False
    failed: tuple[str, ...] = ()
    channels: int | None = None
    in_network_reduction: bool = False
    """All-reduce only: switches add up (SHARP, NVLS); every rank sends its buffer once and receives the sum once."""
    chunk_bytes: float | None = None
    """What the algorithms in catalogue.CHUNKED pass on at a time; None for catalogue.CHUNK_BYTES."""
    dims: tuple[int, ...] | None = None
    """Bucket only: ranks by these dimensions, the last one fastest; None for the torus the ranks stand on."""
    congestion: str = "none"
    """Of catalogue.CONGESTIONS: whether a hot port slows flows that do not use it."""
    network: str = COMPUTE
    """Which network of the cluster the graph is built of."""
    memory_limit_bytes: float = field(default=MEMORY_LIMIT_BYTES, compare=False)
    """A run whose flows would take more is refused before it begins; results do not depend on it."""

    def __post_init__(self) -> None:
        if (self.collective is None) == (self.traffic is None):
            raise ParameterError("a simulation takes either a collective or a traffic pattern")
        if self.collective is not None:
            self._check_collective(self.collective)
        elif self.algorithm is not None:
            raise ParameterError("a traffic pattern takes no algorithm")
        elif self.in_network_reduction:
            raise ParameterError("a traffic pattern knows no in-network reduction")
        if self.traffic is not None:
            parts_of(self.traffic)
        if catalogue.ROUTINGS.named(self.routing) is None:
            _require_one_of("routing", self.routing, [row.name for row in catalogue.ROUTINGS])
        _require_one_of("congestion", self.congestion, [row.name for row in catalogue.CONGESTIONS])
        _require_one_of("network", self.network, list(NETWORKS))
        _require_one_of("rank order", self.order, list(catalogue.ORDERS))
        if not 0 < self.size_bytes < SIZE_LIMIT_BYTES:
            raise ParameterError(f"the size should be above 0 and below 8 EiB, not {self.size_bytes} bytes")
        if self.efficiency is not None and not 0 < self.efficiency <= 1:
            raise ParameterError(f"the efficiency should be above 0 and at most 1, not {self.efficiency}")
        if not self.memory_limit_bytes > 0:
            raise ParameterError(f"the memory limit should be above 0, not {self.memory_limit_bytes} bytes")
        if self.channels is not None and not 1 <= self.channels <= CHANNELS_MOST:
            raise ParameterError(f"the number of channels should be 1 to {CHANNELS_MOST}, not {self.channels}")
        if self.chunk_bytes is not None and not 1 <= self.chunk_bytes < SIZE_LIMIT_BYTES:
            raise ParameterError(f"a chunk should be at least 1 byte, not {self.chunk_bytes}")
        if self.dims is not None and (self.algorithm != "bucket" or min(self.dims, default=0) < 1):
            raise ParameterError("dimensions are for the bucket algorithm, each at least 1: write bucket:16x16")
        if isinstance(self.ranks, int) and self.ranks < 1:
            raise ParameterError(f"the number of ranks should be at least 1, not {self.ranks}")

    def _check_collective(self, name: str) -> None:
        _require_one_of("collective", name, [row.name for row in catalogue.COLLECTIVES])
        row = catalogue.collective(name)
        if self.in_network_reduction and name != "all-reduce":
            raise ParameterError(f"in-network reduction is for all-reduce, not for {name}")
        if row is not None and self.algorithm is not None and self.algorithm not in row.built_in:
            _require_one_of(f"algorithm of {name}", self.algorithm, list(row.algorithms))
        if self.in_network_reduction and self.algorithm_used not in catalogue.IN_NETWORK:
            names = ", ".join(catalogue.IN_NETWORK)
            raise ParameterError(f"in-network reduction goes with {names}, not with {self.algorithm_used}")

    @property
    def title(self) -> str:
        """How a report names it: "all-reduce, ring" or "shift:1"."""
        return self.traffic or f"{self.collective}, {self.algorithm_used}"

    @property
    def summary(self) -> str:
        """With what tells one run from another: "all-to-all, direct · ecmp, 64 MiB"."""
        return f"{self.title} · {self.routing}, {format_size(self.size_bytes)}"

    @property
    def algorithm_used(self) -> str:
        row = catalogue.collective(self.collective or "")
        return self.algorithm or (row.built_in[0] if row is not None else "")


def algorithm_and_dims(text: str | None) -> tuple[str | None, tuple[int, ...] | None]:
    """("bucket", (16, 16)) from "bucket:16x16", ("ring", None) from "ring". Raises ParameterError."""
    name, colon, dims = (text or "").partition(":")
    if not colon:
        return text, None
    if not re.fullmatch(r"[1-9][0-9]{0,5}(x[1-9][0-9]{0,5})*", dims.lower()):
        raise ParameterError(f"{shortened(dims)!r} are no dimensions: write them like {name}:16x16")
    return name, tuple(int(size) for size in dims.lower().split("x"))


def parts_of(traffic: str) -> list[tuple[str, str]]:
    """The patterns of a traffic such as "incast:8+shift:1", each by its name and parameter. Raises ParameterError."""
    names = "|".join(row.name for row in catalogue.PATTERNS)
    return [_part(part) for part in re.split(rf"\+(?=(?:{names})(?:[:+]|$))", traffic)]


def file_read_by(traffic: str) -> str:
    """The name of the file that a traffic's flows are in; "" where they follow from its name. Raises ParameterError."""
    for name, value in parts_of(traffic):
        row = catalogue.pattern(name)
        if row is not None and (row.parameter == "file" or (row.parameter == "seed" and not _is_number(value))):
            return value
    return ""


def _is_number(value: str) -> bool:
    return value.lstrip("+-").isdecimal()


def rest_of(traffic: str) -> str:
    """What is sent beside the first pattern: "shift:1" of "incast:8+shift:1", "" where it is alone."""
    return "+".join(f"{name}:{value}" if value else name for name, value in parts_of(traffic)[1:])


def _part(traffic: str) -> tuple[str, str]:
    name, colon, value = traffic.partition(":")
    row = catalogue.pattern(traffic)
    if row is None:
        usages = [r.name + (f":{r.parameter.upper()}" if r.parameter else "") for r in catalogue.PATTERNS]
        names = ", ".join(usages)
        unknown = shortened(name)
        raise ParameterError(f"there is no traffic pattern {unknown!r}; there are {names}, and A+B for both at once")
    if not row.parameter and colon:
        raise ParameterError(f"traffic pattern {name} takes no parameter, but {shortened(value)!r} was given")
    if row.parameter and not value:
        raise ParameterError(f"traffic pattern {name} needs its {row.parameter}: write {name}:{row.parameter.upper()}")
    if row.name in ("shift", "incast"):
        whole_number(row.name, row.parameter, value)
    return name, value


def whole_number(name: str, parameter: str, value: str) -> int:
    if not re.fullmatch(r"[+-]?[0-9]+", value):
        raise ParameterError(f"the {parameter} of {name} should be a whole number, not {shortened(value)!r}")
    try:
        return parse_whole(value, -MOST_WHOLE)
    except ParameterError as error:
        raise ParameterError(f"the {parameter} of {name}: {error}") from None


def _require_one_of(what: str, value: str, allowed: list[str]) -> None:
    if value not in allowed:
        raise ParameterError(f"there is no {what} {shortened(str(value))!r}; there is {', '.join(allowed)}")
