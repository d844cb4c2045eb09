"""Hashes of flows, by who sends to whom."""

import numpy as np
from numpy.typing import NDArray


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
