"""Phases: what a collective or a pattern sends, step by step."""

from collections.abc import Callable, Sequence
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
class Pipelines:
    """How the flows of a phase hand on to each other: parts follow one another closely, so latency counts once.

    `of_flow` (n_flows,) numbers the pipeline of which each flow is a hop. `onward` (n_flows,) is the flow by which each
    goes on, -1 at the end; None where each pipeline is one line or ring of its flows. Of flows that go on by others,
    those of one `half` (n_flows,) are alternatives, and its longest way counts; halves follow each other.
    """

    of_flow: NDArray[np.int64]
    rounds: int = 1
    """How often a part passes each hop: 2 in an all-reduce."""
    onward: NDArray[np.int64] | None = None
    half: NDArray[np.int64] | None = None

    def latency_s(self, hop_s: NDArray[np.float64]) -> NDArray[np.float64]:
        """(n_flows,) the latency of the pipeline each flow belongs to, by the latencies of its hops."""
        if self.onward is None or self.half is None:
            all_hops = np.bincount(self.of_flow, weights=hop_s).astype(np.float64)
            return self.rounds * all_hops[self.of_flow]
        way_s, at = hop_s.copy(), self.onward.copy()
        while (going := at >= 0).any():
            way_s[going] += hop_s[at[going]]
            at[going] = self.onward[at[going]]
        longest = np.zeros((int(self.of_flow.max()) + 1, int(self.half.max()) + 1))
        np.maximum.at(longest, (self.of_flow, self.half), way_s)
        found: NDArray[np.float64] = self.rounds * longest.sum(axis=1)[self.of_flow]
        return found

    def times(self, count: int) -> "Pipelines":
        """Of the flows `count` times over, each time with pipelines of their own."""
        return joined([self] * count)


def joined(pipelines: Sequence[Pipelines]) -> Pipelines:
    """The pipelines of several sets of flows, one set after the other."""
    of_flow, onward, n_pipelines, n_flows = [], [], 0, 0
    for one in pipelines:
        of_flow.append(one.of_flow + n_pipelines)
        n_pipelines += int(one.of_flow.max(initial=-1)) + 1
        if one.onward is not None:
            onward.append(np.where(one.onward >= 0, one.onward + n_flows, -1))
        n_flows += len(one.of_flow)
    halves = [one.half for one in pipelines if one.half is not None]
    return Pipelines(
        np.concatenate(of_flow),
        pipelines[0].rounds,
        np.concatenate(onward) if onward else None,
        np.concatenate(halves) if halves else None,
    )


@dataclass(frozen=True, slots=True, eq=False)
class Phase:
    """Traffic that is repeated `repeat` times, each time after the last flow of the time before has arrived.

    With `pipelines` its repeats are steps that follow each other closely: the latency of all of them together is that
    of the slowest pipeline. All its flows grow with the buffer, in proportion, unless `flow_bytes` says how large each
    is by the buffer's size.
    """

    name: str
    repeat: int
    traffic: Flows | AllPairs
    flow_bytes: Callable[[float], float] | None = None
    is_fill: bool = False
    """The first chunk's way through a pipeline: takes time, but its bytes are counted with the rest of the buffer."""
    pipelines: Pipelines | None = None

    def step_latency_s(self, hop_s: NDArray[np.float64]) -> NDArray[np.float64]:
        """(n_flows,) what latency adds to each flow's end in one repeat, by the latencies of their ways."""
        return hop_s if self.pipelines is None else self.pipelines.latency_s(hop_s) / self.repeat


def flows(
    src: NDArray[np.int64],
    dst: NDArray[np.int64],
    size_bytes: float | NDArray[np.float64],
    channel: NDArray[np.int64] | None = None,
) -> Flows:
    """Flows from `src` to `dst`, both (n_flows,); one size for all or one each, channel 0 where none are given."""
    sizes = np.broadcast_to(np.asarray(size_bytes, dtype=np.float64), src.shape)
    return Flows(src, dst, sizes, np.zeros(len(src), dtype=np.int64) if channel is None else channel)
