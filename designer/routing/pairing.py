"""Which NICs of two GPUs carry a flow between them, and what share of it each pair takes.

A plane is what hangs together: switches joined by links, or two NICs joined by a cable. In a plane the sender shares
its part of a flow evenly over its NICs there, and the receiver likewise: NICs of the same number are paired first, then
the others in port order. Planes share a flow by the number of NICs that both have there (the smaller of the two), so
that a dead NIC costs its share and no more. GPUs of a scale-up domain whose switches are drawn use its planes alone.
"""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from designer.routing.attachment import Attachment

Integers = NDArray[np.int64]

WORTH_A_TABLE = 1000
"""Kinds of pairs of GPUs that are counted in a table even for few flows."""


@dataclass(frozen=True, slots=True, eq=False)
class NicPairs:
    """The pairs of NICs of flows, sorted by flow: by number of the way out of the sender and into the receiver."""

    flow: Integers  # (n_pairs,)
    out: Integers  # (n_pairs,)
    in_: Integers  # (n_pairs,)
    share: NDArray[np.float64]  # (n_pairs,) of the flow; 1 in sum


def joined(ends: Attachment, a: Integers, b: Integers) -> NDArray[np.bool_]:
    """Which GPUs of `a` have a NIC that reaches one of the GPU in the same place of `b`."""
    if ends.n_ways == 1:
        plane = ends.plane[a, 0]
        found: NDArray[np.bool_] = (plane >= 0) & (plane == ends.plane[b, 0])
        return found
    first, of = _kinds(ends, a, b)
    planes = [[set(ends.plane[side[flow]].tolist()) - {-1} for flow in first.tolist()] for side in (a, b)]
    shares = [bool(here & there) for here, there in zip(*planes, strict=True)]
    return np.array(shares, dtype=bool)[of]


def all_pairs(ends: Attachment, a: Integers, b: Integers) -> NicPairs:
    """Every pair of NICs of each flow from a GPU of `a` to the one in the same place of `b`; these reach each other."""
    if ends.n_ways == 1:
        return _only_ways(len(a))
    table, of = _table(ends, a, b)
    counts = np.diff(table.start)[of]
    flow = np.repeat(np.arange(len(a)), counts)
    place = np.repeat(table.start[of] - np.cumsum(counts) + counts, counts) + np.arange(len(flow))
    return NicPairs(flow, table.out[place], table.in_[place], table.share[place])


def picked_pairs(ends: Attachment, a: Integers, b: Integers, pick: Integers) -> NicPairs:
    """One pair of NICs for each flow from a GPU of `a` to the one in the same place of `b`; these reach each other.

    The end with more NICs takes them in turn, the other one answers with that of the same number, or else in turn too.
    """
    if ends.n_ways == 1:
        return _only_ways(len(a))
    table, of = _table(ends, a, b)
    n_turns = np.diff(table.first_turn)[of]
    turn = table.first_turn[of] + pick % n_turns
    place = table.turn_start[turn] + pick // n_turns % np.diff(table.turn_start)[turn]
    return NicPairs(np.arange(len(a)), table.out[place], table.in_[place], np.ones(len(a)))


def _only_ways(n_flows: int) -> NicPairs:
    first = np.zeros(n_flows, dtype=np.int64)
    return NicPairs(np.arange(n_flows), first, first, np.ones(n_flows))


def _kinds(ends: Attachment, a: Integers, b: Integers) -> tuple[Integers, Integers]:
    """(a flow of each kind, the kind of each flow): flows are of one kind where the kinds of both their GPUs are."""
    n = int(ends.kind.max(initial=0)) + 1
    key = ends.kind[a] * n + ends.kind[b]
    if n * n > max(WORTH_A_TABLE, 4 * len(key)):
        _, first, of = np.unique(key, return_index=True, return_inverse=True)
        return first, of
    flow_of = np.full(n * n, -1, dtype=np.int64)
    flow_of[key[::-1]] = np.arange(len(key))[::-1]
    present = np.flatnonzero(flow_of >= 0)
    number = np.empty(n * n, dtype=np.int64)
    number[present] = np.arange(len(present))
    return flow_of[present], number[key]


