"""Open findings by the things that they are about."""

from collections import defaultdict
from collections.abc import Iterable

from designer.model.design import Design
from designer.validation.findings import Finding, Report, Severity


class BySubject:
    """The open errors and warnings of a report; what is only for information bears no badge, and is left out."""

    def __init__(self, report: Report) -> None:
        self._found: defaultdict[str, dict[int, Finding]] = defaultdict(dict)
        """By the id of a subject, each by its place in the report."""
        for place, finding in enumerate(report.open):
            if finding.severity is not Severity.INFO:
                for subject in finding.subjects:
                    self._found[subject][place] = finding

    def about(self, design: Design, ids: Iterable[str]) -> list[Finding]:
        """Those about any of these, modules in them, or what stands in racks among them, errors first."""
        found: dict[int, Finding] = {}
        held = (device_id for one in ids for device_id in (one, *(design.mounted(one) if one in design.racks else ())))
        for one in held:
            modules = design.modules_of(one) if one in design.devices else ()
            for subject in (one, *(module.id for module in modules)):
                found |= self._found.get(subject, {})
        return [found[place] for place in sorted(found)]
