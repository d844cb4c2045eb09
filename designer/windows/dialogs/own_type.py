"""Making and changing a type of one's own: in fields and tables, or as a text in the words of the catalog's files."""

import dataclasses
import typing
from dataclasses import Field
from typing import Any

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QFrame,
    QLineEdit,
    QPlainTextEdit,
    QScrollArea,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from designer.catalog import data_files, own_types, yaml_text
from designer.errors import CatalogError, DesignerError, sentence
from designer.model import limits
from designer.model.hardware.types import HardwareType
from designer.panels.widgets.fields import add_row, form
from designer.panels.widgets.labels import label, mark_refused
from designer.panels.widgets.parts_table import PartsTable
from designer.panels.widgets.plain_values import flow, is_plain, parts_of, read, written
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
    "gpu": "GPU",
    "nic_type_id": "NIC",
    "card_type_id": "Line card",
    "network_nic_type_id": "NIC of the network",
    "max_module_w": "Power per module (W)",
    "port_name": "Port names",
    "form_factor": "Connector",
}
NOT_SHOWN = ("sources", "unverified")
FORM, YAML = 0, 1
TEXT_LINES = 4
"""Height of a field of several lines."""
EXAMPLES = {
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
        self.tables: dict[str, PartsTable] = {}
        self._unseen: dict[str, Any] = {}
        """Of NOT_SHOWN, what the text states."""
        fields = form()
        hints = typing.get_type_hints(self._record)
        for described in dataclasses.fields(self._record):
            if described.name not in NOT_SHOWN:
                self._add(fields, described, hints[described.name])
        self._fill(type_)
        if copy:
            self.lines["id"].setText(_free_id(type_.id, taken))
            self.lines["model"].setText(f"{type_.model} (copy)")
        fields.setContentsMargins(10, 10, 10, 10)
        inside = QWidget()
        inside.setLayout(fields)
        place = QScrollArea()
        place.setFrameShape(QFrame.Shape.NoFrame)
        place.setWidgetResizable(True)
        place.setWidget(inside)
        self.yaml = QPlainTextEdit()
        self.yaml.setAccessibleName("YAML")
        self.yaml.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self._yaml_at_first, self._was_text_edited = "", False
        self.tabs = QTabWidget()
        self.tabs.addTab(place, "Form")
        self.tabs.addTab(self.yaml, "YAML")
        self.tabs.currentChanged.connect(self._follow_tab)
        self.refusal = label("", "error", wrap=True)
        self.refusal.hide()
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Save | QDialogButtonBox.StandardButton.Cancel)
        self.buttons.accepted.connect(self.save)
        self.buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 14)
        column.setSpacing(10)
        column.addWidget(label("A figure left empty is treated as not known.", "muted", wrap=True))
        column.addWidget(self.tabs, 1)
        column.addWidget(self.refusal)
        column.addWidget(self.buttons)
        self.resize(620, 700)
        self._at_first = self._typed()

    def _typed(self) -> tuple[object, ...]:
        """All that the fields hold."""
        lines, texts = self.lines.values(), self.texts.values()
        tables = (one.cells() for one in self.tables.values())
        return (*(one.text() for one in lines), *(one.toPlainText() for one in texts), *tables)

    @property
    def is_changed(self) -> bool:
        """Whether anything differs from what was shown at first."""
        is_text_edited = self._was_text_edited or self.yaml.toPlainText() != self._yaml_at_first
        return is_text_edited or self._typed() != self._at_first

    def reject(self) -> None:
        """Close; what was typed is given up only where the user says so."""
        if not self.is_changed or self._questions.discards(self.lines["model"].text()):
            super().reject()

    def _add(self, layout: QFormLayout, described: "Field[Any]", hint: Any) -> None:
        name = described.name
        title = _title(name)
        widget: QLineEdit | PartsTable | QPlainTextEdit
        if is_plain(hint) and name != "notes":
            widget = self.lines[name] = QLineEdit()
        elif (record := parts_of(hint)) is not None:
            widget = self.tables[name] = PartsTable(record, title, _title)
        else:
            widget = self.texts[name] = QPlainTextEdit()
            widget.setPlaceholderText(EXAMPLES.get(name, "one per line" if name == "notes" else ""))
            widget.setTabChangesFocus(True)
            widget.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
            widget.setFixedHeight(TEXT_LINES * widget.fontMetrics().lineSpacing() + 12)
        widget.setAccessibleName(title)
        add_row(layout, title, widget)

    def _fill(self, type_: HardwareType) -> None:
        """Show a type in the form."""
        for name, line in self.lines.items():
            line.setText(written(getattr(type_, name)))
        for name, table in self.tables.items():
            table.show_parts(getattr(type_, name))
        for name, text in self.texts.items():
            value = getattr(type_, name)
            text.setPlainText("\n".join(value) if name == "notes" else _as_yaml(value))

    def _follow_tab(self, tab: int) -> None:
        """Show in one tab what the other states; where that cannot be read, stay there and say why."""
        try:
            if tab == YAML:
                self.yaml.setPlainText(own_types.text_of(self._of_form()))
                self._yaml_at_first = self.yaml.toPlainText()
            else:
                found = self._of_text()
                self._unseen = {name: list(held) for name in NOT_SHOWN if (held := getattr(found, name, ()))}
                self._fill(found)
                self._was_text_edited |= self.yaml.toPlainText() != self._yaml_at_first
                self._yaml_at_first = self.yaml.toPlainText()
        except CatalogError as error:
            self._refuse(error)
            with QSignalBlocker(self.tabs):
                self.tabs.setCurrentIndex(FORM if tab == YAML else YAML)
            return
        self.refusal.hide()

    def _of_text(self) -> HardwareType:
        """The type as the text has it. Raises CatalogError."""
        made = own_types.from_text(self.yaml.toPlainText(), "YAML")
        if not isinstance(made, self._record):
            raise CatalogError(f"YAML, field kind: it is not a {own_types.kind_of(made)}; copy one of these instead")
        return made

    def _of_form(self) -> HardwareType:
        """The type as the form has it. Raises CatalogError naming the field."""
        hints = typing.get_type_hints(self._record)
        stated: dict[str, Any] = dict(self._unseen)
        for name, line in self.lines.items():
            mark_refused(line, False)
            try:
                value = read(hints[name], line.text().strip())
            except ValueError:
                mark_refused(line, True)
                raise CatalogError(f"{_title(name)}: {line.text()!r} is not a number") from None
            if value is not None:
                stated[name] = value
        stated |= {name: table.parts() for name, table in self.tables.items()}
        for name, text in self.texts.items():
            if name == "notes":
                stated[name] = [line for line in text.toPlainText().splitlines() if line.strip()]
                continue
            value = yaml_text.parse(text.toPlainText(), _title(name)).value
            if value is not None:
                stated[name] = value
        made: HardwareType = data_files.checked_entry(stated, self._record, str(stated.get("id", "type")))
        return made

    def type(self) -> HardwareType:
        """The type as the tab in front has it. Raises CatalogError naming the field."""
        made = self._of_text() if self.tabs.currentIndex() == YAML else self._of_form()
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
            self._refuse(error)
            return
        self.accept()
        self.saved.emit(made.id)

    def _refuse(self, error: DesignerError) -> None:
        self.refusal.setText(sentence(str(error)))
        self.refusal.show()


def _title(name: str) -> str:
    """A field as the form calls it."""
    return LABELS.get(name, name.replace("_", " ").capitalize())


def _as_yaml(value: Any) -> str:
    if value is None or value == ():
        return ""
    if isinstance(value, tuple):
        return "\n".join(f"- {flow(one)}" for one in value)
    return flow(value)


def _free_id(type_id: str, taken: set[str]) -> str:
    number = 1
    while f"my-{type_id}" + (f"-{number}" if number > 1 else "") in taken:
        number += 1
    return f"my-{type_id}" + (f"-{number}" if number > 1 else "")
