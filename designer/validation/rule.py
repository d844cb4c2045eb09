"""A rule is a function with a code: the decorator makes it a row of the rule table."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypedDict, Unpack

from designer.model.edit import Edit
from designer.validation.findings import Finding, NotChecked, Severity
from designer.validation.inspection import Inspection
from designer.validation.scope import READABLE, Scope, Tally

Stated = Finding | NotChecked | Tally
Check = Callable[[Inspection, "Rule"], Iterable[Stated]]
Counts = Counter[Hashable]
"""How many parts of a design count as each thing that a rule tallies."""
Summary = Callable[[Counts], Iterable[str]]


@dataclass(frozen=True, slots=True)
class Rule:
    """A row of the rule table. `reason` says why it is a rule."""

    code: str
    severity: Severity
    title: str
    check: Check
    reason: str
    remedy: str = ""
    """What to do about it, one sentence, about the fabric: documents say it too."""
    how: str = ""
    """How that is done in the program, where that does not go without saying: documents leave it out."""
    fix: str = ""
    """What its fix does, one sentence; "" where it offers none."""
    policy: tuple[str, ...] = ()
    """Fields of the policy that it reads."""
    is_last: bool = False
    """Whether it looks at what the other rules found."""
    scope: Scope = Scope.WHOLE
    """What part of a design it looks at by itself."""
    reads: tuple[str, ...] = READABLE
    """Tables of a design that it reads: an edit of others leaves what it found as it is."""
    unchecked: Summary | None = None
    """What it did not check, from what it tallied: one reason each."""
    example: str = ""
    """A design that breaks it, one sentence."""
    hides: tuple[str, ...] = ()
    """Rules that may find less of the same things while this one finds something: its fix may bring that up."""
    source: str = ""
    """What says so: a standard, a paper, a data sheet, the policy, or the design itself."""

    @property
    def advice(self) -> str:
        """What to do about it, and how in the program."""
        return f"{self.remedy} {self.how}".strip()

    def finding(
        self,
        message: str,
        subjects: tuple[str, ...],
        *,
        value: float | str | None = None,
        limit: float | str | None = None,
        reason: str = "",
        fix: Edit | None = None,
        aspect: str = "",
    ) -> Finding:
        """A finding of this rule; the rule's reason unless the case has its own."""
        why = reason or self.reason
        return Finding(self.code, self.severity, message, subjects, value, limit, why, fix, aspect=aspect)

    def not_checked(self, reason: str) -> NotChecked:
        """A note that this rule could not be applied, and why."""
        return NotChecked(self.code, reason)

    def findings(self, inspection: Inspection) -> Iterator[Finding | NotChecked]:
        """What the rule finds in a design and what of it the rule could not check."""
        counts: Counts = Counter()
        for stated in self.check(inspection, self):
            if isinstance(stated, Tally):
                counts[stated.key] += 1
            else:
                yield stated
        yield from self.summary(counts)

    def summary(self, counts: Counts) -> list[NotChecked]:
        """What of all it tallied the rule says it did not check."""
        return [self.not_checked(reason) for reason in self.unchecked(counts)] if self.unchecked is not None else []


_REGISTERED: dict[str, Rule] = {}
_HERE = f"{__name__.rpartition('.')[0]}."


class About(TypedDict, total=False):
    """The fields of a Rule that it may leave out."""

    remedy: str
    how: str
    fix: str
    policy: tuple[str, ...]
    is_last: bool
    scope: Scope
    reads: tuple[str, ...]
    unchecked: Summary
    example: str
    hides: tuple[str, ...]
    source: str


def rule(code: str, severity: Severity, title: str, reason: str, **about: Unpack[About]) -> Callable[[Check], Rule]:
    """Turns a check into a Rule, and registers it where it is one of this room.

    Codes are never reused, not even for a rule that was dropped. A rule that says nothing of its scope and of what it
    reads is checked over the whole design after every edit. Raises ValueError for a code that another rule has.
    """

    def register(check: Check) -> Rule:
        made = Rule(code, severity, title, check, reason, **about)
        if code in _REGISTERED:
            raise ValueError(f"{code} is the code of two rules: {_REGISTERED[code].title!r} and {title!r}")
        if check.__module__.startswith(_HERE):  # a plug-in's rule is a row by its entry point
            _REGISTERED[code] = made
        return made

    return register


def registered() -> tuple[Rule, ...]:
    """Every rule of the modules imported so far, by code."""
    return tuple(_REGISTERED[code] for code in sorted(_REGISTERED))
