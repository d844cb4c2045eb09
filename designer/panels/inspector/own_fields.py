"""Tags and fields of the user's own, of one thing or of all that is selected, as rows of the inspector."""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFormLayout, QVBoxLayout, QWidget

from designer.model import tagging
from designer.model.design import Design
from designer.model.edit import Edit
from designer.model.tagging import Common
from designer.panels.widgets.fields import TextField, add_row, form, try_edit
from designer.panels.widgets.labels import label
from designer.session.prepared import LARGE_EDIT
from designer.session.session import Session
from designer.units import format_count, format_counted

MIXED = "Mixed"
"""What a field shows where the things selected differ."""
WIDEST_NAME = "Scalable unit"
NAME_MOST = 24
"""Letters of a field's name that are shown."""
MOST_FIELDS = 30
"""More fields than this are counted only."""


def edit_all(session: Session, ids: Sequence[str], make: Callable[[Design], Edit], *, times: int = 1) -> str | None:
    """Push an edit of all these things, in a worker where they are very many; the sentence of its refusal, or None.

    `times` is how many plain edits each takes as long as.
    """
    if len(ids) * times < LARGE_EDIT:
        return try_edit(session, lambda: make(session.design))
    session.large_edits.attempt(f"Changing {format_counted(len(ids), 'item')}", len(ids) * times, make)
    return None


def align_names(rows: QFormLayout) -> None:
    """Make the names of a form's rows as wide as those of the tags and fields below it."""
    for number in range(rows.rowCount()):
        item = rows.itemAt(number, QFormLayout.ItemRole.LabelRole)
        written = item.widget() if item is not None else None
        if written is not None:
            written.setMinimumWidth(written.fontMetrics().horizontalAdvance(WIDEST_NAME))


class OwnFields(QWidget):
    """Rows for tags, for each field, and one to add another; each is an edit of all things shown."""

    entered = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._ids: Sequence[str] = ()
        self._common = Common()
        self.tags = TextField("Tags", self._set_tags, "none")
        self.some = label("", "muted", wrap=True)
        self.fields: dict[str, TextField] = {}
        self.more = label("", "muted", wrap=True)
        self.adding = TextField("Add a field", self._add, "Name: value")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        self._rows = form()
        self._add_row("Tags", self.tags)
        self._rows.addRow(self.some)
        self._rows.addRow(self.more)
        self._add_row("Add field", self.adding)
        column.addLayout(self._rows)

    def show_things(self, ids: Sequence[str], found: Common | None = None) -> None:
        """Show what things have; `found` is what they have in common, where it is known already."""
        self._ids = ids
        self._common = found = found or tagging.common(tagging.tagged(self._session.design, ids))
        self.tags.show_value(", ".join(found.tags))
        self.tags.line.setPlaceholderText(MIXED if found.some else "none")
        self.some.setText("Some: " + ", ".join(f"{tag} ({format_count(count)})" for tag, count in found.some))
        self._rows.setRowVisible(self.some, bool(found.some))
        shown = found.fields[:MOST_FIELDS]
        if tuple(self.fields) != tuple(name for name, _ in shown):
            self._lay_out([name for name, _ in shown])
        for name, value in shown:
            self.fields[name].show_value(value or "")
            self.fields[name].line.setPlaceholderText(MIXED if value is None else "")
        hidden = len(found.fields) - len(shown)
        self.more.setText(f"{format_counted(hidden, 'more field')} not shown.")
        self._rows.setRowVisible(self.more, hidden > 0)
        self.adding.show_value("")

    def _add_row(self, name: str, field: TextField, at: int | None = None) -> None:
        """A row at that place, else the last; names are as wide as those of the fields above."""
        add_row(self._rows, name, field, at)
        align_names(self._rows)

    def _lay_out(self, names: Sequence[str]) -> None:
        for field in self.fields.values():
            self._rows.removeRow(field)
        self.fields = {}
        for number, name in enumerate(names):
            field = TextField(name, partial(self._set_field, name))
            field.entered.connect(self.entered)
            self.fields[name] = field
            self._add_row(name if len(name) <= NAME_MOST else f"{name[: NAME_MOST - 1]}…", field, number + 2)

    def _set_tags(self, text: str) -> str | None:
        """What was added to the tags that all have is added to all, what was taken off there is taken off all."""
        ids, had = self._ids, self._common.tags
        if len(ids) == 1:
            return edit_all(self._session, ids, lambda design: tagging.set_tags(design, ids, tagging.parse_tags(text)))
        wanted = tagging.parse_tags(text)
        kept = {tag.casefold() for tag in wanted}
        off = tuple(tag for tag in had if tag.casefold() not in kept)
        return edit_all(self._session, ids, lambda design: tagging.change_tags(design, ids, wanted, off))

    def _set_field(self, name: str, text: str) -> str | None:
        ids = self._ids
        return edit_all(self._session, ids, lambda design: tagging.set_field(design, ids, name, text))

    def _add(self, text: str) -> str | None:
        if not text:
            return None
        name, colon, value = text.partition(":")
        if not (colon and name.strip() and value.strip()):
            return "Write a name and a value with a colon between, such as Owner: network team."
        return self._set_field(name, value)
