"""A policy as people read it: what differs from the one that the program comes with."""

from collections.abc import Iterator

from designer.fields.field import fields_of
from designer.model.policy import DEFAULT, Policy, policy_name


def policy_facts(policy: Policy) -> Iterator[tuple[str, str]]:
    """Name and value of each limit, those that differ from the default marked with it; then rules weighed otherwise."""
    yield "Policy", policy_name(policy)
    for name, field in fields_of(Policy).items():
        value, usual = getattr(policy, name), getattr(DEFAULT, name)
        shown = field.show(value) or field.empty
        yield f"{field.noun}", shown if value == usual else f"{shown} (default: {field.show(usual) or field.empty})"
    for code, severity in policy.severities:
        yield code, f"counts as {severity}"
    for code, reason in policy.off:
        yield code, f"switched off: {reason}"
