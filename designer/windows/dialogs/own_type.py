"""Making and changing a type of one's own: single figures in fields, parts as the catalog's files write them."""

import dataclasses
import types
import typing
from dataclasses import Field
from typing import Any

import yaml
from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFrame,
    QLineEdit,
    QPlainTextEdit,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from designer.catalog import data_files, own_types, yaml_text
from designer.errors import CatalogError, DesignerError, sentence
from designer.model import limits
from designer.model.hardware.types import HardwareType
from designer.panels.widgets.fields import add_row, form
from designer.panels.widgets.labels import label, mark_refused
from designer.paths import own_types_dir
from designer.windows.dialogs.questions import Questions

LABELS = {
    "id": "Id",
    "rack_units": "Height (U)",
    "capacity_tbps": "Capacity (Tb/s)",
    "latency_ns": "Latency (ns)",
    "power_typical_w": "Power, typical (W)",
    "power_max_w": "Power, at most (W)",
    "price_usd": "Price (USD)",
    "weight_kg": "Weight (kg)",
    "depth_mm": "Depth (mm)",
    "max_weight_kg": "Weight limit (kg)",
    "feeds_w": "Power feeds (W)",
    "gpus": "GPUs",
    "gpu_model": "GPU model",
    "rate_gbps": "Rate (Gb/s)",
    "link_gbps": "Rate of a link (Gb/s)",
    "max_length_m": "Reach (m)",
    "lengths_m": "Stock lengths (m)",
    "end_power_w": "Power per end (W)",
    "power_w": "Power budget (W)",
    "units": "Units",
    "fibres": "Fiber cables",
    "scale_up": "Scale-up domain",
    "kind": "Kind of cable",
}
NOT_SHOWN = ("sources", "unverified")
EXAMPLES = {
    "cages": "- {count: 64, form_factor: OSFP}",
    "modes": '- {name: 64x800G, ports_per_cage: 1, rate_gbps: 800, port_name: "{cage}"}',
    "slots": "- {name: rail1, gpu: 0, nic_type_id: connectx-7-ndr}",
    "feeds_w": "[17300, 17300]",
    "airflow": "front-to-rear",
    "scale_up": "{name: NVLink 4, gbytes_per_s_per_gpu: 450}",
}


