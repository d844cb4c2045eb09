"""A scenario on a design: the graph and the scenario agree on what has failed and on the network that carries it."""

from collections.abc import Callable

from designer.graph.arrays import Graph
from designer.graph.building.build import build
from designer.late import Late
from designer.model.design import Design
from designer.simulation.engine import simulate
from designer.simulation.failures.survivors import as_numbered
from designer.simulation.result import Result
from designer.simulation.scenario import Scenario

libraries = Late("designer.simulation.libraries.results")


def graph_for(design: Design, scenario: Scenario) -> tuple[Graph, Scenario]:
    """The graph that the scenario is about, and the scenario with its ranks as that graph numbers them.

    The graph is of the scenario's network, without what the scenario says has failed. Raises UnknownEntityError for a
    failure that the design has no name for, ParameterError for ranks of failed servers.
    """
    scenario = as_numbered(design, scenario)
    return build(design, failed=frozenset(scenario.failed), network=scenario.network), scenario


def simulate_design(design: Design, scenario: Scenario, progress: Callable[[float], None] | None = None) -> Result:
    """What the scenario's traffic does to the design's fabric, as `engine.simulate` finds it, with the same errors.

    `scenario.failed`, `scenario.network` and `scenario.ranks` are about the design: nothing has to be said twice.
    Raises what `graph_for` raises too.
    """
    graph, scenario = graph_for(design, scenario)
    return simulate_on(design, graph, scenario, progress)


def simulate_on(
    design: Design, graph: Graph, scenario: Scenario, progress: Callable[[float], None] | None = None
) -> Result:
    """The same on a graph of the design, under the scenario's model."""
    if scenario.is_calibrated:
        found: Result = libraries.simulate_with_library(design, graph, scenario, progress)
        return found
    return simulate(graph, scenario, progress)
