"""What to fail: a kind in turn, in pairs, or many at random with a rate for each kind."""

from PySide6.QtWidgets import QLineEdit, QWidget

from designer.errors import ParameterError
from designer.panels.studies.study_parts import RunColumn
from designer.panels.widgets.appearance import Appearance
from designer.panels.widgets.field_form import FieldForm
from designer.panels.widgets.fields import ChoiceField, add_row, form
from designer.panels.widgets.labels import label, mark_refused
from designer.simulation.failures.request import FAILING, RATE_HINT, RATES, REQUEST, WAYS, SweepRequest


class FailuresControls(RunColumn):
    """`request` reads the form."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__(appearance)
        self.way = ChoiceField("Method", lambda _value: self._show_fields())
        self.kind = ChoiceField("What fails", lambda _value: None)
        self.show_kind("link")
        self._random = FieldForm()
        self._lay_out()
        self.show_way("single")

    @property
    def rates(self) -> dict[str, QLineEdit]:
        """The lines of the failure rates by kind."""
        return {name: self._line(name) for name in RATES}

    @property
    def samples(self) -> QLineEdit:
        """The line of the number of samples."""
        return self._line("samples")

    def _line(self, name: str) -> QLineEdit:
        editor = self._random.editors[name]
        assert isinstance(editor, QLineEdit)
        return editor

    def _lay_out(self) -> None:
        top = form()
        add_row(top, "Method", self.way)
        self._kind_row = QWidget()
        kind_form = form()
        self._kind_row.setLayout(kind_form)
        add_row(kind_form, "What fails", self.kind)
        rows = form()
        self._random.setLayout(rows)
        for name in ("samples", "seed"):
            self._random.add(REQUEST[name], rows)
        rows.addRow(label("Probability that each has failed, such as 0.1 % or 0.001", "muted", wrap=True))
        for field in RATES.values():
            self._random.add(field, rows)
        for name, editor in self._random.editors.items():
            if name in RATES:
                editor.setAccessibleName(f"Failure rate: {RATES[name].title}")
            if isinstance(editor, QLineEdit):
                editor.textEdited.connect(lambda _text, line=editor: self._forgive(line))
        self.options.addLayout(top)
        self.options.addWidget(self._kind_row)
        self.options.addWidget(self._random)
        self.options.addStretch(1)

    def request(self) -> SweepRequest:
        """What the form asks for. Raises ParameterError with one sentence for what cannot be read."""
        if self.way.value != "monte-carlo":
            return SweepRequest(self.way.value, self.kind.value)
        values, wrong = self._random.read()
        for name, value in values.items():
            field = self._random.fields[name]
            if fault := field.fault(value):
                wrong[name] = f"{field.title}: {fault}"
        self._random.mark(set(wrong))
        for reason in wrong.values():
            raise ParameterError(reason)
        rates = tuple((name, values[name]) for name in RATES if values[name])
        if not rates:
            raise ParameterError(f"give a failure rate for at least one kind, {RATE_HINT}")
        return SweepRequest("monte-carlo", self.kind.value, rates, values["samples"], values["seed"])

    def show_kind(self, kind: str) -> None:
        """Choose what is to fail, by its name in FAILING."""
        self.kind.show_choices([(one.name, one.title) for one in FAILING], kind)

    def show_way(self, way: str) -> None:
        """Choose one failure at a time, pairs or random ones, by its name in WAYS, with the fields it needs."""
        self.way.show_choices([(one.name, one.title) for one in WAYS], way)
        self._show_fields()

    def _forgive(self, line: QLineEdit) -> None:
        """A refusal is of a text that is no longer there."""
        mark_refused(line, False)
        if self.says_error:
            self.say("")

    def _show_fields(self) -> None:
        at_random = self.way.value == "monte-carlo"
        self._kind_row.setVisible(not at_random)
        self._random.setVisible(at_random)
