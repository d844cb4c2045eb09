"""`queues FILE`: queues, pauses and tails at the bottlenecks of a lossless Ethernet fabric."""

from pathlib import Path
from typing import Any

import click

from designer.cli.files import open_design
from designer.cli.options import PATH, laid_out, option_of
from designer.exchange.infiniband.routings import routed
from designer.fields.field import fields_of
from designer.late import Late
from designer.simulation.queues.request import QueueSettings
from designer.simulation.scenario import Scenario
from designer.simulation.traffic.texts import algorithm_and_dims

report = Late("designer.cli.queues_report")

LEFT_OUT = ("model", "congestion", "exact", "latency")
"""Fields of a scenario that say nothing about queues."""
SCENARIO = {name: option_of(field) for name, field in fields_of(Scenario).items() if name not in LEFT_OUT}
SETTINGS = {name: option_of(field) for name, field in fields_of(QueueSettings).items()}


@click.command(params=[click.Argument(["file"], type=PATH), *laid_out(SCENARIO, {}), *laid_out(SETTINGS, {})])
@click.option(
    "--format",
    "format_",
    type=click.Choice(["text", "json", "csv"]),
    default="text",
    show_default=True,
    help="What to print.",
)
def command(file: Path, format_: str, **given: Any) -> None:
    """Queues, pauses and tails at the links whose flows want more than they carry, on lossless Ethernet.

    DCQCN with ECN marking and PFC as the fluid equations of the papers, one bottleneck at a time: stable and peak
    queue, share of marked packets, pause time of the ports before it, and how much later than ideal its flows end.
    """
    settings = QueueSettings(**{name: given.pop(name) for name in SETTINGS})
    if (given["collective"] is None) == (given["traffic"] is None):
        raise click.UsageError("Give either --collective or --traffic.")
    if given["size_bytes"] is None:
        raise click.UsageError("Give --size.")
    given = routed(given)
    given["algorithm"], given["dims"] = algorithm_and_dims(given["algorithm"])
    report.run_queues(open_design(file), Scenario(**given), settings, format_)
