"""Who is left when something fails: the ranks that are still there and reach each other."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from designer.errors import GraphError
from designer.graph import endpoints
from designer.graph.arrays import Graph, without
from designer.graph.building.build import build
from designer.graph.components import component_of
from designer.graph.failures import broken
from designer.model.design import Design
from designer.routing.network import network
from designer.simulation.scenario import Scenario
from designer.simulation.traffic.ranks import participants
from designer.units import format_count


def ranks_left(graph: Graph, keys: NDArray[np.int64]) -> tuple[NDArray[np.int64], int]:
    """(the ranks with these keys that are in the graph and reach each other, how many are not).

    Where some do not reach the others, those of the largest part are left. A rank that reaches no other is lost too.
    """
    there = rank_keys(graph)  # ascending: endpoints are in rank order
    place = np.minimum(np.searchsorted(there, keys), max(0, len(there) - 1))
    present = place[there[place] == keys].astype(np.int64) if len(there) else np.empty(0, dtype=np.int64)
    if len(present) and not _hang_together(graph, present):
        of = component_of(graph.source, graph.target, graph.n_vertices)[present]
        present = present[of == np.bincount(of).argmax()]
    if len(present) < 2:
        present = present[:0]
    return present, len(keys) - len(present)


def with_failures(
    design: Design, failed: frozenset[str], scenario: Scenario, healthy: Graph | None = None
) -> tuple[Graph, Scenario, tuple[int, ...]]:
    """(graph without what has failed, the scenario of the ranks left, the GPUs whose ranks are lost).

    GPUs are numbered as in the whole design. `healthy` is its graph where it is known. Raises GraphError where fewer
    than two ranks are left.
    """
    if healthy is None:
        healthy = build(design, network=scenario.network)
    asked = participants(network(healthy), scenario)
    members = rank_keys(healthy)[asked]
    graph = without(healthy, broken(design, failed), failed)
    left, _ = ranks_left(graph, members)
    if len(left) < 2:
        count = format_count(len(members))
        raise GraphError(f"no two of the {count} ranks reach each other without what has failed: restore something")
    lost = tuple(sorted(asked[~np.isin(members, rank_keys(graph)[left])].tolist()))
    if lost or graph.n_endpoints < healthy.n_endpoints:  # GPUs are renumbered where some are missing
        scenario = replace(scenario, ranks=tuple(left.tolist()), order="design")
    return graph, scenario, lost


def as_numbered(design: Design, scenario: Scenario) -> Scenario:
    """The scenario with its ranks, which count the design's GPUs, as the graph without what failed numbers them.

    Raises ParameterError for ranks there are not and for ranks of failed servers, UnknownEntityError for a name of a
    failure that the design does not have.
    """
    if scenario.ranks is None or not scenario.failed:
        return scenario
    gone = broken(design, frozenset(scenario.failed)).devices
    if not any(design.is_server(one) for one in gone):
        return scenario
    ranks = range(scenario.ranks) if isinstance(scenario.ranks, int) else scenario.ranks
    return replace(scenario, ranks=endpoints.ranks_standing(design, ranks, gone))


def rank_keys(graph: Graph) -> NDArray[np.int64]:
    """(n_endpoints,) a number for each GPU that stays the same when others fail."""
    n = graph.n_endpoints
    return graph.device[:n].astype(np.int64) * 2**20 + graph.local[:n]


def _hang_together(graph: Graph, members: NDArray[np.int64]) -> bool:
    """Whether all are on leafs that reach each other; False also where that takes a closer look."""
    net = network(graph)
    leafs = np.unique(net.ends.leaf[members, 0])
    if leafs[0] < 0:
        return False
    return bool((net.switches.distance[leafs[0], net.switches.leafs[leafs]] >= 0).all())
