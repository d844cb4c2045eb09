"""Hop counts by breadth-first search, compiled."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from designer.graph.compiled import compiled


@compiled
def distances_to(
    start: NDArray[np.int32], head: NDArray[np.int32], goals: NDArray[np.int32]
) -> NDArray[np.int16]:
    """(n_goals, n_vertices) hops from each vertex to each goal; -1 where there is no way.

    `start` and `head` are a CSR adjacency that holds every edge in both directions.
    """
    n_vertices = len(start) - 1
    distance: Any = np.full((len(goals), n_vertices), -1, dtype=np.int16)
    queue = np.empty(n_vertices, dtype=np.int32)
    for goal in range(len(goals)):
        row = distance[goal]
        row[goals[goal]] = 0
        queue[0] = goals[goal]
        done, queued = 0, 1
        while done < queued:
            vertex = queue[done]
            done += 1
            further = row[vertex] + 1
            for edge in range(start[vertex], start[vertex + 1]):
                neighbour = head[edge]
                if row[neighbour] < 0:
                    row[neighbour] = further
                    queue[queued] = neighbour
                    queued += 1
    return distance  # type: ignore[no-any-return]
