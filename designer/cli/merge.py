"""`merge [BASE] OURS THEIRS -o FILE`: what two people made of one design, as one; exit code 1 with open conflicts."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from designer.analysis.merge_report import MergeReport, report_of
from designer.catalog.catalog import delivered
from designer.cli.files import check_output, open_design, save_design
from designer.cli.json_text import json_text
from designer.cli.main import DONE, FOUND_ERRORS, say, tell
from designer.cli.options import FORCE_OPTION, FORMAT_OPTION, PATH
from designer.errors import DesignerError, ParameterError
from designer.exchange.kept_designs import common_base
from designer.model.design import Design
from designer.model.merging.merging import Merge, merge
from designer.model.merging.versions import OURS, SIDES, Side
from designer.placement.merged_cables import with_followers
from designer.storage.shared import SharedRows
from designer.tables.columns import as_json
from designer.tables.table import ResultTable
from designer.units import format_counted, shortened
from designer.validation.findings import Finding
from designer.validation.merged import findings_of_merge

SHOWN = 100
INCOMING = "change kind name what before after"
CONFLICTS = "place name conflict what base ours theirs taken"
RENUMBERED = "kind name what before after"


def _choices(_ctx: click.Context, _parameter: click.Parameter, texts: tuple[str, ...]) -> dict[str, Side]:
    """The sides of conflicts by their places. Raises ParameterError."""
    chosen: dict[str, Side] = {}
    for text in texts:
        place, _, word = text.rpartition("=")
        side = next((one for one in SIDES if one == word), None)
        if not place or side is None:
            raise ParameterError(
                f"--take {shortened(text)!r} must look like devices/d5/name=theirs: the place of a conflict, "
                "and ours or theirs"
            )
        chosen[place] = side
    return chosen


@click.command()
@click.argument("paths", metavar="[BASE] OURS THEIRS", type=PATH, nargs=-1)
@click.option("-o", "--output", type=PATH, help="The file to write.", metavar="FILE")
@click.option(
    "--no-base",
    is_flag=True,
    help="Where the design that both grew from is not known: every difference of OURS and THEIRS is a conflict.",
)
@click.option("--dry-run", is_flag=True, help="List changes and conflicts and write nothing.")
@click.option(
    "--prefer",
    type=click.Choice(SIDES),
    help="Settle every conflict for this side, unless --take says otherwise.",
)
@click.option(
    "--take",
    "choices",
    multiple=True,
    callback=_choices,
    metavar="PLACE=SIDE",
    help="Settle the conflict at a place, such as devices/d5/name=theirs; can be given several times.",
)
@click.option(
    "--validate/--no-validate",
    "validates",
    default=True,
    show_default=True,
    help="Report the findings that the merged design has and neither OURS nor THEIRS had.",
)
@click.option("--name", metavar="NAME", help="What messages call the design: the %P of a git merge driver.")
@click.option(
    "--top",
    type=click.IntRange(1),
    default=SHOWN,
    show_default=True,
    help="Rows of each list in the text; JSON has all.",
    metavar="N",
)
@FORMAT_OPTION
@FORCE_OPTION
def command(paths: tuple[Path, ...], **values: Any) -> int:
    """Merge the changes from BASE to THEIRS into OURS, record by record and field by field.

    Without BASE it is the latest revision that both files recorded. Where there is none, --no-base compares the two
    files: nobody knows who changed what then, and every difference is a conflict.

    What one side changed is taken, what both changed alike is taken once. What both changed differently, what one
    deleted and the other changed or uses, and ports, slots and rack units that both took are conflicts: the written
    design has OURS there until --take or --prefer settles them. New ids, names and cable numbers of THEIRS that OURS
    gave to something else get the next free ones. An empty BASE is a design without anything in it.

    Exit code 1 where conflicts are open.
    """
    asked = _Asked(**values)
    asked.check_output()
    base_name, versions = _versions(paths, asked.no_base)
    found = merge(*versions, asked.choices, asked.prefer)
    if base_name is not None and found.edit and not found.versions.changed[OURS]:
        tell(f"{asked.name or paths[-2]} is as the base: all differences are taken from THEIRS")
    found = with_followers(found, delivered().types)
    _require_places(found, asked.choices)
    report = report_of(found)
    new = findings_of_merge(found.made, (found.versions.ours, found.versions.theirs)) if asked.validates else ()
    say(_json(base_name, report, new) if asked.format_ == "json" else _text(report, new, asked.top))
    if asked.output is not None and not asked.dry_run:
        save_design(found.made, asked.output)
        tell(f"wrote {asked.name or asked.output}: {report.summary}")
    if found.open:
        count = format_counted(len(found.open), "conflict")
        tell(
            f"{asked.name or asked.output or paths[-2]}: {count} to decide, with OURS taken for now: settle "
            "each with --take PLACE=ours or PLACE=theirs, or all with --prefer"
        )
    return FOUND_ERRORS if found.open else DONE


@dataclass(frozen=True, slots=True)
class _Asked:
    """The options of the command."""

    output: Path | None
    no_base: bool
    dry_run: bool
    prefer: Side | None
    choices: dict[str, Side]
    validates: bool
    name: str | None
    top: int
    format_: str
    force: bool

    def check_output(self) -> None:
        """Raises ExportError or UsageError where there is no place to write to."""
        if self.output is None and not self.dry_run:
            raise click.UsageError("Missing option '-o': where to write; or --dry-run to look at the conflicts.")
        if self.output is not None and not self.dry_run:
            check_output(self.output, self.force)


def _versions(paths: tuple[Path, ...], no_base: bool) -> tuple[str | None, tuple[Design | None, Design, Design]]:
    """What the base is called, and base, ours and theirs; None where there is no base."""
    if len(paths) not in (2, 3):
        raise click.UsageError("merge takes two or three files: OURS THEIRS, or BASE OURS THEIRS.")
    if no_base and len(paths) == 3:
        raise click.UsageError("merge --no-base takes two files: OURS THEIRS.")
    shared = SharedRows()
    given = _base(paths[0], shared) if len(paths) == 3 else None
    ours, theirs = open_design(paths[-2], shared), open_design(paths[-1], shared)
    if given is not None:
        return str(paths[0]), (given, ours, theirs)
    if no_base:
        return None, (None, ours, theirs)
    try:
        found = common_base(ours, theirs, shared)
    except DesignerError as error:
        raise ParameterError(f"{error}, or --no-base to have every difference as a conflict") from error
    tell(f"base: {found.name}, which both files recorded")
    return found.name, (found.design, ours, theirs)


def _base(path: Path, shared: SharedRows) -> Design:
    """The design that both grew from; git gives an empty file where there is none."""
    try:
        is_empty = path.stat().st_size == 0
    except OSError:
        is_empty = False
    return Design() if is_empty else open_design(path, shared)


def _require_places(found: Merge, choices: dict[str, Side]) -> None:
    """Raises ParameterError for a place where there is no conflict."""
    known = {one.place for one in found.conflicts}
    for place in choices:
        if place not in known:
            raise ParameterError(f"--take {shortened(place)!r} is not the place of a conflict: --dry-run lists them")


def _json(base: str | None, report: MergeReport, new: tuple[Finding, ...]) -> str:
    lists: dict[str, Any] = {
        "incoming": as_json(report.incoming),
        "conflicts": as_json(report.conflicts),
        "renumbered": as_json(report.renumbered),
        "findings": [{"code": one.code, "severity": str(one.severity), "message": one.message} for one in new],
    }
    return json_text({"base": base, "summary": report.summary, **lists})


def _text(report: MergeReport, new: tuple[Finding, ...], top: int) -> str:
    lines = [report.summary]
    for title, rows, names in (
        ("Conflicts:", report.conflicts, CONFLICTS),
        ("Coming in:", report.incoming, INCOMING),
        ("Counted up:", report.renumbered, RENUMBERED),
    ):
        if rows:
            lines += [title, ResultTable.of(rows[:top], names).text()]
            if len(rows) > top:
                lines.append(f"  and {len(rows) - top} more")
    if new:
        lines.append("Findings that neither side had:")
        lines += [f"  {one.code} {one.message}" for one in new[:top]]
        if len(new) > top:
            lines.append(f"  and {len(new) - top} more")
    return "\n".join(lines)
