"""`advise FILE`: what would make a run faster, each change tried by a run of it."""

from pathlib import Path
from typing import Any

import click

from designer.cli.files import open_design
from designer.cli.options import FORMAT_OPTION, PATH, laid_out, option_of
from designer.exchange.infiniband.routings import routing_fields
from designer.fields.field import fields_of
from designer.late import Late
from designer.simulation.scenario import Scenario
from designer.simulation.traffic.texts import algorithm_and_dims

report = Late("designer.cli.advise_report")

BUDGET_S = 60.0


@click.command(
    params=[
        click.Argument(["file"], type=PATH),
        *laid_out(
            {name: option_of(field) for name, field in fields_of(Scenario).items() if name != "model"},
            {
                "failed": (
                    click.Option(
                        ["--budget", "budget_s"],
                        type=click.FloatRange(0),
                        default=BUDGET_S,
                        show_default=True,
                        metavar="SECONDS",
                        help="Begin no run later than this.",
                    ),
                )
            },
        ),
    ]
)
@FORMAT_OPTION
def command(file: Path, budget_s: float, format_: str, **values: Any) -> None:
    """What would make a collective or a traffic pattern faster, each change computed by a run of it.

    Tried are other routings, rank orders and algorithms, an incast spread over the GPUs of its server, repaired
    failures, more uplinks and NICs of slow servers where ports are free, the cable of a hot leaf switch moved, and a
    smaller oversubscription of a generated fabric. What gains more than 1 % is listed, the largest gain first.
    """
    if (values["collective"] is None) == (values["traffic"] is None):
        raise click.UsageError("Give either --collective or --traffic.")
    if values["size_bytes"] is None:
        raise click.UsageError("Give --size.")
    values["algorithm"], values["dims"] = algorithm_and_dims(values["algorithm"])
    values |= routing_fields(values["routing"])
    report.run_advise(open_design(file), Scenario(**values), budget_s, format_)
