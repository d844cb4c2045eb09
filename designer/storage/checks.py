"""What a strict row cannot say: templates, port counts, repeated ids, depth. A file comes from anybody."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

from designer.errors import FileFormatError
from designer.model.annotation_limits import annotation_faults, link_faults, look_faults
from designer.model.bookmark_limits import bookmark_faults
from designer.model.entities import Entity, Group, Link, Module, PlacedJob, Placement
from designer.model.fixture_limits import crowding_fault, fixture_faults
from designer.model.hardware.modules import LineCardType
from designer.model.hardware.servers import ServerType
from designer.model.hardware.switches import SwitchType
from designer.model.hardware.types import HardwareType
from designer.model.job_limits import JOBS_MOST, PLACES_MOST, job_faults
from designer.model.limits import (
    GPUS_IN_ALL_MOST,
    GROUP_DEPTH_MOST,
    LINKS_PER_PORT_MOST,
    OF_SEVERAL_LINES,
    PORTS_IN_ALL_MOST,
    SLOTS_MOST,
    kinds_of_switch,
    most_card_ports,
    most_ports,
    rack_faults,
    tag_faults,
    type_faults,
)
from designer.model.naming import control_fault
from designer.model.policy_limits import policy_faults, waiver_faults
from designer.model.settings import Settings
from designer.storage import allocations
from designer.storage.faults import FaultAt

_FAULTS: Mapping[str, Callable[[Any], Iterable[tuple[str, str]]]] = {
    "annotations": annotation_faults,
    "bookmarks": bookmark_faults,
    "annotation_styles": look_faults,
    "links": link_faults,
    "fixtures": fixture_faults,
    "racks": rack_faults,
    "waivers": waiver_faults,
}
"""By table, what finds the fields of a record that could not be drawn, and why."""


def check_record(table: str, record: Any, *, texts: bool = True) -> None:
    """Raises FileFormatError naming the field where a record alone could not be worked with."""
    if table.endswith("_types"):
        check_type(record)
    elif table == "jobs":
        check_job(record)
    for field, fault in _FAULTS[table](record) if table in _FAULTS else ():
        raise FileFormatError(f"field {field}: {fault}")
    if getattr(record, "tags", ()) or getattr(record, "fields", ()):
        for field, fault in tag_faults(record):
            raise FileFormatError(f"field {field}: {fault}")
    if texts:
        check_texts(record)


def check_settings(settings: Settings) -> None:
    """Raises FaultAt naming the field where nothing could be checked against the design's policy."""
    for field, fault in policy_faults(settings.policy) if settings.policy is not None else ():
        raise FaultAt(f"settings, field policy.{field}: {fault}")


def check_type(type_: HardwareType) -> None:
    """Raises FileFormatError naming the field where a type could not be worked with."""
    for field, fault in type_faults(type_):
        raise FileFormatError(f"field {field}: {fault}")


def check_job(job: PlacedJob) -> None:
    """Raises FileFormatError naming the field where a job could not be worked with."""
    for field, fault in job_faults(job):
        raise FileFormatError(f"field {field}: {fault}")


def check_job_rows(rows: Sequence[Any]) -> None:
    """Raises FaultAt where there are too many jobs, or where their servers would fill the memory once spelled."""
    if len(rows) > JOBS_MOST:
        raise FaultAt(f"jobs: there are {len(rows):,}, the most is {JOBS_MOST}")
    count = 0
    for row in rows:
        try:
            count += allocations.places_of(row.servers)
        except FileFormatError as error:
            raise FaultAt(f'jobs "{row.id}", {error}') from None
        if count > PLACES_MOST:
            raise FaultAt(f'jobs "{row.id}", field servers: more than {PLACES_MOST:,} servers and GPUs are not read')


def check_tables(tables: Mapping[str, Sequence[Any]]) -> None:
    """Raises FaultAt naming table and id where the records as a whole cannot be worked with."""
    _check_ids(tables)
    _check_crowding(tables["modules"], tables["links"])
    _check_depth({group.id: group for group in tables["groups"]})
    _check_totals(tables)
    if fault := crowding_fault(tables["fixtures"]):
        raise FaultAt(f"fixtures: {fault}")
    racks = {rack.id for rack in tables["racks"]}
    for placement in tables["placements"]:
        if isinstance(placement, Placement) and placement.rack_id is not None and placement.id in racks:
            raise FaultAt(f'placements "{placement.id}": a rack cannot stand in a rack')


