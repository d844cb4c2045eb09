"""`simulate --job ... --job ...`, `--design-jobs`: several jobs at once; who disturbs whom, hot links by job."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from designer.cli.files import open_design
from designer.cli.json_text import json_text
from designer.cli.main import say
from designer.cli.simulate_text import indented, reasons
from designer.graph.building.build import build
from designer.model.design import Design
from designer.simulation.assumptions import assumptions
from designer.simulation.failures.survivors import as_numbered
from designer.simulation.jobs.design_jobs import jobs_of
from designer.simulation.jobs.interference import simulate_jobs
from designer.simulation.jobs.job import check_jobs
from designer.simulation.jobs.job_result import JobOutcome, JobsResult, SharedLink
from designer.simulation.jobs.job_text import fields_in, fields_of, job_from
from designer.tables.table import ResultTable, facts
from designer.units import format_carried, format_counted, format_time

COLUMNS = (
    "name traffic ranks size_bytes time_s algbw_gbytes_per_s busbw_gbytes_per_s alone_s slowdown shares_links_with"
)


def run_jobs(
    file: Path,
    texts: Sequence[str],
    files: Sequence[Path],
    of_design: bool,
    common: dict[str, Any],
    n_links: int | None,
    format_: str,
) -> None:
    """Print what the jobs do to each other, those of the design among them where `of_design`.

    `common` holds the scenario's values for what jobs that are given here do not say.
    """
    asked = [fields for path in files for fields in fields_in(path)] + [fields_of(text) for text in texts]
    given = [job_from(fields, number, common) for number, fields in enumerate(asked, start=1)]
    design = open_design(file)
    given = [replace(job, scenario=as_numbered(design, job.scenario)) for job in given]
    jobs = [*(jobs_of(design, common, common["failed"]) if of_design else ()), *given]
    check_jobs(jobs)
    fabric = jobs[0].scenario
    result = simulate_jobs(build(design, failed=frozenset(fabric.failed), network=fabric.network), jobs)
    if format_ == "json":
        say(json_text(result.as_dict(n_links)))
    else:
        say(_report(design, result, n_links))


def _report(design: Design, result: JobsResult, n_links: int | None) -> str:
    outcomes = result.jobs
    sections = [f"{format_counted(len(outcomes), 'job')} on {design.name}\n{ResultTable.of(outcomes, COLUMNS).text()}"]
    short = [f"  {outcome.job.name} takes {outcome.time_note}" for outcome in outcomes if outcome.time_note]
    if short:
        sections.append("\n".join(short))
    if result.on_same_gpus:
        sections.append("\n".join(f"  {reported}" for reported in result.on_same_gpus))
    for outcome in outcomes:
        if outcome.bottlenecks:
            by_flow = f"\n  {outcome.by_flow}" if outcome.by_flow else ""
            sections.append(f"bottleneck of {outcome.job.name}\n{reasons(outcome.bottlenecks)}{by_flow}")
    links = [row for row in result.links(n_links) if row.bytes > 0]
    if links:
        sections.append(f"links of most jobs, then the hottest\n{_links(links, outcomes)}")
    sections.append(f"assumed\n{facts(indented(assumptions(result.model)))}")
    sections.append(f"computed in {format_time(result.wall_s)}")
    return "\n\n".join(sections)


def _links(links: list[SharedLink], outcomes: Sequence[JobOutcome]) -> str:
    given = {outcome.job.name: outcome.job.scenario.size_bytes for outcome in outcomes}

    def by_job(moved: Mapping[str, float]) -> str:
        return ", ".join(f"{name} {format_carried(one, given_bytes=given[name])}" for name, one in moved.items())

    table = ResultTable.of(links, "end arrow far_end capacity_gbps utilization_mean utilization_peak bytes_by_job")
    return table.with_texts(bytes_by_job=by_job).text()
