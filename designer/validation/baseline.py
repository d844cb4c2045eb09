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

Known = Counter[tuple[str, tuple[str, ...]]]
"""How many findings there were by code and names of subjects."""


def key_of(design: Design, finding: Finding) -> tuple[str, tuple[str, ...]]:
    """What tells a finding from others, whatever its figures and the ids of the design are."""
    return finding.code, tuple(subject_name(design, one) for one in finding.subjects)


def fingerprint(design: Design, finding: Finding) -> str:
    """The same in 32 hexadecimal digits."""
    return hashlib.sha256(json.dumps(key_of(design, finding)).encode()).hexdigest()[:32]


def read_baseline(data: bytes) -> Known:
    """The findings that `validate --format json` printed. Raises FileFormatError without the file's name."""
    if len(data) > SIZE_MOST:
        raise FileFormatError(f"is larger than {SIZE_MOST // 2**20} MB: no report is")
    try:
        stated: Any = json.loads(data)
        return Counter((str(one["code"]), tuple(map(str, one["subjects"]))) for one in stated["findings"])
    except (ValueError, KeyError, TypeError, RecursionError):
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
