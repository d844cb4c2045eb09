"""`generate FAMILY` and `generate preset NAME`: a design from parameters, or from those of a published design.

The options are the fields of the family's parameter record; of a preset their defaults are its own.
"""

import difflib
import gc
import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from designer.analysis.growth import Growing, growing, growth, sizes_in, step_sentence, table
from designer.analysis.new_designs import new_design, parameters_from
from designer.analysis.tiers import server_word
from designer.catalog.catalog import Catalog, load
from designer.cli.files import check_output
from designer.cli.main import os_sentence, say, tell
from designer.cli.options import FORCE_OPTION, PATH, option_of
from designer.cli.prepare import report
from designer.errors import DesignerError, ExportError, ParameterError, UnknownEntityError, sentence
from designer.fields.field import Field, fields_of
from designer.storage import document
from designer.topologies.counted import COUNTED, sentences
from designer.topologies.families import FAMILIES, Family
from designer.topologies.network_parameters import NetworkParameters
from designer.topologies.parameters import RACK_CHOICES, CableParameters
from designer.topologies.presets import Preset, family_of, networks_of, preset_named, presets, said_of, values_of
from designer.units import format_count, format_counted, format_rate

REQUIRED = ("servers", "children", "parents", "dims", "p", "a", "h", "k", "leafs", "spines", "q", "switches", "degree")
"""Fields that the command line asks for where forms have a default for them; servers too, unless generic ones do."""

GENERIC = "generic-"


PRESET = "preset"


class _Families(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*(family.name for family in FAMILIES), PRESET]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name == PRESET:
            return _PRESETS
        family = next((family for family in FAMILIES if family.name == cmd_name), None)
        if family is None:
            return None
        return _command(family.name, family, {}, (family.description, family.title), [])


class _Presets(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return [preset.id for preset in presets()]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        try:
            return _preset_command(preset_named(cmd_name))
        except UnknownEntityError as error:
            near = difflib.get_close_matches(cmd_name, self.list_commands(ctx), 3, 0.5)
            there = f"; near it: {', '.join(near)}" if near else ""
            raise click.UsageError(f"{error}{there}", ctx) from None


@click.group(cls=_Families, subcommand_metavar="FAMILY [OPTIONS]", options_metavar="")
def command() -> None:
    """Make a design from the parameters of a topology family."""


_PRESETS = _Presets(
    PRESET,
    subcommand_metavar="NAME [OPTIONS]",
    options_metavar="",
    help="Make a design from a published one. Each has the options of its family, with its own numbers as defaults.",
    short_help="A published design",
)


def _preset_command(preset: Preset) -> click.Command:
    own: list[click.Parameter] = []
    if preset.scale is not None:
        own.append(
            click.Option(
                ["--scale"],
                type=click.IntRange(1, 100_000),
                metavar="N",
                callback=lambda ctx, _parameter, units: _scaled(ctx, preset, units),
                is_eager=True,
                expose_value=False,
                help=f"Number of {preset.scale.noun}: sets {', '.join(preset.scale.sets)} where these are not given.",
            )
        )
    values = {**values_of(preset), **networks_of(preset)}
    help_ = "\n\n".join((f"{preset.title}.", *said_of(preset)))
    return _command(preset.id, family_of(preset), values, (help_, preset.title), own, preset)


def _scaled(ctx: click.Context, preset: Preset, units: int | None) -> None:
    """Put what so many units make into the defaults of the options."""
    if units is not None:
        ctx.default_map = {name: str(value) for name, value in values_of(preset, units).items()}


def _command(
    name: str,
    family: Family,
    values: Mapping[str, Any],
    texts: tuple[str, str],
    first: list[click.Parameter],
    preset: Preset | None = None,
) -> click.Command:
    """The command of a family, with `values` for defaults where given; `texts` are its help and the short one.

    Of a preset is said after the design was made what was assumed and what its source leaves open.
    """
    own = fields_of(family.parameters)
    named_after = "that of the published design" if preset is not None else "its family and size"
    options = [*first, *(_option(field, values) for field in own.values())]
    if "racks" not in own:
        options.append(
            click.Option(
                ["--racks"],
                type=click.Choice(RACK_CHOICES),
                expose_value=False,
                help="No effect: this family places nothing in racks.",
            )
        )
    more = (CableParameters, NetworkParameters)
    options += [_option(field, values) for part in more for field in fields_of(part).values()]
    options += [
        click.Option(["--name", "design_name"], help=f"Name of the design; default: {named_after}."),
        click.Option(["--counts"], is_flag=True, help="Print what would be generated, and write nothing."),
        *_growth_option(family, preset),
        click.Option(["-o", "--output"], type=PATH, help="The file to write.", metavar="FILE"),
    ]
    made = click.Command(
        name,
        params=options,
        callback=lambda **values: _without_collector(lambda: _generate(family, preset, **values)),
        help=texts[0],
        short_help=texts[1],
    )
    return FORCE_OPTION(made)


def _option(field: Field, values: Mapping[str, Any]) -> click.Option:
    if field.name in values:
        return option_of(replace(field, default=values[field.name], is_asked=False))
    asked_for = field.name in REQUIRED and not field.is_optional and not values
    is_type = field.name == "server" and not str(field.default).startswith(GENERIC) and not values
    return option_of(field, required=asked_for or is_type)


def _growth_option(family: Family, preset: Preset | None) -> list[click.Parameter]:
    """The option that compares sizes; none for a family that has no number to grow by."""
    grown = growing(family, preset)
    if grown is None:
        return []
    what = f"Compare these numbers of {grown.noun}, such as 1,2,4: what stays, moves and is added. Writes nothing."

    def first(ctx: click.Context, _parameter: click.Parameter, sizes: tuple[int, ...] | None) -> tuple[int, ...] | None:
        """Sizes stand in for the number that is asked for."""
        if sizes is not None:
            own = {name: str(n) for name, n in grown.values(sizes[0]).items()}
            ctx.default_map = {**(ctx.default_map or {}), **own}
        return sizes

    names = ["--growth", "sizes"]
    return [click.Option(names, type=_Sizes(), callback=first, is_eager=True, metavar="N,N,…", help=what)]


class _Sizes(click.ParamType[tuple[int, ...]]):
    name = "sizes"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, ...]:
        """The numbers of a list such as "1,2,4"."""
        try:
            return sizes_in(str(value))
        except ParameterError as error:
            self.fail(str(error), param, ctx)


