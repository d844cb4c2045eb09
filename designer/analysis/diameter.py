"""Diameter: the longest shortest path between switches that hold endpoints."""

from collections.abc import Iterable

from designer.analysis.survey import Survey
from designer.analysis.tori import dimensions_of


def diameter_hops(surveyed: Survey) -> int | None:
    """Switch-to-switch hops of the longest shortest path between two switches that hold servers.

    Switches no path joins are passed over (`components` tells of them). Without switches, server-to-server hops of a
    direct network; None where there is nothing to measure.
    """
    servers = {server.id for server in surveyed.servers}
    runs = surveyed.fabric_runs
    if surveyed.switches:
        vertices = [switch.id for switch in surveyed.switches]
        holders = {end.device_id for run in runs for end in (run.low, run.high)} - servers
        holding = {
            other.device_id
            for run in runs
            for end, other in ((run.low, run.high), (run.high, run.low))
            if end.device_id in servers
        } & holders
        ends = [vertex for vertex in vertices if vertex in holding]
    else:
        vertices = [server.id for server in surveyed.linked_hosts]
        ends = vertices if runs else []
    if not ends:
        return None
    if len(ends) == len(surveyed.linked_switches):
        between = [run for run in runs if run.low.device_id not in servers and run.high.device_id not in servers]
        dimensions = dimensions_of(surveyed, between) if between else None
        if dimensions is not None:  # thousands of routers that all hold servers would take half a minute to search
            return sum(one.size // 2 if one.ring else one.size - 1 for one in dimensions)
    index = {vertex: number for number, vertex in enumerate(vertices)}
    adjacency = [0] * len(vertices)
    for run in runs:
        low, high = index.get(run.low.device_id), index.get(run.high.device_id)
        if low is not None and high is not None and low != high:
            adjacency[low] |= 1 << high
            adjacency[high] |= 1 << low
    return _eccentricity(adjacency, [index[end] for end in ends])


def _eccentricity(adjacency: list[int], ends: list[int]) -> int:
    """Greatest distance between two of the ends, by breadth-first search on bit masks.

    Ends with the same neighbors see the same distances, so one of each kind is searched from; two of a kind are
    two hops apart.
    """
    targets = 0
    kinds: dict[int, list[int]] = {}
    for end in ends:
        targets |= 1 << end
        kinds.setdefault(adjacency[end], []).append(end)
    longest = 2 if any(neighbours and len(alike) > 1 for neighbours, alike in kinds.items()) else 0
    for alike in kinds.values():
        seen = frontier = 1 << alike[0]
        hops = 0
        while frontier:
            if frontier & targets:
                longest = max(longest, hops)
            reached = 0
            for vertex in _bits(frontier):
                reached |= adjacency[vertex]
            frontier = reached & ~seen
            seen |= frontier
            hops += 1
    return longest


def _bits(mask: int) -> Iterable[int]:
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low
