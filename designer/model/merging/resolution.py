"""The merged design while it is made: ours, and over it what the merge has settled so far."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from designer.model.entities import Link, Placement
from designer.model.merging.conflicts import CHANGED, Choose, Conflict
from designer.model.merging.references import Key, needs
from designer.model.merging.units import Unit, differing, is_calculated, is_layout, three_way, two_way, with_unit
from designer.model.merging.versions import OURS, THEIRS, Side, Versions, key_order

PORT_FIELDS = ("type_id", "port_mode", "cage_modes")
"""Fields of a device that say which ports it has, together with its modules."""


class Resolution:
    """One round of a merge: what each record becomes, with the conflicts met on the way."""

    def __init__(self, versions: Versions, choose: Choose) -> None:
        self.versions = versions
        self._choose = choose
        self._whole: dict[Key, Side] = {}
        self._fields: dict[tuple[Key, str], Side] = {}
        self._made: dict[Key, Any] = {}
        self._lasting: dict[str, Conflict] = {}
        self._passing: dict[str, Conflict] = {}

    @property
    def conflicts(self) -> tuple[Conflict, ...]:
        """All conflicts, by the records that they are listed under."""
        found = {**self._passing, **self._lasting}
        return tuple(sorted(found.values(), key=lambda one: (key_order(one.subject), one.place)))

    # -- records --------------------------------------------------------------------------------------------------

    def merged(self, key: Key) -> Any:
        """The record as it stands in the merged design; None where there is none."""
        return self._made[key] if key in self._made else self.versions.of(OURS, key)

    def any_version(self, key: Key) -> Any:
        """The record as any version has it, the merged one first."""
        for found in (self.merged(key), self.versions.of(OURS, key), self.versions.of(THEIRS, key)):
            if found is not None:
                return found
        return self.versions.before(key)

    def needed(self, record: Any) -> list[Key]:
        """What cannot be missing while the record is there."""
        if not isinstance(record, Placement):
            return list(needs(record))
        keys = [(table, record.id) for table in ("devices", "racks", "annotations")]
        return [next((key for key in keys if self.any_version(key) is not None), keys[0])]

    def put(self, key: Key, record: Any) -> None:
        """Let this be the record."""
        self._made[key] = record

    def touched(self) -> list[Key]:
        """What may not be as it is in ours, or was not like that in the base."""
        changed = self.versions.changed
        return list(dict.fromkeys((*changed[OURS], *changed[THEIRS], *self._made)))

    def changes(self) -> Iterator[tuple[Key, Any, Any]]:
        """What the merge changes about ours: the record before and after."""
        for key in sorted(self._made, key=key_order):
            before, after = self.versions.of(OURS, key), self._made[key]
            if before is not after and before != after:
                yield key, before, after

    # -- conflicts ------------------------------------------------------------------------------------------------

    def decide(self, conflict: Conflict, *, lasts: bool = False) -> Side:
        """The side that the conflict is settled for, ours where nobody has decided. One that `lasts` stays listed."""
        chosen = self._choose(conflict.place)
        taken: Side = chosen or OURS
        known = self._lasting if lasts else self._passing
        known.setdefault(conflict.place, replace(conflict, taken=taken, decided=chosen is not None))
        return taken

    def force(self, key: Key, side: Side) -> bool:
        """From the next round on have the record as that side has it; False where that is so, or ours was forced."""
        return _force(self._whole, key, side)

    def is_forced(self, key: Key, side: Side) -> bool:
        """Whether the record is to be as that side has it."""
        return self._whole.get(key) == side

    def force_field(self, key: Key, name: str, side: Side) -> bool:
        """The same for a field of the record."""
        return _force(self._fields, (key, name), side)

    # -- rounds ---------------------------------------------------------------------------------------------------

    def combine(self) -> None:
        """Begin a round: every record by itself, what is forced as it must be."""
        self._made, self._passing = {}, {}
        versions = self.versions
        for key in dict.fromkeys((*versions.changed[THEIRS], *self._whole, *(key for key, _ in self._fields))):
            ours, theirs = versions.of(OURS, key), versions.of(THEIRS, key)
            if ours is theirs or ours == theirs:
                continue
            made = self._forced(key, ours, theirs)
            if made is not ours:
                self._made[key] = made

    def _forced(self, key: Key, ours: Any, theirs: Any) -> Any:
        side = self._whole.get(key)
        of_side = ours if side == OURS else theirs
        if side is not None and key[0] != "placements" and (key[0] != "links" or ours is None or theirs is None):
            return of_side
        made = self._by_field(key, ours, theirs)
        if side is not None and made is not None:
            return _at_port(made, of_side) if key[0] == "links" else _mounted(made, of_side)
        for name in PORT_FIELDS if key[0] == "devices" else ("parent_id",) if key[0] == "groups" else ():
            of = self._fields.get((key, name))
            source = ours if of == OURS else theirs
            if of is not None and made is not None and source is not None:
                made = replace(made, **{name: getattr(source, name)})
        return made

    def _by_field(self, key: Key, ours: Any, theirs: Any) -> Any:
        versions = self.versions
        if key not in versions.changed[OURS]:
            return theirs
        if key not in versions.changed[THEIRS] or ours is None or theirs is None:
            return ours

        def decide(unit: Unit) -> Any:
            if unit.fields and (is_layout(ours, unit) or (is_calculated(ours, unit) and is_calculated(theirs, unit))):
                return ours
            if unit.name in ("ends", "rack unit") and key in self._whole:
                return ours  # that is decided with the ports, or the units, that it takes
            name = unit.name or "type"
            conflict = Conflict(f"{key[0]}/{key[1]}/{name.replace(' ', '-')}", CHANGED, (key,), OURS, False, name)
            return ours if self.decide(conflict) == OURS else theirs

        if not versions.has_base:
            return two_way(ours, theirs, decide)
        return three_way(versions.before(key), ours, theirs, decide)


def _at_port(link: Link, source: Link) -> Link:
    return replace(link, a=source.a, b=source.b)


def _mounted(place: Placement, source: Placement | None) -> Placement:
    if source is None:
        return replace(place, rack_id=None, unit=None, side="")
    for unit in differing(place, source):
        if unit.name == "rack unit":
            return with_unit(place, unit, source)  # type: ignore[no-any-return]
    return place


def _force(forced: dict[Any, Side], what: Any, side: Side) -> bool:
    """Ours is never given up again, so that rounds come to an end."""
    if forced.get(what) in (side, OURS):
        return False
    forced[what] = side
    return True
