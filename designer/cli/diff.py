"""`diff A B`: how two designs differ, or a design and what was built; exit code 1 where they do."""

import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from designer.analysis.billing.terms import CostTerms
from designer.analysis.comparing import Comparison, compare
from designer.cli.files import check_output, open_design, save_design
from designer.cli.json_text import json_text
from designer.cli.main import DONE, FOUND_ERRORS, os_sentence, say, tell
from designer.cli.options import FORCE_OPTION, PATH, option_of
from designer.cli.price_options import PRICES
from designer.errors import FileFormatError, ParameterError
from designer.exchange.as_built.as_design import as_built_design
from designer.exchange.as_built.fault import AsBuilt, Fault
from designer.exchange.as_built.faults import compare_as_built
from designer.exchange.as_built.files import is_found_network, read_found
from designer.exchange.bills.costs import prices_in
from designer.exchange.bills.price_list import SEPARATOR
from designer.exchange.comparison.compared import FAULT_KEYS, change_columns, side_names, summary_of, titled
from designer.exchange.comparison.figure_rows import part_columns
from designer.exchange.reading.found import FoundNetwork
from designer.fields.field import fields_of
from designer.late import Late
from designer.model.design import Design
from designer.process import Temporary
from designer.storage.saving import replace_file
from designer.storage.shared import SharedRows
from designer.tables.columns import Columns, as_json, pick
from designer.tables.table import ResultTable
from designer.units import format_counted

reports = Late("designer.exchange.comparison.report")
figures = Late("designer.exchange.comparison.figures")

SHOWN = 100


