"""Distances to leafs, compiled: hops, or hops of which those between dragonfly groups count more than all others."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from designer.graph.compiled import compiled


@compiled
def distances_to(
    start: NDArray[np.int32], head: NDArray[np.int32], cost: NDArray[np.int16], far: int,
    goal_start: NDArray[np.int64], goals: NDArray[np.int32],
) -> NDArray[np.int16]:  # fmt: skip
    """(n_sets, n_vertices) least cost from each vertex to a goal of each set; -1 where there is no way.

    Set k is goals[goal_start[k]] to goals[goal_start[k + 1] - 1]. `start` and `head` are a CSR adjacency that holds
    every edge in both directions; an edge costs 1 or `far`, the same
    both ways. With `far` 0 all cost 1. Two queues, one for each cost, are both in order of distance; the nearer of
    their first vertices comes next.
    """
    n_vertices = len(start) - 1
    n_sets = len(goal_start) - 1
    distance: Any = np.full((n_sets, n_vertices), -1, dtype=np.int16)
    width = len(head) + n_vertices + 1
    near, near_at = np.empty(width, dtype=np.int32), np.empty(width, dtype=np.int32)
    over, over_at = np.empty(width, dtype=np.int32), np.empty(width, dtype=np.int32)
    for number in range(n_sets):
        row = distance[number]
        near_done, near_queued, over_done, over_queued = 0, 0, 0, 0
        for place in range(goal_start[number], goal_start[number + 1]):
            near[near_queued], near_at[near_queued] = goals[place], 0
            near_queued += 1
        while near_done < near_queued or over_done < over_queued:
            if over_done >= over_queued or (near_done < near_queued and near_at[near_done] <= over_at[over_done]):
                vertex, so_far = near[near_done], near_at[near_done]
                near_done += 1
            else:
                vertex, so_far = over[over_done], over_at[over_done]
                over_done += 1
            if row[vertex] >= 0:
                continue
            row[vertex] = so_far
            for edge in range(start[vertex], start[vertex + 1]):
                neighbour = head[edge]
                if row[neighbour] < 0:
                    if far > 0 and cost[edge] == far:
                        over[over_queued], over_at[over_queued] = neighbour, so_far + far
                        over_queued += 1
                    else:
                        near[near_queued], near_at[near_queued] = neighbour, so_far + 1
                        near_queued += 1
    return distance  # type: ignore[no-any-return]
