"""The text of a search that begins with an open design: its GPUs, its jobs, and its fabric with values to try."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from designer.analysis.survey import survey
from designer.errors import DesignerError, ParameterError
from designer.fields.field import fields_of
from designer.model.design import Design
from designer.model.entities import Group, PlacedJob
from designer.model.hardware.servers import ServerType
from designer.regeneration.recipes import family_of, parameters_of
from designer.units import format_size

RATIOS = (1, 2, 3)
"""Oversubscriptions to try next to that of the design."""
FAMILIES = ("rail-optimized", "fat-tree")
"""To try for the servers and switches of a design that was drawn by hand."""
COUNTED = frozenset(("servers", "racks"))
"""Parameters that the number of GPUs decides, and that say nothing of a fabric."""
STATED = frozenset(("server", "switch", "k"))
"""Parameters that a search states even where they are as usual."""
USUAL = (("gradients", "collective: all-reduce, size: 1GiB"), ("experts", "collective: all-to-all, size: 64MiB"))


def search_text(design: Design) -> str:
    """A search for alternatives to the design, as people write it. Raises ParameterError where it has no GPUs."""
    n_gpus = sum(_gpus(design, one.id) for one in design.servers())
    if not n_gpus:
        raise ParameterError("the design has no GPUs to search a fabric for: add servers, or write the search by hand")
    lines = [
        f"# Alternatives to {design.name}: change the values to try, then press Search.".replace("\n", " "),
        f"name: {_quoted(f'Alternatives to {design.name}')}",
        f"gpus: {n_gpus}",
        "workloads:",
        *_workloads(design.jobs.values()),
        "families:",
        *(line for fields in _families(design) for line in _entry(fields)),
    ]
    return "\n".join((*lines, ""))


def _gpus(design: Design, server_id: str) -> int:
    type_ = design.device_type(server_id)
    return type_.gpus or 0 if isinstance(type_, ServerType) else 0


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _workloads(jobs: Iterable[PlacedJob]) -> Iterator[str]:
    """Those of the jobs, each once; the usual two where there is none."""
    found = dict.fromkeys((one.collective, one.traffic, one.algorithm, one.size_bytes) for one in jobs)
    for collective, traffic, algorithm, size_bytes in found:
        what = f"collective: {collective}" if collective else f"traffic: {_quoted(traffic)}"
        how = f", algorithm: {algorithm}" if collective and algorithm else ""
        yield f"  - {{{what}{how}, size: {format_size(size_bytes).replace(' ', '')}}}"
    if not found:
        yield from (f"  - {{name: {name}, {what}}}" for name, what in USUAL)


def _families(design: Design) -> Iterator[dict[str, str]]:
    """What each generated fabric was made with; without any, the usual families of what is drawn."""
    found = [fields for one in design.groups.values() if (fields := _made_with(one))]
    yield from found or _drawn(design)


def _made_with(group: Group) -> dict[str, str]:
    """The family and the parameters that are not left to it; empty of a group that cannot be generated again."""
    if group.recipe is None:
        return {}
    try:
        family, parameters = family_of(group), parameters_of(group)
    except DesignerError:
        return {}
    stated = {"family": family.name}
    for name, field in fields_of(family.parameters).items():
        value: Any = getattr(parameters, name)
        if name == "oversubscription" and value is not None:
            stated[name] = _tried(field.write(value))
        elif name not in COUNTED and value is not None and (name in STATED or value != field.default):
            stated[name] = _quoted(field.write(value))
    return stated


def _tried(ratio: str) -> str:
    return f"[{', '.join(dict.fromkeys((ratio, *map(str, RATIOS))))}]"


def _drawn(design: Design) -> Iterator[dict[str, str]]:
    """These families with the servers and the leaf switches that there are most of."""
    (server, _), *_ = Counter(one.type_id for one in design.servers() if _gpus(design, one.id)).most_common()
    surveyed = survey(design)
    lowest = [one for one in surveyed.switches if surveyed.tier.get(one.id) == 1] or list(surveyed.switches)
    switches = [type_id for type_id, _ in Counter(one.type_id for one in lowest).most_common()]
    for name in FAMILIES:
        fields = {"family": name, "server": _quoted(server)}
        if switches:
            fields["switch"] = f"[{', '.join(map(_quoted, switches))}]"
        yield fields | {"oversubscription": _tried(str(RATIOS[0]))}


def _entry(fields: dict[str, str]) -> Iterator[str]:
    for number, (name, value) in enumerate(fields.items()):
        yield f"  {' ' if number else '-'} {name}: {value}"
