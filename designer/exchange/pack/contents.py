"""What a pack holds: one row per file, in the order in which they are listed."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

from designer.analysis.billing.spares import spares_text
from designer.analysis.billing.terms import CostTerms
from designer.exchange.options import texts_of
from designer.fields.field import fields_of


@dataclass(frozen=True, slots=True)
class Content:
    """A file that one of the exporters writes. An exporter that this program does not have is passed over."""

    key: str
    """What it is called where files are left out."""
    exporter: str
    suffix: str
    title: str
    about: str
    options: Callable[[Mapping[str, Any]], Mapping[str, str]] = lambda _given: {}
    """The texts of the exporter's options, from those of the pack by name, its "issue" and the "earlier" one."""
    is_due: Callable[[Mapping[str, Any]], bool] = lambda _given: True
    """Whether there is something to put in."""
    not_due: str = ""
    """Why there is nothing to put in, where there may be nothing."""
    inside: tuple[tuple[str, str], ...] = ()
    """Of an archive whose files go into a folder of the pack: what those of a pattern are for."""

    def about_inside(self, name: str) -> str:
        """What the file of that name in the archive is for."""
        return next((about for pattern, about in self.inside if fnmatchcase(name, pattern)), self.about)


def _since(given: Mapping[str, Any]) -> dict[str, str]:
    """The earlier revision that changes are listed against."""
    earlier = given["earlier"]
    return {} if earlier is None else {"since": earlier.number}


def _drawings(given: Mapping[str, Any]) -> Mapping[str, str]:
    """Paper and title block."""
    issue = given["issue"]
    stated = {"date": given["date"]}
    if issue is not None:
        stated = {"revision": issue.number, "date": issue.date or given["date"], "author": issue.author}
    return {"paper": str(given["paper"]), **_since(given), **{name: text for name, text in stated.items() if text}}


def _bill(given: Mapping[str, Any]) -> Mapping[str, str]:
    """With prices the workbook has a sheet of the cost by these terms. A redacted pack has no prices and no terms."""
    spares = {"spares": spares_text(given["spares"])}
    if given["redact"]:
        return spares
    terms = CostTerms(**{name: given[name] for name in fields_of(CostTerms)})
    return {"prices": str(given["prices"]), **spares, **texts_of(terms)}


DESIGN = Content("design", "design", ".fabric", "Design file", "The design itself, to open or to compare with")
"""Written by no exporter."""
CHANGES = Content(
    "changes",
    "change-order",
    ".xlsx",
    "Change order (XLSX)",
    "What an installer has to do since the revision before",
    _since,
    lambda given: given["earlier"] is not None,
    "no earlier revision to compare with",
)
CONTENTS: tuple[Content, ...] = (
    Content(
        "drawings",
        "drawings",
        ".pdf",
        "Drawings (PDF)",
        "Pages to build from; the first lists what there is",
        _drawings,
    ),
    Content("plan", "cable-plan-xlsx", ".xlsx", "Cable plan (XLSX)", "Cable plan with a sheet of open points", _since),
    Content("plan-csv", "cable-plan", ".csv", "Cable plan (CSV)", "Cable plan as text"),
    CHANGES,
    Content("bill", "bill-of-materials", ".xlsx", "Bill of materials (XLSX)", "Bill of materials", _bill),
    Content("bill-csv", "bill-of-materials", ".csv", "Bill of materials (CSV)", "Bill of materials as text", _bill),
    Content("labels", "labels", ".pdf", "Cable labels (PDF)", "Sheets of cable labels with QR codes"),
    Content("labels-csv", "labels", ".csv", "Cable labels (CSV)", "Cable labels for a label printer"),
    Content(
        "acceptance",
        "acceptance",
        ".zip",
        "Acceptance sheet and scripts",
        "What the fabric should measure, part by part, and the commands",
        inside=(
            ("hosts/*", "Hosts of each part that is measured, as mpirun reads them"),
            ("run-*.sh", "Measures every part, or those that are named, and keeps a log of each"),
            ("*.schema.json", "JSON Schema of what a bring-up job checks"),
            ("*.json", "What a bring-up job checks"),
        ),
    ),
    Content("diagram", "svg", ".svg", "Diagram (SVG)", "Diagram"),
    DESIGN,
)
