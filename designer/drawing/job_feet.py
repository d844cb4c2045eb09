"""Which servers bear which jobs' colors: a foot on each box, shared where several jobs run on one server."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

FOOT_SHARE, LEAST_FOOT, MOST_FOOT = 0.14, 3.0, 6.0
"""Height of a foot: a share of its box, at least and at most so much."""

JobFeet = dict[str, NDArray[np.int64]]
"""By color three rows: numbers of boxes, which part of the box is the job's, and of how many parts."""


def job_feet(box_of: Callable[[str], int | None], servers: Mapping[str, Sequence[str]]) -> JobFeet:
    """The feet of servers by the color of their job; `box_of` says by row which box a server is drawn in."""
    colours_of: dict[int, list[str]] = {}
    for colour, ids in servers.items():
        for one in ids:
            row = box_of(one)
            if row is not None and colour not in (own := colours_of.setdefault(row, [])):
                own.append(colour)
    found: dict[str, list[tuple[int, int, int]]] = {}
    for row, own in colours_of.items():
        for place, colour in enumerate(own):
            found.setdefault(colour, []).append((row, place, len(own)))
    return {colour: np.array(feet, dtype=np.int64).T for colour, feet in found.items()}
