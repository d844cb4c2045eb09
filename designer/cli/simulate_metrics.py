"""`simulate --format csv|prometheus|parquet`, `--tensorboard`: a run for other programs. Loads the engine."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from designer.cli.main import say, tell
from designer.errors import ParameterError
from designer.exchange.metrics.formats import FORMATS, MetricsFormat
from designer.exchange.metrics.run import run_of, summary_of
from designer.exchange.metrics.tensorboard import of_curve, of_run, write_run
from designer.model.design import Design
from designer.simulation.curve import Curve
from designer.simulation.designs import graph_for, simulate_on
from designer.simulation.result import Result
from designer.simulation.scenario import Scenario
from designer.storage.saving import replace_file


def run_metrics(
    design: Design,
    scenario: Scenario,
    format_: str,
    n_links: int | None,
    output: Path | None,
    keep: Callable[[Result], None] | None,
) -> None:
    """Run the scenario and write it in a format of FORMATS: to a file, or print it where it is text.

    `keep` gets the result before anything is printed.
    """
    wanted = next(one for one in FORMATS if one.name == format_)
    if output is None and not wanted.is_text:
        raise ParameterError(f"{wanted.title} is no text: write it to a file with -o NAME{wanted.suffix}")
    graph, scenario = graph_for(design, scenario)
    result = simulate_on(design, graph, scenario)
    if keep is not None:
        keep(result)
    _write(wanted, wanted.render(run_of(design.name, summary_of(scenario), result, n_links)), output)


def add_run(design: Design, scenario: Scenario, folder: Path, force: bool, result: Result) -> None:
    """Write a run into a folder of runs."""
    run = run_of(design.name, summary_of(scenario), result)
    path = write_run(folder, f"{run.design}-{run.scenario}", of_run(run), replace=force)
    tell(f"wrote {path.parent}")


def _write(wanted: MetricsFormat, data: bytes, output: Path | None) -> None:
    if output is None:
        say(data.decode("utf-8").replace("\r\n", "\n").removesuffix("\n"))
    else:
        replace_file(output, data)
        tell(f"wrote {output}: {wanted.title}")


def add_curves(design: Design, folder: Path, force: bool, curves: Sequence[Curve]) -> None:
    """Each curve as a run of a folder; its steps are sizes in bytes."""
    for curve in curves:
        scenario = replace(curve.scenario, size_bytes=curve.points[0].size_bytes)
        model = f"-{scenario.model}" if scenario.is_calibrated else ""
        name = f"{design.name}-{scenario.title}-{scenario.routing_text}{model}-by-size"
        tell(f"wrote {write_run(folder, name, of_curve(curve), replace=force).parent}")
