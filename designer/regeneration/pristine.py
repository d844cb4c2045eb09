"""What a family makes of parameters, untouched: its records, the stable key of each, and their ids in the design."""

import itertools
import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from designer.catalog.catalog import Catalog
from designer.model.design import Design
from designer.model.edit import Edit, added
from designer.model.entities import Device, End, Link, Module, Placement
from designer.model.hardware.types import HardwareType
from designer.regeneration.recipes import TABLES
from designer.topologies.families import Family

Records = dict[str, Any]

_ZEROS = re.compile(r"(?<![0-9])0+(?=[0-9])")
_NUMBER = re.compile(r"[0-9]+")


@dataclass(frozen=True, slots=True)
class Pristine:
    """A fabric as generated into an empty design, table by table in the order of generating."""

    types: tuple[HardwareType, ...]
    tables: Mapping[str, tuple[Any, ...]]
    placements: Mapping[str, Placement]
    keys: Mapping[str, tuple[Hashable, ...]]
    """What tells each record from the others of its table, however many there are: gpu-7 is gpu-007."""


def pristine(design: Design, family: Family, parameters: Any, catalog: Catalog) -> Pristine:
    """The fabric of the parameters, of the design's own types where it has them. Raises ParameterError."""
    scratch = Design()
    scratch.apply(Edit("Types", added(design.types.values())))
    entities = [change.after for change in family.build(scratch, parameters, catalog).changes]
    tables = {table: tuple(one for one in entities if isinstance(one, kind)) for table, kind in TABLES.items()}
    types = tuple(one for one in entities if not isinstance(one, (*TABLES.values(), Placement)))
    placements = {one.id: one for one in entities if isinstance(one, Placement)}
    return Pristine(types, tables, placements, _keys(tables))  # type: ignore[arg-type]


def as_recorded(plan: Pristine, n_racks: int, types: Mapping[str, HardwareType]) -> Pristine:
    """The fabric with the number of racks that its recipe lists, where that is those of hardware of known height.

    Recipes older than racks for hardware of unknown height list no others.
    """
    known = {**types, **{one.id: one for one in plan.types}}
    type_of = {one.id: known[one.type_id] for one in plan.tables["devices"]}
    measured = {
        place.rack_id
        for place in plan.placements.values()
        if getattr(type_of.get(place.id), "rack_units", None) is not None
    }
    kept = [rack.id in measured for rack in plan.tables["racks"]]
    if len(kept) == n_racks or sum(kept) != n_racks:
        return plan
    racks = tuple(itertools.compress(plan.tables["racks"], kept))
    placements = {
        one.id: one if one.rack_id in measured else replace(one, rack_id=None, unit=None)
        for one in plan.placements.values()
    }
    keys = {**plan.keys, "racks": tuple(itertools.compress(plan.keys["racks"], kept))}
    return Pristine(plan.types, {**plan.tables, "racks": racks}, placements, keys)


def _keys(tables: Mapping[str, tuple[Any, ...]]) -> dict[str, tuple[Hashable, ...]]:
    groups = _distinguished(_plain(group.name) for group in tables["groups"])
    group_key: dict[str | None, Hashable] = {one.id: key for one, key in zip(tables["groups"], groups, strict=True)}
    # Racks are numbered through the whole fabric; what lasts is which rack of its unit one is.
    racks = _distinguished((_NUMBER.sub("", rack.name), group_key.get(rack.group_id)) for rack in tables["racks"])
    devices = _distinguished(_plain(device.name) for device in tables["devices"])
    device_key = {one.id: key for one, key in zip(tables["devices"], devices, strict=True)}

    def end(one: End) -> Hashable:
        return device_key[one.device_id], one.port

    modules = _distinguished((device_key[one.device_id], one.slot) for one in tables["modules"])
    links = _distinguished((end(link.a), end(link.b)) for link in tables["links"])
    return {"groups": groups, "racks": racks, "devices": devices, "modules": modules, "links": links}


def _plain(name: str) -> str:
    """The name without leading zeros, of which there are more where there are more of its kind."""
    return _ZEROS.sub("", name)


def _distinguished(keys: Iterable[Hashable]) -> tuple[Hashable, ...]:
    """The keys, each with how many like it came before."""
    seen: Counter[Hashable] = Counter()
    reported = []
    for key in keys:
        reported.append((key, seen[key]))
        seen[key] += 1
    return tuple(reported)


@dataclass(slots=True)
class Fabric:
    """A pristine fabric with the ids, names and group it has in the design: records by id."""

    tables: dict[str, Records] = field(default_factory=dict)
    placements: dict[str, Placement] = field(default_factory=dict)
    ids: dict[str, list[str]] = field(default_factory=dict)
    """Ids in the order of generating, by table."""
    id_of: dict[str, dict[Hashable, str]] = field(default_factory=dict)
    """Id by key, by table."""


def placed(
    plan: Pristine,
    group_id: str,
    prefixes: Mapping[str, str],
    shift: tuple[float, float],
    ids: Mapping[str, Sequence[str]],
) -> Fabric:
    """The fabric under these ids in the order of generating, within that group, moved by the shift."""
    new = {
        table: {one.id: new_id for one, new_id in zip(plan.tables[table], ids[table], strict=True)} for table in TABLES
    }

    def home(one: str | None) -> str:
        return group_id if one is None else new["groups"][one]

    def end(one: End) -> End:
        return End(new["devices"][one.device_id], one.port)

    def named(table: str, one: Any) -> dict[str, str]:
        return {"id": new[table][one.id], "name": f"{prefixes[table]}{one.name}"}

    again: dict[str, Callable[[Any], Any]] = {
        "groups": lambda one: replace(one, **named("groups", one), parent_id=home(one.parent_id)),
        "racks": lambda one: replace(one, **named("racks", one), group_id=home(one.group_id)),
        "devices": lambda one: replace(one, **named("devices", one), group_id=home(one.group_id)),
        "modules": lambda one: replace(one, id=new["modules"][one.id], device_id=new["devices"][one.device_id]),
        "links": lambda one: replace(one, id=new["links"][one.id], a=end(one.a), b=end(one.b)),
    }
    fabric = Fabric()
    for table in TABLES:
        records = [again[table](one) for one in plan.tables[table]]
        fabric.tables[table] = {one.id: one for one in records}
        fabric.ids[table] = list(ids[table])
        fabric.id_of[table] = dict(zip(plan.keys[table], ids[table], strict=True))
    everything = {**new["racks"], **new["devices"]}
    for one in plan.placements.values():
        rack_id = new["racks"][one.rack_id] if one.rack_id is not None else None
        stands = replace(one, id=everything[one.id], x=one.x + shift[0], y=one.y + shift[1], rack_id=rack_id)
        fabric.placements[stands.id] = stands
    return fabric


def related(generated: Any, stands: Any, is_switch: Callable[[str], bool]) -> bool:
    """Whether a record that stands under a generated one's id is that one still, however much it was changed.

    Ids of what was deleted may be given to something else once the file is opened again.
    """
    if isinstance(generated, Device):
        alike = is_switch(generated.type_id) == is_switch(stands.type_id)
        return alike and (generated.name == stands.name or generated.type_id == stands.type_id)
    if isinstance(generated, Module):
        return bool(generated.device_id == stands.device_id)
    if isinstance(generated, Link):
        pairs = [{link.a.device_id, link.b.device_id} for link in (generated, stands)]
        return pairs[0] == pairs[1] or bool({generated.a, generated.b} & {stands.a, stands.b})
    return True
