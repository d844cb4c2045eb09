"""Policy `ecmp`: each flow hashed, at every switch anew, onto one of the equal-cost ports: collisions as with RoCE.

Parallel links count as separate ports. The hash is of source, destination, channel, switch and seed.
"""

import numpy as np
from numpy.typing import NDArray

from designer.routing.legs import legs
from designer.routing.network import Network
from designer.routing.paths import Paths, single_paths

KIND = 1


def route(
    network: Network,
    src: NDArray[np.int64],
    dst: NDArray[np.int64],
    size_bytes: NDArray[np.float64],
    channel: NDArray[np.int64],
    seed: int,
) -> Paths:
    """Paths of flows between endpoints."""
    salt = salts(src, dst, channel, seed)
    found = legs(network, src, dst, lambda _src, _dst: (salt >> np.uint64(1)).astype(np.int64))
    return single_paths(network, found, size_bytes, KIND, salt[found.flow])


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
