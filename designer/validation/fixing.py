"""Applying the fixes of findings one after another, each made against the design as the ones before left it."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass

from designer.catalog.catalog import delivered
from designer.model.design import Design
from designer.model.edit import Edit, joined
from designer.model.entities import Device, Entity, Link, Module, Placement, Rack
from designer.placement.following import with_cables
from designer.validation.engine import RULES, validate
from designer.validation.findings import Finding, Report, Severity

ROUNDS_MOST = 10_000
WAVES_MOST = 3
"""How often a fix is tried that was refused, after others were applied."""
UNUSED_WAIVER = "DOC-001"
TOLERANCE = 1e-9


@dataclass(frozen=True, slots=True)
class Fixed:
    """What came of fixing: the edit, the fixes in their order, and the findings that no fix was applied to."""

    edit: Edit
    fixes: tuple[tuple[str, str], ...]
    """Code of the rule and label of the fix."""
    n_wanted: int
    """Findings of those rules that there were."""
    left: tuple[Finding, ...]
    """Open findings of the rules in the end."""

    @property
    def sentence(self) -> str:
        """ "12 of 14 findings fixed; 2 have no fix"."""
        return self._with_rest(f"{self.n_fixed:,} of {self.n_wanted:,} findings fixed")

    @property
    def prospect(self) -> str:
        """The same before it is applied: "Fixes 12 of 14 findings; 2 have no fix"."""
        return self._with_rest(f"Fixes {self.n_fixed:,} of {self.n_wanted:,} findings")

    @property
    def n_fixed(self) -> int:
        """How many findings it removes."""
        return max(0, self.n_wanted - len(self.left))

    def _with_rest(self, done: str) -> str:
        verb = "has" if len(self.left) == 1 else "have"
        return f"{done}; {len(self.left):,} {verb} no fix that can be applied" if self.left else done


def fixed(
    design: Design, codes: Collection[str] | None = None, progress: Callable[[float], None] | None = None
) -> Fixed:
    """The edit that fixes every open finding of these rules, or of all rules, where that raises no error or warning.

    The design stays as it is. `progress` hears the share of findings done, before each rule that is checked, and may
    raise Cancelled.
    """
    done = 0.0

    def hear(_share: float) -> None:
        if progress is not None:
            progress(done)

    made = design.snapshot()
    report = validate(made, hear)
    wanted = [one for one in report.open if codes is None or one.code in codes]
    edits: list[Edit] = []
    fixes: list[tuple[str, str]] = []
    refused: set[tuple[str, str, tuple[str, ...]]] = set()
    n_waves, at_refusal = 1, 0
    for _ in range(ROUNDS_MOST):
        chosen = next(_fixable(report, codes, refused), None)
        if chosen is None or chosen.fix is None:
            if n_waves == WAVES_MOST or len(fixes) == at_refusal or not refused:
                break
            n_waves, at_refusal = n_waves + 1, len(fixes)  # what was refused may be fine now that others are fixed
            refused.clear()
            continue
        fix = completed(made, chosen.fix)
        tried = made.snapshot()
        tried.apply(fix)
        after = validate(tried, hear)
        if is_worse(report, after, chosen, _near(made, fix)):
            refused.add((chosen.code, chosen.aspect, chosen.subjects))
            continue
        made, report = tried, after
        edits.append(fix)
        fixes.append((chosen.code, fix.label))
        done = min(1.0, len(fixes) / len(wanted)) if wanted else 1.0
    left = tuple(one for one in report.open if codes is None or one.code in codes)
    return Fixed(joined("Fix findings", edits), tuple(fixes), len(wanted), left)


def completed(design: Design, fix: Edit) -> Edit:
    """The fix with the lengths and media of the cables whose ends it moves, as when they are moved by hand."""
    return with_cables(design, fix, delivered().types)


def _fixable(
    report: Report, codes: Collection[str] | None, refused: Collection[tuple[str, str, tuple[str, ...]]]
) -> Iterator[Finding]:
    for finding in report.open:
        is_wanted = codes is None or finding.code in codes
        if finding.fix is not None and is_wanted and (finding.code, finding.aspect, finding.subjects) not in refused:
            yield finding


def _near(design: Design, fix: Edit) -> frozenset[str]:
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


def is_worse(before: Report, after: Report, chosen: Finding, near: Collection[str] = ()) -> bool:
    """Whether a fix of the chosen finding makes anything worse, or does nothing for it.

    Each finding afterwards has to be one that was there before, or what is left of one: about the same things or fewer
    of them, with no worse figure, each for one of its own; what is left of the chosen one has to be less. Findings that
    only inform do not count, nor does a waiver that is no longer needed, nor what the chosen finding hid of the things
    that are `near` its fix.
    """
    hidden = next((rule.hides for rule in RULES if rule.code == chosen.code), ())
    there: dict[tuple[str, str], list[Finding]] = {}
    for one in before.findings:
        there.setdefault((one.code, one.aspect), []).append(one)
    came = [one for one in after.open if one.severity is not Severity.INFO and one.code != UNUSED_WAIVER]
    new = []
    for one in came:
        known = there.get((one.code, one.aspect), [])
        same = next((old for old in known if _facts(old) == _facts(one)), None)
        if same is None:
            new.append(one)
        else:
            known.remove(same)
            if same is chosen:
                return True
    for one in new:
        if one.code in hidden and not frozenset(near).isdisjoint(one.subjects):
            continue
        known = there.get((one.code, one.aspect), [])
        left = next(([old] for old in known if _is_left_of(one, old, chosen)), None) or _merged(one, known, chosen)
        if not left:
            return True
        for old in left:
            known.remove(old)
    return chosen.severity is Severity.INFO and any(_facts(one) == _facts(chosen) for one in after.open)


def _facts(one: Finding) -> tuple[object, ...]:
    return one.subjects, one.value, one.limit, one.message


def _is_left_of(one: Finding, old: Finding, chosen: Finding) -> bool:
    """Whether a finding is what is left of another: of the chosen one, less than all of it."""
    subjects, before = frozenset(one.subjects), frozenset(old.subjects)
    if not subjects <= before or _excess(one) > _excess(old) + TOLERANCE:
        return False
    return old is not chosen or subjects < before or _excess(one) < _excess(old) - TOLERANCE


def _merged(one: Finding, known: Sequence[Finding], chosen: Finding) -> list[Finding]:
    """The findings that became one, such as parts of a fabric that were cut off alike; none where it is not so.

    Each of them has to be further beyond the limit than what they became, and none may be the chosen one.
    """
    subjects = frozenset(one.subjects)
    parts = [old for old in known if subjects.issuperset(old.subjects) and _excess(one) < _excess(old) - TOLERANCE]
    is_whole = len(parts) > 1 and subjects == frozenset().union(*(old.subjects for old in parts))
    return parts if is_whole and chosen not in parts else []


def _excess(one: Finding) -> float:
    """How far beyond its limit a finding is; 0 without figures."""
    if not isinstance(one.value, int | float) or not isinstance(one.limit, int | float):
        return 0.0
    return abs(one.value - one.limit)
