"""How unevenly a routing by chance loads the uplinks of each switch: the fullest over the mean, and what to expect.

Expected is what whole pieces (flows, queue pairs, flowlets, packets) give that each take one of the uplinks: at random
as balls in bins, in turn as evenly as whole pieces can. Pieces of different sizes count as so many of one size as give
the same variance: (sum of sizes)^2 / (sum of squares).
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from designer.graph.arrays import Graph
from designer.graph.sums import sums
from designer.routing.given import LEAST_LOADED, RANDOM, ROUND_ROBIN
from designer.routing.network import Network
from designer.routing.paths import Paths
from designer.routing.policies import Policy
from designer.simulation.explain.balls_in_bins import even_over_mean, fullest_over_mean
from designer.tables.columns import Column, Columns, keys
from designer.units import format_count, format_counted

MOST_LISTED = 20
HOW = {RANDOM: "at random", ROUND_ROBIN: "in turn", LEAST_LOADED: "on the least loaded"}
LEAST_APART = 0.005
"""What the worst switch has above the others where a sentence names it."""
NEAR_1 = 1.095
DIGITS = 3
"""Of numbers of pieces by which switches are treated as alike; pieces up to 1,000 are counted one by one."""


@dataclass(frozen=True, slots=True)
class UplinkSet:
    """The uplinks of a switch: `fullest` is the port that carries most for its rate."""

    switch: str
    ports: int
    fullest: str
    pieces: float
    measured: float
    expected: float

    COLUMNS: ClassVar[Columns] = (
        Column("switch", "Switch"),
        Column("ports", "Uplinks", right=True),
        Column("fullest", "Fullest port"),
        Column("pieces", "Pieces", text=lambda count: format_count(round(count)), right=True),
        Column("measured", "Over the mean", text=lambda factor: f"{factor:.3f}", right=True),
        Column("expected", "Expected", text=lambda factor: f"{factor:.3f}", right=True),
    )


@dataclass(frozen=True, slots=True)
class Imbalance:
    """The most loaded uplink of a switch over the mean of its uplinks, as a mean over switches; worst sets first."""

    noun: str
    """What is placed as a whole: "flow", "queue pair", "flowlet", "packet"."""
    choice: str
    n_sets: int
    pieces: float
    """Over the uplinks of a switch, as a mean."""
    measured: float
    expected: float
    worst: tuple[UplinkSet, ...]

    COLUMNS: ClassVar[Columns] = (
        *keys("pieces_are=noun placed=choice switches=n_sets pieces_per_switch=pieces measured expected"),
        Column("worst"),
    )

    @property
    def sentence(self) -> str:
        """Measured and expected over the mean, in words without a full stop."""
        count = format_counted(max(1, round(self.pieces)), self.noun)
        first = self.worst[0]
        is_apart = first.measured - self.measured > LEAST_APART
        at = f"; {first.switch} {first.fullest} carries most, {_factor(first.measured)} times" if is_apart else ""
        how = HOW[self.choice]
        return (
            f"the fullest uplink of a switch carries {_factor(self.measured)} times the mean of its uplinks "
            f"({_factor(self.expected)} expected of {count} {how}){at}"
        )


def _factor(value: float) -> str:
    """With a digit more where it is close to 1, as that of packets is: "2.64", "1.004"."""
    return f"{value:.3f}" if value < NEAR_1 else f"{value:.2f}"


def noun_of(policy: Policy, queue_pairs: int) -> str:
    """What a policy places as a whole; "" where nothing is left to chance."""
    if policy.pieces is not None:
        return policy.pieces.noun
    return "" if not policy.by_hash else "queue pair" if queue_pairs > 1 else "flow"


def of_paths(network: Network, policy: Policy, paths: Paths, size_bytes: NDArray[np.float64]) -> Imbalance | None:
    """The imbalance of flows whose paths are known; None where nothing is left to chance, or no switch has uplinks."""
    if not noun_of(policy, 1):
        return None
    switching = network.switching
    n_pieces = (
        policy.pieces.count(switching, size_bytes)
        if policy.pieces is not None
        else np.full(len(size_bytes), float(switching.queue_pairs))
    )
    flow = np.repeat(np.arange(paths.n_flows), np.diff(paths.start))
    pieces, each = paths.weights * n_pieces[flow], (size_bytes / n_pieces)[flow]
    n_arcs = network.graph.n_arcs
    on, squares = sums(paths.arcs, pieces * each, n_arcs), sums(paths.arcs, pieces * each**2, n_arcs)
    return _of_loads(network, policy, on, squares)


def of_equal_pieces(
    network: Network, policy: Policy, bytes_on: NDArray[np.float64], piece_bytes: float
) -> Imbalance | None:
    """The imbalance of loads that are made of pieces of one size."""
    return _of_loads(network, policy, bytes_on, bytes_on * piece_bytes) if noun_of(policy, 1) else None


def _of_loads(
    network: Network, policy: Policy, bytes_on: NDArray[np.float64], squares_on: NDArray[np.float64]
) -> Imbalance | None:
    graph = network.graph
    up = _uplinks(network)
    if not len(up):
        return None
    _, first = np.unique(graph.source[up], return_index=True)
    bounds = np.append(first, len(up))
    carried, squares = (np.add.reduceat(on[up], first) for on in (bytes_on, squares_on))
    counts, load = np.diff(bounds), bytes_on[up] / graph.capacity_gbps[up]
    used = (counts > 1) & (carried > 0)
    if not used.any():
        return None
    means, most = np.add.reduceat(load, first) / counts, np.maximum.reduceat(load, first)
    pieces = carried[used] ** 2 / squares[used]
    choice = network.switching.port_choice if policy.pieces is not None else RANDOM
    expect = fullest_over_mean if choice == RANDOM else even_over_mean
    expected = np.array([expect(_alike(n), k) for n, k in zip(pieces.tolist(), counts[used].tolist(), strict=True)])
    measured = most[used] / means[used]
    order = np.argsort(-measured, kind="stable")[:MOST_LISTED]
    sets = np.flatnonzero(used)[order]
    worst = [
        _named(graph, up[bounds[one] : bounds[one + 1]], load[bounds[one] : bounds[one + 1]], *figures)
        for one, figures in zip(
            sets.tolist(), np.stack((pieces, measured, expected), axis=1)[order].tolist(), strict=True
        )
    ]
    return Imbalance(
        noun_of(policy, network.switching.queue_pairs),
        choice,
        int(used.sum()),
        float(pieces.mean()),
        float(measured.mean()),
        float(expected.mean()),
        tuple(worst),
    )


def _uplinks(network: Network) -> NDArray[np.int64]:
    """The arcs from switches to switches that are farther from all leaf switches, switch by switch."""
    graph, switches = network.graph, network.switches
    tier = switches.tier
    climbs = tier[switches.head] > tier[switches.tail]
    arcs = switches.arcs[np.repeat(climbs, np.diff(switches.arc_start))].astype(np.int64)
    found: NDArray[np.int64] = arcs[np.lexsort((arcs, graph.source[arcs]))]
    return found


def _alike(pieces: float) -> int:
    """The whole number next to it, of large ones with DIGITS digits."""
    return max(1, round(pieces if pieces < 10**DIGITS else float(f"{pieces:.{DIGITS}g}")))


def _named(
    graph: Graph, arcs: NDArray[np.int64], load: NDArray[np.float64], pieces: float, measured: float, expected: float
) -> UplinkSet:
    fullest = int(arcs[int(load.argmax())])
    return UplinkSet(
        graph.device_name(int(graph.source[fullest])),
        len(arcs),
        graph.port_name(fullest),
        pieces,
        measured,
        expected,
    )
