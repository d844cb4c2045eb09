"""From ranks to legs: which NIC a flow leaves by and which it arrives at."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from designer.errors import GraphError, PartsError
from designer.graph.components import component_of
from designer.routing import pairing
from designer.routing.attachment import WIDTH, Attachment
from designer.routing.kernels import LegArrays
from designer.routing.lending import NOWHERE
from designer.routing.mates import Mates, crossbar_mates, drawn_mates, linked
from designer.routing.network import Network
from designer.routing.pairing import NicPairs
from designer.units import format_count, format_counted

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

    @property
    def arrays(self) -> LegArrays:
        """What kernels read of them."""
        return LegArrays(self.from_leaf, self.to_leaf, self.index, self.out, self.in_, self.share)


def legs(network: Network, src: NDArray[np.int64], dst: NDArray[np.int64], pick: Pick | None) -> Legs:
    """The legs of flows between endpoints.

    Inside a scale-up domain a flow takes the crossbar. Otherwise it leaves by the sender's own NICs and arrives at the
    receiver's own; where none of these reach each other (another rail of a rail-only fabric) it first crosses the
    crossbar, or the drawn switches of its domain, to a GPU with NICs that do. With several NICs a GPU, `pairing` says
    which go together: `pick` (of source and destination) chooses the pair that a flow takes; None splits every flow
    over all pairs. Raises GraphError naming two endpoints that cannot reach each other.
    """
    ends = network.ends
    inside = (ends.domain[src] >= 0) & (ends.domain[src] == ends.domain[dst])
    by_sender, by_receiver = src, dst
    stuck = np.flatnonzero(~inside & ~pairing.joined(ends, src, dst))
    if len(stuck):
        by_sender, by_receiver = _rails_changed(network, src, dst, stuck)
    crosses = ~inside
    picked = pick(src, dst) if pick is not None else None
    pairs = _pairs_of(ends, by_sender, by_receiver, crosses, picked)
    flow, s, d = pairs.flow, by_sender[pairs.flow], by_receiver[pairs.flow]
    found = Legs(
        len(src),
        flow,
        pairs.share,
        ends.leaf[s, pairs.out],
        ends.leaf[d, pairs.in_],
        ends.index[d, pairs.in_],
        ends.out[s, pairs.out],
        ends.in_[d, pairs.in_],
    )
    _stay_inside(network, found, inside[flow], src[flow], dst[flow])
    _cross_cables(network, found, crosses[flow], s, d, pairs)
    if len(stuck):
        _cross_domains(network, found, src[flow], dst[flow], s, d)
        if ends.scale_up_planes:
            found = _over_drawn_links(ends, found, (src[flow], s), (d, dst[flow]), picked)
    return found


def _pairs_of(
    ends: Attachment,
    src: NDArray[np.int64],
    dst: NDArray[np.int64],
    crosses: NDArray[np.bool_],
    pick: NDArray[np.int64] | None,
) -> NicPairs:
    """The pairs of NICs of flows that cross the fabric, and a pair for the sake of order for each of the others."""
    if crosses.all():
        return pairing.all_pairs(ends, src, dst) if pick is None else pairing.picked_pairs(ends, src, dst, pick)
    rows = np.flatnonzero(crosses)
    some = _pairs_of(ends, src[rows], dst[rows], crosses[rows], pick[rows] if pick is not None else None)
    others = np.flatnonzero(~crosses)
    nothing = np.zeros(len(others), dtype=np.int64)
    flow = np.concatenate((rows[some.flow], others))
    order = np.argsort(flow, kind="stable")
    return NicPairs(
        flow[order],
        np.concatenate((some.out, nothing))[order],
        np.concatenate((some.in_, nothing))[order],
        np.concatenate((some.share, np.ones(len(others))))[order],
    )


def _stay_inside(
    network: Network, found: Legs, rows: NDArray[np.bool_], s: NDArray[np.int64], d: NDArray[np.int64]
) -> None:
    if rows.any():
        ends = network.ends
        found.from_leaf[rows] = found.to_leaf[rows] = NOWHERE
        found.out[rows] = found.in_[rows] = NOWHERE
        found.out[rows, 0], found.out[rows, 1] = ends.inside(s[rows], d[rows])


def _cross_cables(
    network: Network, found: Legs, rows: NDArray[np.bool_], s: NDArray[np.int64], d: NDArray[np.int64], pairs: NicPairs
) -> None:
    """Legs whose NICs are joined without a switch: by a cable, or because both GPUs share one NIC."""
    ends = network.ends
    shared = rows & (ends.nic[s, pairs.out] == ends.nic[d, pairs.in_])
    cable = rows & (ends.facing[s, pairs.out] == ends.nic[d, pairs.in_])
    either = shared | cable
    if either.any():
        found.from_leaf[either] = found.to_leaf[either] = NOWHERE
        found.in_[either, 0] = NOWHERE  # the last link is the first one
        found.out[shared, WIDTH - 1] = NOWHERE


def _rails_changed(
    network: Network, src: NDArray[np.int64], dst: NDArray[np.int64], stuck: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """(GPUs whose NICs flows leave by, GPUs whose NICs they arrive at), where the ends' own do not reach each other.

    Another of the sender's domain, or else of the receiver's: best the one in the place of the NIC on the other side,
    so that rails stay even, else the nearest. Raises GraphError where there is none.
    """
    ends, rows = network.ends, stuck
    by_sender, by_receiver = src.copy(), dst.copy()
    for mates in (crossbar_mates(ends), drawn_mates(ends)):
        place = _places_of_nics(network, mates)
        for moved, movable, staying in ((by_sender, src, dst), (by_receiver, dst, src)):
            for step in range(int(mates.size[movable[rows]].max(initial=0))):
                gpus, stays = movable[rows], staying[rows]
                other = mates.other(gpus, mates.place[gpus] + step if step else place[stays])
                able = (step < mates.size[gpus]) & mates.lends[other] & (other != gpus)
                able[able] = pairing.joined(ends, other[able], stays[able])
                if mates.is_drawn:
                    able[able] = linked(ends, gpus[able], other[able])
                moved[rows[able]] = other[able]
                rows = rows[~able]
                if not len(rows):
                    return by_sender, by_receiver
    _refuse(network, int(src[rows[0]]), int(dst[rows[0]]))


def _cross_domains(
    network: Network,
    found: Legs,
    src: NDArray[np.int64],
    dst: NDArray[np.int64],
    s: NDArray[np.int64],
    d: NDArray[np.int64],
) -> None:
    """The arcs of legs inside servers, to the GPU `s` that they leave by, and from the GPU `d` that they arrive at."""
    ends = network.ends
    rows = (s != src) & (ends.domain[s] >= 0) & (ends.domain[s] == ends.domain[src])
    found.out[rows, 0], found.out[rows, 1] = ends.inside(src[rows], s[rows])
    rows = (d != dst) & (ends.domain[d] >= 0) & (ends.domain[d] == ends.domain[dst])
    found.in_[rows, 2], found.in_[rows, 3] = ends.inside(d[rows], dst[rows])


def _over_drawn_links(
    ends: Attachment,
    found: Legs,
    out: tuple[NDArray[np.int64], NDArray[np.int64]],
    in_: tuple[NDArray[np.int64], NDArray[np.int64]],
    picked: NDArray[np.int64] | None,
) -> Legs:
    """Legs with the arcs over drawn switches of domains, split over all of them where nothing is `picked`.

    By leg `out` is the sender and the GPU whose NICs it leaves by, `in_` the one it arrives at and the receiver.
    """
    n = len(found.flow)
    moved = [(a != b) & ((ends.domain[a] < 0) | (ends.domain[a] != ends.domain[b])) for a, b in (out, in_)]
    rows = np.flatnonzero(moved[0] | moved[1])  # a flow is moved at one end alone
    a, b = (np.where(moved[0], *pair)[rows] for pair in zip(out, in_, strict=True))
    keys, of = np.unique(a * len(ends.drawn) + b, return_inverse=True)
    tables = [ends.over_links(*divmod(key, len(ends.drawn))) for key in keys.tolist()]
    n_links, counts = np.array([len(table) for table in tables], dtype=np.int64), np.ones(n, dtype=np.int64)
    if picked is None:
        counts[rows] = n_links[of]
    leg = np.repeat(np.arange(n), counts)
    place = np.arange(len(leg)) - np.repeat(np.cumsum(counts) - counts, counts)
    table = np.full(n, NOWHERE)
    table[rows] = of
    relayed = np.flatnonzero(table[leg] >= 0)
    which, turn = table[leg[relayed]], place[relayed] if picked is None else picked[found.flow[leg[relayed]]]
    first = np.cumsum(n_links) - n_links
    arcs = np.concatenate([*tables, np.empty((0, 4), dtype=np.int32)])[first[which] + turn % n_links[which]]
    new_out, new_in = found.out[leg], found.in_[leg]
    leaves = moved[0][leg[relayed]]
    new_out[relayed[leaves], :4], new_in[relayed[~leaves], 2:] = arcs[leaves], arcs[~leaves]
    return Legs(
        found.n_flows,
        found.flow[leg],
        found.share[leg] / counts[leg],
        found.from_leaf[leg],
        found.to_leaf[leg],
        found.index[leg],
        new_out,
        new_in,
    )


def _places_of_nics(network: Network, mates: Mates) -> NDArray[np.int64]:
    """(n_endpoints,) by GPU the place in its domain of the GPU whose NIC it uses: its own, or one that lends."""
    ends = network.ends
    gpus = np.arange(len(ends.n_own))
    owner = np.full(network.graph.n_vertices + 1, 0, dtype=np.int64)  # one more, for NIC -1: none
    own = np.flatnonzero(ends.n_own > 0)
    owner[ends.nic[own, 0]] = own
    lender = np.where(ends.n_own > 0, gpus, owner[ends.nic[:, 0]])
    return mates.place[lender]


def _refuse(network: Network, src: int, dst: int) -> NoReturn:
    graph, ends = network.graph, network.ends
    a, b = graph.vertex_name(src), graph.vertex_name(dst)
    failed = _failed(network)
    for gpu, name in ((src, a), (dst, b)):
        if ends.nic[gpu, 0] < 0:
            why = f"{name} is left with no link ({failed} failed)" if failed else f"{name} has no NIC with a link"
            raise GraphError(f"{a} cannot reach {b}: {why}")
    tail = f" ({failed} failed)" if failed else ""
    part = component_of(graph.source, graph.target, graph.n_vertices)[: len(ends.n_own)]
    parts = np.unique(part[ends.nic[:, 0] >= 0], return_counts=True)[1]
    refusal = f"{a} cannot reach {b}: no links lead from the one to the other{tail}"
    if len(parts) < 2:
        raise GraphError(refusal)
    largest = f"the largest has {format_count(int(parts.max()))} of {format_counted(int(parts.sum()), 'GPU')}"
    raise PartsError(
        f"{refusal}; no links join {format_count(len(parts))} parts of the fabric, {largest}: run on the largest "
        "part, or choose ranks of one part"
    )


def _failed(network: Network) -> str:
    """What has failed, by name: "leaf-01, leaf-02, leaf-03 and 5 more"."""
    graph = network.graph
    failed = graph.failed_names
    more = f" and {len(failed) - MOST_NAMED} more" if len(failed) > MOST_NAMED else ""
    return ", ".join(failed[:MOST_NAMED]) + more