@click.command(params=[PRICES, *(option_of(field) for field in fields_of(CostTerms).values())])
@click.argument("before", metavar="A", type=PATH)
@click.argument("after", metavar="B", type=PATH)
@click.option(
    "--top",
    type=click.IntRange(1),
    help=f"Differences in the text, {SHOWN} unless given, of alternatives none; JSON has all.",
    metavar="N",
)
@click.option(
    "--format",
    "format_",
    type=click.Choice(["text", "json", "xlsx", "html"]),
    default="text",
    show_default=True,
    help="What to print or write; xlsx needs -o.",
)
@click.option("-o", "--output", type=PATH, help="The file to write instead of printing.", metavar="FILE")
@click.option(
    "--figures",
    is_flag=True,
    help="Compare counts, bill, power, bisection, times of collectives and the worst failures too, as xlsx and html "
    "always do, and the text of alternatives.",
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
def command(before: Path, after: Path, **given: Any) -> int:
    """List what was added, removed, renamed, moved, rewired and changed from design A to design B.

    Things are taken for the same by their ids, which edits never change; where a colleague redrew the design, by
    names, and where these differ by the cables. Links that exchanged ports with each other are miswired. Where devices
    are on the canvas is no difference; where annotations are is one.

    B may be what was built: the output of ibnetdiscover or "lldpctl -f json", or a list of cables. Then the cables are
    compared port by port: missing, extra and swapped ones, dead ends, wrong rails and speeds. Exit code 1 where A and
    B differ.

    Designs are alternatives where they have no revision in common and less than three quarters of the devices, or of
    the links, of the smaller one are in the other, of the same type and between the same ports, or where more than a
    quarter of the links between switches join the same switches through other ports. Then links between the same
    devices are the same, whatever their automatic ports, numbers and lengths; the figures of both come first, and what
    differs is "only in A", "only in B" or "differs".
    """
    terms = CostTerms(**{name: given.pop(name) for name in fields_of(CostTerms)})
    asked = Asked(terms=terms, **given)
    for path in (asked.as_built, asked.output):
        if path is not None:
            check_output(path, asked.force)
    if asked.format_ == "xlsx" and asked.output is None:
        raise ParameterError("a workbook is no text to print: name it with -o FILE")
    shared = SharedRows()
    design = open_design(before, shared)
    network = _found(after, asked.from_)
    if network is not None:
        found = compare_as_built(design, network, speeds=asked.speeds)
        outcome = _as_built_outcome(design, (design.name, after.stem), found, asked)
        _hand_out(outcome, asked)
        if asked.as_built is not None:
            _write_as_built(design, found, asked.as_built)
    elif asked.as_built is not None:
        raise ParameterError(f"--as-built takes what was built from B, and {after} is a design itself")
    else:
        other = open_design(after, shared)
        outcome = _outcome(design, other, side_names(design, other), compare(design, other), asked)
        _hand_out(outcome, asked)
    return FOUND_ERRORS if outcome.rows else DONE


@dataclass(frozen=True, slots=True)
class Asked:
    """The options of the command."""

    top: int | None
    format_: str
    output: Path | None
    figures: bool
    from_: str | None
    speeds: bool
    as_built: Path | None
    force: bool
    prices: tuple[Path, ...]
    terms: CostTerms

    def figures_of(self, before: Design, after: Design) -> Any:
        """Those of both designs, by the price lists and terms."""
        prices = prices_in(SEPARATOR.join(map(str, self.prices)))
        return figures.figures_of(before, after, prices=prices, terms=self.terms)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a comparison found, for every format; `report` adds figures and picture."""

    heads: tuple[str, ...]
    rows: Sequence[Any]
    columns: Columns
    json: Mapping[str, Any]
    report: Callable[[], Any]
    alternatives: str = ""
    names: tuple[str, str] | None = None
    """Of alternatives."""


def _found(path: Path, from_: str | None) -> FoundNetwork | None:
    """The network that was built; None where the file is a design."""
    try:
        return read_found(path, from_ or "") if from_ or is_found_network(path) else None
    except OSError as error:
        raise FileFormatError(f"{path}: {error.strerror or os_sentence(error)}") from error


def _outcome(before: Design, after: Design, names: tuple[str, str], found: Comparison, asked: Asked) -> Outcome:
    apart = names if found.alternatives else None
    parts = {"matching": as_json(found.alignment), "differences": as_json(found.differences)}
    more = {"alternatives": found.alternatives, "names": list(names)} if apart else {}
    return Outcome(
        (summary_of(found, names), found.alignment.summary),
        found.differences,
        change_columns(apart),
        {"summary": found.summary, **more, **parts},
        lambda: reports.report_of_designs(before, names, found, asked.figures_of(before, after)),
        found.alternatives,
        apart,
    )


def _as_built_outcome(design: Design, names: tuple[str, str], found: AsBuilt, asked: Asked) -> Outcome:
    counts = {"planned": found.n_planned, "found": found.n_found, "as_planned": found.n_as_planned}
    lists = {"counts": dict(found.counts), "faults": as_json(found.faults), "notes": list(found.notes)}
    return Outcome(
        (found.summary, *found.notes),
        found.faults,
        pick(Fault.COLUMNS, FAULT_KEYS),
        {"summary": found.summary, **counts, **lists},
        lambda: reports.report_as_built(design, names, found, _built_figures(design, found, asked)),
    )


def _built_figures(design: Design, found: AsBuilt, asked: Asked) -> Any:
    return asked.figures_of(design, as_built_design(design, found)[0])


def _hand_out(outcome: Outcome, asked: Asked) -> None:
    if asked.format_ == "xlsx" and asked.output is not None:
        path, report = asked.output, outcome.report()
        with tempfile.TemporaryDirectory(prefix="fabric-designer-") as folder, Temporary(folder):
            reports.write_report_book(report, Path(folder) / "comparison.xlsx")
            replace_file(path, (Path(folder) / "comparison.xlsx").read_bytes())
        tell(f"wrote {path}: {format_counted(len(outcome.rows), 'difference')}")
        return
    text = _text_of(outcome, asked)
    if asked.output is None:
        say(text.removesuffix("\n"))
        return
    replace_file(asked.output, text.encode("utf-8", errors="replace"))
    tell(f"wrote {asked.output}: {format_counted(len(outcome.rows), 'difference')}")


def _text_of(outcome: Outcome, asked: Asked) -> str:
    if asked.format_ == "html":
        page: str = reports.page_of(outcome.report())
        return page
    is_text = asked.format_ == "text"
    wanted = asked.figures or asked.prices or (is_text and outcome.alternatives)
    numbers = outcome.report().figures if wanted else None
    if asked.format_ == "json":
        more = {"figures": as_json(numbers)} if numbers is not None else {}
        return json_text({**outcome.json, **more}) + "\n"
    figures_lines = []
    if numbers is not None:
        figures_lines.append(reports.figure_table(numbers, outcome.names).text())
        if numbers.parts:
            figures_lines.append(ResultTable(titled(part_columns(numbers.parts), outcome.names), numbers.parts).text())
    if outcome.alternatives:
        lines = [outcome.alternatives, *figures_lines, *_listed(outcome, asked.top or 0)]
    else:
        lines = [*_listed(outcome, asked.top or SHOWN), *figures_lines]
    return "\n".join(lines) + "\n"


def _listed(outcome: Outcome, top: int) -> list[str]:
    """The summary, and so many of the differences."""
    lines, rows = [head for head in outcome.heads if head], outcome.rows
    if rows[:top]:
        lines.append(ResultTable(outcome.columns, rows[:top]).text())
    if len(rows) > top:
        more = format_counted(len(rows) - top, "difference")
        lines.append(f"  and {more} more" if top else f"  {more}, listed with --top {len(rows)}")
    return lines


def _write_as_built(design: Design, found: AsBuilt, path: Path) -> None:
    made, left_out = as_built_design(design, found)
    save_design(made, path)
    for sentence in left_out:
        tell(f"left out {sentence}")
    tell(f"wrote {path}: {format_counted(len(made.links), 'link')}")
