"""Parameters of DCQCN, of marking and of PFC, read from resources/queues: each set with its source. Needs no numpy."""

from dataclasses import dataclass
from functools import cache

from designer.errors import ParameterError
from designer.paths import resources_dir
from designer.simulation.libraries.constants import read

BITS_PER_QUANTUM = 512


@dataclass(frozen=True, slots=True, kw_only=True)
class Thresholds:
    """From where a switch marks packets at ports of a rate, and how many of them just below `k_max_bytes`."""

    rate_gbps: float
    k_min_bytes: float
    k_max_bytes: float
    p_max: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Dcqcn:
    """A set of parameters, named as the papers do in `docs/queues.md`. Without `counter_bytes` there is no counter."""

    name: str
    title: str
    source: str
    packet_bytes: float
    gain: float
    rate_ai_mbps: float
    timer_us: float
    counter_bytes: float | None
    fast_steps: float
    cnp_us: float
    alpha_us: float
    least_rate_mbps: float
    thresholds: tuple[Thresholds, ...]

    @property
    def explanation(self) -> str:
        """Where the set is from."""
        return self.source

    def thresholds_at(self, rate_gbps: float) -> Thresholds:
        """Those of the fastest rate stated that is not above this one; else those of the slowest."""
        below = [one for one in self.thresholds if one.rate_gbps <= rate_gbps * (1 + 1e-9)]
        return below[-1] if below else self.thresholds[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class PauseQuanta:
    """How long a port of a rate may go on after a pause frame, in times of 512 bits."""

    rate_gbps: float
    quanta: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Pfc:
    """What priority flow control needs of room, and what is assumed of switches whose figures are not known."""

    date: str
    pause_source: str
    headroom_source: str
    pause_quanta: tuple[PauseQuanta, ...]
    buffer_bytes: float
    buffer_source: str
    alpha: float
    alpha_source: str
    resume_bytes: float
    resume_source: str

    def response_s(self, rate_gbps: float) -> float | None:
        """How long a port may take to stop; None for rates that the source does not state."""
        for one in self.pause_quanta:
            if abs(one.rate_gbps - rate_gbps) <= 1e-9 * rate_gbps:
                return one.quanta * BITS_PER_QUANTUM / (rate_gbps * 1e9)
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sets:
    date: str
    sets: tuple[Dcqcn, ...]


@cache
def sets() -> tuple[Dcqcn, ...]:
    """The delivered sets of parameters. Raises CatalogError naming file, field and fault."""
    return read(resources_dir() / "queues" / "dcqcn.yaml", _Sets).sets


@cache
def pfc() -> Pfc:
    """What is known of priority flow control. Raises CatalogError naming file, field and fault."""
    return read(resources_dir() / "queues" / "pfc.yaml", Pfc)


def set_named(name: str) -> Dcqcn:
    """The set of that name. Raises ParameterError."""
    found = next((one for one in sets() if one.name == name), None)
    if found is None:
        names = ", ".join(one.name for one in sets())
        raise ParameterError(f"there is no set of parameters {name!r}; there is {names}")
    return found
