"""Inspector page of what the floor plan shows apart from racks: names, places and sizes; words of texts and zones."""

import itertools
import math
from collections.abc import Sequence
from typing import Any

from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from designer.analysis.counterparts.titles import title_of
from designer.fields.field import fields_of
from designer.model.fixture import DIMENSION, TEXT, TRAY, ZONE, Fixture
from designer.model.furnishing import TITLES, change_fixtures, measured
from designer.panels.inspector.own_fields import MIXED, OwnFields, align_names
from designer.panels.widgets.fields import form, try_edit
from designer.panels.widgets.labels import label
from designer.panels.widgets.live_fields import LiveFields
from designer.session.session import Session
from designer.units import format_counted, format_length

_OF_ONE = frozenset(("name",))
_OF_RECTANGLES = frozenset(("x_m", "y_m", "depth_m", "turn_deg"))
_OF_TRAYS = frozenset(("height_m",))
_OF_ALL_BUT_DIMENSIONS = frozenset(("width_m",))
_WORDS = {TEXT: "Text", ZONE: "Title", DIMENSION: "Words"}
"""What the name of a marking is."""


class FixturePage(QWidget):
    """Shown while only fixtures are selected; an edit applies to all of them."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._ids: tuple[str, ...] = ()
        self.heading = label("Fixture", "heading")
        self.about = label("", "muted", wrap=True)
        self.fields = LiveFields(self._change, session.message.emit)
        self._rows = form()
        for field in fields_of(Fixture).values():
            self.fields.add(field, self._rows)
        align_names(self._rows)
        self.own = OwnFields(session)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 10, 12, 12)
        column.setSpacing(8)
        column.addWidget(self.heading)
        column.addWidget(self.about)
        column.addLayout(self._rows)
        column.addWidget(self.own)
        column.addStretch(1)
        self.name = self.fields["name"]

    def show_fixtures(self, ids: Sequence[str]) -> None:
        """Show what these have in common, and change all of them."""
        self._ids = tuple(ids)
        found = [self._session.design.fixtures[one] for one in self._ids]
        first, kinds = found[0], {one.kind for one in found}
        self.heading.setText(TITLES[first.kind] if len(kinds) == 1 else format_counted(len(found), "fixture"))
        title = self._rows.labelForField(self.name)
        if isinstance(title, QLabel):
            title.setText(_WORDS.get(first.kind, "Name"))
        self.about.setText(
            self._about(first) if len(found) == 1 else f"{len(found)} selected: a change applies to all."
        )
        self.about.setVisible(bool(self.about.text()))
        self.fields.show(first)
        for name in fields_of(Fixture):
            field, is_mixed = self.fields[name], len({getattr(one, name) for one in found}) > 1
            self._rows.setRowVisible(field, _has(found, name))
            field.line.setPlaceholderText(MIXED if is_mixed else "")
            if is_mixed:
                field.show_value("")
        self.own.show_things(self._ids)

    def _about(self, one: Fixture) -> str:
        """What a dimension measures now, or the length of a tray."""
        if one.kind != DIMENSION:
            return _about(one)
        design = self._session.design
        names = [title_of(design, found) for tie in one.ties if (found := design.entity(tie.thing_id)) is not None]
        length = format_length(round(measured(design, one).length_m, 3))
        held = f", held by {' and '.join(dict.fromkeys(names))}" if names else ""
        return (
            f"{length}{held}. Drag an end on the floor plan to measure elsewhere, or the line to draw it further off."
        )

    def _change(self, **values: Any) -> str | None:
        return try_edit(self._session, lambda: change_fixtures(self._session.design, self._ids, **values))


def _has(found: Sequence[Fixture], name: str) -> bool:
    """Whether a field can be set of all of these at once."""
    if name in _OF_ONE:
        return len(found) == 1
    if name in _OF_TRAYS:
        return all(one.kind == TRAY for one in found)
    if name in _OF_ALL_BUT_DIMENSIONS:
        return all(one.kind != DIMENSION for one in found)
    return name not in _OF_RECTANGLES or not any(one.points_m for one in found)


def _about(one: Fixture) -> str:
    """The length of a tray, and how it is bent."""
    if not one.points_m:
        return ""
    length_m = sum(itertools.starmap(math.dist, itertools.pairwise(one.points_m)))
    corners = format_counted(len(one.points_m), "corner")
    return f"{format_length(length_m)} long, {corners}. Drag a corner on the floor plan to move it."
