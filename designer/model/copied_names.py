"""What copies are called: their names, the numbers of their scalable units, and the labels of their cables."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from designer.model.arranging import Member, parent_of
from designer.model.design import Design
from designer.model.entities import Device, Group, Link, Placement, Rack
from designer.model.naming import Names, natural, stem_of

_NUMBER = re.compile(r"[0-9]+")
UPPER_ROLES = "spine", "core"
_WORD = re.compile(r"[^\W\d_]*[\W_]*$")
"""The letters before a number, with what parts them from it: p of p1-leaf-r1, "SU " of SU 1."""


class Copied(Protocol):
    """What is copied: records that refer to nothing outside themselves."""

    @property
    def groups(self) -> tuple[Group, ...]:
        """Each after the one it lies in."""

    @property
    def racks(self) -> tuple[Rack, ...]:
        """In the order in which they are named."""

    @property
    def devices(self) -> tuple[Device, ...]:
        """In the order in which they are named."""

    @property
    def links(self) -> tuple[Link, ...]:
        """Those between the devices."""

    @property
    def placements(self) -> tuple[Placement, ...]:
        """Where devices and racks stand."""


@dataclass(frozen=True, slots=True)
class CopiedNames:
    """What is other in the copies, by the old."""

    names: Mapping[str, str]
    """By old id."""
    units: Mapping[str, int]
    """By old id, of devices whose groups come along."""
    labels: Mapping[str, str]
    """By old label."""


def copied_names(design: Design, copied: Copied) -> CopiedNames:
    """Names that nothing of its kind has yet, and labels that no cable has.

    Where all of a scalable unit is copied, the copy has the next free number. Names and labels in which the number
    stands follow it: p1-leaf-r1 is copied as p2-leaf-r1. Others are counted on.
    """
    onward = _onward(design, copied.devices)
    units = {one.id: onward.get(one.unit, one.unit) for one in copied.devices if one.unit is not None and one.group_id}
    following = _Following(design, copied, {old: new for old, new in onward.items() if old != new})
    return CopiedNames(_names(design, copied, following), units, _labels(design, copied.links, following))


def _onward(design: Design, devices: Iterable[Device]) -> dict[int, int]:
    """By old number, the scalable units of devices whose groups come along, counted on where all of a unit does.

    A unit of which more stands in the design stays the same: a part of it was copied.
    """
    moved = {one.id: one.unit for one in devices if one.unit is not None and one.group_id is not None}
    if not moved:
        return {}
    taken = {one.unit for one in design.devices.values()}
    parted = {one.unit for one in design.devices.values() if one.unit is not None and one.id not in moved}
    onward: dict[int, int] = {}
    for unit in sorted(set(moved.values()) - parted):
        new = unit
        while new in taken:
            new += 1
        taken.add(new)
        onward[unit] = new
    return onward


class _Following:
    """Which of the copied is in a unit that gets another number, and names that follow it."""

    def __init__(self, design: Design, copied: Copied, onward: Mapping[int, int]) -> None:
        self._onward = onward
        self._of: dict[str, int] = {}
        """By id, the unit of devices and of the racks and groups that hold those of one unit alone."""
        self._names: dict[tuple[type, int], UnitNames] = {}
        if not onward:
            return
        self._number(copied)
        mine: dict[tuple[type, int], list[str]] = {}
        equipment: tuple[Device | Rack, ...] = (*copied.devices, *copied.racks)
        for one in equipment:
            if one.id in self._of:
                mine.setdefault((type(one), self._of[one.id]), []).append(one.name)
        inside = {one.id for one in copied.devices}
        loose = (one for one in design.devices.values() if one.id not in inside)
        # What is loose next to the unit, as its management switch, may be named like it; spines serve all units.
        outside = [one.name for one in loose if one.unit is not None or one.role in UPPER_ROLES]
        for (kind, unit), names in mine.items():
            of_other_kind = mine.get((Rack if kind is Device else Device, unit), [])
            self._names[kind, unit] = UnitNames(unit, names, of_other_kind, outside)

    def _number(self, copied: Copied) -> None:
        held: dict[str, set[int | None]] = {}
        parents = {one.id: one.parent_id for one in copied.groups}
        in_rack = {one.id: one.rack_id for one in copied.placements if one.rack_id}
        for device in copied.devices:
            if device.unit is None or device.group_id is None:
                continue
            self._of[device.id] = device.unit
            if device.id in in_rack:
                held.setdefault(in_rack[device.id], set()).add(device.unit)
            group: str | None = device.group_id
            while group is not None:
                held.setdefault(group, set()).add(device.unit)
                group = parents.get(group)
        alone = {one: units.pop() for one, units in held.items() if len(units) == 1}
        # What states no unit is in that of what it stands in.
        members: tuple[Member, ...] = (*copied.groups, *copied.racks, *copied.devices)
        for member in members:
            around = alone.get(parent_of(member) or "")
            unit = self._of.get(member.id, alone.get(member.id, around))
            if unit is not None and unit in self._onward:
                self._of[member.id] = unit
            else:
                self._of.pop(member.id, None)

    def name(self, member: Member) -> str:
        """The name with the new number of its unit; "" where no number of a unit stands in it, or that stays."""
        unit = self._of.get(member.id)
        new = self._following(type(member), unit, member.name)
        stem = stem_of(member.name)
        if not new and isinstance(member, Group) and unit is not None and member.name[len(stem) :] == str(unit):
            return f"{stem}{self._onward[unit]}"
        return new

    def label(self, link: Link) -> str:
        """The same of the label of a link in one unit."""
        units = {self._of.get(end.device_id) for end in (link.a, link.b)}
        return self._following(Device, units.pop(), link.label) if len(units) == 1 else ""

    def _following(self, kind: type, unit: int | None, text: str) -> str:
        # Groups within a unit, as "SU 1 storage", are named like the devices in them.
        names = self._names.get((Device if kind is Group else kind, unit)) if unit is not None else None
        return "" if names is None or unit is None else names.onward(text, self._onward[unit])


class UnitNames:
    """Where the number of a scalable unit stands in the names of one kind in it, as devices: p1-leaf-r1, p1-gpu-01.

    It stands behind one word that is followed by no other number in any of them; names of other kinds in the unit count
    where several words are. A number that ends a name counts there, unless several names end in it. Numbers in names
    outside, as in dc1-spine-1, are not the unit's.
    """

    def __init__(self, number: int, names: Sequence[str], of_other_kind: Iterable[str], outside: Iterable[str]) -> None:
        self._number = str(number)
        self._outside = {prefix for name in outside for prefix, _ in self._places(name)}
        runs = ((name, run) for name in names for run in _NUMBER.finditer(name))
        others = {_word(name[: run.start()]) for name, run in runs if not self._is_unit(run[0])}
        words = (_word(prefix) for name in (*names, *of_other_kind) for prefix, _ in self._places(name))
        self._words = Counter(word for word in words if word not in others)
        chosen = {_word(place[0]) for name in names if (place := self._place(name)) is not None}
        self._words = Counter({word: count for word, count in self._words.items() if word in chosen})

    def onward(self, name: str, number: int) -> str:
        """The name with another number of the unit; "" where it states none."""
        place = self._place(name)
        if place is None:
            return ""
        prefix, digits = place
        return f"{prefix}{number:0{len(digits)}d}{name[len(prefix) + len(digits) :]}"

    def _place(self, name: str) -> tuple[str, str] | None:
        """What stands before the unit's number in a name, and its digits: of the word that most names have."""
        found: tuple[str, str] | None = None
        most = 0
        for prefix, digits in self._places(name):
            count = self._words[_word(prefix)]
            is_count = len(prefix) + len(digits) == len(name) and count < 2
            if count > most and not is_count and prefix not in self._outside:
                found, most = (prefix, digits), count
        return found

    def _places(self, name: str) -> Iterator[tuple[str, str]]:
        """What stands before each number in a name that is the unit's, and the digits."""
        return ((name[: run.start()], run[0]) for run in _NUMBER.finditer(name) if self._is_unit(run[0]))

    def _is_unit(self, digits: str) -> bool:
        """Whether that is the unit's number; there may be too many digits for `int`."""
        return (digits.lstrip("0") or "0") == self._number


