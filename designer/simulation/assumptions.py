"""What a simulation assumed, in words."""

from collections.abc import Iterator
from typing import Any

from designer.simulation.models import JobsModel, SimulationModel
from designer.tables.columns import as_json

SAID_ABOVE = ("traffic", "size_bytes_means")
OF_THE_ENGINE = ("ends_merged_within", "rate_solves", "steps_followed", "seed")
"""How the program calculates: for who checks or repeats a run, not for who reads its result."""
TITLES = {"kind": "traffic model", "not_modelled": "not modeled", "rate_solves": "rates computed, times"}
"""What names are shown as, where their words do not do."""


def assumptions(model: SimulationModel | JobsModel) -> Iterator[tuple[str, str]]:
    """Each assumption of the model by name, with its value as text; those the report states elsewhere are left out."""
    for name, value in as_json(model).items():
        if name not in SAID_ABOVE:
            yield TITLES.get(name, name.replace("_", " ")), "\n".join(_lines(value))


def assumptions_for_readers(model: SimulationModel | JobsModel) -> Iterator[tuple[str, str]]:
    """The same without what is about the program's own way to calculate."""
    inside = {TITLES.get(name, name.replace("_", " ")) for name in OF_THE_ENGINE}
    return ((title, text) for title, text in assumptions(model) if title not in inside)


def _lines(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [f"{name.replace('_', ' ')}: {', '.join(_lines(inner))}" for name, inner in value.items()]
    if isinstance(value, list | tuple):
        return [line for inner in value for line in _lines(inner)]
    return [f"{value:g}" if isinstance(value, float) else str(value)]
