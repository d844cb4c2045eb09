"""What a merge brings: findings that neither of the two merged designs had."""

from collections.abc import Callable

from designer.model.design import Design
from designer.validation.engine import validate
from designer.validation.findings import Finding, Severity
from designer.validation.news import key_of


def findings_of_merge(
    made: Design, sides: tuple[Design, Design], progress: Callable[[float], None] | None = None
) -> tuple[Finding, ...]:
    """Open errors and warnings of the merged design that neither side has; a thing has one id in all three.

    `progress` may raise Cancelled.
    """
    found = [one for one in validate(made, progress).open if one.severity is not Severity.INFO]
    for side in sides:
        if not found:
            break
        codes = frozenset(one.code for one in found)
        known = {key_of(one) for one in validate(side, progress, codes).open}
        found = [one for one in found if key_of(one) not in known]
    return tuple(found)
