"""Multi-dimensional bucket algorithms on a torus or mesh: rings along every dimension at once.

The buffer is cut into one part for each dimension and direction. Part p is reduce-scattered along dimension p, then
along the next with what is left of it, and so on; all-gathered the same way back. So all links carry all the time, and
on a torus of N nodes with B bytes/s a link an all-reduce of S bytes takes 2 S (N - 1) / (N * 2n * B).
Source: N. Jain, Y. Sabharwal, "Optimal bucket algorithms for large MPI collectives on torus interconnects" (2010).
"""

import math

import numpy as np
from numpy.typing import NDArray

from designer.errors import GraphError
from designer.routing import dimension_order
from designer.routing.network import Network
from designer.simulation.traffic.phases import Phase, Pipelines, flows


def bucket_phases(
    network: Network, ranks: NDArray[np.int64], size_bytes: float, collective: str, wanted: tuple[int, ...] | None
) -> list[Phase]:
    """The phases of an all-reduce, reduce-scatter or all-gather, over the ranks in `wanted` dimensions if there are.

    Raises GraphError where the ranks fill no torus, or not those dimensions.
    """
    table = rank_table(network, ranks) if wanted is None else _in_rank_order(ranks, wanted)
    dims = table.shape
    n_parts = 2 * len(dims)
    scatter = []
    for stage in range(len(dims)):
        sent = []
        for part in range(n_parts):
            dimension = (part // 2 + stage) % len(dims)
            done = np.prod([dims[(part // 2 + earlier) % len(dims)] for earlier in range(stage)])
            length = dims[dimension]
            step = 1 if part % 2 == 0 else -1
            total = size_bytes / n_parts / done * (length - 1) / length
            sent.append((table, np.roll(table, -step, axis=dimension), total, length - 1))
        # Rings of unequal length take turns of their own; here the longest one's, with what each has to send.
        turns = max(length for *_, length in sent)
        src = np.concatenate([a.reshape(-1) for a, *_ in sent])
        dst = np.concatenate([b.reshape(-1) for _, b, *_ in sent])
        sizes = np.repeat([total / turns for *_, total, _ in sent], table.size)
        numbers = [_ring_numbers(dims, (part // 2 + stage) % len(dims)) for part in range(n_parts)]
        rings = np.concatenate([part * table.size + ring for part, ring in enumerate(numbers)])
        pipelines = Pipelines(np.unique(rings, return_inverse=True)[1])
        scatter.append((turns, flows(src, dst, sizes, np.repeat(np.arange(n_parts), table.size)), pipelines))
    down = [
        Phase(f"reduce-scatter, stage {number + 1}", turns, sent, pipelines=rings)
        for number, (turns, sent, rings) in enumerate(scatter)
    ]
    up = [
        Phase(f"all-gather, stage {number + 1}", turns, sent, pipelines=rings)
        for number, (turns, sent, rings) in enumerate(reversed(scatter))
    ]
    return {"all-reduce": [*down, *up], "reduce-scatter": down, "all-gather": up}[collective]


def _ring_numbers(dims: tuple[int, ...], dimension: int) -> NDArray[np.int64]:
    """Which ring along a dimension each place is on, by the coordinates that stay the same."""
    n_rings = math.prod(dims) // dims[dimension]
    others = np.arange(n_rings).reshape([1 if at == dimension else size for at, size in enumerate(dims)])
    return np.broadcast_to(others, dims).reshape(-1)


def _in_rank_order(ranks: NDArray[np.int64], dims: tuple[int, ...]) -> NDArray[np.int64]:
    if math.prod(dims) != len(ranks):
        raise GraphError(f"bucket in {'x'.join(map(str, dims))} needs {math.prod(dims)} ranks, there are {len(ranks)}")
    return ranks.reshape([size for size in dims if size > 1])


def rank_table(network: Network, ranks: NDArray[np.int64]) -> NDArray[np.int64]:
    """The ranks by coordinates of their routers. Raises GraphError where they do not fill a torus, one a router."""
    try:
        coordinates, _sizes = dimension_order.coordinates(network)
    except GraphError:
        raise GraphError(
            "bucket needs a torus or a mesh, and the links drawn here make none: choose another algorithm, or give "
            "the ranks dimensions, as in bucket:4x4"
        ) from None
    leaf = network.ends.leaf[ranks, 0]
    if (leaf < 0).any():
        raise GraphError("bucket needs every rank on a router of the torus")
    places = coordinates[network.switches.leafs[leaf]]
    low, high = places.min(axis=0), places.max(axis=0)
    shape = tuple(int(size) for size in high - low + 1)
    if np.prod(shape) != len(ranks) or len({tuple(place) for place in places.tolist()}) != len(ranks):
        raise GraphError(
            f"bucket needs one rank on every router of a torus or of a block of one; {len(ranks)} ranks do not fill "
            f"{' x '.join(map(str, shape))}: choose other ranks, or another algorithm"
        )
    table = np.empty(shape, dtype=np.int64)
    table[tuple((places - low).T)] = ranks
    kept = tuple(size for size in shape if size > 1)
    return table.reshape(kept)
