"""What `accept` prints: the parts with what they should measure; residuals, and explanations with measurements."""

from typing import Any

from designer.exchange.acceptance.judged import Judged
from designer.exchange.acceptance.sheet import AcceptanceSheet
from designer.simulation.acceptance.expected import ExpectedPart
from designer.simulation.acceptance.explain import CANNOT_DISTINGUISH, Diagnosis
from designer.tables.columns import as_json, exact_percent, percent
from designer.tables.table import ResultTable
from designer.units import format_count, format_size

EXPLANATIONS_SHOWN = 8
BY_SIZE_MOST = 3
"""Measurements whose sizes are listed one by one; of more, JSON and the page have them."""
BY_SIZE = "part size_bytes measured_us predicted_us measured_gbytes_per_s predicted_gbytes_per_s ratio is_judged"


def as_record(made: Judged) -> dict[str, Any]:
    """The JSON."""
    sheet = made.sheet
    record = {
        "design": sheet.design_name,
        "collective": sheet.scenario.collective,
        "tolerance": sheet.tolerance,
        "parts": [
            {"name": run.part.name, "title": run.part.title, "rows": as_json(run.expected.rows)} for run in sheet.parts
        ],
        "notes": [*sheet.notes, *made.notes],
    }
    if made.diagnosis is not None:
        verdicts = [one.is_accepted(sheet.tolerance) for one in made.diagnosis.evidence]
        record["measured"] = as_json(made.diagnosis) | {"accepted": verdicts}
    return record


def as_text(made: Judged) -> str:
    """What people read."""
    sheet = made.sheet
    best = sheet.whole.expected.best
    scenario = sheet.scenario
    head = (
        f"# {scenario.collective}, {scenario.algorithm_used}, routing {scenario.routing_text}, on {sheet.design_name}: "
        f"expected at {format_size(best.size_bytes)}, accepted down to {exact_percent(sheet.tolerance)} below"
    )
    table = ResultTable(ExpectedPart.COLUMNS, [run.expected for run in sheet.parts]).text(has_units=True)
    parts = [f"{head}\n{table}", *sheet.notes]
    if made.diagnosis is not None:
        parts += _measured(sheet, made.diagnosis)
    return "\n\n".join(parts)


def _measured(sheet: AcceptanceSheet, diagnosis: Diagnosis) -> list[str]:
    evidence = diagnosis.evidence
    short = [one for one in evidence if one.is_accepted(sheet.tolerance) is False]
    verdict = f"{format_count(len(short))} of {format_count(len(evidence))} measurements fall short"
    shown = diagnosis.explanations[:EXPLANATIONS_SHOWN]
    best = diagnosis.best
    lines = [f"# measured\n{ResultTable.of(evidence, 'part measurement ratio worst n_judged').text()}"]
    if len(evidence) <= BY_SIZE_MOST:
        rows = [row for one in evidence for row in one.rows]
        lines.append(f"# by size\n{ResultTable.of(rows, BY_SIZE).text(has_units=True)}")
    lines.append(
        f"# {verdict}; runs scatter by {percent(diagnosis.noise)}. Explanations, single faults, the likeliest first:\n"
        + ResultTable.of(shown, "probability residual_sigma residual bias title").text()
    )
    if best.alike:
        listed = "\n  ".join(filter(None, (*best.alike, best.more_alike)))
        lines.append(f"# {CANNOT_DISTINGUISH[:1].lower()}{CANNOT_DISTINGUISH[1:]}:\n  {listed}")
    return lines
