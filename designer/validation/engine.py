"""The validation engine: runs every rule of the table over a design."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from designer.errors import PluginError
from designer.model.design import Design
from designer.model.entities import order_key
from designer.plugins import Entry, Table, guarded, of_kind
from designer.tables.columns import as_json, keys, record
from designer.validation import breakouts, fabric, jobs, names, networks, nics, ports, racks, room, slots
from designer.validation.findings import SEVERITY_ORDER, Finding, NotChecked, Report, Severity
from designer.validation.inspection import Inspection
from designer.validation.rule import Rule, registered

__all__ = ["RULES", "Finding", "NotChecked", "Report", "Rule", "Severity", "to_json", "validate"]

RULE_MODULES = (breakouts, fabric, jobs, names, networks, nics, ports, racks, room, slots)
"""Importing them registers their rules."""


def _accept(row: object, entry: Entry) -> Rule:
    """A plug-in's rule as it is run: what its check yields is looked at before it counts."""
    rule = of_kind(row, Rule)

    def check(inspection: Inspection, this: Rule) -> list[Finding | NotChecked]:
        found = list(rule.check(inspection, this))
        for one in found:
            if not isinstance(one, Finding | NotChecked) or one.code != this.code:
                raise PluginError(f"its check should yield findings of {this.code}, made by Rule.finding")
        return found

    return replace(rule, check=guarded(check, entry))


RULES: Table[Rule] = Table(
    "fabric_designer.rules", registered(), _accept, key="code", names=re.compile("[A-Z]{3,8}-[0-9]{3}")
)
"""All rules: the built-in ones, then those of plug-ins. A code belongs to one rule for ever."""


def validate(design: Design, progress: Callable[[float], None] | None = None) -> Report:
    """Every finding of every rule, errors first, then by code and subject; the same design gives the same report.

    `progress` hears the share of rules done and may raise Cancelled.
    """
    inspection = Inspection(design)
    findings: list[Finding] = []
    not_checked: list[NotChecked] = []
    rules = tuple(RULES)
    for number, rule in enumerate(rules):
        if progress is not None:
            progress(number / len(rules))
        for stated in _findings(rule, inspection):
            if isinstance(stated, Finding):
                findings.append(stated)
            else:
                not_checked.append(stated)
    findings.sort(key=_finding_order)
    not_checked.sort(key=lambda entry: (entry.code, entry.reason))
    return Report(tuple(findings), tuple(not_checked))


def _findings(rule: Rule, inspection: Inspection) -> Iterator[Finding | NotChecked]:
    """What the rule yields; that it was not checked where a plug-in's rule fails."""
    try:
        yield from rule.findings(inspection)
    except PluginError as error:
        yield rule.not_checked(str(error))


def _finding_order(finding: Finding) -> tuple[int, str, list[tuple[int, str]], str]:
    subjects = [order_key(subject) for subject in finding.subjects]
    return SEVERITY_ORDER[finding.severity], finding.code, subjects, finding.message


def to_json(design: Design, report: Report) -> dict[str, Any]:
    """The object `validate --format json` prints; subjects by name."""
    return {
        "findings": [
            as_json(finding, subjects=[_subject_name(design, subject) for subject in finding.subjects])
            for finding in report.findings
        ],
        **record(report, keys("not_checked errors warnings")),
    }


def _subject_name(design: Design, entity_id: str) -> str:
    if entity_id in design.links:
        link = design.links[entity_id]
        return f"{design.end_name(link.a)} to {design.end_name(link.b)}"
    if entity_id in design.modules:
        module = design.modules[entity_id]
        return f"{design.device(module.device_id).name} slot {module.slot}"
    name: str = getattr(design.entity(entity_id), "name", entity_id)
    return name
