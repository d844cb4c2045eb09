"""What a pack holds: one row a file, in the order in which they are listed."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Content:
    """A file that one of the exporters writes. An exporter that this program does not have is passed over."""

    key: str
    """What it is called where files are left out."""
    exporter: str
    suffix: str
    about: str
    options: Callable[[Mapping[str, Any]], Mapping[str, str]] = lambda _given: {}
    """The texts of the exporter's options, from those of the pack by name."""


def _paper(given: Mapping[str, Any]) -> Mapping[str, str]:
    return {"paper": str(given["paper"])}


DESIGN = Content("design", "design", ".fabric", "The design itself, to open or to compare with")
"""Written by no exporter."""
CONTENTS: tuple[Content, ...] = (
    Content("drawings", "drawings", ".pdf", "Drawings: overview, racks, switches and floor, page by page", _paper),
    Content("plan", "cable-plan-xlsx", ".xlsx", "Cable plan as a workbook, with a sheet of open points"),
    Content("plan-csv", "cable-plan", ".csv", "Cable plan as text"),
    Content("bill", "bill-of-materials", ".xlsx", "Bill of materials as a workbook"),
    Content("bill-csv", "bill-of-materials", ".csv", "Bill of materials as text"),
    Content("labels", "labels", ".pdf", "Sheets of cable labels"),
    Content("labels-csv", "labels", ".csv", "Cable labels for a label printer"),
    Content("diagram", "svg", ".svg", "Diagram"),
    DESIGN,
)
