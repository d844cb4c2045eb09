"""Findings known from before: a report that was kept says which findings are new."""

import hashlib
import json
from collections import Counter
from dataclasses import replace
from typing import Any

from designer.errors import FileFormatError
from designer.model.design import Design
from designer.validation.findings import Finding, Report
from designer.validation.subjects import subject_name

SIZE_MOST = 256 * 1024 * 1024

Key = tuple[str, str, tuple[str, ...]]
Known = Counter[Key]
"""How many open findings there were by code, aspect and names of subjects."""


def key_of(design: Design, finding: Finding) -> Key:
    """What tells a finding from others, whatever its figures and the ids of the design are."""
    return finding.code, finding.aspect, tuple(subject_name(design, one) for one in finding.subjects)


def fingerprint(design: Design, finding: Finding) -> str:
    """The same in 32 hexadecimal digits."""
    return hashlib.sha256(json.dumps(key_of(design, finding)).encode()).hexdigest()[:32]


def read_baseline(data: bytes) -> Known:
    """The open findings that `validate --format json` printed. Raises FileFormatError without the file's name."""
    if len(data) > SIZE_MOST:
        raise FileFormatError(f"is larger than {SIZE_MOST // 2**20} MB")
    try:
        stated: Any = json.loads(data)
        found = [one for one in stated["findings"] if not one.get("waived")]
        return Counter(
            (str(one["code"]), str(one.get("aspect", "")), tuple(map(str, one["subjects"]))) for one in found
        )
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise FileFormatError("is not a report of validate --format json") from None


def only_new(design: Design, report: Report, known: Known) -> Report:
    """The report without the findings that were known."""
    left = Counter(known)
    kept = []
    for finding in report.findings:
        key = key_of(design, finding)
        if left[key] > 0:
            left[key] -= 1
        else:
            kept.append(finding)
    return replace(report, findings=tuple(kept))
