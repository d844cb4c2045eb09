"""Kinds of the flows of a uniform all-to-all as they are met: the tables of the surveys, compiled.

Colors and hashes are unsigned 64-bit numbers that wrap around; sums of hashes stand for multisets.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from designer.graph.compiled import compiled, compiled_borrowing
from designer.routing.transport_kernels import Longs

ARRIVED = np.uint64(0xD1342543DE82EF95)
# Stands for a path that has come to its leaf.
Hashes = NDArray[np.uint64]


class ClassArrays(NamedTuple):
    """Hosts in classes: flows of one look alike as they set out."""

    of: Longs  # (n_hosts,) -1 for hosts that others stand for
    place: Longs  # (n_classes,) the leaf; where switches are folded, the node
    size: Longs  # (n_classes,) hosts on one switch
    start: Longs  # (n_classes + 1,)
    hosts: Longs  # (n_hosts,) sorted by class
    price_out: Hashes  # (n_classes,) the colors of the arcs onto the fabric
    price_in: Hashes  # (n_hosts,) the colors of those off it


class Colours(NamedTuple):
    """The colors of arcs (spray: of bundles by their first), and what is seen of flows: without length, it is not.

    Fabric arcs (spray: bundles) get it in `seen_by`, hosts what they send and take in in `sent_by` and `taken_by`.
    """

    tint: Hashes
    seen_by: Hashes
    sent_by: Hashes  # (n_hosts or 0,)
    taken_by: Hashes


class FlowClasses(NamedTuple):
    """A table of the kinds of flows met so far, by open addressing, each with a pair of hosts."""

    n: Longs  # (1,) how many; more than there is room where there are more
    slots: Longs
    keys: Hashes
    counts: Longs
    src: Longs
    dst: Longs


@compiled_borrowing
def slot_of(key: np.uint64, slots: Longs, keys: Hashes) -> int:
    """Where a key stands in a table of open addressing, or where it would."""
    last = len(slots) - 1
    slot = np.int64(key & np.uint64(last))
    while slots[slot] >= 0 and keys[slots[slot]] != key:
        slot = (slot + 1) & last
    return int(slot)


@compiled_borrowing
def _no_mate(host: int, group: int, classes: ClassArrays, mates: Longs) -> int:
    """One of the hosts of a class that are not on the host's crossbar; -1 where all are."""
    members = classes.hosts
    for member in range(classes.start[group], classes.start[group + 1]):
        is_mate = False
        for place in range(mates.shape[1]):
            is_mate = is_mate or mates[host, place] == members[member]
        if not is_mate:
            return int(members[member])
    return -1


@compiled
def kinds_for(most: int) -> FlowClasses:
    """A table for so many kinds."""
    n_slots = 1
    while n_slots < 4 * most:
        n_slots *= 2
    return FlowClasses(
        np.zeros(1, dtype=np.int64),
        np.full(n_slots, -1, dtype=np.int64),
        np.empty(most, dtype=np.uint64),
        np.zeros(most, dtype=np.int64),
        np.full(most, -1, dtype=np.int64),
        np.empty(most, dtype=np.int64),
    )


@compiled_borrowing
def _kind_of(flow: np.uint64, kinds: FlowClasses) -> int:
    """The number of a kind of flow, which may be new; -1 where there is no room for it."""
    n_kinds, slots, keys = kinds.n, kinds.slots, kinds.keys
    slot = slot_of(flow, slots, keys)
    if slots[slot] < 0:
        number = n_kinds[0]
        n_kinds[0] += 1
        if number == len(keys):
            return -1
        slots[slot], keys[number] = number, flow
    return int(slots[slot])


@compiled_borrowing
def note_flows(
    flow: np.uint64,
    count: int,
    group: int,
    host: int,
    last: int,
    like: Longs,
    hosts: tuple[ClassArrays, Longs],
    kinds: FlowClasses,
) -> bool:
    """Counts flows of a kind from a class of hosts to the hosts up to `last` that are like one; False without room.

    `hosts` are the classes and the mates of every host.
    """
    kind = _kind_of(flow, kinds)
    if kind < 0:
        return False
    classes, mates = hosts
    src, dst = kinds.src, kinds.dst
    kinds.counts[kind] += count
    for other in range(host, last):
        if src[kind] >= 0:
            break
        if like[other] == host:
            src[kind], dst[kind] = _no_mate(other, group, classes, mates), other
    return True


@compiled
def found_kinds(kinds: FlowClasses) -> tuple[int, Hashes, Longs, Longs, Longs]:
    """The kinds that there are flows of: (how many were met, keys, counts, sources, destinations)."""
    found = min(kinds.n[0], len(kinds.keys))
    is_sent = kinds.counts[:found] > 0
    return (
        kinds.n[0],
        kinds.keys[:found][is_sent],
        kinds.counts[:found][is_sent],
        kinds.src[:found][is_sent],
        kinds.dst[:found][is_sent],
    )
