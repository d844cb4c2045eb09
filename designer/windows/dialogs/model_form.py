"""A form of a model and what is done with it: known models to choose, their figures to change, the rest to fill in."""

from collections.abc import Sequence
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
from designer.simulation.transformer import Transformer

OWN = "own"
TITLE_PX = 120


class Missing(ParameterError):
    """A field that cannot be guessed is still empty."""


class ModelForm(FieldForm):
    """The fields of a model and of a request about it. Subclasses say which models are known."""

    def __init__(
        self,
        appearance: Appearance,
        models: Sequence[Transformer],
        request: type[Any],
        dimensions: set[str],
        folded: set[str],
    ) -> None:
        super().__init__()
        self._models, self._request, self._dimensions = models, request, dimensions
        self.preset = ChoiceField("Model", self.choose_preset)
        self.source = label("", "muted", wrap=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 12, 0)
        column.setSpacing(6)
        self.top = form()
        add_row(self.top, "Model", self.preset)
        align(self.top, self.preset)
        column.addLayout(self.top)
        for section, fields in self._sections().items():
            rows = self._section(fields)
            if section in folded:
                column.addWidget(Section(section, rows, appearance, is_open=False))
                continue
            if section:
                column.addWidget(label(section, "section"))
            column.addWidget(rows)
        column.addWidget(self.source)
        column.addStretch(1)
        self.choose_preset(models[0].name)

    @property
    def lines(self) -> dict[str, QLineEdit]:
        """The lines by the names of their fields."""
        return {name: editor for name, editor in self.editors.items() if isinstance(editor, QLineEdit)}

    def request(self) -> Any:
        """What the form asks for. Raises Missing for an empty field, ParameterError for one that cannot be read."""
        values, wrong = self.read()
        empty = [name for name in wrong if name in self.lines and not self.lines[name].text().strip()]
        self.mark({name for name in wrong if name not in empty})
        for name, reason in wrong.items():
            if name not in empty:
                raise ParameterError(reason)
        for name in empty:
            field = self.fields[name]
            raise Missing(f"Give {field.title}: {field.tip[0].lower()}{field.tip[1:]}")
        of = type(self._models[0])
        model = of(name=self.preset.value, **{name: values.pop(name) for name in fields_of(of)})
        preset = self.known
        if preset is not None:
            model = replace(model, source=preset.source)
        return self._request(model=model, **values)

    @property
    def known(self) -> Transformer | None:
        """The known model that is chosen; None for one of the user's own."""
        return next((one for one in self._models if one.name == self.preset.value), None)

    def choose_preset(self, name: str) -> None:
        """Fill in a known model; one's own keeps what stands there."""
        choices = [(model.name, model.name) for model in self._models] + [(OWN, "one of your own")]
        self.preset.show_choices(choices, name)
        preset = self.known
        if preset is not None:
            with QSignalBlocker(self):
                for field in fields_of(type(preset)).values():
                    self.show_value(field.name, getattr(preset, field.name))
        self.show_source()
        self.changed.emit()

    def show_source(self) -> None:
        """Say where the figures are from."""
        text = self.source_text()
        self.source.setText(text)
        self.source.setVisible(bool(text))

    def source_text(self) -> str:
        """Where the figures of the model are from; "" for one of the user's own."""
        preset = self.known
        return f"Model: {preset.source}." if preset is not None else ""

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
            align(rows, editor if not field.unit else editor.parentWidget() or editor)
            if isinstance(editor, QLineEdit):
                editor.textEdited.connect(lambda _text, name=field.name: self._typed(name))
        return body

    def _typed(self, name: str) -> None:
        """A typed dimension makes the model one's own: the preset's source no longer speaks for it."""
        if name in self._dimensions and self.preset.value != OWN:
            if name in ("layers", "hidden"):
                self.lines["parameters"].clear()  # those of the preset no longer fit
            self.choose_preset(OWN)

    def _sections(self) -> dict[str, list[Field]]:
        """The fields by the part of the form that they stand in, those without one first."""
        sections: dict[str, list[Field]] = {"": []}
        described: list[Any] = [*fields_of(type(self._models[0])).values(), *fields_of(self._request).values()]
        for field in sorted(described, key=lambda one: not one.first):
            if field.is_shown:
                sections.setdefault(field.section, []).append(field)
        return sections


def align(rows: QFormLayout, field: QWidget) -> None:
    """A row whose field begins where those of the other parts do."""
    rows.labelForField(field).setMinimumWidth(TITLE_PX)
