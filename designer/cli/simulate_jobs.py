"""`simulate --job ... --job ...`, `--design-jobs`: several jobs at once; who disturbs whom, hot links by job."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from designer.cli.files import open_design
from designer.cli.json_text import json_text
from designer.cli.main import say
from designer.cli.simulate_text import assumptions, percent, reasons
from designer.cli.tables import facts, table
from designer.graph.arrays import build
from designer.model.design import Design
from designer.simulation.failures.survivors import as_numbered
from designer.simulation.jobs.design_jobs import jobs_of
from designer.simulation.jobs.interference import simulate_jobs
from designer.simulation.jobs.job import Job, check_jobs
from designer.simulation.jobs.job_result import JobOutcome, JobsResult
from designer.simulation.jobs.job_text import fields_in, fields_of, job_from
from designer.units import format_capacity, format_carried, format_count, format_counted, format_size, format_time


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
    sections = [f"{format_counted(len(outcomes), 'job')} on {design.name}\n{_jobs(outcomes)}"]
    short = [f"  {outcome.job.name} takes {outcome.time_note}" for outcome in outcomes if outcome.time_note]
    if short:
        sections.append("\n".join(short))
    if result.on_same_gpus:
        sections.append("\n".join(f"  {told}" for told in result.on_same_gpus))
    for outcome in outcomes:
        if outcome.bottlenecks:
            by_flow = f"\n  {outcome.by_flow}" if outcome.by_flow else ""
            sections.append(f"bottleneck of {outcome.job.name}\n{reasons(outcome.bottlenecks)}{by_flow}")
    links = [row for row in result.links(n_links) if row["bytes"] > 0]
    if links:
        sections.append(f"links of most jobs, then the hottest\n{_links(links, outcomes)}")
    sections.append(f"assumed\n{facts(assumptions(result.model))}")
    sections.append(f"computed in {format_time(result.wall_s)}")
    return "\n\n".join(sections)


def _jobs(outcomes: Sequence[JobOutcome]) -> str:
    headings = ("job", "traffic", "ranks", "size", "time", "algbw", "busbw", "alone", "slowdown", "shares links with")
    return table([tuple(_cells(outcome)) for outcome in outcomes], headings=headings, right=range(2, 9), indent="  ")


def _cells(outcome: JobOutcome) -> Iterator[str]:
    job: Job = outcome.job
    yield from (job.name, job.scenario.title, format_count(len(outcome.ranks)), format_size(job.scenario.size_bytes))
    yield format_time(outcome.time_s)
    for rate in (outcome.algbw_gbytes_per_s, outcome.busbw_gbytes_per_s):
        yield "" if rate is None else f"{rate:.2f} GB/s"
    yield from (format_time(outcome.alone.time_s), f"{outcome.slowdown:.2f}", ", ".join(outcome.meets) or "nobody")


def _links(links: list[dict[str, Any]], outcomes: Sequence[JobOutcome]) -> str:
    given = {outcome.job.name: outcome.job.scenario.size_bytes for outcome in outcomes}
    rows = [
        (
            f"{row['from']} {row['from_port']}",
            "->",
            f"{row['to']} {row['to_port']}",
            format_capacity(row["capacity_gbps"]),
            percent(row["utilization_mean"]),
            percent(row["utilization_peak"]),
            ", ".join(
                f"{name} {format_carried(moved, given_bytes=given[name])}"
                for name, moved in row["bytes_by_job"].items()
            ),
        )
        for row in links
    ]
    headings = ("from", "", "to", "carries", "mean", "peak", "bytes of one run")
    return table(rows, headings=headings, right=(3, 4, 5), indent="  ")
