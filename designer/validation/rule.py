"""A rule is a function with a code: the decorator makes it a row of the rule table."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from designer.model.edit import Edit
from designer.validation.findings import Finding, NotChecked, Severity
from designer.validation.inspection import Inspection

Check = Callable[[Inspection, "Rule"], Iterable[Finding | NotChecked]]


@dataclass(frozen=True, slots=True)
class Rule:
    """A row of the rule table. `reason` says why it is a rule."""

    code: str
    severity: Severity
    title: str
    check: Check
    reason: str
    remedy: str = ""
    """What to do about it, one sentence."""
    fix: str = ""
    """What its fix does, one sentence; "" where it offers none."""
    policy: tuple[str, ...] = ()
    """Fields of the policy that it reads."""
    is_last: bool = False
    """Whether it looks at what the other rules found."""

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

    def findings(self, inspection: Inspection) -> Iterable[Finding | NotChecked]:
        """What the rule finds in a design and what of it the rule could not check."""
        return self.check(inspection, self)


_REGISTERED: dict[str, Rule] = {}
_HERE = f"{__name__.rpartition('.')[0]}."


def rule(
    code: str,
    severity: Severity,
    title: str,
    reason: str,
    *,
    remedy: str = "",
    fix: str = "",
    policy: tuple[str, ...] = (),
    is_last: bool = False,
) -> Callable[[Check], Rule]:
    """Turns a check into a Rule, and registers it where it is one of this room.

    Codes are never reused, not even for a rule that was dropped. Raises ValueError for a code that another rule has.
    """

    def register(check: Check) -> Rule:
        made = Rule(code, severity, title, check, reason, remedy, fix, policy, is_last)
        if code in _REGISTERED:
            raise ValueError(f"{code} is the code of two rules: {_REGISTERED[code].title!r} and {title!r}")
        if check.__module__.startswith(_HERE):  # a plug-in's rule is a row by its entry point
            _REGISTERED[code] = made
        return made

    return register


def registered() -> tuple[Rule, ...]:
    """Every rule of the modules imported so far, by code."""
    return tuple(_REGISTERED[code] for code in sorted(_REGISTERED))
