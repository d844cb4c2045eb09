"""How much memory flows take that are routed and followed one by one, estimated before any of it is used."""

import numpy as np

from designer.errors import ParameterError
from designer.routing.network import Network
from designer.routing.policies import Route
from designer.simulation.scenario import Scenario
from designer.simulation.traffic.phases import Flows
from designer.units import format_count, format_memory

FLOW_BYTES, ENTRY_BYTES = 100, 50
"""Of a flow, and of each arc it uses: measured over fat trees, rails and dragonflies, right to a third or so."""
SAMPLE = 500
"""Flows routed to see how many arcs one uses."""


def require_room(network: Network, sent: Flows, route: Route, scenario: Scenario, title: str = "") -> None:
    """Raises ParameterError with the figure where the flows would take more than the scenario's limit."""
    needed = bytes_needed(network, sent, route, scenario)
    if needed > scenario.memory_limit_bytes:
        what = title or f"{scenario.title} on these ranks"
        raise ParameterError(
            f"{what} would take about {format_memory(float(f'{needed:.2g}'))} of memory for "
            f"{format_count(len(sent))} flows, more than the limit of {format_memory(scenario.memory_limit_bytes)}: "
            f"choose fewer ranks, or raise the limit (--memory-limit, or Memory limit in the window's Settings)"
        )


def bytes_needed(network: Network, sent: Flows, route: Route, scenario: Scenario) -> float:
    """About what routing and following all these flows at once takes, or a bound on it that is below the limit."""
    # No row has an arc twice.
    most = len(sent) * float(FLOW_BYTES + ENTRY_BYTES * network.graph.n_arcs)
    if most <= scenario.memory_limit_bytes:
        return most
    some = np.linspace(0, len(sent) - 1, min(SAMPLE, len(sent))).astype(np.int64)
    paths = route(network, sent.src[some], sent.dst[some], sent.size_bytes[some], sent.channel[some], scenario.seed)
    return len(sent) * (FLOW_BYTES + ENTRY_BYTES * len(paths.arcs) / len(some))
