"""Policy `spray`: every flow split over all equal-cost next hops, as ideal adaptive routing or packet spraying does.

Parallel links are one bundle; a next hop gets its share by the capacity of its bundle.
"""

import numpy as np
from numpy.typing import NDArray

from designer.routing.given import SPLIT
from designer.routing.legs import Legs, legs
from designer.routing.network import Network
from designer.routing.paths import Commodities, Paths, sprayed_paths
from designer.routing.planes import plane_pick


def route(
    network: Network,
    src: NDArray[np.int64],
    dst: NDArray[np.int64],
    size_bytes: NDArray[np.float64],
    channel: NDArray[np.int64],
    seed: int,
) -> Paths:
    """Paths of flows between endpoints; channel and seed count only where messages pick a plane."""
    return sprayed_paths(network, _legs(network, src, dst, channel, seed), size_bytes)


def route_in_full(
    network: Network,
    src: NDArray[np.int64],
    dst: NDArray[np.int64],
    size_bytes: NDArray[np.float64],
    channel: NDArray[np.int64],
    seed: int,
) -> Paths:
    """The same paths with every bundle in the rows."""
    return sprayed_paths(network, _legs(network, src, dst, channel, seed), size_bytes, thin=False)


def _legs(
    network: Network, src: NDArray[np.int64], dst: NDArray[np.int64], channel: NDArray[np.int64], seed: int
) -> Legs:
    return legs(network, src, dst, plane_pick(network, channel, seed, SPLIT))


def detoured(
    _network: Network, _legs: Legs, _size_bytes: NDArray[np.float64], sets: Commodities
) -> NDArray[np.float64]:
    """(n_commodities,) zeros: nothing leaves the minimal ways."""
    return np.zeros(sets.count)
