"""The network of a graph as a scenario's routing sees it."""

from dataclasses import replace

from designer.graph.arrays import Graph
from designer.routing.given import Switching
from designer.routing.network import Network, network
from designer.routing.policies import Policy, policy_named
from designer.routing.tables.matching import with_tables
from designer.simulation.scenario import Scenario


def prepared(graph: Graph, scenario: Scenario) -> Network:
    """The network, with the next hops or the forwarding tables that the routing goes by. Raises GraphError."""
    policy = policy_named(scenario.routing)
    found = policy.prepared(network(graph))
    found = replace(found, switching=replace(_switching(policy, scenario), planes=scenario.planes))
    if policy.takes_tables and scenario.tables is not None:
        return with_tables(found, scenario.tables)
    return found


def _switching(policy: Policy, scenario: Scenario) -> Switching:
    """What of the settings means something to the policy."""
    if policy.by_hash:
        return Switching(scenario.queue_pairs, scenario.hash_fields, scenario.hash_function, scenario.hash_seeds)
    if policy.pieces is not None:
        flowlet, packet, choice = scenario.flowlet_bytes, scenario.packet_bytes, scenario.port_choice
        return Switching(flowlet_bytes=flowlet, packet_bytes=packet, port_choice=choice)
    return Switching()
