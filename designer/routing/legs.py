"""From ranks to legs: which NIC a flow leaves by and which it arrives at."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from designer.errors import GraphError
from designer.routing.attachment import NOWHERE, WIDTH
from designer.routing.network import Network

MOST_NAMED = 3

Pick = Callable[[NDArray[np.int64], NDArray[np.int64]], NDArray[np.int64]]


@dataclass(frozen=True, slots=True, eq=False)
class Legs:
    """A flow's ways onto and off the fabric: one leg, or with spraying one for each pair of NICs.

    Sorted by flow. A leg with `from_leaf` -1 does not enter a switch: it stays inside a server or crosses one cable.
    """

    n_flows: int
    flow: NDArray[np.int64]  # (n_legs,)
    share: NDArray[np.float64]  # (n_legs,) of the flow; 1 in sum
    from_leaf: NDArray[np.int32]  # (n_legs,)
    to_leaf: NDArray[np.int32]  # (n_legs,)
    index: NDArray[np.int64]  # (n_legs,) leaf-port number of the destination's NIC
    out: NDArray[np.int32]  # (n_legs, WIDTH) arcs up to the first leaf, padded with -1
    in_: NDArray[np.int32]  # (n_legs, WIDTH) arcs from the last leaf on


def legs(network: Network, src: NDArray[np.int64], dst: NDArray[np.int64], pick: Pick | None) -> Legs:
    """The legs of flows between endpoints.

    Inside a scale-up domain a flow takes the crossbar. Otherwise it leaves by the sender's own NIC and arrives at the
    receiver's own; where these do not reach each other (another rail of a rail-only fabric) it first crosses the
    crossbar to the GPU of a NIC that does. With several NICs a GPU, the first of one goes with the first of the other,
    and so on: `pick` (of source and destination) says which pair a flow takes, modulo their number; None splits every
    flow evenly over all pairs. Raises GraphError naming two endpoints that cannot reach each other.
    """
    ends = network.ends
    n_flows = len(src)
    inside = (ends.domain[src] >= 0) & (ends.domain[src] == ends.domain[dst])
    if ends.n_ways == 1:
        usable = _joined(network, src, dst, 0)[:, None] & ~inside[:, None]
    else:
        usable = np.stack([_joined(network, src, dst, way) for way in range(ends.n_ways)], axis=1) & ~inside[:, None]
    n_usable = usable.sum(axis=1)
    stuck = ~inside & (n_usable == 0)
    if pick is not None and ends.n_ways > 1:
        rank = np.cumsum(usable, axis=1) - 1
        usable &= rank == (pick(src, dst) % np.maximum(n_usable, 1))[:, None]
        n_usable = np.minimum(n_usable, 1)
    if inside.any() or stuck.any():
        usable[inside | stuck, 0] = True
        n_usable = np.maximum(n_usable, 1)
    flow, way = np.nonzero(usable)
    s, d = src[flow], dst[flow]
    found = Legs(
        n_flows, flow, 1.0 / n_usable[flow], ends.leaf[s, way], ends.leaf[d, way], ends.index[d, way],
        ends.out[s, way], ends.in_[d, way],
    )
    _stay_inside(network, found, inside[flow], s, d)
    _cross_cables(network, found, ~inside[flow] & ~stuck[flow], s, d, way)
    if stuck.any():
        _change_rail(network, found, np.flatnonzero(stuck[flow]), s, d)
    return found


def _joined(network: Network, src: NDArray[np.int64], dst: NDArray[np.int64], way: int) -> NDArray[np.bool_]:
    """Which sources' NICs reach which destinations' NICs, the one numbered `way` of either."""
    ends, switches = network.ends, network.switches
    a, b = ends.leaf[src, way], ends.leaf[dst, way]
    on_switches = (a >= 0) & (b >= 0)
    joined: NDArray[np.bool_] = np.zeros(len(src), dtype=bool)
    if len(switches.leafs):
        hops = switches.distance[np.where(on_switches, b, 0), switches.leafs[np.where(on_switches, a, 0)]]
        joined |= on_switches & (hops >= 0)
    nic = ends.nic[src, way]
    by_cable = (nic >= 0) & ((ends.facing[src, way] == ends.nic[dst, way]) | (nic == ends.nic[dst, way]))
    joined |= by_cable
    return joined


def _stay_inside(
    network: Network, found: Legs, rows: NDArray[np.bool_], s: NDArray[np.int64], d: NDArray[np.int64]
) -> None:
    if rows.any():
        ends = network.ends
        found.from_leaf[rows] = found.to_leaf[rows] = NOWHERE
        found.out[rows] = found.in_[rows] = NOWHERE
        found.out[rows, 0], found.out[rows, 1] = ends.inside(s[rows], d[rows])


def _cross_cables(
    network: Network, found: Legs, rows: NDArray[np.bool_], s: NDArray[np.int64], d: NDArray[np.int64],
    way: NDArray[np.int64],
) -> None:  # fmt: skip
    """Legs whose NICs are joined without a switch: by a cable, or because both GPUs share one NIC."""
    ends = network.ends
    shared = rows & (ends.nic[s, way] == ends.nic[d, way])
    cable = rows & (ends.facing[s, way] == ends.nic[d, way])
    either = shared | cable
    if either.any():
        found.from_leaf[either] = found.to_leaf[either] = NOWHERE
        found.in_[either, 0] = NOWHERE  # the last link is the first one
        found.out[shared, WIDTH - 1] = NOWHERE


def _change_rail(
    network: Network, found: Legs, rows: NDArray[np.int64], s: NDArray[np.int64], d: NDArray[np.int64]
) -> None:
    """Send legs over the crossbar of the sender, or else of the receiver, to a GPU whose NIC reaches the other side.

    Best to the one in the place of the NIC on the other side, so that rails stay even; else to the nearest.
    """
    ends = network.ends
    place = _places_of_nics(network)
    for at_sender in (True, False):
        movable, staying = (s, d) if at_sender else (d, s)
        most = int(ends.domain_size[movable[rows]].max(initial=0))
        for step in range(most):
            gpus, stays = movable[rows], staying[rows]
            first, size = ends.domain_first[gpus], ends.domain_size[gpus]
            other = (first + (gpus - first + step if step else place[stays]) % size).astype(np.int64)
            able = (ends.domain[gpus] >= 0) & (ends.n_own[other] > 0) & (step < size) & (ends.nic[stays, 0] >= 0)
            able &= other != gpus
            for way in range(ends.n_ways):
                a, b = (other, d[rows]) if at_sender else (s[rows], other)
                works = able & _joined(network, a, b, way) & (ends.leaf[a, way] >= 0) & (ends.leaf[b, way] >= 0)
                _place(network, found, rows[works], gpus[works], other[works], way, at_sender, s, d)
                able = able[~works]
                rows, other, gpus = rows[~works], other[~works], gpus[~works]
            if not len(rows):
                return
    _refuse(network, int(s[rows[0]]), int(d[rows[0]]))


def _places_of_nics(network: Network) -> NDArray[np.int64]:
    """(n_endpoints,) by GPU the place in its domain of the GPU whose NIC it uses: its own, or one that lends."""
    ends = network.ends
    gpus = np.arange(len(ends.n_own))
    owner = np.full(network.graph.n_vertices + 1, 0, dtype=np.int64)  # one more, for NIC -1: none
    own = np.flatnonzero(ends.n_own > 0)
    owner[ends.nic[own, 0]] = own
    lender = np.where(ends.n_own > 0, gpus, owner[ends.nic[:, 0]])
    found: NDArray[np.int64] = (lender - ends.domain_first[lender]).astype(np.int64)
    return found


def _place(
    network: Network, found: Legs, rows: NDArray[np.int64], gpus: NDArray[np.int64], other: NDArray[np.int64], way: int,
    at_sender: bool, s: NDArray[np.int64], d: NDArray[np.int64],
) -> None:  # fmt: skip
    ends = network.ends
    a, b = (other, d[rows]) if at_sender else (s[rows], other)
    found.from_leaf[rows], found.to_leaf[rows] = ends.leaf[a, way], ends.leaf[b, way]
    found.index[rows] = ends.index[b, way]
    found.out[rows], found.in_[rows] = ends.out[a, way], ends.in_[b, way]
    if at_sender:
        found.out[rows, 0], found.out[rows, 1] = ends.inside(gpus, other)
    else:
        found.in_[rows, 2], found.in_[rows, 3] = ends.inside(other, gpus)


def _refuse(network: Network, src: int, dst: int) -> NoReturn:
    graph, ends = network.graph, network.ends
    a, b = graph.vertex_name(src), graph.vertex_name(dst)
    failed = _failed(network)
    for gpu, name in ((src, a), (dst, b)):
        if ends.nic[gpu, 0] < 0:
            why = f"{name} is left with no link ({failed} failed)" if failed else f"{name} has no NIC with a link"
            raise GraphError(f"{a} cannot reach {b}: {why}")
    tail = f" ({failed} failed)" if failed else ""
    raise GraphError(f"{a} cannot reach {b}: no links lead from the one to the other{tail}")


def _failed(network: Network) -> str:
    """What has failed, by name: "leaf-01, leaf-02, leaf-03 and 5 more"."""
    graph = network.graph
    names = dict(zip(graph.device_ids, graph.device_names, strict=True)) if graph.failed else {}
    failed = sorted(names.get(one, one) for one in graph.failed)
    more = f" and {len(failed) - MOST_NAMED} more" if len(failed) > MOST_NAMED else ""
    return ", ".join(failed[:MOST_NAMED]) + more
