"""`generate FAMILY`: a design from parameters. The options are the fields of the family's parameter record."""

import gc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from designer.analysis.new_designs import new_design
from designer.catalog.catalog import load
from designer.cli.files import check_output
from designer.cli.main import os_sentence, tell
from designer.cli.options import FORCE_OPTION, PATH, option_of
from designer.cli.prepare import report
from designer.errors import DesignerError, ExportError
from designer.fields.field import Field, fields_of
from designer.storage import document
from designer.topologies.families import FAMILIES, Family
from designer.topologies.networks import NetworkParameters
from designer.topologies.parameters import RACK_CHOICES, CableParameters
from designer.units import format_count, format_counted

REQUIRED = ("servers", "children", "parents", "dims", "p", "a", "h", "k", "leafs", "spines", "q", "switches", "degree")
"""Fields that the command line asks for where forms have a default for them; servers too, unless generic ones do."""

GENERIC = "generic-"


class _Families(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return [family.name for family in FAMILIES]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return next((_family_command(family) for family in FAMILIES if family.name == cmd_name), None)


@click.group(cls=_Families, subcommand_metavar="FAMILY [OPTIONS]", options_metavar="")
def command() -> None:
    """Make a design from the parameters of a topology family."""


def _family_command(family: Family) -> click.Command:
    own = fields_of(family.parameters)
    options: list[click.Parameter] = [_option(field) for field in own.values()]
    if "racks" not in own:
        options.append(
            click.Option(
                ["--racks"],
                type=click.Choice(RACK_CHOICES),
                expose_value=False,
                help="No effect: this family places nothing in racks.",
            )
        )
    options += [_option(field) for part in (CableParameters, NetworkParameters) for field in fields_of(part).values()]
    options += [
        click.Option(["--name", "design_name"], help="Name of the design; default: the name of the file."),
        click.Option(["-o", "--output"], type=PATH, required=True, help="The file to write.", metavar="FILE"),
    ]
    made = click.Command(
        family.name,
        params=options,
        callback=lambda **values: _without_collector(lambda: _generate(family, **values)),
        help=f"{family.description}",
        short_help=family.title,
    )
    return FORCE_OPTION(made)


def _option(field: Field) -> click.Option:
    asked_for = field.name in REQUIRED and not field.is_optional
    is_type = field.name == "server" and not str(field.default).startswith(GENERIC)
    return option_of(field, required=asked_for or is_type)


def _without_collector(make: Callable[[], None]) -> None:
    """Runs with the cycle collector off: new records hold no cycles, and looking for some takes long."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        make()
    finally:
        if was_on:
            gc.enable()


def _generate(
    family: Family, *, output: Path, force: bool, design_name: str | None, cables: str, **values: Any
) -> None:
    check_output(output, force)
    catalog = load()
    made = new_design(family, values, catalog, design_name or output.stem, cables)
    try:
        document.save(made.design, output)
    except DesignerError:
        raise
    except OSError as error:
        raise ExportError(f"{output} cannot be written: {error.strerror or os_sentence(error)}") from error
    counts = family.counts(made.parameters, catalog)
    switches = ", ".join(format_counted(count, role) for role, count in counts.switches.items())
    links = ", ".join(f"{format_count(count)} {kind}" for kind, count in counts.links.items())
    tell(f"wrote {output}: {format_counted(counts.servers, 'server')}; {switches}; links: {links}")
    if counts.remark:
        tell(counts.remark)
    if made.prepared.n_placed or made.prepared.n_changed:
        report(made.design, made.prepared, catalog.types)
    if made.networks is not None:
        label = made.networks.label.lower().replace("add ", "added ", 1)
        tell(f"{label}: {made.networks_sentence.removeprefix('Adds ')}")
