"""A composition as it is seen from afar: groups too small to see into are drawn as boxes, and open when one is near."""

from collections.abc import Iterable, Iterator
from itertools import takewhile

from designer.drawing.camera import LEAST_SCALE
from designer.drawing.composition import Composition
from designer.drawing.folding.folded_projection import FoldedProjection, Seen
from designer.drawing.folding.folds import Fold, Units, edges_of, folded_from_afar, is_afar, level_of, units_of
from designer.drawing.projection import Projection
from designer.late import Late
from designer.model.collapsing import BoxKey

opened = Late("designer.drawing.folding.opened")

LEVELS_KEPT = 4
"""Drawings with boxes that stand for many, beside the whole one."""


class Levels:
    """Remembers what was made of one composition, until that changes."""

    def __init__(self, composition: Composition, opened_keys: dict[BoxKey, None] | None = None) -> None:
        self.of = composition
        self.opened = {} if opened_keys is None else opened_keys
        """What a hand has opened that would be one box because it is far away."""
        self._closed_at = 0.0
        self._generation = -1
        self._made: dict[float, Composition] = {}
        self._units: list[Units | None] = []
        """What is known of them: nothing, or one answer."""

    def at(self, scale: float) -> Composition:
        """The composition to draw at so many pixels per canvas unit: itself where nothing is too small."""
        self._forget_what_changed()
        level = level_of(scale)
        found = self._made.pop(level, None) or self._make(level)
        self._made[level] = found  # the last now: those that were not asked for longest go first
        if len(kept := self._folded()) > LEVELS_KEPT:
            self._made = {one: made for one, made in self._made.items() if made is not kept[0]}
        return found

    def _forget_what_changed(self) -> None:
        if self._generation != self.of.generation:
            self._generation = self.of.generation
            self._made.clear()
            self._units.clear()

    def _folded(self) -> list[Composition]:
        """The compositions that are not the whole one, each once: that has no end of levels, and takes no room."""
        latest = dict.fromkeys(made for made in reversed(self._made.values()) if made is not self.of)
        return [*latest][::-1]

    def opened_from(self, ids: frozenset[str]) -> float:
        """The least scale at which these are drawn apart that are one box from afar; 0.0 where they are none."""
        base, least = self.of.base, 0.0
        for level in takewhile(lambda one: is_afar(base, one), _levels_from(level_of(LEAST_SCALE))):
            if self.is_closed_at(ids, level):
                least = level_of(level * 1.5)
        return least

    def is_closed_at(self, ids: frozenset[str], scale: float) -> bool:
        """Whether these are one box at that scale because they are far away; of the drawing in sight it is known."""
        self._forget_what_changed()
        base, level = self.of.base, level_of(scale)
        if not is_afar(base, level):
            return False
        made = self._made.get(level)
        folds = self._divided(self._wholes_at(level), level) if made is None else _folds_of(made)
        return any(not fold.by_hand and _is_of(base, fold, ids) for fold in folds)

    def open(self, ids: frozenset[str], scale: float) -> Fold | None:
        """Draw from now on what is in the box that a click on selects these: tiers of a group, parts of a role.

        None where they are no such box at that scale, or where what is in it is seen from near alone.
        """
        self._forget_what_changed()
        base, level = self.of.base, level_of(scale)
        if not is_afar(base, level):
            return None
        folds = self._divided(self._wholes_at(level), level)
        fold = next((one for one in folds if not one.by_hand and _is_of(base, one, ids)), None)
        if fold is None or (fold.key.role and not (fold.is_role and opened.parts_of(base, fold))):
            return None
        self.opened[fold.key] = None
        self._closed_at = 0.0
        self._made.clear()
        return fold

    def close_at(self, scale: float) -> None:
        """Draw groups that a hand has opened as boxes there and farther off, until another is opened; 0.0: nowhere."""
        level = level_of(scale) if scale > 0.0 else 0.0
        if self.opened and level != self._closed_at:
            self._made.clear()
        self._closed_at = level

    def open_exactly(self, keys: Iterable[BoxKey]) -> None:
        """Draw from now on what is in these boxes, and no others that a hand has opened."""
        self.opened.clear()
        self.opened.update(dict.fromkeys(keys))
        self._made.clear()

    def _wholes_at(self, level: float) -> tuple[Fold, ...]:
        base = self.of.base
        if not self._units and is_afar(base, level):
            self._units.append(units_of(base))
        are_open = self.opened and level > self._closed_at
        open_ids = opened.around_opened(base, self.opened, edges_of(base), level) if are_open else frozenset()
        return folded_from_afar(base, _folds_of(self.of), level, next(iter(self._units), None), open_ids)

    def _divided(self, wholes: tuple[Fold, ...], level: float) -> tuple[Fold, ...]:
        """With the parts of those that were opened in their places; the same where none was."""
        if not self.opened or not any(one.key in self.opened for one in wholes):
            return wholes
        folds: tuple[Fold, ...] = opened.all_divided(self.of.base, wholes, self.opened, level)
        return folds

    def _make(self, level: float) -> Composition:
        base, by_hand, wholes = self.of.base, _folds_of(self.of), self._wholes_at(level)
        if len(wholes) == len(by_hand):
            return self.of
        folds = self._divided(wholes, level)
        alike = (made for made in self._made.values() if _is_alike(made, folds))
        made = next(alike, None)
        if made is None:
            made = Composition(base.design, base.hidden, FoldedProjection(base, folds, Seen(level, wholes)))
        made.colouring, made.kept = self.of.colouring, self.of.kept
        made.notes.are_shown = self.of.notes.are_shown
        return made


def _levels_from(level: float) -> Iterator[float]:
    while True:
        yield level
        level = level_of(level * 1.5)


def _is_of(projection: Projection, fold: Fold, ids: frozenset[str]) -> bool:
    """Whether these are what a click on the box selects."""
    if not fold.key.role:
        return ids == {fold.key.id}
    return len(fold.rows) == len(ids) and all(projection.device_ids[row] in ids for row in fold.rows.tolist())


def _folds_of(composition: Composition) -> tuple[Fold, ...]:
    projection = composition.projection
    return projection.folds if isinstance(projection, FoldedProjection) else ()


def _is_alike(composition: Composition, folds: tuple[Fold, ...]) -> bool:
    """Whether it is drawn with these folds, at any scale alike."""
    projection = composition.projection
    if not isinstance(projection, FoldedProjection) or projection.is_of_scale:
        return False
    return [fold.key for fold in projection.folds] == [fold.key for fold in folds]
