"""What arcs carry of payload: line rate times the share that headers leave."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from designer.graph.arrays import EITHER, ETHERNET, INFINIBAND, INTERNAL, SCALE_UP, Graph
from designer.units import BYTES_PER_S_PER_GBPS, format_capacity

INFINIBAND_EFFICIENCY = 0.9937
# 4096 bytes of payload and 26 of headers (LRH, BTH, ICRC, VCRC) in each packet.
ROCE_EFFICIENCY = 0.9804
# 4096 bytes of payload and 82 of headers (RoCEv2 over IPv4, with preamble and gap) in each packet.

SAME_SHARE = 1e-6
"""Shares of the line rate that differ by less are the same."""
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


def payload_text(graph: Graph, arc: int, capacity: float) -> str:
    """ "397.5 Gb/s (400 Gb/s less packet headers)": what an arc carries of payload, in bytes/s, and why no more."""
    carried, line = format_capacity(capacity / BYTES_PER_S_PER_GBPS), format_capacity(float(graph.capacity_gbps[arc]))
    if carried == line:
        return carried
    share = capacity / (float(graph.capacity_gbps[arc]) * BYTES_PER_S_PER_GBPS)
    _, usual = BY_PROTOCOL.get(int(graph.protocol[arc]), ("", 1.0))
    why = f"{line} less packet headers" if abs(share - usual) < SAME_SHARE else f"{share:.4g} of {line}"
    return f"{carried} ({why})"


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
