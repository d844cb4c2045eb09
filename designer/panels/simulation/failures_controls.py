"""What to fail: a kind in turn, in pairs, or many at random with a rate for each kind."""

from PySide6.QtWidgets import QLineEdit, QWidget

from designer.errors import ParameterError
from designer.late import Late
from designer.model.shown_text import plain_text
from designer.panels.studies.study_parts import RunColumn
from designer.panels.widgets.appearance import Appearance
from designer.panels.widgets.fields import ChoiceField, add_row, form
from designer.panels.widgets.labels import label, mark_refused
from designer.session.failures import SweepRequest
from designer.units import MOST_WHOLE, parse_whole

sweep = Late("designer.simulation.failures.sweep")

WAYS = (
    ("single", "Each in turn"),
    ("pairs", "Two at a time"),
    ("monte-carlo", "At random"),
)
KINDS = (
    ("link", "Links"),
    ("optic", "Optics, ports"),
    ("nic", "NICs"),
    ("switch", "Switches"),
    ("server", "Servers"),
    ("rack", "Racks"),
    ("plane", "Planes"),
)
RATE_HINT = "such as 0.001 or 0.1 %"


def parse_share(text: str) -> float:
    """0.001 from "0.001" or "0.1 %". Raises ParameterError."""
    number = text.strip().removesuffix("%")
    try:
        value = float(number) / (100 if number != text.strip() else 1)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise ParameterError(f"{text!r} is not a failure rate: write it like 0.001 or 0.1 %")
    return value


class FailuresControls(RunColumn):
    """`request` reads the form."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__(appearance)
        self.way = ChoiceField("Way", lambda _value: self._show_fields())
        self.way.show_choices(WAYS, "single")
        self.kind = ChoiceField("What fails", lambda _value: None)
        self.kind.show_choices(KINDS, "link")
        self.rates = {name: QLineEdit() for name, _ in KINDS}
        self.samples, self.seed = QLineEdit("200"), QLineEdit("0")
        for line in (*self.rates.values(), self.samples, self.seed):
            line.textEdited.connect(lambda _text, line=line: self._forgive(line))
        self._lay_out()
        self._show_fields()

    def _lay_out(self) -> None:
        top = form()
        add_row(top, "Way", self.way)
        self._kind_row = QWidget()
        kind_form = form()
        self._kind_row.setLayout(kind_form)
        add_row(kind_form, "What", self.kind)
        self._random = QWidget()
        rates = form()
        self._random.setLayout(rates)
        for title, line in (("Samples", self.samples), ("Seed", self.seed)):
            line.setAccessibleName(title)
            add_row(rates, title, line)
        rates.addRow(label("Chance that each has failed, as 0.1 % or 0.001", "muted", wrap=True))
        for name, title in KINDS:
            line = self.rates[name]
            line.setAccessibleName(f"Failure rate: {title}")
            line.setPlaceholderText("0 %")
            line.setToolTip(plain_text(f"Probability that one of these has failed, {RATE_HINT}"))
            add_row(rates, title, line)
        self.options.addLayout(top)
        self.options.addWidget(self._kind_row)
        self.options.addWidget(self._random)
        self.options.addStretch(1)

    def request(self) -> SweepRequest:
        """What the form asks for. Raises ParameterError with one sentence for what cannot be read."""
        if self.way.value != "monte-carlo":
            return SweepRequest(self.way.value, self.kind.value)
        rates = []
        for name, line in self.rates.items():
            text = line.text().strip()
            try:
                rate = parse_share(text) if text else 0.0
            except ParameterError:
                mark_refused(line, True)
                raise
            mark_refused(line, False)
            if rate:
                rates.append((name, rate))
        if not rates:
            raise ParameterError(f"give a failure rate for at least one kind, {RATE_HINT}")
        return SweepRequest(
            "monte-carlo",
            self.kind.value,
            tuple(rates),
            _whole("Samples", self.samples, 1, sweep.MOST_SAMPLES),
            _whole("Seed", self.seed),
        )

    def show_kind(self, kind: str) -> None:
        self.kind.show_choices(KINDS, kind)

    def show_way(self, way: str) -> None:
        self.way.show_choices(WAYS, way)
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


def _whole(title: str, line: QLineEdit, least: int = 0, most: int = MOST_WHOLE) -> int:
    mark_refused(line, True)
    try:
        value = parse_whole(line.text(), least, most)
    except ParameterError as error:
        raise ParameterError(f"{title}: {error}") from None
    mark_refused(line, False)
    return value
