"""`pack FILE -o FOLDER.zip`: the whole hand-over of a design in one file."""

from pathlib import Path
from typing import Any

import click

from designer.canvas.formats import formats
from designer.cli.files import check_output, open_design
from designer.cli.main import os_sentence, tell
from designer.cli.options import DESIGN_ARGUMENT, FORCE_OPTION, PATH, option_of
from designer.errors import DesignerError, ExportError
from designer.exchange.pack.options import PackOptions
from designer.fields.field import fields_of
from designer.late import Late
from designer.model.design import Design
from designer.units import format_counted, format_memory

packs = Late("designer.exchange.pack.pack")
document = Late("designer.storage.document")
saving = Late("designer.storage.saving")


@click.command(epilog="With --revision the revision is recorded in FILE too.")
@DESIGN_ARGUMENT
@click.option("-o", "--output", type=PATH, required=True, help="The file to write.", metavar="FOLDER.zip")
@FORCE_OPTION
def command(file: Path, output: Path, force: bool, **values: Any) -> None:
    """Write drawings, cable plan, bill, labels and a summary of a design into one file, with an index and digests."""
    without = tuple(name.strip() for given in values.pop("without") for name in given.split(","))
    options = PackOptions(without=without, **{name: value for name, value in values.items() if value is not None})
    if output.exists() and (not (output.is_file() or output.is_dir()) or output.is_relative_to("/dev")):
        raise ExportError(f"{output} is not a file: write the pack to one, such as {file.stem}.zip, and send that on")
    check_output(output, force)
    if output.exists() and output.samefile(file):
        raise click.UsageError(f"{output} is the design itself: name another file to write")
    design = open_design(file)
    pack = packs.make(design, formats(), options)
    before = output.read_bytes() if output.is_file() else None
    _write(output, lambda: saving.replace_file(output, pack.data))
    if pack.edit:
        _record(design, pack.edit, file, output, before)
    for one in pack.left_out:
        tell(one)
    count = format_counted(len(pack.files), "file")
    tell(f"wrote {output}: {count}, {format_memory(len(pack.data))}; open findings: {pack.open_findings}")


def _record(design: Design, edit: Any, file: Path, output: Path, before: bytes | None) -> None:
    """Save the design with the revision; where that fails the pack goes again, as if there had been none."""
    design.apply(edit)
    try:
        document.save(design, file)
    except (DesignerError, OSError):
        if before is None:
            output.unlink(missing_ok=True)
        else:
            saving.replace_file(output, before)
        raise
    tell(f"{edit.label[:1].lower()}{edit.label[1:]} in {file}".replace("record ", "recorded ", 1))


def _write(output: Path, write: Any) -> None:
    try:
        write()
    except DesignerError:
        raise
    except OSError as error:
        raise ExportError(f"{output} cannot be written: {error.strerror or os_sentence(error)}") from error


command.params[1:1] = [option_of(field) for field in fields_of(PackOptions).values()]
