"""What a policy and a waiver can be."""

import re
from collections.abc import Iterator
from datetime import date

from designer.fields.field import fields_of
from designer.model.policy import Policy
from designer.model.waiver import Waiver
from designer.units import shortened

CODE = re.compile("[A-Z]{2,8}-[0-9]{3}")
SEVERITIES = ("error", "warning", "info")
RULES_MOST = 1000
"""That a policy names."""
REASON_LONGEST = 2000
SUBJECTS_MOST = 1_000_000


def policy_faults(policy: Policy) -> Iterator[tuple[str, str]]:
    """Why a design cannot be checked against the policy: fields, and what is wrong with them."""
    for name, field in fields_of(Policy).items():
        if fault := field.fault(getattr(policy, name)):
            yield name, fault
    for name, pairs in (("severities", policy.severities), ("off", policy.off)):
        if len(pairs) > RULES_MOST:
            yield name, f"names {len(pairs):,} rules, the most is {RULES_MOST:,}"
        yield from ((name, fault) for code, _ in pairs if (fault := _code_fault(code)))
        codes = [code for code, _ in pairs]
        if len(set(codes)) < len(codes):
            yield name, "names a rule twice"
    both = {code for code, _ in policy.severities} & {code for code, _ in policy.off}
    if both:
        yield "off", f"{min(both)} has a severity and is switched off: choose one of them"
    for _, severity in policy.severities:
        if severity not in SEVERITIES:
            yield "severities", f"{shortened(severity)!r} is none of {', '.join(SEVERITIES)}"
    for code, reason in policy.off:
        if not reason.strip():
            yield "off", f"say why {code} is switched off"


def waiver_faults(waiver: Waiver) -> Iterator[tuple[str, str]]:
    """Why a waiver cannot be: fields, and what is wrong with them."""
    if fault := _code_fault(waiver.code):
        yield "code", fault
    if not waiver.reason.strip():
        yield "reason", "say why the finding is accepted"
    elif len(waiver.reason) > REASON_LONGEST:
        yield "reason", f"{len(waiver.reason):,} characters, the most is {REASON_LONGEST:,}"
    if len(waiver.subjects) > SUBJECTS_MOST:
        yield "subjects", f"names {len(waiver.subjects):,} things, the most is {SUBJECTS_MOST:,}"
    if waiver.date and not _is_date(waiver.date):
        yield "date", f"{shortened(waiver.date)!r} is not a date: it must look like 2026-11-22"


def _code_fault(code: str) -> str:
    return "" if CODE.fullmatch(code) else f"{shortened(code)!r} is not the code of a rule, such as RACK-004"


def _is_date(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False
