"""A form made from the fields of a parameter dataclass: each field says by its metadata how its text is read."""

from collections.abc import Callable
from dataclasses import Field, fields
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QFormLayout, QHBoxLayout, QLineEdit, QWidget

from designer import units
from designer.catalog.catalog import Catalog
from designer.errors import ParameterError
from designer.model.hardware import HardwareType
from designer.model.shown_text import plain_text
from designer.panels.inspector.facts import headline
from designer.panels.widgets.fields import Combo, add_row, form
from designer.panels.widgets.labels import label, mark_refused

MADE_TO_FIT = {
    "generic-host": "Host, made to fit its links",
    "generic-switch": "Switch, made to fit its links",
}
"""How the generic types are offered that a generator makes to measure: what is made has other figures."""


class ParameterForm(QWidget):
    """`values` reads the form; `changed` tells of every keystroke."""

    changed = Signal()

    def __init__(self, parameters: type[Any], catalog: Catalog) -> None:
        super().__init__()
        self._type = parameters
        self._catalog = catalog
        self._readers: dict[str, Callable[[], Any]] = {}
        self.editors: dict[str, QWidget] = {}
        self._layout: QFormLayout = form()
        self.setLayout(self._layout)
        # Those most often filled in come first, so that nobody has to scroll for them.
        for described in sorted(fields(parameters), key=lambda one: not one.metadata.get("first", False)):
            self._add(described)

    def parameters(self) -> Any:
        """The parameter record. Raises ParameterError with what is wrong, all wrong fields being marked."""
        values, wrong = {}, dict[str, str]()
        for name, read in self._readers.items():
            try:
                values[name] = read()
            except ParameterError as error:
                wrong[name] = f"{_label(self._type, name)}: {error}"
        made, refused = _made(self._type, values)
        for name, editor in self.editors.items():
            if isinstance(editor, QLineEdit):
                mark_refused(editor, name in wrong or name in refused)
        said = [*wrong.values(), *dict.fromkeys(refused.values())]
        if said:
            raise ParameterError("; ".join(said))
        return made

    def show_parameters(self, parameters: Any) -> None:
        """Fill in all fields as a record has them."""
        for described in fields(self._type):
            value, editor = getattr(parameters, described.name), self.editors[described.name]
            if isinstance(editor, QCheckBox):
                editor.setChecked(bool(value))
            elif isinstance(editor, QComboBox):
                if editor.findData(value) < 0:
                    editor.addItem(str(value), value)
                editor.setCurrentIndex(editor.findData(value))
            elif isinstance(editor, QLineEdit):
                editor.setText(_written(described.metadata["kind"], value))

    def set_text(self, name: str, text: str) -> None:
        """Fill in one field as if it were typed."""
        editor = self.editors[name]
        if isinstance(editor, QLineEdit):
            editor.setText(text)
        elif isinstance(editor, QComboBox):
            editor.setCurrentIndex(editor.findData(text))

    def _add(self, described: "Field[Any]") -> None:
        meta = described.metadata
        default: Any = described.default
        kind = meta["kind"]
        if kind in ("switch", "server", "nic-mode", "choice"):
            editor, read = self._choice(kind, meta["choices"], default)
        elif kind == "flag":
            editor, read = self._flag(default)
        else:
            editor, read = self._text(kind, default)
        editor.setToolTip(plain_text(meta["help"]))
        editor.setAccessibleName(meta["label"])
        self.editors[described.name] = editor
        self._readers[described.name] = read
        add_row(self._layout, meta["label"], _with_unit(editor, meta["unit"]))

    def _choice(self, kind: str, choices: tuple[str, ...], default: str) -> tuple[QWidget, Callable[[], Any]]:
        combo = Combo()
        if kind == "choice":
            offered = [(choice, choice) for choice in choices]
        elif kind == "nic-mode":
            names = dict.fromkeys(mode.name for nic in self._catalog.nics() for mode in nic.modes)
            offered = [("", "automatic"), *((name, name) for name in names)]
        else:
            types = self._catalog.switches() if kind == "switch" else self._catalog.servers()
            offered = [("", choices[0] if choices else "the same")] if default == "" else []
            offered += [
                (type_.id, choices[0] if choices and type_.id == default else _offered(type_)) for type_ in types
            ]
        for value, text in offered:
            combo.addItem(text, value)
        combo.setCurrentIndex(max(0, combo.findData(default)))
        combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        combo.setMinimumContentsLength(18)
        combo.currentIndexChanged.connect(lambda _index: self.changed.emit())
        return combo, combo.currentData

    def _flag(self, default: bool) -> tuple[QWidget, Callable[[], Any]]:
        box = QCheckBox()
        box.setChecked(default)
        box.toggled.connect(lambda _on: self.changed.emit())
        return box, box.isChecked

    def _text(self, kind: str, default: Any) -> tuple[QWidget, Callable[[], Any]]:
        line = QLineEdit(_written(kind, default))
        line.setPlaceholderText("automatic" if default is None else "")
        line.textChanged.connect(lambda _text: self.changed.emit())
        return line, lambda: read_value(kind, line.text(), optional=default is None)


