"""The annotations of a drawing: calculated when they are asked for, kept until something changes them."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Protocol

from designer.drawing.bundles import Floats
from designer.drawing.display_list import Key
from designer.drawing.geometry import Rect
from designer.drawing.notes import Drawn, Point, drawn_notes, title_rows
from designer.drawing.parts.keys import height_in
from designer.drawing.parts.words import height_for_rows, height_for_words
from designer.drawing.projection import Projection
from designer.model.annotating import can_point_to
from designer.model.annotation import LEGEND, TITLE_BLOCK, Annotation
from designer.model.design import Design


class Drawing(Protocol):
    """What the layer needs of the drawing that it is part of."""

    projection: Projection

    @property
    def design(self) -> Design:
        """The design that is drawn."""

    def rect_of(self, entity_id: str) -> Rect | None:
        """Left, top, right, bottom of a thing as drawn."""

    def bundle_path(self, link_row: int) -> Floats:
        """The lines along which a link runs where it is drawn as one with those next to it."""


class NoteLayer:
    """Shown, or left out. `drawn` are all there are, as they stand now."""

    def __init__(self, of: Drawing) -> None:
        self._of = of
        self._drawn: tuple[Drawn, ...] | None = None
        self._keys: tuple[Key, ...] = ()
        """What legends among those explain."""
        self._rows: tuple[tuple[str, str], ...] = ()
        """What title blocks among those state."""
        self._explained: Callable[[], tuple[Key, ...]] = tuple
        self._shifts: Mapping[str, Point] = {}
        self._led: tuple[str, Rect | None] | None = None
        self.are_shown = True
        self.left_out: frozenset[str] = frozenset()
        """Kinds that are not shown, as a page has its own instead."""
        self.follow_pins = False
        """Whether one that is pinned to what is not drawn is not shown either, as on a page of one network."""

    def forget(self, shifts: Mapping[str, Point] | None = None) -> None:
        """Calculate them again, off their places by these shifts where they are given."""
        self._drawn = None
        if shifts is not None:
            self._shifts = shifts

    def explain(self, keys: Callable[[], tuple[Key, ...]]) -> None:
        """Have legends be as high as these keys, the same ones while nothing changes them."""
        self._explained = keys

    def lead(self, entity_id: str = "", to: Rect | None = None) -> None:
        """Draw the leader of this annotation to a box or point, or without one for None, until it is called again."""
        self._led = (entity_id, to) if entity_id else None
        self._drawn = None

    @property
    def drawn(self) -> tuple[Drawn, ...]:
        """All of them, those behind the fabric first."""
        design, keys = self._of.design, self._explained() if self._has(LEGEND) else ()
        rows = title_rows(design) if self._has(TITLE_BLOCK) else ()
        if self._drawn is None or keys is not self._keys or rows != self._rows:
            self._keys, self._rows = keys, rows
            self._drawn = (
                drawn_notes(design, self._shifts, self.place_of, self._height_of) if design.annotations else ()
            )
            if self._led is not None:
                held, to = self._led
                self._drawn = tuple(replace(one, pin=to) if one.note.id == held else one for one in self._drawn)
        return self._drawn

    @property
    def seen(self) -> tuple[Drawn, ...]:
        """Those that are shown."""
        if not self.are_shown:
            return ()
        if not (self.left_out or self.follow_pins):
            return self.drawn
        return tuple(one for one in self.drawn if one.note.kind not in self.left_out and not self._is_astray(one))

    def _is_astray(self, one: Drawn) -> bool:
        """Whether it goes with what it is pinned to, and that is not drawn."""
        note = one.note
        return self.follow_pins and one.pin is None and can_point_to(self._of.design, note, note.pinned_to)

    @property
    def has_legend(self) -> bool:
        """Whether one of those that are shown is a legend."""
        return self._has(LEGEND) and any(one.note.kind == LEGEND for one in self.seen)

    def _has(self, kind: str) -> bool:
        """Whether one of that kind is among them, which grows with what is colored, or with what the design states."""
        return any(one.kind == kind for one in self._of.design.annotations.values())

    def _height_of(self, note: Annotation) -> float:
        """How high an annotation is with all of its words, or with all keys or values in its width."""
        if note.kind == TITLE_BLOCK:
            return height_for_rows(self._rows, note)
        return height_in(self._keys, abs(note.dx)) if note.kind == LEGEND else height_for_words(note)

    def rect_of(self, entity_id: str) -> Rect | None:
        """The rectangle of an annotation; None where it has no place."""
        return next((one.rect for one in self.drawn if one.note.id == entity_id), None)

    def place_of(self, entity_id: str) -> Rect | None:
        """The box of a device or that it is in, or the middle of a link, as drawn now; None where it is not."""
        projection = self._of.projection
        if projection.box_of(entity_id) is not None:
            return self._of.rect_of(entity_id)
        if entity_id not in self._of.design.links:
            return None
        row = projection.link_row(entity_id)
        if row is None:
            box = projection.box_of_link(entity_id)
            return None if box is None else self._of.rect_of(projection.device_ids[box])
        lines = self._of.bundle_path(row)
        x1, y1, x2, y2 = lines[len(lines) // 2].tolist()
        x, y = (x1 + x2) / 2, (y1 + y2) / 2
        return x, y, x, y
