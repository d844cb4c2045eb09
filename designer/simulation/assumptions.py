"""What a simulation assumed, in words."""

from collections.abc import Iterator
from typing import Any

from designer.simulation.models import JobsModel, SimulationModel
from designer.tables.columns import as_json

SAID_ABOVE = ("traffic", "size_bytes_means")


def assumptions(model: SimulationModel | JobsModel) -> Iterator[tuple[str, str]]:
    """Each assumption of the model by name, with its value as text; those the report states elsewhere are left out."""
    for name, value in as_json(model).items():
        if name in SAID_ABOVE:
            continue
        yield name.replace("_", " "), "\n".join(_lines(value))


def _lines(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [f"{name.replace('_', ' ')}: {', '.join(_lines(inner))}" for name, inner in value.items()]
    if isinstance(value, list | tuple):
        return [line for inner in value for line in _lines(inner)]
    return [f"{value:g}" if isinstance(value, float) else str(value)]
