"""A scenario as texts by name, for files: what is as usual is left out, and nothing in it names a file."""

from collections.abc import Iterable

from designer.errors import ParameterError
from designer.fields.field import fields_of
from designer.simulation.scenario import Scenario
from designer.simulation.traffic.texts import algorithm_and_dims, file_read_by
from designer.units import shortened

Texts = tuple[tuple[str, str], ...]
NOT_KEPT = frozenset(("memory_limit_bytes", "failed"))
"""What belongs to the computer, and what is marked on the design."""


def written(scenario: Scenario) -> Texts:
    """The settings of a scenario that are not as usual; none of one whose flows or tables are read from a file."""
    if scenario.goes_by_tables or (scenario.traffic is not None and file_read_by(scenario.traffic)):
        return ()
    texts = {
        name: field.write(getattr(scenario, name))
        for name, field in fields_of(Scenario).items()
        if name not in NOT_KEPT and getattr(scenario, name) != field.default
    }
    if scenario.dims is not None:
        texts["algorithm"] = f"{scenario.algorithm}:{'x'.join(map(str, scenario.dims))}"
    return tuple(texts.items())


def read(texts: Iterable[tuple[str, str]]) -> Scenario:
    """The scenario that was written so. Raises ParameterError for settings that there are not, or that cannot be."""
    fields = fields_of(Scenario)
    values = {}
    for name, text in texts:
        if name not in fields or name in NOT_KEPT:
            raise ParameterError(f"a run has no setting {shortened(name)!r}")
        values[name] = fields[name].read(text)
    algorithm, dims = algorithm_and_dims(values.pop("algorithm", None))
    scenario = Scenario(**values, algorithm=algorithm, dims=dims)
    if scenario.traffic is not None and file_read_by(scenario.traffic):
        raise ParameterError("the run reads its flows from a file: choose that file in the Simulation panel")
    return scenario
