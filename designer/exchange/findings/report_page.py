"""The findings of a design as one page for a review: counts, findings by rule with pictures, waivers, the policy."""

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import groupby

from designer.analysis.findings_policy import policy_facts
from designer.drawing.parts.ruler import EstimatedRuler
from designer.errors import DesignerError
from designer.exchange import diagram_svg
from designer.exchange.diagram_options import DiagramOptions
from designer.exchange.exporters_diagram import drawing_of
from designer.exchange.findings.listing import findings_table
from designer.exchange.pack import html
from designer.exchange.pack.pictures import inlined
from designer.exchange.revisions import design_digest
from designer.model import operations
from designer.model.design import Design
from designer.model.title_facts import stated_facts
from designer.tables.columns import pick
from designer.tables.table import ResultTable
from designer.units import format_count, format_counted
from designer.validation.engine import RULES
from designer.validation.findings import Finding, Report
from designer.version import version_text

SHOWN_MOST = 500
"""Findings of one rule that the page lists before the rest is counted."""
DEVICES_MOST = 12
"""Devices that the picture of a rule shows."""
OPEN_COLUMNS = "severity message where fix"
WAIVED_COLUMNS = "code message where accepted_because waived_by waived_on"


def report_page(design: Design, report: Report) -> str:
    """The page, whole in itself: no script, nothing from elsewhere."""
    body = [
        html.title(f"Findings of {design.name}"),
        html.facts(_about(design)),
        html.tiles(
            (
                _tile(report.errors, "error", "error"),
                _tile(report.warnings, "warning", "warning"),
                (format_count(report.infos), "for information", ""),
                (format_count(report.waived), "waived", ""),
                (format_count(len(report.off)), "rules switched off", ""),
            )
        ),
        html.heading("Open findings"),
        *_open(design, report),
        html.heading("Waived findings"),
        *_waived(design, report),
        html.heading("Rules that the policy switches off"),
        *_entries(((one.code, one.reason) for one in report.off), "None."),
        html.heading("Not checked"),
        *_entries(((one.code, one.reason) for one in report.not_checked), "None."),
        html.heading("Policy"),
        html.facts(policy_facts(design.policy)),
    ]
    return html.page(f"Findings of {design.name}", body)


def _about(design: Design) -> Iterator[tuple[str, str]]:
    yield from (fact for fact in stated_facts(design) if fact[0] != "Design")
    yield "Digest of the design", f"SHA-256 {design_digest(design)}"
    yield "Checked by", f"Fabric Designer {version_text()}"


def _tile(count: int, word: str, kind: str) -> tuple[str, str, str]:
    return format_count(count), word if count == 1 else f"{word}s", kind if count else "good"


def _open(design: Design, report: Report) -> Iterator[str]:
    if not report.open:
        yield html.paragraph("There are no open findings.")
    rules = {rule.code: rule for rule in RULES}
    for code, found in groupby(report.open, key=lambda finding: finding.code):
        findings = list(found)
        rule = rules.get(code)
        yield html.subheading(f"{code}: {rule.title}" if rule is not None else code)
        if rule is not None:
            yield html.paragraph(f"{rule.reason} {rule.remedy}".strip(), "muted")
        yield from _listed(design, findings, OPEN_COLUMNS)
        yield from _picture(design, findings[0], code)


def _waived(design: Design, report: Report) -> Iterator[str]:
    waived = [finding for finding in report.findings if finding.waiver is not None]
    if waived:
        yield from _listed(design, waived, WAIVED_COLUMNS)
    else:
        yield html.paragraph("None.", "muted")


def _listed(design: Design, findings: list[Finding], columns: str) -> Iterator[str]:
    whole = findings_table(design, Report(tuple(findings[:SHOWN_MOST]), ()))
    yield html.result_table(ResultTable(pick(whole.columns, columns), whole.rows))
    if len(findings) > SHOWN_MOST:
        more = format_counted(len(findings) - SHOWN_MOST, "more finding")
        yield html.paragraph(f"{more}: the CSV report lists them all.", "muted")


def _entries(rows: Iterable[tuple[str, str]], nothing: str) -> Iterator[str]:
    listed = list(rows)
    yield html.table(("Rule", "Reason"), listed) if listed else html.paragraph(nothing, "muted")


def _picture(design: Design, finding: Finding, code: str) -> Iterator[str]:
    """The devices that a finding is about, with the links between them; of one device with what it is linked to."""
    devices = list(_devices(design, finding))[:DEVICES_MOST]
    if len(devices) == 1:
        devices += list(_neighbours(design, devices[0]))[: DEVICES_MOST - 1]
    names = tuple(design.device(one).name for one in devices)
    if len(names) < 2:  # a box alone shows nothing that its name does not say
        return
    try:
        text = inlined(partial(_drawn, design, names), code.lower())
    except DesignerError:
        return  # a picture of names that several devices have, say; the table names them all
    yield html.figure(text, f"Where: {', '.join(names[:3])}{' and others' if len(names) > 3 else ''}")


def _devices(design: Design, finding: Finding) -> dict[str, None]:
    found: dict[str, None] = {}
    for one in finding.subjects:
        link, module = design.links.get(one), design.modules.get(one)
        about = (link.a.device_id, link.b.device_id) if link is not None else (module.device_id if module else one,)
        found.update(dict.fromkeys(name for name in about if name in design.devices))
    return found


def _neighbours(design: Design, device_id: str) -> dict[str, None]:
    ends = (end.device_id for link in design.links_of(device_id) for end in (link.a, link.b))
    return {one: None for one in ends if one != device_id}


def _drawn(design: Design, names: tuple[str, ...], theme: str) -> str:
    """The devices of these names and the links between them, as SVG."""
    shown = design.snapshot()  # ports in use would be those of the links in the picture
    shown.apply(operations.set_settings(shown, device_labels=("name", "type")))
    options = DiagramOptions(only=names, theme=theme, heading=False, legend=False)
    return diagram_svg.text_of(drawing_of(shown, options, html.PICTURE)(EstimatedRuler()))
