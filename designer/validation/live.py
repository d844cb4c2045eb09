"""Findings that are kept up to date edit by edit: `validate` of the design as it stands, without checking it all."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import copy

from designer.model.design import Design
from designer.model.edit import Edit
from designer.model.entities import Placement
from designer.validation.engine import guarded_findings, reported, rules_under
from designer.validation.findings import Finding, NotChecked, Report
from designer.validation.inspection import Inspection
from designer.validation.known_tiers import KnownTiers
from designer.validation.part import Part
from designer.validation.rule import Rule
from designer.validation.scope import PLACEMENTS, Tally
from designer.validation.touched import Near, Touched, touched_by

MOST_PARTS = 2_000
"""An edit that touches more is checked with all the rest: that takes no longer, and not in the window's thread."""

Whole = Mapping[str, tuple[Finding | NotChecked, ...]]
"""What rules found in a whole design, by code."""
Progress = Callable[[float], None]


class _ByPart:
    """What a rule of local scope found, by the id of the part that it looked at, and what it tallied."""

    def __init__(self, rule: Rule) -> None:
        self.rule = rule
        self.found: dict[str, list[Finding | NotChecked]] = {}
        self._tallied: dict[object, set[str]] = {}

    def take(self, inspection: Inspection) -> None:
        """Adds what the rule states of all parts that the inspection hands it."""
        for stated in self.rule.check(inspection, self.rule):
            if isinstance(stated, Tally):
                self._tallied.setdefault(stated.key, set()).add(inspection.at)
            else:
                self.found.setdefault(inspection.at, []).append(stated)

    def copy(self) -> "_ByPart":
        """One that goes on by itself."""
        made = _ByPart(self.rule)
        made.found = dict(self.found)
        made._tallied = {key: set(parts) for key, parts in self._tallied.items()}
        return made

    def drop(self, parts: set[str]) -> None:
        """Forgets what it stated of these parts."""
        for part in parts:
            self.found.pop(part, None)
        for key in list(self._tallied):
            self._tallied[key] -= parts
            if not self._tallied[key]:
                del self._tallied[key]

    def stated(self) -> Iterator[Finding | NotChecked]:
        """All that it found, and what it did not check."""
        for found in self.found.values():
            yield from found
        yield from self.rule.summary(Counter({key: len(parts) for key, parts in self._tallied.items()}))


class Live:
    """The findings of a design. `follow` goes on with it after an edit; `pending` rules then wait for `check_whole`.

    Made in a worker or not, it belongs to one thread at a time.
    """

    def __init__(self, design: Design, progress: Progress = lambda _share: None) -> None:
        self.revision = design.revision
        rules = rules_under(design.policy)
        inspection = Inspection(design)
        self._tiers = KnownTiers(design)
        self._local = [_ByPart(rule) for rule in rules if rule.scope.is_local]
        self._whole_rules = {rule.code: rule for rule in rules if not rule.scope.is_local}
        self.pending: frozenset[str] = frozenset()
        """Codes of rules whose findings may be out of date."""
        for number, one in enumerate(self._local):
            progress(number / len(rules))
            one.take(inspection)
        self._whole = dict(_checked(self._whole_rules.values(), inspection, progress, len(self._local)))

    def snapshot(self) -> "Live":
        """One that knows the same and goes on by itself, for another thread."""
        made = copy(self)
        made._tiers = self._tiers.copy()
        made._local = [one.copy() for one in self._local]
        made._whole = dict(self._whole)
        return made

    def follow(self, design: Design, edit: Edit) -> bool:
        """Goes on with the design after one edit: rules of local scope look at what it touches.

        False, and of no more use, where the edit changes too much for that: then make another.
        """
        if design.revision != self.revision + 1:
            return False
        if len(edit.changes) > MOST_PARTS and edit.kinds != {Placement}:
            return False
        touched = touched_by(design, edit)
        if touched.is_everything:
            return False
        for device_id in self._tiers.follow(design, edit):
            touched.links.update(one for ids in design.used_ports(device_id).values() for one in ids)
        if len(touched.parts) > MOST_PARTS:
            return False
        self.revision = design.revision
        self._check_parts(design, touched)
        for code, rule in self._whole_rules.items():
            if touched.tables.intersection(rule.reads) or _has_moved(rule, self._whole[code], touched.moved):
                self.pending |= {code}
        for code in self.pending:
            self._whole[code] = tuple(_still_there(design, self._whole[code]))
        return True

    def _check_parts(self, design: Design, touched: Touched) -> None:
        part, near = Part(design, self._tiers.tier), Near(design, touched)
        parts = touched.parts
        for one in self._local:
            moved = {at for at, found in one.found.items() if _has_moved(one.rule, found, touched.moved)}
            if moved or touched.tables.intersection(one.rule.reads):
                part.parts = parts.union(moved, (known for known in one.found if known in near))
                one.drop(part.parts)
                one.take(part)

    def report(self, design: Design) -> Report:
        """What is known of the design that was followed, findings of pending rules as they were."""
        findings: list[Finding] = []
        not_checked: list[NotChecked] = []
        for stated in (*(one.stated() for one in self._local), *self._whole.values()):
            for each in stated:
                if isinstance(each, NotChecked):
                    not_checked.append(each)
                else:
                    findings.append(each)
        return reported(design, findings, not_checked)

    def take(self, whole: Whole) -> None:
        """Takes what `check_whole` found in the design as it stands."""
        self._whole.update(whole)
        self.pending -= whole.keys()


def check_whole(design: Design, codes: Iterable[str], progress: Progress = lambda _share: None) -> Whole:
    """What these rules find in a design; for workers."""
    wanted = set(codes)
    rules = [rule for rule in rules_under(design.policy) if rule.code in wanted]
    return _checked(rules, Inspection(design), progress)


def _checked(rules: Iterable[Rule], inspection: Inspection, progress: Progress, done: int = 0) -> Whole:
    found: dict[str, tuple[Finding | NotChecked, ...]] = {}
    every = list(rules)
    for number, rule in enumerate(every, start=done):
        progress(number / (done + len(every)))
        found[rule.code] = tuple(guarded_findings(rule, rule.findings(inspection)))
    return found


def _has_moved(rule: Rule, stated: Iterable[Finding | NotChecked], moved: set[str]) -> bool:
    """Whether a fix that was offered puts something elsewhere that was moved since."""
    if not moved or PLACEMENTS not in rule.reads:
        return False
    fixes = (one.fix for one in stated if isinstance(one, Finding) and one.fix is not None)
    return any(
        isinstance(change.subject, Placement) and change.subject.id in moved
        for fix in fixes
        if Placement in fix.kinds
        for change in fix.changes
    )


def _still_there(design: Design, stated: Iterable[Finding | NotChecked]) -> Iterator[Finding | NotChecked]:
    """What is about things that the design still has."""
    for one in stated:
        if isinstance(one, NotChecked) or all(design.entity(subject) is not None for subject in one.subjects):
            yield one
