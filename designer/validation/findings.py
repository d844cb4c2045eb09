"""What validation says: findings, what it did not check, and the report of both."""

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from designer.model.edit import Edit
from designer.model.waiver import Waiver
from designer.tables.columns import Column, Columns, keys
from designer.units import format_counted


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
    waiver: Waiver | None = None
    """What accepts it; None while it is open."""
    aspect: str = ""
    """Tells apart the things that one rule finds about the same subjects, as the networks of NET-002."""

    COLUMNS: ClassVar[Columns] = (
        *keys("code severity message subjects limit value reason"),
        Column("fix", value=lambda finding: finding.fix.label if finding.fix is not None else None),
        Column("waived", value=lambda finding: finding.waiver is not None),
        Column("aspect", may_lack=True),
        Column("waiver", value=lambda finding: _stated(finding.waiver), may_lack=True),
    )


def _stated(waiver: Waiver | None) -> dict[str, str] | None:
    """Who accepted the finding, when and why; None for an open one."""
    return None if waiver is None else {"author": waiver.author, "date": waiver.date, "reason": waiver.reason}


@dataclass(frozen=True, slots=True)
class NotChecked:
    """A rule that could not be applied, to the design or to a part of it, and why."""

    code: str
    reason: str


@dataclass(frozen=True, slots=True)
class Report:
    """The outcome of a validation: open findings, errors first, then waived ones; equal designs give equal reports."""

    findings: tuple[Finding, ...]
    not_checked: tuple[NotChecked, ...]
    off: tuple[NotChecked, ...] = ()
    """Rules that the policy switches off, and why."""

    def count(self, severity: Severity) -> int:
        """How many open findings have that severity."""
        return sum(finding.severity is severity and finding.waiver is None for finding in self.findings)

    @property
    def errors(self) -> int:
        """How many open findings are errors."""
        return self.count(Severity.ERROR)

    @property
    def warnings(self) -> int:
        """How many open findings are warnings."""
        return self.count(Severity.WARNING)

    @property
    def infos(self) -> int:
        """How many open findings are neither."""
        return self.count(Severity.INFO)

    @property
    def waived(self) -> int:
        """How many findings are accepted."""
        return sum(finding.waiver is not None for finding in self.findings)

    @property
    def open_faults(self) -> str:
        """The open errors and warnings, as "4 errors, 1 warning"; "" where there are none."""
        counted = ((self.errors, "error"), (self.warnings, "warning"))
        return ", ".join(format_counted(count, word) for count, word in counted if count)

    @property
    def open(self) -> tuple[Finding, ...]:
        """The findings that nobody accepted."""
        return tuple(finding for finding in self.findings if finding.waiver is None)
