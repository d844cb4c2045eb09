"""Inspector page of annotations: what they say, and how they look."""

from collections.abc import Iterable
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from designer.fields.field import fields_of
from designer.model.annotating import change_annotations, detach, is_led, pointed_to
from designer.model.annotation import (
    COMMENT,
    IMAGE,
    KINDS,
    LEGEND,
    LOOK,
    PINNABLE,
    STRAIGHT,
    TITLE_BLOCK,
    WRITTEN,
    Annotation,
)
from designer.model.annotation_styles import (
    NEW,
    OWN,
    apply_style,
    as_looked,
    make_style,
    rename_style,
    style_choices,
    style_of,
    use_text,
    users_of,
)
from designer.model.design import Design
from designer.model.operations import set_settings
from designer.model.settings import Settings
from designer.model.shown_text import plain_text, visible_line
from designer.model.title_facts import HEADINGS
from designer.panels.inspector.position import PositionFields
from designer.panels.inspector.size import SizeFields
from designer.panels.widgets.fields import ChoiceField, TextField, add_row, form, try_edit
from designer.panels.widgets.labels import ElidedLabel, label
from designer.panels.widgets.live_fields import LiveFields
from designer.panels.widgets.words_field import WordsField
from designer.session.session import Session

_TITLES = {word.name: word for word in KINDS}
_OF_COMMENTS = frozenset(("author", "date", "resolved"))
_OF_TEXT = frozenset(("size", "bold"))
_STATED = "Shows the name of the design, what is filled in here, and the revision recorded last with its date."
_POINTS_NOWHERE = "Nothing: drag its round handle"
_MIXED = "~"
"""A choice of the style that is none; no id begins so."""


class PointsTo(QWidget):
    """The name of the device or link, "A point", or how it comes to point to something."""

    cleared = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.name = ElidedLabel()
        self.clear = QPushButton("Clear")
        self.clear.setAccessibleName("Clear what it points to")
        self.clear.setToolTip("Point to nothing. Drag the round handle of the annotation to point elsewhere.")
        self.clear.clicked.connect(self.cleared)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.name, 1)
        row.addWidget(self.clear)

    def show_annotation(self, design: Design, note: Annotation) -> None:
        """Show what this one points to."""
        self.name.set_text(pointed_to(design, note) or _POINTS_NOWHERE)
        self.clear.setEnabled(is_led(design, note))


