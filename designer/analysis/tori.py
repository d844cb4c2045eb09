"""Tori and meshes, read from the drawing, and their bisection as a closed form.

Ports of a router come in pairs, onward and back along one dimension after another, as the torus generator and Close
This Row into a Ring make them. Sources of the closed forms: J. Arjona Aroca, A. Fernández Anta, "Bisection (Band)Width
of Product Networks with Application to Data Centers" (2014), for rings of three or more alone and for meshes; else the
load of uniform traffic on dimension-order ways (Dally & Towles, 2004, ch. 3) where it meets the cut across a dimension.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from designer.analysis.survey import Run, Survey
from designer.graph.components import components

TOLERANCE = 1e-9

Steps = dict[str, str]


@dataclass(frozen=True, slots=True)
class Dimension:
    """Nodes along it, and whether its ends are joined; two nodes are never a ring, as they have one link."""

    size: int
    ring: bool


def torus_bisection_gbps(surveyed: Survey) -> float | None:
    """The exact bisection of a torus or mesh with one server on every router; None for anything else.

    None also where a server's links carry less than its router's, as the least cut may then be there, and for the few
    mixtures of rings and lines that no closed form is known for.
    """
    joints = _joints(surveyed)
    if joints is None:
        return None
    rate_gbps, runs = joints
    dimensions = dimensions_of(surveyed, runs)
    width = bisection_links(dimensions) if dimensions is not None else None
    return None if width is None else width * rate_gbps


def bisection_links(dimensions: Sequence[Dimension]) -> int | None:
    """Least number of links across any split of the nodes in two halves (one larger by one when odd).

    With sizes k1 >= k2 >= .. of which ke is the first even one (the last where all are odd), and with the products
    c_i = k_(i+1) * .. * k_n, a mesh has c_1 + .. + c_e and a torus of rings twice that: 2N/k for an even longest k.
    """
    longest = sorted(dimensions, key=lambda dimension: -dimension.size)
    sizes = [dimension.size for dimension in longest]
    n_nodes = math.prod(sizes)
    first_even = next((index for index, size in enumerate(sizes) if size % 2 == 0), len(sizes) - 1)
    layers = sum(math.prod(sizes[index + 1 :]) for index in range(first_even + 1))
    if not any(dimension.ring for dimension in longest):
        return layers
    if all(dimension.ring for dimension in longest):
        return 2 * layers
    cuts = [n_nodes // one.size * (2 if one.ring else 1) for one in longest if one.size % 2 == 0]
    busiest = max(_load(dimension, n_nodes) for dimension in longest)
    needed = Fraction((n_nodes // 2) * (n_nodes - n_nodes // 2)) / busiest
    return min(cuts) if cuts and min(cuts) == needed else None


def _load(dimension: Dimension, n_nodes: int) -> Fraction:
    """Ways over the busiest link of a dimension, one direction, when every node sends to every one over shortest ways.

    Ways of equal length share in equal parts.
    """
    size = dimension.size
    if not dimension.ring:
        return Fraction(n_nodes * (size // 2) * (size - size // 2), size)
    return Fraction(n_nodes * (size * size - size % 2), 8 * size)


def _joints(surveyed: Survey) -> tuple[float, list[Run]] | None:
    """The rate of the links between routers and these links, where they are all alike and every router has a server."""
    if len(surveyed.linked_hosts) != len(surveyed.linked_switches):
        return None
    servers = {server.id for server in surveyed.linked_hosts}
    access: dict[str, dict[str, float]] = {}
    degree: dict[str, float] = {}
    runs = []
    for run in surveyed.fabric_runs:
        low, high = run.low.device_id, run.high.device_id
        if high in servers:
            return None
        if low in servers:
            at = access.setdefault(low, {})
            at[high] = at.get(high, 0.0) + run.capacity_gbps
        else:
            runs.append(run)
            for end in (low, high):
                degree[end] = degree.get(end, 0.0) + run.capacity_gbps
    homes = {next(iter(at)): sum(at.values()) for at in access.values() if len(at) == 1}
    if not runs or len(homes) != len(surveyed.linked_switches) or len(surveyed.linked_hosts) != len(homes):
        return None
    if len({run.capacity_gbps for run in runs}) != 1:
        return None
    if any(homes[router] < gbps - TOLERANCE for router, gbps in degree.items()):
        return None
    return runs[0].capacity_gbps, runs


def dimensions_of(surveyed: Survey, runs: Sequence[Run]) -> list[Dimension] | None:
    """The dimensions of the torus or mesh that links between routers make; None where they make none."""
    routers = [switch.id for switch in surveyed.linked_switches]
    steps = _steps(surveyed, runs)
    if steps is None:
        return None
    dimensions = []
    places: list[dict[str, int] | None] = []
    for onward in steps:
        found = _lines(routers, onward)
        if found is None:
            return None
        dimensions.append(found[0])
        places.append(found[1])
    if math.prod(dimension.size for dimension in dimensions) != len(routers):
        return None
    # As many nodes as the sizes make, all joined, and steps along two dimensions give the same in either order: then
    # the nodes are the product of the lines, not a twisted torus or a torus with a fault.
    whole = len(components(routers, (step for onward in steps for step in onward.items()))) == 1
    if not whole or not _even(routers, steps, places):
        return None
    return dimensions


def _steps(surveyed: Survey, runs: Sequence[Run]) -> list[Steps] | None:
    """For each dimension the next router onward; None where a link does not lead from an onward port to a back one."""
    order: dict[str, Mapping[str, int]] = {}
    for switch in surveyed.linked_switches:
        order[switch.id] = {port.name: index for index, port in enumerate(surveyed.design.ports(switch.id))}
    found: dict[int, Steps] = {}
    back: set[tuple[int, str]] = set()
    for run in runs:
        a, b = run.low, run.high
        index, other = order[a.device_id].get(a.port), order[b.device_id].get(b.port)
        if index is None or other is None or index // 2 != other // 2 or index % 2 == other % 2:
            return None
        if index % 2:
            a, b = b, a
        onward = found.setdefault(index // 2, {})
        if a.device_id in onward or (index // 2, b.device_id) in back:
            return None
        onward[a.device_id] = b.device_id
        back.add((index // 2, b.device_id))
    return [found[dimension] for dimension in sorted(found)]


def _lines(routers: Sequence[str], onward: Steps) -> tuple[Dimension, dict[str, int] | None] | None:
    """The dimension whose lines are all alike, and where along an open line each router is; None where they differ."""
    place: dict[str, int] = {}
    shapes: set[tuple[int, bool]] = set()
    targets = set(onward.values())
    for start in (*(one for one in routers if one not in targets), *routers):
        if start in place:
            continue
        line, at = [start], start
        while (following := onward.get(at)) is not None and following != start:
            line.append(following)
            at = following
        shapes.add((len(line), following == start))
        place.update((one, number) for number, one in enumerate(line))
    if len(shapes) != 1:
        return None
    size, ring = shapes.pop()
    if size < 2 or (ring and size == 2):
        return None
    return Dimension(size, ring), None if ring else place


def _even(routers: Sequence[str], steps: Sequence[Steps], places: Sequence[dict[str, int] | None]) -> bool:
    """A step keeps the place along every other open line, and two steps lead to one router in either order."""
    for number, onward in enumerate(steps):
        for other_number, other in enumerate(steps):
            if number == other_number:
                continue
            place = places[other_number]
            for one in routers:
                ahead = onward.get(one)
                if ahead is None:
                    continue
                if place is not None and place[ahead] != place[one]:
                    return False
                if other.get(ahead) != (onward.get(other[one]) if one in other else None):
                    return False
    return True
