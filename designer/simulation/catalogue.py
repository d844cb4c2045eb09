"""What can be simulated, as tables: the panel, the command line and the help build their choices from these rows."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from designer.errors import PluginError
from designer.fields.field import Word
from designer.late import Late
from designer.plugins import Entry, Table, guarded, of_kind

policies = Late("designer.routing.policies")


@dataclass(frozen=True, slots=True)
class CollectiveRow:
    """`built_in[0]` is used where no algorithm is asked for; `size_means` is what nccl-tests counts as the size."""

    name: str
    title: str
    explanation: str
    built_in: tuple[str, ...]
    """The program's own algorithms of it."""
    busbw_factor: Callable[[int], float]
    factor_text: str
    size_means: str

    @property
    def algorithms(self) -> tuple[str, ...]:
        """All algorithms of it: built in, then those of plug-ins."""
        return (*self.built_in, *(row.name for row in ALGORITHMS.added if self.name in row.plans))


@dataclass(frozen=True, slots=True)
class AlgorithmRow:
    """A collective algorithm; a plug-in gives its functions as `plans`, built-in ones are in collectives.PLANS."""

    name: str
    title: str
    explanation: str
    plans: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    """By collective: (network, scenario, ranks) -> collectives.Plan; raises GraphError where the ranks do not fit."""


@dataclass(frozen=True, slots=True)
class PatternRow:
    """`parameter` is what follows the colon ("" where nothing does), `default` its usual value."""

    name: str
    title: str
    explanation: str
    parameter: str = ""
    default: str = ""

    @property
    def listed(self) -> str:
        """How a list of collectives and patterns names it: "All-to-all (pattern)"."""
        return f"{self.title} (pattern)"

    @property
    def tip(self) -> str:
        """What a pattern is, next to a collective of the same name."""
        return f"{self.explanation} A pattern of flows, each of the size given: no algorithm and no bus bandwidth."

    def traffic(self, n_ranks: int) -> str:
        """The pattern with its usual parameter, or the most that so many ranks allow: "incast:15" of 16."""
        if not self.parameter:
            return self.name
        fits = self.parameter in ("senders", "distance")
        return f"{self.name}:{max(1, min(int(self.default), n_ranks - 1)) if fits else self.default}"


@dataclass(frozen=True, slots=True)
class RoutingRow:
    """A routing policy as it is shown; what it does is in routing.policies."""

    name: str
    title: str
    explanation: str
    takes_tables: bool = False
    """It goes by forwarding tables that are read from a file first."""
    settings: tuple[str, ...] = ()
    """The fields of a scenario that mean something to it and not to every routing."""


@dataclass(frozen=True, slots=True)
class CongestionRow:
    """A model of what full buffers do."""

    name: str
    title: str
    explanation: str


IDEAL = "ideal"
MODELS = (
    Word(IDEAL, "Ideal", "Flows at the payload rate of the links; start-up and protocols are not counted."),
    Word("nccl", "NCCL", "As NCCL chooses and runs it on NVIDIA GPUs, with the efficiency that was measured."),
    Word("rccl", "RCCL", "As RCCL chooses and runs it on AMD GPUs, with the efficiency that was measured."),
)
"""What gives the times of a collective."""
LIBRARY_NAMES = {"ring": "ring", "double-binary-tree": "tree"}
"""Algorithms that the libraries have too, by their name there: with these models others cannot be asked for."""

COLLECTIVES = (
    CollectiveRow(
        "all-reduce",
        "All-reduce",
        "Every rank ends with the sum over all ranks' buffers.",
        (
            "ring",
            "hierarchical",
            "hierarchical-pipelined",
            "double-binary-tree",
            "halving-doubling",
            "direct",
            "bucket",
        ),
        lambda n: 2 * (n - 1) / n,
        "2(n-1)/n",
        "the buffer of each rank",
    ),
    CollectiveRow(
        "all-gather",
        "All-gather",
        "Every rank ends with all ranks' parts side by side.",
        ("ring", "hierarchical", "hierarchical-pipelined", "recursive", "direct", "bucket"),
        lambda n: (n - 1) / n,
        "(n-1)/n",
        "the whole buffer that each rank ends with",
    ),
    CollectiveRow(
        "reduce-scatter",
        "Reduce-scatter",
        "Every rank ends with its part of the sum over all ranks' buffers.",
        ("ring", "hierarchical", "hierarchical-pipelined", "recursive", "direct", "bucket"),
        lambda n: (n - 1) / n,
        "(n-1)/n",
        "the whole buffer that each rank begins with",
    ),
    CollectiveRow(
        "all-to-all",
        "All-to-all",
        "Every rank sends a part of its buffer to every rank.",
        ("direct", "hierarchical"),
        lambda n: (n - 1) / n,
        "(n-1)/n",
        "the buffer of each rank, of which every rank gets an equal part",
    ),
    CollectiveRow(
        "broadcast",
        "Broadcast",
        "Every rank ends with rank 0's buffer.",
        ("chain", "binomial-tree"),
        lambda n: 1.0,
        "1",
        "the buffer of rank 0",
    ),
    CollectiveRow(
        "reduce",
        "Reduce",
        "Rank 0 ends with the sum over all ranks' buffers.",
        ("chain", "binomial-tree"),
        lambda n: 1.0,
        "1",
        "the buffer of each rank",
    ),
    CollectiveRow(
        "send-recv",
        "Send-receive",
        "Every rank sends its buffer to the next one, as stages of a pipeline do.",
        ("neighbours",),
        lambda n: 1.0,
        "1",
        "what each rank sends",
    ),
)

