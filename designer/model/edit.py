"""An Edit: everything that ever changes a design."""

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from dataclasses import fields as fields_of
from itertools import repeat
from operator import attrgetter
from types import NoneType
from typing import Any, TypeVar

from designer.model.entities import Entity, Placement

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Change:
    """One entity before and after; None stands for absence."""

    before: Entity | None
    after: Entity | None

    def inverted(self) -> "Change":
        """The change that takes this one back."""
        return Change(self.after, self.before)

    @property
    def subject(self) -> Entity:
        """The entity as it stands after the change, or as it stood if the change removes it."""
        entity = self.after if self.after is not None else self.before
        assert entity is not None
        return entity

    @property
    def only_moves(self) -> bool:
        """Whether it moves something on the canvas and changes nothing else: most of what a large layout is."""
        before, after = self.before, self.after
        return (
            type(before) is Placement
            and type(after) is Placement
            and before.rack_id == after.rack_id
            and before.unit == after.unit
            and before.side == after.side
            and before.locked is after.locked
        )


@dataclass(frozen=True, slots=True)
class Edit:
    """Changes that hold or fail together, under the label the Undo menu shows."""

    label: str
    changes: tuple[Change, ...]
    _kinds: frozenset[type] | None = field(default=None, init=False, repr=False, compare=False)
    _sorted: tuple[tuple[Change, ...], tuple[Change, ...]] | None = field(
        default=None, init=False, repr=False, compare=False
    )

    @property
    def kinds(self) -> frozenset[type]:
        """The kinds of entity it changes, counted once: a fabric is hundreds of thousands of changes."""
        if self._kinds is None:
            kinds = set(map(type, map(attrgetter("after"), self.changes)))
            if NoneType in kinds:
                kinds = {type(change.subject) for change in self.changes}
            object.__setattr__(self, "_kinds", frozenset(kinds))
        assert self._kinds is not None
        return self._kinds

    @property
    def moves(self) -> tuple[Change, ...]:
        """The changes that only move something on the canvas, in order; found once."""
        return self._by_sort[0]

    @property
    def others(self) -> tuple[Change, ...]:
        """The changes that do more than move something on the canvas, in order."""
        return self._by_sort[1]

    @property
    def _by_sort(self) -> tuple[tuple[Change, ...], tuple[Change, ...]]:
        if self._sorted is None:
            others = tuple([change for change in self.changes if not change.only_moves])
            moves = self.changes
            if others:
                moves = tuple([change for change in self.changes if change.only_moves])
            object.__setattr__(self, "_sorted", (moves, others))
        assert self._sorted is not None
        return self._sorted

    def inverted(self) -> "Edit":
        """The edit that takes this one back exactly."""
        before, after = (map(attrgetter(name), reversed(self.changes)) for name in ("before", "after"))
        return Edit(self.label, tuple(from_columns(Change, len(self.changes), {"before": after, "after": before})))

    def __bool__(self) -> bool:
        return bool(self.changes)


def added(entities: Iterable[Entity]) -> tuple[Change, ...]:
    """Changes that add these entities, in order."""
    return tuple(Change(None, entity) for entity in entities)


def removed(entities: Iterable[Entity]) -> tuple[Change, ...]:
    """Changes that remove these entities, in order."""
    return tuple(Change(entity, None) for entity in entities)


def joined(label: str, edits: Iterable[Edit]) -> Edit:
    """One edit that does all of them in order; each must have been made against the outcome of those before."""
    return Edit(label, tuple(change for edit in edits for change in edit.changes))


def netted(edit: Edit) -> Edit:
    """What an edit comes to: one change for each record, as they are first met; none for one that ends as it began."""
    ends: dict[tuple[type, str], Change] = {}
    for change in edit.changes:
        key = type(change.subject), change.subject.id
        met = ends.get(key)
        ends[key] = change if met is None else Change(met.before, change.after)
    return Edit(edit.label, tuple(change for change in ends.values() if change.before != change.after))


def from_columns(kind: type[T], count: int, columns: Mapping[str, Iterable[Any]]) -> list[T]:
    """So many records of a frozen kind with slots, each with the next value of every column: faster than one by one.

    All its fields that are set when it is made must be among the columns, as nothing stands for its defaults. Raises
    ValueError where one is missing.
    """
    missing = [one.name for one in fields_of(kind) if one.name not in columns]  # type: ignore[arg-type]
    if missing:
        raise ValueError(f"{kind.__name__} needs columns for {', '.join(missing)}")
    made = [*map(object.__new__, repeat(kind, count))]
    for name, values in columns.items():
        deque(map(getattr(kind, name).__set__, made, values), maxlen=0)  # past the guard of frozen records
    return made
