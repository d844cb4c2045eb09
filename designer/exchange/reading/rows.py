"""The rows of cable lists in the table of importers."""

from pathlib import Path

from designer.exchange.importer import SHEETS, Importer
from designer.exchange.reading.found import FoundNetwork
from designer.late import Late

sheets = Late("designer.exchange.reading.sheets")


def _sheets(path: Path) -> FoundNetwork:
    found: FoundNetwork = sheets.read(path)
    return found


IMPORTERS: tuple[Importer, ...] = (
    Importer(
        "cable-list",
        "Point-to-point list of cables, CSV or workbook",
        found=_sheets,
        suffixes=(".csv", ".xlsx", ".tsv", ".txt"),
        group=SHEETS,
        about="Any list with a device and a port for both ends: cable plans of this program and the lists of NVIDIA, "
        "Arista, HPE and Omni-Path, with columns found by heading or by position.",
    ),
)
