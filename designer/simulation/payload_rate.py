"""What arcs carry of payload: line rate times the share that headers leave."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from designer.graph.arrays import EITHER, ETHERNET, INFINIBAND, INTERNAL, SCALE_UP, Graph
from designer.units import BYTES_PER_S_PER_GBPS

INFINIBAND_EFFICIENCY = 0.9937
# 4096 bytes of payload and 26 of headers (LRH, BTH, ICRC, VCRC) in each packet.
ROCE_EFFICIENCY = 0.9804
# 4096 bytes of payload and 82 of headers (RoCEv2 over IPv4, with preamble and gap) in each packet.

BY_PROTOCOL = {
    INFINIBAND: ("InfiniBand, MTU 4096", INFINIBAND_EFFICIENCY),
    ETHERNET: ("RoCEv2, MTU 4096", ROCE_EFFICIENCY),
    EITHER: ("types of either protocol, no headers counted", 1.0),
}


@dataclass(frozen=True, slots=True, eq=False)
class PayloadRate:
    """`capacity` (n_arcs,) is payload in bytes/s, one direction; `efficiency` says how it came from the line rate."""

    capacity: NDArray[np.float64]
    efficiency: dict[str, float]


def payload_rate(graph: Graph, efficiency: float | None) -> PayloadRate:
    """The payload capacities of a graph's arcs; `efficiency` None goes by protocol. Scale-up domains count in full."""
    factor = np.ones(graph.n_arcs)
    stated: dict[str, float] = {}
    present = np.bincount(graph.protocol, minlength=SCALE_UP + 1)
    for protocol, (name, usual) in BY_PROTOCOL.items():
        if present[protocol]:
            factor[graph.protocol == protocol] = usual if efficiency is None else efficiency
            if efficiency is None:
                stated[name] = usual
    if efficiency is not None:
        stated["all links"] = efficiency
    if present[SCALE_UP]:
        stated["scale-up domains"] = 1.0
    assert present[INTERNAL] == np.count_nonzero(np.isinf(graph.capacity_gbps))
    return PayloadRate(graph.capacity_gbps * BYTES_PER_S_PER_GBPS * factor, stated)
