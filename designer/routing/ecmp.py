"""Policy `ecmp`: each flow hashed, at every switch again, onto one of the equal-cost ports: collisions as with RoCE.

Parallel links count as separate ports. The hash is of source, destination, channel, switch and seed. A connection of
several queue pairs is hashed once for each, as each has a UDP source port of its own, and they share its bytes evenly;
the flow ends when all of them have sent theirs, so that the slowest sets its pace.
Source: NCCL's environment variable NCCL_IB_QPS_PER_CONNECTION, "to have good routing entropy".
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from designer.routing import kernels
from designer.routing.legs import legs
from designer.routing.network import Network
from designer.routing.paths import Paths, single_paths
from designer.routing.transport_kernels import Rows

KIND = 1
APART = 0x9E3779B9
# Seeds of queue pairs are so far apart that nobody counts from one to the next.


def route(
    network: Network,
    src: NDArray[np.int64],
    dst: NDArray[np.int64],
    size_bytes: NDArray[np.float64],
    channel: NDArray[np.int64],
    seed: int,
) -> Paths:
    """Paths of flows between endpoints."""
    if network.switching.queue_pairs > 1:
        return _by_queue_pair(network, src, dst, size_bytes, channel, seed)
    salt = salts(src, dst, channel, seed)
    found = legs(network, src, dst, lambda _src, _dst: (salt >> np.uint64(1)).astype(np.int64))
    return single_paths(network, found, size_bytes, KIND, salt[found.flow])


def one_queue_pair(network: Network) -> Network:
    """The network where each connection has one queue pair."""
    return replace(network, switching=replace(network.switching, queue_pairs=1))


def seed_of(seed: int, queue_pair: int) -> int:
    """The seed by which the flows of a queue pair are hashed: that of the first is the one given."""
    return seed + queue_pair * APART


def _by_queue_pair(
    network: Network,
    src: NDArray[np.int64],
    dst: NDArray[np.int64],
    size_bytes: NDArray[np.float64],
    channel: NDArray[np.int64],
    seed: int,
) -> Paths:
    """Paths of flows whose queue pairs take one way each."""
    alone, count = one_queue_pair(network), network.switching.queue_pairs
    each = [route(alone, src, dst, size_bytes / count, channel, seed_of(seed, number)) for number in range(count)]
    n_flows, n_arcs = len(src), network.graph.n_arcs
    flow = np.concatenate([np.repeat(np.arange(n_flows), np.diff(paths.start)) for paths in each])
    order = np.argsort(flow, kind="stable")
    start = np.searchsorted(flow[order], np.arange(n_flows + 1)).astype(np.int64)
    arcs, weights = (np.concatenate([getattr(paths, name) for paths in each])[order] for name in ("arcs", "weights"))
    rows = kernels.merged(Rows(start, arcs, weights / count), n_arcs)
    latency_ns = np.max([paths.latency_ns for paths in each], axis=0)
    return Paths(*rows, latency_ns, np.sum([paths.bytes_on for paths in each], axis=0), each[0].stands_for)


def salts(src: NDArray[np.int64], dst: NDArray[np.int64], channel: NDArray[np.int64], seed: int) -> NDArray[np.uint64]:
    """(n_flows,) what stands for a flow in the hash: its "five tuple" and the seed."""
    # Mixed first: seeds that differ in few bits would else only exchange the flows of some endpoints.
    salt = mixed(np.full(len(src), seed % 2**64, dtype=np.uint64))
    for part in (src, dst, channel):
        salt = mixed(salt ^ part.astype(np.uint64))
    return salt


def mixed(value: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The finisher of splitmix64, number by number."""
    with np.errstate(over="ignore"):
        value = value + np.uint64(0x9E3779B97F4A7C15)
        value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return value ^ (value >> np.uint64(31))
