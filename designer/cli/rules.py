"""`rules [CODE]`: the table of rules, or the page of one."""

from typing import Any

import click

from designer.cli.json_text import json_text
from designer.cli.main import say
from designer.cli.options import FORMAT_OPTION
from designer.errors import ParameterError
from designer.tables.table import aligned
from designer.units import shortened
from designer.validation.engine import RULES, Rule


@click.command()
@click.argument("code", required=False)
@FORMAT_OPTION
def command(code: str | None, format_: str) -> None:
    """List the rules, or say what one of them finds, why, and what to do about it."""
    rules = sorted(RULES, key=lambda rule: rule.code)
    if code is not None:
        rules = [rule for rule in rules if rule.code == code.upper()]
        if not rules:
            raise ParameterError(f"there is no rule {shortened(code)!r}: fabric-designer rules lists them")
    if format_ == "json":
        say(json_text({"rules": [_stated(rule) for rule in rules]}))
    elif code is not None:
        say(_page(rules[0]))
    else:
        say(aligned([(rule.severity.value, rule.code, rule.title) for rule in rules]))


def _stated(rule: Rule) -> dict[str, Any]:
    return {
        "code": rule.code,
        "severity": rule.severity.value,
        "title": rule.title,
        "reason": rule.reason,
        "remedy": rule.advice,
        "example": rule.example,
        "source": rule.source,
        "policy": list(rule.policy),
        "hides": list(rule.hides),
        "fix": bool(rule.fix),
    }


def _page(rule: Rule) -> str:
    lines = [f"{rule.code}: {rule.title} ({rule.severity.value})", "", rule.check.__doc__ or "", f"Why: {rule.reason}"]
    if rule.example:
        lines.append(f"Example: {rule.example}")
    if rule.advice:
        lines.append(f"What to do: {rule.advice}")
    if rule.fix:
        lines.append(f"Fix: {rule.fix}")
    if rule.hides:
        lines.append(f"May hide: {', '.join(rule.hides)}, which may find more of the same things afterwards.")
    if rule.policy:
        lines.append(f"Set by the policy: {', '.join(rule.policy)}")
    if rule.source:
        lines.append(f"Source: {rule.source}")
    return "\n".join(lines)
