"""The form of a training step: a model, how it is laid over the GPUs, and what is assumed of them."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QCheckBox, QFormLayout, QLineEdit, QVBoxLayout, QWidget

from designer.errors import ParameterError
from designer.model.shown_text import plain_text
from designer.panels.widgets.appearance import Appearance
from designer.panels.widgets.fields import ChoiceField, add_row, form
from designer.panels.widgets.labels import label, mark_refused
from designer.panels.widgets.sections import Section
from designer.simulation.catalogue import ROUTINGS
from designer.simulation.training.formulas import short
from designer.simulation.training.request import LAYOUTS, PRESETS, Model, Training
from designer.units import parse_amount, parse_whole

OWN = "own"
TITLE_PX = 120


def _whole(text: str) -> int:
    value = parse_amount(text)
    if value != int(value):
        raise ParameterError(f"{text!r} is not a whole number")
    return parse_whole(f"{value:.0f}")


class Missing(ParameterError):
    """A field that cannot be guessed is still empty."""


@dataclass(frozen=True, slots=True)
class Row:
    """A field: what is typed becomes `read` of it; an empty one stands for `empty`, or is refused where that is ..."""

    name: str
    title: str
    help: str
    read: Callable[[str], Any]
    empty: Any = ...
    placeholder: str = ""


MODEL_ROWS = (
    Row(
        "parameters",
        "Parameters",
        "70B, 174.6e9; empty: calculated for a GPT model of these dimensions",
        parse_amount,
        None,
        "from the dimensions",
    ),
    Row("layers", "Layers", "Transformer layers", _whole),
    Row("hidden", "Hidden size", "Width of a layer", _whole),
    Row("sequence", "Sequence", "Tokens of a sequence", _whole),
    Row("vocabulary", "Vocabulary", "Used if the number of parameters is left empty", _whole),
    Row("global_batch", "Global batch", "Sequences per step, over all replicas", _whole),
    Row("micro_batch", "Micro-batch", "Sequences per replica and microbatch", _whole),
    Row("bytes_per_element", "Bytes per element", "Weights and activations: 2 for BF16", parse_amount),
    Row(
        "gradient_bytes",
        "Gradient bytes",
        "Bytes per gradient element on the wire: 2 for BF16, 4 for FP32",
        parse_amount,
    ),
)
EXPERT_ROWS = (
    Row("experts", "Experts", "Experts in each layer; empty: a dense model", _whole, 0, "none"),
    Row("top_k", "Experts per token", "Experts that each token is sent to", _whole, 0),
    Row("expert_parameters", "Parameters in them", "Parameters that are in experts", parse_amount, 0.0),
)
DEGREE_ROWS = (
    Row(
        "tensor",
        "Tensor",
        "GPUs that share each layer; empty: as many as fit in a scale-up domain",
        _whole,
        None,
        "scale-up domain",
    ),
    Row("pipeline", "Pipeline", "Stages, each with its share of the layers", _whole, 1),
    Row("data", "Data", "Replicas; empty: as many as GPUs and batch allow", _whole, None, "as many as fit"),
    Row("expert", "Expert", "Data ranks that the experts are divided among", _whole, 1),
    Row("zero", "ZeRO stage", "0 to 3: optimizer, gradients, weights spread over data ranks", _whole, 0),
)
PEAK_ROWS = (
    Row(
        "gpu_tflops",
        "GPU peak, TFLOP/s",
        "Of one GPU at the precision used, dense, from its data sheet",
        parse_amount,
        ...,
        "from the data sheet",
    ),
)
SPEED_ROWS = (
    Row("utilization", "Utilization", "Share of the peak that computation alone reaches", parse_amount),
    Row("overlap", "Data overlap", "Share of the data-parallel collectives hidden behind computing", parse_amount, 0.0),
    Row(
        "tensor_overlap",
        "Tensor overlap",
        "Share of the tensor-parallel collectives hidden behind computing",
        parse_amount,
        0.0,
    ),
    Row("tokens", "Tokens to train on", "300B, 2e12: shows the number of days", parse_amount, None),
)
STARTS = {"pipeline": "1", "expert": "1", "zero": "0", "utilization": "0.5", "overlap": "0", "tensor_overlap": "0"}


class TrainingForm(QWidget):
    """`training` reads the form; `changed` tells of every keystroke."""

    changed = Signal()

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self.lines: dict[str, QLineEdit] = {}
        self.preset = ChoiceField("Model", self.choose_preset)
        self.layout_choice = ChoiceField("Layout", lambda _value: self.changed.emit())
        self.layout_choice.show_choices([(name, name.replace("-", ", ")) for name in LAYOUTS], LAYOUTS[0])
        self.layout_choice.setToolTip("Which ranks are neighbours, the nearest first")
        self.routing = ChoiceField("Routing", lambda _value: self.changed.emit())
        self.routing.show_choices([(row.name, row.title) for row in ROUTINGS], "spray")
        self.recompute = QCheckBox("Recompute activations")
        self.recompute.setToolTip("Recompute activations in the backward pass: a third more computation")
        self.recompute.toggled.connect(self.changed)
        self.source = label("", "muted", wrap=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 12, 0)
        column.setSpacing(6)
        top = form()
        _add(top, "Model", self.preset)
        column.addLayout(top)
        column.addWidget(self._rows(PEAK_ROWS))
        column.addWidget(label("Model and batch", "section"))
        column.addWidget(self._rows(MODEL_ROWS))
        column.addWidget(Section("Mixture of experts", self._rows(EXPERT_ROWS), appearance, is_open=False))
        column.addWidget(label("Parallelism", "section"))
        degrees = self._rows(DEGREE_ROWS)
        column.addWidget(degrees)
        rest = form()
        _add(rest, "Layout", self.layout_choice)
        _add(rest, "Routing", self.routing)
        column.addLayout(rest)
        column.addWidget(label("Assumed", "section"))
        column.addWidget(self._rows(SPEED_ROWS))
        column.addWidget(self.recompute)
        column.addWidget(self.source)
        column.addStretch(1)
        for name, text in STARTS.items():
            self.lines[name].setText(text)
        self.choose_preset(PRESETS[0].name)

    def training(self) -> Training:
        """What the form asks for. Raises Missing for an empty field, ParameterError for one that cannot be read."""
        model = Model(name=self.preset.value, **self._values((*MODEL_ROWS, *EXPERT_ROWS)))
        preset = next((one for one in PRESETS if one.name == model.name), None)
        if preset is not None:
            model = replace(model, source=preset.source)
        return Training(
            model=model,
            layout=self.layout_choice.value,
            routing=self.routing.value,
            recompute=self.recompute.isChecked(),
            **self._values((*PEAK_ROWS, *DEGREE_ROWS, *SPEED_ROWS)),
        )

    def choose_preset(self, name: str) -> None:
        """Fill in a known model; one's own keeps what stands there."""
        choices = [(model.name, model.name) for model in PRESETS] + [(OWN, "one of your own")]
        self.preset.show_choices(choices, name)
        preset = next((one for one in PRESETS if one.name == name), None)
        self.source.setText(f"Model: {preset.source}." if preset is not None else "")
        self.source.setVisible(preset is not None)
        if preset is not None:
            for row in (*MODEL_ROWS, *EXPERT_ROWS):
                value = getattr(preset, row.name)
                with QSignalBlocker(self.lines[row.name]):
                    self.lines[row.name].setText("" if not value and row.empty is not ... else _written(value))
        self.changed.emit()

    def set_text(self, name: str, text: str) -> None:
        """Fill in one field as if it were typed."""
        self.lines[name].setText(text)
        self._typed(name)

    def _rows(self, rows: tuple[Row, ...]) -> QWidget:
        body = QWidget()
        layout = form()
        body.setLayout(layout)
        for row in rows:
            line = QLineEdit()
            line.setAccessibleName(row.title)
            line.setToolTip(plain_text(row.help))
            line.setPlaceholderText(row.placeholder)
            line.textEdited.connect(lambda _text, name=row.name: self._typed(name))
            self.lines[row.name] = line
            _add(layout, row.title, line)
        return body

    def _typed(self, name: str) -> None:
        """A typed dimension makes the model one's own: the preset's source no longer speaks for it."""
        if name in {"parameters", "layers", "hidden", "sequence", "vocabulary", "experts"} and self.preset.value != OWN:
            if name in ("layers", "hidden"):
                self.lines["parameters"].clear()  # those of the preset no longer fit
            self.choose_preset(OWN)
        else:
            self.changed.emit()

    def _values(self, rows: tuple[Row, ...]) -> dict[str, Any]:
        values = {}
        for row in rows:
            line = self.lines[row.name]
            text = line.text().strip()
            try:
                if not text and row.empty is ...:
                    mark_refused(line, False)
                    raise Missing(f"Give {row.title}: {row.help[0].lower()}{row.help[1:]}")
                values[row.name] = row.read(text) if text else row.empty
            except Missing:
                raise
            except ParameterError as error:
                mark_refused(line, True)
                raise ParameterError(f"{row.title}: {error}") from None
            mark_refused(line, False)
        return values


def _add(layout: QFormLayout, title: str, field: QWidget) -> None:
    """A row whose field begins where those of the other parts do."""
    add_row(layout, title, field)
    layout.labelForField(field).setMinimumWidth(TITLE_PX)


def _written(value: float | None) -> str:
    if value is None:
        return ""
    return short(value) if value >= 1e6 else f"{value:g}"