BUILT_IN_ALGORITHMS = (
    AlgorithmRow(
        "ring",
        "Ring",
        "Rings through all ranks, one for each channel; every rank passes parts on to the next. Each channel enters "
        "and leaves a server by NICs of its own, and stays on its rail from server to server.",
    ),
    AlgorithmRow(
        "hierarchical",
        "Hierarchical",
        "Within each server over its scale-up domain, and between servers along each rail: in rings, or for "
        "all-to-all by the GPU on the destination's rail.",
    ),
    AlgorithmRow(
        "hierarchical-pipelined",
        "Hierarchical, pipelined",
        "As hierarchical, but in chunks: while one is on the rails, others pass through the scale-up domains.",
    ),
    AlgorithmRow("direct", "Direct", "Every rank sends to every other rank at once."),
    AlgorithmRow(
        "double-binary-tree",
        "Double binary tree",
        "Two complementary trees over the servers, each with half of the buffer, pipelined up and down at once; a "
        "chain inside each server.",
    ),
    AlgorithmRow(
        "halving-doubling",
        "Halving-doubling",
        "Exchanges with ranks half of all away, a quarter, ..., each half as large, and back.",
    ),
    AlgorithmRow("recursive", "Recursive", "Exchanges with ranks 1, 2, 4, ... away, or the other way round."),
    AlgorithmRow(
        "bucket",
        "Bucket (torus)",
        "Rings along every dimension of a torus at once, both ways round, one after the other for each part.",
    ),
    AlgorithmRow("chain", "Chain", "A pipeline through all ranks, one for each channel."),
    AlgorithmRow("binomial-tree", "Binomial tree", "Each step all that have it send to as many that do not."),
    AlgorithmRow("neighbours", "Neighbors", "Rank i to rank i + 1, all at once."),
)


def _accept_algorithm(made: object, entry: Entry) -> AlgorithmRow:
    row = of_kind(made, AlgorithmRow)
    known = [one.name for one in COLLECTIVES]
    unknown = [name for name in row.plans if name not in known]
    if unknown or not row.plans:
        raise PluginError(f"its plans should be by collective, of {', '.join(known)}")
    # What it returns is a Plan, but that class is not loaded before somebody simulates.
    return replace(row, plans={name: guarded(plan, entry) for name, plan in row.plans.items()})


ALGORITHMS: Table[AlgorithmRow] = Table("fabric_designer.collective_algorithms", BUILT_IN_ALGORITHMS, _accept_algorithm)

CHUNK_BYTES = 2.0**19
"""What the algorithms in CHUNKED pass on at a time unless asked: an eighth of NCCL's buffer of 4 MiB."""
CHUNKED = ("chain", "double-binary-tree", "hierarchical-pipelined")
"""Algorithms that cut what a channel, or a rail, carries into chunks."""

IN_NETWORK = {
    "ring": "in place of the steps of the ring every rank's buffer passes once up to the switches that add up, and the "
    "sum once down, all at once",
    "hierarchical": "along the rails each part passes once up to the switches that add up, and its sum once down; the "
    "steps in the servers are as without",
    "double-binary-tree": "the inner nodes of the two trees are switches: every rank's buffer passes once up and the "
    "sum once down, all at once",
}
"""Algorithms of all-reduce that in-network reduction (SHARP, NVLS) goes with, and what it does to each.

The others move parts that no switch could add up on the way.
"""

IN_NETWORK_LATENCY = (
    "one way up and down, the longest between neighbors of the ring; adding up in switches and filling the "
    "pipeline count 0"
)

PATTERNS = (
    PatternRow("all-to-all", "All-to-all", "Every rank sends one flow to every other rank."),
    PatternRow("shift", "Shift", "Rank i sends to rank i + K, modulo the number of ranks.", "distance", "1"),
    PatternRow("permutation", "Permutation", "Every rank sends to one other rank, chosen at random.", "seed", "1"),
    PatternRow("incast", "Incast", "So many ranks, spread evenly, send to rank 0.", "senders", "16"),
    PatternRow(
        "server-incast",
        "Incast on a server",
        "So many ranks, spread evenly, send to the ranks of rank 0's server in turn.",
        "senders",
        "16",
    ),
    PatternRow("bisection", "Bisection", "Every rank exchanges with the rank half of all ranks away."),
    PatternRow("broadcast", "Broadcast", "Rank 0 sends one flow to every other rank."),
    PatternRow("pairs", "Pairs from a file", "Flows from a CSV file: source rank, destination rank, bytes.", "file"),
)

