"""Applying the fixes of findings one after another, each made against the design as the ones before left it."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

from designer.catalog.catalog import delivered
from designer.model.design import Design
from designer.model.edit import Edit, joined
from designer.placement.following import with_cables
from designer.validation.engine import validate
from designer.validation.findings import Finding, Report, Severity

ROUNDS_MOST = 10_000
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
    for _ in range(ROUNDS_MOST):
        chosen = next(_fixable(report, codes, refused), None)
        if chosen is None or chosen.fix is None:
            break
        fix = completed(made, chosen.fix)
        tried = made.snapshot()
        tried.apply(fix)
        after = validate(tried, hear)
        if is_worse(report, after, chosen):
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


def is_worse(before: Report, after: Report, chosen: Finding) -> bool:
    """Whether a fix of the chosen finding makes anything worse, or does nothing for it.

    Each finding afterwards has to be one that was there before, or what is left of one: about the same things or fewer
    of them, with no worse figure, each for one of its own; what is left of the chosen one has to be less. Findings that
    only inform do not count, and a waiver that is no longer needed is no harm either.
    """
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
        known = there.get((one.code, one.aspect), [])
        left = next((old for old in known if _is_left_of(one, old, chosen)), None)
        if left is None:
            return True
        known.remove(left)
    return chosen.severity is Severity.INFO and any(_facts(one) == _facts(chosen) for one in after.open)


def _facts(one: Finding) -> tuple[object, ...]:
    return one.subjects, one.value, one.limit, one.message


def _is_left_of(one: Finding, old: Finding, chosen: Finding) -> bool:
    """Whether a finding is what is left of another: of the chosen one, less than all of it."""
    subjects, before = frozenset(one.subjects), frozenset(old.subjects)
    if not subjects <= before or _excess(one) > _excess(old) + TOLERANCE:
        return False
    return old is not chosen or subjects < before or _excess(one) < _excess(old) - TOLERANCE


def _excess(one: Finding) -> float:
    """How far beyond its limit a finding is; 0 without figures."""
    if not isinstance(one.value, int | float) or not isinstance(one.limit, int | float):
        return 0.0
    return abs(one.value - one.limit)
