"""`info FILE`: the numbers of a design."""

from pathlib import Path

import click

from designer.analysis.summary import summarize
from designer.analysis.summary_text import summary_facts
from designer.cli.files import open_design
from designer.cli.json_text import json_text
from designer.cli.main import say
from designer.cli.options import DESIGN_ARGUMENT, FORMAT_OPTION, PATH
from designer.exchange.bills.costs import bill_for, cost_json
from designer.exchange.bills.options import BillOptions
from designer.model.shown_text import visible_line
from designer.tables.columns import as_json
from designer.tables.table import facts


@click.command()
@DESIGN_ARGUMENT
@FORMAT_OPTION
@click.option("--prices", type=PATH, metavar="FILE", help="A price list: show what the design costs by it.")
def command(file: Path, format_: str, prices: Path | None) -> None:
    """Counts, tiers, oversubscription, bisection, diameter and power of a design."""
    design = open_design(file)
    summary = summarize(design)
    bill = bill_for(design, BillOptions(prices=str(prices))) if prices is not None else None
    if format_ == "json":
        say(json_text({**as_json(summary), **({"bill": cost_json(bill)} if bill is not None else {})}))
    else:
        cost_text = bill.cost_text if bill is not None else ""
        say(f"{summary.name}\n{facts(summary_facts(summary, design, cost_text))}")
        if design.settings.notes:
            say("\n".join(("", *map(visible_line, design.settings.notes.splitlines()))))
