"""`cost FILE`: what a design costs by price lists, with power and cooling over years, and what is not known."""

from pathlib import Path
from typing import Any

import click

from designer.analysis.billing.costing import Costing, CostRow
from designer.cli.files import open_design
from designer.cli.json_text import json_text
from designer.cli.main import say
from designer.cli.options import PATH, option_of
from designer.cli.price_options import PRICES, bill_options
from designer.exchange.bills.costs import cost_facts, costing_for, costing_json
from designer.exchange.bills.options import BillOptions
from designer.fields import kinds
from designer.fields.field import Field, fields_of
from designer.tables.table import ResultTable, facts

TOKENS = Field(
    name="tokens_per_s",
    default=None,
    option="--tokens-per-s",
    title="Tokens per second",
    noun="tokens per second",
    help="Tokens that are trained per second, as train prints them: state the cost of a million tokens too.",
    kind=kinds.AMOUNT,
)
LEFT_OUT = ("prices", "byte_order_mark")
SHOWN = "line kind part_number description order_m to_order note"


@click.command(
    params=[
        click.Argument(["file"], type=PATH),
        PRICES,
        *(
            option_of(field)
            for name, field in fields_of(BillOptions).items()
            if name not in ("prices", "byte_order_mark")
        ),
        option_of(TOKENS),
    ]
)
@click.option(
    "--format",
    "format_",
    type=click.Choice(["text", "json", "csv"]),
    default="text",
    show_default=True,
    help="What to print; csv has the table of shares.",
)
def command(file: Path, format_: str, tokens_per_s: float | None, **given: Any) -> None:
    """Add up what a design costs: capital by price lists, power and cooling over years, per GPU and per Gb/s.

    What has no price or no known power is counted, never taken for zero. Currencies are not added without a rate.
    """
    design = open_design(file)
    costing = costing_for(design, bill_options(given), tokens_per_s=tokens_per_s)
    if format_ == "json":
        say(json_text({"design": design.name, **costing_json(costing)}))
    elif format_ == "csv":
        say(ResultTable(CostRow.COLUMNS, costing.rows).csv().removesuffix("\r\n"))
    else:
        say(_text(design.name, costing))


def _text(name: str, costing: Costing) -> str:
    parts = [f"{name}\n{facts(cost_facts(costing))}", ResultTable(CostRow.COLUMNS, costing.rows).text()]
    if costing.priced.price_list and costing.priced.unpriced:
        parts += ["Without a price:", ResultTable.of(costing.priced.unpriced, SHOWN).text()]
    return "\n\n".join(parts)
