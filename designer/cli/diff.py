"""`diff A B`: how two designs differ, or a design and what was built; exit code 1 where they do."""

from pathlib import Path

import click

from designer.analysis.comparing import Comparison, compare
from designer.cli.files import check_output, open_design, save_design
from designer.cli.json_text import json_text
from designer.cli.main import DONE, FOUND_ERRORS, os_sentence, say, tell
from designer.cli.options import FORCE_OPTION, PATH
from designer.errors import FileFormatError, ParameterError
from designer.exchange.as_built.as_design import as_built_design
from designer.exchange.as_built.faults import AsBuilt, compare_as_built
from designer.exchange.as_built.files import is_found_network, read_found
from designer.exchange.reading.found import FoundNetwork
from designer.model.design import Design
from designer.tables.columns import as_json
from designer.tables.table import ResultTable
from designer.units import format_counted

SHOWN = 100
KEYS = "change kind name what before after"
FAULT_KEYS = "fault name planned found note"


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
@click.option(
    "--format",
    "format_",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="What to print.",
)
@click.option("--from", "from_", help="Format of B where it is no design; import --list names them.", metavar="FORMAT")
@click.option(
    "--speeds/--no-speeds",
    default=True,
    show_default=True,
    help="Compare the speeds at which ports run, where B is no design and says them.",
)
@click.option("--as-built", type=PATH, help="Write design A with the cables of B, which is no design.", metavar="FILE")
@FORCE_OPTION
def command(
    before: Path,
    after: Path,
    top: int,
    format_: str,
    from_: str | None,
    speeds: bool,
    as_built: Path | None,
    force: bool,
) -> int:
    """List what was added, removed, renamed, moved, rewired and changed from design A to design B.

    Things are taken for the same by their ids, which edits never change; where a colleague drew the design anew, by
    names, and where these differ by the cables. Links that exchanged ports with each other are miswired. Where devices
    are on the canvas is no difference; where annotations are is one.

    B may be what was built: the output of ibnetdiscover or "lldpctl -f json", or a list of cables. Then the cables are
    compared port by port: missing, extra and swapped ones, dead ends, wrong rails and speeds. Exit code 1 where A and
    B differ.
    """
    if as_built is not None:
        check_output(as_built, force)
    design = open_design(before)
    network = _found(after, from_)
    if network is None:
        if as_built is not None:
            raise ParameterError(f"--as-built takes what was built from B, and {after} is a design itself")
        return _compare_designs(design, open_design(after), top, format_)
    found = compare_as_built(design, network, speeds=speeds)
    _say_faults(found, top, format_)
    if as_built is not None:
        _write_as_built(design, found, as_built)
    return FOUND_ERRORS if found.faults else DONE


def _found(path: Path, from_: str | None) -> FoundNetwork | None:
    """The network that was built; None where the file is a design."""
    try:
        return read_found(path, from_ or "") if from_ or is_found_network(path) else None
    except OSError as error:
        raise FileFormatError(f"{path}: {error.strerror or os_sentence(error)}") from error


def _compare_designs(before: Design, after: Design, top: int, format_: str) -> int:
    found = compare(before, after)
    if format_ == "json":
        say(_json(found))
    else:
        _say_table([found.summary, found.alignment.summary], found.differences, KEYS, top)
    return FOUND_ERRORS if found.differences else DONE


def _json(found: Comparison) -> str:
    parts = {"matching": as_json(found.alignment), "differences": as_json(found.differences)}
    return json_text({"summary": found.summary, **parts})


def _say_faults(found: AsBuilt, top: int, format_: str) -> None:
    if format_ == "json":
        counts = {"planned": found.n_planned, "found": found.n_found, "as_planned": found.n_as_planned}
        lists = {"counts": dict(found.counts), "faults": as_json(found.faults), "notes": list(found.notes)}
        say(json_text({"summary": found.summary, **counts, **lists}))
    else:
        _say_table([found.summary, *found.notes], found.faults, FAULT_KEYS, top)


def _say_table(heads: list[str], rows: tuple[object, ...], keys: str, top: int) -> None:
    lines = [head for head in heads if head]
    if rows:
        lines.append(ResultTable.of(rows[:top], keys).text())
    if len(rows) > top:
        lines.append(f"  and {format_counted(len(rows) - top, 'difference')} more")
    say("\n".join(lines))


def _write_as_built(design: Design, found: AsBuilt, path: Path) -> None:
    made, left_out = as_built_design(design, found)
    save_design(made, path)
    for sentence in left_out:
        tell(f"left out {sentence}")
    tell(f"wrote {path}: {format_counted(len(made.links), 'link')}")
