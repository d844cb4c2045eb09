"""`calibrate LOG...`: constants of NCCL's or RCCL's model fitted to logs that were measured on a design."""

from pathlib import Path
from typing import Any

import click

from designer.cli.files import check_output, open_design
from designer.cli.json_text import json_text
from designer.cli.main import os_sentence, say, tell
from designer.cli.options import FORCE_OPTION, FORMAT_OPTION, PATH
from designer.errors import DesignerError, ExportError
from designer.late import Late
from designer.simulation.scenario import Scenario
from designer.tables.columns import as_json
from designer.tables.table import ResultTable, aligned

calibration = Late("designer.exchange.acceptance.calibration")
measurements = Late("designer.measurements.reading")
writing = Late("designer.simulation.libraries.writing")
saving = Late("designer.storage.saving")

CHANGED = ("constant", "of", "delivered", "fitted")


@click.command(
    epilog="Use the file with --model and --constants FILE. Logs are placed on the design by their hosts, or by a line "
    "'# fabric-designer part: unit 1' before a run; what fewer than two of them depend on keeps its delivered value."
)
@click.argument("logs", type=PATH, nargs=-1, required=True, metavar="LOG...")
@click.option("--design", "file", type=PATH, required=True, metavar="FILE", help="The design that was measured.")
@click.option(
    "--model",
    type=click.Choice(["nccl", "rccl"]),
    default="nccl",
    show_default=True,
    help="The library whose constants are fitted.",
)
@click.option(
    "--collective",
    default="all-reduce",
    show_default=True,
    metavar="COLLECTIVE",
    help="What logs measured that do not say.",
)
@click.option("-o", "--output", type=PATH, required=True, metavar="FILE.yaml", help="The file to write.")
@FORCE_OPTION
@FORMAT_OPTION
def command(
    logs: tuple[Path, ...], file: Path, model: str, collective: str, output: Path, force: bool, format_: str
) -> None:
    """Fit the constants of a library's model to logs measured on a design, by least squares, and show what is left."""
    check_output(output, force)
    scenario = Scenario(collective=collective, model=model, size_bytes=1.0)
    design = open_design(file)
    found = calibration.calibrated(
        design, scenario, [one for path in logs for one in measurements.read_measurements(path)]
    )
    _write(output, writing.constants_text(found.constants))
    say(json_text(_record(found)) if format_ == "json" else _text(found))
    for note in found.notes:
        tell(note)
    tell(f"wrote {output}: {found.summary}")


def _record(found: Any) -> dict[str, Any]:
    changed = [dict(zip(("place", "name", "delivered", "fitted"), one, strict=True)) for one in found.fitted]
    return {"fitted": changed, "rows": as_json(found.rows), "notes": list(found.notes)}


def _text(found: Any) -> str:
    names = "source collective size_bytes measured_us before after"
    changed = [[name, place, f"{before:.4g}", f"{after:.4g}"] for place, name, before, after in found.fitted]
    table = (
        aligned([list(CHANGED), *changed], (2, 3), "  ") if changed else "  none: too few measurements depend on one"
    )
    rows = ResultTable.of(found.rows, names).text(has_units=True)
    return f"# constants\n{table}\n\n# time measured over predicted\n{rows}"


def _write(path: Path, text: str) -> None:
    try:
        saving.replace_file(path, text.encode())
    except DesignerError:
        raise
    except OSError as error:
        raise ExportError(f"{path} cannot be written: {error.strerror or os_sentence(error)}") from error
