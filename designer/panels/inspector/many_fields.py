"""Fields of all that is selected: each shows the common value or *Mixed*, and sets all in one step to undo."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from designer.errors import ParameterError, sentence
from designer.fields import kinds
from designer.late import Late
from designer.model.cage_runs import parse_cages
from designer.model.design import Design
from designer.model.edit import Edit
from designer.model.entities import Device, Link, Module, Rack
from designer.model.hardware.servers import ServerType
from designer.model.hardware.switches import SwitchType
from designer.model.shown_text import plain_text
from designer.model.tagging import Common
from designer.panels.inspector.own_fields import MIXED as MIXED_WORD
from designer.panels.inspector.own_fields import OwnFields, align_names, edit_all
from designer.panels.inspector.type_sections import type_sections
from designer.panels.widgets.fields import ChoiceField, TextField, add_row, form
from designer.panels.widgets.labels import label
from designer.panels.widgets.search_field import SearchField
from designer.placement import many
from designer.placement.many import MIXED, CommonField, Gathered, Section
from designer.session.session import Session
from designer.units import format_counted

colour_field = Late("designer.panels.widgets.colour_field")

NOUNS = {Device: "device", Link: "link", Rack: "rack", Module: "NIC"}
SLOW_TIMES = 20
"""As many plain edits as one that moves links takes."""
NONE_WORD = "none"
TYPE, PORT_MODE = (Device, "type"), (Device, "port_mode")
"""The field whose choices are listed by vendor, and the one that some cages of switches can be set for."""
ALL_CAGES = "all cages"
CAGES_WIDTH = 92
BY_LINKS = "The NICs that are linked here say it."
_MIXED_CHOICE = "\0mixed"


class ManyFields(QWidget):
    """Sections of fields, one for each kind of thing, and below them tags and fields of the user's own.

    A page of a single thing leaves out the fields, by name, that it has itself, and tags and own fields.
    """

    entered = Signal()

    def __init__(self, session: Session, without: Collection[str] = (), *, has_own: bool = True) -> None:
        super().__init__()
        self._session, self._without, self._has_own = session, frozenset(without), has_own
        self._shown = Gathered((), (), Common())
        self.widgets: dict[tuple[type, str], ChoiceField | TextField] = {}
        self.cages: TextField | None = None
        """For some cages, next to the port mode; None where no port mode is shown."""
        self._named_cages = ""
        self.refusal = label("", "error", wrap=True)
        self.refusal.hide()
        self._rows = QWidget()
        self.own = OwnFields(session)
        self.own.entered.connect(self.entered)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(8)
        for widget in (self.refusal, self._rows, self.own):
            self._column.addWidget(widget)

    def show_gathered(self, found: Gathered) -> None:
        """Show what a selection has in common; what is being typed is left alone."""
        if self._without:
            found = replace(found, sections=tuple(map(self._left, found.sections)))
        before, self._shown = self._shown, found
        if [(kind, ids) for kind, ids, _ in before.sections] != [(kind, ids) for kind, ids, _ in found.sections]:
            self._refuse(None)
            self._named_cages = ""
        if _layout_of(before) != _layout_of(found):
            self._lay_out(found)
        for kind, ids, fields in found.sections:
            for field in fields:
                is_mode = (kind, field.field.name) == PORT_MODE
                self._show(self.widgets[kind, field.field.name], self._of_cages(ids, field) if is_mode else field)
        self.own.setVisible(self._has_own and bool(found.tagged))
        if self._has_own and found.tagged:
            self.own.show_things(found.tagged, found.common)

    def _left(self, section: Section) -> Section:
        kind, ids, fields = section
        return kind, ids, tuple(one for one in fields if one.field.name not in self._without)

    def _lay_out(self, found: Gathered) -> None:
        """Other rows in place of those there are."""
        self._rows.hide()
        self._column.removeWidget(self._rows)
        self._rows.deleteLater()
        self._rows, self.widgets, self.cages = QWidget(), {}, None
        column = QVBoxLayout(self._rows)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        for kind, ids, fields in found.sections:
            if len(found.sections) > 1:
                column.addWidget(label(format_counted(len(ids), NOUNS[kind]), "section"))
            rows = form()
            for field in fields:
                widget = self._widget(kind, field)
                self.widgets[kind, field.field.name] = widget
                is_mode = (kind, field.field.name) == PORT_MODE
                add_row(rows, field.field.title, self._with_cages(widget) if is_mode else widget)
            align_names(rows)
            column.addLayout(rows)
        self._column.insertWidget(1, self._rows)

    def _widget(self, kind: type, field: CommonField) -> ChoiceField | TextField:
        if field.choices is not None:
            choose = partial(self._choose, kind, field.field.name)
            if (kind, field.field.name) != TYPE:
                return ChoiceField(field.field.title, choose)
            types = SearchField(field.field.title, choose)
            types.refused.connect(self._session.message)
            types.entered.connect(self.entered)
            return types
        makes = colour_field.ColourField if field.field.kind is kinds.COLOUR else TextField
        widget: TextField = makes(field.field.title, partial(self._take, kind, field.field.name), field.field.empty)
        widget.entered.connect(self.entered)
        return widget

    def _with_cages(self, widget: QWidget) -> QWidget:
        """The choice of a port mode next to the cages that it is for."""
        self.cages = cages_text(self._name_cages)
        self.cages.entered.connect(self.entered)
        return in_one_row(widget, self.cages, CAGES_WIDTH)

    def _of_cages(self, ids: Sequence[str], field: CommonField) -> CommonField:
        """The port mode of the cages that are named; of the whole switches where none are, or where some lack them."""
        if self._named_cages:
            try:
                field = many.cages_field(self._session.design, ids, field, self._named_cages)
            except ParameterError:
                self._named_cages = ""
        if self.cages is not None:
            self.cages.show_value(self._named_cages)
        return field

    def _name_cages(self, text: str) -> str | None:
        design, (ids, _) = self._session.design, self._section(Device)
        try:
            parse_cages(text, many.least_cages(design, ids))
        except ParameterError as error:
            return sentence(str(error))
        self._named_cages = text
        self.show_gathered(self._shown)
        return None

    def _show(self, widget: ChoiceField | TextField, field: CommonField) -> None:
        is_mixed = field.value is MIXED
        if isinstance(widget, ChoiceField):
            mixed = [(_MIXED_CHOICE, MIXED_WORD)] if is_mixed else []
            value = _MIXED_CHOICE if is_mixed else str(field.value)
            if isinstance(widget, SearchField):
                widget.show_sections(type_sections(self._session.catalog, self._held(field)), value, mixed)
            else:
                widget.show_choices([*mixed, *(field.choices or ())], value)
            return
        widget.show_value("" if is_mixed else field.found or field.field.show(field.value))
        widget.line.setReadOnly(bool(field.found))
        clears = f"{MIXED_WORD}; {NONE_WORD} clears all"
        widget.line.setPlaceholderText(clears if is_mixed else field.field.empty)
        widget.line.setToolTip(plain_text(BY_LINKS if field.found else field.field.tip))

    def _held(self, field: CommonField) -> list[SwitchType | ServerType]:
        """The types of the design that a field of types offers."""
        known = (self._session.design.types.get(one) for one, _ in field.choices or ())
        return [one for one in known if isinstance(one, SwitchType | ServerType)]

    # -- editing --------------------------------------------------------------------------------------------------

    def _choose(self, kind: type, name: str, value: str) -> None:
        if value != _MIXED_CHOICE:
            self._refuse(self._set(kind, name, value))
        self.show_gathered(self._shown)  # a choice that was refused is not the value

    def _take(self, kind: type, name: str, text: str) -> str | None:
        field = self._field(kind, name)
        is_cleared = field.value is MIXED and text.lower() == NONE_WORD
        try:
            value = field.field.default if is_cleared else field.field.typed(text)
        except ParameterError as error:
            return str(error)
        return self._set(kind, name, value)

    def _field(self, kind: type, name: str) -> CommonField:
        return next(field for field in self._section(kind)[1] if field.field.name == name)

    def _section(self, kind: type) -> tuple[tuple[str, ...], tuple[CommonField, ...]]:
        """The things of a kind that are shown, and their fields."""
        return next((ids, fields) for one, ids, fields in self._shown.sections if one is kind)

    def _set(self, kind: type, name: str, value: Any) -> str | None:
        (ids, _), types = self._section(kind), self._session.catalog.types
        cages = self.cages.line.text().strip() if self.cages is not None else ""  # refused ones are not all cages
        times = SLOW_TIMES if (kind, name) in many.SLOW else 1

        def made(design: Design) -> Edit:
            if cages and (kind, name) == PORT_MODE:
                return many.set_cages(design, ids, cages, value)
            return many.set_common(design, ids, kind, name, value, types)

        return edit_all(self._session, ids, made, times=times)

    def _refuse(self, refusal: str | None) -> None:
        self.refusal.refuse(refusal or "")


def cages_text(commit: Callable[[str], str | None]) -> TextField:
    """The field for the cages that a port mode is shown and set for."""
    field = TextField("Cages that the port mode is set for", commit, ALL_CAGES)
    field.setToolTip("Type cages such as 49-64 or 1-4, 9, then choose their mode; leave empty for all")
    return field


def in_one_row(choice: QWidget, text: TextField, width: int) -> QWidget:
    """A choice with a short text next to it."""
    row = QWidget()
    line = QHBoxLayout(row)
    line.setContentsMargins(0, 0, 0, 0)
    line.setSpacing(6)
    text.setMaximumWidth(width)
    line.addWidget(choice, 1)
    line.addWidget(text, 0, Qt.AlignmentFlag.AlignTop)
    return row


def _layout_of(found: Gathered) -> list[tuple[object, ...]]:
    """What the rows are; their values aside. With several sections also how many things each is about."""
    several = len(found.sections) > 1
    return [
        (kind, len(ids) if several else 0, *((field.field.name, field.choices is None) for field in fields))
        for kind, ids, fields in found.sections
    ]
