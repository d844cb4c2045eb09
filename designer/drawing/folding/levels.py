"""A composition as it is seen from afar: groups too small to see into are drawn as boxes, and open when one is near."""

from collections.abc import Iterator
from itertools import takewhile

from designer.drawing.camera import LEAST_SCALE
from designer.drawing.composition import Composition
from designer.drawing.folding.folded_projection import FoldedProjection
from designer.drawing.folding.folds import Fold, Units, folded_from_afar, is_afar, level_of, units_of
from designer.drawing.projection import Projection

LEVELS_KEPT = 4
"""Drawings with boxes that stand for many, beside the whole one."""


class Levels:
    """Remembers what was made of one composition, until that changes."""

    def __init__(self, composition: Composition) -> None:
        self.of = composition
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
        folds = self._folds_at(level) if made is None else _folds_of(made)
        return any(not fold.by_hand and _is_of(base, fold, ids) for fold in folds)

    def _folds_at(self, level: float) -> tuple[Fold, ...]:
        base = self.of.base
        if not self._units and is_afar(base, level):
            self._units.append(units_of(base))
        return folded_from_afar(base, _folds_of(self.of), level, *self._units)

    def _make(self, level: float) -> Composition:
        base, by_hand, folds = self.of.base, _folds_of(self.of), self._folds_at(level)
        if len(folds) == len(by_hand):
            return self.of
        alike = (one for one in self._made.values() if _folds_of(one) and _same(_folds_of(one), folds))
        made = next(alike, None) or Composition(base.design, base.hidden, FoldedProjection(base, folds))
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


def _same(one: tuple[Fold, ...], other: tuple[Fold, ...]) -> bool:
    return [fold.key for fold in one] == [fold.key for fold in other]
