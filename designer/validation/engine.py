"""The validation engine: runs every rule of the table over a design."""

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from typing import Any

from designer.errors import PluginError
from designer.model.design import Design
from designer.model.entities import order_key
from designer.plugins import Entry, Table, guarded, of_kind
from designer.tables.columns import as_json, keys, record
from designer.validation import (
    breakouts,
    cables,
    documents,
    dragonflies,
    fabric,
    jobs,
    names,
    networks,
    nics,
    oversubscribed,
    ports,
    racks,
    room,
    slots,
)
from designer.validation.findings import SEVERITY_ORDER, Finding, NotChecked, Report, Severity
from designer.validation.inspection import Inspection
from designer.validation.rule import Rule, registered
from designer.validation.scope import Scope
from designer.validation.subjects import subject_name

__all__ = ["RULES", "Finding", "NotChecked", "Report", "Rule", "Severity", "to_json", "validate"]

RULE_MODULES = (
    breakouts,
    cables,
    documents,
    dragonflies,
    fabric,
    jobs,
    names,
    networks,
    nics,
    oversubscribed,
    ports,
    racks,
    room,
    slots,
)
"""Importing them registers their rules."""


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
    policy, inspection = design.policy, Inspection(design)
    reasons = dict(policy.off)
    rules = [rule for rule in RULES if codes is None or rule.code in codes]
    run = sorted((rule for rule in rules if rule.code not in reasons), key=lambda rule: rule.is_last)
    inspection.run = frozenset(rule.code for rule in run if not rule.is_last)
    inspection.known = frozenset(rule.code for rule in RULES if not rule.is_last)
    severities = {code: Severity(word) for code, word in policy.severities}
    not_checked: list[NotChecked] = []
    for number, rule in enumerate(run):
        if progress is not None:
            progress(number / len(run))
        for stated in _findings(rule, inspection):
            if isinstance(stated, NotChecked):
                not_checked.append(stated)
                continue
            severity = severities.get(stated.code, stated.severity)
            weighed = stated if severity is stated.severity else replace(stated, severity=severity)
            inspection.found.append(weighed if rule.is_last else inspection.acceptance.accepted(weighed))
    findings = sorted(inspection.found, key=_finding_order)
    not_checked.sort(key=lambda entry: (entry.code, entry.reason))
    off = [NotChecked(rule.code, reasons[rule.code]) for rule in rules if rule.code in reasons]
    return Report(tuple(findings), tuple(not_checked), tuple(sorted(off, key=lambda entry: entry.code)))


def _findings(rule: Rule, inspection: Inspection) -> Iterator[Finding | NotChecked]:
    """What the rule yields; that it was not checked where a plug-in's rule fails."""
    try:
        yield from rule.findings(inspection)
    except PluginError as error:
        yield rule.not_checked(str(error))


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
