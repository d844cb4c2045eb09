"""Forms made of fields: each says by its description how its text is read, and what it is called."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QTabWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from designer.catalog.catalog import Catalog
from designer.catalog.headline import headline
from designer.errors import ParameterError
from designer.fields import kinds
from designer.fields.field import Field, fields_of
from designer.model.hardware.types import HardwareType
from designer.model.shown_text import in_menu, plain_text
from designer.panels.widgets import file_dialog
from designer.panels.widgets.fields import Combo, add_row, form, least_width
from designer.panels.widgets.labels import label, mark_refused
from designer.panels.widgets.tick_list import TickList

MADE_TO_FIT = {
    "generic-host": "Host, made to fit its links",
    "generic-switch": "Switch, made to fit its links",
}
"""How the generic types are offered that a generator makes to measure: what is made has other figures."""
MOST_TICKS = 12
"""More choices stand in a list, where they can be put in order."""
AUTOMATIC = "auto"
"""What an empty field stands for where it does not say."""


@dataclass(frozen=True, slots=True)
class Editor:
    """The widget of a field. `read` raises ParameterError for what cannot be read; `show` fills it in."""

    widget: QWidget
    read: Callable[[], Any]
    show: Callable[[Any], None]
    disable: Callable[[Mapping[str, str]], None] = lambda _reasons: None
    """Take choices away, each for a reason; those that are not named are there again."""


def editor_of(field: Field, catalog: Catalog | None, changed: Callable[[], None]) -> Editor:
    """A check box, a list or a line for the field, with its default; `changed` hears of every keystroke.

    The catalog offers the types of fields that take one.
    """
    if field.kind is kinds.FLAG:
        editor = _flag(field, changed)
    elif field.kind in (kinds.CHOICE, kinds.NAME, kinds.SWITCH, kinds.SERVER, kinds.NIC, kinds.NIC_MODE):
        editor = _choice(field, _offered(field, catalog), changed)
    elif field.kind is kinds.NAMES and field.choices:
        editor = _ticks(field, changed) if len(tuple(field.offered)) <= MOST_TICKS else _tick_list(field, changed)
    elif field.kind is kinds.TEXT and field.choices:
        editor = _suggestions(field, changed)
    elif field.kind in (kinds.FILE, kinds.FILES):
        editor = _file(field, changed)
    else:
        editor = _line(field, changed)
    editor.widget.setToolTip(plain_text(field.tip))
    editor.widget.setAccessibleName(field.title)
    return editor


def _flag(field: Field, changed: Callable[[], None]) -> Editor:
    box = QCheckBox()
    box.setChecked(field.default)
    box.toggled.connect(lambda _on: changed())
    return Editor(box, box.isChecked, lambda value: box.setChecked(bool(value)))


def _choice(field: Field, offered: list[tuple[str, str]], changed: Callable[[], None]) -> Editor:
    combo = Combo()
    for value, text in offered:
        combo.addItem(text, value)
    combo.setCurrentIndex(max(0, combo.findData(field.default)))
    combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    combo.setMinimumContentsLength(18)
    combo.currentIndexChanged.connect(lambda _index: changed())

    def show(value: Any) -> None:
        if combo.findData(value) < 0:
            combo.addItem(str(value), value)
        combo.setCurrentIndex(combo.findData(value))

    return Editor(combo, combo.currentData, show)


def _ticks(field: Field, changed: Callable[[], None]) -> Editor:
    """A tick for each choice; a field that is empty has all of them, or none where that is what empty means there."""
    titles = {choice.name: choice.title for choice in field.offered}
    boxes = {name: QCheckBox(in_menu(title)) for name, title in titles.items()}
    place = QWidget()
    column = QVBoxLayout(place)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(2)
    for box in boxes.values():
        column.addWidget(box)
        box.toggled.connect(lambda _on: changed())
    place.setFocusProxy(next(iter(boxes.values())))

    away: set[str] = set()
    wanted: dict[str, bool] = {}
    """What was ticked of those that are away, and may come back."""

    def read() -> tuple[str, ...]:
        ticked = tuple(name for name, box in boxes.items() if box.isChecked())
        return () if len(ticked) == len(boxes) - len(away) and not field.is_none_empty else ticked

    def show(value: Any) -> None:
        is_all = not value and not field.is_none_empty
        wanted.update({name: is_all or name in value for name in boxes})
        for name, box in boxes.items():
            box.setChecked(wanted[name] and name not in away)

    def disable(reasons: Mapping[str, str]) -> None:
        changed_ones = away ^ reasons.keys()
        away.clear()
        away.update(reasons)
        for name in changed_ones:
            box, title = boxes[name], in_menu(titles[name])
            box.setText(f"{title} ({reasons[name]})" if name in away else title)
            box.setEnabled(name not in away)
            wanted[name] = box.isChecked() if name in away else wanted[name]
            box.setChecked(wanted[name] and name not in away)

    show(field.default)
    return Editor(place, read, show, disable)


def _tick_list(field: Field, changed: Callable[[], None]) -> Editor:
    ticks = TickList(field, changed)
    return Editor(ticks, lambda: ticks.names, ticks.show_names)


def _suggestions(field: Field, changed: Callable[[], None]) -> Editor:
    """A line that any text can be typed into, with the choices to take one from."""
    combo = Combo()
    combo.setEditable(True)
    combo.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
    combo.addItems(["", *(choice.name for choice in field.offered)])
    combo.setCurrentText(field.show(field.default))
    line = combo.lineEdit()
    assert line is not None, "it is editable"
    line.setPlaceholderText(field.empty)
    combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    combo.setMinimumContentsLength(12)
    combo.currentTextChanged.connect(lambda _text: changed())
    return Editor(combo, lambda: field.read(combo.currentText()), lambda value: combo.setCurrentText(field.show(value)))


def _line(field: Field, changed: Callable[[], None]) -> Editor:
    line = QLineEdit("" if field.default is ... else field.show(field.default))
    empty = field.empty or (AUTOMATIC if field.is_optional else "")
    line.setPlaceholderText(f"{empty}, or such as {field.example}" if field.example else empty)
    line.setMinimumWidth(least_width(line))
    line.textChanged.connect(lambda _text: changed())
    return Editor(line, lambda: field.read(line.text()), lambda value: line.setText(field.show(value)))


def _file(field: Field, changed: Callable[[], None]) -> Editor:
    """A line for the path, and a button that asks for a file, or for several."""
    editor = _line(field, changed)
    line = editor.widget
    assert isinstance(line, QLineEdit)
    place, browse = QWidget(), QToolButton()
    browse.setText("…")
    browse.setAccessibleName(f"Choose {field.title.lower()}")
    row = QHBoxLayout(place)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(4)
    row.addWidget(line, 1)
    row.addWidget(browse)
    line.setAccessibleName(field.title)
    place.setFocusProxy(line)

    def choose() -> None:
        several = field.kind is kinds.FILES
        first = line.text().partition(";")[0].strip() if several else line.text()
        chosen = file_dialog.opened_files(place, field.title, first, several=several)
        if chosen:
            line.setText("; ".join(chosen))

    browse.clicked.connect(choose)
    return Editor(place, editor.read, editor.show)


def _offered(field: Field, catalog: Catalog | None) -> list[tuple[str, str]]:
    """The values that a field can be chosen from, each with its text."""
    if field.kind in (kinds.CHOICE, kinds.NAME):
        return [(choice.name, choice.title) for choice in field.offered]
    assert catalog is not None, f"{field.name} is chosen from a catalog"
    if field.kind is kinds.NIC_MODE:
        names = dict.fromkeys(mode.name for nic in catalog.nics() for mode in nic.modes)
        return [("", AUTOMATIC), *((name, name) for name in names)]
    types: Sequence[HardwareType] = (
        catalog.nics()
        if field.kind is kinds.NIC
        else catalog.switches()
        if field.kind is kinds.SWITCH
        else catalog.servers()
    )
    offered = [(one.id, field.empty if field.empty and one.id == field.default else _named(one)) for one in types]
    return [("", field.empty or "the same"), *offered] if field.default == "" else offered


def _named(type_: HardwareType) -> str:
    """A type as the lists of the form name it; one that is made to fit the links has no rate of its own yet."""
    made = MADE_TO_FIT.get(type_.id)
    return made or f"{type_.model}  ·  {headline(type_)}"


class FieldForm(QWidget):
    """Fields in rows. `changed` tells of every keystroke."""

    changed = Signal()

    def __init__(self, catalog: Catalog | None = None) -> None:
        super().__init__()
        self._catalog = catalog
        self.fields: dict[str, Field] = {}
        self._made: dict[str, Editor] = {}

    @property
    def editors(self) -> dict[str, QWidget]:
        """The widgets of the fields by name."""
        return {name: editor.widget for name, editor in self._made.items()}

    def add(self, field: Field, rows: QFormLayout) -> QWidget:
        """Put a row for the field into a layout; its widget."""
        editor = editor_of(field, self._catalog, self._take)
        self.fields[field.name], self._made[field.name] = field, editor
        add_row(rows, field.title, _with_unit(editor.widget, field.unit))
        return editor.widget

    def _take(self) -> None:
        self.offer()
        self.changed.emit()

    def offer(self) -> None:
        """Take away the choices that mean nothing while another field is empty, and say which one that is."""
        for name, field in self.fields.items():
            lacking = [(choice, other) for choice, other in field.needs if other in self._made]
            if lacking:
                empty = {other for _, other in lacking if not self._read_one(other)}
                reasons = {one: f"fill in {self.fields[other].title}" for one, other in lacking if other in empty}
                self._made[name].disable(reasons)

    def _read_one(self, name: str) -> Any:
        try:
            return self._made[name].read()
        except ParameterError:
            return name  # there is something, whatever it is

    def show_values(self, record: Any) -> None:
        """Fill in all fields as a record has them."""
        for name, editor in self._made.items():
            editor.show(getattr(record, name))

    def show_value(self, name: str, value: Any) -> None:
        """Fill in one field with a value."""
        self._made[name].show(value)

    def set_text(self, name: str, text: str) -> None:
        """Fill in one field as if it were typed."""
        editor = self._made[name].widget
        if isinstance(editor, QLineEdit):
            editor.setText(text)
        elif isinstance(editor, QComboBox):
            editor.setCurrentIndex(editor.findData(text))

    def read(self) -> tuple[dict[str, Any], dict[str, str]]:
        """The values that can be read, and by field why the others cannot."""
        values, wrong = {}, dict[str, str]()
        for name, editor in self._made.items():
            try:
                values[name] = editor.read()
            except ParameterError as error:
                wrong[name] = f"{self.fields[name].title}: {error}"
        return values, wrong

    def mark(self, refused: set[str]) -> None:
        """Show which of the lines are refused."""
        for name, editor in self.editors.items():
            if isinstance(editor, QLineEdit):
                mark_refused(editor, name in refused)


class ParameterForm(FieldForm):
    """All fields of a record that forms show, in its sections, those that are filled in most often first.

    With `in_tabs` each section is a tab.
    """

    def __init__(self, parameters: type[Any], catalog: Catalog, *, in_tabs: bool = False) -> None:
        super().__init__(catalog)
        self._type = parameters
        fields = sorted((one for one in fields_of(parameters).values() if one.is_shown), key=lambda one: not one.first)
        sections = {one.section: [field for field in fields if field.section == one.section] for one in fields}
        if in_tabs:
            self._lay_out_tabs(sections)
        else:
            self._lay_out(sections)
        self.offer()

    def _lay_out(self, sections: Mapping[str, Sequence[Field]]) -> None:
        rows = form()
        self.setLayout(rows)
        for section, fields in sections.items():
            if section:
                rows.addRow(label(section, "section"))
            for field in fields:
                self.add(field, rows)

    def _lay_out_tabs(self, sections: Mapping[str, Sequence[Field]]) -> None:
        tabs = QTabWidget()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(tabs)
        for section, fields in sections.items():
            page, rows = QWidget(), form()
            page.setLayout(rows)
            rows.setContentsMargins(12, 12, 12, 12)
            for field in fields:
                self.add(field, rows)
            tabs.addTab(page, section)

    def parameters(self) -> Any:
        """The record. Raises ParameterError with what is wrong, all wrong fields being marked."""
        values, wrong = self.read()
        made, refused = _record(self._type, values)
        self.mark({*wrong, *refused})
        stated = [*wrong.values(), *dict.fromkeys(refused.values())]
        if stated:
            raise ParameterError("; ".join(stated))
        return made


def _record(type_: type[Any], values: dict[str, Any]) -> tuple[Any, dict[str, str]]:
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
