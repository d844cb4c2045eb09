"""Applying the fixes of findings, batch after batch, each made against the design as those before left it."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

from designer.analysis.cable_numbers import keep_numbered
from designer.errors import EditError
from designer.model.design import Design
from designer.model.edit import Edit, joined
from designer.model.entities import Link, Module, Placement
from designer.validation.checked import Checked, completed
from designer.validation.findings import Finding
from designer.validation.joining import refitted
from designer.validation.judging import TriedFix, is_worse, near_of
from designer.validation.live import Live
from designer.validation.proposals import Proposal, proposals

ROUNDS_MOST = 10_000
WAVES_MOST = 3
"""How often a fix is tried that was refused, after others were applied."""
JOINED_MOST, JOINED_LINKS_MOST = 20, 20_000
"""Findings that are left for which joined fixes are looked for, in designs of so many links: each takes many checks."""

Progress = Callable[[float], None]
Key = tuple[str, str, tuple[str, ...]]
"""Rule, aspect and subjects of a finding."""


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
    design: Design, codes: Collection[str] | None = None, progress: Progress | None = None, live: Live | None = None
) -> Fixed:
    """The edit that fixes every open finding of these rules, or of all rules, where that raises no error or warning.

    The design stays as it is; cables that are added get numbers where its cables have some. Fixes that have nothing to
    do with each other are applied together and checked once; where that makes something worse, half as many
    are tried, and in the end one alone, which is refused then.
    `progress` hears the share of findings done, before each rule that is checked, and may raise Cancelled. `live` may
    know all findings of the design already.
    """
    return _Fixing(design, codes, progress, live).done()


class _Fixing:
    """What is fixed so far, and what was refused."""

    def __init__(
        self, design: Design, codes: Collection[str] | None, progress: Progress | None, live: Live | None
    ) -> None:
        self._design, self._codes, self._progress, self._share = design.snapshot(), codes, progress, 0.0
        self._now = Checked.of(design, live, self._hear)
        self._n_wanted = sum(1 for _ in self._wanted())
        self._fixes: list[TriedFix] = []
        self._refused: set[Key] = set()

    def done(self) -> Fixed:
        """What came of it, after as many batches as there are fixes that make nothing worse."""
        n_waves, at_refusal, most = 1, 0, ROUNDS_MOST
        for _ in range(ROUNDS_MOST):
            design, batch = self._batch(most)
            if not batch:
                if n_waves == WAVES_MOST or len(self._fixes) == at_refusal or not self._refused:
                    break
                n_waves, at_refusal = n_waves + 1, len(self._fixes)  # what was refused may be fine after the others
                self._refused.clear()
                continue
            after = self._now.after(design, batch, self._hear)
            if not is_worse(self._now.report, after.report, batch):
                self._take(after, batch)
                most = min(ROUNDS_MOST, most * 2)
            elif len(batch) == 1:
                self._refused.add(_key(batch[0].finding))
                most = ROUNDS_MOST
            else:
                most = len(batch) // 2
        self._join_rest()
        fixes = tuple((one.finding.code, one.fix.label) for one in self._fixes)
        edit = keep_numbered(self._design, joined("Fix findings", [one.fix for one in self._fixes]))
        return Fixed(edit, fixes, self._n_wanted, tuple(self._wanted()))

    def _join_rest(self) -> None:
        """Where a fix alone was refused, or there is none, apply those of several findings joined."""
        asked: set[Key] = set()
        while len(asked) < JOINED_MOST and len(self._now.design.links) <= JOINED_LINKS_MOST:
            finding = next((one for one in self._wanted() if _key(one) not in asked), None)
            if finding is None:
                return
            asked.add(_key(finding))
            best = next(iter(proposals(self._now.design, finding, self._now.live, self._hear)), None)
            if best is not None and not best.adds and not best.is_own and self._may(best):
                design = self._now.design.snapshot()
                design.apply(best.edit)
                self._take(self._now.after(design, best.steps, self._hear), list(best.steps))

    def _may(self, proposal: Proposal) -> bool:
        """Whether all that is fixed on the way was asked for."""
        return self._codes is None or all(one.finding.code in self._codes for one in proposal.steps)

    def _take(self, after: Checked, batch: list[TriedFix]) -> None:
        self._now = after
        self._fixes += batch
        self._share = min(1.0, len(self._fixes) / self._n_wanted) if self._n_wanted else 1.0

    def _hear(self, _share: float) -> None:
        if self._progress is not None:
            self._progress(self._share)

    def _wanted(self) -> Iterator[Finding]:
        return (one for one in self._now.report.open if self._codes is None or one.code in self._codes)

    def _batch(self, most: int) -> tuple[Design, list[TriedFix]]:
        """The next fixes that have nothing to do with each other, and the design after them."""
        before = self._now.design
        design, batch, touched = before.snapshot(), list[TriedFix](), set[str]()
        for finding in self._wanted():
            if finding.fix is None or _key(finding) in self._refused:
                continue
            fix = completed(before, finding.fix)
            own = _touched(finding, fix)
            fitted = fix if not batch else refitted(design, fix) if touched.isdisjoint(own) else None
            if fitted is None or not _applied(design, fitted, must=not batch):
                continue
            touched |= own
            batch.append(TriedFix(finding, fitted, near_of(before, fitted)))
            if len(batch) == most:
                break
        return design, batch


def _key(finding: Finding) -> Key:
    return finding.code, finding.aspect, finding.subjects


def _touched(finding: Finding, fix: Edit) -> set[str]:
    """Ids of what no other fix of a batch may touch: the first subject, all that changes, and the racks it is in."""
    found = set(finding.subjects[:1])
    for change in fix.changes:
        if change.before is not None or not isinstance(change.after, Link):
            found.add(change.subject.id)
        for one in (change.before, change.after):
            if isinstance(one, Placement) and one.rack_id is not None:
                found.add(one.rack_id)
            elif isinstance(one, Module):
                found.add(one.device_id)
    return found


def _applied(design: Design, fix: Edit, *, must: bool) -> bool:
    """Whether the design took the fix; one that has to be taken raises EditError where it is not."""
    try:
        design.apply(fix)
    except EditError:
        if must:
            raise
        return False
    return True