@dataclass(frozen=True, slots=True, eq=False)
class _Table:
    """Pairs of ways by kind of flow, and in them by turn."""

    start: Integers  # (n_kinds + 1,) first pair
    first_turn: Integers  # (n_kinds + 1,)
    turn_start: Integers  # (n_turns + 1,) first pair
    out: Integers
    in_: Integers
    share: NDArray[np.float64]


def _table(ends: Attachment, a: Integers, b: Integers) -> tuple[_Table, Integers]:
    first, of = _kinds(ends, a, b)
    out: list[int] = []
    in_: list[int] = []
    share: list[float] = []
    start, first_turn, turn_start = [0], [0], [0]
    for flow in first.tolist():
        for turn in _turns(*_in_common(ends, int(a[flow]), int(b[flow]))):
            for way_out, way_in, part in turn:
                out.append(way_out)
                in_.append(way_in)
                share.append(float(part))
            turn_start.append(len(out))
        start.append(len(out))
        first_turn.append(len(turn_start) - 1)
    bounds = [np.array(column, dtype=np.int64) for column in (start, first_turn, turn_start)]
    ways = [np.array(column, dtype=np.int64) for column in (out, in_)]
    return _Table(bounds[0], bounds[1], bounds[2], ways[0], ways[1], np.array(share, dtype=np.float64)), of


def _in_common(ends: Attachment, a: int, b: int) -> tuple[dict[int, dict[int, int]], dict[int, dict[int, int]]]:
    """The NICs of two GPUs by plane: those of their scale-up domain alone, where they share one."""
    sides = _by_plane(ends, a), _by_plane(ends, b)
    inside = ends.scale_up_planes & sides[0].keys() & sides[1].keys()
    if not inside:
        return sides
    shared = sorted(inside)
    return {one: sides[0][one] for one in shared}, {one: sides[1][one] for one in shared}


def _by_plane(ends: Attachment, gpu: int) -> dict[int, dict[int, int]]:
    """By plane the numbers of a GPU's NICs there, in port order, each with its way."""
    found: dict[int, dict[int, int]] = {}
    for way, (plane, number) in enumerate(zip(ends.plane[gpu].tolist(), ends.number[gpu].tolist(), strict=True)):
        if plane >= 0:
            found.setdefault(plane, {})[number] = way
    return found


def _turns(
    sender: dict[int, dict[int, int]], receiver: dict[int, dict[int, int]]
) -> list[list[tuple[int, int, Fraction]]]:
    """(way out, way in, share), those with the same NIC of the end that has more of them together, in port order."""
    both = [(sender[plane], receiver[plane]) for plane in sender if plane in receiver]
    lanes = sum(min(len(out), len(in_)) for out, in_ in both)
    turns: list[tuple[int, list[tuple[int, int, Fraction]]]] = []
    for out, in_ in both:
        of_plane = Fraction(min(len(out), len(in_)), lanes)
        by_number: dict[int, list[tuple[int, int, Fraction]]] = {}
        for here, there, part in _coupled(list(out), list(in_)):
            pair = (out[here], in_[there], of_plane * part)
            by_number.setdefault(here if len(out) >= len(in_) else there, []).append(pair)
        turns.extend(by_number.items())
    return [pairs for _, pairs in sorted(turns, key=lambda turn: turn[0])]


def _coupled(out: list[int], in_: list[int]) -> list[tuple[int, int, Fraction]]:
    """(number out, number in, share) of pairs of NICs of one plane, so that either end uses its own evenly."""
    left = {number: Fraction(1, len(out)) for number in out}
    room = {number: Fraction(1, len(in_)) for number in in_}
    found = []

    def pair(here: int, there: int) -> None:
        part = min(left[here], room[there])
        if part:
            left[here] -= part
            room[there] -= part
            found.append((here, there, part))

    for number in out:
        if number in room:
            pair(number, number)
    for here in out:
        for there in in_:
            pair(here, there)
    return found
