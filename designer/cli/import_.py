"""`import FORMAT PATH -o FILE`: designs from other tools' files."""

from pathlib import Path

import click

from designer.cli.files import check_output
from designer.cli.main import FOUND_ERRORS, say, tell
from designer.cli.options import FORCE_OPTION, PATH
from designer.errors import CatalogError, ParameterError
from designer.units import format_count

FORMATS = (
    ("netbox-devicetypes", "NetBox device and rack types, a YAML file or a folder: a design with one of each"),
)


@click.command()
@click.argument("format_", metavar="FORMAT", required=False)
@click.argument("path", type=PATH, required=False)
@click.option("-o", "--output", type=PATH, help="The file to write.", metavar="FILE")
@click.option("--list", "list_", is_flag=True, help="Name the formats.")
@FORCE_OPTION
def command(format_: str | None, path: Path | None, output: Path | None, list_: bool, force: bool) -> None:
    """A design from another tool's files; `catalog import` takes types into the catalog instead."""
    if list_:
        for name, about in FORMATS:
            say(f"{name:<20} {about}")
        return
    if format_ is None or path is None or output is None:
        raise ParameterError("import takes a format, a path and -o FILE; import --list names the formats")
    if format_ not in [name for name, _ in FORMATS]:
        raise ParameterError(f"there is no import format {format_!r}; there is {', '.join(n for n, _ in FORMATS)}")
    check_output(output, force)
    from designer.exchange import netbox
    from designer.model import operations
    from designer.model.design import Design
    from designer.model.hardware import RackType
    from designer.placement.metrics import COLUMN_PITCH
    from designer.storage import document

    report = netbox.read(path)
    for sentence in report.skipped:
        tell(sentence)
    if not report.imported:
        raise CatalogError(f"{path} holds no device type that could be read")
    design = Design()
    for number, one in enumerate(report.imported):
        x, name = number * COLUMN_PITCH, one.type_.id
        if isinstance(one.type_, RackType):
            design.apply(operations.add_rack(design, one.type_, x, 0.0, name))
        else:
            design.apply(operations.add_device(design, one.type_, x, 0.0, catalog_types={}, name=name))
        tell(f"{one.file}: {one.type_.id}" + "".join(f"; {note}" for note in one.notes))
    design.apply(operations.set_settings(design, name=output.stem))
    document.save(design, output)
    tell(f"wrote {output}: {format_count(len(report.imported))} device types")
    if report.skipped:
        click.get_current_context().exit(FOUND_ERRORS)
