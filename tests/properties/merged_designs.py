"""What must hold of every merge, calculated from the files of the versions and not from the merge's own parts."""

import json
from collections import Counter
from random import Random

from random_edits import VERBS, Story

from designer.model.design import Design
from designer.model.equipping import height
from designer.model.hardware.servers import ServerType
from designer.model.hardware.switches import SwitchType
from designer.model.merging.merging import Merge, merge
from designer.storage.document import decode, encode
from designer.storage.shared import SharedRows

LEFT_OUT = (Story.undo, Story.redo, Story.reopen, Story.waive, Story.withdraw, Story.fix)
EDITS = tuple(verb for verb in VERBS if verb not in LEFT_OUT)
LAYOUT = {"x", "y", "locked", "is_locked", "layout", "is_collapsed", "collapsed_roles"}
SETS = {"tags", "carries", "reserved_ports", "last_cable"}
ENTRIES = {"fields", "cage_modes", "reserved_for", "policy"}


class Editor(Story):
    """Edits at random without looking at findings."""

    def __init__(self, random: Random, catalog, start: Design | None = None) -> None:
        super().__init__(random, catalog, start, has_findings=False)

    def edit(self, count: int) -> Design:
        """The design after some edits, as its file has it."""
        for _ in range(count):
            self.attempt(self.random.choice(EDITS).__get__(self))
        return decode(encode(self.design))


WITH_PORTS = {"a", "b", "type_id", "port_mode", "slot", "rack_id", "unit", "side", "parent_id"}
"""What may be decided with the ports, slots or rack units that it takes."""


def rows(design: Design):
    """The records of the file by table and id, as JSON."""
    file = json.loads(encode(design))
    found = {("settings", "settings"): file.get("settings", {})}
    for table, records in file.items():
        if isinstance(records, list):
            of = "types" if table.endswith("_types") else table
            found |= {(of, one["id"]): one for one in records}
    return found


def doubled(design: Design) -> Counter:
    """What more than one record has: ports, slots and rack units."""
    places = Counter()
    for link in design.links.values():
        places.update({link.a, link.b})
    places.update((one.device_id, one.slot) for one in design.modules.values())
    for one in design.placements.values():
        if one.rack_id is not None and one.unit is not None and one.id in design.devices:
            units = height(design.device_type(one.id))
            places.update((one.rack_id, unit) for unit in range(one.unit, one.unit + units))
    return Counter({place: n for place, n in places.items() if n > 1})


def check(base: Design, ours: Design, theirs: Design) -> Merge:
    """Merge, and hold the outcome to what the three files say."""
    mine, their_file = encode(ours), encode(theirs)
    found = merge(base, ours, theirs)
    assert encode(ours) == mine and encode(theirs) == their_file, "a merge performed its edit instead of returning it"
    shared = SharedRows()
    together = merge(*(decode(one, shared=shared) for one in (encode(base), mine, their_file)))
    assert encode(together.made) == _check_edit(found, ours, mine) and together.renumbered == found.renumbered
    for prefer in ("ours", "theirs"):
        settled = merge(base, ours, theirs, prefer=prefer)
        assert not settled.open
        _check_edit(settled, ours, mine)
    mixed = {one.place: ("ours", "theirs")[number % 2] for number, one in enumerate(found.conflicts, len(mine))}
    _check_edit(merge(base, ours, theirs, choices=mixed), ours, mine)
    _check_fields(found, base, ours)
    _check_deleted(found, base, ours)
    return found


def check_without_base(ours: Design, theirs: Design) -> None:
    """Merge two designs that nobody knows the base of, and hold the outcome to what the two files say."""
    file, mine, found = encode(ours), rows(ours), merge(None, ours, theirs)
    assert encode(merge(None, ours, theirs, prefer="ours").made) == _check_edit(found, ours, file)
    made, there = rows(found.made), rows(found.versions.theirs)
    for key, record in mine.items():
        kept = {name: value for name, value in made[key].items() if name != "last_cable"}
        assert kept == {name: value for name, value in record.items() if name != "last_cable"}, key
    assert {key[0] for key in made.keys() - mine.keys()} <= {"types", "annotation_styles", "revisions"}
    _check_edit(merge(None, ours, theirs, prefer="theirs"), ours, file)
    about = {key for one in found.conflicts for key in one.keys}
    for key in mine.keys() ^ there.keys():
        if key[0] not in ("types", "annotation_styles", "revisions"):
            assert key in about or key[0] in ("placements", "modules", "links"), f"{key} is only on one side"


