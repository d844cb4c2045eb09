"""What changed since an earlier issue: a design file, or a revision that the design itself recorded."""

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from designer.errors import DesignerError, ExportError
from designer.exchange.cable_plan import CableRow
from designer.exchange.plans.change_order import ChangeOrder, change_order
from designer.exchange.plans.recorded import plan_of
from designer.exchange.plans.snapshot import PlanSnapshot, unpacked
from designer.exchange.revisions import design_digest, issue_of, latest, listed, previous
from designer.model.design import Design
from designer.model.entities import Revision
from designer.storage import document

NAME_FILE = 'give the earlier design file as "Changes since" (option since)'


@dataclass(frozen=True, slots=True)
class Issue:
    """An earlier plan, and what it is called in a heading: "revision B of 2026-11-22"."""

    name: str
    plan: PlanSnapshot


def issue(design: Design, since: str = "") -> Issue:
    """The earlier plan that `since` names: a revision by its number, or a design file.

    Without a name it is the last revision; the one before where the design is just what the last recorded. Raises
    ExportError, which lists what there is.
    """
    revisions = listed(design)
    if not since and revisions:
        return _recorded(previous(design, issue_of(design, design_digest(design))) or revisions[-1])
    for one in reversed(revisions):
        if one.number == since:
            return _recorded(one)
    if since and _is_file(since):
        return _filed(Path(since))
    recorded = ", ".join(one.number for one in revisions)
    there = f"the design has recorded {recorded}" if recorded else "the design has recorded no revision"
    if not since:
        raise ExportError(f"{there}: record a hand-over before the changes, or {NAME_FILE}")
    raise ExportError(f"there is no file and no revision {since[:200]!r}: {there}")


def has_earlier(design: Design, digest: str) -> bool:
    """Whether the design keeps the plan of an issue before the one that it is; `digest` is the design's."""
    return latest(design) is not None and previous(design, issue_of(design, digest)) is not None


def unreadable(revision: Revision) -> str:
    """Why the plan that a revision keeps cannot be compared with; "" where it can."""
    try:
        _recorded(revision)
    except ExportError as error:
        return str(error)
    return ""


def changes_since(design: Design, since: str = "", rows: Sequence[CableRow] | None = None) -> tuple[Issue, ChangeOrder]:
    """The earlier issue, and the change order from it to the design as it is. Raises ExportError.

    `rows` are those of the plan, one per link, where they are at hand.
    """
    earlier = issue(design, since)
    return earlier, change_order(earlier.plan, plan_of(design, rows))


def _is_file(name: str) -> bool:
    """Whether there is a file of that name; a text that no file can be called is none."""
    with contextlib.suppress(OSError, ValueError):
        return Path(name).is_file()
    return False


def _recorded(revision: Revision) -> Issue:
    when = f" of {revision.date}" if revision.date else ""
    name = f"revision {revision.number}{when}"
    if not revision.plan:
        raise ExportError(f"{name} was recorded without its cables: {NAME_FILE}")
    return Issue(name, unpacked(revision.plan, name))


def _filed(path: Path) -> Issue:
    try:
        return Issue(path.name, plan_of(document.load(path)))
    except ExportError:
        raise
    except DesignerError as error:
        raise ExportError(f"the earlier design cannot be read: {error}") from error
