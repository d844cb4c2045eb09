"""A scenario run as NCCL or RCCL runs it: the loads of the chosen algorithm's flows, and the library's time."""

import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from designer.graph.arrays import Graph
from designer.model.design import Design
from designer.simulation.engine import simulate_plan
from designer.simulation.explain.reasons import paced
from designer.simulation.libraries.execution import measured
from designer.simulation.libraries.port_loads import phases_of
from designer.simulation.libraries.runs import origins, prepare, setup_of
from designer.simulation.result import Result
from designer.simulation.scenario import Scenario
from designer.simulation.traffic.collectives import Plan
from designer.units import SECONDS_PER_US

KIND = "{}: algorithm, protocol and channels as the library chooses them; its flows on the drawn fabric give the loads"
NOT_COUNTED = (
    "other work of the GPUs while the collective runs",
    "other jobs on the fabric",
    "congestion control and retransmission",
)
COUNTED = (
    "start-up of the kernel, hops inside and between nodes with the latency of the drawn path, filling the pipeline of "
    "chunks, and bytes over the busiest port at the payload rate measured for this hardware"
)


def simulate_with_library(
    design: Design, graph: Graph, scenario: Scenario, progress: Callable[[float], None] | None = None
) -> Result:
    """The outcome of a collective under the scenario's model: the time is the library's, loads are those of its flows.

    Raises ParameterError for traffic that is no collective, and for GPUs that the library has no constants for.
    """
    began = time.perf_counter()
    report = progress if progress is not None else _ignore
    setup = setup_of(scenario)
    run = prepare(design, graph, scenario, setup, report)
    constants = measured(setup.model) if setup.constants is None else setup.constants
    row = run.row(scenario.size_bytes, constants, 0.0)
    phases = phases_of(run.net, scenario, run.ranks, run.algorithm_at(scenario.size_bytes))
    plan = Plan([phase for phase in phases if not phase.is_fill], row.channels)
    found = simulate_plan(graph, scenario, plan, run.ranks, report, began)
    time_s = row.time_us * SECONDS_PER_US
    # Loads of the ideal run are those of its time; the library takes longer for the same bytes.
    slower = min(1.0, found.time_s / time_s) if time_s > 0 else 1.0
    latency_s = max(0.0, time_s - found.time_s + found.latency_s)
    return replace(
        found,
        model=replace(
            found.model,
            kind=KIND.format(f"{run.of.title} {run.of.version}"),
            algorithm=row.algorithm,
            protocol=row.protocol,
            channels=row.channels,
            chosen_because=row.reason,
            library_estimate_us=row.library_estimate_us,
            counted=COUNTED,
            measured_constants=origins(run, constants),
            unknown_to_the_library=run.machine.unknown,
            notes=(*found.model.notes, *([run.machine.host_note] if run.machine.host_note else ())),
            not_modelled=NOT_COUNTED,
        ),
        time_s=time_s,
        algbw_gbytes_per_s=row.algbw_gbs,
        busbw_gbytes_per_s=row.busbw_gbs,
        phases=tuple(
            replace(phase, time_s=phase.time_s / slower, start_s=phase.start_s / slower) for phase in found.phases
        ),
        latency_s=latency_s,
        bottlenecks=paced(found.bottlenecks, latency_s, time_s),
        utilization_mean=np.asarray(found.utilization_mean * slower),
    )


def _ignore(_share: float) -> None:
    pass
