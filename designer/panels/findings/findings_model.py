"""Findings as the rows of a table."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from designer.drawing.text import elisions
from designer.errors import sentence
from designer.late import Late
from designer.model.design import Design
from designer.model.shown_text import visible_line
from designer.model.waiver import Waiver
from designer.panels.widgets.appearance import Appearance
from designer.panels.widgets.cut_texts import INSET_PX
from designer.panels.widgets.row_table import Index
from designer.tables.columns import Column

engine = Late("designer.validation.engine")

if TYPE_CHECKING:
    from designer.validation.findings import Finding, Report
    from designer.validation.news import News

COLUMNS = (
    Column("severity", text=lambda _severity: "", order=lambda row: LOOKS[row.severity].rank),
    Column("code", "Code"),
    Column("message", "Finding"),
    Column("subjects", "Where"),
    Column("fix", "Fix"),
    Column("news", ""),
)
CODE_COLUMN, MESSAGE_COLUMN, SUBJECTS_COLUMN, FIX_COLUMN, NEWS_COLUMN = 1, 2, 3, 4, 5
WIDTHS = {"severity": 28, "news": 70, "code": 90, "subjects": 220, "fix": 200}
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
        """The word for that many findings: "error" or "errors"."""
        return self.singular if count == 1 else self.plural


LOOKS: dict[str, Look] = {
    "error": Look("Errors", "error", "errors", "error", "error", 0),
    "warning": Look("Warnings", "warning", "warnings", "warning", "warning", 1),
    "info": Look("Notes", "note", "notes", "info", "info", 2),
    "fixed": Look("Fixed by the last edit", "just fixed", "just fixed", "validate", "good", 3),
    "waived": Look("Waived", "waived", "waived", "note", "muted", 4),
    "not checked": Look("Not checked", "not checked", "not checked", "unchecked", "muted", 5),
}

JUST_NOW, NEW = "last edit", "new"
NEWS_TIPS = {JUST_NOW: "Caused by the last edit", NEW: "Not there when the design was last saved"}


@dataclass(frozen=True, slots=True)
class FindingRow:
    """A finding, or a rule that could not be checked (then `finding` is None)."""

    severity: str
    code: str
    message: str
    subjects: str
    reason: str
    finding: "Finding | None"
    """None also for one that was just fixed: there is nothing left to go to."""
    news: str = ""
    """Whether the last edit caused it, or another since the design was saved."""

    @property
    def fix(self) -> str:
        """What the offered fix does; "" where there is none."""
        if self.finding is None or self.finding.fix is None or self.finding.waiver is not None:
            return ""
        return self.finding.fix.label

    @property
    def remedy(self) -> str:
        """What to do by hand about a finding that no fix is offered for; "" where one is, or nothing is open."""
        if self.finding is None or self.fix or self.finding.waiver is not None:
            return ""
        return next((rule.advice for rule in engine.RULES if rule.code == self.code), "")

    @property
    def haystack(self) -> str:
        """Code, message and subjects in lower case: what the filter searches."""
        return f"{self.code} {self.message} {self.subjects}".lower()


def rows_of(report: "Report | None", design: Design, news: "News") -> list[FindingRow]:
    """Findings worst first, those that the last edit fixed, then what was not checked."""
    if report is None:
        return []
    rows = [
        FindingRow(
            "waived" if finding.waiver is not None else str(finding.severity.value),
            finding.code,
            finding.message,
            names_of(design, finding.subjects),
            accepted(finding.waiver) if finding.waiver is not None else finding.reason or "",
            finding,
            _news(news, finding),
        )
        for finding in report.findings
    ]
    rows += [FindingRow("fixed", one.code, one.message, "", "", None, JUST_NOW) for one in news.cured]
    rows.sort(key=lambda row: (LOOKS[row.severity].rank, row.code))
    gaps = [(one.code, sentence(one.reason)) for one in report.not_checked]
    gaps += [(one.code, f"Switched off by the policy: {one.reason}") for one in report.off]
    return rows + [FindingRow("not checked", code, why, "", "", None) for code, why in sorted(gaps)]


def _news(news: "News", finding: "Finding") -> str:
    if finding.waiver is not None:
        return ""
    return JUST_NOW if news.is_caused(finding) else NEW if news.is_new(finding) else ""


def accepted(waiver: Waiver) -> str:
    """ "Accepted by Kim on 2026-11-22: replaced next year"."""
    by = f" by {waiver.author}" if waiver.author else ""
    on = f" on {waiver.date}" if waiver.date else ""
    return visible_line(f"Accepted{by}{on}: {waiver.reason}")


def names_of(design: Design, ids: tuple[str, ...], most: int = NAMED_SUBJECTS) -> str:
    """What a finding is about, by name; those that are no longer there are left out."""
    names = [_name(design, one) for one in ids[:most] if design.entity(one) is not None]
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


def tip(row: FindingRow, column: Column) -> str:
    """The whole text of a cell."""
    news = "" if row.severity == "fixed" else NEWS_TIPS.get(row.news, "")
    tips = {
        "severity": LOOKS[row.severity].title,
        "news": news or LOOKS[row.severity].title,
        "fix": "Click to apply this fix" if row.fix else "",
    }
    return tips.get(column.key) or str(column.of(row))


def look(appearance: Appearance, row: FindingRow, column: Column, role: int) -> Any:
    """Icons and colors, by severity."""
    if role == Qt.ItemDataRole.DecorationRole and column.key == "severity":
        return appearance.icon(LOOKS[row.severity].icon, LOOKS[row.severity].colour)
    if role == Qt.ItemDataRole.FontRole and row.severity == "fixed" and column.key == "message":
        return _struck_out()
    if role != Qt.ItemDataRole.ForegroundRole:
        return None
    if column.key == "news" and row.severity != "fixed":
        return appearance.colour("accent")
    if row.severity in ("not checked", "waived", "fixed") or column.key in ("code", "subjects"):
        return appearance.colour("muted")
    return appearance.colour("accent") if column.key == "fix" else None


def _struck_out() -> QFont:
    font = QFont()
    font.setStrikeOut(True)
    return font


def fitted_message(message: str, width_of: Callable[[str], float], room: float) -> str:
    """The message within a width: with the name of whom it is about elided where that shows all of its figures.

    The message itself where it does not.
    """
    subject, colon, rest = message.partition(": ")
    forms = (f"{name}: {rest}" for name in ((subject, *elisions(subject)) if colon else ()))
    return next((form for form in forms if width_of(form) <= room), message)


class MessageDelegate(QStyledItemDelegate):
    """Writes a message as wide as its column; what does not fit is left out at its end."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        """Shorten the message to the width of its column."""
        super().initStyleOption(option, index)
        room = option.rect.width() - INSET_PX
        option.textElideMode = Qt.TextElideMode.ElideRight
        if room > 0:
            option.text = fitted_message(option.text, option.fontMetrics.horizontalAdvance, room)
