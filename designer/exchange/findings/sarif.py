"""Findings as SARIF 2.1.0, the format of code scanners and of GitHub: rules, results, places, waivers."""

import json
from collections.abc import Iterator, Mapping
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from designer.model.design import Design
from designer.units import format_count
from designer.validation.baseline import fingerprint
from designer.validation.engine import RULES
from designer.validation.findings import Finding, Report, Severity
from designer.validation.rule import Rule
from designer.validation.subjects import subject_name
from designer.version import VERSION

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
PLACES_MOST = 50
"""Subjects of a finding that have a place each; the message counts the others."""
FINGERPRINT = "fabricFinding/v1"


def sarif(design: Design, report: Report, file_name: str, lines: Mapping[str, int]) -> str:
    """The report of a design. `file_name` is what its places are in, `lines` the line of each record by id."""
    rules = sorted(RULES, key=lambda rule: rule.code)
    number = {rule.code: index for index, rule in enumerate(rules)}
    uri = quote(PurePath(file_name).as_posix())
    run = {
        "tool": {"driver": {"name": "Fabric Designer", "version": VERSION, "rules": [_rule(one) for one in rules]}},
        "artifacts": [{"location": {"uri": uri}}],
        "invocations": [{"executionSuccessful": True, "toolExecutionNotifications": list(_notes(report, number))}],
        "results": [_result(design, one, number, uri, lines) for one in report.findings],
        "columnKind": "unicodeCodePoints",
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1, ensure_ascii=False)


def _rule(rule: Rule) -> dict[str, Any]:
    return {
        "id": rule.code,
        "name": "".join(word.capitalize() for word in rule.title.replace("-", " ").split()),
        "shortDescription": {"text": f"{rule.title}."},
        "fullDescription": {"text": rule.reason},
        "help": {"text": rule.advice or rule.reason},
        "defaultConfiguration": {"level": LEVELS[rule.severity]},
    }


def _notes(report: Report, number: Mapping[str, int]) -> Iterator[dict[str, Any]]:
    """What was not checked, and what the policy switches off."""
    for what, entries in (("Not checked", report.not_checked), ("Switched off by the policy", report.off)):
        for entry in entries:
            about = {"id": entry.code, **({"index": number[entry.code]} if entry.code in number else {})}
            yield {"level": "note", "associatedRule": about, "message": {"text": f"{what}: {entry.reason}"}}


def _result(
    design: Design, finding: Finding, number: Mapping[str, int], uri: str, lines: Mapping[str, int]
) -> dict[str, Any]:
    more = len(finding.subjects) - PLACES_MOST
    text = finding.message if more <= 0 else f"{finding.message} (and {format_count(more)} more places)"
    made: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": number[finding.code],
        "level": LEVELS[finding.severity],
        "message": {"text": text},
        "locations": [_place(design, one, uri, lines) for one in finding.subjects[:PLACES_MOST]]
        or [{"physicalLocation": {"artifactLocation": {"uri": uri, "index": 0}}}],
        "partialFingerprints": {FINGERPRINT: fingerprint(design, finding)},
    }
    if finding.waiver is not None:
        waiver = finding.waiver
        said = ", ".join(part for part in (waiver.author, waiver.date) if part)
        reason = f"{waiver.reason} ({said})" if said else waiver.reason
        made["suppressions"] = [{"kind": "external", "status": "accepted", "justification": reason}]
    return made


def _place(design: Design, subject: str, uri: str, lines: Mapping[str, int]) -> dict[str, Any]:
    physical: dict[str, Any] = {"artifactLocation": {"uri": uri, "index": 0}}
    if subject in lines:
        physical["region"] = {"startLine": lines[subject]}
    logical = {"name": subject_name(design, subject), "fullyQualifiedName": subject, "kind": "resource"}
    return {"physicalLocation": physical, "logicalLocations": [logical]}
