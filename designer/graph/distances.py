"""Distances to leafs, compiled: hops, or hops of which those between dragonfly groups count more than all others."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from designer.graph.compiled import compiled

AT_ONCE = 64
# Sets of goals looked for together, a bit for each: the search visits a vertex once for all that reach it alike.
DE_BRUIJN = 0x03F79D71B4CB0A89
BIT_OF = np.argsort([((DE_BRUIJN << bit) % 2**64) >> 58 for bit in range(64)])
"""The number of a power of two, by the top six bits of its product with DE_BRUIJN (modulo 2^64)."""


@compiled
def _settle(vertex: int, bits: Any, at: int, distance: Any, first: int) -> None:
    """Writes the distance of a vertex to all sets whose bit is set."""
    while bits != np.uint64(0):
        low = bits & (~bits + np.uint64(1))
        distance[first + BIT_OF[(low * np.uint64(DE_BRUIJN)) >> np.uint64(58)], vertex] = at
        bits ^= low


@compiled
def distances_to(
    start: NDArray[np.int32],
    head: NDArray[np.int32],
    cost: NDArray[np.int16],
    far: int,
    goal_start: NDArray[np.int64],
    goals: NDArray[np.int32],
) -> NDArray[np.int16]:
    """(n_sets, n_vertices) least cost from each vertex to a goal of each set; -1 where there is no way.

    Set k is goals[goal_start[k]] to goals[goal_start[k + 1] - 1]. `start` and `head` are a CSR adjacency that holds
    every edge in both directions; an edge costs 1 or `far`, the same both ways, and `far` is more than any way of 1s
    costs. With `far` 0 all cost 1. So ways with fewer far edges are always nearer: round by round all that one far edge
    more leads to, in each round step by step.
    """
    n_vertices, n_sets = len(start) - 1, len(goal_start) - 1
    distance: Any = np.full((n_sets, n_vertices), -1, dtype=np.int16)
    nothing = np.uint64(0)
    seen, found = np.empty(n_vertices, dtype=np.uint64), np.zeros(n_vertices, dtype=np.uint64)
    current, following = np.empty(n_vertices, dtype=np.int32), np.empty(n_vertices, dtype=np.int32)
    bits_at = np.empty(n_vertices, dtype=np.uint64)
    leads_far = np.zeros(n_vertices, dtype=np.bool_)
    for vertex in range(n_vertices):
        for edge in range(start[vertex], start[vertex + 1]):
            leads_far[vertex] |= far > 0 and cost[edge] == far
    # Vertices with far edges, the sets that newly reached them and after how many steps: of this round and the next.
    room = AT_ONCE * n_vertices if leads_far.any() else 1
    over, over_bits = np.empty((2, room), dtype=np.int32), np.empty((2, room), dtype=np.uint64)
    over_step = np.empty((2, room), dtype=np.int32)
    for first in range(0, n_sets, AT_ONCE):
        seen[:] = nothing
        n_following, n_over, this = 0, 0, 0
        for number in range(first, min(first + AT_ONCE, n_sets)):
            for place in range(goal_start[number], goal_start[number + 1]):
                vertex = goals[place]
                if found[vertex] == nothing:
                    following[n_following] = vertex
                    n_following += 1
                found[vertex] |= np.uint64(1) << np.uint64(number - first)
        base, step, done, n_next = 0, 0, 0, 0
        while n_following > 0 or done < n_over:
            if n_following == 0:
                step = max(step, over_step[this, done])
            while done < n_over and over_step[this, done] == step:
                vertex, bits = over[this, done], over_bits[this, done]
                done += 1
                for edge in range(start[vertex], start[vertex + 1]):
                    neighbour = head[edge]
                    if cost[edge] == far and (bits & ~seen[neighbour]) != nothing:
                        if found[neighbour] == nothing:
                            following[n_following] = neighbour
                            n_following += 1
                        found[neighbour] |= bits
            n_current = 0
            for place in range(n_following):
                vertex = following[place]
                bits = found[vertex] & ~seen[vertex]
                found[vertex] = nothing
                if bits != nothing:
                    seen[vertex] |= bits
                    current[n_current], bits_at[n_current] = vertex, bits
                    n_current += 1
                    _settle(vertex, bits, base + step, distance, first)
                    if leads_far[vertex]:
                        over[1 - this, n_next], over_bits[1 - this, n_next] = vertex, bits
                        over_step[1 - this, n_next] = step
                        n_next += 1
            n_following = 0
            for place in range(n_current):
                vertex, bits = current[place], bits_at[place]
                for edge in range(start[vertex], start[vertex + 1]):
                    neighbour = head[edge]
                    if (far == 0 or cost[edge] != far) and (bits & ~seen[neighbour]) != nothing:
                        if found[neighbour] == nothing:
                            following[n_following] = neighbour
                            n_following += 1
                        found[neighbour] |= bits
            step += 1
            if n_following == 0 and done == n_over:
                base, step, done, n_over, n_next, this = base + far, 0, 0, n_next, 0, 1 - this
    return distance  # type: ignore[no-any-return]
