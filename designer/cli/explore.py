"""`explore SPEC.yaml`: the best fabrics for a job, among many that are built, checked, priced and simulated."""

import sys
from pathlib import Path
from typing import Any

import click

from designer.cli.files import check_output
from designer.cli.main import DONE, FOUND_ERRORS, tell
from designer.cli.options import FORCE_OPTION, PATH, option_of
from designer.errors import ExportError
from designer.fields.field import fields_of
from designer.late import Late
from designer.workers.where import Where

report = Late("designer.cli.explore_report")


@click.command(
    params=[
        click.Argument(["file"], type=PATH),
        click.Option(
            ["-o", "--output"],
            type=PATH,
            metavar="RESULTS",
            help="Keep what is found in this file as it comes in, so that the search can go on after it was ended.",
        ),
        click.Option(
            ["--resume"],
            is_flag=True,
            help="Go on with the results of an earlier run: what it has done is not done again, and limits may differ.",
        ),
        *(option_of(field) for field in fields_of(Where).values()),
        click.Option(
            ["--design", "designs"],
            type=(click.IntRange(1), PATH),
            multiple=True,
            metavar="N FILE",
            help="Write the design of candidate N to a file; repeatable.",
        ),
        click.Option(
            ["--format", "format_"],
            type=click.Choice(["text", "json", "csv"]),
            default="text",
            show_default=True,
            help="What to print.",
        ),
        click.Option(
            ["--all", "shows_all"], is_flag=True, help="In text: list every candidate that fell out, and why."
        ),
    ]
)
@FORCE_OPTION
def command(file: Path, output: Path | None, resume: bool, force: bool, **given: Any) -> int:
    """Build, check, price and simulate every fabric of a search; list the best, and why the others fell out.

    The exit code is 1 where no candidate keeps all limits.
    """
    if resume and output is None:
        raise click.UsageError("--resume goes with -o RESULTS, the file to go on with.")
    if output is not None and output.exists() and not resume:
        if not force:
            raise ExportError(f"{output} is there already: go on with --resume, or replace it with --force")
        _remove(output)
    for _, path in given["designs"]:
        check_output(path, force)
    where = Where(given["scheduler"], given["workers"])
    tell(where.sentence)
    asked = report.Asked(file, output, tuple(given["designs"]), given["format_"], given["shows_all"])
    return DONE if report.run(asked, where, sys.stderr.isatty()) else FOUND_ERRORS


def _remove(path: Path) -> None:
    try:
        path.unlink()
    except OSError as error:
        raise ExportError(f"{path} cannot be replaced: {error.strerror}") from error
