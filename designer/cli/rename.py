"""`rename FILE --select EXPR --pattern PATTERN -o FILE`: names by a pattern, from a list, or by find and replace.

`--row A=North` names a row of racks.
"""

from pathlib import Path
from typing import Any

import click

from designer.analysis.renaming.renaming import COLUMNS, RenameOptions, Renaming, read_names, renaming
from designer.analysis.selecting.expression import ExpressionError
from designer.analysis.selecting.finder import Finder
from designer.cli.files import check_output, open_design, save_design
from designer.cli.main import say, tell
from designer.cli.options import DESIGN_ARGUMENT, FORCE_OPTION, PATH, option_of
from designer.errors import FileFormatError, ParameterError
from designer.fields.field import fields_of
from designer.model.design import Design
from designer.model.edit import Edit
from designer.placement import floor
from designer.placement.row_order import rename_row
from designer.tables.table import ResultTable
from designer.units import format_counted

NAMES_MOST_BYTES = 20_000_000


@click.command()
@DESIGN_ARGUMENT
@click.option("--select", "expression", metavar="EXPR", help='What to rename, such as "role:leaf su:2".')
@click.option(
    "--row",
    "rows",
    multiple=True,
    metavar="ROW=NAME",
    help="Name a row of racks on the floor, such as A=North; once for each row. Without a name it has its letter.",
)
@click.option("--names", type=PATH, metavar="FILE", help="New names, one a line, in the order as drawn.")
@click.option("--dry-run", is_flag=True, help="Print old and new names and write nothing.")
@click.option("-o", "--output", type=PATH, help="The file to write.", metavar="FILE")
@FORCE_OPTION
def command(
    file: Path,
    expression: str | None,
    rows: tuple[str, ...],
    names: Path | None,
    dry_run: bool,
    output: Path | None,
    force: bool,
    **values: Any,
) -> None:
    """Rename what an expression selects: by a pattern, from a list of names, by find and replace; or rows of racks."""
    if expression is None and not rows:
        raise click.UsageError("Missing option '--select' or '--row': what to rename.")
    if output is None and not dry_run:
        raise click.UsageError("Missing option '-o': where to write; or --dry-run to look at the names.")
    options = RenameOptions(**values)
    if expression is None and (names is not None or options != RenameOptions()):
        raise click.UsageError("Missing option '--select': what to give these names.")
    if output is not None:
        check_output(output, force)
    design = open_design(file)
    for one in rows:
        edit = _row_renamed(design, one)
        design.apply(edit)
        tell(edit.label)
    if expression is None:
        if output is not None and not dry_run:
            save_design(design, output)
            tell(f"wrote {output}")
        return
    try:
        ids = Finder(design).find(expression).ids
    except ExpressionError as error:
        raise click.BadParameter(str(error), param_hint="'--select'") from None
    made = renaming(design, ids, options, _names(names))
    if dry_run:
        say(ResultTable(COLUMNS, made.rows).text(""))
    if made.edit is None:
        raise ParameterError(_faults(made))
    if output is None or dry_run:
        tell(made.summary)
        return
    design.apply(made.edit)
    save_design(design, output)
    tell(f"wrote {output}: {made.summary}")


command.params += [option_of(field) for field in fields_of(RenameOptions).values()]


def _row_renamed(design: Design, text: str) -> Edit:
    """The edit that ROW=NAME asks for."""
    old, equals, new = (part.strip() for part in text.partition("="))
    if not equals:
        raise click.BadParameter(f"{text!r} must look like A=North", param_hint="'--row'")
    found = {row.name: row for row in floor.rows(design)}
    if old not in found:
        there = f"the rows are {', '.join(found)}" if found else "no rack has a place on the floor"
        raise ParameterError(f"there is no row {old}: {there}")
    return rename_row(design, found[old].rack_ids[0], new)


def _names(path: Path | None) -> tuple[str, ...]:
    if path is None:
        return ()
    try:
        if path.stat().st_size > NAMES_MOST_BYTES:
            raise FileFormatError(f"{path.name} is too large for a list of names")
        found = read_names(path.read_text(encoding="utf-8-sig"))
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise FileFormatError(f"{path.name} could not be read: {reason}") from None
    if not found:
        raise FileFormatError(f"{path.name} holds no names: write one a line")
    return found


def _faults(made: Renaming) -> str:
    first = made.faults[0]
    count = format_counted(len(made.faults), "name")
    return f"{count} cannot be used, nothing was written; {first.old!r} to {first.new!r}: {first.fault}"
