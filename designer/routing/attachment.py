"""How each GPU gets onto the fabric: its NICs, the leafs they are on, and the arcs between."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from designer.graph.arrays import CROSSBAR, GPU, NIC, SCALE_UP, SWITCH, Graph
from designer.graph.components import component_of
from designer.graph.switches import SwitchGraph
from designer.routing.lending import NOWHERE, Ways, across, lent, pairs

BORROWING = "a GPU without a linked NIC of its own takes the NIC of its domain that fewest borrow, of those the nearest"
WIDTH = 6
"""Most arcs between a GPU and the fabric: to a drawn switch of the domain two, as many on to the GPU with the NIC (over
a crossbar one each), to the NIC, to the leaf."""


@dataclass(frozen=True, slots=True, eq=False)
class Attachment:
    """n_ways is the largest number of linked NICs any GPU has; ways that a GPU with fewer lacks are -1, the last ones.

    Rows of `out` and `in_` are arcs in the order they are travelled, padded with -1. A GPU without a linked NIC of its
    own borrows that of a GPU of its domain: BORROWING. Where the switches of the domain are drawn it has a way over
    each of its links to them.
    """

    leaf: NDArray[np.int32]  # (n_endpoints, n_ways) index of the leaf; -1: none, or linked to a NIC directly
    nic: NDArray[np.int32]  # (n_endpoints, n_ways) NIC vertex; -1 where the GPU has no more ways out
    number: NDArray[np.int32]  # (n_endpoints, n_ways) of the NIC among all that its GPU is wired to, in port order
    plane: NDArray[np.int32]  # (n_endpoints, n_ways) what the NIC reaches: NICs of one plane reach each other; else -1
    kind: NDArray[np.int64]  # (n_endpoints,) the same for GPUs whose ways have the same numbers and planes
    facing: NDArray[np.int32]  # (n_endpoints, n_ways) what the NIC's link leads to: a switch or NIC vertex
    index: NDArray[np.int64]  # (n_endpoints, n_ways) number of the NIC's leaf port: subtree by subtree, leaf by leaf
    out: NDArray[np.int32]  # (n_endpoints, n_ways, WIDTH)
    in_: NDArray[np.int32]  # (n_endpoints, n_ways, WIDTH)
    borrowed: NDArray[np.bool_]  # (n_endpoints,)
    shares: NDArray[np.bool_]  # (n_endpoints,) whether its NICs are those of other GPUs of the server too
    n_own: NDArray[np.int32]  # (n_endpoints,) linked NICs of its own, shared or not
    drawn: NDArray[np.int64]  # (n_endpoints,) number of the scale-up domain whose switches are in the graph, or -1
    scale_up_planes: frozenset[int]
    """Planes of the links of these domains: GPUs that share one send over them alone."""
    domain: NDArray[np.int32]  # (n_endpoints,) number of the domain (its crossbar's vertex), or -1
    domain_first: NDArray[np.int32]  # (n_endpoints,) first GPU of the same domain
    domain_size: NDArray[np.int32]  # (n_endpoints,) GPUs of the same domain
    to_domain: NDArray[np.int32]  # (n_endpoints,) arc to the crossbar, or -1
    from_domain: NDArray[np.int32]  # (n_endpoints,)
    peer: NDArray[np.int32]  # (n_endpoints, largest domain joined pairwise or 0) arc to each GPU of it

    @property
    def lent(self) -> NDArray[np.bool_]:
        """(n_endpoints, n_ways) whether a way is over the NIC of another GPU: it begins inside the domain."""
        found: NDArray[np.bool_] = self.out[:, :, 0] >= 0
        return found

    @property
    def n_ways(self) -> int:
        """The largest number of linked NICs that any GPU has."""
        return int(self.leaf.shape[1])

    def over_links(self, a: int, b: int) -> NDArray[np.int32]:
        """(n, 4) the arcs from a GPU to another of its domain over each switch that is drawn and linked to both."""
        sides = tuple(np.isin(self.plane[gpu], list(self.scale_up_planes)) for gpu in (a, b))
        ways = pairs((self.facing[a], self.facing[b]), (sides[0], sides[1]))
        found = [across(self.out[a, up], self.out[b, down]) for up, down in ways]
        return np.array(found, dtype=np.int32).reshape(-1, 4)

    def inside(self, a: NDArray[Any], b: NDArray[Any]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """The arcs from GPUs to others of their domains: over the crossbar two, where joined pairwise one and -1."""
        return _inside(self.domain, self.domain_first, self.to_domain, self.from_domain, self.peer, a, b)


def attachment(graph: Graph, switches: SwitchGraph) -> Attachment:
    """The attachment of every GPU of the graph. Only the first link of a NIC port is used."""
    n = graph.n_endpoints
    up_arc, index = _uplinks(graph, _leaf_ranks(switches))
    joint, place = _joints(graph, up_arc)
    n_own = np.bincount(graph.source[joint], minlength=n).astype(np.int32)
    n_ways = max(1, int(n_own.max(initial=0)))
    owner, way = graph.source[joint], np.arange(len(joint)) - np.repeat(np.cumsum(n_own) - n_own, n_own)
    nic, number, to_nic = (np.full((n, n_ways), NOWHERE, dtype=np.int32) for _ in range(3))
    nic[owner, way], number[owner, way], to_nic[owner, way] = graph.target[joint], place, joint
    domains = _domains(graph)
    out = np.full((n, n_ways, WIDTH), NOWHERE, dtype=np.int32)
    out[:, :, WIDTH - 2] = to_nic
    out[:, :, WIDTH - 1] = up_arc[nic]
    borrowed = _borrow(out, nic, number, n_own, domains)
    link = out[:, :, WIDTH - 1]
    target = np.append(graph.target, NOWHERE)  # one more, so that arc -1 leads nowhere
    facing = target[link].astype(np.int32)
    plane = _planes(switches, nic, facing, target[up_arc])
    scales_up = (link >= 0) & (plane >= 0)
    scales_up[scales_up] = graph.protocol[link[scales_up]] == SCALE_UP  # a network may have no links at all
    drawn, scale_up_planes = _drawn(plane, scales_up), frozenset(np.unique(plane[scales_up]).tolist())
    ways = Ways(nic, number, plane, facing, out)
    if scale_up_planes:
        ways, borrowed = lent(ways, drawn, scales_up, graph.device, borrowed)
    nic, number, plane, facing, out = ways.nic, ways.number, ways.plane, ways.facing, ways.out
    in_ = np.where(out >= 0, out ^ 1, NOWHERE)[:, :, ::-1]
    on_switch = facing >= switches.first
    leaf = (
        np.where(on_switch, switches.leaf_of[np.where(on_switch, facing - switches.first, 0)], NOWHERE)
        if (switches.n_switches)
        else np.full(facing.shape, NOWHERE)
    )
    return Attachment(
        leaf.astype(np.int32),
        nic,
        number,
        plane,
        _kinds(number, plane),
        facing,
        np.where(nic >= 0, index[nic], 0),
        out,
        np.ascontiguousarray(in_),
        borrowed,
        _shares(graph, joint),
        n_own,
        drawn,
        scale_up_planes,
        *domains,
    )


def _drawn(plane: NDArray[np.int32], scales_up: NDArray[np.bool_]) -> NDArray[np.int64]:
    """(n_endpoints,) see `Attachment.drawn`: GPUs that links of scale-up join, over whichever planes."""
    n = len(plane)
    found = np.full(n, NOWHERE, dtype=np.int64)
    gpu, way = np.nonzero(scales_up)
    if len(gpu):
        of_plane = n + plane[gpu, way].astype(np.int64)
        found[gpu] = component_of(gpu, of_plane, int(of_plane.max()) + 1)[gpu]
    return found


def _planes(
    switches: SwitchGraph, nic: NDArray[np.int32], facing: NDArray[np.int32], far_end: NDArray[np.int32]
) -> NDArray[np.int32]:
    """(n_endpoints, n_ways) number of the plane of each NIC: of its switch, or of the one cable to another NIC.

    `far_end` is by vertex what a NIC's link leads to. A cable to a port that is used twice and goes elsewhere is none.
    """
    found = np.full(nic.shape, NOWHERE, dtype=np.int32)
    on_switch = facing >= switches.first
    if switches.n_switches:
        component = component_of(switches.tail, switches.head, switches.n_switches)
        found[on_switch] = component[facing[on_switch] - switches.first]
    by_cable = (facing >= 0) & ~on_switch & (far_end[facing] == nic)
    found[by_cable] = switches.n_switches + np.minimum(nic, facing)[by_cable]
    return found


def _kinds(number: NDArray[np.int32], plane: NDArray[np.int32]) -> NDArray[np.int64]:
    """(n_endpoints,) see `Attachment.kind`."""
    traits = plane if plane.shape[1] == 1 else np.hstack((number, plane))
    _, found = np.unique(traits, axis=0, return_inverse=True)
    return found.reshape(-1).astype(np.int64)


def _leaf_ranks(switches: SwitchGraph) -> NDArray[np.int64]:
    """(n_switches,) places of the leafs in an order that keeps subtrees together; other switches follow.

    Two leafs are in one subtree of level l where links between switches of tiers up to l join them, tiers counted from
    the leafs up. Leafs of a rail, numbered apart in a rail-optimized fabric of three tiers, come together so.
    """
    leafs, n = switches.leafs, switches.n_switches
    ranks = np.full(n, len(leafs), dtype=np.int64)
    if not len(leafs):
        return ranks
    tier = switches.tier
    tail = switches.tail
    level_of = np.maximum(tier[tail], tier[switches.head])
    keys = [leafs.astype(np.int64)]
    for level in range(1, int(tier[tier < np.iinfo(np.int16).max].max())):
        below = level_of <= level
        of = component_of(tail[below], switches.head[below], n)[leafs]
        _, first, number = np.unique(of, return_index=True, return_inverse=True)
        keys.append(first[number])
    ranks[leafs[np.lexsort(keys)]] = np.arange(len(leafs))
    return ranks


def _uplinks(graph: Graph, leaf_rank: NDArray[np.int64]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """By vertex: the first link arc out of a NIC (else -1), and the number of the leaf port it is on."""
    up_arc = np.full(graph.n_vertices + 1, NOWHERE, dtype=np.int32)  # one more, so that NIC -1 has no uplink
    arcs = np.flatnonzero((graph.kind[graph.source] == NIC) & (graph.link >= 0))
    up_arc[graph.source[arcs[::-1]]] = arcs[::-1]
    index = np.zeros(graph.n_vertices + 1, dtype=np.int64)
    down = np.flatnonzero((graph.kind[graph.source] == SWITCH) & (graph.kind[graph.target] == NIC))
    down = down[up_arc[graph.target[down]] == down ^ 1]
    first = graph.n_vertices - len(leaf_rank)
    down = down[np.lexsort((graph.port_order[down], leaf_rank[graph.source[down] - first]))]
    index[graph.target[down]] = np.arange(len(down))
    return up_arc, index


def _joints(graph: Graph, up_arc: NDArray[np.int32]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """(arcs from GPUs to linked NICs, GPU by GPU in port order; the place of each among all NICs of its GPU).

    A GPU with a linked NIC of its own leaves shared ones alone.
    """
    arcs = np.flatnonzero((graph.kind[graph.source] == GPU) & (graph.kind[graph.target] == NIC))
    arcs = arcs[np.lexsort((graph.port_order[arcs], graph.source[arcs]))]
    counts = np.bincount(graph.source[arcs], minlength=graph.n_endpoints)
    place = np.arange(len(arcs)) - np.repeat(np.cumsum(counts) - counts, counts)
    is_own = np.bincount(graph.target[arcs], minlength=graph.n_vertices)[graph.target[arcs]] == 1
    linked = up_arc[graph.target[arcs]] >= 0
    has_own = np.zeros(graph.n_endpoints, dtype=bool)
    has_own[graph.source[arcs[is_own & linked]]] = True
    used = linked & (is_own | ~has_own[graph.source[arcs]])
    return arcs[used], place[used]


def _shares(graph: Graph, joint: NDArray[np.int64]) -> NDArray[np.bool_]:
    """(n_endpoints,) whether another GPU is joined to a NIC of the GPU's; `joint` is as `_joints` has it."""
    found = np.zeros(graph.n_endpoints, dtype=bool)
    several = np.bincount(graph.target[joint], minlength=graph.n_vertices)[graph.target[joint]] > 1
    found[graph.source[joint[several]]] = True
    return found


