"""`import FORMAT PATH -o FILE`: designs from other tools' files."""

from pathlib import Path

import click

from designer.cli.files import check_output
from designer.cli.main import FOUND_ERRORS, say, tell
from designer.cli.options import FORCE_OPTION, PATH
from designer.errors import CatalogError, ParameterError
from designer.exchange.importers import IMPORTERS
from designer.model import operations
from designer.storage import document


@click.command()
@click.argument("format_", metavar="FORMAT", required=False)
@click.argument("path", type=PATH, required=False)
@click.option("-o", "--output", type=PATH, help="The file to write.", metavar="FILE")
@click.option("--list", "list_", is_flag=True, help="List the formats.")
@FORCE_OPTION
def command(format_: str | None, path: Path | None, output: Path | None, list_: bool, force: bool) -> None:
    """Make a design from another tool's files; `catalog import` takes types into the catalog instead."""
    if list_:
        for importer in IMPORTERS:
            say(f"{importer.name:<20} {importer.title}")
        return
    if format_ is None or path is None or output is None:
        raise ParameterError("import takes a format, a path and -o FILE; import --list names the formats")
    chosen = IMPORTERS.named(format_)
    if chosen is None:
        names = ", ".join(importer.name for importer in IMPORTERS)
        raise ParameterError(f"there is no import format {format_!r}; there is {names}")
    check_output(output, force)

    if chosen.read is None:
        raise ParameterError(f"{chosen.name} gives a network, of which no design is made yet")
    found = chosen.read(path)
    for sentence in found.skipped:
        tell(sentence)
    if found.refused:
        raise CatalogError(found.refused)
    for note in found.notes:
        tell(note)
    design = found.design
    design.apply(operations.set_settings(design, name=output.stem))
    document.save(design, output)
    tell(f"wrote {output}: {found.contents}")
    if found.skipped:
        click.get_current_context().exit(FOUND_ERRORS)
