"""`list FILE --select EXPR`: the devices, racks, links, NICs and fixtures that an expression fits, as tables."""

from pathlib import Path

import click

from designer.analysis.selecting.expression import ExpressionError
from designer.analysis.selecting.finder import Finder
from designer.analysis.selecting.listing import listing
from designer.analysis.selecting.terms import TERMS
from designer.cli.files import open_design
from designer.cli.json_text import json_text
from designer.cli.main import say
from designer.cli.options import DESIGN_ARGUMENT
from designer.exchange.lists import list_csv

EVERYTHING = "name:* or -name:*"
"""Devices, racks, groups and fixtures."""
EPILOG = "Terms: " + ", ".join(f"{row.name}:" for row in TERMS) + " and fields of your own."


@click.command(epilog=EPILOG)
@DESIGN_ARGUMENT
@click.option("--select", "expression", metavar="EXPR", help='What to list, such as "role:leaf su:2 free>0".')
@click.option(
    "--format",
    "format_",
    type=click.Choice(["text", "json", "csv"]),
    default="text",
    show_default=True,
    help="What to print; csv lists one kind of things.",
)
def command(file: Path, expression: str | None, format_: str) -> None:
    """List what an expression fits; without one devices, racks, groups, walls, trays. Links and NICs are asked for."""
    design = open_design(file)
    try:
        found = Finder(design).find(expression or EVERYTHING)
    except ExpressionError as error:
        raise click.BadParameter(str(error), param_hint="'--select'") from None
    made = listing(design, found.ids)
    if format_ == "json":
        say(json_text({"selected": found.counts, **made.as_json()}))
    elif format_ == "csv":
        say(list_csv(made).replace("\r\n", "\n").removesuffix("\n"))
    else:
        say("\n\n".join([*(f"{title}\n{table.text()}" for title, table in made.tables.items()), found.text]))
