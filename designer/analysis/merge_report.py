"""A merge as people read it: the changes coming in, the conflicts with their three versions, what was renumbered."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

from designer.analysis import record_texts
from designer.analysis.comparing import KINDS, Comparison, Difference, differences
from designer.analysis.counterparts.aligned import Alignment
from designer.analysis.counterparts.titles import title_of
from designer.model.annotation import Annotation
from designer.model.design import Design
from designer.model.entities import Placement
from designer.model.merging.conflicts import CHANGED, DELETED, EQUIPMENT, NESTED, TAKEN, Conflict
from designer.model.merging.incoming import CABLE, ID, NAME, Renumbered
from designer.model.merging.merging import Merge
from designer.model.merging.references import Key
from designer.model.merging.units import ABSENT, Unit, differing, differing_sets
from designer.model.merging.versions import OURS, THEIRS, Side, Versions, other
from designer.model.shown_text import visible_line
from designer.tables.columns import Column, Columns
from designer.units import format_counted

NAMED_MOST = 2
"""Records that a cell names; more are counted."""
_DELETED, _NOTHING = "deleted", "not there"
UNKNOWN = "unknown"
"""What the base has where there is none."""


@dataclass(frozen=True, slots=True)
class ConflictRow:
    """One conflict: what it is about, and what each version has there."""

    place: str
    kind: str
    name: str
    conflict: str
    what: str
    base: str
    ours: str
    theirs: str
    taken: Side
    decided: bool

    COLUMNS: ClassVar[Columns] = (
        Column("place", "Place"),
        Column("kind", "Kind"),
        Column("name", "Name", text=visible_line),
        Column("conflict", "Conflict"),
        Column("what", "What"),
        Column("base", "Base", text=visible_line),
        Column("ours", "Ours", text=visible_line),
        Column("theirs", "Theirs", text=visible_line),
        Column("taken", "Taken"),
        Column("decided", "Decided", text=lambda decided: "yes" if decided else "no"),
        Column("choice", "Choice", value=lambda row: row.taken if row.decided else "open", is_json=False),
    )


@dataclass(frozen=True, slots=True)
class RenumberedRow:
    """Something of theirs that got another id, name or cable number, since ours has that for something else."""

    kind: str
    name: str
    what: str
    before: str
    after: str

    COLUMNS: ClassVar[Columns] = (
        Column("kind", "Kind"),
        Column("name", "Name", text=visible_line),
        Column("what", "What"),
        Column("before", "Before", text=visible_line),
        Column("after", "After", text=visible_line),
    )


@dataclass(frozen=True, slots=True)
class MergeReport:
    """All of it, in the order of lists."""

    comparison: Comparison
    """From ours to the merged design."""
    conflicts: tuple[ConflictRow, ...]
    renumbered: tuple[RenumberedRow, ...]

    @property
    def incoming(self) -> tuple[Difference, ...]:
        """The changes coming in."""
        return self.comparison.differences

    @property
    def open(self) -> tuple[ConflictRow, ...]:
        """The conflicts that nobody has decided."""
        return tuple(one for one in self.conflicts if not one.decided)

    @property
    def summary(self) -> str:
        """ "2 devices added; 3 conflicts, 1 of them decided; 4 things renumbered"."""
        parts = [self.comparison.summary if self.incoming else "nothing comes in"]
        if self.conflicts:
            n_decided = len(self.conflicts) - len(self.open)
            some = "all" if n_decided == len(self.conflicts) else str(n_decided)
            decided = "" if not n_decided else ", decided" if len(self.conflicts) == 1 else f", {some} of them decided"
            parts.append(format_counted(len(self.conflicts), "conflict") + decided)
        else:
            parts.append("no conflicts")
        if self.renumbered:
            parts.append(_n_new(self.renumbered))
        return "; ".join(parts)


def _n_new(rows: Iterable[RenumberedRow]) -> str:
    """How many ids, names and cable numbers are new: "2 new ids, 1 new name"."""
    counts = Counter(one.what for one in rows)
    return ", ".join(format_counted(counts[what], f"new {what}") for what in (ID, NAME, CABLE) if counts[what])


def report_of(merge: Merge) -> MergeReport:
    """What a merge would do, in words."""
    rows, counts = differences(merge.versions.ours, merge.made)
    conflicts = tuple(conflict_row(merge.versions, one) for one in merge.conflicts)
    alignment = Alignment(merge.made, len(merge.made.devices), 0, 0, {})
    return MergeReport(
        Comparison(rows, counts, alignment), conflicts, tuple(_renumbered(merge.versions, merge.renumbered))
    )


def conflict_row(versions: Versions, one: Conflict) -> ConflictRow:
    """The conflict in words."""
    table, entity_id = one.subject
    said = _SAID[one.kind](versions, one)
    subject_table = table if table != "placements" else _table_of_placed(versions, entity_id)
    return ConflictRow(
        one.place,
        KINDS[subject_table],
        _title(versions, (subject_table, entity_id)),
        said.conflict,
        said.what,
        said.base if versions.has_base else UNKNOWN,
        said.ours,
        said.theirs,
        one.taken,
        one.decided,
    )


@dataclass(frozen=True, slots=True)
class _Said:
    conflict: str
    what: str
    base: str
    ours: str
    theirs: str


def _sided(conflict: str, what: str, base: str, text: Callable[[Side], str]) -> _Said:
    return _Said(conflict, what, base, text(OURS), text(THEIRS))


def _said_changed(versions: Versions, one: Conflict) -> _Said:
    key = one.subject
    ours, theirs, base = versions.of(OURS, key), versions.of(THEIRS, key), versions.before(key)
    units = (*differing(ours, theirs), *differing_sets(ours, theirs)) if type(ours) is type(theirs) else ()
    unit = next((unit for unit in units if unit.name == one.unit), Unit("", ()))
    before = _unit_text(versions.base, base, unit) if base is not None else _NOTHING
    texts = {side: _unit_text(versions.design(side), versions.of(side, key), unit) for side in (OURS, THEIRS)}
    conflict = "added by both" if base is None else "rewired by both" if unit.name == "ends" else "changed by both"
    conflict = conflict if versions.has_base else "different"
    return _sided(conflict, _unit_title(unit), before, texts.__getitem__)


def _said_deleted(versions: Versions, one: Conflict) -> _Said:
    by = one.deleted_by or OURS
    keeper = other(by)
    done = [key for key in one.keys if versions.before(key) != versions.of(keeper, key)]
    names = [_done(versions, keeper, key, one.subject) for key in done if versions.of(keeper, key) is not None]
    if not versions.has_base:
        names = [_record_title(versions.design(keeper), versions.of(keeper, key)) for key in _one_sided(versions, one)]
        texts = {by: _NOTHING, keeper: _listed(list(dict.fromkeys(names)))}
        return _sided(f"only in {keeper}", "", UNKNOWN, texts.__getitem__)
    texts = {by: _DELETED, keeper: _listed(list(dict.fromkeys(names)))}
    record = versions.before(one.subject)
    base = _record_title(versions.base, record) if record is not None else ""
    return _sided("deleted and changed", "", base, texts.__getitem__)


def _one_sided(versions: Versions, one: Conflict) -> list[Key]:
    """What of a conflict only one side has, without places: these go with what they place."""
    missing = (key for key in one.keys if versions.of(OURS, key) is None or versions.of(THEIRS, key) is None)
    return [key for key in missing if key[0] != "placements"] or list(one.keys)


def _done(versions: Versions, side: Side, key: Key, subject: Key) -> str:
    """What a side did to a record: "leaf-1: name changed"."""
    record, before = versions.of(side, key), versions.before(key)
    name = _record_title(versions.design(side), record)
    if before is None:
        return f"{name} added"
    if type(record) is not type(before):
        return f"{name} changed"
    what = ", ".join(_unit_title(unit) for unit in differing(before, record)) or "tags"
    return f"{what} changed" if key == subject else f"{name}: {what} changed"


def _said_taken(versions: Versions, one: Conflict) -> _Said:
    def text(side: Side) -> str:
        there = [key for key in one.keys if versions.of(side, key) is not None]
        own = [key for key in there if versions.of(side, key) != versions.of(other(side), key)]
        return _listed([_holder(versions.design(side), versions.of(side, key)) for key in own])

    there = [key for key in one.keys if versions.before(key) is not None]
    base = _listed([_holder(versions.base, versions.before(key)) for key in there])
    return _sided(f"{one.unit} taken by both", "", base or _NOTHING, text)


def _said_equipment(versions: Versions, one: Conflict) -> _Said:
    device, links = one.subject, one.keys[1:]

    def text(side: Side) -> str:
        design, record = versions.design(side), versions.of(side, device)
        own = [key for key in links if versions.of(side, key) not in (None, versions.of(other(side), key))]
        names = [_record_title(design, versions.of(side, key)) for key in own]
        return _listed([_ports_text(design, record), *names]) if record is not None else _DELETED

    record = versions.before(device)
    base = _ports_text(versions.base, record) if record is not None else _NOTHING
    return _sided("ports used and changed", "ports", base, text)


def _said_nested(versions: Versions, one: Conflict) -> _Said:
    def inside(design: Design, record: Any) -> str:
        return f"{record.name} in {design.groups[record.parent_id].name}" if record.parent_id else ""

    def text(side: Side) -> str:
        records = (versions.of(side, key) for key in one.keys)
        return _listed([said for one in records if one is not None and (said := inside(versions.design(side), one))])

    records = (versions.before(key) for key in one.keys)
    base = _listed([said for one in records if one is not None and (said := inside(versions.base, one))])
    return _sided("groups in each other", "", base or "apart", text)


_SAID: dict[str, Callable[[Versions, Conflict], _Said]] = {
    CHANGED: _said_changed,
    DELETED: _said_deleted,
    TAKEN: _said_taken,
    EQUIPMENT: _said_equipment,
    NESTED: _said_nested,
}


# -- words ------------------------------------------------------------------------------------------------------------


def _unit_title(unit: Unit) -> str:
    if unit.entry is not ABSENT:
        return f"{record_texts.field_title(unit.fields[0]).removesuffix('s')} {unit.entry}"
    return "ends" if unit.name == "ends" else record_texts.field_title(unit.name) or "kind"


def _unit_text(design: Design, record: Any, unit: Unit) -> str:
    """What a version has for a unit."""
    if record is None:
        return _DELETED
    if unit.entry is not ABSENT:
        value = unit.of(record)
        return "none" if value is ABSENT or value is None else str(value)
    if unit.name == "ends":
        return title_of(design, record)
    if isinstance(record, Placement):
        return record_texts.rack_text(design, record) if unit.name == "rack unit" else record_texts.canvas_text(record)
    if unit.name == "size" and isinstance(record, Annotation):
        return record_texts.size_text(record)
    if unit.name == "tip":
        return record_texts.tip_text(record)
    if unit.name == "place":
        return record_texts.floor_text(record)
    if unit.name == "length":
        return f"{record.length_m:.10g} m, {record.length_source or 'source unknown'}" if record.length_m else "not set"
    texts = [record_texts.value_text(design, record, name) for name in unit.fields if not name.endswith("_source")]
    return ", ".join(text for text in texts if text) or "none"


def _holder(design: Design, record: Any) -> str:
    if isinstance(record, Placement):
        placed = design.entity(record.id)
        name = title_of(design, placed) if placed is not None else record.id
        return f"{name} in {record_texts.rack_text(design, record)}"
    return _record_title(design, record)


def _ports_text(design: Design, device: Any) -> str:
    type_ = design.types.get(device.type_id)
    mode = f", {device.port_mode}" if device.port_mode else ""
    return f"{getattr(type_, 'model', device.type_id)}{mode}"


def _record_title(design: Design, record: Any) -> str:
    if isinstance(record, Placement):
        placed = design.entity(record.id)
        return f"place of {title_of(design, placed) if placed is not None else record.id}"
    return title_of(design, record)


def _title(versions: Versions, key: Key) -> str:
    """The name of a record, as ours has it if it does."""
    for design, record in (
        (versions.ours, versions.of(OURS, key)),
        (versions.theirs, versions.of(THEIRS, key)),
        (versions.base, versions.before(key)),
    ):
        if record is not None:
            return _record_title(design, record)
    return key[1]


def _table_of_placed(versions: Versions, entity_id: str) -> str:
    keys = [(table, entity_id) for table in ("devices", "racks", "annotations")]
    sides = (OURS, THEIRS)
    return next((key[0] for key in keys if any(versions.of(side, key) is not None for side in sides)), "devices")


def _listed(names: list[str]) -> str:
    """The first of them by name, the rest counted."""
    if len(names) <= NAMED_MOST:
        return ", ".join(names)
    return f"{', '.join(names[:NAMED_MOST])} and {len(names) - NAMED_MOST} more"


def _renumbered(versions: Versions, found: Iterable[Renumbered]) -> Iterable[RenumberedRow]:
    for one in found:
        record = versions.of(THEIRS, (one.table, one.id))
        name = _record_title(versions.theirs, record)
        yield RenumberedRow(KINDS[one.table], name, one.what, one.before, one.after)
