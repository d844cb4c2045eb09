"""Who sends to whom in a traffic pattern: how many flows stay inside servers, and who sends to a single receiver."""

from typing import NamedTuple

import numpy as np

from designer.routing.network import Network
from designer.simulation.traffic.phases import AllPairs, Flows
from designer.units import format_count, some_of


class WhoSends(NamedTuple):
    """The flows of a pattern, by where they go."""

    flows: int
    inside: int
    """Flows that stay inside a server, over its scale-up domain."""
    receiver: str = ""
    """The only GPU or host that receives, where there are several flows."""
    receiving_server: str = ""
    senders: tuple[str, ...] = ()
    """The servers whose flows cross the fabric to it."""

    @property
    def text(self) -> str:
        """ "16 to gpu-001 GPU 0: 15 over the fabric from gpu-008, gpu-016, gpu-024 and 12 more, 1 inside gpu-001"."""
        count, over = format_count(self.flows), self.flows - self.inside
        if not self.receiver and not self.inside:
            return f"{count}, all over the fabric"
        if not self.receiver:
            return f"{count}: {format_count(over)} over the fabric, {format_count(self.inside)} inside servers"
        parts = [f"{format_count(over)} over the fabric from {some_of(self.senders)}"] if over else []
        parts += [f"{format_count(self.inside)} inside {self.receiving_server}"] if self.inside else []
        return f"{count} to {self.receiver}: {', '.join(parts)}"


def who_sends(network: Network, traffic: Flows | AllPairs) -> WhoSends:
    """The flows of a pattern, by where they go."""
    ends, graph = network.ends, network.graph
    if isinstance(traffic, AllPairs):
        domain = ends.domain[traffic.members]
        _, sizes = np.unique(domain[domain >= 0], return_counts=True)
        return WhoSends(len(traffic), int((sizes * (sizes - 1)).sum()))
    src, dst = traffic.src, traffic.dst
    inside = (ends.domain[src] >= 0) & (ends.domain[src] == ends.domain[dst])
    flows, n_inside = len(traffic), int(np.count_nonzero(inside))
    if flows < 2 or len(np.unique(dst)) > 1:
        return WhoSends(flows, n_inside)
    servers = dict.fromkeys(graph.device_name(sender) for sender in src[~inside].tolist())
    receiver = int(dst[0])
    return WhoSends(flows, n_inside, graph.vertex_name(receiver), graph.device_name(receiver), tuple(servers))
