"""Walks along forwarding tables, compiled."""

from typing import NamedTuple

import numpy as np

from designer.graph.compiled import compiled, compiled_borrowing
from designer.routing.kernels import LegArrays
from designer.routing.transport_kernels import Ints, Longs

ELSEWHERE, CIRCLE = -5, -6


class TableArrays(NamedTuple):
    """What kernels read of Forwarding; see there."""

    next_arc: Ints
    head: Ints


@compiled_borrowing
def step(tables: TableArrays, switch: int, number: int, last: int, left: int) -> int:
    """The arc that a switch sends destination `number` over, which is to arrive by `last`; or why there is none."""
    arc = tables.next_arc[switch, number]
    if arc < 0:
        return int(arc)
    if tables.head[arc] < 0 and arc != last:
        return ELSEWHERE
    return int(arc) if left > 0 else CIRCLE


@compiled_borrowing
def _first_of(side: Ints, leg: int) -> int:
    """The first arc of a leg's side; -1 where there is none."""
    for place in range(side.shape[1]):
        if side[leg, place] >= 0:
            return int(side[leg, place])
    return -1


@compiled
def table_paths(tables: TableArrays, leafs: Ints, legs: LegArrays) -> tuple[Longs, Ints, Longs]:
    """(leg_start, the arcs of each leg in the order they are travelled, where a leg goes no further).

    The last is (leg, switch, why) of the first leg that does not arrive, and (-1, -1, 0) where all do.
    """
    from_leaf, numbers, out, in_ = legs.from_leaf, legs.number, legs.out, legs.in_
    next_arc, head = tables
    n_legs, n_switches = len(out), len(next_arc)
    leg_start, stuck = np.zeros(n_legs + 1, dtype=np.int64), np.array([-1, -1, 0])
    for leg in range(n_legs):
        length = 0
        for place in range(out.shape[1]):
            length += (out[leg, place] >= 0) + (in_[leg, place] >= 0)
        if from_leaf[leg] >= 0:
            switch, last, left = leafs[from_leaf[leg]], _first_of(in_, leg), n_switches
            arc = step(tables, switch, numbers[leg], last, left)
            while arc >= 0 and arc != last:
                switch, left, length = head[arc], left - 1, length + 1
                arc = step(tables, switch, numbers[leg], last, left)
            if arc < 0:
                stuck[0], stuck[1], stuck[2] = leg, switch, arc
                return leg_start, np.empty(0, dtype=np.int32), stuck
        leg_start[leg + 1] = leg_start[leg] + length
    path = np.empty(leg_start[n_legs], dtype=np.int32)
    for leg in range(n_legs):
        at = leg_start[leg]
        for place in range(out.shape[1]):
            if out[leg, place] >= 0:
                path[at], at = out[leg, place], at + 1
        if from_leaf[leg] >= 0:
            last, arc = _first_of(in_, leg), next_arc[leafs[from_leaf[leg]], numbers[leg]]
            while arc != last:
                path[at], at = arc, at + 1
                arc = next_arc[head[arc], numbers[leg]]
        for place in range(in_.shape[1]):
            if in_[leg, place] >= 0:
                path[at], at = in_[leg, place], at + 1
    return leg_start, path, stuck
