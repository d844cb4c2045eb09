"""A candidate really built: generated, placed, cabled, checked, priced and simulated, by the engine of the window."""

import gc
import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from designer.analysis.billing.bill import bill
from designer.analysis.billing.costing import Costing
from designer.analysis.bisection import bisection_bandwidth
from designer.analysis.growth import growth
from designer.analysis.new_designs import new_design
from designer.analysis.survey import Survey, survey
from designer.catalog.catalog import Catalog, load
from designer.errors import DesignerError, GraphError, ParameterError
from designer.exploring.candidates import SERVERS, Counted, counted, design_name
from designer.exploring.figures import Evaluated, Figures, Run
from designer.exploring.money import Money, money_of
from designer.exploring.optics import allowed_types
from designer.exploring.request import ANSWER, FIRST_TOKEN, REQUEST, TOKEN, Candidate, Exploration, Workload
from designer.graph.arrays import Graph
from designer.graph.building.build import build
from designer.model.design import Design
from designer.placement import floor
from designer.placement.preparation import totals
from designer.simulation.designs import simulate_on
from designer.simulation.failures.worst import worst_failures
from designer.simulation.inference.records import Service
from designer.simulation.inference.request import Inference
from designer.simulation.inference.service import serve
from designer.simulation.scenario import Scenario
from designer.simulation.training.step import train_step
from designer.units import format_count
from designer.validation.engine import validate
from designer.validation.findings import Severity
from designer.workers.work import Work

AUTO = "auto"


@dataclass(frozen=True, slots=True)
class Bench:
    """What every process that evaluates candidates has ready."""

    search: Exploration
    catalog: Catalog


def bench(search: Exploration) -> Bench:
    """The search with the catalog."""
    return Bench(search, load())


def work_of(search: Exploration) -> Work:
    """The work of evaluating candidates, for any process; results are what is stored."""
    return Work(_evaluate, bench, (search,))


def _evaluate(ready: Bench, candidate: Candidate) -> Any:
    return evaluate(ready, candidate).kept()


def evaluate(ready: Bench, candidate: Candidate) -> Evaluated:
    """The figures of a candidate that is built; why there are none, where it or its traffic cannot be."""
    try:
        with _without_collector():
            made = counted(candidate, ready.catalog)
            design = design_of(made, ready.search, ready.catalog)
            return Evaluated(_figures(ready, made, design))
    except DesignerError as error:
        return Evaluated(fault=str(error))


def design_of(made: Counted, search: Exploration, catalog: Catalog) -> Design:
    """The design of a candidate, with racks, lengths and the cables of its optics policy. Raises ParameterError."""
    candidate = made.candidate
    values = {name: getattr(made.parameters, name) for name in candidate.parameters}
    allowed = replace(catalog, types=allowed_types(catalog, candidate.optics))
    return new_design(made.family, values, allowed, design_name(made, search), AUTO).design


def _figures(ready: Bench, made: Counted, design: Design) -> Figures:
    search, counts = ready.search, made.counts
    surveyed = survey(design)
    graph = build(design)
    runs = tuple(_run(design, graph, workload) for workload in search.workloads)
    weights = [one.weight for one in search.workloads]
    time_s = sum(run.time_s * weight for run, weight in zip(runs, weights, strict=True)) / sum(weights)
    fabric, server = worst_failures(design, graph, search.workloads)
    report = validate(design)
    errors = [one.message for one in report.findings if one.severity is Severity.ERROR]
    cabled = totals(design)
    return Figures(
        gpus=counts.endpoints,
        servers=counts.servers,
        switches=sum(counts.switches.values()),
        links=len(design.links),
        racks=len(design.racks),
        row_m=_longest_row_m(design),
        cables=cabled.n_cables,
        cable_m=round(cabled.length_m, 3),
        money=_money(ready, surveyed, counts.endpoints),
        bisection_gbps=_bisection_gbps(surveyed),
        errors=report.errors,
        error=errors[0] if errors else "",
        runs=runs,
        time_s=time_s,
        loss=fabric.loss,
        worst=fabric.text,
        worst_workload=fabric.workload,
        cut_off=fabric.cut_off,
        slowdown=fabric.slowdown,
        server_loss=server.loss,
        worst_at_server=server.text,
        moved=_moved(made, ready) if search.growth is not None else None,
    )


def _run(design: Design, graph: Graph, workload: Workload) -> Run:
    try:
        if isinstance(workload.run, Scenario):
            found = simulate_on(design, graph, workload.run)
            return Run(workload.name, found.time_s, next((one.why for one in found.bottlenecks), ""))
        if isinstance(workload.run, Inference):
            return _served(workload, serve(graph, workload.run))
        step = train_step(graph, workload.run)
        if step.fits_memory is False:
            raise ParameterError(step.memory_check)
        slowest = max(step.parts, key=lambda part: part.time_s)
        return Run(workload.name, step.step_s, f"most of the step: {slowest.title.lower()}")
    except DesignerError as error:
        raise ParameterError(f"{workload.name}: {error}") from error


def _served(workload: Workload, service: Service) -> Run:
    """The time of an inference that counts. Raises ParameterError where the rate or the memory does not do."""
    for fault in service.faults:
        raise ParameterError(fault)
    times = {
        ANSWER: service.answer_s,
        FIRST_TOKEN: service.ttft_s,
        TOKEN: service.tpot_s,
        REQUEST: 1 / service.most_per_s,
    }
    return Run(workload.name, times[workload.measure], service.limit)


def _money(ready: Bench, surveyed: Survey, gpus: int) -> Money:
    """What the design costs and draws, by the costing of the window and of `cost`."""
    search = ready.search
    types = {**ready.catalog.types, **surveyed.design.types}
    priced = bill(surveyed, types, search.terms.discounted(search.prices), search.spares)
    return money_of(Costing(priced, search.terms, gpus), search.currency)


def _longest_row_m(design: Design) -> float:
    """From the middle of the first rack of a row to that of the last, in the longest row."""
    places = {rack.id: rack.x_m or 0.0 for rack in design.racks.values()}
    rows = ([places[one] for one in row.rack_ids] for row in floor.rows(design))
    return round(max((max(row) - min(row) for row in rows), default=0.0), 3)


def _bisection_gbps(surveyed: Survey) -> float | None:
    try:
        return bisection_bandwidth(surveyed).gbps
    except GraphError:
        return None


def _moved(made: Counted, ready: Bench) -> int | None:
    """Links that move or are removed when the fabric grows to the GPUs of the search; None where it cannot say.

    Raises ParameterError where the fabric cannot grow so far.
    """
    wanted, counts = ready.search.growth or 0, made.counts
    if not hasattr(made.parameters, SERVERS) or not counts.servers:
        return None
    servers = math.ceil(wanted / (counts.endpoints / counts.servers))
    try:
        larger = replace(made.parameters, servers=servers)
        stage = growth(made.family, [(counts.servers, made.parameters), (servers, larger)], ready.catalog)[-1]
    except DesignerError as error:
        raise ParameterError(f"it cannot grow to {format_count(wanted)} GPUs: {error}") from error
    moved, removed = stage.total("moved"), stage.total("removed")
    return None if moved is None or removed is None else moved + removed


@contextmanager
def _without_collector() -> Iterator[None]:
    """New records hold no cycles, and looking for some takes a third of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
