"""`phases FILE...`: what is bought, installed, moved and unplugged in each phase of a fabric that grows."""

from pathlib import Path
from typing import Any

import click

from designer.analysis.billing.terms import CostTerms
from designer.catalog.catalog import load
from designer.cli.files import check_output, open_design
from designer.cli.json_text import json_text
from designer.cli.main import os_sentence, say, tell
from designer.cli.options import FORCE_OPTION, PATH, option_of
from designer.cli.price_options import PRICES
from designer.errors import ExportError
from designer.exchange.bills.costs import prices_in
from designer.exchange.bills.price_list import SEPARATOR
from designer.fields.field import fields_of
from designer.phases.handover import csv_of, plan_json, write_plan
from designer.phases.making import phases_of_files, phases_of_marks
from designer.phases.request import WorkTimes
from designer.phases.spec import SUFFIXES, PhasePlan, read_plan
from designer.phases.steps import PhaseStep, phase_steps
from designer.tables.table import ResultTable

SHOWN = "number name servers gpus switches tiers install dismount unplugged pull move remove kept capital work time"


@click.command(
    params=[
        click.Argument(["files"], type=PATH, nargs=-1, required=True, metavar="FILE..."),
        PRICES,
        *(option_of(field) for field in fields_of(CostTerms).values()),
        *(option_of(field) for field in fields_of(WorkTimes).values()),
        click.Option(
            ["-o", "--output"],
            type=PATH,
            metavar="FILE",
            help="Write the plan: .html with the picture, .xlsx with every part and cable, .svg, .json or .csv.",
        ),
    ]
)
@click.option(
    "--format",
    "format_",
    type=click.Choice(["text", "json", "csv"]),
    default="text",
    show_default=True,
    help="What to print.",
)
@FORCE_OPTION
def command(files: tuple[Path, ...], output: Path | None, format_: str, force: bool, **given: Any) -> None:
    """Plan the growth of a fabric in phases: what each phase buys, installs, moves, unplugs, costs and takes in time.

    One YAML file states a family with its parameters in each phase; one design has devices with a field "phase", and
    "phase-out" where they leave; several designs are phases that follow each other.
    """
    if output is not None:
        check_output(output, force)
    plan = _plan(files)
    stated = {name: given.pop(name) for name in fields_of(CostTerms)}
    prices = prices_in(SEPARATOR.join(map(str, given.pop("prices"))))
    steps = phase_steps(plan.phases, load().types, prices, CostTerms(**stated), _times(plan.times, given))
    if output is not None:
        try:
            write_plan(plan.name, steps, output)
        except OSError as error:
            raise ExportError(f"{output} cannot be written: {error.strerror or os_sentence(error)}") from error
        tell(f"wrote {output}: {len(steps)} phases")
    elif format_ == "json":
        say(json_text(plan_json(plan.name, steps)))
    elif format_ == "csv":
        say(csv_of(steps).removesuffix("\r\n"))
    else:
        say("\n\n".join((ResultTable.of(steps, SHOWN).text(), *(_text_of(step) for step in steps))))


def _plan(files: tuple[Path, ...]) -> PhasePlan:
    first = files[0]
    if len(files) == 1 and first.suffix.lower() in SUFFIXES:
        return read_plan(first, load())
    designs = [(path.stem, open_design(path)) for path in files]
    if len(designs) == 1:
        return PhasePlan(designs[0][1].name, phases_of_marks(designs[0][1]))
    return PhasePlan(designs[-1][1].name, phases_of_files(designs))


def _times(stated: WorkTimes, given: dict[str, Any]) -> WorkTimes:
    """Those of the file, and in place of them what was given as options."""
    fields = fields_of(WorkTimes)
    values = {name: getattr(stated, name) for name in fields}
    values.update({name: given[name] for name, field in fields.items() if given[name] != field.default})
    return WorkTimes(**values)


def _text_of(step: PhaseStep) -> str:
    return f"{step.number}. {step.name}: {step.sentence}"
