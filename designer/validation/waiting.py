"""Findings that wait: about devices under construction, before they are connected to anything."""

from collections.abc import Collection
from dataclasses import replace

from designer.model.design import Design
from designer.validation.findings import Finding, Report


def apart(report: Report, design: Design, under_construction: Collection[str]) -> Report:
    """The report without what is about devices under construction alone.

    Findings that are also about a link, a rack or a device that is connected stay.
    """
    if not under_construction:
        return report
    kept: list[Finding] = []
    for finding in report.findings:
        about = {_device_of(design, one) for one in finding.subjects}
        if not about or not all(one in under_construction for one in about):
            kept.append(finding)
    return replace(report, findings=tuple(kept))


def _device_of(design: Design, subject: str) -> str | None:
    """The device itself, or the one that a module is in."""
    module = design.modules.get(subject)
    return module.device_id if module is not None else subject if subject in design.devices else None
