"""Policy `tables`: flows go as forwarding tables send them, switch by switch, whatever way that is."""

from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from designer.errors import GraphError, ParameterError
from designer.routing.given import BY_RECEIVER
from designer.routing.legs import Legs, legs
from designer.routing.network import Network
from designer.routing.paths import Paths, of_single_ways
from designer.routing.planes import plane_pick
from designer.routing.tables import kernels
from designer.routing.tables.forwarding import (
    CIRCLE,
    ELSEWHERE,
    NO_ENTRY,
    NO_LID,
    NO_LINK,
    NO_TABLE,
    Forwarding,
)


def route(
    network: Network,
    src: NDArray[np.int64],
    dst: NDArray[np.int64],
    size_bytes: NDArray[np.float64],
    channel: NDArray[np.int64],
    seed: int,
) -> Paths:
    """Paths of flows between endpoints. GPUs with several NICs use them by channel and destination in turn.

    Raises GraphError with the switch and the LID where the tables lead a flow nowhere.
    """
    found = legs(network, src, dst, plane_pick(network, channel, seed, BY_RECEIVER))
    forwarding = forwarding_of(network)
    leg_start, arcs, stuck = kernels.table_paths(arrays_of(forwarding), network.switches.leafs, found.arrays)
    if stuck[0] >= 0:
        _refuse(network, forwarding, found, stuck)
    return of_single_ways(network, found, size_bytes, leg_start, arcs)


def arrays_of(forwarding: Forwarding) -> kernels.TableArrays:
    """The tables as kernels take them."""
    return kernels.TableArrays(forwarding.next_arc, forwarding.head)


def forwarding_of(network: Network) -> Forwarding:
    """The tables of a network. Raises ParameterError where none were given."""
    if network.forwarding is None:
        raise ParameterError("routing by forwarding tables needs the tables: read them from a dump of OpenSM")
    return network.forwarding


def _refuse(network: Network, forwarding: Forwarding, found: Legs, stuck: NDArray[np.int64]) -> NoReturn:
    leg, switch, why = stuck.tolist()
    number = int(found.index[leg])
    tables, graph = forwarding.tables, network.graph
    vertex = network.switches.first + switch
    name, column = graph.device_name(vertex), int(forwarding.column[number])
    if why == NO_LID:
        last = next(arc for arc in found.in_[leg].tolist() if arc >= 0)
        host = graph.device_name(int(graph.target[last]))
        raise GraphError(
            f"{tables.name} has no LID for {host} port {graph.port_text(last ^ 1)}: run OpenSM on the fabric as drawn"
        )
    lid = f"LID {tables.lids[column]} ({tables.owners[column].node})"
    if why == NO_TABLE:
        raise GraphError(f"{tables.name} has no table of {name}, where traffic to {lid} arrives: {_WAY_OUT}")
    port = int(tables.ports[int(forwarding.row[switch])][column])
    if why == NO_ENTRY:
        raise GraphError(f"{tables.name} has no entry at {name} for {lid}: {_WAY_OUT}")
    if why == NO_LINK:
        what = f"the link there is down: {_WITHOUT}" if graph.failed else f"no link is drawn there: {_WAY_OUT}"
        raise GraphError(f"{tables.name} sends {lid} out of {name} port {port}, but {what}")
    if why == ELSEWHERE:
        arc = int(forwarding.next_arc[switch, number])
        drawn = f"{graph.device_name(int(graph.target[arc]))} port {graph.port_text(arc ^ 1)}"
        raise GraphError(f"{tables.name} sends {lid} out of {name} port {port}, where {drawn} is drawn: {_WAY_OUT}")
    assert why == CIRCLE
    raise GraphError(f"{tables.name} sends {lid} round in a circle, past {name}: {_WAY_OUT}")


_WITHOUT = "run OpenSM again on the fabric without it"
_WAY_OUT = "run OpenSM again on the fabric as drawn"
