"""What fixes of a finding would change in all findings, alone and joined with those of findings about the same switch.

A fix looks at its own rule alone: the uplinks that one adds are too many once another has moved a link away. Joined,
each is made against the design as those before left it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from designer.errors import EditError
from designer.model.design import Design
from designer.model.edit import Edit, joined, netted
from designer.model.entities import Link
from designer.units import all_of, format_counted
from designer.validation.checked import Checked, Progress, completed
from designer.validation.findings import Finding, Report, Severity
from designer.validation.judging import UNUSED_WAIVER, TriedFix, excess
from designer.validation.live import Live
from designer.validation.news import came, key_of

STEPS_MOST = 6
"""Fixes that are joined into one."""
STARTS_MOST = 3
"""Findings whose fix is tried as the first."""
TOLERANCE = 1e-9


@dataclass(frozen=True, slots=True)
class Proposal:
    """An edit that fixes a finding, and the errors and warnings that come and go with it."""

    edit: Edit
    steps: tuple[TriedFix, ...]
    """The fixes that it is joined of, each made against the design after those before it."""
    is_own: bool
    """Whether it is the fix that the finding offers."""
    clears: tuple[Finding, ...]
    adds: tuple[Finding, ...]
    """Those that are not there before, and those that get worse."""

    @property
    def label(self) -> str:
        """What it does."""
        return self.edit.label

    @property
    def warning(self) -> str:
        """ "Adds 2 errors: leaf-07: 12.8 Tb/s down, ..."; "" where it adds none, nor makes one worse."""
        if not self.adds:
            return ""
        worst = min(self.adds, key=lambda one: one.severity is not Severity.ERROR)
        return f"Adds {_counted(self.adds)}: {worst.message}"

    @property
    def n_errors_added(self) -> int:
        """How many errors come with it."""
        return sum(one.severity is Severity.ERROR for one in self.adds)

    @property
    def effect(self) -> str:
        """ "Clears 1 error and 1 warning (OVER-001, RAIL-001)", and its warning; "" where no other finding changes."""
        cleared = f"Clears {_counted(self.clears)} ({_codes(self.clears)})" if len(self.clears) > 1 else ""
        return ". ".join(filter(None, (cleared, self.warning)))

    @property
    def rank(self) -> tuple[int, ...]:
        """The lower, the better: no new errors first, then no new warnings, then the most findings cleared."""
        n_errors, n_cleared = self.n_errors_added, sum(one.severity is Severity.ERROR for one in self.clears)
        return n_errors, len(self.adds) - n_errors, -n_cleared, -len(self.clears), len(self.steps)


def proposals(
    design: Design, finding: Finding, live: Live | None = None, progress: Progress = lambda _share: None
) -> tuple[Proposal, ...]:
    """What fixes a finding, the best first: its own fix, and where that is better the fixes of several findings joined.

    The joined fix is left out where it clears no more than the own one and adds as much. The design stays as it is.
    `live` may know its findings already.
    """
    start = Checked.of(design, live, progress)
    found = [one for one in start.report.open if key_of(one) == key_of(finding)]
    if not found:
        return ()
    chains = list(_chains(start, found[0], progress))
    own = next((one for one in chains if one.is_own), None)
    whole = min((one for one in chains if not one.is_own and _is_fixed(found[0], one)), key=_rank, default=None)
    if whole is not None and own is not None and own.rank[:-1] <= whole.rank[:-1]:
        whole = None
    return tuple(sorted((one for one in (own, whole) if one is not None), key=_rank))


def _rank(one: Proposal) -> tuple[int, ...]:
    return one.rank


def _is_fixed(finding: Finding, proposal: Proposal) -> bool:
    return any(key_of(one) == key_of(finding) for one in proposal.clears)


def _chains(start: Checked, finding: Finding, progress: Progress) -> Iterator[Proposal]:
    """Fixes after one another, each beginning with one of the findings about the switch; every part of them counts."""
    mates = _about_the_same_switch(start, finding)
    first = [one for one in (finding, *mates) if one.fix is not None][:STARTS_MOST]
    wanted: set[object] = {key_of(one) for one in (finding, *mates)}
    for one in first:
        now, steps, tried = start, list[TriedFix](), set[object]()
        following: Finding | None = one
        while following is not None and following.fix is not None and len(steps) < STEPS_MOST:
            tried.add((key_of(following), following.fix.label))
            after = _applied(now, following, progress)
            if after is not None:
                now, fix = after
                steps.append(fix)
                yield _proposal(start, now, steps, is_own=len(steps) == 1 and one is finding)
            following = _next(start.report, now.report, wanted, tried)


def _next(before: Report, now: Report, wanted: set[object], tried: set[object]) -> Finding | None:
    """The next finding with a fix that is one of those wanted or came since, and was not tried like that."""
    new = {key_of(one) for one in came(before.open, _bad(now))}
    for one in _bad(now):
        key = key_of(one)
        if one.fix is not None and (key in wanted or key in new) and (key, one.fix.label) not in tried:
            return one
    return None


def _applied(now: Checked, finding: Finding, progress: Progress) -> tuple[Checked, TriedFix] | None:
    assert finding.fix is not None
    fix = TriedFix(finding, completed(now.design, finding.fix))
    design = now.design.snapshot()
    try:
        design.apply(fix.fix)
    except EditError:
        return None
    return now.after(design, [fix], progress), fix


def _about_the_same_switch(start: Checked, finding: Finding) -> list[Finding]:
    """The other open errors and warnings that are first of all about the same switch."""
    switch = _switch_of(start.design, finding)
    if not switch or not _is_of_cabling(finding):
        return []
    others = (one for one in _bad(start.report) if one is not finding and _is_of_cabling(one))
    return [one for one in others if _switch_of(start.design, one) == switch]


def _is_of_cabling(finding: Finding) -> bool:
    """Whether no fix is offered, or one that adds, removes or moves links: other cables for them are left alone."""
    ends = ((change.before, change.after) for change in (finding.fix.changes if finding.fix is not None else ()))
    return finding.fix is None or any(
        (before.a, before.b) != (after.a, after.b) if isinstance(before, Link) and isinstance(after, Link) else True
        for before, after in ends
        if isinstance(before or after, Link)
    )


def _switch_of(design: Design, finding: Finding) -> str:
    """The first switch among the subjects of a finding; "" where there is none."""
    return next((one for one in finding.subjects if one in design.devices and design.is_switch(one)), "")


def _bad(report: Report) -> Sequence[Finding]:
    """The open errors and warnings; a waiver that is no longer needed is none."""
    return [one for one in report.open if one.severity is not Severity.INFO and one.code != UNUSED_WAIVER]


def _proposal(start: Checked, now: Checked, steps: Sequence[TriedFix], *, is_own: bool) -> Proposal:
    before, after = _bad(start.report), _bad(now.report)
    known = {key_of(one): one for one in before}
    worse = [
        one
        for one in after
        if key_of(one) in known and excess(one) > excess(known[key_of(one)]) + TOLERANCE * max(1.0, excess(one))
    ]
    label = all_of([_lower(one.fix.label, is_first=not number) for number, one in enumerate(steps)])
    return Proposal(
        netted(joined(label, [one.fix for one in steps])) if len(steps) > 1 else steps[0].fix,
        tuple(steps),
        is_own,
        tuple(came(after, before)),
        (*came(before, after), *worse),
    )


def _lower(label: str, *, is_first: bool) -> str:
    return label if is_first else f"{label[:1].lower()}{label[1:]}"


def _counted(findings: Sequence[Finding]) -> str:
    """ "1 error and 2 warnings"."""
    n_errors = sum(one.severity is Severity.ERROR for one in findings)
    counts = ((n_errors, "error"), (len(findings) - n_errors, "warning"))
    return " and ".join(format_counted(count, word) for count, word in counts if count)


def _codes(findings: Sequence[Finding]) -> str:
    return ", ".join(dict.fromkeys(one.code for one in findings))
