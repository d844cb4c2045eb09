"""The colleague's design made ready: ids, names and cable numbers that both sides newly assigned differ from ours."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

from designer.model.design import Design
from designer.model.edit import Change, Edit, added, removed
from designer.model.entities import ID_PREFIX, TABLE_OF, Entity, Group, Link, in_order
from designer.model.merging.references import rewritten
from designer.model.naming import Names
from designer.model.settings import Settings

ID, NAME, CABLE = "id", "name", "cable number"

_ORDER = (
    *("types", "annotation_styles", "groups", "racks", "devices", "modules", "links"),
    *("annotations", "jobs", "fixtures", "bookmarks", "waivers", "revisions"),
)
"""Tables in an order in which records come after what they refer to."""
_WHOLE_REFERENCES = ("devices", "modules", "links", "placements")
"""Tables whose records refer to nothing that is not in their design."""
_NAMED = ("groups", "racks", "devices", "jobs", "bookmarks", "annotation_styles")


@dataclass(frozen=True, slots=True)
class Renumbered:
    """Something of theirs that got another id, name or cable number, because ours has that for something else."""

    table: str
    id: str
    """As it is in the merged design."""
    what: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Incoming:
    """Theirs under ids that mean the same as in ours."""

    design: Design
    renumbered: tuple[Renumbered, ...]


@dataclass(frozen=True, slots=True)
class _Before:
    """What the designs were before both sides went on.

    Where nobody knows, each side counts as having added what the other one does not have: an id that both have means
    the same thing, but for revisions, which each side counts for itself.
    """

    base: Design | None
    ours: Design
    theirs: Design

    def of_ours(self, table: str) -> Mapping[str, Any]:
        """The records that ours had before, by id."""
        return self._records(table, self.theirs)

    def of_theirs(self, table: str) -> Mapping[str, Any]:
        """The records that theirs had before, by id."""
        return self._records(table, self.ours)

    @property
    def designs(self) -> tuple[Design, ...]:
        """All versions that there are."""
        return (self.ours, self.theirs) if self.base is None else (self.base, self.ours, self.theirs)

    def _records(self, table: str, other: Design) -> Mapping[str, Any]:
        if self.base is not None:
            return table_of(self.base, table)
        return table_of(other, table) if table != "revisions" else {}


def incoming(base: Design | None, ours: Design, theirs: Design) -> Incoming:
    """Theirs without a clash of what both sides newly assigned. What both added alike keeps its id."""
    before = _Before(base, ours, theirs)
    ids, renumbered = _new_ids(before)
    made = _under(base if base is not None else ours, theirs, ids)
    edits = (_distinct_names(before, made), _distinct_cables(before, made))
    for changes, rows in edits:
        if changes:
            made = made if made is not theirs else theirs.snapshot()
            made.apply(Edit("Renumber", tuple(changes)))
            renumbered += rows
    return Incoming(made, tuple(renumbered))


def table_of(design: Design, table: str) -> Mapping[str, Any]:
    """The records of a table by id."""
    records: Mapping[str, Any] = getattr(design, table)
    return records


# -- ids --------------------------------------------------------------------------------------------------------------


def _new_ids(before: _Before) -> tuple[dict[str, str], list[Renumbered]]:
    """New ids for what theirs added under an id that ours gave to something else, by their old."""
    ours, theirs = before.ours, before.theirs
    taken = set[str]()
    for table in _ORDER:
        taken |= table_of(ours, table).keys() - before.of_ours(table).keys()
    ids: dict[str, str] = {}
    renumbered: list[Renumbered] = []
    cabled = _by_ends(before)
    for table in _ORDER:
        fresh = _fresh(before.designs, table)
        for one in _added(theirs, before, table):
            record = rewritten(table_of(theirs, table)[one], ids)
            twin = cabled.pop(frozenset((record.a, record.b)), None) if isinstance(record, Link) else None
            if twin is not None:
                if twin != one:
                    ids[one] = twin
            elif one in taken and not _is_alike(ours, theirs, table, record, ids):
                ids[one] = next(fresh) if table != "types" else _free_type(one, record, ours, theirs)
                renumbered.append(Renumbered(table, ids[one], ID, one, ids[one]))
    return ids, renumbered


def _added(theirs: Design, before: _Before, table: str) -> list[str]:
    """Ids of what theirs added to a table, groups after those that they are in."""
    there = table_of(theirs, table)
    new = in_order(there.keys() - before.of_theirs(table).keys())
    if table != "groups":
        return new
    ordered: dict[str, None] = {}
    known = before.of_theirs(table)
    for one in new:
        chain = []
        current: str | None = one
        while current is not None and current not in ordered and current not in known:
            chain.append(current)
            current = there[current].parent_id
        ordered |= dict.fromkeys(reversed(chain))
    return list(ordered)


def _fresh(designs: Iterable[Design], table: str) -> Iterator[str]:
    """Ids that no version has ever given."""
    if table == "types":
        return iter(())
    prefix = ID_PREFIX[table]
    first = max(int(one.new_ids(table, 1)[0][1:]) for one in designs)
    return (f"{prefix}{number}" for number in count(first))


def _free_type(one: str, record: Any, ours: Design, theirs: Design) -> str:
    """The id of a type of ours with the same facts, else the next that nobody has: "...-2"."""
    for number in count(2):
        wanted = f"{one}-{number}"
        if wanted not in theirs.types and ours.types.get(wanted, replace(record, id=wanted)) == replace(
            record, id=wanted
        ):
            return wanted
    raise AssertionError("numbers do not end")


def _is_alike(ours: Design, theirs: Design, table: str, record: Any, ids: Mapping[str, str]) -> bool:
    """Whether both sides added the same thing: the same record in the same place."""
    mine: Any = table_of(ours, table).get(record.id)
    if mine is None:
        return False
    if isinstance(record, Group):
        mine = replace(mine, is_collapsed=record.is_collapsed, layout=record.layout)
    if mine != record:
        return False
    places = ours.placements.get(record.id), theirs.placements.get(record.id)
    return places[0] == (rewritten(places[1], ids) if places[1] is not None else None)


def _by_ends(before: _Before) -> dict[frozenset[Any], str]:
    """Links that ours added, by the ports that they join: a link of theirs between the same ports is the same link."""
    known = before.of_ours("links")
    return {frozenset((link.a, link.b)): one for one, link in before.ours.links.items() if one not in known}


def _under(base: Design, theirs: Design, ids: Mapping[str, str]) -> Design:
    """The design under other ids."""
    if not ids:
        return theirs
    pairs = ((one, rewritten(one, ids)) for one in _may_refer(base, theirs, ids) if not isinstance(one, Settings))
    other = [(one, new) for one, new in pairs if new is not one]
    moved = [(one, new) for one, new in other if one.id != new.id]
    made = theirs.snapshot()
    changes = (
        *removed(one for one, _ in moved),
        *(Change(one, new) for one, new in other if one.id == new.id),
        *added(new for _, new in moved),
    )
    made.apply(Edit("Renumber", changes))
    return made


def _may_refer(base: Design, theirs: Design, ids: Mapping[str, str]) -> Iterator[Entity]:
    """What may have one of these ids, or refer to one: not what the base has just so, if it has none of them."""
    are_new = all(base.entity(one) is None for one in ids)
    before = {table: table_of(base, table) for table in _WHOLE_REFERENCES} if are_new else {}
    for one in theirs.entities():
        table = TABLE_OF[type(one)]
        if table not in before or before[table].get(one.id) is not one:
            yield one


# -- names ------------------------------------------------------------------------------------------------------------


def _distinct_names(before: _Before, theirs: Design) -> tuple[list[Change], list[Renumbered]]:
    """Names counted up that theirs newly assigned, where ours gave them to something else."""
    changes: list[Change] = []
    rows: list[Renumbered] = []
    for table in _NAMED:
        mine = _newly_named(before.of_ours(table), table_of(before.ours, table))
        there = _newly_named(before.of_theirs(table), table_of(theirs, table))
        # What both sides called so, or theirs called so twice, is no clash between the two.
        both = [(name, some, mine[name]) for name, some in there.items() if name in mine and mine[name] - some]
        clashing = [(one, name) for name, some, ours_named in both for one in in_order(some - ours_named)]
        if not clashing:
            continue
        names = Names([one.name for design in (before.ours, theirs) for one in table_of(design, table).values()])
        for one, name in clashing:
            record = table_of(theirs, table)[one]
            new = names.unique(name)
            changes.append(Change(record, replace(record, name=new)))
            rows.append(Renumbered(table, one, NAME, name, new))
    return changes, rows


def _newly_named(before: Mapping[str, Any], records: Mapping[str, Any]) -> dict[str, set[str]]:
    """Ids by the name that they have now and had not before."""
    named: dict[str, set[str]] = {}
    for one in in_order(records):
        name, was = records[one].name, before.get(one)
        if name and (was is None or was.name != name):
            named.setdefault(name, set()).add(one)
    return named


# -- numbers of cables ------------------------------------------------------------------------------------------------


def _distinct_cables(before: _Before, theirs: Design) -> tuple[list[Change], list[Renumbered]]:
    """Numbers above all others for cables of theirs, where ours gave their new number to another cable."""
    mine = _new_cables(before.of_ours("links"), before.ours)
    there = _new_cables(before.of_theirs("links"), theirs)
    last = max(max(one.settings.last_cable, *_numbers(one), 0) for one in before.designs)
    changes: list[Change] = []
    rows: list[Renumbered] = []
    for number in sorted(there.keys() & mine.keys()):
        if not there[number].isdisjoint(mine[number]):
            continue
        last += 1
        for one in in_order(there[number]):
            link = theirs.links[one]
            changes.append(Change(link, replace(link, cable=last)))
            rows.append(Renumbered("links", one, CABLE, str(number), str(last)))
    if changes:
        changes.append(Change(theirs.settings, replace(theirs.settings, last_cable=last)))
    return changes, rows


def _numbers(design: Design) -> Iterator[int]:
    yield 0
    for link in design.links.values():
        yield link.cable


def _new_cables(before: Mapping[str, Any], design: Design) -> dict[int, set[str]]:
    """Links by the number of their cable, of numbers that no cable that is still there had before."""
    there = ((link, before.get(one)) for one, link in design.links.items())
    known = {0, *(link.cable for link, was in there if was is not None and was.cable == link.cable)}
    found: dict[int, set[str]] = {}
    for one, link in design.links.items():
        if link.cable not in known:
            found.setdefault(link.cable, set()).add(one)
    return found
