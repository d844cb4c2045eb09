"""A collective on a design by size, as NCCL or RCCL chooses and runs it: what other rooms ask for."""

from collections.abc import Sequence

from designer.model.design import Design
from designer.simulation.designs import graph_for
from designer.simulation.libraries.runs import USUAL, Prediction, Progress, Setup, predict_on
from designer.simulation.scenario import Scenario


def predict(
    design: Design,
    scenario: Scenario,
    sizes_bytes: Sequence[float],
    setup: Setup = USUAL,
    progress: Progress | None = None,
) -> Prediction:
    """The scenario's collective at each size, as the library runs it on the design.

    `scenario.failed`, `scenario.network` and `scenario.ranks` are about the design. Raises ParameterError for traffic
    that is no collective, for GPUs that the library has no constants for, and what `graph_for` raises.
    """
    graph, scenario = graph_for(design, scenario)
    return predict_on(design, graph, scenario, sizes_bytes, setup, progress)
