"""Whether fixes make anything worse: the findings before them compared with those after."""

from collections import Counter
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass

from designer.model.design import Design
from designer.model.edit import Edit
from designer.model.entities import Device, Entity, Link, Module, Placement, Rack
from designer.validation.engine import RULES, validate
from designer.validation.findings import Finding, Report, Severity
from designer.validation.news import came

UNUSED_WAIVER = "DOC-001"
TOLERANCE = 1e-9


@dataclass(frozen=True, slots=True)
class TriedFix:
    """A fix that was applied, the finding that it is for, and what it is about."""

    finding: Finding
    fix: Edit
    near: frozenset[str] = frozenset()
    """Ids of what it changes and of what is next to that."""


def near_of(design: Design, fix: Edit) -> frozenset[str]:
    """Ids of what a fix changes, of the devices at the ends of its links and their groups, and of links of devices."""
    found: set[str] = set()
    for change in fix.changes:
        found.add(change.subject.id)
        for one in (change.before, change.after):
            if isinstance(one, Link):
                ends = [design.devices.get(end.device_id) for end in (one.a, one.b)]
                found.update(id_ for end in ends if end is not None for id_ in (end.id, end.group_id or end.id))
            for device_id in _devices_of(design, one):
                found.update(link.id for link in design.links_of(device_id))
    return frozenset(found)


def _devices_of(design: Design, one: Entity | None) -> list[str]:
    """The devices that a record is, belongs to, or holds."""
    if isinstance(one, Rack):
        return design.mounted(one.id)
    if isinstance(one, Device | Placement):
        return [one.id]
    return [one.device_id] if isinstance(one, Module) else []


def new_error(before: Design, after: Design) -> str:
    """The first error that a design has and the design before has not, not even about more or fewer of its subjects.

    "" where there is none.
    """
    known, errors = ([one for one in validate(of).open if one.severity is Severity.ERROR] for of in (before, after))
    return next((one.message for one in came(known, errors)), "")


class _Before:
    """The findings before the fixes: each stands for one finding afterwards."""

    def __init__(self, findings: Iterable[Finding]) -> None:
        self._alike: dict[object, dict[int, Finding]] = {}
        self._same: dict[object, list[Finding]] = {}
        for one in findings:
            self._alike.setdefault((one.code, one.aspect), {})[id(one)] = one
            self._same.setdefault((one.code, one.aspect, _facts(one)), []).append(one)

    def take_same(self, one: Finding) -> Finding | None:
        """The finding that says exactly the same, which then stands for no other; None where there is none."""
        same = self._same.get((one.code, one.aspect, _facts(one)))
        found = same.pop(0) if same else None
        if found is not None:
            self.take([found])
        return found

    def alike(self, one: Finding) -> list[Finding]:
        """The findings of that rule about the same kind of thing that stand for no other yet."""
        return list(self._alike.get((one.code, one.aspect), {}).values())

    def take(self, findings: Iterable[Finding]) -> None:
        """Let these stand for no other finding."""
        for one in findings:
            del self._alike[one.code, one.aspect][id(one)]


def is_worse(before: Report, after: Report, fixes: Sequence[TriedFix]) -> bool:
    """Whether fixes make anything worse, or one of them does nothing for its finding.

    Each finding afterwards has to be one that was there before, or what is left of one: about the same things or fewer
    of them, with no worse figure, each for one of its own; what is left of one that was fixed has to be less. Findings
    that only inform do not count, nor does a waiver that is no longer needed, nor what a fixed finding hid of the
    things that are near its fix.
    """
    chosen = {id(one.finding) for one in fixes}
    there = _Before(before.findings)
    new = []
    for one in after.open:
        if one.severity is Severity.INFO or one.code == UNUSED_WAIVER:
            continue
        same = there.take_same(one)
        if same is None:
            new.append(one)
        elif id(same) in chosen:
            return True
    hides = {rule.code: rule.hides for rule in RULES if rule.hides}
    for one in new:
        if any(one.code in hides.get(fix.finding.code, ()) and not fix.near.isdisjoint(one.subjects) for fix in fixes):
            continue
        known = there.alike(one)
        left = next(([old] for old in known if _is_left_of(one, old, chosen)), None) or _merged(one, known, chosen)
        if not left:
            return True
        there.take(left)
    stated = Counter((one.code, one.aspect, _facts(one)) for one in after.open if one.severity is Severity.INFO)
    return any(
        one.finding.severity is Severity.INFO and stated[one.finding.code, one.finding.aspect, _facts(one.finding)]
        for one in fixes
    )


def _facts(one: Finding) -> tuple[object, ...]:
    return one.subjects, one.value, one.limit, one.message


def _is_left_of(one: Finding, old: Finding, chosen: Set[int]) -> bool:
    """Whether a finding is what is left of another: of one that was fixed, less than all of it."""
    subjects, before = frozenset(one.subjects), frozenset(old.subjects)
    if not subjects <= before or excess(one) > excess(old) + TOLERANCE:
        return False
    return id(old) not in chosen or subjects < before or excess(one) < excess(old) - TOLERANCE


def _merged(one: Finding, known: Sequence[Finding], chosen: Set[int]) -> list[Finding]:
    """The findings that became one, such as parts of a fabric that were cut off alike; none where it is not so.

    Each of them has to be further beyond the limit than what they became, and none may be one that was fixed.
    """
    subjects = frozenset(one.subjects)
    parts = [old for old in known if subjects.issuperset(old.subjects) and excess(one) < excess(old) - TOLERANCE]
    is_whole = len(parts) > 1 and subjects == frozenset().union(*(old.subjects for old in parts))
    return parts if is_whole and not any(id(old) in chosen for old in parts) else []


def excess(one: Finding) -> float:
    """How far beyond its limit a finding is; 0 without figures."""
    if not isinstance(one.value, int | float) or not isinstance(one.limit, int | float):
        return 0.0
    return abs(one.value - one.limit)