class OwnTypeDialog(QDialog):
    """`saved` carries the id of the type once it is in the user's folder."""

    saved = Signal(str)

    def __init__(
        self, parent: QWidget, type_: HardwareType, taken: set[str], questions: Questions, *, copy: bool
    ) -> None:
        super().__init__(parent)
        self._questions = questions
        self._record = type(type_)
        self._was = "" if copy else type_.id
        self._taken = taken - {self._was}
        self.setWindowTitle(f"Copy of {type_.model}" if copy else type_.model)
        self.lines: dict[str, QLineEdit] = {}
        self.texts: dict[str, QPlainTextEdit] = {}
        fields = form()
        hints = typing.get_type_hints(self._record)
        for described in dataclasses.fields(self._record):
            if described.name not in NOT_SHOWN:
                self._add(fields, described, hints[described.name], getattr(type_, described.name))
        if copy:
            self.lines["id"].setText(_free_id(type_.id, taken))
            self.lines["model"].setText(f"{type_.model} (copy)")
        inside = QWidget()
        inside.setLayout(fields)
        place = QScrollArea()
        place.setFrameShape(QFrame.Shape.NoFrame)
        place.setWidgetResizable(True)
        place.setWidget(inside)
        self.refusal = label("", "error", wrap=True)
        self.refusal.hide()
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Save | QDialogButtonBox.StandardButton.Cancel)
        self.buttons.accepted.connect(self.save)
        self.buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 14)
        column.setSpacing(10)
        column.addWidget(label("A figure left empty is treated as not known.", "muted", wrap=True))
        column.addWidget(place, 1)
        column.addWidget(self.refusal)
        column.addWidget(self.buttons)
        self.resize(620, 700)
        self._at_first = self._typed()

    def _typed(self) -> tuple[str, ...]:
        """All that the fields hold."""
        return (*(one.text() for one in self.lines.values()), *(one.toPlainText() for one in self.texts.values()))

    def reject(self) -> None:
        """Close; what was typed is given up only where the user says so."""
        if self._typed() == self._at_first or self._questions.discards(self.lines["model"].text()):
            super().reject()

    def _add(self, layout: Any, described: "Field[Any]", hint: Any, value: Any) -> None:
        name = described.name
        title = LABELS.get(name, name.replace("_", " ").capitalize())
        if _is_plain(hint) and name != "notes":
            line = QLineEdit(_written(value))
            line.setAccessibleName(title)
            self.lines[name] = line
            add_row(layout, title, line)
            return
        text = QPlainTextEdit()
        text.setPlainText("\n".join(value) if name == "notes" else _as_yaml(value))
        text.setPlaceholderText(EXAMPLES.get(name, "one per line" if name == "notes" else ""))
        text.setAccessibleName(title)
        text.setTabChangesFocus(True)
        text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        rows = 2 + len(value) if isinstance(value, tuple) else 2
        text.setFixedHeight(min(9, max(3, rows)) * text.fontMetrics().lineSpacing() + 12)
        self.texts[name] = text
        add_row(layout, title, text)

    def type(self) -> HardwareType:
        """The type as the fields have it. Raises CatalogError naming the field."""
        hints = typing.get_type_hints(self._record)
        stated: dict[str, Any] = {}
        for name, line in self.lines.items():
            mark_refused(line, False)
            try:
                value = _read(hints[name], line.text().strip())
            except ValueError:
                mark_refused(line, True)
                raise CatalogError(f"{LABELS.get(name, name)}: {line.text()!r} is not a number") from None
            if value is not None:
                stated[name] = value
        for name, text in self.texts.items():
            if name == "notes":
                stated[name] = [line for line in text.toPlainText().splitlines() if line.strip()]
                continue
            value = yaml_text.parse(text.toPlainText(), LABELS.get(name, name)).value
            if value is not None:
                stated[name] = value
        made: HardwareType = data_files.checked_entry(stated, self._record, str(stated.get("id", "type")))
        for name, fault in limits.unlikely_figures(made):
            mark_refused(self.lines[name], True)
            raise CatalogError(fault)
        if made.id in self._taken:
            mark_refused(self.lines["id"], True)
            raise CatalogError(f"the catalog has a {made.id} already: choose another id")
        return made

    def save(self) -> None:
        """Save the type in the user's folder, under its new id alone where that changed; a refusal is shown."""
        try:
            made = self.type()
            own_types.save(made, own_types_dir())
            if self._was and self._was != made.id:
                own_types.delete(self._was, own_types_dir())
        except DesignerError as error:
            self.refusal.setText(sentence(str(error)))
            self.refusal.show()
            return
        self.accept()
        self.saved.emit(made.id)


def _is_plain(hint: Any) -> bool:
    """Whether a field is one figure or text, or a row of them on one line."""
    inner = [one for one in typing.get_args(hint) if one not in (types.NoneType, Ellipsis)]
    if isinstance(hint, types.UnionType):
        return all(_is_plain(one) for one in inner)
    if typing.get_origin(hint) is tuple:
        return inner in ([str], [float])
    return hint in (str, int, float)


def _written(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, tuple):
        return ", ".join(map(_written, value))
    return f"{value:.12g}" if isinstance(value, int | float) else str(value)


def _read(hint: Any, text: str) -> Any:
    """The value of a field's text; None where it is empty. Raises ValueError."""
    if not text:
        return None
    if isinstance(hint, types.UnionType):
        return _read(next(one for one in typing.get_args(hint) if one is not types.NoneType), text)
    if typing.get_origin(hint) is tuple:
        return [_read(typing.get_args(hint)[0], part.strip()) for part in text.split(",") if part.strip()]
    return hint(text.replace(",", "")) if hint in (int, float) else text


def _as_yaml(value: Any) -> str:
    if value is None or value == ():
        return ""
    if isinstance(value, tuple):
        return "\n".join(f"- {_flow(one)}" for one in value)
    return _flow(value)


def _flow(value: Any) -> str:
    """One line of YAML: a record without what it leaves at its default."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        stated = {
            field.name: getattr(value, field.name)
            for field in dataclasses.fields(value)
            if getattr(value, field.name) != field.default
        }
        text: str = yaml.safe_dump(stated, default_flow_style=True, sort_keys=False, width=10_000, allow_unicode=True)
        return text.strip()
    line: str = yaml.safe_dump(value, default_flow_style=True, width=10_000, allow_unicode=True).splitlines()[0]
    return line


def _free_id(type_id: str, taken: set[str]) -> str:
    number = 1
    while f"my-{type_id}" + (f"-{number}" if number > 1 else "") in taken:
        number += 1
    return f"my-{type_id}" + (f"-{number}" if number > 1 else "")
