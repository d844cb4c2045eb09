"""What is new among findings: since the design was saved, and by the latest edit."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from designer.validation.findings import Finding, Report

Key = tuple[str, str, tuple[str, ...]]
MOST_COMPARED = 200
"""Findings that came or went; of more it is not asked whether they only grew or shrank."""


def key_of(finding: Finding) -> Key:
    """What tells a finding from others of one design, whatever its figures are."""
    return finding.code, finding.aspect, finding.subjects


@dataclass(frozen=True, slots=True)
class _Known:
    """What a report says, as far as it is compared: findings that are open, those with the waived ones, rules off."""

    open: Sequence[Finding] = ()
    found: Sequence[Finding] = ()
    off: frozenset[str] = frozenset()


_NOTHING = _Known()


class News:
    """Compares the open findings now with those before the latest edit, and with those when the design was saved."""

    def __init__(self) -> None:
        self._saved: frozenset[Key] | None = None
        self._before: _Known | None = None
        self._now = _NOTHING
        self._caused: frozenset[Key] = frozenset()
        self.cured: tuple[Finding, ...] = ()
        """Findings that the latest edit took away."""

    def forget(self) -> None:
        """Another design takes the place of this one."""
        self._saved, self._now = None, _NOTHING
        self.forget_edit()

    def forget_edit(self) -> None:
        """What is found from now on comes of no edit."""
        self._before, self._caused, self.cured = None, frozenset(), ()

    def edit_comes(self) -> None:
        """What is found from now on is compared with what was found so far."""
        self._before = self._now

    def take(self, report: Report) -> None:
        """These are found now. A waived finding is there still, and what a rule that is off would find is not known."""
        self._now = _Known(report.open, report.findings, frozenset(one.code for one in report.off))
        if self._before is not None:
            self._caused = frozenset(map(key_of, came(self._before.found, self._now.open)))
            went = came(self._now.found, self._before.open)
            self.cured = tuple(one for one in went if one.code not in self._now.off)

    def note_saved(self, is_known: bool) -> None:
        """The design was saved with what is open now; or with findings that are not known."""
        self._saved = frozenset(map(key_of, self._now.open)) if is_known else None

    def is_caused(self, finding: Finding) -> bool:
        """Whether the latest edit caused it."""
        return key_of(finding) in self._caused

    def is_new(self, finding: Finding) -> bool:
        """Whether it was not there when the design was saved; False where it never was."""
        return self._saved is not None and key_of(finding) not in self._saved


def came(before: Sequence[Finding], after: Sequence[Finding]) -> list[Finding]:
    """The findings that were not there before, not even about more or fewer of the same things."""
    known = {key_of(one) for one in before}
    new = [one for one in after if key_of(one) not in known]
    if not new or len(new) > MOST_COMPARED:
        return new
    alike: dict[tuple[str, str], list[set[str]]] = {}
    kinds = {(one.code, one.aspect) for one in new}
    for one in before:
        if (one.code, one.aspect) in kinds:
            alike.setdefault((one.code, one.aspect), []).append(set(one.subjects))
    return [one for one in new if not _is_among(set(one.subjects), alike.get((one.code, one.aspect), ()))]


def _is_among(subjects: set[str], others: Iterable[set[str]]) -> bool:
    return any(subjects <= other or other <= subjects for other in others)
