"""Phases: what a collective or a pattern sends, step by step."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class Flows:
    """Flows that begin together. Sources and destinations are endpoints of the graph."""

    src: NDArray[np.int64]  # (n_flows,)
    dst: NDArray[np.int64]  # (n_flows,)
    size_bytes: NDArray[np.float64]  # (n_flows,)
    channel: NDArray[np.int64]  # (n_flows,) 0 where there are none

    def __len__(self) -> int:
        return len(self.src)


@dataclass(frozen=True, slots=True, eq=False)
class AllPairs:
    """One flow from every member to every other, all of one size: never written out where it can be helped."""

    members: NDArray[np.int64]
    pair_bytes: float

    def __len__(self) -> int:
        return len(self.members) * (len(self.members) - 1)


@dataclass(frozen=True, slots=True, eq=False)
class Phase:
    """Traffic that is repeated `repeat` times, each time after the last flow of the time before has arrived.

    All its flows grow with the buffer, in proportion, unless `flow_bytes` says how large each is by the buffer's size.
    """

    name: str
    repeat: int
    traffic: Flows | AllPairs
    flow_bytes: Callable[[float], float] | None = None
    is_fill: bool = False
    """The first chunk's way through a pipeline: takes time, but its bytes are counted with the rest of the buffer."""


def flows(
    src: NDArray[np.int64],
    dst: NDArray[np.int64],
    size_bytes: float | NDArray[np.float64],
    channel: NDArray[np.int64] | None = None,
) -> Flows:
    sizes = np.broadcast_to(np.asarray(size_bytes, dtype=np.float64), src.shape)
    return Flows(src, dst, sizes, np.zeros(len(src), dtype=np.int64) if channel is None else channel)
