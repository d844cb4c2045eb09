"""The policy of a design: limits, severities of rules, rules that are switched off with a reason; from and to files."""

from dataclasses import dataclass, replace

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QHBoxLayout, QLineEdit, QTabWidget, QVBoxLayout, QWidget

from designer.errors import DesignerError, ParameterError, sentence
from designer.fields.field import fields_of
from designer.late import Late
from designer.model import policies
from designer.model.policy import DEFAULT, Policy
from designer.panels.widgets.field_form import ParameterForm
from designer.panels.widgets.fields import ChoiceField, add_row, form
from designer.panels.widgets.labels import label
from designer.panels.widgets.row_table import RowTable
from designer.storage.policies import SUFFIX
from designer.tables.columns import Column
from designer.units import format_counted
from designer.validation.engine import RULES
from designer.windows.desk import Desk

files = Late("designer.storage.policies")

FILTER = f"Policies (*{SUFFIX})"
AS_SHIPPED, OFF = "", "off"
WORDS = {"error": "error", "warning": "warning", "info": "note"}
COLUMNS = (
    Column("code", "Rule"),
    Column("title", "What it finds"),
    Column("usual", "Severity"),
    Column("here", "In this policy"),
    Column("reason", "Reason"),
)
WIDTHS = {"code": 90, "usual": 80, "here": 110, "reason": 200}


@dataclass(frozen=True, slots=True)
class _RuleRow:
    """A rule, and how the policy weighs it."""

    code: str
    title: str
    usual: str
    here: str
    reason: str


