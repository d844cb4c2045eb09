"""What of a record changes as one: units of fields, and three versions of one made into one."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from designer.model.annotation import Annotation
from designer.model.bookmark import Bookmark
from designer.model.entities import (
    PICKED,
    TABLE_OF,
    TYPED,
    Device,
    Entity,
    Group,
    Link,
    Module,
    PlacedJob,
    Placement,
    Rack,
    Revision,
)
from designer.model.fixture import Fixture
from designer.model.hardware.modules import LineCardType, NicType
from designer.model.hardware.switches import SwitchType
from designer.model.policy import DEFAULT, Policy
from designer.model.settings import Settings
from designer.model.waiver import Waiver

ABSENT = object()
"""Stands for the entry that a version does not have."""

_TOGETHER: Mapping[type, Mapping[str, tuple[str, ...]]] = {
    Link: {"ends": ("a", "b"), "length": ("length_m", "length_source"), "medium": ("medium_id", "medium_source")},
    Module: {"slot": ("device_id", "slot")},
    Rack: {"place": ("x_m", "y_m", "facing")},
    Placement: {"canvas": ("x", "y"), "rack unit": ("rack_id", "unit", "side")},
    PlacedJob: {"traffic": ("collective", "traffic", "algorithm")},
    Annotation: {"place": ("x_m", "y_m"), "size": ("dx", "dy"), "tip": ("tip_dx", "tip_dy")},
    Fixture: {"place": ("x_m", "y_m", "turn_deg"), "size": ("width_m", "depth_m")},
    Bookmark: {
        "view": (
            *("view", "seen", "opened", "side", "rows", "columns"),
            *("hidden_networks", "color_devices_by", "color_links_by"),
        ),
        "run": ("run", "failed"),
    },
    Waiver: {"waiver": ("code", "subjects", "within", "value", "limit", "aspect")},
    Revision: {"revision": ("number", "date", "author", "notes", "digest", "plan", "design")},
    NicType: {"ports": ("ports", "rate_gbps", "modes")},
    **{type_: {"ports": ("cages", "modes")} for type_ in (SwitchType, LineCardType)},
}
"""Fields that mean something only together, by the name of the unit."""

_SETS: Mapping[type, frozenset[str]] = {
    Settings: frozenset(("collapsed_roles",)),
    Group: frozenset(("tags", "collapsed_roles")),
    Device: frozenset(("tags", "carries", "reserved_ports")),
    **{kind: frozenset(("tags",)) for kind in (Module, Link, Rack, PlacedJob, Fixture)},
}
_MAPS: Mapping[type, frozenset[str]] = {
    Device: frozenset(("fields", "cage_modes", "reserved_for")),
    **{kind: frozenset(("fields",)) for kind in (Module, Link, Rack, Group, PlacedJob, Fixture)},
}

_LAYOUT: Mapping[type, frozenset[str]] = {
    Settings: frozenset(("collapsed_roles",)),
    Group: frozenset(("layout", "is_collapsed", "collapsed_roles")),
    Rack: frozenset(("is_collapsed", "is_locked")),
    Placement: frozenset(("canvas", "locked")),
    Link: frozenset(("bends",)),
}
"""How a design is shown, no content of it: where both changed that, ours stays as it is."""


@dataclass(frozen=True, slots=True)
class Unit:
    """One thing about a record that changes as one."""

    name: str
    """As places of conflicts have it: "ends", "fields.asset"."""
    fields: tuple[str, ...]
    entry: Any = ABSENT
    """Of a tuple of pairs: the name of one."""

    def of(self, record: Any) -> Any:
        """What the record has there: comparable, whichever end of a link is called a."""
        if self.name == "ends":
            return frozenset((record.a, record.b))
        if self.entry is not ABSENT:
            inside = getattr(record, self.fields[0])
            if isinstance(inside, Policy) or inside is None:
                return getattr(inside or DEFAULT, self.entry)
            return dict(inside).get(self.entry, ABSENT)
        if len(self.fields) == 1:
            return getattr(record, self.fields[0])
        return tuple(getattr(record, name) for name in self.fields)


def _whole_units(kind: type[Any]) -> tuple[Unit, ...]:
    """The units of a kind of record that are taken whole."""
    together = _TOGETHER.get(kind, {})
    grouped = {name for names in together.values() for name in names}
    apart = {"id", *grouped, *_SETS.get(kind, ()), *_MAPS.get(kind, ())}
    if kind is Settings:
        apart |= {"policy", "last_cable"}
    single = (Unit(one.name, (one.name,)) for one in fields(kind) if one.name not in apart)
    return (*(Unit(name, names) for name, names in together.items()), *single)


_WHOLE_UNITS = {kind: _whole_units(kind) for kind in TABLE_OF}


def is_layout(record: Entity, unit: Unit) -> bool:
    """Whether the unit says how the design is shown; the place of an annotation is content."""
    if isinstance(record, Placement) and record.id.startswith("a"):
        return unit.name == "locked"
    return unit.fields[0] in _LAYOUT.get(type(record), ()) or unit.name in _LAYOUT.get(type(record), ())


def is_calculated(record: Entity, unit: Unit) -> bool:
    """Whether the program worked the unit out, and does so again where it no longer holds."""
    if not isinstance(record, Link):
        return False
    if unit.name == "length":
        return record.length_source not in (TYPED, "") or record.length_m is None
    return unit.name == "medium" and (record.medium_source == PICKED or not record.medium_id)


def differing(one: Any, other: Any) -> Iterator[Unit]:
    """The units in which two records of a kind differ, sets and last numbers apart: these never contradict."""
    for unit in _WHOLE_UNITS[type(one)]:
        if unit.of(one) != unit.of(other):
            yield unit
    for name in sorted(_MAPS.get(type(one), ())):
        mine, others = dict(getattr(one, name)), dict(getattr(other, name))
        for entry in {**mine, **others}:
            if mine.get(entry, ABSENT) != others.get(entry, ABSENT):
                yield Unit(f"{name}.{entry}", (name,), entry)
    if isinstance(one, Settings) and one.policy != other.policy:
        yield from _policy_units(one.policy, other.policy)


def differing_sets(one: Any, other: Any) -> Iterator[Unit]:
    """The sets, such as tags, in which two records of a kind differ."""
    for name in sorted(_SETS.get(type(one), ())):
        if set(getattr(one, name)) != set(getattr(other, name)):
            yield Unit(name, (name,))


def _policy_units(one: Policy | None, other: Policy | None) -> Iterator[Unit]:
    if one is None or other is None:
        yield Unit("policy", ("policy",))
        return
    for field in fields(Policy):
        if getattr(one, field.name) != getattr(other, field.name):
            yield Unit(f"policy.{field.name}", ("policy",), field.name)


def is_changed(before: Any, after: Any) -> bool:
    """Whether there is a change of content: of more than how the design is shown and what the program calculates."""
    if type(before) is not type(after):
        return True
    for unit in differing(before, after):
        follows = unit.name == "cable" or (is_calculated(before, unit) and is_calculated(after, unit))
        if not follows and not is_layout(after, unit):
            return True
    layout = _LAYOUT.get(type(after), frozenset())
    return any(
        getattr(before, name) != getattr(after, name) for name in _SETS.get(type(after), ()) if name not in layout
    )


Decide = Callable[[Unit], Any]
"""Says from which record a unit that both sides changed differently comes: one of the two."""


def two_way(ours: Any, theirs: Any, decide: Decide) -> Any:
    """Two versions of a record as one where nobody knows what it was before: every difference is decided."""
    if type(ours) is not type(theirs):
        return decide(Unit("", ()))
    made = ours
    for unit in (*differing(ours, theirs), *differing_sets(ours, theirs)):
        source = decide(unit)
        if source is not ours:
            made = with_unit(made, unit, source)
    return _counted_on(made, ours, theirs)


def _counted_on(made: Any, ours: Any, theirs: Any) -> Any:
    """The record after both: of settings with the number of the last cable of either side."""
    if not isinstance(ours, Settings):
        return made
    return replace(made, last_cable=max(ours.last_cable, theirs.last_cable))


def three_way(base: Any, ours: Any, theirs: Any, decide: Decide) -> Any:
    """Three versions of a record as one. What both added is ours wherever they agree."""
    if type(ours) is not type(theirs) or (base is not None and type(base) is not type(ours)):
        whole = Unit("", ())
        return ours if base is not None and theirs == base else theirs if ours == base else decide(whole)
    made = ours
    for unit in differing(ours, theirs):
        if base is not None and unit.of(theirs) == unit.of(base):
            continue
        source = theirs if base is not None and unit.of(ours) == unit.of(base) else decide(unit)
        if source is not ours:
            made = with_unit(made, unit, source)
    values: dict[str, Any] = {
        name: _set_of(getattr(base, name) if base is not None else (), getattr(ours, name), getattr(theirs, name))
        for name in _SETS.get(type(ours), ())
    }
    changed = {name: value for name, value in values.items() if value != getattr(made, name)}
    return _counted_on(replace(made, **changed) if changed else made, ours, theirs)


def with_unit(record: Any, unit: Unit, source: Any) -> Any:
    """The record with what another has for a unit."""
    name = unit.fields[0]
    if unit.entry is ABSENT:
        return replace(record, **{one: getattr(source, one) for one in unit.fields})
    if name == "policy":
        value = getattr(source.policy or DEFAULT, unit.entry)
        return replace(record, policy=replace(record.policy or DEFAULT, **{unit.entry: value}))
    entries, value = dict(getattr(record, name)), unit.of(source)
    if value is ABSENT:
        entries.pop(unit.entry, None)
    else:
        entries[unit.entry] = value
    pairs = tuple(entries.items())
    return replace(record, **{name: tuple(sorted(pairs)) if name == "cage_modes" else pairs})


def _set_of(base: tuple[Any, ...], ours: tuple[Any, ...], theirs: tuple[Any, ...]) -> tuple[Any, ...]:
    """Words that both sides put in and took out, in the order of ours, then that of theirs."""
    deleted = set(base) - set(theirs)
    return (
        *(one for one in ours if one not in deleted),
        *(one for one in theirs if one not in ours and one not in base),
    )