def _check_edit(found: Merge, ours: Design, our_file: bytes) -> bytes:
    """Returns the file of what is made."""
    made = ours.snapshot()
    made.apply(found.edit)
    file = encode(made)
    assert file == encode(found.made)
    assert encode(decode(file)) == file
    made.apply(found.edit.inverted())
    assert encode(made) == our_file
    allowed = {**doubled(ours), **doubled(found.versions.theirs)}
    new = {place for place in doubled(found.made) if place not in allowed}
    if _is_any_taller(ours, found.versions.theirs):  # what follows from that for racks is a finding
        new = {place for place in new if not (isinstance(place, tuple) and isinstance(place[1], int))}
    assert not new, f"two records share {new}"
    return file


def _is_any_taller(ours: Design, theirs: Design) -> bool:
    """Whether devices are of another height on the other side, by a type or by the facts of one."""
    types = ((type_, theirs.types.get(one)) for one, type_ in ours.types.items())
    devices = ((ours.device_type(one), theirs.device_type(one)) for one in ours.devices if one in theirs.devices)
    pairs = [pair for pair in (*types, *devices) if all(isinstance(one, SwitchType | ServerType) for one in pair)]
    return any(height(one) != height(other) for one, other in pairs)


def _check_fields(found: Merge, base: Design, ours: Design) -> None:
    """What one side changed is taken; what both changed differently is a conflict; there are no others."""
    before, mine, theirs, made = rows(base), rows(ours), rows(found.versions.theirs), rows(found.made)
    about = {key for one in found.conflicts for key in one.keys}
    conflicting = {key for one in found.conflicts if one.kind == "changed" for key in one.keys}
    contradicted = set()
    for key in before.keys() & mine.keys() & theirs.keys():
        was, one, other = before[key], mine[key], theirs[key]
        for name in {**was, **one, **other}:
            values = was.get(name), one.get(name), other.get(name)
            if name in LAYOUT | SETS | ENTRIES or _is_calculated(name, one, other):
                continue
            if values[1] != values[2] and values[0] not in values[1:]:
                assert key in about, (key, name, values)
                if name not in WITH_PORTS:
                    contradicted.add(key)
            elif key not in about and key in made:
                taken = values[2] if values[1] == values[0] else values[1]
                assert made[key].get(name) == taken or _follows(name, values), (key, name, values)
    assert contradicted <= conflicting, contradicted - conflicting
    for key in conflicting:
        assert _differ_anyhow(before.get(key), mine[key], theirs[key]), key


def _is_calculated(name, *versions) -> bool:
    if name in ("length_m", "length_source"):
        return all(one.get("length_source", "") not in ("typed", "") or one.get("length_m") is None for one in versions)
    return name in ("medium_id", "medium_source")


def _follows(name, values) -> bool:
    """Fields that change with others of their unit, or with what they refer to."""
    return name in ("group_id", "parent_id", "rack_id", "unit", "side", "a", "b", "servers", "pinned_to") and (
        values[1] != values[2]
    )


def _differ_anyhow(was, one, other) -> bool:
    """Fields of one unit that each side changed another of, or entries of one field, or what both sides added."""
    return one != other and (was is None or was not in (one, other))


def _check_deleted(found: Merge, base: Design, ours: Design) -> None:
    """What one side deleted and nobody else touched is gone; what both sides kept is there."""
    before, mine, theirs, made = rows(base), rows(ours), rows(found.versions.theirs), rows(found.made)
    about = {key for one in found.conflicts for key in one.keys}
    for key in before:
        if key[0] == "types" or key in about:
            continue
        in_both = key in mine and key in theirs
        if in_both:
            assert key in made or _rests_on(key, about, before), f"{key} got lost"
        elif before[key] in (mine.get(key), theirs.get(key)):
            assert key not in made or _rests_on(key, about, before), f"{key} came back"
    for side, other in ((mine, theirs), (theirs, mine)):
        for key in side.keys() - before.keys():
            if key not in about and key not in other:
                assert key in made or _rests_on(key, about, side), f"new {key} got lost"


def _rests_on(key, about, there) -> bool:
    """Whether the record is of something that a conflict is about."""
    text = json.dumps(there[key])
    return any(f'"{one}"' in text or f'"{one} ' in text or f'"{one}:' in text for _table, one in about)
