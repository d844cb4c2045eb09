"""A heap of numbered things by a key that may change: the least is at hand, any may be put in, changed or taken out."""

from typing import NamedTuple

import numpy as np

from designer.graph.compiled import compiled, compiled_borrowing
from designer.routing.transport_kernels import Floats, Ints, Longs

OUT = -1


class Heap(NamedTuple):
    """Things in the first size[0] places of `items`, none with a lower key than the one at half its place."""

    items: Ints  # (n,)
    keys: Floats  # (n,) by thing
    place: Ints  # (n,) by thing, OUT where it is not in the heap
    size: Longs  # (1,)


@compiled
def heap_of(n: int) -> Heap:
    """An empty heap for things numbered below n."""
    items, place = np.empty(n, dtype=np.int32), np.full(n, OUT, dtype=np.int32)
    return Heap(items, np.empty(n), place, np.zeros(1, dtype=np.int64))


@compiled_borrowing
def _settle(heap: Heap, thing: int, place: int) -> None:
    """Moves a thing from its place up or down to where its key belongs."""
    items, keys, places, size = heap
    key, last = keys[thing], size[0]
    while place > 0:
        parent = (place - 1) >> 1
        if keys[items[parent]] <= key:
            break
        items[place] = items[parent]
        places[items[place]] = place
        place = parent
    while True:
        child = 2 * place + 1
        if child >= last:
            break
        if child + 1 < last and keys[items[child + 1]] < keys[items[child]]:
            child += 1
        if keys[items[child]] >= key:
            break
        items[place] = items[child]
        places[items[place]] = place
        place = child
    items[place], places[thing] = thing, place


@compiled_borrowing
def put(heap: Heap, thing: int, key: float) -> None:
    """Puts a thing in, or gives it another key."""
    place = heap.place[thing]
    heap.keys[thing] = key
    if place < 0:
        place = heap.size[0]
        heap.size[0] += 1
    _settle(heap, thing, place)


@compiled_borrowing
def take_out(heap: Heap, thing: int) -> None:
    """Takes a thing out, if it is in."""
    place = heap.place[thing]
    if place < 0:
        return
    heap.place[thing] = OUT
    heap.size[0] -= 1
    last = heap.items[heap.size[0]]
    if last != thing:
        _settle(heap, last, place)
