"""Waive findings: these alone, all of their rule, or those in a group or rack, with author and reason."""

import datetime

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLineEdit, QPlainTextEdit, QVBoxLayout

from designer.errors import DesignerError, sentence
from designer.model import waiving
from designer.model.design import Design
from designer.model.entities import Group, Rack
from designer.model.records import ordered
from designer.model.shown_text import visible_line
from designer.model.waiver import Waiver
from designer.panels.widgets.fields import ChoiceField, add_row, form
from designer.panels.widgets.labels import label
from designer.units import format_counted
from designer.validation.accepting import Acceptance, waiver_of_kind, waivers_of
from designer.validation.findings import Finding
from designer.windows.desk import Desk

THESE, RULE = "these", "rule"
LISTED = 4
"""Findings that are read out before the rest is counted."""


class WaiveDialog(QDialog):
    """Accepts the findings that are selected in the panel, as one edit."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.window)
        self._desk = desk
        self._findings: list[Finding] = []
        self.setWindowTitle("Waive Findings")
        self.about = label("", wrap=True)
        self.scope = ChoiceField("What is accepted", lambda _value: None)
        self.author = QLineEdit()
        self.author.setAccessibleName("Author")
        self.reason = QPlainTextEdit()
        self.reason.setAccessibleName("Reason")
        self.reason.setTabChangesFocus(True)
        self.reason.setMaximumHeight(80)
        self.date = QLineEdit()
        self.date.setAccessibleName("Date")
        self.refusal = label("", "error", wrap=True)
        self.buttons = QDialogButtonBox()
        self.waive = self.buttons.addButton("Waive", QDialogButtonBox.ButtonRole.AcceptRole)
        self.waive.setProperty("kind", "primary")
        self.buttons.addButton(QDialogButtonBox.StandardButton.Close)
        self.buttons.accepted.connect(self.do)
        self.buttons.rejected.connect(self.close)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(12)
        column.addWidget(self.about)
        rows = form()
        for name, field in (
            ("Accept", self.scope),
            ("Reason", self.reason),
            ("Author", self.author),
            ("Date", self.date),
        ):
            add_row(rows, name, field)
        column.addLayout(rows)
        column.addWidget(
            label(
                "A waived finding is listed and no longer counted. It reopens if it gets worse.",
                "muted",
                wrap=True,
            )
        )
        column.addWidget(self.refusal)
        column.addStretch(1)
        column.addWidget(self.buttons)
        self.resize(500, 400)

    def take(self, findings: list[Finding]) -> None:
        """Ask about these findings; those that are waived already are left out."""
        self._findings = [one for one in findings if one.waiver is None]
        design = self._desk.session.design
        listed = [f"{one.code}: {visible_line(one.message)}" for one in self._findings[:LISTED]]
        more = len(self._findings) - len(listed)
        self.about.setText("\n".join([*listed, *([f"and {format_counted(more, 'more finding')}"] if more > 0 else [])]))
        self.scope.show_choices(self._scopes(design), THESE)
        self.author.setText(self.author.text() or design.settings.author)
        self.date.setText(datetime.date.today().isoformat())
        self.reason.clear()
        self.reason.setFocus()
        self.refusal.hide()
        self.waive.setEnabled(bool(self._findings))

    def _scopes(self, design: Design) -> list[tuple[str, str]]:
        """What one waiver can stand for: these findings, all of the rule, or those in what all of them are in."""
        count = len(self._findings)
        scopes = [(THESE, "this finding" if count == 1 else f"these {count} findings")]
        codes = {one.code for one in self._findings}
        if len(codes) == 1:
            (code,) = codes
            scopes.append((RULE, f"every finding of {code}"))
            acceptance = Acceptance(design)
            around = [acceptance.containers(one) for finding in self._findings for one in finding.subjects]
            shared = frozenset.intersection(*around) if around else frozenset()
            places: list[Group | Rack] = [*ordered(design.groups), *ordered(design.racks)]
            scopes += [
                (one.id, f"every finding of {code} in {visible_line(one.name)}") for one in places if one.id in shared
            ]
        return scopes

    def do(self) -> None:
        """Waive the findings, or say what is missing."""
        session, validation = self._desk.session, self._desk.session.workbench.validation
        report = validation.report
        if report is None or not validation.is_current or not all(one in report.open for one in self._findings):
            self.refusal.setText("The design has changed: select the findings again.")
            self.refusal.show()
            return
        who = (self.author.text().strip(), self.reason.toPlainText().strip(), self.date.text().strip())
        try:
            session.push(waiving.add_waivers(session.design, self._waivers(*who)))
        except DesignerError as error:
            self.refusal.setText(sentence(str(error)))
            self.refusal.show()
            return
        self.close()

    def _waivers(self, author: str, reason: str, date: str) -> list[Waiver]:
        scope = self.scope.value
        if scope == THESE:
            return waivers_of(self._findings, author, reason, date)
        report = self._desk.session.workbench.validation.report
        code = self._findings[0].code
        alike = [one for one in report.open if one.code == code] if report is not None else self._findings
        if scope == RULE:
            return [waiver_of_kind(alike, author, reason, date)]
        acceptance = Acceptance(self._desk.session.design)
        inside = [one for one in alike if acceptance.is_within(one, scope)]
        return [waiver_of_kind(inside, author, reason, date, within=scope)]
