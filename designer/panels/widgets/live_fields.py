"""Rows of fields that hand over each value once it is chosen or typed, and show in place why one is refused."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from PySide6.QtWidgets import QFormLayout

from designer.errors import ParameterError
from designer.fields import kinds
from designer.fields.field import Field
from designer.late import Late
from designer.model.shown_text import plain_text
from designer.panels.widgets.fields import ChoiceField, TextField, add_row

colour_field = Late("designer.panels.widgets.colour_field")

Change = Callable[..., str | None]
"""Takes the value under the field's name; returns the sentence of its refusal, or None."""


class LiveFields:
    """The fields of a record. A choice that is refused goes to `refused`, a text says so below its line."""

    def __init__(self, change: Change, refused: Callable[[str], None]) -> None:
        self._change = change
        self._refused = refused
        self._fields: dict[str, Field] = {}
        self._widgets: dict[str, ChoiceField | TextField] = {}

    def __getitem__(self, name: str) -> Any:
        """The widget of a field: a ChoiceField or a TextField."""
        return self._widgets[name]

    def add(self, field: Field, rows: QFormLayout) -> None:
        """Put a row for the field into a form."""
        widget: ChoiceField | TextField
        if field.kind in (kinds.CHOICE, kinds.NAME, kinds.FLAG):
            widget = ChoiceField(field.title, partial(self._choose, field))
        else:
            makes = colour_field.ColourField if field.kind is kinds.COLOUR else TextField
            widget = makes(field.title, partial(self._take, field), field.empty)
        self._fields[field.name], self._widgets[field.name] = field, widget
        add_row(rows, field.title, widget)

    def show(self, record: Any) -> None:
        """Show the values of a record; what is being typed is left alone."""
        for name, widget in self._widgets.items():
            field, value = self._fields[name], getattr(record, name)
            if isinstance(widget, TextField):
                widget.show_value(field.show(value))
                widget.line.setToolTip(plain_text(field.tip))
            else:
                offered = list(field.offered)
                word = field.word_of(value) if field.kind is kinds.FLAG else value
                widget.show_choices([(one.name, one.title) for one in offered], word)
                explained = next((one.explanation for one in offered if one.name == word), "")
                widget.setToolTip(plain_text(explained or field.tip))

    def take_back(self) -> None:
        """Show again what was shown before it was typed over."""
        for widget in self._texts():
            widget.take_back()

    def finish(self) -> bool:
        """Take what is being typed; False at the first text that is refused."""
        return all(widget.finish() for widget in self._texts())

    def _texts(self) -> Iterator[TextField]:
        return (widget for widget in self._widgets.values() if isinstance(widget, TextField))

    def _choose(self, field: Field, word: str) -> None:
        value = field.truth_of(word) if field.kind is kinds.FLAG else word
        refusal = self._change(**{field.name: value})
        if refusal is not None:
            self._refused(refusal)

    def _take(self, field: Field, text: str) -> str | None:
        try:
            return self._change(**{field.name: field.typed(text)})
        except ParameterError as error:
            return str(error)