def _check_ids(tables: Mapping[str, Sequence[Any]]) -> None:
    where: dict[str, str] = {}
    for table, records in tables.items():
        seen = {} if table == "placements" else where
        for record in records:
            if record.id in seen:
                other = seen[record.id]
                also = "" if other == table else f" and in {other}"
                raise FaultAt(f'{table} "{record.id}": the id is used twice{also or " in this table"}')
            seen[record.id] = table


def _check_crowding(modules: Iterable[Module], links: Iterable[Link]) -> None:
    """Faulty designs may have two links on a port; thousands only slow the program down."""
    for device_id, count in Counter(module.device_id for module in modules).most_common(1):
        if count > SLOTS_MOST:
            raise FaultAt(f'devices "{device_id}": holds {count:,} modules, the most is {SLOTS_MOST:,}')
    ends = Counter(end for link in links for end in ((link.a.device_id, link.a.port), (link.b.device_id, link.b.port)))
    for (device_id, port), count in ends.most_common(1):
        if count > LINKS_PER_PORT_MOST:
            raise FaultAt(
                f'devices "{device_id}": port {port!r} carries {count:,} links, the most is {LINKS_PER_PORT_MOST}'
            )


def _check_depth(groups: Mapping[str, Group]) -> None:
    depth: dict[str, int] = {}
    for group_id in groups:
        chain: list[str] = []
        current: str | None = group_id
        while current is not None and current in groups and current not in depth:
            if current in chain:
                raise FaultAt(f'groups "{current}", field parent_id: the group would lie within itself')
            if len(chain) > GROUP_DEPTH_MOST:
                break
            chain.append(current)
            current = groups[current].parent_id
        level = depth.get(current, 0) if current is not None else 0
        for one in reversed(chain):
            level += 1
            depth[one] = level
        if level > GROUP_DEPTH_MOST:  # also where the chain was broken off for its length
            raise FaultAt(f'groups "{group_id}": lies more than {GROUP_DEPTH_MOST} groups deep')


def _check_totals(tables: Mapping[str, Sequence[Any]]) -> None:
    """Devices that are alike share their ports; what counts is how many kinds there are."""
    switches: Mapping[str, SwitchType] = {type_.id: type_ for type_ in tables["switch_types"]}
    servers: Mapping[str, ServerType] = {type_.id: type_ for type_ in tables["server_types"]}
    most = {type_id: most_ports(type_) for type_id, type_ in switches.items()}
    ports = sum(most[type_id] for type_id, _, _ in kinds_of_switch(tables["devices"], switches))
    if ports > PORTS_IN_ALL_MOST:
        raise FaultAt(f"devices: {ports:,} ports of different kinds, the most is {PORTS_IN_ALL_MOST:,}")
    cards: Mapping[str, LineCardType] = {type_.id: type_ for type_ in tables["line_card_types"]}
    ports = most_card_ports(tables["devices"], tables["modules"], cards)
    if ports > PORTS_IN_ALL_MOST:
        raise FaultAt(f"modules: {ports:,} ports of line cards of different kinds, the most is {PORTS_IN_ALL_MOST:,}")
    gpus = sum(servers[one.type_id].gpus for one in tables["devices"] if one.type_id in servers)
    if gpus > GPUS_IN_ALL_MOST:
        raise FaultAt(f"devices: {gpus:,} GPUs, the most is {GPUS_IN_ALL_MOST:,}")


def check_texts(record: Entity) -> None:
    """Raises FileFormatError where a name or other short text holds a line break or control character."""
    for field, text in _texts(record):
        fault = control_fault(text)
        if fault:
            raise FileFormatError(f"field {field}: {fault}")


def _texts(record: Any) -> Iterable[tuple[str, str]]:
    for field in fields(record):
        if field.name not in OF_SEVERAL_LINES:
            yield from ((field.name, text) for text in _texts_in(getattr(record, field.name)))


def _texts_in(value: Any) -> Iterable[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        for one in value:
            yield from _texts_in(one)
    elif is_dataclass(value) and not isinstance(value, type):
        yield from (text for _, text in _texts(value))
