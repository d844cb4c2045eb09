"""Writes the pages of reference from the tables of the program: `python docs/make_reference.py`.

A test fails where a page is not what this makes.
"""

import importlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import click

DOCS = Path(__file__).parent
sys.path[:0] = [str(DOCS), str(DOCS.parent)]

from make_file_format import table  # noqa: E402  (after the path is set)
from make_published import published  # noqa: E402

from designer.canvas.formats import BUILT_IN as FORMATS  # noqa: E402
from designer.cli.main import COMMANDS, PROGRAM, commands  # noqa: E402
from designer.exchange.exporter import Exporter  # noqa: E402
from designer.exchange.importer import Importer  # noqa: E402
from designer.exchange.importers import BUILT_IN as IMPORTABLE  # noqa: E402
from designer.exchange.options import listed  # noqa: E402
from designer.fields.field import fields_of  # noqa: E402
from designer.model.policy import Policy  # noqa: E402
from designer.topologies.families import BUILT_IN  # noqa: E402
from designer.validation import engine  # noqa: E402, F401  (importing it registers the rules)
from designer.validation.rule import Rule, registered  # noqa: E402
from designer.validation.scope import READABLE  # noqa: E402


def rules() -> str:
    """The page of the built-in rules, by code."""
    lines = [
        "# Rules",
        "",
        "Every rule of the validation, by code: what it reports, and why. [Check a design](check.md) describes how to "
        "work with findings. An error stops the design from being built or from working; a warning is worth a look.",
        "",
        "The scope of a rule is the part of a design that decides whether it finds something there. After an edit, a "
        "rule of a device, cage, link, rack or group is checked at once, and only where the edit touches; a rule of a "
        "leaf block, network or the whole design is checked in the background where the edit changes what it reads.",
    ]
    limits = fields_of(Policy)
    rows = [
        (
            f"[{one.code}](#{_anchor(one)})",
            one.severity.value,
            one.title,
            "yes" if one.fix else "",
            one.scope.value,
            _names(one),
        )
        for one in registered()
    ]
    lines += ["", table(("code", "severity", "what", "fix", "scope", "policy"), rows)]
    for rule in registered():
        lines += ["", f"## {rule.code}: {rule.title}", "", f"{rule.severity.value.capitalize()}. {rule.reason}"]
        if rule.example:
            lines += ["", f"**Example:** {rule.example}"]
        lines += ["", f"**What to do:** {rule.advice}"]
        if rule.fix:
            lines += ["", f"**Fix:** {rule.fix}"]
        lines += ["", f"**Scope and reads:** {rule.scope.value}; {_read(rule)}"]
        if rule.hides:
            lines += ["", f"**May hide:** {', '.join(rule.hides)}, which may find more of the same things afterwards."]
        if rule.policy:
            named = ", ".join(f"*{limits[name].title}* (`{name}`)" for name in rule.policy)
            lines += ["", f"**Set by the policy:** {named}"]
        if rule.source:
            lines += ["", f"**Source:** {rule.source}"]
    return "\n".join(lines) + "\n"


def _read(rule: Rule) -> str:
    return "everything" if rule.reads == READABLE else ", ".join(rule.reads)


def _names(rule: Rule) -> str:
    return ", ".join(f"`{name}`" for name in rule.policy)


def _anchor(rule: Rule) -> str:
    """Where the heading of a rule is, as GitHub and the guide name it."""
    words = f"{rule.code}: {rule.title}".lower()
    return "".join(one for one in words if one.isalnum() or one in " -").replace(" ", "-")


def fabrics() -> str:
    """The page of the built-in topology families and their options; those that all of them have come last, once."""
    lines = [
        "# Fabrics you can generate",
        "",
        "Every family of *File > Generate Fabric* and of `fabric-designer generate`, with what it asks for. "
        "The form has a field for each option.",
    ]
    generate = importlib.import_module("designer.cli.generate").command
    context = click.Context(generate, info_name="generate")
    options = {one.name: _options(generate.get_command(context, one.name)) for one in BUILT_IN}
    texts = {name: [(_option(one), _meaning(one)) for one in rows] for name, rows in options.items()}
    common = [row for row in next(iter(texts.values())) if all(row in rows for rows in texts.values())]
    for family in BUILT_IN:
        own = [row for row in texts[family.name] if row not in common]
        lines += ["", f"## {family.title}", "", f"`generate {family.name}`. {family.description}", ""]
        lines.append(table(("option", "meaning"), own))
    lines += ["", "## Options of all families", "", table(("option", "meaning"), common)]
    return "\n".join(lines) + "\n"


