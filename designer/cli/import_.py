"""`import FORMAT PATH -o FILE`: designs from other tools' files, with a summary before anything is written."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from designer.cli.files import check_output, open_design, save_design
from designer.cli.json_text import json_text
from designer.cli.main import FOUND_ERRORS, os_sentence, say, tell
from designer.cli.options import FORCE_OPTION, FORMAT_OPTION, PATH
from designer.errors import CatalogError, DesignerError, FileFormatError, ParameterError
from designer.exchange.importer import Import, Importer
from designer.exchange.importers import IMPORTERS, guess_importer
from designer.late import Late
from designer.model import operations
from designer.model.design import Design

building = Late("designer.exchange.reading.building")
catalogs = Late("designer.catalog.catalog")
choosing = Late("designer.exchange.reading.choices")
summaries = Late("designer.exchange.reading.summary")


@click.command()
@click.argument("format_or_path", metavar="[FORMAT]", required=False)
@click.argument("path", type=PATH, required=False)
@click.option("-o", "--output", type=PATH, help="The file to write.", metavar="FILE")
@click.option("--into", type=PATH, metavar="DESIGN", help="Add to this design instead of a new one.")
@click.option(
    "--type",
    "chosen",
    multiple=True,
    metavar="NAME=TYPE",
    help="The type of devices, by name, pattern of names, model, role or row of the summary; repeatable.",
)
@click.option("--types", "types_file", type=PATH, metavar="FILE", help="Such choices, one a line.")
@click.option("--dry-run", is_flag=True, help="Print what would be imported and write nothing.")
@click.option("--list", "list_", is_flag=True, help="List the formats.")
@FORMAT_OPTION
@FORCE_OPTION
def command(
    format_or_path: str | None, path: Path | None, output: Path | None, list_: bool, format_: str, **asked: Any
) -> None:
    """Make a design from another tool's files; without FORMAT the file says which format it is.

    Prints what was found, guessed and not understood; exit code 1 where something was not understood. `catalog import`
    takes types into the catalog instead.
    """
    if list_:
        for importer in IMPORTERS:
            say(f"{importer.name:<20} {importer.title}")
        return
    importer, source = _asked(format_or_path, path)
    if output is None and not asked["dry_run"]:
        raise ParameterError("import takes -o FILE: where to write; or --dry-run to look at what would be imported")
    if output is not None:
        check_output(output, asked["force"])
    try:
        is_whole = _imported(importer, source, None if asked["dry_run"] else output, format_, asked)
    except DesignerError:
        raise
    except OSError as error:
        raise FileFormatError(f"{source}: {error.strerror or os_sentence(error)}") from error
    if not is_whole:
        click.get_current_context().exit(FOUND_ERRORS)


def _imported(importer: Importer, source: Path, output: Path | None, format_: str, asked: Mapping[str, Any]) -> bool:
    """Whether all of it was understood."""
    into: Path | None = asked["into"]
    if importer.found is None:
        if into is not None:
            raise ParameterError(f"{importer.name} makes a design of its own: leave --into out")
        return _made(importer, source, output)
    choices = choosing.choices_of(asked["chosen"], asked["types_file"])
    design = open_design(into) if into is not None else Design()
    return _built(importer, source, design, choices, output, format_)


def _asked(format_or_path: str | None, path: Path | None) -> tuple[Importer, Path]:
    """The format and the file that the arguments name; the format by the file where only that is named."""
    if format_or_path is None:
        raise ParameterError("import takes a path and -o FILE; import --list names the formats")
    if path is None:
        path = Path(format_or_path)
        if IMPORTERS.named(format_or_path) is not None and not path.exists():
            raise ParameterError(f"import {format_or_path} takes a path and -o FILE: name the file after the format")
        return guess_importer(path), path
    chosen = IMPORTERS.named(format_or_path)
    if chosen is None:
        names = ", ".join(importer.name for importer in IMPORTERS)
        raise ParameterError(f"there is no import format {format_or_path!r}; there is {names}")
    return chosen, path


def _made(importer: Importer, source: Path, output: Path | None) -> bool:
    """Write the design that a format makes itself; whether nothing was left out."""
    assert importer.read is not None
    found: Import = importer.read(source)
    for sentence in found.skipped:
        tell(sentence)
    if found.refused:
        raise CatalogError(found.refused)
    for note in found.notes:
        tell(note)
    if output is None:
        tell(f"would import {found.contents}")
    else:
        _write(found.design, output, found.contents, is_new=True)
    return not found.skipped


def _built(
    importer: Importer, source: Path, design: Design, choices: dict[str, str], output: Path | None, format_: str
) -> bool:
    """Print the summary of a network, and write the design made of it; whether all of it was understood."""
    assert importer.found is not None
    is_new = not design.devices
    proposal = building.propose(importer.found(source), design, catalogs.load(), choices, file=source.name)
    if format_ == "json":
        say(json_text({"format": importer.name, **summaries.summary_json(proposal)}))
    else:
        for line in summaries.summary_text(proposal).splitlines():
            (say if output is None else tell)(line)
    if output is not None:
        design.apply(proposal.edit)
        _write(design, output, proposal.contents, is_new=is_new)
    return not proposal.unread


def _write(design: Design, output: Path, contents: str, *, is_new: bool) -> None:
    if is_new:
        design.apply(operations.set_settings(design, name=output.stem))
    save_design(design, output)
    tell(f"wrote {output}: {contents}")
