"""What validation says: findings, what it did not check, and the report of both."""

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from designer.model.edit import Edit
from designer.tables.columns import Column, Columns, keys


class Severity(StrEnum):
    """How bad a finding is: an error stops the design from being built or working."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


SEVERITY_ORDER = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.INFO: 2}


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing wrong. `message` is the whole sentence; `value` and `limit` are its numbers, `reason` why it matters.

    `fix` is an edit that removes the cause and nothing else, its label says what it does; None where no such edit is
    safe. A fix is made against the design as validated: after any edit, validate again.
    """

    code: str
    severity: Severity
    message: str
    subjects: tuple[str, ...]
    """Ids of the devices, links, modules or racks concerned, the most telling first."""
    value: float | str | None = None
    limit: float | str | None = None
    reason: str = ""
    fix: Edit | None = None

    COLUMNS: ClassVar[Columns] = (
        *keys("code severity message subjects limit value reason"),
        Column("fix", value=lambda finding: finding.fix.label if finding.fix is not None else None),
        Column("waived", value=lambda _finding: False),
    )


@dataclass(frozen=True, slots=True)
class NotChecked:
    """A rule that could not be applied, to the design or to a part of it, and why."""

    code: str
    reason: str


@dataclass(frozen=True, slots=True)
class Report:
    """The outcome of a validation, errors first, in an order that depends on the design alone."""

    findings: tuple[Finding, ...]
    not_checked: tuple[NotChecked, ...]

    def count(self, severity: Severity) -> int:
        """How many findings have that severity."""
        return sum(finding.severity is severity for finding in self.findings)

    @property
    def errors(self) -> int:
        """How many findings are errors."""
        return self.count(Severity.ERROR)

    @property
    def warnings(self) -> int:
        """How many findings are warnings."""
        return self.count(Severity.WARNING)
