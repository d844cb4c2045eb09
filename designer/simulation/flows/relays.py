"""Flows whose ends no path over the fabric joins: they cross a server first, to a NIC that reaches the other side."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from designer.late import Late
from designer.routing import pairing
from designer.routing.network import Network
from designer.simulation.traffic.phases import AllPairs, Flows, Phase
from designer.tables.columns import keys
from designer.units import format_count, format_counted

sparse = Late("scipy.sparse")

NAMED = 3
"""Leaf switches, and pieces of the fabric, that are named before the rest is counted."""

Ints = NDArray[np.int64]

INSIDE, DRAWN = "inside a server, over its scale-up domain", "over the drawn switches of their scale-up domains"


@dataclass(frozen=True, slots=True)
class Relays:
    """Flows of all phases, those inside servers left out, each counted once however often its phase repeats."""

    flows: int
    """Those that first cross the scale-up domain of a server."""
    of: int
    gpus: int
    """GPUs that send or receive such flows."""
    servers: int
    pieces: tuple[tuple[str, ...], ...]
    """The leaf switches of each piece of the fabric, by name."""
    over: str = INSIDE
    """What they cross, as a sentence says it."""

    COLUMNS: ClassVar = keys("flows of_flows=of gpus servers pieces")

    @property
    def sentence(self) -> str:
        """For the notes of a result, without a full stop."""
        shown = [_listed(piece) for piece in self.pieces[:NAMED]]
        more = len(self.pieces) - NAMED
        if more > 0:
            shown.append(f"{format_count(more)} more")
        alone = all(len(piece) == 1 for piece in self.pieces)
        between = " and ".join(shown) if alone else f"these parts of the fabric: {'; '.join(shown)}"
        return (
            f"No path leads between {between}. {format_count(self.flows)} of {format_counted(self.of, 'flow')} "
            f"(of {format_counted(self.gpus, 'GPU')} in {format_counted(self.servers, 'server')}) are relayed "
            f"{self.over}, to a NIC on the other side"
        )


def relays(network: Network, phases: Iterable[Phase]) -> Relays | None:
    """The flows of these phases that cross a server first; None where none does."""
    ends = network.ends
    planes = np.unique(ends.plane[ends.plane >= 0])
    if len(np.setdiff1d(planes, list(ends.scale_up_planes))) < 2:
        return None
    found = _Counted(network)
    for phase in phases:
        if isinstance(phase.traffic, AllPairs):
            found.add_all(phase.traffic.members)
        else:
            found.add(phase.traffic)
    return found.relays()


class _Counted:
    def __init__(self, network: Network) -> None:
        self._network = network
        self._taking = np.zeros(network.graph.n_endpoints, dtype=bool)
        self._flows = self._of = 0

    def add(self, sent: Flows) -> None:
        ends = self._network.ends
        outside = (ends.domain[sent.src] < 0) | (ends.domain[sent.src] != ends.domain[sent.dst])
        src, dst = sent.src[outside], sent.dst[outside]
        stuck = ~pairing.joined(ends, src, dst)
        self._of += len(src)
        self._flows += int(np.count_nonzero(stuck))
        self._taking[src[stuck]] = self._taking[dst[stuck]] = True

    def add_all(self, members: Ints) -> None:
        """One flow from each member to each other: counted by kinds of GPUs, not written out."""
        ends = self._network.ends
        kinds, first, kind = np.unique(ends.kind[members], return_index=True, return_inverse=True)
        n = len(kinds)
        domain = np.where(ends.domain[members] < 0, -1 - members, ends.domain[members])
        _, place = np.unique(domain, return_inverse=True)
        there, counts = np.unique(place.astype(np.int64) * n + kind, return_counts=True)
        in_kind = np.bincount(kind, minlength=n)
        a, b = (side.reshape(-1) for side in np.meshgrid(np.arange(n), np.arange(n), indexing="ij"))
        apart = ~pairing.joined(ends, members[first[a]], members[first[b]])
        mates = _pairs_inside(there // n, there % n, counts, n)
        pairs = np.outer(in_kind, in_kind) - mates
        relayed: NDArray[np.bool_] = np.asarray(apart).reshape(n, n)
        self._flows += int(pairs[relayed].sum())
        self._of += int(pairs.sum())
        takes: NDArray[np.bool_] = np.logical_or.reduce(relayed & (pairs > 0), axis=1)
        self._taking[members[takes[kind]]] = True

    def relays(self) -> Relays | None:
        if not self._flows:
            return None
        graph, ends = self._network.graph, self._network.ends
        gpus = np.flatnonzero(self._taking)
        plane, facing = ends.plane[gpus].reshape(-1), ends.facing[gpus].reshape(-1)
        at_switch = (plane >= 0) & (facing >= self._network.switches.first)
        at_switch &= ~np.isin(plane, list(ends.scale_up_planes))
        pieces = []
        for one in np.unique(plane[at_switch]).tolist():
            leafs = np.unique(facing[at_switch & (plane == one)]).tolist()
            pieces.append(tuple(graph.device_name(leaf) for leaf in leafs))
        servers = len(np.unique(graph.device[gpus]))
        over = DRAWN if (ends.drawn[gpus] >= 0).all() else INSIDE
        return Relays(self._flows, self._of, len(gpus), servers, tuple(pieces), over)


def _pairs_inside(domain: Ints, kind: Ints, counts: Ints, n: int) -> Ints:
    """(n, n) ordered pairs of GPUs, each with itself too, that share a domain, by the kinds of both."""
    shape = (int(domain.max(initial=-1)) + 1, n)
    table = sparse.csr_array((counts.astype(np.int64), (domain, kind)), shape=shape)
    found: Ints = (table.T @ table).toarray()
    return found


def _listed(names: tuple[str, ...]) -> str:
    shown = ", ".join(names[:NAMED])
    more = len(names) - NAMED
    return f"{shown} and {format_count(more)} more" if more > 0 else shown
