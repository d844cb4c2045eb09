"""The validation engine: runs every rule of the table over a design."""

from collections.abc import Callable
from typing import Any

from designer.model.design import Design
from designer.model.entities import order_key
from designer.validation import breakouts, fabric, jobs, names, networks, nics, ports, racks, room, slots
from designer.validation.findings import SEVERITY_ORDER, Finding, NotChecked, Report, Severity
from designer.validation.inspection import Inspection
from designer.validation.rule import Rule, registered

__all__ = ["RULES", "Finding", "NotChecked", "Report", "Rule", "Severity", "to_json", "validate"]

RULE_MODULES = (breakouts, fabric, jobs, names, networks, nics, ports, racks, room, slots)
"""Importing them registers their rules."""

RULES: tuple[Rule, ...] = registered()
"""All rules. A code belongs to one rule for ever."""


def validate(design: Design, progress: Callable[[float], None] | None = None) -> Report:
    """Every finding of every rule, errors first, then by code and subject; the same design gives the same report.

    `progress` hears the share of rules done and may raise Cancelled.
    """
    inspection = Inspection(design)
    findings: list[Finding] = []
    not_checked: list[NotChecked] = []
    for number, rule in enumerate(RULES):
        if progress is not None:
            progress(number / len(RULES))
        for said in rule.findings(inspection):
            if isinstance(said, Finding):
                findings.append(said)
            else:
                not_checked.append(said)
    findings.sort(key=_finding_order)
    not_checked.sort(key=lambda entry: (entry.code, entry.reason))
    return Report(tuple(findings), tuple(not_checked))


def _finding_order(finding: Finding) -> tuple[int, str, list[tuple[int, str]], str]:
    subjects = [order_key(subject) for subject in finding.subjects]
    return SEVERITY_ORDER[finding.severity], finding.code, subjects, finding.message


def to_json(design: Design, report: Report) -> dict[str, Any]:
    """The object `validate --format json` prints; subjects by name."""
    return {
        "findings": [
            {
                "code": finding.code,
                "severity": finding.severity.value,
                "message": finding.message,
                "subjects": [_subject_name(design, subject) for subject in finding.subjects],
                "limit": finding.limit,
                "value": finding.value,
                "reason": finding.reason,
                "fix": finding.fix.label if finding.fix is not None else None,
                "waived": False,
            }
            for finding in report.findings
        ],
        "not_checked": [{"code": entry.code, "reason": entry.reason} for entry in report.not_checked],
        "errors": report.errors,
        "warnings": report.warnings,
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
