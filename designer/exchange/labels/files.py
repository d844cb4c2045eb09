"""Labels as files: a list for label printers, and the pages of sheets."""

from collections.abc import Sequence

from designer.analysis.optical_parts import parts_known
from designer.catalog import catalog
from designer.exchange.issue import issue_stated
from designer.exchange.labels.labels import Label, labels_of
from designer.exchange.labels.options import LabelOptions
from designer.exchange.labels.sheets import LabelSheet, sheets
from designer.model.design import Design
from designer.tables.table import delimited, encoded

FACTS = (
    "near.rack",
    "near.unit",
    "near.device",
    "near.port",
    "far.rack",
    "far.unit",
    "far.device",
    "far.port",
    "network",
    "length",
    "colour",
)
"""Facts in addition to the text, to sort the labels and to find their place."""


def made(design: Design, options: LabelOptions) -> list[Label]:
    """The labels, with the parts that the shipped catalog knows. Raises ExportError and ParameterError."""
    return labels_of(design, options, parts_known(design, catalog.load().types))


def pages(design: Design, options: LabelOptions) -> list[LabelSheet]:
    """The sheets of labels. Raises ExportError and ParameterError."""
    heading = f"{design.name}: cable labels; {issue_stated(design).line}"
    return sheets(made(design, options), options, heading)


def csv_bytes(design: Design, options: LabelOptions) -> bytes:
    """The list for label printers. Raises ExportError and ParameterError."""
    return encoded(to_csv(made(design, options)), byte_order_mark=options.byte_order_mark)


def to_csv(labels: Sequence[Label]) -> str:
    """One row per label: its text line by line, the text of its QR code, and where it goes. As RFC 4180 has it."""
    n_lines = max((len(label.lines) for label in labels), default=1)
    lines = [f"line_{number}" for number in range(1, n_lines + 1)]
    headings = ["cable", "end", *lines, "qr", "cut", *(name.replace(".", "_") for name in FACTS)]
    return delimited(headings, (_cells(label, n_lines) for label in labels))


def _cells(label: Label, n_lines: int) -> list[str | float | None]:
    lines = [*label.lines, *[""] * (n_lines - len(label.lines))]
    facts = (label.values[name] for name in FACTS)
    return [label.cable, label.end, *lines, label.cable, "yes" if label.is_cut else "", *facts]
