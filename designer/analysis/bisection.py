"""Bisection bandwidth: what still passes between the two halves of the servers in the worst split."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from operator import mul

import numpy as np
from numpy.typing import NDArray

from designer.analysis.survey import Survey
from designer.analysis.tori import torus_bisection_gbps
from designer.errors import GraphError

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

TOLERANCE = 1e-9
REFINEMENT_PASSES = 8
EXCHANGED_MOST = 256
"""Routers among which pairs are tried, which takes up to a tenth of a second."""


@dataclass(frozen=True, slots=True)
class Bisection:
    """Capacity in one direction; `exact` is False for an upper bound."""

    gbps: float
    exact: bool


@dataclass(frozen=True, slots=True)
class _Cabling:
    """Capacities between devices, one direction, parallel links added up."""

    servers: list[str]
    access: dict[str, dict[str, float]]
    """server -> switch -> Gb/s."""
    up: dict[str, dict[str, float]]
    """leaf -> switch above -> Gb/s."""
    layered: bool
    """Every link joins a server to a leaf or a leaf to a spine."""
    spines: list[str]


def bisection_bandwidth(surveyed: Survey) -> Bisection:
    """Least capacity, one direction, across any split of the servers into two halves (one larger by one when odd).

    A server counts as a whole: its scale-up domain is never split; one without links is in neither half. Exact for
    two-tier Clos fabrics whose leafs spread evenly over all spines and either carry as much up as down or are all
    alike, for a single tier, and for tori and meshes of one server a router (see tori); else the smallest of several
    balanced splits, an upper bound. Raises GraphError for fewer than two servers with links. Source: Dally & Towles
    (2004), ch. 3; the closed forms are argued in the functions below.
    """
    if len(surveyed.linked_hosts) < 2:
        raise GraphError("a bisection needs at least two servers with links")
    cabling = _cabling(surveyed)
    if cabling.layered and _even(cabling):
        if _non_blocking(cabling):
            return Bisection(_least_access(cabling), True)
        alike = _alike_pods(cabling)
        if alike is not None:
            return Bisection(alike, True)
    across = torus_bisection_gbps(surveyed)
    if across is not None:
        return Bisection(across, True)
    return Bisection(_least_of_splits(surveyed, cabling), False)


def _cabling(surveyed: Survey) -> _Cabling:
    tier = surveyed.tier
    access: dict[str, dict[str, float]] = {server.id: {} for server in surveyed.linked_hosts}
    up: dict[str, dict[str, float]] = {}
    layered = True
    for run in surveyed.fabric_runs:
        low, high = run.low.device_id, run.high.device_id
        tiers = tier.get(low), tier.get(high)
        layered = layered and tiers in ((0, 1), (1, 2))
        side = access[low] if tiers[0] == 0 else up.setdefault(low, {})
        side[high] = side.get(high, 0.0) + run.capacity_gbps
    spines = {spine: None for above in up.values() for spine in above}
    return _Cabling(list(access), access, up, layered, list(spines))


def _leafs(cabling: _Cabling) -> list[str]:
    return list({leaf: None for leafs in cabling.access.values() for leaf in leafs})


def _even(cabling: _Cabling) -> bool:
    """Each leaf with servers has the same capacity to every spine."""
    n_spines = len(cabling.spines)
    for leaf in _leafs(cabling):
        above = cabling.up.get(leaf, {})
        if len(above) != n_spines or (above and max(above.values()) - min(above.values()) > TOLERANCE):
            return False
    return True


def _non_blocking(cabling: _Cabling) -> bool:
    """No leaf carries more down than up: then any traffic the servers can send passes.

    Spread evenly over the spines, a leaf's traffic never exceeds its share of a spine in either direction, so the
    least cut is that of the access links.
    """
    if not cabling.spines:
        return False
    down: dict[str, float] = {}
    for leafs in cabling.access.values():
        for leaf, gbps in leafs.items():
            down[leaf] = down.get(leaf, 0.0) + gbps
    return all(gbps <= sum(cabling.up.get(leaf, {}).values()) + TOLERANCE for leaf, gbps in down.items())


def _least_access(cabling: _Cabling) -> float:
    """Access capacity of the half of the servers that has least."""
    access = sorted(sum(leafs.values()) for leafs in cabling.access.values())
    return sum(access[: len(access) // 2])


def _alike_pods(cabling: _Cabling) -> float | None:
    """Exact bisection of oversubscribed pods that are all alike; None where they are not.

    A pod is a set of leafs with the same servers (one leaf of a fat-tree, the leafs of a scalable unit). With x of
    its servers on the far side a leaf costs min(x*r + f*U, (d-x)*r + (1-f)*U), f being the share of the spines there:
    concave in x and in f, so the least sum has f at 0 or 1 and at most one pod divided.
    """
    pods: dict[tuple[str, ...], list[str]] = {}
    for server, leafs in cabling.access.items():
        pods.setdefault(tuple(leafs), []).append(server)
    taken = [leaf for leafs in pods for leaf in leafs]
    rates = {gbps for leafs in cabling.access.values() for gbps in leafs.values()}
    ups = {sum(cabling.up.get(leaf, {}).values()) for leaf in taken}
    shapes = {(len(leafs), len(members)) for leafs, members in pods.items()}
    if () in pods or len(taken) != len(set(taken)) or len(rates) != 1 or len(ups) != 1 or len(shapes) != 1:
        return None
    (n_leafs, pod_servers), rate, up = shapes.pop(), rates.pop(), ups.pop()
    whole, rest = divmod(len(cabling.servers) // 2, pod_servers)
    near = len(pods) - whole - (1 if rest else 0)
    uncut = min(pod_servers * rate, up)
    spines_near = whole * uncut + min(rest * rate, (pod_servers - rest) * rate + up)
    spines_far = near * uncut + min(rest * rate + up, (pod_servers - rest) * rate)
    return n_leafs * min(spines_near, spines_far if rest else near * uncut)


def thinnest_half(surveyed: Survey) -> tuple[float, tuple[str, ...]]:
    """The least capacity found between halves of the servers taken in order or leaf by leaf, and the servers of one.

    An upper bound of the bisection that shows where the fabric is thin. Raises GraphError for fewer than two servers
    with links.
    """
    if len(surveyed.linked_hosts) < 2:
        raise GraphError("a bisection needs at least two servers with links")
    return _thinnest(surveyed, _cabling(surveyed))


def _least_of_splits(surveyed: Survey, cabling: _Cabling) -> float:
    """The smallest cut found: the access links of the poorest half, and halves of the servers taken leaf by leaf."""
    return min(_least_access(cabling), _thinnest(surveyed, cabling)[0])


def _thinnest(surveyed: Survey, cabling: _Cabling) -> tuple[float, tuple[str, ...]]:
    best, half_of_best = math.inf, tuple[str, ...]()
    web = _web(surveyed)
    leaf_order = {switch.id: number for number, switch in enumerate(surveyed.switches)}
    by_leaf = sorted(
        cabling.servers, key=lambda server: min((leaf_order.get(s, 0) for s in cabling.access[server]), default=-1)
    )
    half = len(by_leaf) // 2
    for order in (cabling.servers, by_leaf):
        numbers = [web.number[server] for server in order]
        for start in sorted({0, half // 4, half // 2, 3 * half // 4}):
            across = _cut(web, (numbers[start:] + numbers[:start])[:half])
            if across < best:
                best, half_of_best = across, tuple((order[start:] + order[:start])[:half])
    exchanged = _exchanged(web, {web.number[server] for server in half_of_best})
    if (across := _cut(web, exchanged)) < best:
        return across, tuple(server for server in cabling.servers if web.number[server] in set(exchanged))
    return best, half_of_best


@dataclass(frozen=True, slots=True)
class _Web:
    """Who is linked to whom, by number: servers first, then switches from the lowest tier up."""

    number: dict[str, int]
    n_servers: int
    others: list[list[int]]
    gbps: list[list[float]]
    """Capacity to each of the others, parallel links added up."""
    alike: list[float | None]
    """That capacity where it is the same to all of them."""


def _web(surveyed: Survey) -> _Web:
    climbing = sorted(surveyed.linked_switches, key=lambda switch: surveyed.tier.get(switch.id, 0))
    hosts = surveyed.linked_hosts
    number = {device.id: place for place, device in enumerate((*hosts, *climbing))}
    edges: list[dict[int, float]] = [{} for _ in number]
    for run in surveyed.fabric_runs:
        low, high, gbps = number[run.low.device_id], number[run.high.device_id], run.capacity_gbps
        edges[low][high] = edges[low].get(high, 0.0) + gbps
        edges[high][low] = edges[high].get(low, 0.0) + gbps
    capacities = [list(at.values()) for at in edges]
    alike = [at[0] if at and min(at) == max(at) else None for at in capacities]
    return _Web(number, len(hosts), [list(at) for at in edges], capacities, alike)


def _cut(web: _Web, far: Sequence[int]) -> float:
    """Capacity across one split: each switch goes, tier by tier, to the side most of its links lead to."""
    side = [-1.0] * web.n_servers + [0.0] * (len(web.others) - web.n_servers)
    for server in far:
        side[server] = 1.0
    for _ in range(REFINEMENT_PASSES):
        if not _settle(web, side):
            break
    # The pull of a device is what stays on the far side less what leaves it.
    return sum((sum(web.gbps[one]) - _pull(web, side, one)) / 2 for one, its in enumerate(side) if its > 0)


def _settle(web: _Web, side: list[float]) -> bool:
    """Move switches to the heavier side; True when one moved. A tie stays put, or goes near when not yet placed."""
    moved = False
    for switch in range(web.n_servers, len(side)):
        pull = _pull(web, side, switch)
        wanted = (side[switch] or -1.0) if abs(pull) <= TOLERANCE else (1.0 if pull > 0 else -1.0)
        if side[switch] != wanted:
            side[switch] = wanted
            moved = True
    return moved


def _pull(web: _Web, side: list[float], one: int) -> float:
    """Capacity to the far side less that to the near side."""
    sides, alike = map(side.__getitem__, web.others[one]), web.alike[one]
    return sum(map(mul, web.gbps[one], sides)) if alike is None else alike * sum(sides)


def _exchanged(web: _Web, far: set[int]) -> list[int]:
    """The half of the servers after routers were exchanged with those of the other half for as long as it helps.

    For networks of routers that all have servers, of up to EXCHANGED_MOST; else the half as it is. Servers go along
    with their router, and only routers with as many are exchanged. Source: Kernighan and Lin, "An efficient heuristic
    procedure for partitioning graphs", Bell System Technical Journal 49 (1970).
    """
    own: list[list[int]] = [[] for _ in range(len(web.others) - web.n_servers)]
    for server in range(web.n_servers):
        if len(web.others[server]) == 1:
            own[web.others[server][0] - web.n_servers].append(server)
    if not 2 <= len(own) <= EXCHANGED_MOST or not all(own) or sum(map(len, own)) != web.n_servers:
        return sorted(far)
    joined = np.zeros((len(own), len(own)))
    for router in range(len(own)):
        for other, gbps in zip(web.others[web.n_servers + router], web.gbps[web.n_servers + router], strict=True):
            if other >= web.n_servers:
                joined[router, other - web.n_servers] = gbps
    sizes = np.array([len(servers) for servers in own])
    n_far = np.array([sum(server in far for server in servers) for servers in own])
    side = np.where(n_far * 2 > sizes, 1.0, -1.0)
    is_whole = (n_far == 0) | (n_far == sizes)
    while _exchange(joined, sizes, side, is_whole):
        pass
    return [
        server
        for router, servers in enumerate(own)
        for server in servers
        if (side[router] > 0 if is_whole[router] else server in far)
    ]


def _exchange(joined: Floats, sizes: Ints, side: Floats, is_whole: Flags) -> bool:
    """Exchange pairs of routers, the best first, each once, and keep as many as help most; whether any did."""
    before, is_free, gains, pairs = side.copy(), is_whole.copy(), [0.0], list[tuple[int, int]]()
    while (is_free & (side > 0)).any() and (is_free & (side < 0)).any():
        worth = -side * (joined @ side)  # of a move alone: what leaves its side less what stays there
        far, near = np.flatnonzero(is_free & (side > 0)), np.flatnonzero(is_free & (side < 0))
        gain = worth[far][:, None] + worth[near] - 2 * joined[np.ix_(far, near)]
        gain[sizes[far][:, None] != sizes[near]] = -np.inf
        row, column = divmod(int(gain.argmax()), len(near))
        if not np.isfinite(gain[row, column]):
            break
        one, other = int(far[row]), int(near[column])
        side[[one, other]] = side[[other, one]]
        is_free[[one, other]] = False
        gains.append(gains[-1] + float(gain[row, column]))
        pairs.append((one, other))
    kept = int(np.argmax(gains))
    side[:] = before
    for one, other in pairs[:kept]:
        side[[one, other]] = side[[other, one]]
    return gains[kept] > TOLERANCE
