"""Findings as the rows of a table."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt

from designer.errors import sentence
from designer.model.design import Design
from designer.model.shown_text import plain_text
from designer.panels.widgets.appearance import Appearance
from designer.panels.widgets.row_table import Index, RowModel

if TYPE_CHECKING:
    from designer.validation.findings import Finding, Report

COLUMNS = (("", 28), ("Code", 90), ("Finding", 0), ("Where", 220), ("Fix", 200))
SEVERITY_COLUMN, CODE_COLUMN, MESSAGE_COLUMN, SUBJECTS_COLUMN, FIX_COLUMN = range(5)
NAMED_SUBJECTS = 4


@dataclass(frozen=True, slots=True)
class Look:
    """How a severity is shown."""

    title: str
    singular: str
    plural: str
    icon: str
    colour: str
    rank: int

    def noun(self, count: int) -> str:
        return self.singular if count == 1 else self.plural


LOOKS: dict[str, Look] = {
    "error": Look("Errors", "error", "errors", "error", "error", 0),
    "warning": Look("Warnings", "warning", "warnings", "warning", "warning", 1),
    "info": Look("Notes", "note", "notes", "info", "info", 2),
    "not checked": Look("Not checked", "not checked", "not checked", "unchecked", "muted", 3),
}


@dataclass(frozen=True, slots=True)
class FindingRow:
    """A finding, or a rule that could not be checked (then `finding` is None)."""

    severity: str
    code: str
    message: str
    subjects: str
    reason: str
    finding: "Finding | None"

    @property
    def haystack(self) -> str:
        return f"{self.code} {self.message} {self.subjects}".lower()


def rows_of(report: "Report | None", design: Design) -> list[FindingRow]:
    """Findings worst first, then what was not checked."""
    if report is None:
        return []
    rows = [
        FindingRow(
            str(finding.severity.value),
            finding.code,
            finding.message,
            _names(design, finding.subjects),
            finding.reason or "",
            finding,
        )
        for finding in report.findings
    ]
    rows.sort(key=lambda row: (LOOKS[row.severity].rank, row.code))
    return rows + [
        FindingRow("not checked", gap.code, sentence(gap.reason), "", "", None) for gap in report.not_checked
    ]


def _names(design: Design, ids: tuple[str, ...]) -> str:
    names = [_name(design, entity_id) for entity_id in ids[:NAMED_SUBJECTS]]
    more = len(ids) - len(names)
    return ", ".join(names) + (f" and {more:,} more" if more > 0 else "")


def _name(design: Design, entity_id: str) -> str:
    link = design.links.get(entity_id)
    if link is not None:
        return f"{design.end_name(link.a)} – {design.end_name(link.b)}"
    module = design.modules.get(entity_id)
    if module is not None:
        return f"{design.device(module.device_id).name} {module.slot}"
    return str(getattr(design.entity(entity_id), "name", entity_id))


class FindingsModel(RowModel):
    """Findings as they are given."""

    rows: "Sequence[FindingRow]"

    def __init__(self, appearance: Appearance) -> None:
        super().__init__(COLUMNS)
        self._appearance = appearance

    def recolour(self) -> None:
        if self.rows:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self.rows) - 1, len(COLUMNS) - 1))

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row, column = self.rows[index.row()], index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return ("", row.code, row.message, row.subjects, self._fix_text(row))[column]
        if role == Qt.ItemDataRole.DecorationRole and column == SEVERITY_COLUMN:
            look = LOOKS[row.severity]
            return self._appearance.icon(look.icon, look.colour)
        if role == Qt.ItemDataRole.ToolTipRole:
            tips = (LOOKS[row.severity].title, row.code, row.message, row.subjects, "Click to apply this fix")
            return plain_text(tips[column])
        if role == Qt.ItemDataRole.ForegroundRole:
            return self._ink(row, column)
        return None

    def _fix_text(self, row: FindingRow) -> str:
        fix = row.finding.fix if row.finding is not None else None
        return fix.label if fix is not None else ""

    def _ink(self, row: FindingRow, column: int) -> Any:
        if row.severity == "not checked" or column in (CODE_COLUMN, SUBJECTS_COLUMN):
            return self._appearance.colour("muted")
        return self._appearance.colour("accent") if column == FIX_COLUMN else None
