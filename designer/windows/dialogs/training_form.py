"""The form of a training step: a model, how it is laid over the GPUs, and what is assumed of them."""

from dataclasses import replace
from typing import Any

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QFormLayout, QLineEdit, QVBoxLayout, QWidget

from designer.errors import ParameterError
from designer.fields.field import Field, fields_of
from designer.panels.widgets.appearance import Appearance
from designer.panels.widgets.field_form import FieldForm
from designer.panels.widgets.fields import ChoiceField, add_row, form
from designer.panels.widgets.labels import label
from designer.panels.widgets.sections import Section
from designer.simulation.training.request import EXPERTS, PRESETS, Model, Training

OWN = "own"
TITLE_PX = 120
DIMENSIONS = {"parameters", "layers", "hidden", "sequence", "vocabulary", "experts"}
"""What makes a model another one."""


class Missing(ParameterError):
    """A field that cannot be guessed is still empty."""


class TrainingForm(FieldForm):
    """`training` reads the form."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self.preset = ChoiceField("Model", self.choose_preset)
        self.source = label("", "muted", wrap=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 12, 0)
        column.setSpacing(6)
        top = form()
        add_row(top, "Model", self.preset)
        _align(top, self.preset)
        column.addLayout(top)
        for section, fields in _sections().items():
            rows = self._section(fields)
            if section == EXPERTS:
                column.addWidget(Section(section, rows, appearance, is_open=False))
                continue
            if section:
                column.addWidget(label(section, "section"))
            column.addWidget(rows)
        column.addWidget(self.source)
        column.addStretch(1)
        self.choose_preset(PRESETS[0].name)

    @property
    def lines(self) -> dict[str, QLineEdit]:
        """The lines by the names of their fields."""
        return {name: editor for name, editor in self.editors.items() if isinstance(editor, QLineEdit)}

    def training(self) -> Training:
        """What the form asks for. Raises Missing for an empty field, ParameterError for one that cannot be read."""
        values, wrong = self.read()
        empty = [name for name in wrong if not self.lines[name].text().strip()]
        self.mark({name for name in wrong if name not in empty})
        for name, reason in wrong.items():
            if name not in empty:
                raise ParameterError(reason)
        for name in empty:
            field = self.fields[name]
            raise Missing(f"Give {field.title}: {field.tip[0].lower()}{field.tip[1:]}")
        model = Model(name=self.preset.value, **{name: values.pop(name) for name in fields_of(Model)})
        preset = next((one for one in PRESETS if one.name == model.name), None)
        if preset is not None:
            model = replace(model, source=preset.source)
        return Training(model=model, **values)

    def choose_preset(self, name: str) -> None:
        """Fill in a known model; one's own keeps what stands there."""
        choices = [(model.name, model.name) for model in PRESETS] + [(OWN, "one of your own")]
        self.preset.show_choices(choices, name)
        preset = next((one for one in PRESETS if one.name == name), None)
        self.source.setText(f"Model: {preset.source}." if preset is not None else "")
        self.source.setVisible(preset is not None)
        if preset is not None:
            with QSignalBlocker(self):
                for field in fields_of(Model).values():
                    self.show_value(field.name, getattr(preset, field.name))
        self.changed.emit()

    def set_text(self, name: str, text: str) -> None:
        """Fill in one field as if it were typed."""
        super().set_text(name, text)
        self._typed(name)

    def _section(self, fields: list[Field]) -> QWidget:
        body = QWidget()
        rows = form()
        body.setLayout(rows)
        for field in fields:
            editor = self.add(field, rows)
            _align(rows, editor)
            if isinstance(editor, QLineEdit):
                editor.textEdited.connect(lambda _text, name=field.name: self._typed(name))
        return body

    def _typed(self, name: str) -> None:
        """A typed dimension makes the model one's own: the preset's source no longer speaks for it."""
        if name in DIMENSIONS and self.preset.value != OWN:
            if name in ("layers", "hidden"):
                self.lines["parameters"].clear()  # those of the preset no longer fit
            self.choose_preset(OWN)


def _sections() -> dict[str, list[Field]]:
    """The fields by the part of the form that they stand in, those of the peak first."""
    sections: dict[str, list[Field]] = {"": []}
    described: list[Any] = [*fields_of(Model).values(), *fields_of(Training).values()]
    for field in sorted(described, key=lambda one: not one.first):
        if field.is_shown:
            sections.setdefault(field.section, []).append(field)
    return sections


def _align(rows: QFormLayout, field: QWidget) -> None:
    """A row whose field begins where those of the other parts do."""
    rows.labelForField(field).setMinimumWidth(TITLE_PX)
