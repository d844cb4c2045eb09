"""`simulate --sizes`: time and bandwidth by size, in nccl-tests' columns or as JSON."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from designer.cli.json_text import json_text
from designer.cli.main import say, tell
from designer.exchange.acceptance.overlay import Overlaid, overlaid
from designer.exchange.infiniband.routings import routing_fields
from designer.measurements.reading import read_measurements
from designer.model.design import Design
from designer.simulation.curve import Curve, curves, variants
from designer.simulation.designs import graph_for
from designer.simulation.scenario import Scenario, require_used
from designer.tables.columns import as_json
from designer.tables.table import ResultTable
from designer.units import format_count

COLUMNS = "size_bytes count time_us algbw_gbytes_per_s busbw_gbytes_per_s"
RESIDUALS = "part size_bytes measured_us predicted_us measured_gbytes_per_s predicted_gbytes_per_s ratio"
CHOSEN = "median_us worst_us algorithm protocol channels library_estimate_us reason"
"""How runs on machines in use spread; what a library chooses, and why."""


def run_sizes(
    design: Design,
    choices: dict[str, Any],
    sizes_bytes: tuple[int, ...],
    measured: Sequence[Path],
    format_: str,
    keep: Callable[[list[Curve]], None] | None = None,
) -> None:
    """Print a table for each of the algorithms and routings in `choices`, which may be several, with commas between.

    With logs of what was `measured`, their residuals follow each table. `keep` gets the curves before anything is
    printed.
    """
    logs = [one for path in measured for one in read_measurements(path)]
    if choices["collective"] is None:
        raise click.UsageError("--sizes goes with --collective.")
    algorithms = _several(choices["algorithm"])
    routings = [routing_fields(one) for one in _several(choices["routing"])]
    require_used(choices, [str(one["routing"]) for one in routings])
    base = Scenario(**{**choices, "algorithm": None, **routings[0], "size_bytes": sizes_bytes[0]})
    graph, base = graph_for(design, base)
    wanted = [replace(one, **routing) for one in variants(base, algorithms or None) for routing in routings]
    found = curves(graph, wanted, sizes_bytes, design=design)
    over = [overlaid(design, graph, one, logs) for one in wanted] if logs else []
    if keep is not None:
        keep(found)
    if format_ == "json":
        say(json_text({"curves": as_json(found)} | ({"measured": as_json(over)} if over else {})))
    else:
        texts = [_text(design, curve) for curve in found]
        say("\n\n".join([*texts, *(_residuals(one) for one in over)]))
    for note in dict.fromkeys(note for one in over for note in one.notes):
        tell(note)


def _residuals(over: Overlaid) -> str:
    head = f"# measured against {over.title}, {over.algorithm}, {over.routing}"
    return f"{head}\n{ResultTable.of(over.rows, RESIDUALS).text(has_units=True)}"


def _several(text: str | None) -> list[str]:
    return [part.strip() for part in text.split(",")] if text else []


def _text(design: Design, curve: Curve) -> str:
    scenario = replace(curve.scenario, size_bytes=curve.points[0].size_bytes)
    head = (
        f"# {scenario.title}, {scenario.routing_text}, on {design.name}: {format_count(curve.ranks)} ranks, "
        f"{curve.latency_note}; float, size means {curve.model.size_bytes_means}"
    )
    head += f"\n# {curve.failed_text}" if curve.failed_text else ""
    columns = f"{COLUMNS} {CHOSEN}" if scenario.is_calibrated else COLUMNS
    body = ResultTable.of(curve.points, columns).text(has_units=True)
    mean = sum(point.busbw_gbytes_per_s for point in curve.points) / len(curve.points)
    start = f"\n# {curve.start_note}" if curve.start_note else ""
    unstated = f"\n# {curve.model.unstated_note}" if curve.model.unstated_note else ""
    return f"{head}\n{body}{start}{unstated}\n# Avg bus bandwidth    : {mean:.4g}"
