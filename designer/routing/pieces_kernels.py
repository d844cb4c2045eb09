"""Flows in pieces that each take a port of their own, compiled: flowlets, packets."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from designer.graph.compiled import compiled, compiled_borrowing
from designer.graph.hash_kernels import mixed
from designer.routing.chance_kernels import binomial
from designer.routing.kernels import LegArrays, put
from designer.routing.transport_kernels import (
    Bundles,
    Descent,
    Fabric,
    Floats,
    Ints,
    Longs,
    Ports,
    Rows,
    Walk,
    aim,
    descent_over,
    find_hops,
    longer,
    walk_over,
)

RANDOM, ROUND_ROBIN, LEAST_LOADED = 0, 1, 2


class Cut(NamedTuple):
    """How legs are cut, and how switches place the pieces."""

    n_pieces: Floats  # (n_legs,) whole numbers
    piece_bytes: Floats  # (n_legs,)
    salt: NDArray[np.uint64]  # (n_legs,)
    choice: int
    turn: Longs  # (n_switches,) round-robin: how many pieces went before the next one
    busy: Floats  # (n_arcs,) least loaded: what is on an arc already, in bytes over Gb/s


class Exits(NamedTuple):
    """The ports a switch may send over towards a goal, and how many pieces each gets."""

    arcs: Ints
    ahead: Ints  # the switch each leads to
    pieces: Floats
    until: Floats  # scratch of the least loaded


@compiled_borrowing
def _find_exits(switch: int, bundles: Bundles, ports: Ports, way: Descent, exits: Exits) -> int:
    """Fills in the ports of a switch; returns how many there are."""
    find_hops(switch, bundles, way)
    first, n_exits = bundles.start[switch], 0
    for place in range(first, first + way.n_hops[switch]):
        bundle = way.hops[place]
        for at in range(ports.start[bundle], ports.start[bundle + 1]):
            exits.arcs[n_exits], exits.ahead[n_exits] = ports.arcs[at], bundles.head[bundle]
            n_exits += 1
    return n_exits


@compiled
def by_chance(n_pieces: float, n_exits: int, pieces: Floats) -> None:
    """Each piece on any of the ports with the same probability."""
    left = n_pieces
    for place in range(n_exits):
        pieces[place] = binomial(left, 1.0 / (n_exits - place)) if place < n_exits - 1 else left
        left -= pieces[place]


@compiled_borrowing
def in_turn(n_pieces: float, n_exits: int, before: int | np.int64, pieces: Floats) -> None:
    """One piece after the other on the ports in turn."""
    each = np.floor(n_pieces / n_exits)
    more = np.int64(n_pieces - each * n_exits)
    for place in range(n_exits):
        pieces[place] = each + (1.0 if (place - before) % n_exits < more else 0.0)


@compiled_borrowing
def by_rate(n_pieces: float, arcs: Ints, before: int | np.int64, gbps: Floats, pieces: Floats) -> None:
    """As many on each of the ports as its rate is of them all, and what is left over in turn."""
    n_exits, rate, left = len(arcs), 0.0, n_pieces
    for place in range(n_exits):
        rate += gbps[arcs[place]]
    for place in range(n_exits):
        pieces[place] = np.floor(n_pieces * gbps[arcs[place]] / rate * (1.0 + 1e-12))
        left -= pieces[place]
    for number in range(np.int64(left)):
        pieces[(before + number) % n_exits] += 1.0


@compiled
def _by_load(n_pieces: float, n_exits: int, piece_bytes: float, exits: Exits, busy: Floats, gbps: Floats) -> None:
    """Each piece on the port that would be done with it first: whole pieces up to a level, then one by one."""
    arcs, pieces, until = exits.arcs, exits.pieces, exits.until
    for place in range(n_exits):
        until[place] = busy[arcs[place]]
    order = np.argsort(until[:n_exits])
    level, rate, amount = 0.0, 0.0, n_pieces * piece_bytes
    for number in range(n_exits):
        place = order[number]
        rate += gbps[arcs[place]]
        amount += until[place] * gbps[arcs[place]]
        level = amount / rate
        if number + 1 == n_exits or level <= until[order[number + 1]]:
            break
    left = n_pieces
    for place in range(n_exits):
        room = (level - until[place]) * gbps[arcs[place]] / piece_bytes
        pieces[place] = min(left, max(0.0, np.floor(room * (1.0 - 1e-12))))
        left -= pieces[place]
        until[place] += (pieces[place] + 1.0) * piece_bytes / gbps[arcs[place]]
    while left > 0.0:
        best = 0
        for place in range(1, n_exits):
            if until[place] < until[best] * (1.0 - 1e-12):
                best = place
        pieces[best] += 1.0
        until[best] += piece_bytes / gbps[arcs[best]]
        left -= 1.0


@compiled
def _turned(exits: Exits, n_exits: int, first: int | np.int64) -> None:
    """The ports from number `first` on, and around: so that those alike are not tried in the same order everywhere."""
    arcs, ahead = exits.arcs[:n_exits].copy(), exits.ahead[:n_exits].copy()
    for place in range(n_exits):
        exits.arcs[place] = arcs[(first + place) % n_exits]
        exits.ahead[place] = ahead[(first + place) % n_exits]


@compiled
def _place(switch: int, n_pieces: float, n_exits: int, leg: int, cut: Cut, exits: Exits, gbps: Floats) -> None:
    """Says how many of the pieces at a switch each port gets."""
    if cut.choice == ROUND_ROBIN:
        in_turn(n_pieces, n_exits, cut.turn[switch] % n_exits, exits.pieces)
        cut.turn[switch] += np.int64(n_pieces)
        return
    if cut.choice == RANDOM:
        by_chance(n_pieces, n_exits, exits.pieces)
        return
    drawn = mixed(cut.salt[leg] ^ np.uint64(switch))
    _turned(exits, n_exits, np.int64(drawn % np.uint64(n_exits)))
    _by_load(n_pieces, n_exits, cut.piece_bytes[leg], exits, cut.busy, gbps)
    for place in range(n_exits):
        arc = exits.arcs[place]
        cut.busy[arc] += exits.pieces[place] * cut.piece_bytes[leg] / gbps[arc]


@compiled_borrowing
def _farthest_first(walk: Walk, n_frontier: int, row: NDArray[np.int16]) -> int:
    """Moves the switch that is farthest from the goal to the end of the frontier; returns it, or -1 at the goal."""
    frontier, last, at = walk.frontier, n_frontier - 1, 0
    for place in range(1, n_frontier):
        if row[frontier[place]] > row[frontier[at]]:
            at = place
    switch = frontier[at]
    frontier[at], frontier[last] = frontier[last], switch
    return switch if row[switch] > 0 else -1


class Room(NamedTuple):
    """Room for following legs, one after the other."""

    way: Descent
    walk: Walk
    exits: Exits
    gbps: Floats


@compiled
def _follow(fabric: Fabric, leg: int, cut: Cut, room: Room, arcs: Ints, weights: Floats, at: int) -> int:
    """Writes the arcs between switches of a leg whose pieces are at its first, each with its share of the pieces.

    From place `at` on; returns the place after.
    """
    way, walk, exits, gbps = room
    amount, frontier, n_frontier = walk.amount, walk.frontier, 1
    while True:
        switch = _farthest_first(walk, n_frontier, way.distance[way.aim[0]])
        if switch < 0:
            break
        n_frontier -= 1
        n_exits = _find_exits(switch, fabric.bundles, fabric.ports, way, exits)
        _place(switch, amount[switch], n_exits, leg, cut, exits, gbps)
        amount[switch] = 0.0
        for place in range(n_exits):
            if exits.pieces[place] > 0.0:
                neighbour = exits.ahead[place]
                if amount[neighbour] == 0.0:
                    frontier[n_frontier] = neighbour
                    n_frontier += 1
                amount[neighbour] += exits.pieces[place]
                arcs[at], weights[at] = exits.arcs[place], exits.pieces[place] / cut.n_pieces[leg]
                at += 1
    for place in range(n_frontier):
        amount[frontier[place]] = 0.0
    return at


@compiled
def placed_pieces(fabric: Fabric, legs: LegArrays, cut: Cut, gbps: Floats) -> Rows:
    """By leg: the arcs its pieces take, and the share of the flow on each."""
    bundles, goals, ports = fabric
    n_legs, most, at = len(legs.out), len(ports.arcs) + legs.out.shape[1] + legs.in_.shape[1], 0
    leg_start = np.zeros(n_legs + 1, dtype=np.int64)
    arcs, weights = np.empty(16 * n_legs + most, dtype=np.int32), np.empty(16 * n_legs + most)
    n = len(ports.arcs)
    exits = Exits(np.empty(n, dtype=np.int32), np.empty(n, dtype=np.int32), np.empty(n), np.empty(n))
    room = Room(descent_over(bundles, goals.distance, goals.only), walk_over(bundles), exits, gbps)
    leafs = goals.leafs
    for leg in range(n_legs):
        if at + most > len(arcs):
            arcs, weights = longer(arcs, len(arcs)), longer(weights, len(weights))
        first = at
        at = put(legs.out, leg, arcs, first)
        weights[first:at] = 1.0
        if legs.from_leaf[leg] >= 0:
            aim(room.way, legs.to_leaf[leg])
            np.random.seed(np.uint32(mixed(cut.salt[leg]) & np.uint64(0xFFFFFFFF)))
            room.walk.frontier[0] = leafs[legs.from_leaf[leg]]
            room.walk.amount[room.walk.frontier[0]] = cut.n_pieces[leg]
            at = _follow(fabric, leg, cut, room, arcs, weights, at)
        arrived = at
        at = put(legs.in_, leg, arcs, arrived)
        weights[arrived:at] = 1.0
        weights[first:at] *= legs.share[leg]
        leg_start[leg + 1] = at
    return Rows(leg_start, arcs[:at].copy(), weights[:at].copy())