def command_line() -> str:
    """The page of commands and their options."""
    lines = [
        "# Command line",
        "",
        f"`{PROGRAM} COMMAND [OPTIONS]`. Exit codes: 0 done, 1 done and errors were found, 2 unusable arguments or "
        "file, 130 interrupted.",
    ]
    context = click.Context(commands, info_name=PROGRAM)
    for row in COMMANDS:
        command = commands.get_command(context, row.name)
        assert command is not None
        for name, one in _commands(command, row.name, context):
            usage = one.get_usage(click.Context(one, info_name=name, parent=context)).removeprefix("Usage: ")
            lines += ["", f"## {name}", "", f"`{' '.join(usage.split())}`", "", _paragraph(one.help or row.help)]
            options = [(_option(each), _meaning(each)) for each in _options(one)]
            if options:
                lines += ["", table(("option", "meaning"), options)]
        if row.name == "export":
            lines += _formats()
        if row.name == "import":
            rows = [(f"`{one.name}`", _importable(one)) for one in IMPORTABLE]
            lines += ["", table(("format", "file"), rows)]
        if row.name == "generate":
            lines += [
                "",
                "The options of each family: [Fabrics you can generate](fabrics.md); presets: "
                "[Published designs](published.md).",
            ]
    return "\n".join(lines) + "\n"


def _formats() -> Iterator[str]:
    """The tables of export formats and of their options; those of plug-ins are not on the page."""
    yield from ("", table(("format", "file"), [(f"`{one.name}`", _file(one)) for one in FORMATS]))
    of: dict[tuple[str, str], list[str]] = {}
    for one in FORMATS:
        for option in listed(one.options):
            of.setdefault(option, []).append(one.name)
    rows = [(f"`{written}`", ", ".join(names), meaning) for (written, meaning), names in of.items()]
    yield from ("", "What may follow `--option`:", "", table(("option", "of", "meaning"), rows))


def _file(exporter: Exporter) -> str:
    suffixes = ", ".join(f"`{suffix}`" for suffix in (exporter.suffix, *exporter.other_suffixes))
    return f"{exporter.title} ({suffixes}). {exporter.about}".rstrip()


def _importable(importer: Importer) -> str:
    """What files of a format are, and what they are called; folders have no suffix."""
    suffixes = ", ".join(f"`{suffix}`" for suffix in importer.suffixes if suffix != "/")
    return f"{importer.title}{f' ({suffixes})' if suffixes else ''}. {importer.about}".rstrip()


def _commands(command: click.Command, name: str, context: click.Context) -> Iterator[tuple[str, click.Command]]:
    """The command and, but for the families of `generate`, those inside it."""
    yield name, command
    if isinstance(command, click.Group) and name != "generate":
        for inner in command.list_commands(context):
            found = command.get_command(context, inner)
            assert found is not None
            yield from _commands(found, f"{name} {inner}", context)


def _options(command: click.Command) -> list[click.Option]:
    return [one for one in command.params if isinstance(one, click.Option) and not one.hidden]


def _option(option: click.Option) -> str:
    names = ", ".join([*option.opts, *option.secondary_opts])
    value = "" if option.is_flag else f" {option.make_metavar(click.Context(click.Command('')))}"
    return f"`{names}{value}`"


def _meaning(option: click.Option) -> str:
    default = option.default
    shown = isinstance(default, str | int | float) and not isinstance(default, bool) and default != ""
    return _paragraph(option.help or "") + (f" Default: {default}." if shown and option.show_default else "")


def _paragraph(text: str) -> str:
    return " ".join(text.replace("\b", "").split())


PAGES: dict[str, Callable[[], str]] = {
    "rules.md": rules,
    "fabrics.md": fabrics,
    "published.md": published,
    "command-line.md": command_line,
}

if __name__ == "__main__":
    for file, make in PAGES.items():
        (DOCS / file).write_text(make(), encoding="utf-8")
