"""Tori and meshes recognized by their ports: in pairs, onward and back along one dimension after another."""

import math

import numpy as np

from designer.model.design import Design
from designer.placement.layouts.direct_networks import Cells, Coordinates

Steps = list[dict[int, int]]


def lattice_of(design: Design, cells: Cells) -> Coordinates | None:
    """The dimensions of the torus or mesh that the routers make, and each one's number in it; None for none."""
    steps = _steps(design, cells)
    if not steps or any(not onward for onward in steps):
        return None
    origin = _origin(len(cells.routers), steps)
    at: dict[int, tuple[int, ...]] = {origin: (0,) * len(steps)}
    waiting = [origin]
    for one in waiting:
        for dimension, onward in enumerate(steps):
            following = onward.get(one)
            if following is not None and following not in at:
                place = list(at[one])
                place[dimension] += 1
                at[following] = tuple(place)
                waiting.append(following)
    if len(at) != len(cells.routers):
        return None
    dims = tuple(1 + max(place[dimension] for place in at.values()) for dimension in range(len(steps)))
    strides = [math.prod(dims[:dimension]) for dimension in range(len(dims))]
    numbers = np.array(
        [sum(c * stride for c, stride in zip(at[one], strides, strict=True)) for one in range(len(at))], np.int64
    )
    if math.prod(dims) != len(at) or len(set(numbers.tolist())) != len(at):
        return None
    return dims, numbers


def _steps(design: Design, cells: Cells) -> Steps:
    """For each dimension the next router onward; () where a link does not lead from an onward port to a back one."""
    ids = [cells.sketch.ids[row] for row in cells.routers.tolist()]
    place = {one: number for number, one in enumerate(ids)}
    order = {one: {port.name: index for index, port in enumerate(design.ports(one))} for one in ids}
    found: dict[int, dict[int, int]] = {}
    for link in design.links.values():
        a, b = link.a, link.b
        if a.device_id not in place or b.device_id not in place:
            continue
        index, other = order[a.device_id].get(a.port), order[b.device_id].get(b.port)
        if index is None or other is None or index // 2 != other // 2 or index % 2 == other % 2:
            return []
        if index % 2:
            a, b = b, a
        onward = found.setdefault(index // 2, {})
        if onward.setdefault(place[a.device_id], place[b.device_id]) != place[b.device_id]:
            return []
    return [found[dimension] for dimension in sorted(found)]


def _origin(count: int, steps: Steps) -> int:
    """A router that no step leads to along most dimensions: the corner of a mesh, in a torus the first."""
    targets = [set(onward.values()) for onward in steps]
    return min(range(count), key=lambda one: (sum(one in target for target in targets), one))