class PolicyDialog(QDialog):
    """Shows the policy of the design; Apply gives the design what is shown, as one edit."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.window)
        self._desk = desk
        self._is_begun = False
        self._weights: dict[str, tuple[str, str]] = {}
        """By code of a rule, its severity in the policy or "off", and the reason."""
        self.setWindowTitle("Policy")
        self.name = QLineEdit()
        self.name.setAccessibleName("Name of the policy")
        self.name.setPlaceholderText("none")
        self.limits = ParameterForm(Policy, desk.catalog)
        self.rules = RowTable("Rules", COLUMNS, stretch="title", widths=WIDTHS)
        self.rules.current_changed.connect(self._show_rule)
        self.weight = ChoiceField("Severity in this policy", lambda _value: self._weigh())
        self.reason = QLineEdit()
        self.reason.setAccessibleName("Why it is switched off")
        self.reason.setPlaceholderText("why it is switched off")
        self.reason.textEdited.connect(lambda _text: self._weigh())
        self.changes = label("", "muted", wrap=True)
        self.refusal = label("", "error", wrap=True)
        self.buttons = QDialogButtonBox()
        self.apply = self.buttons.addButton("Apply", QDialogButtonBox.ButtonRole.AcceptRole)
        self.apply.setProperty("kind", "primary")
        for text, slot in (("Open…", self.open), ("Save As…", self.save), ("Restore Defaults", self.set_default)):
            self.buttons.addButton(text, QDialogButtonBox.ButtonRole.ActionRole).clicked.connect(slot)
        self.buttons.addButton(QDialogButtonBox.StandardButton.Close)
        self.buttons.accepted.connect(self.do)
        self.buttons.rejected.connect(self.close)
        self.limits.changed.connect(self._count)
        self.name.textEdited.connect(lambda _text: self._count())
        self._lay_out()
        self.resize(680, 560)

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(12)
        top = form()
        add_row(top, "Name", self.name)
        column.addLayout(top)
        tabs = QTabWidget()
        limits = QWidget()
        around = QVBoxLayout(limits)
        around.addWidget(self.limits)
        around.addStretch(1)
        tabs.addTab(limits, "Limits")
        page = QWidget()
        inside = QVBoxLayout(page)
        inside.addWidget(self.rules, 1)
        row = QHBoxLayout()
        row.addWidget(self.weight)
        row.addWidget(self.reason, 1)
        inside.addLayout(row)
        tabs.addTab(page, "Rules")
        column.addWidget(tabs, 1)
        column.addWidget(self.changes)
        column.addWidget(self.refusal)
        column.addWidget(self.buttons)

    def begin(self) -> None:
        """Show the policy of the design, unless the dialog is open already, perhaps with other figures typed."""
        if not self._is_begun:
            self._is_begun = True
            self.show_policy(self._desk.session.design.policy)

    def done(self, result: int) -> None:
        """Start from the beginning when it is opened again, after Close and Esc alike."""
        self._is_begun = False
        super().done(result)

    def show_policy(self, policy: Policy) -> None:
        """Show a policy, whether the design has it or not."""
        self.name.setText(policy.name)
        self.limits.show_values(policy)
        self._weights = {code: (severity, "") for code, severity in policy.severities}
        self._weights |= {code: (OFF, reason) for code, reason in policy.off}
        self._fill()
        self.refusal.hide()

    def _fill(self) -> None:
        rows = []
        current = self.rules.current
        for rule in sorted(RULES, key=lambda one: one.code):
            weight, reason = self._weights.get(rule.code, (AS_SHIPPED, ""))
            here = "switched off" if weight == OFF else WORDS.get(weight, weight)
            rows.append(_RuleRow(rule.code, rule.title, WORDS[rule.severity.value], here, reason))
        self.rules.shown.show_rows(rows)
        chosen = next((n for n, row in enumerate(rows) if current is not None and row.code == current.code), 0)
        self.rules.setCurrentIndex(self.rules.proxy.mapFromSource(self.rules.shown.index(chosen, 0)))
        self._show_rule()
        self._count()

    def _show_rule(self) -> None:
        row = self.rules.current
        weight, reason = self._weights.get(row.code, (AS_SHIPPED, "")) if row is not None else (AS_SHIPPED, "")
        usual = row.usual if row is not None else ""
        choices = [(AS_SHIPPED, f"default ({usual})"), *WORDS.items(), (OFF, "switched off")]
        self.weight.show_choices(choices, weight)
        if self.reason.text() != reason:
            self.reason.setText(reason)
        self.reason.setEnabled(weight == OFF)

    def _weigh(self) -> None:
        """Take what the user says of the current rule."""
        row = self.rules.current
        if row is None:
            return
        weight = self.weight.value
        if weight == AS_SHIPPED:
            self._weights.pop(row.code, None)
        else:
            self._weights[row.code] = (weight, self.reason.text() if weight == OFF else "")
        self._fill()
        if weight == OFF and not self.reason.text():
            self.reason.setFocus()

    def policy(self) -> Policy:
        """What is shown. Raises ParameterError for what no policy can be."""
        limits: Policy = self.limits.parameters()
        weights = sorted(self._weights.items())
        return replace(
            limits,
            name=self.name.text().strip(),
            severities=tuple((code, weight) for code, (weight, _) in weights if weight != OFF),
            off=tuple((code, reason.strip()) for code, (weight, reason) in weights if weight == OFF),
        )

    def _count(self) -> None:
        """How much differs from the policy that the program comes with."""
        try:
            policy = self.policy()
        except DesignerError as error:
            self.changes.setText(sentence(str(error)))
            return
        limits = [name for name in fields_of(Policy) if getattr(policy, name) != getattr(DEFAULT, name)]
        counted = (
            (format_counted(len(limits), "limit"), limits),
            (f"severity of {format_counted(len(policy.severities), 'rule')}", policy.severities),
            (f"{format_counted(len(policy.off), 'rule')} switched off", policy.off),
        )
        parts = [text for text, those in counted if those]
        self.changes.setText(
            f"Different from the default: {', '.join(parts)}." if parts else "Nothing differs from the default."
        )

    def do(self) -> None:
        """Give the design what is shown, or say why it cannot be."""
        session = self._desk.session
        try:
            edit = policies.set_policy(session.design, self.policy())
        except DesignerError as error:
            self._refuse(str(error))
            return
        self.refusal.hide()
        if edit:
            session.push(edit)
        self._desk.notice.say("The design is checked against this policy.")

    def open(self) -> None:
        """Show the policy in a file."""
        desk = self._desk
        path = desk.questions.open_path("Open Policy", desk.preferences.folder("policies"), FILTER)
        if path is None:
            return
        try:
            self.show_policy(files.load(path))
        except DesignerError as error:
            self._refuse(str(error))
            return
        desk.preferences.set_folder("policies", path.resolve().parent)

    def save(self) -> None:
        """Write what is shown to a file."""
        desk = self._desk
        try:
            policy = self.policy()
            policies.set_policy(desk.session.design, policy)
            stem = policy.name or "policy"
            path = desk.questions.save_path("Save Policy", f"{stem}{SUFFIX}", FILTER)
            if path is None:
                return
            if path.suffix != SUFFIX:
                path = path.with_name(f"{path.name}{SUFFIX}")
                if path.exists():
                    raise ParameterError(f"{path.name} exists already: choose it by its whole name to replace it")
            files.save(policy, path)
        except DesignerError as error:
            self._refuse(str(error))
            return
        desk.notice.say(f"Policy saved to {path.name}.")

    def set_default(self) -> None:
        """Show the policy that the program comes with."""
        self.show_policy(DEFAULT)

    def _refuse(self, why: str) -> None:
        self.refusal.refuse(why)
