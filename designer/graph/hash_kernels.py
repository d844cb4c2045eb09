"""A hash of 64 bits, compiled."""

import numpy as np

from designer.graph.compiled import compiled


@compiled
def mixed(value: np.uint64) -> np.uint64:
    """The finalizer of SplitMix64: numbers that differ in a bit give numbers that have nothing in common."""
    value = value + np.uint64(0x9E3779B97F4A7C15)
    value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return value ^ (value >> np.uint64(31))
