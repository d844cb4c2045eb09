"""A plan in phases as people write it: a YAML file with a family and its parameters in each phase. It opens no file."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from designer.catalog import yaml_text
from designer.catalog.catalog import Catalog
from designer.errors import DesignerError, FileFormatError
from designer.fields.field import fields_of
from designer.phases.making import phases_of_family
from designer.phases.request import NO_TIMES, Phase, WorkTimes
from designer.units import shortened

TOP = ("name", "family", "phases", "minutes")
SUFFIXES = (".yaml", ".yml")


@dataclass(frozen=True, slots=True)
class PhasePlan:
    """Phases that were read, with how long work takes where the file says so."""

    name: str
    phases: tuple[Phase, ...]
    times: WorkTimes = NO_TIMES


def read_plan(path: Path, catalog: Catalog) -> PhasePlan:
    """The plan of a file, its phases built. Raises DesignerError, which names file and line."""
    found = yaml_text.read(path)
    return plan_from(found.value, path.name, found.lines, catalog)


def plan_from(value: Any, name: str, lines: Mapping[str, int], catalog: Catalog) -> PhasePlan:
    """The plan that a mapping states."""

    def refused(place: str, why: object) -> FileFormatError:
        line = f", line {lines[place]}" if place in lines else ""
        return FileFormatError(f"{name}{line}, {place}: {why}")

    if not isinstance(value, dict) or not isinstance(value.get("phases"), list) or not value["phases"]:
        raise FileFormatError(f"{name} holds no plan: write family and phases, each with a name and parameters")
    for key in value:
        if key not in TOP:
            raise refused(str(key), f"a plan has no {shortened(str(key))!r}; it has {', '.join(TOP)}")
    stages = []
    for number, one in enumerate(value["phases"]):
        place = f"phases[{number}]"
        if not isinstance(one, dict) or not isinstance(one.get("parameters", {}), dict):
            raise refused(place, "write name and parameters")
        for key in one:
            if key not in ("name", "parameters"):
                raise refused(place, f"a phase has no {shortened(str(key))!r}; it has name and parameters")
        texts = {str(key): _text(text) for key, text in one.get("parameters", {}).items()}
        stages.append((str(one.get("name") or f"Phase {number + 1}"), texts))
    try:
        times = _times(value.get("minutes") or {})
    except DesignerError as error:
        raise refused("minutes", error) from None
    title = str(value.get("name") or Path(name).stem)
    try:
        phases = phases_of_family(str(value.get("family") or ""), stages, catalog, title)
    except DesignerError as error:
        raise FileFormatError(f"{name}: {error}") from None
    return PhasePlan(title, phases, times)


def _times(given: Any) -> WorkTimes:
    if not isinstance(given, dict):
        raise FileFormatError("write minutes by work, such as pull: 12")
    described = fields_of(WorkTimes)
    values = {}
    for key, text in given.items():
        field = described.get(str(key))
        if field is None:
            raise FileFormatError(f"there is no work {shortened(str(key))!r}; there is {', '.join(described)}")
        values[field.name] = field.read(_text(text))
    return WorkTimes(**values)


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ",".join(map(_text, value))
    return "" if value is None else str(value)
