"""The routing policies as a table: how each finds paths, and how an all-to-all under it is done without its flows."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from designer.routing import adaptive, destination, dimension_order, ecmp, spray, valiant
from designer.routing.network import Network
from designer.routing.paths import Paths

Route = Callable[
    [Network, NDArray[np.int64], NDArray[np.int64], NDArray[np.float64], NDArray[np.int64], int], Paths
]
"""Paths of flows: route(network, src, dst, size_bytes, channel, seed)."""


@dataclass(frozen=True, slots=True)
class Policy:
    """`prepared` gives the network as the policy sees it, `uniform` how loads of an all-to-all add up.

    "spray", "destination", "valiant" or "adaptive"; "" where each pair's path is its own. A policy that is `wide` puts
    a flow on many arcs. `in_full` finds paths with every bundle in the rows, where `route` leaves some out.
    """

    name: str
    route: Route
    uniform: str = ""
    wide: bool = False
    prepared: Callable[[Network], Network] = lambda network: network
    in_full: Route | None = None


POLICIES = {
    policy.name: policy
    for policy in (
        Policy("spray", spray.route, uniform="spray", in_full=spray.route_in_full),
        Policy("destination", destination.route, uniform="destination"),
        Policy("ecmp", ecmp.route),
        Policy("dimension-order", destination.route, uniform="destination", prepared=dimension_order.prepared),
        Policy("valiant", valiant.route, uniform="valiant", wide=True),
        Policy("adaptive", adaptive.route, uniform="adaptive", wide=True),
    )
}
