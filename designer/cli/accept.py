"""`accept FILE`: what a built fabric should measure, part by part; and what explains what it measured instead."""

from pathlib import Path
from typing import Any

import click

from designer.cli.files import open_design
from designer.cli.json_text import json_text
from designer.cli.main import FOUND_ERRORS, os_sentence, say, tell
from designer.cli.options import CONSTANTS_OPTION, FORCE_OPTION, FORMAT_OPTION, PATH, constants_wanted, option_of
from designer.errors import ExportError
from designer.exchange.acceptance.options import AcceptanceOptions
from designer.exchange.infiniband.routings import routing_fields
from designer.fields.field import fields_of
from designer.late import Late
from designer.simulation.scenario import Scenario
from designer.simulation.traffic.texts import algorithm_and_dims

report = Late("designer.cli.accept_report")
files = Late("designer.exchange.acceptance.files")
judging = Late("designer.exchange.acceptance.judged")

SHEET = fields_of(AcceptanceOptions)
SCENARIO = (
    "algorithm",
    "channels",
    "in_network_reduction",
    "ranks",
    "routing",
    "seed",
    "efficiency",
    "network",
    "failed",
)
"""What of a scenario a sheet is made with."""
FIELDS = {name: field for name, field in fields_of(Scenario).items() if name in SCENARIO}


@click.command(
    epilog="Exit code 1: a measurement falls short. Logs of a sheet's own scripts name their parts; other logs are "
    "placed by their hosts, or by a line '# fabric-designer part: rail 1' before a run.",
    params=[
        click.Argument(["file"], type=PATH),
        *(option_of(field) for field in SHEET.values()),
        *(option_of(field) for field in FIELDS.values()),
        CONSTANTS_OPTION,
        click.Option(
            ["--measured"],
            type=PATH,
            multiple=True,
            metavar="LOG",
            help="Compare with this log of nccl-tests, rccl-tests, OSU or perftest, and rank the faults that would "
            "explain a shortfall; repeatable.",
        ),
        click.Option(
            ["-o", "--output"],
            type=PATH,
            metavar="FOLDER",
            help="Write the page, the JSON that a bring-up job asserts, scripts and host lists into a folder.",
        ),
    ],
)
@FORCE_OPTION
@FORMAT_OPTION
@click.pass_context
def command(ctx: click.Context, /, file: Path, output: Path | None, force: bool, format_: str, **given: Any) -> None:
    """Write what the whole fabric, each unit, each rail and each pair of units should measure, with the commands."""
    options = AcceptanceOptions(**{name: given.pop(name) for name in SHEET})
    measured: tuple[Path, ...] = given.pop("measured")
    own = constants_wanted(given.pop("constants"))
    values = {name: value for name, value in given.items() if value is not None} | own
    values |= routing_fields(values["routing"])
    values["algorithm"], values["dims"] = algorithm_and_dims(values.get("algorithm"))
    scenario = Scenario(collective=options.collective, model=options.model, size_bytes=1.0, **values)
    if output is not None:
        _check_folder(output, force)
    design = open_design(file)
    made = judging.judged(design, scenario, options, measured)
    if output is not None:
        _write(output, made)
        tell(f"wrote {output}: {files.summary(made.sheet)}")
    say(json_text(report.as_record(made)) if format_ == "json" else report.as_text(made))
    for note in made.notes:
        tell(note)
    if made.falls_short:
        ctx.exit(FOUND_ERRORS)


def _check_folder(folder: Path, force: bool) -> None:
    """Raises ExportError where the folder cannot be written to, or holds a sheet that may not be replaced."""
    if folder.exists() and not folder.is_dir():
        raise ExportError(f"{folder} is not a folder: name one to write the sheet into")
    if (folder / "acceptance.json").exists() and not force:
        raise ExportError(f"{folder} holds a sheet already: add --force to replace it")
    if not folder.parent.is_dir():
        raise ExportError(f"{folder} cannot be written: there is no folder {folder.parent}")


def _write(folder: Path, made: Any) -> None:
    try:
        files.write_folder(folder, files.files_of(made.sheet, made.diagnosis))
    except OSError as error:
        raise ExportError(f"{folder} cannot be written: {error.strerror or os_sentence(error)}") from error
