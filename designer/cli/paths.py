"""`paths FILE A B`: every path between two places that a routing uses, hop by hop."""

from pathlib import Path
from typing import Any

import click

from designer.cli.files import open_design
from designer.cli.options import FORMAT_OPTION, PATH, laid_out, option_of, reading
from designer.cli.simulate import links_wanted
from designer.exchange.infiniband.routings import routed
from designer.fields.field import fields_of
from designer.late import Late
from designer.simulation.scenario import Scenario
from designer.simulation.traffic.texts import algorithm_and_dims

report = Late("designer.cli.paths_report")

SHOWN = 20


@click.command(
    params=[
        click.Argument(["file"], type=PATH),
        click.Argument(["a"]),
        click.Argument(["b"]),
        *laid_out(
            {name: option_of(field) for name, field in fields_of(Scenario).items() if name != "model"},
            {
                "failed": (
                    click.Option(
                        ["--paths", "top"],
                        default=f"top:{SHOWN}",
                        show_default=True,
                        metavar="top:N|all",
                        callback=reading(links_wanted),
                        help="How many paths to list, those with the largest shares first.",
                    ),
                )
            },
        ),
    ]
)
@FORMAT_OPTION
def command(file: Path, a: str, b: str, top: int | None, format_: str, **values: Any) -> None:
    """Every path from A to B that the routing uses, hop by hop: ports, share, capacity, load, latency.

    A and B are each a device, a GPU (gpu-001:gpu3) or a port (leaf-01:5); a leaf switch stands for the GPUs on it.
    With --collective or --traffic the paths are those of its flows, with the loads of a run; without either, those
    of one flow for each GPU.
    """
    if values["collective"] is not None and values["traffic"] is not None:
        raise click.UsageError("Give either --collective or --traffic, or neither.")
    is_run = values["collective"] is not None or values["traffic"] is not None
    if not is_run:
        values["traffic"] = "all-to-all"
    if values["size_bytes"] is None:
        del values["size_bytes"]
    values["algorithm"], values["dims"] = algorithm_and_dims(values["algorithm"])
    values = routed(values)
    report.run_paths(open_design(file), Scenario(**values), (a, b), top, format_, is_run)
