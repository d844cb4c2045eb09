"""Trees and recursive exchanges as phases: halving-doubling, double binary trees, binomial trees, pipelined chains.

Pipelined algorithms cut what a channel carries into chunks, the last one smaller: all steps of the pipeline run at
once, and before that the first chunk goes through all steps but one, each as long as the slowest. Latency counts once:
that of the line, or of the longest way up a tree and down.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from designer.routing.network import Network
from designer.simulation.catalogue import CHUNK_BYTES
from designer.simulation.traffic.mesh_rings import is_mesh, line_in_server
from designer.simulation.traffic.phases import Flows, Phase, Pipelines, flows
from designer.simulation.traffic.rings import linked_places, ring_orders, servers_of, usual_channels
from designer.units import format_size

TWO_TREES = "two trees, up and down"
TREE_CHUNKS = ((8, 2.0**17), (4, 2.0**16), (1, 2.0**15))
"""Trees halve their chunks while there are fewer of them than so many times the depth, down to so many bytes: as NCCL
does (src/enqueue.cc, "Optimize chunkSize / nSteps")."""

Ranks = NDArray[np.int64]


# -- recursive exchanges -----------------------------------------------------------------------------------------------


def halving_doubling(ranks: Ranks, size_bytes: float) -> list[Phase]:
    """All-reduce: reduce-scatter by recursive halving, all-gather by recursive doubling.

    Of n ranks, 2^k < n, the first n - 2^k odd ones hand their buffer to the rank before them and get the result back.
    Source: R. Thakur, R. Rabenseifner, W. Gropp, "Optimization of Collective Communication Operations in MPICH" (2005).
    """
    inner, extra = _folded(ranks)
    steps = int(math.log2(len(inner)))
    halving = [
        Phase(f"halving, distance {len(inner) >> step}", 1, _exchange(inner, len(inner) >> step, size_bytes / 2**step))
        for step in range(1, steps + 1)
    ]
    doubling = [
        Phase(f"doubling, distance {2**step}", 1, _exchange(inner, 2**step, size_bytes / len(inner) * 2**step))
        for step in range(steps)
    ]
    if not len(extra):
        return [*halving, *doubling]
    hosts = inner[: len(extra)]
    return [
        Phase("fold in", 1, flows(extra, hosts, size_bytes)),
        *halving,
        *doubling,
        Phase("hand back", 1, flows(hosts, extra, size_bytes)),
    ]


def recursive_doubling(ranks: Ranks, size_bytes: float) -> list[Phase]:
    """All-gather of `size_bytes` in all: each step a rank has twice as much; extra ranks as in halving_doubling."""
    inner, extra = _folded(ranks)
    parts = np.ones(len(inner))
    parts[: len(extra)] += 1
    parts *= size_bytes / len(ranks)
    phases = []
    if len(extra):
        phases.append(Phase("fold in", 1, flows(extra, inner[: len(extra)], size_bytes / len(ranks))))
    for step in range(int(math.log2(len(inner)))):
        block = parts.reshape(-1, 2**step).sum(axis=1).repeat(2**step)
        phases.append(Phase(f"doubling, distance {2**step}", 1, _exchange(inner, 2**step, block)))
    if len(extra):
        phases.append(Phase("hand back", 1, flows(inner[: len(extra)], extra, size_bytes)))
    return phases


def recursive_halving(ranks: Ranks, size_bytes: float) -> list[Phase]:
    """Reduce-scatter of `size_bytes` in all: recursive doubling with time reversed."""
    phases = [
        Phase(phase.name, phase.repeat, _reversed(phase.traffic))
        for phase in reversed(recursive_doubling(ranks, size_bytes))
        if isinstance(phase.traffic, Flows)
    ]
    words = {"fold in": "hand back", "hand back": "fold in"}
    return [Phase(words.get(p.name, p.name.replace("doubling", "halving")), p.repeat, p.traffic) for p in phases]


def _folded(ranks: Ranks) -> tuple[Ranks, Ranks]:
    """(a power of two of ranks, those left over, each beside the one of the first that takes it in)."""
    inner = 2 ** int(math.log2(len(ranks)))
    left = len(ranks) - inner
    return np.concatenate([ranks[: 2 * left : 2], ranks[2 * left :]]), ranks[1 : 2 * left : 2]


def _exchange(ranks: Ranks, distance: int, size_bytes: float | NDArray[np.float64]) -> Flows:
    return flows(ranks, ranks[np.arange(len(ranks)) ^ distance], size_bytes)


def _reversed(sent: Flows) -> Flows:
    return Flows(sent.dst, sent.src, sent.size_bytes, sent.channel)


# -- one root ----------------------------------------------------------------------------------------------------------


def binomial_broadcast(ranks: Ranks, size_bytes: float) -> list[Phase]:
    """Rank 0 sends to rank 1, both to the next two, and so on: ceil(log2 n) steps of the whole buffer."""
    phases, have = [], 1
    while have < len(ranks):
        count = min(have, len(ranks) - have)
        phases.append(Phase(f"step of {have}", 1, flows(ranks[:count], ranks[have : have + count], size_bytes)))
        have += count
    return phases


def binomial_reduce(ranks: Ranks, size_bytes: float) -> list[Phase]:
    """The broadcast with time reversed."""
    return [
        Phase(phase.name, phase.repeat, _reversed(phase.traffic))
        for phase in reversed(binomial_broadcast(ranks, size_bytes))
        if isinstance(phase.traffic, Flows)
    ]


def chain(
    network: Network,
    ranks: Ranks,
    size_bytes: float,
    channels: int | None,
    chunk_bytes: float | None = None,
    *,
    to_root: bool,
) -> tuple[list[Phase], int, "Chunking"]:
    """(phases, channels, how what each carries is cut) of a pipelined broadcast from rank 0, or a reduce to it.

    Each channel is a ring opened at rank 0.
    """
    n_channels = channels or usual_channels(network, ranks)
    orders = []
    for ring in ring_orders(network, ranks, n_channels):
        at_root = np.roll(ring, -int(np.flatnonzero(ring == ranks[0])[0]))
        orders.append(at_root[::-1] if to_root else at_root)
    src = np.concatenate([order[:-1] for order in orders])
    dst = np.concatenate([order[1:] for order in orders])
    channel = np.repeat(np.arange(n_channels), len(ranks) - 1)
    cut = Chunking(1 / n_channels, chunk_bytes)
    lines = Pipelines(channel)
    return _pipelined("chain", src, dst, size_bytes, channel, len(ranks) - 1, cut, lines), n_channels, cut


# -- double binary tree ------------------------------------------------------------------------------------------------


def double_binary_tree(
    network: Network, ranks: Ranks, size_bytes: float, channels: int | None, chunk_bytes: float | None = None
) -> tuple[list[Phase], int, "Chunking"]:
    """(phases, channels, how what each tree carries is cut) of an all-reduce over two complementary trees of servers.

    Each tree has half of the buffer. Inside a server a chain leads to the GPU whose NIC the channel leaves by.
    Reduction up and broadcast down overlap, as NCCL pipelines them. Every server is inside one tree and at the rim of
    the other.
    Source: P. Sanders, J. Speck, J. Traeff, "Two-tree algorithms for full bandwidth broadcast" (2009); NCCL, trees.cc.
    """
    servers = servers_of(network, ranks)
    n_channels = channels or usual_channels(network, ranks)
    mesh = is_mesh(network, servers)
    linked = linked_places(network, servers) if len(servers) > 1 else None
    src: list[int] = []
    dst: list[int] = []
    channel: list[int] = []
    onward: list[int] = []
    depth = 0
    for number in range(2 * n_channels):
        which, lane = number % 2, number // 2
        lane = linked[lane % len(linked)] if linked is not None else lane
        heads = [int(server[lane % len(server)]) for server in servers]
        parents = tree_parents(len(servers), mirrored=which == 1)
        up = [(heads[child], heads[parent]) for child, parent in enumerate(parents) if parent >= 0]
        for server in servers:
            line = (line_in_server(server, lane) if mesh else np.roll(server, -(lane % len(server)))).tolist()
            up += list(zip(line[1:], line[:-1], strict=True))
        depth = max(depth, tree_depth(parents) + max(len(server) for server in servers) - 1)
        # Two flows of each edge, up and down; the way goes on by the edge between the parent and its own parent.
        edge_above = {child: len(src) + 2 * place for place, (child, _) in enumerate(up)}
        for a, b in up:
            src += (a, b)
            dst += (b, a)
            channel += (number, number)
            above = edge_above.get(b)
            onward += (-1, -1) if above is None else (above, above + 1)
    ends = np.array(src, dtype=np.int64), np.array(dst, dtype=np.int64)
    lanes = np.array(channel, dtype=np.int64)
    cut = Chunking(1 / (2 * n_channels), chunk_bytes, depth)
    up_or_down = np.arange(len(lanes)) % 2
    ways = Pipelines(lanes, onward=np.array(onward, dtype=np.int64), half=up_or_down)
    return _pipelined(TWO_TREES, *ends, size_bytes, lanes, 2 * depth, cut, ways), n_channels, cut


def tree_parents(count: int, *, mirrored: bool) -> list[int]:
    """The parent of each of `count` nodes in one of two complementary binary trees; -1 at the root."""
    parents = [-1] * count
    for node in range(1, count):
        bit = node & -node
        parent = (node ^ bit) | (bit << 1)
        parents[node] = parent if parent < count else node ^ bit
    if not mirrored:
        return parents
    # An even number of nodes is mirrored, an odd one shifted: leaves become inner nodes either way.
    place = [count - 1 - node if count % 2 == 0 else (node + 1) % count for node in range(count)]
    other = [-1] * count
    for node, parent in enumerate(parents):
        other[place[node]] = place[parent] if parent >= 0 else -1
    return other


def tree_depth(parents: list[int]) -> int:
    """Links between the root and the node farthest from it."""
    deepest = 0
    for start in range(len(parents)):
        node, depth = start, 0
        while parents[node] >= 0:
            node, depth = parents[node], depth + 1
        deepest = max(deepest, depth)
    return deepest


@dataclass(frozen=True, slots=True)
class Chunking:
    """How a pipeline cuts what a channel carries, a `share` of the buffer; `depth` is that of a tree, else 0."""

    share: float
    chunk_bytes: float | None = None
    """As asked for; None for what NCCL does."""
    depth: int = 0
    fill: str = "the first chunk passes one step after the other, each as long as the slowest"
    """What is counted until the pipeline is full, in words."""

    @property
    def meaning(self) -> str:
        """Where the size of a chunk comes from, in words."""
        if self.chunk_bytes is not None:
            return "as asked for"
        usual = f"{format_size(CHUNK_BYTES)} as in NCCL"
        if self.depth:
            return f"{usual}, halved for smaller buffers down to 32 KiB as NCCL does for trees"
        return usual

    def largest_bytes(self, size_bytes: float) -> float:
        """Of a chunk, at a size of the buffer."""
        if self.chunk_bytes is not None:
            return self.chunk_bytes
        chunk = CHUNK_BYTES
        for times, least in TREE_CHUNKS if self.depth else ():
            while size_bytes * self.share / chunk < times * self.depth and chunk > least:
                chunk /= 2
        return chunk

    def first_bytes(self, size_bytes: float) -> float:
        """What the first chunk has."""
        return min(size_bytes * self.share, self.largest_bytes(size_bytes))

    def count(self, size_bytes: float) -> int:
        """Chunks of a channel."""
        return math.ceil(size_bytes * self.share / self.largest_bytes(size_bytes))


def _pipelined(
    name: str,
    src: Ranks,
    dst: Ranks,
    size_bytes: float,
    channel: NDArray[np.int64],
    steps: int,
    cut: Chunking,
    pipelines: Pipelines,
) -> list[Phase]:
    """The way of the first chunk through all steps but one, then all steps at once; latency counts there, once."""
    whole = flows(src, dst, size_bytes * cut.share, channel)
    phases = [Phase(f"{name}, all steps at once", 1, whole, pipelines=pipelines)]
    if steps > 1:
        sent = flows(src, dst, cut.first_bytes(size_bytes), channel)
        no_latency = Pipelines(pipelines.of_flow, rounds=0)
        first = Phase(
            f"{name}, first chunk on its way", steps - 1, sent, cut.first_bytes, is_fill=True, pipelines=no_latency
        )
        phases.insert(0, first)
    return phases
