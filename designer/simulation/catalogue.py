"""What can be simulated, as tables: the panel, the command line and the help build their choices from these rows."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CollectiveRow:
    """`algorithms[0]` is used where none is asked for; `size_means` is what nccl-tests counts as the size."""

    name: str
    title: str
    explanation: str
    algorithms: tuple[str, ...]
    busbw_factor: Callable[[int], float]
    factor_text: str
    size_means: str


@dataclass(frozen=True, slots=True)
class AlgorithmRow:
    name: str
    title: str
    explanation: str


@dataclass(frozen=True, slots=True)
class PatternRow:
    """`parameter` is what follows the colon ("" where nothing does), `default` its usual value."""

    name: str
    title: str
    explanation: str
    parameter: str = ""
    default: str = ""


@dataclass(frozen=True, slots=True)
class RoutingRow:
    name: str
    title: str
    explanation: str


COLLECTIVES = (
    CollectiveRow(
        "all-reduce",
        "All-reduce",
        "Every rank ends with the sum over all ranks' buffers.",
        ("ring", "hierarchical"),
        lambda n: 2 * (n - 1) / n,
        "2(n-1)/n",
        "the buffer of each rank",
    ),
    CollectiveRow(
        "all-gather",
        "All-gather",
        "Every rank ends with all ranks' parts side by side.",
        ("ring", "hierarchical"),
        lambda n: (n - 1) / n,
        "(n-1)/n",
        "the whole buffer that each rank ends with",
    ),
    CollectiveRow(
        "reduce-scatter",
        "Reduce-scatter",
        "Every rank ends with its part of the sum over all ranks' buffers.",
        ("ring", "hierarchical"),
        lambda n: (n - 1) / n,
        "(n-1)/n",
        "the whole buffer that each rank begins with",
    ),
    CollectiveRow(
        "all-to-all",
        "All-to-all",
        "Every rank sends a part of its buffer to every rank.",
        ("direct",),
        lambda n: (n - 1) / n,
        "(n-1)/n",
        "the buffer of each rank, of which every rank gets an equal part",
    ),
)

ALGORITHMS = (
    AlgorithmRow(
        "ring",
        "Ring",
        "Rings through all ranks, one for each channel; every rank passes parts on to the next. Each channel enters "
        "and leaves a server by NICs of its own, and stays on its rail from server to server.",
    ),
    AlgorithmRow(
        "hierarchical",
        "Hierarchical",
        "Within each server over its scale-up domain, and between servers in one ring for each rail.",
    ),
    AlgorithmRow("direct", "Direct", "Every rank sends to every other rank at once."),
)

PATTERNS = (
    PatternRow("all-to-all", "All-to-all", "Every rank sends one flow to every other rank."),
    PatternRow("shift", "Shift", "Rank i sends to rank i + K, modulo the number of ranks.", "distance", "1"),
    PatternRow("permutation", "Permutation", "Every rank sends to one other rank, drawn at random.", "seed", "1"),
    PatternRow("incast", "Incast", "So many ranks, spread evenly, send to rank 0.", "senders", "16"),
    PatternRow("bisection", "Bisection", "Every rank exchanges with the rank half of all ranks away."),
    PatternRow("broadcast", "Broadcast", "Rank 0 sends one flow to every other rank."),
    PatternRow("pairs", "Pairs from a file", "Flows from a CSV file: source rank, destination rank, bytes.", "file"),
)

ROUTINGS = (
    RoutingRow(
        "spray",
        "Spray",
        "Every flow is split over all equal-cost next hops, by capacity: ideal adaptive routing or packet spraying.",
    ),
    RoutingRow(
        "destination",
        "By destination",
        "One out-port for each switch and destination, as in InfiniBand forwarding tables; D-mod-K on fat-trees.",
    ),
    RoutingRow(
        "ecmp",
        "ECMP",
        "Every flow is hashed onto one of the equal-cost ports at each switch: collisions as on RoCE fabrics.",
    ),
    RoutingRow(
        "dimension-order",
        "Dimension order",
        "On a torus or mesh: dimension after dimension, the shorter way round, ties to +.",
    ),
    RoutingRow(
        "valiant",
        "Valiant",
        "Every flow is split evenly over all third groups of a dragonfly, or third leafs elsewhere, and goes on from "
        "there.",
    ),
    RoutingRow(
        "adaptive",
        "Adaptive (UGAL)",
        "Flows follow minimal paths where these are cool and spill onto Valiant's where that lowers the worst "
        "utilisation; the splits are chosen together, as a fluid.",
    ),
)

ORDERS = ("design", "rail", "topology", "random")
"""How ranks are numbered: as drawn, rail by rail, leaf by leaf, or shuffled by the seed."""


def collective(name: str) -> CollectiveRow | None:
    return next((row for row in COLLECTIVES if row.name == name), None)


def pattern(traffic: str) -> PatternRow | None:
    """The row of a traffic text such as "shift:1"."""
    name = traffic.partition(":")[0]
    return next((row for row in PATTERNS if row.name == name), None)
