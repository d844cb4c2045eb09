"""Policies `flowlet` and `packet-spray`: a flow goes in pieces, and every switch chooses a port for each of them.

A piece is a flowlet (what a sender sends between two pauses that are longer than the switch's inactivity interval) or a
packet. A port is chosen at random, in turn, or where least is on its way; parallel links count as separate ports. The
loads are those of the pieces, whole ones, so that they are as uneven as pieces are: see simulation.explain.imbalance.
A flow shares its bytes over its pieces evenly and ends with the slowest of its paths.

Sources: E. Vanini et al., "Let It Flow: Resilient Asymmetric Load Balancing with Flowlet Switching" (NSDI 2017), picks
a port at random for each flowlet; M. Alizadeh et al., "CONGA: Distributed Congestion-Aware Load Balancing for
Datacenters" (SIGCOMM 2014), the least congested; T. Hoefler et al., "Ultra Ethernet's Design Principles and
Architectural Innovations" (arXiv:2508.08906, 2025), an entropy value of its own for each packet.
"""

from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from designer.routing import pieces_kernels
from designer.routing.given import SPLIT, Switching
from designer.routing.hashes import mixed, salts
from designer.routing.legs import Legs, legs
from designer.routing.network import Network
from designer.routing.paths import Paths, of_legs
from designer.routing.pieces_kernels import Cut
from designer.routing.planes import plane_pick


@dataclass(frozen=True, slots=True)
class Pieces:
    """What a policy cuts flows into."""

    noun: str
    """ "flowlet"."""
    setting: str
    """The field of Switching that says how large they are."""

    def largest_bytes(self, switching: Switching) -> float:
        """What a piece has at most."""
        found: float = getattr(switching, self.setting)
        return found

    def count(self, switching: Switching, size_bytes: NDArray[np.float64]) -> NDArray[np.float64]:
        """How many pieces flows of these sizes go in, whole numbers from 1 on."""
        return np.maximum(1.0, np.ceil(size_bytes / self.largest_bytes(switching) * (1 - 1e-12)))


FLOWLETS, PACKETS = Pieces("flowlet", "flowlet_bytes"), Pieces("packet", "packet_bytes")


def _route(
    network: Network,
    src: NDArray[np.int64],
    dst: NDArray[np.int64],
    size_bytes: NDArray[np.float64],
    channel: NDArray[np.int64],
    seed: int,
    *,
    pieces: Pieces,
) -> Paths:
    """Paths of flows between endpoints, cut into pieces."""
    found, switching = legs(network, src, dst, plane_pick(network, channel, seed, SPLIT)), network.switching
    leg_bytes = found.share * size_bytes[found.flow]
    count = pieces.count(switching, leg_bytes)
    cut = Cut(
        count,
        np.maximum(leg_bytes / count, 1e-9),
        _salts_of_legs(found, salts(src, dst, channel, seed)),
        switching.choice_number,
        _first_turns(network, seed),
        np.zeros(network.graph.n_arcs),
    )
    rows = pieces_kernels.placed_pieces(network.fabric, found.arrays, cut, network.graph.capacity_gbps)
    return of_legs(network, found, size_bytes, rows)


flowlets, packets = partial(_route, pieces=FLOWLETS), partial(_route, pieces=PACKETS)


def _salts_of_legs(found: Legs, salt: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """(n_legs,) numbers that differ from leg to leg, also of one flow."""
    first = np.searchsorted(found.flow, found.flow)
    return mixed(salt[found.flow] ^ (np.arange(len(found.flow)) - first).astype(np.uint64))


def _first_turns(network: Network, seed: int) -> NDArray[np.int64]:
    """(n_switches,) at which port each switch begins, by the seed."""
    number = np.arange(network.switches.n_switches, dtype=np.uint64)
    drawn = mixed(mixed(number) ^ mixed(np.full(len(number), seed % 2**64, dtype=np.uint64)))
    return (drawn >> np.uint64(33)).astype(np.int64)
