"""The files of an acceptance sheet: the page, the JSON with its schema, and the scripts with their host lists."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from designer.exchange.acceptance.commands import MPIRUN, SRUN, host_file, script
from designer.exchange.acceptance.json_file import json_of, schema_text
from designer.exchange.acceptance.options import AcceptanceOptions
from designer.exchange.acceptance.page import acceptance_page
from designer.exchange.acceptance.sheet import AcceptanceSheet, acceptance_sheet
from designer.exchange.archives import write_archive
from designer.exchange.options import Progress
from designer.model.design import Design
from designer.simulation.acceptance.explain import Diagnosis
from designer.simulation.scenario import Scenario
from designer.storage.saving import replace_file
from designer.units import format_bandwidth, format_counted

PAGE, JSON, SCHEMA = "acceptance.html", "acceptance.json", "acceptance.schema.json"
LOGS = "logs/"
"""The folder that the scripts write into."""
SCRIPTS: Mapping[str, str] = {MPIRUN: "run-mpirun.sh", SRUN: "run-srun.sh"}


def files_of(sheet: AcceptanceSheet, diagnosis: Diagnosis | None = None) -> dict[str, str]:
    """The texts of all files by their path in the folder."""
    found = {PAGE: acceptance_page(sheet, diagnosis), JSON: json_of(sheet), SCHEMA: schema_text()}
    found |= {name: script(sheet, launcher) for launcher, name in SCRIPTS.items()}
    return found | {f"hosts/{run.file_name}.txt": host_file(run) for run in sheet.parts if run.gpus is not None}


def write_folder(folder: Path, texts: Mapping[str, str]) -> None:
    """Write the files into a folder, which is made if need be; scripts can be run. Raises OSError or SaveError."""
    (folder / LOGS).mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(path, text.encode())
        if path.suffix == ".sh":
            path.chmod(path.stat().st_mode | 0o111)


def write_sheet(design: Design, path: Path, options: AcceptanceOptions, progress: Progress) -> None:
    """Write the page, with .json the file that a bring-up job asserts, with .zip the folder of all files.

    Errors as `acceptance_sheet`.
    """
    sheet = acceptance_sheet(design, _scenario(options), options.sizes, options.tolerance, progress)
    if path.suffix.lower() == ".zip":
        with path.open("wb") as file:
            write_archive(file, [*((name, text.encode()) for name, text in files_of(sheet).items()), (LOGS, b"")])
        return
    text = json_of(sheet) if path.suffix.lower() == ".json" else acceptance_page(sheet, is_alone=True)
    path.write_bytes(text.encode())


def outcome(_design: Design, options: AcceptanceOptions) -> str:
    """What was written, in a line."""
    return f"{options.collective}, {options.sizes}"


def summary(sheet: AcceptanceSheet) -> str:
    """ "12 parts; whole fabric 382.3 GB/s at 8 GiB, accepted from 344.1 GB/s"."""
    best, count = sheet.whole.expected.best, format_counted(len(sheet.parts), "part")
    busbw, least = format_bandwidth(best.busbw_gbytes_per_s), format_bandwidth(best.least_gbytes_per_s)
    return f"{count}; whole fabric {busbw}, accepted from {least}"


def _scenario(options: AcceptanceOptions) -> Scenario:
    given: dict[str, Any] = {"collective": options.collective, "size_bytes": 1.0, "model": options.model}
    return Scenario(**given)
