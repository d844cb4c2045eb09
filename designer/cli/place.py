"""`place FILE`: which servers a job gets and in which order, so that it takes least time; with jobs before it."""

from pathlib import Path
from typing import Any

import click

from designer.cli.files import check_output, open_design
from designer.cli.options import FORCE_OPTION, FORMAT_OPTION, PATH, laid_out, option_of
from designer.exchange.infiniband.routings import routed
from designer.fields.field import fields_of
from designer.late import Late
from designer.simulation.mapping.request import MappingSearch
from designer.simulation.scenario import Scenario
from designer.simulation.traffic.texts import algorithm_and_dims
from designer.workers.where import Where

report = Late("designer.cli.place_report")

JOB = click.Option(
    ["--job", "job"],
    metavar="NAME",
    help="A job of the design, with what it sends; or with --collective or --traffic the name that -o gives a new one.",
)
LEFT_OUT = ("order", "congestion", "exact", "largest_part", "network")
"""What a mapping takes as it is: it searches the order itself."""
FIELDS = {name: option_of(field) for name, field in fields_of(Scenario).items() if name not in LEFT_OUT}


@click.command(
    params=[
        click.Argument(["file"], type=PATH),
        JOB,
        *laid_out(FIELDS, {}),
        *(option_of(field, shows_zero=True) for field in fields_of(MappingSearch).values()),
        *(option_of(field) for field in fields_of(Where).values()),
        click.Option(["-o", "--output"], type=PATH, metavar="FILE", help="Write the design with the job mapped so."),
    ]
)
@FORCE_OPTION
@FORMAT_OPTION
def command(file: Path, job: str | None, output: Path | None, force: bool, format_: str, **given: Any) -> None:
    """Find the servers and the rank order with which a job takes least time, under the chosen routing.

    Known orders and compact sets of servers are run first, then small changes of the best. A bound says how much
    faster any other mapping could be at most. With --earlier the fabric is filled with other jobs before.
    """
    search = MappingSearch(**{name: given.pop(name) for name in fields_of(MappingSearch)})
    where = Where(**{name: given.pop(name) for name in fields_of(Where)})
    if output is not None:
        check_output(output, force)
    is_stated = given["collective"] is not None or given["traffic"] is not None
    if given["collective"] is not None and given["traffic"] is not None:
        raise click.UsageError("Give either --collective or --traffic.")
    if not is_stated and job is None:
        raise click.UsageError("Give --job with a job of the design, or --collective or --traffic.")
    if is_stated and given["size_bytes"] is None:
        raise click.UsageError("Give --size.")
    given = routed(given)
    given["algorithm"], given["dims"] = algorithm_and_dims(given["algorithm"])
    scenario = Scenario(**given) if is_stated else None
    report.run_place(open_design(file), job, scenario, given, search, where, output, format_)
