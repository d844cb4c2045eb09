"""Findings as a table for a spreadsheet: open ones first, then waived ones."""

from collections.abc import Callable

from designer.model.design import Design
from designer.tables.columns import Column
from designer.tables.table import ResultTable
from designer.validation.findings import Finding, Report
from designer.validation.subjects import subject_name

WHERE_MOST = 20
"""Subjects that a cell names before the rest is counted."""


def findings_table(design: Design, report: Report) -> ResultTable:
    """Every finding, what it is about by name, what waives it and why."""

    def where(finding: Finding) -> str:
        named = [subject_name(design, one) for one in finding.subjects[:WHERE_MOST]]
        more = len(finding.subjects) - len(named)
        return "; ".join(named) + (f"; and {more:,} more" if more > 0 else "")

    columns = (
        Column("severity", "Severity", lambda finding: finding.severity.value),
        Column("code", "Rule"),
        Column("message", "Finding"),
        Column("where", "Where", where),
        Column("value", "Value"),
        Column("limit", "Limit"),
        Column("reason", "Why"),
        Column("fix", "Fix", lambda finding: finding.fix.label if finding.fix is not None else None),
        Column("waived", "Waived", lambda finding: "yes" if finding.waiver is not None else "no"),
        Column("waived_by", "Waived by", _of_waiver("author")),
        Column("waived_on", "Waived on", _of_waiver("date")),
        Column("accepted_because", "Accepted because", _of_waiver("reason")),
    )
    return ResultTable(columns, report.findings)


def _of_waiver(field: str) -> Callable[[Finding], str | None]:
    return lambda finding: getattr(finding.waiver, field) if finding.waiver is not None else None
