"""Which GPUs take part, and in what order."""

import numpy as np
from numpy.typing import NDArray

from designer.errors import GraphError, ParameterError
from designer.graph.arrays import linked_devices
from designer.graph.components import component_of
from designer.model.networks import COMPUTE, WORDS
from designer.routing.network import Network
from designer.simulation.scenario import Scenario
from designer.simulation.traffic.texts import file_read_by
from designer.units import format_count, format_counted

MOST_NAMED = 4
"""Servers that are named before the rest is counted."""


def participants(network: Network, scenario: Scenario) -> NDArray[np.int64]:
    """Endpoints in rank order.

    Raises GraphError where there are too few or the network asked for is not there, ParameterError for ranks there are
    not.
    """
    n = network.graph.n_endpoints
    if n < 2:
        raise GraphError("there is nothing to simulate: the design has fewer than two GPUs or hosts")
    if scenario.network != COMPUTE and not network.graph.link_ids:
        raise GraphError(f"this design has no {WORDS[scenario.network]}: no link of it is drawn")
    chosen = scenario.ranks
    if chosen is None:
        members = np.setdiff1d(np.arange(n, dtype=np.int64), _unasked(network, scenario))
    elif isinstance(chosen, int):
        if chosen > n:
            raise ParameterError(f"{format_count(chosen)} ranks were asked for, the design has {format_count(n)} GPUs")
        members = np.arange(chosen, dtype=np.int64)
    else:
        members = _listed(chosen, n)
    if scenario.largest_part:
        if scenario.traffic and file_read_by(scenario.traffic):
            raise ParameterError("a file of flows names GPUs by their numbers and cannot run on the largest part only")
        members = members[_in_largest_part(network, members)]
    if len(members) < 2:
        raise ParameterError("a simulation needs at least two ranks")
    return _ordered(network, members, scenario)


def unconnected(network: Network) -> NDArray[np.int64]:
    """Endpoints of servers that are not connected to the fabric, which take no part unless they are asked for.

    None where no server is connected, or where a failure is what cut a server off: that is not passed over.
    """
    graph, ends = network.graph, network.ends
    n = graph.n_endpoints
    linked = linked_devices(graph) | graph.linked_when_whole
    apart = ~np.isin(graph.device[:n], sorted(linked)) & (ends.nic[:, 0] < 0)
    return np.flatnonzero(apart) if not apart.all() else np.empty(0, dtype=np.int64)


def left_out(network: Network, scenario: Scenario) -> tuple[str, ...]:
    """The names of the servers that are not connected to the others and are left out of a scenario.

    These are those without a link where all GPUs are asked for, and those outside the largest part where that is run.
    """
    graph = network.graph
    apart = _unasked(network, scenario)
    if scenario.largest_part:
        apart = np.setdiff1d(_asked(network, scenario), participants(network, scenario))
    devices = np.unique(graph.device[apart])
    return tuple(graph.device_names[device] for device in devices.tolist())


def left_out_note(names: tuple[str, ...]) -> str:
    """ "2 servers are not connected to the others and are left out: gpu-05, gpu-06"."""
    are = "is not connected to the others and is" if len(names) == 1 else "are not connected to the others and are"
    shown = ", ".join(names[:MOST_NAMED]) + (f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else "")
    return f"{format_counted(len(names), 'server')} {are} left out: {shown}"


def _asked(network: Network, scenario: Scenario) -> NDArray[np.int64]:
    """Endpoints that the scenario asks for, whether connected or not."""
    if isinstance(scenario.ranks, tuple):
        return np.array(scenario.ranks, dtype=np.int64)
    return np.arange(network.graph.n_endpoints if scenario.ranks is None else scenario.ranks, dtype=np.int64)


def _in_largest_part(network: Network, members: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which members are in the part of the fabric that has most of them; of equally large parts the first."""
    graph = network.graph
    part = component_of(graph.source, graph.target, graph.n_vertices)[members]
    found: NDArray[np.bool_] = part == np.bincount(part).argmax()
    return found


def _unasked(network: Network, scenario: Scenario) -> NDArray[np.int64]:
    """Endpoints that are left out without being asked for.

    A file of flows names GPUs by their numbers, so that none is left out there.
    """
    if scenario.ranks is not None or (scenario.traffic and file_read_by(scenario.traffic)):
        return np.empty(0, dtype=np.int64)
    return unconnected(network)


def _listed(chosen: tuple[int, ...], n: int) -> NDArray[np.int64]:
    seen: set[int] = set()
    for rank in chosen:
        if not 0 <= rank < n:
            raise ParameterError(f"there is no GPU {rank}: the design's are numbered 0 to {n - 1}")
        if rank in seen:
            raise ParameterError(f"GPU {rank} is listed twice among the ranks")
        seen.add(rank)
    return np.array(chosen, dtype=np.int64)


def _ordered(network: Network, members: NDArray[np.int64], scenario: Scenario) -> NDArray[np.int64]:
    graph, ends = network.graph, network.ends
    if scenario.order == "rail":
        return members[np.lexsort((graph.device[members], graph.local[members]))]
    if scenario.order == "topology":
        on_leaf = ends.leaf[members, 0] >= 0
        return members[np.lexsort((members, ends.index[members, 0], ~on_leaf))]
    if scenario.order == "random":
        return np.random.default_rng(scenario.seed % 2**64).permutation(members)
    return members
