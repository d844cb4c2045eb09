"""The options that prices and the terms of a cost are given by, the same for all commands that state costs."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from designer.cli.options import PATH
from designer.exchange.bills.options import BillOptions
from designer.exchange.bills.price_list import SEPARATOR
from designer.fields.field import fields_of

PRICES = click.Option(
    ["--prices"],
    type=PATH,
    multiple=True,
    metavar="FILE",
    help="A price list, a CSV file; repeatable: of each part the latest date counts.",
)


def bill_options(given: Mapping[str, Any]) -> BillOptions:
    """The record of what a command was given: price lists, spares and terms. Raises ParameterError."""
    prices: tuple[Path, ...] = given.get("prices", ())
    known = fields_of(BillOptions)
    values = {name: value for name, value in given.items() if name in known and name != "prices"}
    return BillOptions(prices=SEPARATOR.join(map(str, prices)), **values)
