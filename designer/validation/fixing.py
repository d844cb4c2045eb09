"""Applying the fixes of findings one after another, each made against the design as the ones before left it."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

from designer.model.design import Design
from designer.model.edit import Edit, joined
from designer.validation.engine import validate
from designer.validation.findings import Finding, Report, Severity

ROUNDS_MOST = 10_000
UNUSED_WAIVER = "DOC-001"


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
        n_fixed = max(0, self.n_wanted - len(self.left))
        done = f"{n_fixed:,} of {self.n_wanted:,} findings fixed"
        verb = "has" if len(self.left) == 1 else "have"
        return f"{done}; {len(self.left):,} {verb} no fix that can be applied" if self.left else done


def fixed(
    design: Design, codes: Collection[str] | None = None, progress: Callable[[float], None] | None = None
) -> Fixed:
    """The edit that fixes every open finding of these rules, or of all rules, where that raises no error or warning.

    The design stays as it is. `progress` hears the share of findings done and may raise Cancelled.
    """
    made = design.snapshot()
    report = validate(made)
    wanted = [one for one in report.open if codes is None or one.code in codes]
    edits: list[Edit] = []
    fixes: list[tuple[str, str]] = []
    refused: set[tuple[str, str, tuple[str, ...]]] = set()
    for _ in range(ROUNDS_MOST):
        chosen = next(_fixable(report, codes, refused), None)
        if chosen is None or chosen.fix is None:
            break
        tried = made.snapshot()
        tried.apply(chosen.fix)
        after = validate(tried)
        if _is_worse(report, after):
            refused.add((chosen.code, chosen.aspect, chosen.subjects))
            continue
        made, report = tried, after
        edits.append(chosen.fix)
        fixes.append((chosen.code, chosen.fix.label))
        if progress is not None and wanted:
            progress(min(1.0, len(fixes) / len(wanted)))
    left = tuple(one for one in report.open if codes is None or one.code in codes)
    return Fixed(joined("Fix findings", edits), tuple(fixes), len(wanted), left)


def _fixable(
    report: Report, codes: Collection[str] | None, refused: Collection[tuple[str, str, tuple[str, ...]]]
) -> Iterator[Finding]:
    for finding in report.open:
        is_wanted = codes is None or finding.code in codes
        if finding.fix is not None and is_wanted and (finding.code, finding.aspect, finding.subjects) not in refused:
            yield finding


def _is_worse(before: Report, after: Report) -> bool:
    """Whether a finding came about what no finding of its rule was about; those that only inform do not count.

    A waiver that is no longer needed is no harm either.
    """
    about: dict[tuple[str, str], list[frozenset[str]]] = {}
    for one in before.findings:
        about.setdefault((one.code, one.aspect), []).append(frozenset(one.subjects))
    came = (one for one in after.open if one.severity is not Severity.INFO and one.code != UNUSED_WAIVER)
    return not all(
        any(known.issuperset(one.subjects) for known in about.get((one.code, one.aspect), ())) for one in came
    )
