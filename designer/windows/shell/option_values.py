"""What the fields of a construction say."""

from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from PySide6.QtWidgets import QCheckBox, QComboBox, QLineEdit, QWidget

from designer.errors import ParameterError
from designer.fields import kinds
from designer.fields.field import Field


class Asked(Protocol):
    """Of an option what reading it takes."""

    @property
    def name(self) -> str:
        """How the values are kept."""

    @property
    def text(self) -> str:
        """What it is called."""

    @property
    def kind(self) -> str:
        """A "count", "length", "name", "switch", "flag" or "choice"."""

    @property
    def hint(self) -> str:
        """What it is for."""

    @property
    def default(self) -> Any:
        """What an empty count stands for."""


def picked(options: Iterable[Asked], fields: Mapping[str, QWidget]) -> dict[str, Any]:
    """What is chosen or ticked among the fields that are shown: what a count may depend on."""
    seen = (one for one in options if one.kind in ("choice", "switch", "flag") and not fields[one.name].isHidden())
    return {one.name: read(one, fields[one.name]) for one in seen}


def read(option: Asked, held: QWidget) -> Any:
    """What a field says. Raises ParameterError for a count that cannot be read."""
    editor = held.findChild(QWidget, "editor")
    if isinstance(editor, QCheckBox):
        return editor.isChecked()
    if isinstance(editor, QComboBox):
        return editor.currentData()
    assert isinstance(editor, QLineEdit)
    if option.kind == "name":
        return editor.text()
    kind = kinds.LENGTH if option.kind == "length" else kinds.COUNT
    try:
        whole = Field(title=option.text, help=option.hint, kind=kind, default=option.default, noun="it")
        number = whole.read(editor.text())
        whole.require(number)
        return number
    except ParameterError as error:
        raise ParameterError(f"{option.text}: {error}") from None
