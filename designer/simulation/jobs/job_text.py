"""Jobs as people write them: "name=train,collective=all-reduce,ranks=0-63,size=1GiB", or the same fields in a file."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from designer.catalog import yaml_text
from designer.errors import DesignerError, ParameterError
from designer.fields.field import fields_of as described
from designer.simulation.jobs.job import Job
from designer.simulation.scenario import Scenario, Traffic
from designer.simulation.traffic.texts import (
    RANKS,
    RANKS_AT_MOST,
    RANKS_USAGE,
    algorithm_and_dims,
    file_read_by,
    spelled,
)
from designer.units import shortened

USAGE = "name=NAME,collective=C,ranks=0-7,16,size=1GiB"
FIELDS = {field.key: field for record in (Traffic, Job) for field in described(record).values()}
"""What a job may say of itself, and of its own scenario."""


def fields_of(text: str) -> dict[str, str]:
    """{"name": "a", "ranks": "0-7,16"} from "name=a,ranks=0-7,16". Raises ParameterError."""
    fields: dict[str, str] = {}
    last = ""
    for part in text.split(","):
        name, equals, value = part.partition("=")
        if equals:
            last = name.strip()
            if last in fields:
                raise ParameterError(f"the job {shortened(text)!r} says {last} twice")
            fields[last] = value.strip()
        elif last:
            fields[last] += f",{part.strip()}"
        else:
            raise ParameterError(f"{shortened(text)!r} is no job: write it like {USAGE}")
    return fields


def job_from(fields: Mapping[str, Any], number: int, common: Mapping[str, Any]) -> Job:
    """A job from its fields; `common` are values of the scenario for those it does not say. Raises ParameterError."""
    whole_name = str(fields.get("name") or f"job {number}")
    name = shortened(whole_name)
    stated = {key: _read(name, key, value) for key, value in fields.items() if key != "name"}
    own = {FIELDS[key].name: value for key, value in stated.items() if FIELDS[key].name in described(Job)}
    values = dict(common) | {FIELDS[key].name: value for key, value in stated.items() if FIELDS[key].name not in own}
    if "collective" in fields and "traffic" not in fields:
        values["traffic"] = None
    if "traffic" in fields and "collective" not in fields:
        values["collective"] = values["algorithm"] = None
    try:
        values["algorithm"], dims = algorithm_and_dims(values.get("algorithm"))
    except ParameterError as error:
        raise ParameterError(f"job {name}, algorithm: {error}") from None
    values["dims"] = dims or values.get("dims")
    if values.get("size_bytes") is None:
        raise ParameterError(f"job {name} needs a size: write size=1GiB")
    try:
        return Job(whole_name, Scenario(**values), **own)
    except DesignerError as error:
        raise ParameterError(f"job {name}: {error}") from None


def _read(job: str, key: str, value: Any) -> Any:
    if key not in FIELDS:
        raise ParameterError(f"job {job}: there is no {shortened(str(key))!r}; there is name, {', '.join(FIELDS)}")
    try:
        return FIELDS[key].read(_as_text(value))
    except DesignerError as error:
        usage = f"; a list is written {RANKS_USAGE}" if FIELDS[key].kind is RANKS else ""
        raise ParameterError(f"job {job}, {key}: {error}{usage}") from None


def fields_in(path: Path) -> list[dict[str, Any]]:
    """The jobs of a YAML or JSON file: a list of their fields, or such a list under "jobs". Raises DesignerError."""
    found = yaml_text.read(path).value
    if isinstance(found, dict):
        found = found.get("jobs")
    if not isinstance(found, list) or not found or not all(isinstance(fields, dict) for fields in found):
        raise ParameterError(f"{path.name} holds no jobs: write a list of them, each with fields like {USAGE}")
    if sum(spelled(_as_text(fields.get("ranks", ""))) for fields in found) > RANKS_AT_MOST:
        raise ParameterError(f"{path.name}: its jobs name more than {RANKS_AT_MOST:,} ranks in all, too many to read")
    for number, fields in enumerate(found, start=1):
        refuse_file(shortened(str(fields.get("name") or f"job {number}")), str(fields.get("traffic") or ""))
    return found


def refuse_file(job: str, traffic: str) -> None:
    """Raises ParameterError for a job from a file whose traffic is in another: a file is data, it opens no files."""
    try:
        named = file_read_by(traffic)
    except ParameterError:  # whoever makes the scenario says so
        return
    if named:
        pattern = traffic.partition(":")[0]
        raise ParameterError(
            f"job {job}, traffic: {pattern} from a file is only read where the command line itself names the file, "
            f"as in --traffic {pattern}:FILE"
        )


def _as_text(value: Any) -> str:
    """What a file holds, as it would be written after an equals sign."""
    if isinstance(value, list):
        return ",".join(str(part) for part in value)
    return str(value).lower() if isinstance(value, bool) else str(value)


def job_fields(job: Job) -> dict[str, Any]:
    """The fields that job_from makes the job of, those with their usual values left out."""
    fields: dict[str, Any] = {"name": job.name, "size": FIELDS["size"].write(job.scenario.size_bytes)}
    for key, field in FIELDS.items():
        value = getattr(job if field.name in described(Job) else job.scenario, field.name)
        if key not in fields and value != field.default:
            fields[key] = field.write(value)
    if job.scenario.dims is not None:
        fields["algorithm"] += f":{'x'.join(map(str, job.scenario.dims))}"
    return fields


def jobs_document(jobs: Iterable[Job]) -> str:
    """A file of the jobs for `simulate --jobs`: YAML, and JSON as well."""
    rows = ",\n".join(f"  {json.dumps(job_fields(job), ensure_ascii=False)}" for job in jobs)
    return f'{{"jobs": [\n{rows}\n]}}\n'
