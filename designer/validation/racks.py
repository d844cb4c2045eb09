"""The rules about rack units."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from designer.errors import EditError
from designer.model.edit import Change, Edit
from designer.model.entities import Device, Rack
from designer.model.equipping import free_unit, height
from designer.model.hardware.racks import RackType
from designer.units import format_count
from designer.validation.findings import Finding, Severity
from designer.validation.inspection import Inspection
from designer.validation.rule import Counts, Rule, Stated, rule
from designer.validation.scope import ROOM, Scope, Tally
from designer.validation.sources import EIA_310


@dataclass(frozen=True, slots=True)
class _Mounted:
    device: Device
    unit: int | None
    height: int
    """Whole rack units taken."""

    @property
    def top(self) -> int:
        return (self.unit or 0) + self.height - 1


def _heights_assumed(counts: Counts) -> Iterator[str]:
    unknown = [key for key, count in counts.items() if isinstance(key, tuple) and count]
    for units in sorted({units for _, units in unknown}):
        types = sorted(model for model, taken in unknown if taken == units)
        yield f"the height of {', '.join(types)} is not known: {units} U is assumed"


@rule(
    "RACK-001",
    Severity.ERROR,
    "Rack units exceeded",
    "Devices cannot overlap or extend beyond the rack.",
    remedy="Move the device to free units or to another rack.",
    fix="Moves the device to free rack units.",
    example="Two servers of eight units, both in units 1 to 8 of one rack.",
    source=f"{EIA_310}: rack units. Heights are those of data sheets.",
    scope=Scope.RACK,
    reads=ROOM,
    unchecked=_heights_assumed,
)
def rack_units_exceeded(seen: Inspection, this: Rule) -> Iterator[Stated]:
    """Finds racks with too few units for their devices, and devices that overlap or extend beyond their rack."""
    for rack in seen.racks():
        type_ = seen.design.types[rack.type_id]
        if isinstance(type_, RackType):
            unknown: dict[str, int] = {}
            mounted = _mounted(seen, rack, unknown)
            yield from map(Tally, unknown.items())
            yield from _faults(seen, this, rack, type_.units, mounted)


def _mounted(seen: Inspection, rack: Rack, unknown: dict[str, int]) -> list[_Mounted]:
    """What stands in a rack, lowest first. Types of unknown height are noted with the units taken."""
    found = []
    for device_id in seen.design.mounted(rack.id):
        if device_id not in seen.design.devices:
            continue
        type_ = seen.design.device_type(device_id)
        if type_.rack_units is None:
            unknown[type_.model] = height(type_)
        unit = seen.design.placements[device_id].unit
        found.append(_Mounted(seen.design.device(device_id), unit, height(type_)))
    return sorted(found, key=lambda m: m.unit or 0)


def _faults(seen: Inspection, this: Rule, rack: Rack, units: int, mounted: list[_Mounted]) -> Iterator[Finding]:
    needed = sum(m.height for m in mounted)
    if needed > units:
        yield this.finding(
            f"{rack.name}: its devices need {needed} U, the rack has {units} U",
            (rack.id, *(m.device.id for m in mounted)),
            value=needed,
            limit=units,
        )
    below: _Mounted | None = None
    for m in mounted:
        if m.unit is None:
            continue
        if m.unit < 1 or m.top > units:
            yield this.finding(
                f"{m.device.name} takes U{m.unit} to U{m.top} of {rack.name}, which has U1 to U{units}",
                (m.device.id, rack.id),
                value=m.top if m.unit >= 1 else m.unit,
                limit=units,
                fix=_move(seen, rack, m),
                aspect="beyond",
            )
        if below is not None and m.unit <= below.top:
            yield this.finding(
                f"{m.device.name} and {below.device.name} both take U{m.unit} of {rack.name}",
                (m.device.id, below.device.id, rack.id),
                value=m.unit,
                fix=_move(seen, rack, m),
                aspect="overlap",
            )
        if below is None or m.top > below.top:
            below = m


def _move(seen: Inspection, rack: Rack, m: _Mounted) -> Edit | None:
    """Put a device into the lowest gap of the rack that holds it; None where there is none."""
    try:
        unit = free_unit(seen.design, rack.id, m.height, None, m.device.name, m.device.id)
    except EditError:
        return None
    before = seen.design.placements[m.device.id]
    return Edit(f"Move {m.device.name} to U{unit} of {rack.name}", (Change(before, replace(before, unit=unit)),))


@rule(
    "RACK-012",
    Severity.INFO,
    "Rack without a free unit",
    "Cable managers and patch panels take units too, and the next switch or a spare one has no room.",
    example="42 switches of one unit in a rack of 42 units.",
    remedy="Spread the devices over one rack more, or use a higher rack.",
    how="Take them out of their racks and choose Room > Put into Racks, which keeps units free.",
    source="Common practice: a rack plan leaves units for cable managers and patch panels.",
    scope=Scope.RACK,
    reads=ROOM,
    unchecked=_heights_assumed,
)
def no_free_unit(seen: Inspection, this: Rule) -> Iterator[Stated]:
    """Finds racks of several devices that fill all units. A system that is a rack fills its own.

    Only heights that are known are counted.
    """
    for rack in seen.racks():
        type_ = seen.design.types[rack.type_id]
        if not isinstance(type_, RackType):
            continue
        unknown: dict[str, int] = {}
        mounted = _mounted(seen, rack, unknown)
        yield from map(Tally, unknown.items())
        needed = sum(m.height for m in mounted)
        if len(mounted) > 1 and not unknown and needed == type_.units:
            yield this.finding(
                f"{rack.name}: {format_count(len(mounted))} devices fill all {type_.units} U",
                (rack.id, *(m.device.id for m in mounted)),
                value=needed,
                limit=type_.units - 1,
            )
