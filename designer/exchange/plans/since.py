"""What changed since an earlier issue: a design file, or a revision that the design itself recorded."""

from dataclasses import dataclass
from pathlib import Path

from designer.analysis.optical_parts import NO_PARTS, optical_parts
from designer.catalog import catalog
from designer.errors import DesignerError, ExportError
from designer.exchange.cable_plan import CableRow, cable_rows
from designer.exchange.plans.change_order import ChangeOrder, change_order
from designer.exchange.plans.snapshot import PlanSnapshot, packed, snapshot_of, unpacked
from designer.model.design import Design
from designer.model.entities import Revision
from designer.model.records import ordered
from designer.storage import document


@dataclass(frozen=True, slots=True)
class Issue:
    """An earlier plan, and what it is called in a heading: "revision B of 2026-11-22"."""

    name: str
    plan: PlanSnapshot


def plan_of(design: Design, rows: list[CableRow] | None = None) -> PlanSnapshot:
    """The design's own plan; `rows` are those of its links where they are at hand."""
    return snapshot_of(design, _rows(design) if rows is None else rows)


def recorded_plan(design: Design) -> str:
    """The design's plan as the text that a revision keeps. Raises ExportError for one too large to be kept."""
    return packed(plan_of(design))


def issue(design: Design, since: str = "") -> Issue:
    """The earlier plan that `since` names: a revision by its number, or a design file; the last revision without it.

    Raises ExportError, which lists what there is.
    """
    revisions = ordered(design.revisions)
    if not since and revisions:
        return _recorded(revisions[-1])
    for one in reversed(revisions):
        if one.number == since:
            return _recorded(one)
    if since and Path(since).is_file():
        return _filed(Path(since))
    recorded = ", ".join(one.number for one in revisions)
    there = f"the design has recorded {recorded}" if recorded else "the design has recorded no revision"
    if not since:
        raise ExportError(f"{there}: name the earlier design file, as since=FILE")
    raise ExportError(f"there is no file and no revision {since[:200]!r}: {there}")


def changes_since(design: Design, since: str = "", rows: list[CableRow] | None = None) -> tuple[Issue, ChangeOrder]:
    """The earlier issue, and the change order from it to the design as it is. Raises ExportError."""
    earlier = issue(design, since)
    return earlier, change_order(earlier.plan, plan_of(design, rows))


def _recorded(revision: Revision) -> Issue:
    when = f" of {revision.date}" if revision.date else ""
    name = f"revision {revision.number}{when}"
    if not revision.plan:
        raise ExportError(f"{name} was recorded without its cables: name the earlier design file, as since=FILE")
    return Issue(name, unpacked(revision.plan, name))


def _filed(path: Path) -> Issue:
    try:
        return Issue(path.name, plan_of(document.load(path)))
    except ExportError:
        raise
    except DesignerError as error:
        raise ExportError(f"the earlier design cannot be read: {error}") from error


def _rows(design: Design) -> list[CableRow]:
    parts = NO_PARTS
    if any(link.medium_id for link in design.links.values()):
        parts = optical_parts({**catalog.load().types, **design.types}.values())
    return cable_rows(design, parts=parts)
