"""`diff A B`: what was added, removed, moved and changed between two designs; exit code 1 where they differ."""

from pathlib import Path

import click

from designer.analysis.comparing import compare
from designer.cli.files import open_design
from designer.cli.json_text import json_text
from designer.cli.main import DONE, FOUND_ERRORS, say
from designer.cli.options import FORMAT_OPTION, PATH
from designer.tables.columns import as_json
from designer.tables.table import ResultTable
from designer.units import format_counted

SHOWN = 100
KEYS = "change kind name what before after"


@click.command()
@click.argument("before", metavar="A", type=PATH)
@click.argument("after", metavar="B", type=PATH)
@click.option(
    "--top",
    type=click.IntRange(1),
    default=SHOWN,
    show_default=True,
    help="Differences in the text; JSON has all.",
    metavar="N",
)
@FORMAT_OPTION
def command(before: Path, after: Path, top: int, format_: str) -> int:
    """List what was added, removed, renamed, moved, rewired and changed from design A to design B.

    Things are taken for the same by their ids, which edits never change; where a colleague drew the design anew, by
    names, and where these differ by the cables. Links that exchanged ports with each other are miswired. Where devices
    are on the canvas is no difference; where annotations are is one. Exit code 1 where the designs differ.
    """
    found = compare(open_design(before), open_design(after))
    rows = found.differences
    if format_ == "json":
        say(json_text({"summary": found.summary, "matching": as_json(found.alignment), "differences": as_json(rows)}))
    else:
        lines = [found.summary, *filter(None, [found.alignment.summary])]
        if rows:
            lines.append(ResultTable.of(rows[:top], KEYS).text())
        if len(rows) > top:
            lines.append(f"  and {format_counted(len(rows) - top, 'difference')} more")
        say("\n".join(lines))
    return FOUND_ERRORS if rows else DONE