def _word(prefix: str) -> str:
    """What a number stands behind, of what comes before it."""
    found = _WORD.search(prefix)
    return found[0] if found is not None else ""


def _names(design: Design, copied: Copied, following: _Following) -> dict[str, str]:
    """A name that nothing of its kind has yet, by old id: with the new number of its unit, else counted on."""
    named: dict[str, str] = {}
    here: list[tuple[Sequence[Member], Iterable[Member]]] = [
        (copied.groups, design.groups.values()),
        (copied.racks, design.racks.values()),
        (copied.devices, design.devices.values()),
    ]
    for copies, present in here:
        names = Names(one.name for one in present)
        named.update((one.id, names.unique(following.name(one) or one.name)) for one in copies)
    return named


def _labels(design: Design, links: Sequence[Link], following: _Following) -> dict[str, str]:
    """By old label of a cable the copy's: no two cables may have one, and links in one cable share theirs.

    A label that no cable here has stays. One with the number of the unit follows it, and a series, as UP-01 and UP-02,
    is counted on. Others are left empty.
    """
    of_label = {one.label: one for one in links if one.label}
    if not of_label:
        return {}
    taken = {one.label for one in design.links.values()}
    labels: dict[str, str] = {}
    given = set(taken)
    for old in sorted(of_label, key=lambda old: old in taken):
        new = following.label(of_label[old]) if old in taken else old
        labels[old] = "" if new in given else new
        given.add(new)
    names = Names(given)
    counted = Counter(stem_of(old) for old in of_label if stem_of(old) != old)
    for old in sorted(of_label, key=natural):
        if not labels[old] and counted[stem_of(old)] > 1:
            labels[old] = names.unique(old)
    return labels
