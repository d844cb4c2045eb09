"""How a model is served, as text. Loads the engine."""

from designer.graph.building.build import build
from designer.model.design import Design
from designer.simulation.inference.records import Pool, Service
from designer.simulation.inference.request import Inference
from designer.simulation.inference.service import serve
from designer.simulation.inference.setups import Setup
from designer.tables.columns import Column, percent
from designer.tables.table import ResultTable, aligned, facts
from designer.units import format_amount, format_count, format_time

POOLS = "name units shape gpus pass_s bound_s tokens_per_s_per_gpu capacity_per_s busy memory_bytes"


def infer(design: Design, inference: Inference) -> Service:
    """How the design serves the requests, without what the inference names as failed."""
    return serve(build(design, failed=frozenset(inference.failed)), inference)


def as_text(name: str, service: Service, setup: Setup | None = None) -> str:
    """The report: times, rates, pools, what is sent, hot links, formulas and notes."""
    inference, model = service.inference, service.inference.model
    head = [
        ("model", f"{model.name}: {model.parameter_count / 1e9:.4g} billion parameters, {model.layers} layers"),
        (
            "requests",
            f"{format_count(inference.input_tokens)} tokens in, {100 * inference.cached:g} % of them cached, "
            f"{format_count(inference.output_tokens)} out",
        ),
        ("first token", f"{format_time(service.ttft_s)}, at best {format_time(service.ttft_bound_s)}"),
        ("per token", f"{format_time(service.tpot_s)}, at best {format_time(service.tpot_bound_s)}"),
        ("cache", f"{format_time(service.transfer_s)} from the prefill pool to the decode pool"),
        ("answer", format_time(service.answer_s)),
        ("rate", f"{service.rate_per_s:,.4g} requests/s; {service.limit}"),
        (
            "throughput",
            f"{service.output_tokens_per_s:,.0f} output tokens/s, {service.output_tokens_per_s_per_gpu:,.1f} per GPU "
            f"of {format_count(service.gpus)}",
        ),
        *(("warning", text) for text in service.warnings),
    ]
    sections = [f"inference on {name}\n{facts(head)}"]
    sections.append(f"pools\n{ResultTable.of((service.prefill, service.decode), POOLS).text()}")
    sections += [_parts(pool) for pool in (service.prefill, service.decode)]
    listed = ResultTable.of(
        service.communications, "title method shape size_bytes count time_s total_s exposed_s"
    ).text()
    sections.append(f"what is sent, all units at once\n{listed}")
    hot = ResultTable.of(service.load.links(10), "end arrow far_end capacity_gbps utilization_mean").text()
    sections.append(f"links at {service.rate_per_s:,.4g} requests/s\n{hot}")
    rows = [(f"  {f.name}", f"= {f.symbols}\n= {f.numbers} = {f.value}") for f in service.formulas]
    sections.append(f"formulas\n{facts(rows)}")
    sections.append("\n".join([*_sources(service, setup), *service.notes]))
    sections.append(f"computed in {format_time(service.wall_s)}")
    return "\n\n".join(sections)


def _parts(pool: Pool) -> str:
    share = Column("share", "", lambda part: part.time_s / pool.pass_s, percent, right=True)
    parts = ResultTable((*pool.parts[0].COLUMNS, share), pool.parts).texts
    return f"where the time of a {pool.name} pass goes\n{aligned(parts, (1, 2), '  ')}"


def _sources(service: Service, setup: Setup | None) -> list[str]:
    model = service.inference.model
    found = [f"source of the model: {model.source}"] if model.source else []
    if setup is not None:
        found.append(f"source of the setup: {setup.source}")
        found += [f"measured there: {setup.measured}"] if setup.measured else []
        found += [setup.derived] if setup.derived else []
    if model.experts:
        found.append(f"a token meets {format_amount(model.active_parameters)} parameters")
    return found
