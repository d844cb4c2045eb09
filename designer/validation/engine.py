"""The validation engine: runs every rule of the table over a design."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace
from typing import Any, TypeVar

from designer.errors import PluginError
from designer.model.design import Design
from designer.model.entities import order_key
from designer.model.policy import Policy
from designer.plugins import Entry, Table, guarded, of_kind
from designer.tables.columns import as_json, keys, record
from designer.validation import (  # noqa: F401  (importing them registers their rules)
    aisles,
    breakouts,
    cables,
    cages,
    catalog_facts,
    deadlock,
    documents,
    dragonflies,
    fabric,
    jobs,
    mounting,
    names,
    network_use,
    networks,
    nic_fit,
    nics,
    oversubscribed,
    ports,
    racks,
    rails,
    room,
    single_points,
    slots,
    spread,
    tiers,
    tori,
)
from designer.validation.findings import SEVERITY_ORDER, Finding, NotChecked, Report, Severity
from designer.validation.inspection import Inspection
from designer.validation.rule import Rule, registered
from designer.validation.scope import Scope
from designer.validation.subjects import subject_name

__all__ = ["RULES", "Finding", "NotChecked", "Report", "Rule", "Severity", "to_json", "validate"]

S = TypeVar("S")


def _accept(row: object, entry: Entry) -> Rule:
    """A plug-in's rule as it is run: what its check yields is looked at before it counts."""
    rule = of_kind(row, Rule)

    def check(inspection: Inspection, this: Rule) -> list[Finding | NotChecked]:
        found = list(rule.findings(inspection))
        for one in found:
            if not isinstance(one, Finding | NotChecked) or one.code != this.code:
                raise PluginError(f"its check should yield findings of {this.code}, made by Rule.finding")
        return found

    return replace(rule, check=guarded(check, entry), scope=Scope.WHOLE, unchecked=None)


RULES: Table[Rule] = Table(
    "fabric_designer.rules", registered(), _accept, key="code", names=re.compile("[A-Z]{3,8}-[0-9]{3}")
)
"""All rules: the built-in ones, then those of plug-ins. A code belongs to one rule for ever."""


def validate(
    design: Design, progress: Callable[[float], None] | None = None, codes: Collection[str] | None = None
) -> Report:
    """Every finding of every rule under the design's policy, open errors first, then by code and subject.

    The same design gives the same report. `codes` names the rules to check where not all are meant. `progress` hears
    the share of rules done and may raise Cancelled.
    """
    inspection, rules = Inspection(design), rules_under(design.policy, codes)
    found: list[Finding] = []
    not_checked: list[NotChecked] = []
    for number, rule in enumerate(rules):
        if progress is not None:
            progress(number / len(rules))
        for stated in guarded_findings(rule, rule.findings(inspection)):
            if isinstance(stated, NotChecked):
                not_checked.append(stated)
            else:
                found.append(stated)
    return reported(design, found, not_checked, codes)


def rules_under(policy: Policy, codes: Collection[str] | None = None) -> list[Rule]:
    """The rules that are checked under a policy, of all or of these, but for those that look at what others found."""
    off = dict(policy.off)
    return [one for one in RULES if not one.is_last and one.code not in off and (codes is None or one.code in codes)]


def guarded_findings(rule: Rule, stated: Iterable[S]) -> Iterator[S | NotChecked]:
    """What the rule yields; that it was not checked where a plug-in's rule fails."""
    try:
        yield from stated
    except PluginError as error:
        yield rule.not_checked(str(error))


def reported(
    design: Design,
    findings: Iterable[Finding],
    not_checked: Iterable[NotChecked],
    codes: Collection[str] | None = None,
) -> Report:
    """The report of what the rules found: weighed by the policy, with what is waived, and what is found in that."""
    policy, inspection = design.policy, Inspection(design)
    reasons, severities = dict(policy.off), {code: Severity(word) for code, word in policy.severities}
    rules = [rule for rule in RULES if codes is None or rule.code in codes]
    inspection.run = frozenset(rule.code for rule in rules if not rule.is_last and rule.code not in reasons)
    inspection.known = frozenset(rule.code for rule in RULES if not rule.is_last)

    def weighed(finding: Finding) -> Finding:
        severity = severities.get(finding.code, finding.severity)
        return finding if severity is finding.severity else replace(finding, severity=severity)

    found = sorted([weighed(one) for one in findings] if severities else findings, key=_finding_order)
    if design.waivers:
        found = [inspection.acceptance.accepted(one) for one in found]
    gaps = list(not_checked)
    inspection.found = found
    for rule in rules:
        if rule.is_last and rule.code not in reasons:
            for stated in guarded_findings(rule, rule.findings(inspection)):
                if isinstance(stated, NotChecked):
                    gaps.append(stated)
                else:
                    found.append(weighed(stated))
    off = [NotChecked(rule.code, reasons[rule.code]) for rule in rules if rule.code in reasons]
    return Report(
        tuple(sorted(found, key=_finding_order)),
        _in_a_line(gaps),
        tuple(sorted(off, key=lambda entry: entry.code)),
    )


def _in_a_line(gaps: Iterable[NotChecked]) -> tuple[NotChecked, ...]:
    """What was not checked, one line for each rule."""
    reasons: dict[str, list[str]] = {}
    for one in sorted(gaps, key=lambda entry: (entry.code, entry.reason)):
        reasons.setdefault(one.code, []).append(one.reason)
    return tuple(NotChecked(code, "; ".join(dict.fromkeys(own))) for code, own in reasons.items())


def _finding_order(finding: Finding) -> tuple[bool, int, str, list[tuple[int, str]], str]:
    subjects = [order_key(subject) for subject in finding.subjects]
    is_waived = finding.waiver is not None
    return is_waived, SEVERITY_ORDER[finding.severity], finding.code, subjects, finding.message


def to_json(design: Design, report: Report) -> dict[str, Any]:
    """The object `validate --format json` prints; subjects by name."""
    return {
        "findings": [
            as_json(finding, subjects=[subject_name(design, subject) for subject in finding.subjects])
            for finding in report.findings
        ],
        **record(report, keys("not_checked off errors warnings infos waived")),
    }
