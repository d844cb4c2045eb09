"""`info FILE`: the numbers of a design."""

from pathlib import Path

import click

from designer.analysis.summary import summarize
from designer.analysis.summary_text import summary_facts
from designer.cli.files import open_design
from designer.cli.json_text import json_text
from designer.cli.main import say
from designer.cli.options import DESIGN_ARGUMENT, FORMAT_OPTION
from designer.tables.columns import as_json
from designer.tables.table import facts


@click.command()
@DESIGN_ARGUMENT
@FORMAT_OPTION
def command(file: Path, format_: str) -> None:
    """Counts, tiers, oversubscription, bisection, diameter and power of a design."""
    design = open_design(file)
    summary = summarize(design)
    say(
        json_text(as_json(summary)) if format_ == "json" else f"{summary.name}\n{facts(summary_facts(summary, design))}"
    )