class AnnotationPage(QWidget):
    """Shown while only annotations are selected; an edit applies to all of them."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._ids: tuple[str, ...] = ()
        self.heading = label("Annotation", "heading")
        self.about = label("", "muted", wrap=True)
        self.words = WordsField("Text")
        self.words.taken.connect(lambda text: self._change(text=text))
        self.fields = LiveFields(self._change, session.message.emit)
        self.title_block = QWidget()
        self.title_fields = LiveFields(self._state, session.message.emit)
        stated = form()
        self.title_block.setLayout(stated)
        for field in fields_of(Settings).values():
            if field.name in HEADINGS:
                self.title_fields.add(field, stated)
        self._rows = form()
        self.style_choice = ChoiceField("Style", self._choose_style)
        self.style_name = TextField("Style name", self._rename_style)
        self.points_to = PointsTo()
        self.points_to.cleared.connect(lambda: session.attempt(lambda: detach(session.design, self._ids)))
        self.position, self.size_fields = PositionFields(session), SizeFields(session)
        add_row(self._rows, "Position", self.position)
        add_row(self._rows, "Size", self.size_fields)
        add_row(self._rows, "Points to", self.points_to)
        add_row(self._rows, "Style", self.style_choice)
        add_row(self._rows, "Style name", self.style_name)
        for field in fields_of(Annotation).values():
            if field.name != "text":
                self.fields.add(field, self._rows)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 10, 12, 12)
        column.setSpacing(8)
        column.addWidget(self.heading)
        column.addWidget(self.about)
        column.addWidget(self.words)
        column.addWidget(self.title_block)
        column.addLayout(self._rows)
        column.addStretch(1)

    def show_annotations(self, ids: Iterable[str]) -> None:
        """Show the first of these, and change all of them."""
        self._ids = tuple(ids)
        notes = [self._session.design.annotations[one] for one in self._ids]
        first, kinds = notes[0], {note.kind for note in notes}
        self.heading.setText(_TITLES[first.kind].title if len(kinds) == 1 else f"{len(notes)} annotations")
        about = ["" if len(notes) == 1 else "A change applies to all of them.", self._shared(notes)]
        about += [self._explained()] if kinds == {LEGEND} else []
        about += [_STATED] if kinds == {TITLE_BLOCK} else []
        self.about.setText("\n".join(filter(None, about)))
        self.about.setVisible(bool(self.about.text()))
        self.words.setVisible(len(notes) == 1 and first.kind in WRITTEN)
        self.words.show_text(first.text)
        self.title_block.setVisible(kinds == {TITLE_BLOCK})
        self.title_fields.show(self._session.design.settings)
        self.fields.show(as_looked(self._session.design, first))
        self._show_style(notes, kinds)
        has_place = len(notes) == 1 and self.position.show_thing(first.id)
        for name, fields in (("Position", self.position), ("Size", self.size_fields)):
            named = self._rows.labelForField(fields)
            assert isinstance(named, QLabel)
            named.setText(f"{name}, m" if first.is_on_floor else name)
        self._rows.setRowVisible(self.position, has_place)
        self._rows.setRowVisible(self.size_fields, has_place and first.kind not in STRAIGHT)
        self.size_fields.show_annotation(first)
        self._rows.setRowVisible(self.points_to, len(notes) == 1 and first.kind in PINNABLE)
        self.points_to.show_annotation(self._session.design, first)
        for field in fields_of(Annotation).values():
            if field.name != "text":
                self._rows.setRowVisible(self.fields[field.name], _has(kinds, field.name))

    @property
    def name(self) -> TextField | None:
        """The first thing that a title block states; None for other annotations."""
        field: TextField = self.title_fields["project"]
        return None if self.title_block.isHidden() else field

    def _state(self, **values: Any) -> str | None:
        return try_edit(self._session, lambda: set_settings(self._session.design, **values))

    def _show_style(self, notes: list[Annotation], kinds: set[str]) -> None:
        """The style that they have, and how many others follow a change of the look."""
        design = self._session.design
        found = {style.id if (style := style_of(design, note)) is not None else OWN for note in notes}
        value = found.pop() if len(found) == 1 else _MIXED
        mixed = [(_MIXED, "Mixed")] if value == _MIXED else []
        self.style_choice.show_choices([*style_choices(design), *mixed], value)
        has_look = any(_has(kinds, name) for name in LOOK)
        style = design.annotation_styles.get(value)
        self._rows.setRowVisible(self.style_choice, has_look)
        self._rows.setRowVisible(self.style_name, has_look and style is not None)
        if style is not None:
            self.style_name.show_value(style.name)
        self.style_choice.setToolTip(plain_text("Annotations and links with the same style look alike."))

    def _explained(self) -> str:
        """What a legend explains, and where that is chosen."""
        drawn = self._session.drawn
        keys = [] if drawn is None else [visible_line(one.title) for one in drawn.legend_keys]
        said = f"Explains: {', '.join(keys)}." if keys else "Nothing is colored yet."
        return f"{said} View > Color Devices By and View > Color Links By choose the colors."

    def _shared(self, notes: list[Annotation]) -> str:
        """How many annotations a change of the look changes, where that is more than are selected."""
        design = self._session.design
        styles = {note.style_id: style for note in notes if (style := style_of(design, note)) is not None}
        if all(len(users_of(design, one)) <= len(notes) for one in styles):
            return ""
        uses = (f"{use_text(design, style)} the style {visible_line(style.name)}" for style in styles.values())
        return f"{', '.join(uses)}: a change of the look changes all of them."

    def _choose_style(self, value: str) -> None:
        design = self._session.design
        if value == NEW:
            self._session.attempt(lambda: make_style(design, self._ids))
            self.style_name.line.setFocus()
            self.style_name.line.selectAll()
        elif value != _MIXED:
            self._session.attempt(lambda: apply_style(design, self._ids, value))

    def _rename_style(self, name: str) -> str | None:
        return try_edit(self._session, lambda: rename_style(self._session.design, self.style_choice.value, name))

    def _change(self, **values: Any) -> str | None:
        return try_edit(self._session, lambda: change_annotations(self._session.design, self._ids, **values))


def _has(kinds: set[str], name: str) -> bool:
    """Whether annotations of these kinds have a field."""
    if name in _OF_COMMENTS:
        return kinds == {COMMENT}
    if name in _OF_TEXT:
        return not kinds & {IMAGE, LEGEND}
    if name == "fill":
        return not kinds & (STRAIGHT | {IMAGE, LEGEND})
    return not kinds & {IMAGE, LEGEND}