def _offered(type_: HardwareType) -> str:
    """A type as the lists of the form name it; one that is made to fit the links has no rate of its own yet."""
    made = MADE_TO_FIT.get(type_.id)
    return made or f"{type_.model}  ·  {headline(type_)}"


def _made(type_: type[Any], values: dict[str, Any]) -> tuple[Any, dict[str, str]]:
    """The record of these values, the others being default; and which of them it refuses, with the reasons.

    A field is refused where the record complains of something else, or of nothing, without its value.
    """
    values, refused = dict(values), dict[str, str]()
    while True:
        try:
            return type_(**values), refused
        except ParameterError as error:
            reason = str(error)
        blamed = next((name for name in values if _reason_without(type_, values, name) != reason), None)
        if blamed is None:
            return None, refused | {"": reason}
        refused[blamed] = reason
        del values[blamed]


def _reason_without(type_: type[Any], values: dict[str, Any], name: str) -> str:
    try:
        type_(**{other: value for other, value in values.items() if other != name})
    except ParameterError as error:
        return str(error)
    return ""


def read_value(kind: str, text: str, *, optional: bool) -> Any:
    """The value a field's text stands for; None for an empty optional field. Raises ParameterError."""
    text = text.strip()
    if kind == "text":
        return text
    if not text:
        if optional:
            return None
        raise ParameterError("enter a value")
    if kind == "count":
        return _whole(text)
    if kind == "ratio":
        return units.parse_ratio(text)
    if kind == "rate":
        return units.parse_rate(text)
    between = "x" if kind == "dims" else ","
    return tuple(_whole(part.strip()) for part in text.lower().replace("\u00d7", "x").split(between))


def _whole(text: str) -> int:
    return units.parse_whole(text.replace(" ", "") if "," in text else text)


def _written(kind: str, default: Any) -> str:
    if default is None:
        return ""
    if kind == "counts":
        return ", ".join(map(str, default))
    if kind == "dims":
        return " x ".join(map(str, default))
    if kind == "rate":
        return units.format_rate(default)
    return f"{default:g}" if isinstance(default, float) else str(default)


def _with_unit(editor: QWidget, unit: str) -> QWidget:
    if not unit:
        return editor
    row = QWidget()
    line = QHBoxLayout(row)
    line.setContentsMargins(0, 0, 0, 0)
    line.setSpacing(6)
    line.addWidget(editor, 1)
    line.addWidget(label(unit, "muted"))
    row.setFocusProxy(editor)
    return row


def _label(parameters: type[Any], name: str) -> str:
    return next(str(f.metadata["label"]) for f in fields(parameters) if f.name == name)
