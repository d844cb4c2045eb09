"""The network of a graph as a scenario's routing sees it."""

from dataclasses import replace

from designer.graph.arrays import Graph
from designer.routing.network import Network, network
from designer.routing.policies import policy_named
from designer.routing.switching import Switching
from designer.routing.tables.matching import with_tables
from designer.simulation.scenario import Scenario


def prepared(graph: Graph, scenario: Scenario) -> Network:
    """The network, with the next hops or the forwarding tables that the routing goes by. Raises GraphError."""
    policy = policy_named(scenario.routing)
    found = policy.prepared(network(graph))
    if policy.by_hash:
        return replace(found, switching=Switching(queue_pairs=scenario.queue_pairs))
    if policy.pieces is not None:
        sizes = scenario.flowlet_bytes, scenario.packet_bytes
        return replace(found, switching=Switching(1, *sizes, scenario.port_choice))
    if policy.takes_tables and scenario.tables is not None:
        return with_tables(found, scenario.tables)
    return found
