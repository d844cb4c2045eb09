"""A search for a mapping on the command line. Loads the engine."""

from pathlib import Path
from typing import Any

from designer.cli.files import save_design
from designer.cli.json_text import json_text
from designer.cli.main import say, tell
from designer.model.design import Design
from designer.simulation.failures.survivors import as_numbered
from designer.simulation.jobs.job import COMMON
from designer.simulation.mapping.design_jobs import job_named, job_to_map, mapped, taken_by_others
from designer.simulation.mapping.records import Mapping
from designer.simulation.mapping.request import MappingSearch
from designer.simulation.mapping.search import Job
from designer.simulation.mapping.walks import search_design
from designer.simulation.scenario import Scenario
from designer.simulation.traffic.texts import ranks_text
from designer.tables.columns import as_json
from designer.tables.table import ResultTable, facts
from designer.units import format_count, format_counted, format_time
from designer.workers.where import Where

NEW_JOB = "job"


def run_place(
    design: Design,
    name: str | None,
    scenario: Scenario | None,
    given: dict[str, Any],
    search: MappingSearch,
    where: Where,
    output: Path | None,
    format_: str,
) -> None:
    """Print the best mapping of a job of the design, or of a scenario; write the design with it where asked."""
    if scenario is not None:
        job = Job(name or NEW_JOB, as_numbered(design, scenario), taken_by_others(design, search))
    else:
        fabric = {one: given[one] for one in COMMON if one in given}
        job = job_to_map(design, job_named(design, name or ""), fabric, search)
    searched = search_design(design, job, search, where=where)
    found = searched.mapping
    if output is not None:
        design.apply(mapped(design, searched.graph, job.name, job.scenario, found.best.ranks))
        save_design(design, output)
        tell(f"wrote {output}: {job.name} on {format_counted(found.best.servers, 'server')}")
    say(json_text(as_json(found)) if format_ == "json" else as_text(design.name, job, found))


def as_text(name: str, job: Job, found: Mapping) -> str:
    """The report of a search."""
    best = found.best
    rows = [
        ("time", f"{format_time(found.time_s)}: {found.conclusion}"),
        ("bound", format_time(found.bound_s) if found.bound_s else "none"),
        ("servers", f"{format_count(best.servers)} of {format_count(found.free_servers)} to choose from"),
        *(("before", said) for said in found.earlier),
    ]
    if found.empty_s is not None:
        rows.append(("empty fabric", f"{format_time(found.empty_s)}; {found.slowdown:.3g} times that here"))
    rows.append(("runs", format_count(found.runs)))
    sections = [f"{job.scenario.title} of {job.name} on {name}\n{facts(rows)}"]
    sections.append(ResultTable.of(found.tried, "title servers blocks time_s busbw_gbytes_per_s over_bound").text())
    sections.append(f"ranks\n  {ranks_text(best.ranks)}")
    sections.append(f"computed in {format_time(found.wall_s)}")
    return "\n\n".join(sections)
