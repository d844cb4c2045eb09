"""`validate FILE`: what is wrong with a design, and what was not checked."""

from pathlib import Path

import click

from designer.cli.files import open_design
from designer.cli.json_text import json_text
from designer.cli.main import FOUND_ERRORS, say
from designer.cli.options import DESIGN_ARGUMENT, FORMAT_OPTION
from designer.tables.table import aligned
from designer.units import format_count
from designer.validation.engine import RULES, Report, to_json, validate


@click.command(epilog=f"Rules: {', '.join(sorted(rule.code for rule in RULES))}. Exit code 1: errors were found.")
@DESIGN_ARGUMENT
@FORMAT_OPTION
@click.pass_context
def command(ctx: click.Context, file: Path, format_: str) -> None:
    """Check whether a design can be built: list findings, offered fixes, and what was not checked."""
    design = open_design(file)
    report = validate(design)
    say(json_text(to_json(design, report)) if format_ == "json" else _text(report))
    if report.errors:
        ctx.exit(FOUND_ERRORS)


def _text(report: Report) -> str:
    parts = []
    if report.findings:
        lines = aligned([(one.severity.value, one.code, one.message) for one in report.findings]).split("\n")
        for line, finding in zip(lines, report.findings, strict=True):
            parts.append(line)
            if finding.fix is not None:
                parts.append(f"    fix: {finding.fix.label}")
        parts.append("")
    parts.append(f"{_plural(report.errors, 'error')}, {_plural(report.warnings, 'warning')}")
    if report.not_checked:
        parts.append("not checked:")
        parts.append(aligned([(entry.code, entry.reason) for entry in report.not_checked], indent="  "))
    return "\n".join(parts)


def _plural(count: int, noun: str) -> str:
    return f"{format_count(count)} {noun}" + ("" if count == 1 else "s")