def _print_growth(
    family: Family, grown: Growing, values: Mapping[str, Any], sizes: Sequence[int], catalog: Catalog
) -> None:
    """A line for each size, then what has to be recabled from one to the next."""
    parameters, _ = parameters_from(family, values)
    stages = growth(family, [(size, grown.at(parameters, size)) for size in sizes], catalog)
    say(table(stages).text(""))
    for pair in itertools.pairwise(stages):
        tell(step_sentence(*pair, grown.noun))


def _print_counts(family: Family, values: Mapping[str, Any], catalog: Catalog) -> None:
    """Everything that is counted of the family's own fabric, a line each, and what the numbers do not show."""
    parameters, _ = parameters_from(family, values)
    counts = family.counts(parameters, catalog)
    rows = [(row.title, row.number(counts, parameters)) for row in COUNTED]
    for one in counts.ports:
        each = f"ports of {one.role} switches at {format_rate(one.rate_gbps)}"
        rows += [(each, one.ports), (f"{each} without a link", one.free)]
    shown = [(title, format_count(number)) for title, number in rows if number]
    width = max(len(number) for _, number in shown)
    for title, number in shown:
        say(f"{number:>{width}}  {title}")
    for said in sentences(counts):
        tell(said)
    for remark in (counts.remark, counts.too_large):
        if remark:
            tell(sentence(remark))


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
    family: Family,
    preset: Preset | None,
    *,
    output: Path | None,
    counts: bool,
    sizes: Sequence[int] | None = None,
    force: bool,
    design_name: str | None,
    cables: str,
    **values: Any,
) -> None:
    catalog = load()
    grown = growing(family, preset)
    if sizes is not None and grown is not None:
        _print_growth(family, grown, values, sizes, catalog)
        return
    if counts:
        _print_counts(family, values, catalog)
        return
    if output is None:
        raise click.UsageError("Missing option '-o' / '--output'", click.get_current_context())
    check_output(output, force)
    made = new_design(family, values, catalog, design_name or "", cables, preset)
    try:
        document.save(made.design, output)
    except DesignerError:
        raise
    except OSError as error:
        raise ExportError(f"{output} cannot be written: {error.strerror or os_sentence(error)}") from error
    counted = family.counts(made.parameters, catalog)
    switches = ", ".join(format_counted(count, role) for role, count in counted.switches.items())
    links = ", ".join(f"{format_count(count)} {kind}" for kind, count in counted.links.items())
    parts = (format_counted(counted.servers, server_word(made.design)), switches, f"links: {links}")
    tell(f"wrote {output}: {'; '.join(filter(None, parts))}")
    for remark in (counted.remark, *(said_of(preset)[1:] if preset is not None else ())):
        if remark:
            tell(remark)
    if made.prepared.n_placed or made.prepared.n_changed:
        report(made.design, made.prepared, catalog.types)
    if made.networks is not None:
        label = made.networks.label.lower().replace("add ", "added ", 1)
        tell(f"{label}: {made.networks_sentence.removeprefix('Adds ')}")
