"""`validate FILE`: what is wrong with a design, what is accepted, and what was not checked."""

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import click

from designer.cli.files import check_output, open_design
from designer.cli.json_text import json_text
from designer.cli.main import FOUND_ERRORS, say, tell
from designer.cli.options import DESIGN_ARGUMENT, FORCE_OPTION, PATH
from designer.errors import FileFormatError, ParameterError
from designer.late import Late
from designer.model import policies
from designer.model.design import Design
from designer.storage.saving import replace_file
from designer.tables.table import aligned
from designer.units import format_count, shortened
from designer.validation.baseline import SIZE_MOST, Known, only_new, read_baseline
from designer.validation.engine import RULES, Report, to_json, validate
from designer.validation.findings import Finding

sarif = Late("designer.exchange.findings.sarif")
places = Late("designer.exchange.findings.places")
listing = Late("designer.exchange.findings.listing")
report_page = Late("designer.exchange.findings.report_page")
policy_files = Late("designer.storage.policies")


ALIKE_SHOWN = 5
"""Findings of a rule that the text lists before the rest is counted."""
POLICY_OPTION = click.option(
    "--policy", type=PATH, metavar="FILE", help="A policy to check against, in place of the design's own."
)


def rules_option(help_: str) -> Callable[[click.decorators.FC], click.decorators.FC]:
    """The option that names rules by their codes."""
    return click.option("--rules", "codes", metavar="CODE,...", callback=_codes, help=help_)


def _codes(_ctx: click.Context, _parameter: click.Parameter, text: str | None) -> frozenset[str] | None:
    """Codes of rules, or whole families such as PORT. Raises ParameterError for one that no rule has."""
    if text is None:
        return None
    known = [rule.code for rule in RULES]
    found: set[str] = set()
    for word in filter(None, (part.strip().upper() for part in text.split(","))):
        meant = [code for code in known if code == word or code.startswith(f"{word}-")]
        if not meant:
            raise ParameterError(f"there is no rule {shortened(word)!r}: fabric-designer rules lists them")
        found.update(meant)
    if not found:
        raise ParameterError("--rules names no rule: name codes or families, such as PORT,OVER-001")
    return frozenset(found)


@click.command(epilog=f"Rules: {', '.join(sorted(rule.code for rule in RULES))}. Exit code 1: errors were found.")
@DESIGN_ARGUMENT
@click.option(
    "--format",
    "format_",
    type=click.Choice(["text", "json", "csv", "html", "sarif"]),
    default="text",
    show_default=True,
    help="What to print: html is a page for a review, sarif a report for code scanners.",
)
@POLICY_OPTION
@rules_option("Rules to check, or families such as PORT, instead of all.")
@click.option("--baseline", type=PATH, metavar="FILE", help="An earlier report as JSON: only findings not in it count.")
@click.option(
    "--fail-on",
    type=click.Choice(["error", "warning"]),
    default="error",
    show_default=True,
    help="From which severity on open findings give exit code 1.",
)
@click.option("-o", "--output", type=PATH, metavar="FILE", help="Write the report to a file, not to the terminal.")
@FORCE_OPTION
@click.option("--all", "is_whole", is_flag=True, help=f"As text, list more than {ALIKE_SHOWN} findings of a rule.")
@click.pass_context
def command(
    ctx: click.Context,
    /,
    file: Path,
    format_: str,
    policy: Path | None,
    codes: frozenset[str] | None,
    baseline: Path | None,
    fail_on: str,
    **written: Any,
) -> None:
    """Check whether a design can be built: list findings, offered fixes, waivers, and what was not checked."""
    output: Path | None = written["output"]
    if output is not None:
        check_output(output, written["force"])
    design = with_policy(open_design(file), policy)
    report = validate(design, codes=codes)
    if baseline is not None:
        report = only_new(design, report, _known(baseline))
    text = _text(report, is_whole=written["is_whole"]) if format_ == "text" else _written(design, report, file, format_)
    if output is None:
        say(text)
    else:
        _write(output, text)
    if report.errors or (fail_on == "warning" and report.warnings):
        ctx.exit(FOUND_ERRORS)


def with_policy(design: Design, path: Path | None) -> Design:
    """The design under the policy in a file; as it is where none is given."""
    if path is not None:
        design.apply(policies.set_policy(design, policy_files.load(path)))
    return design


def _shown_path(file: Path) -> str:
    """The path from the folder that the command runs in, as a checkout has it; the name alone of files elsewhere."""
    whole = file.resolve()
    here = Path.cwd().resolve()
    return (whole.relative_to(here) if whole.is_relative_to(here) else Path(file.name)).as_posix()


def _write(path: Path, text: str) -> None:
    replace_file(path, f"{text}\n".encode())
    tell(f"wrote {path}")


def _known(path: Path) -> Known:
    try:
        with path.open("rb") as file:
            return read_baseline(file.read(SIZE_MOST + 1))
    except OSError as error:
        raise FileFormatError(f"{path} cannot be read: {(error.strerror or 'the system refused').lower()}") from None
    except FileFormatError as error:
        raise FileFormatError(f"{path.name} {error}") from None


def _written(design: Design, report: Report, file: Path, format_: str) -> str:
    """The report in a format other than text."""
    if format_ == "json":
        return json_text(to_json(design, report))
    if format_ == "csv":
        text: str = listing.findings_table(design, report).csv()
        return text.replace("\r\n", "\n").removesuffix("\n")
    if format_ == "html":
        page: str = report_page.report_page(design, report)
        return page.removesuffix("\n")
    made: str = sarif.sarif(design, report, _shown_path(file), places.lines_of(file.read_bytes()))
    return made


def _text(report: Report, *, is_whole: bool) -> str:
    parts = []
    if report.open:
        listed = list(_listed(report.open, len(report.open) if is_whole else ALIKE_SHOWN))
        lines = aligned([(one.severity.value, one.code, one.message) for one, _ in listed]).split("\n")
        for line, (finding, n_more) in zip(lines, listed, strict=True):
            parts.append(line)
            if finding.fix is not None:
                parts.append(f"    fix: {finding.fix.label}")
            if n_more:
                parts.append(f"    and {format_count(n_more)} more of {finding.code}: --all lists each")
        parts.append("")
    counted = [_plural(report.errors, "error"), _plural(report.warnings, "warning")]
    if report.waived:
        counted.append(f"{format_count(report.waived)} waived")
    parts.append(", ".join(counted))
    waived = [(one.code, one.message, f"({one.waiver.reason})") for one in report.findings if one.waiver is not None]
    for title, rows in (
        ("waived:", waived),
        ("switched off by the policy:", [(one.code, one.reason) for one in report.off]),
        ("not checked:", [(one.code, one.reason) for one in report.not_checked]),
    ):
        if rows:
            parts += [title, aligned(rows, indent="  ")]
    return "\n".join(parts)


def _listed(findings: Iterable[Finding], most: int) -> Iterator[tuple[Finding, int]]:
    """The first findings of each rule and severity; the last of them with how many more there are."""
    for _, group in groupby(findings, lambda one: (one.severity, one.code)):
        alike = list(group)
        shown = alike[:most]
        yield from ((one, 0) for one in shown[:-1])
        yield shown[-1], len(alike) - len(shown)


def _plural(count: int, noun: str) -> str:
    return f"{format_count(count)} {noun}" + ("" if count == 1 else "s")