def _inside(
    domain: NDArray[np.int32],
    first: NDArray[np.int32],
    to_domain: NDArray[np.int32],
    from_domain: NDArray[np.int32],
    peer: NDArray[np.int32],
    a: NDArray[Any],
    b: NDArray[Any],
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    if not peer.shape[1]:
        return to_domain[a], from_domain[b]
    pairwise = (domain[a] >= 0) & (to_domain[a] < 0)
    direct = peer[a, np.where(pairwise, b - first[a], 0)]
    return np.where(pairwise, direct, to_domain[a]), np.where(pairwise, NOWHERE, from_domain[b])


def _domains(graph: Graph) -> tuple[NDArray[np.int32], ...]:
    """(domain, first GPU, number of GPUs, arc to the crossbar, arc from it, arcs to peers) of every endpoint."""
    n = graph.n_endpoints
    domain, to_domain, from_domain = (np.full(n, NOWHERE, dtype=np.int32) for _ in range(3))
    from_gpu = graph.kind[graph.source] == GPU
    arcs = np.flatnonzero(from_gpu & (graph.kind[graph.target] == CROSSBAR))
    gpus = graph.source[arcs]
    domain[gpus], to_domain[gpus], from_domain[gpus] = graph.target[arcs], arcs, arcs ^ 1
    pairwise = np.flatnonzero(from_gpu & (graph.kind[graph.target] == GPU))
    joined = np.unique(graph.source[pairwise])
    # Beyond the numbers of vertices, so that no crossbar has it.
    domain[joined] = graph.n_vertices + graph.device[joined]
    first, size = np.arange(n, dtype=np.int32), np.ones(n, dtype=np.int32)
    members = np.flatnonzero(domain >= 0)
    if len(members):
        # GPUs of a domain are consecutive.
        found, begins, counts = np.unique(domain[members], return_index=True, return_counts=True)
        place = np.searchsorted(found, domain[members])
        first[members], size[members] = members[begins[place]], counts[place]
    peer = np.full((n, int(size[joined].max(initial=0))), NOWHERE, dtype=np.int32)
    source, target = graph.source[pairwise], graph.target[pairwise]
    peer[source, target - first[source]] = pairwise
    return domain, first, size, to_domain, from_domain, peer


def _borrow(
    out: NDArray[np.int32],
    nic: NDArray[np.int32],
    number: NDArray[np.int32],
    n_own: NDArray[np.int32],
    domains: tuple[NDArray[np.int32], ...],
) -> NDArray[np.bool_]:
    """Give GPUs without a linked NIC the way out of a neighbor, spread over the neighbors that have one.

    Each takes the NICs of the GPU that fewest have borrowed so far, of those the nearest in number, then the lower.
    """
    domain, first, size, to_domain, from_domain, peer = domains
    borrowed = np.zeros(len(n_own), dtype=bool)
    n_borrowers = np.zeros(len(n_own), dtype=np.int64)
    for gpu in np.flatnonzero((n_own == 0) & (domain >= 0)):
        neighbours = np.arange(first[gpu], first[gpu] + size[gpu])
        lenders = neighbours[n_own[neighbours] > 0]
        if len(lenders):
            lender = lenders[np.lexsort((lenders, np.abs(lenders - gpu), n_borrowers[lenders]))[0]]
            n_borrowers[lender] += 1
            out[gpu], nic[gpu], number[gpu] = out[lender], nic[lender], number[lender]
            leaving, arriving = _inside(
                domain, first, to_domain, from_domain, peer, np.array([gpu]), np.array([lender])
            )
            has_way = nic[lender] >= 0
            out[gpu, has_way, 0], out[gpu, has_way, 1] = leaving[0], arriving[0]
            borrowed[gpu] = True
    return borrowed
