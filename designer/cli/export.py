"""`export FILE --to FORMAT -o PATH`: a design in another format, and the list of formats."""

from pathlib import Path

import click

from designer.canvas.formats import formats
from designer.cli.files import check_output, open_design
from designer.cli.main import os_sentence, say, tell
from designer.cli.options import FORCE_OPTION, PATH
from designer.errors import DesignerError, ExportError
from designer.exchange.exporter import GROUPS, Exporter
from designer.exchange.options import listed
from designer.exchange.plan_gaps import PlanGaps

FORMATS: dict[str, Exporter] = {one.name: one for one in formats()}


@click.command()
@click.argument("file", type=PATH, required=False)
@click.option("--list", "list_", is_flag=True, help="List the formats with their options; with --to, that format.")
@click.option("--to", "format_", type=click.Choice(list(FORMATS)), help="The format to write.")
@click.option("-o", "--output", type=PATH, help="The file to write.", metavar="PATH")
@click.option("--option", "pairs", multiple=True, metavar="KEY=VALUE", help="An option of the format; repeatable.")
@FORCE_OPTION
def command(
    file: Path | None, list_: bool, format_: str | None, output: Path | None, pairs: tuple[str, ...], force: bool
) -> None:
    """Write a design in another format: plans, drawings, lists of parts, files for other tools."""
    if list_:
        say(_listing(format_))
        return
    if file is None:
        raise click.UsageError("Missing argument 'FILE'.")
    if format_ is None:
        raise click.UsageError(f"Missing option '--to': choose from {', '.join(FORMATS)}.")
    if output is None:
        raise click.UsageError("Missing option '-o': where to write.")
    exporter = FORMATS[format_]
    options = exporter.read(_texts(pairs))
    check_output(output, force)
    if output.exists() and output.samefile(file):
        raise click.UsageError(f"{output} is the design itself: name another file to write")
    design = open_design(file)
    if exporter.gaps is not None:
        _tell_gaps(exporter.gaps(design), file)
    try:
        exporter.write(design, output, options)
    except DesignerError:
        raise
    except OSError as error:
        raise ExportError(f"{output} cannot be written: {error.strerror or os_sentence(error)}") from error
    tell(f"wrote {output}" if exporter.outcome is None else f"wrote {output}; {exporter.outcome(design, options)}")


def _tell_gaps(gaps: PlanGaps, file: Path) -> None:
    """How much the file will lack and why, before it is written."""
    if not gaps.headline:
        return
    tell(f"{gaps.headline}:")
    for line in gaps.lines():
        tell(f"  {line}")
    tell(f"the column notes says so row by row; fabric-designer prepare {file} fills in what can be")


def _texts(pairs: tuple[str, ...]) -> dict[str, str]:
    texts: dict[str, str] = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals or not key:
            raise click.BadParameter(f"{pair!r} is not of the form key=value", param_hint="'--option'")
        texts[key.strip()] = value.strip()
    return texts


def _listing(chosen: str | None) -> str:
    """The formats under the headings of their groups, each with its options; one alone where it is chosen."""
    lines: list[str] = []
    by_group: dict[str, list[Exporter]] = {group: [] for group in GROUPS}
    for exporter in FORMATS.values():
        if chosen in (None, exporter.name):
            by_group.setdefault(exporter.group, []).append(exporter)
    for group, exporters in by_group.items():
        if exporters:
            lines += ["", group] if lines else [group]
        for exporter in exporters:
            suffixes = " ".join(f"*{suffix}" for suffix in (exporter.suffix, *exporter.other_suffixes))
            lines.append(f"  {exporter.name}  {exporter.title} ({suffixes})")
            lines += [f"      --option {written}  {meaning}" for written, meaning in listed(exporter.options)]
    return "\n".join(lines)
