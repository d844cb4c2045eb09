"""The record of a waiver: findings that somebody accepts, with the reason."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Waiver:
    """Findings of one rule that are accepted: those about `subjects`, or all of them in a group or rack.

    `value` and `limit` are the figures of the worst finding when it was accepted; a finding that is worse now is not.
    """

    id: str
    code: str
    """Of the rule, as RACK-004."""
    subjects: tuple[str, ...] = ()
    """Ids of what the finding is about; none stands for every finding of the rule."""
    within: str = ""
    """Id of the group or rack that the findings are about; "" for anywhere."""
    author: str = ""
    reason: str = ""
    date: str = ""
    """As 2026-11-22."""
    value: float | None = None
    limit: float | None = None
    aspect: str = ""
    """Which of the things that the rule finds, as Finding.aspect says it; "" for any."""
