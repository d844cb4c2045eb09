"""When fluid flows end, by progressive filling from scratch after every end, with dense matrices: slow and plain."""

import numpy as np


def finishes_from_scratch(matrix: np.ndarray, capacity: np.ndarray, size_bytes: np.ndarray) -> np.ndarray:
    """(n_flows,) ends of flows that put `matrix` (n_flows, n_arcs) of their rates on arcs."""
    left, finish, now = size_bytes.astype(float), np.zeros(len(matrix)), 0.0
    running = np.ones(len(matrix), dtype=bool)
    while running.any():
        rate, is_open, room = np.zeros(len(matrix)), running.copy(), capacity.copy()
        while is_open.any():
            weight = matrix[is_open].sum(axis=0)
            level = np.divide(room, weight, out=np.full(len(room), np.inf), where=weight > 1e-12)
            step = level.min()
            rate[is_open] += step
            room = room - step * weight
            full = (level <= step * (1 + 1e-9)) & (weight > 1e-12)
            is_open &= ~(matrix[:, full] > 0).any(axis=1)
        wait = (left[running] / rate[running]).min()
        left -= np.where(running, rate * wait, 0.0)
        now += wait
        ended = running & (left <= 1e-9 * size_bytes)
        finish[ended] = now
        running &= ~ended
    return finish
