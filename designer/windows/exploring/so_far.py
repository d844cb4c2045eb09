"""What is known of a search that may still run: figures of candidates, and what stands in place of points."""

from collections.abc import Sequence

from designer.exploring.figures import Objective, known_of, objectives_of
from designer.exploring.results import DOMINATED, FRONT
from designer.session.exploring import SearchJob
from designer.units import format_count, format_counted


def objectives_now(job: SearchJob) -> Sequence[Objective]:
    """What candidates are compared by; while a search runs, of that what is known of all so far."""
    if job.found is not None:
        return job.found.objectives
    if job.search is None:
        return ()
    kept = [one.figures for one in job.outcomes if one.status in (FRONT, DOMINATED)]
    return known_of(objectives_of(job.search), [one for one in kept if one is not None])


def waiting_text(job: SearchJob) -> str:
    """What stands in place of points while there are none."""
    if not job.running:
        return "No candidate keeps all limits; the list Fell Out says why." if job.outcomes else ""
    progress = job.progress
    if progress is None or not progress.total:
        return "Counting candidates …"
    of = format_counted(progress.total, "candidate")
    found = "none keeps all limits so far" if progress.done else "points follow as they come"
    return f"{format_count(progress.done)} of {of} computed; {found}."
