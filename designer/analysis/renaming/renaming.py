"""What many things would be called: a row for each, with what is wrong with it, and the edit where nothing is."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from designer.analysis.cable_numbers import cable_name
from designer.analysis.renaming.pattern import FIELDS, Facts, Pattern, read_pattern
from designer.analysis.renaming.replacing import Replace, replacing
from designer.analysis.tiers import listed_roles
from designer.errors import EditError, ParameterError
from designer.fields import kinds
from designer.fields.field import check, setting
from designer.fields.ranges import Range
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.entities import Device, Group, Link, Rack, order_key
from designer.model.naming import checked_name
from designer.model.networks import network_of_link, network_of_switch
from designer.tables.columns import Column, Columns
from designer.units import format_counted

Named = Device | Rack | Group | Link
NAMES_MOST = 1_000_000
ROW_GAP = 40.0
"""Canvas units between two rows of things as drawn; what is nearer stands in one row."""


@dataclass(frozen=True, slots=True)
class RenameOptions:
    """How names are made: the pattern first, then find and replace in what it gives."""

    pattern: str = setting(
        "{name}",
        title="Pattern",
        help="The names, with facts in braces, such as leaf-{su}-r{rail:02} or gpu-{n:03}: "
        + ", ".join(f"{{{one}}}" for one in FIELDS)
        + ".",
        kind=kinds.TEXT,
        metavar="PATTERN",
    )
    start: int = setting(1, title="Count from", help="The first {n}.", kind=kinds.COUNT, within=Range(0, NAMES_MOST))
    find: str = setting("", title="Find", help="Text to replace in every name.", kind=kinds.VERBATIM)
    replacement: str = setting(
        "", title="Replace with", help="What stands there instead.", kind=kinds.VERBATIM, option="--replace"
    )
    is_regular: bool = setting(
        False,
        title="Regular expression",
        help="Read the text to find as a regular expression; \\1 in the replacement is its first group.",
        kind=kinds.FLAG,
        option="--regular-expression",
    )
    ignores_case: bool = setting(
        False,
        title="Ignore case",
        help="Find small letters where capitals are given, and the other way around.",
        kind=kinds.FLAG,
        option="--ignore-case",
    )

    def __post_init__(self) -> None:
        check(self)


@dataclass(frozen=True, slots=True)
class NameRow:
    """One thing: what it is called and would be called; `fault` says why it cannot be, "" where it can."""

    id: str
    kind: str
    old: str
    new: str
    fault: str = ""

    COLUMNS = (
        Column("old", "Old name"),
        Column("new", "New name"),
        Column("fault", "Problem"),
    )


COLUMNS: Columns = NameRow.COLUMNS


@dataclass(frozen=True, slots=True)
class Renaming:
    """The rows in the order as drawn, and the edit; no edit where a row has a fault."""

    rows: tuple[NameRow, ...]
    edit: Edit | None

    @property
    def faults(self) -> tuple[NameRow, ...]:
        """The rows that cannot be."""
        return tuple(row for row in self.rows if row.fault)

    @property
    def n_changed(self) -> int:
        """How many names would be others."""
        return sum(row.old != row.new for row in self.rows)

    @property
    def summary(self) -> str:
        """ "32 of 40 names change."; "3 of 40 names cannot be used: leaf-01: 2 things would have this name"."""
        faults = self.faults
        if faults:
            first = faults[0]
            count = f"{len(faults):,} of {format_counted(len(self.rows), 'name')}"
            return f"{count} cannot be used; {first.new or first.old}: {first.fault}"
        return f"{self.n_changed:,} of {len(self.rows):,} names change" if self.n_changed else "No name changes"


def drawn_order(design: Design, ids: Iterable[str]) -> list[str]:
    """The things in the order in which a drawing is read: row by row from the top, in a row from the left.

    What has no place of its own, such as links, comes last in design order; a group stands where its first member does.
    """
    keys = [(_place(design, one), one) for one in dict.fromkeys(ids)]
    placed = sorted(((y, x, order_key(one), one) for (x, y), one in ((k, o) for k, o in keys if k is not None)))
    ordered: list[tuple[int, float, tuple[int, str], str]] = []
    row, last_y = 0, None
    for y, x, key, one in placed:
        if last_y is not None and y - last_y > ROW_GAP:
            row += 1
        last_y = y
        ordered.append((row, x, key, one))
    return [one for *_, one in sorted(ordered)] + sorted((one for k, one in keys if k is None), key=order_key)


def _place(design: Design, entity_id: str) -> tuple[float, float] | None:
    found = design.placements.get(entity_id)
    if found is not None:
        return found.x, found.y
    if entity_id in design.groups:
        places = [place for one in design.members(entity_id) if (place := _place(design, one)) is not None]
        return min(places, key=lambda place: (place[1], place[0]), default=None)
    return None


def renaming(design: Design, ids: Iterable[str], options: RenameOptions, names: Sequence[str] = ()) -> Renaming:
    """What the things would be called, in the order as drawn; NICs and line cards have no name and are left out.

    `names` stand for {name}, one for each in that order. Raises ParameterError for a pattern or an expression that
    cannot be read, for nothing to rename, and for another number of names than of things.
    """
    order = [one for one in drawn_order(design, ids) if isinstance(design.entity(one), Named)]
    if not order:
        raise ParameterError("select devices, racks, groups or links to rename first")
    if names and len(names) != len(order):
        raise ParameterError(
            f"{format_counted(len(names), 'name')} for {format_counted(len(order), 'thing')}: give one for each"
        )
    pattern = read_pattern(options.pattern or "{name}")
    replace_in = replacing(
        options.find, options.replacement, is_regular=options.is_regular, matches_case=not options.ignores_case
    )
    fact_of = _Facts(design)
    rows, alike = [], Counter[tuple[str, str]]()
    for number, entity_id in enumerate(order):
        thing: Any = design.entity(entity_id)
        old = thing.label if isinstance(thing, Link) else thing.name
        facts = {**fact_of(thing), "n": options.start + number}
        facts["name"] = names[number] if names else old
        facts["i"] = options.start
        if pattern.counts_alike:
            rest = type(thing).__name__, pattern.rest(facts)
            facts["i"] = options.start + alike[rest]
            alike[rest] += 1
        rows.append(_row(thing, old, pattern, facts, replace_in))
    rows = _collisions(design, rows)
    if any(row.fault for row in rows):
        return Renaming(tuple(rows), None)
    return Renaming(tuple(rows), _edit(design, rows))


def _row(thing: Named, old: str, pattern: Pattern, facts: Facts, replace_in: Replace) -> NameRow:
    kind = type(thing).__name__.lower()
    try:
        made = pattern.name(facts)
    except ParameterError as error:
        return NameRow(thing.id, kind, old, "", str(error))
    new = replace_in(made).strip()
    if new == old:
        return NameRow(thing.id, kind, old, new)
    try:
        if new or not isinstance(thing, Link):
            checked_name(new)
    except EditError as error:
        return NameRow(thing.id, kind, old, new, str(error).removeprefix("a name "))
    return NameRow(thing.id, kind, old, new)


def _collisions(design: Design, rows: Sequence[NameRow]) -> list[NameRow]:
    """The rows, with a fault where a new name is that of something else of its kind; labels of links may be alike."""
    chosen = {row.id for row in rows}
    tables: Mapping[str, Mapping[str, Any]] = {
        "device": design.devices,
        "rack": design.racks,
        "group": design.groups,
    }
    kinds_of = {row.kind for row in rows}
    taken = {
        kind: {one.name for one in table.values() if one.id not in chosen}
        for kind, table in tables.items()
        if kind in kinds_of
    }
    given = Counter((row.kind, row.new) for row in rows)
    found = []
    for row in rows:
        if row.fault or row.new == row.old or row.kind not in taken:
            found.append(row)
        elif row.new in taken[row.kind]:
            found.append(replace(row, fault=f"another {row.kind} has this name"))
        elif given[row.kind, row.new] > 1:
            found.append(replace(row, fault=f"{given[row.kind, row.new]:,} {row.kind}s would have this name"))
        else:
            found.append(row)
    return found


def _edit(design: Design, rows: Sequence[NameRow]) -> Edit:
    changes = []
    for row in rows:
        if row.new != row.old:
            thing: Any = design.entity(row.id)
            changes.append(Change(thing, replace(thing, **{"label" if row.kind == "link" else "name": row.new})))
    if len(changes) == 1:
        return Edit(f"Rename {rows[0].old} to {rows[0].new}" if len(rows) == 1 else "Rename 1 thing", tuple(changes))
    of_kind = {row.kind for row in rows}
    return Edit(
        f"Rename {format_counted(len(changes), of_kind.pop() if len(of_kind) == 1 else 'thing')}", tuple(changes)
    )


class _Facts:
    """What patterns ask of things; roles are found once."""

    def __init__(self, design: Design) -> None:
        self._design = design
        self._roles: dict[str, str] | None = None

    def __call__(self, thing: Named) -> dict[str, str | int | None]:
        if isinstance(thing, Device):
            return self._device(thing)
        if isinstance(thing, Link):
            return self._link(thing)
        group_id = thing.group_id if isinstance(thing, Rack) else thing.parent_id
        facts: dict[str, str | int | None] = {"kind": type(thing).__name__.lower(), "group": self._group(group_id)}
        if isinstance(thing, Rack):
            facts["type"] = getattr(self._design.types[thing.type_id], "model", thing.type_id)
        return facts

    def _device(self, device: Device) -> dict[str, str | int | None]:
        design = self._design
        if self._roles is None:
            self._roles = listed_roles(design)
        place = design.placements.get(device.id)
        rack_id = place.rack_id if place is not None else None
        is_switch = design.is_switch(device.id)
        return {
            "role": self._roles[device.id],
            "type": design.device_type(device.id).model,
            "kind": "switch" if is_switch else "server",
            "unit": device.unit,
            "su": device.unit,
            "rail": device.rail,
            "plane": device.plane,
            "network": network_of_switch(device) if is_switch else None,
            "rack": design.racks[rack_id].name if rack_id is not None else None,
            "u": place.unit if place is not None and rack_id is not None else None,
            "group": self._group(device.group_id),
        }

    def _link(self, link: Link) -> dict[str, str | int | None]:
        design = self._design
        medium = design.types.get(link.medium_id)
        return {
            "kind": "link",
            "type": medium.model if medium is not None else None,
            "network": network_of_link(design, link),
            "cable": cable_name(link.cable) or None,
            "a": design.device(link.a.device_id).name,
            "b": design.device(link.b.device_id).name,
        }

    def _group(self, group_id: str | None) -> str | None:
        return self._design.groups[group_id].name if group_id is not None else None


def read_names(text: str) -> tuple[str, ...]:
    """The names of a column that is pasted: one a line, the first cell of each; empty lines at the end are none."""
    lines = [line.split("\t")[0].strip() for line in text.splitlines()]
    while lines and not lines[-1]:
        lines.pop()
    return tuple(lines)