BUILT_IN_ROUTINGS = (
    RoutingRow(
        "spray",
        "Spray",
        "Every flow is split over all equal-cost next hops, by capacity: ideal adaptive routing or packet spraying.",
    ),
    RoutingRow(
        "weighted-spray",
        "Weighted spray",
        "Every flow is split over all equal-cost next hops, by what can go on from each to the destination: a missing "
        "link costs no more than its own rate.",
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
        settings=("queue_pairs", "hash_fields", "hash_function", "hash_seeds"),
    ),
    RoutingRow(
        "flowlet",
        "Flowlet",
        "Every flow goes in flowlets, and each switch chooses a port for each of them: loads are as uneven as flowlets "
        "are, which the result states.",
        settings=("flowlet_bytes", "port_choice"),
    ),
    RoutingRow(
        "packet-spray",
        "Packet spray",
        "Every flow goes in packets, and each switch chooses a port for each of them: spray with the unevenness that "
        "real packets leave, which the result states.",
        settings=("packet_bytes", "port_choice"),
    ),
    RoutingRow(
        "dimension-order",
        "Dimension order",
        "On a torus or mesh: dimension after dimension, the shorter way round, ties to +.",
    ),
    RoutingRow(
        "valiant",
        "Valiant",
        "Every flow is split evenly over all third groups of a dragonfly, or third leaf switches elsewhere, and goes "
        "on from "
        "there.",
    ),
    RoutingRow(
        "adaptive",
        "Adaptive (UGAL)",
        "Flows follow minimal paths where these are cool and spill onto Valiant's where that lowers the worst "
        "utilization; the splits are chosen together, as a fluid.",
    ),
    RoutingRow(
        "tables",
        "Tables of OpenSM",
        "Out-ports by switch and LID as a subnet manager set them, read from its dump: loads under the routing that "
        "will run.",
        takes_tables=True,
    ),
)


def _accept_policy(policy: object, entry: Entry) -> RoutingRow:
    accepted = policies.accept(policy, entry)
    return RoutingRow(accepted.name, accepted.title or accepted.name, accepted.explanation)


ROUTINGS: Table[RoutingRow] = Table("fabric_designer.routing_policies", BUILT_IN_ROUTINGS, _accept_policy)


ROUTING_SETTINGS = tuple(dict.fromkeys(name for row in BUILT_IN_ROUTINGS for name in row.settings))
"""The fields of a scenario that mean something to some routings alone."""


def routing_settings(routing: str) -> tuple[str, ...]:
    """Those that mean something to a routing."""
    return next((row.settings for row in BUILT_IN_ROUTINGS if row.name == routing), ())


def takes_tables(routing: str) -> bool:
    """Whether a policy of that name goes by forwarding tables that are read from a file."""
    return any(row.name == routing and row.takes_tables for row in BUILT_IN_ROUTINGS)


def routings_alone() -> Iterator[RoutingRow]:
    """Those that need no file."""
    return (row for row in ROUTINGS if not row.takes_tables)


CONGESTIONS = (
    CongestionRow("none", "Does not spread", "A full port slows the flows that use it and no others."),
    CongestionRow(
        "head-of-line",
        "Spreads (head of line)",
        "Lossless without congestion control: a full port pauses the cables that feed it, and no flow on a paused "
        "cable is faster than the slowest flow waiting on it; this spreads until the buffers are full back to the "
        "senders.",
    ),
)
"""Whether congestion spreads to flows that do not use the hot port."""

ORDERS = (
    Word("design", "as drawn", "The order in which servers were added to the design."),
    Word("rail", "by rail", "Rail by rail."),
    Word("topology", "by leaf", "Leaf by leaf."),
    Word("random", "random", "Shuffled by the seed."),
)
"""How ranks are numbered."""


def algorithms() -> list[AlgorithmRow]:
    """All algorithms, in the order in which the collectives name them."""
    names = dict.fromkeys(name for row in COLLECTIVES for name in row.algorithms)
    return [row for name in names if (row := ALGORITHMS.named(name)) is not None]


def model_title(name: str) -> str:
    """The title of a model."""
    return next((row.title for row in MODELS if row.name == name), name)


def collective(name: str) -> CollectiveRow | None:
    """The collective of that name; None where there is none."""
    return next((row for row in COLLECTIVES if row.name == name), None)


def pattern(traffic: str) -> PatternRow | None:
    """The row of a traffic text such as "shift:1"."""
    name = traffic.partition(":")[0]
    return next((row for row in PATTERNS if row.name == name), None)
