"""An incast that other GPUs of its receiver's server share: the same flows, on more of the server's NICs."""

import numpy as np

from designer.graph.arrays import Graph
from designer.routing.network import network
from designer.simulation.scenario import Scenario
from designer.simulation.traffic.ranks import participants
from designer.simulation.traffic.texts import parts_of, together

SPREAD = {"incast": "server-incast"}


def spread_traffic(traffic: str) -> str:
    """ "server-incast:8+shift:1" of "incast:8+shift:1"; the traffic itself where no incast is in it."""
    return together((SPREAD.get(name, name), value) for name, value in parts_of(traffic))


def receiving_gpus(graph: Graph, scenario: Scenario) -> tuple[str, int]:
    """(the server of rank 0, how many ranks are on it)."""
    devices = graph.device[participants(network(graph), scenario)]
    return graph.device_names[int(devices[0])], int(np.count_nonzero(devices == devices[0]))
