"""Fields of many things at once: what they have in common, and one edit that sets a field of them all."""

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from designer.errors import DesignerError, EditError, ParameterError
from designer.fields import kinds
from designer.fields.field import Field, fields_of
from designer.late import Late
from designer.model import operations
from designer.model.annotation_styles import (
    LINE_LOOK,
    NEW,
    OWN,
    apply_style,
    as_looked,
    change_lines,
    make_style,
    style_choices,
    style_of,
)
from designer.model.cage_runs import cages as cages_of
from designer.model.cage_runs import cages_named, parse_cages
from designer.model.design import Design
from designer.model.edit import Change, Edit, added, joined
from designer.model.entities import ROLES, SERVER_ROLES, TYPED, Device, Link, Module, Rack, order_key
from designer.model.hardware.device_ports import Cage
from designer.model.hardware.media import MediumType
from designer.model.hardware.servers import ServerType
from designer.model.hardware.switches import SwitchType
from designer.model.hardware.types import HardwareType
from designer.model.networks import NETWORKS, TITLES, network_of_switch, sharing_choices
from designer.model.records import ordered
from designer.model.several import labelled
from designer.model.tagging import Common, Tagged, common
from designer.placement import floor
from designer.placement.many_records import RECORDS, LinkFields
from designer.placement.rack_stacks import racked
from designer.units import all_of, format_counted

link_rails = Late("designer.model.link_rails")

Types = Mapping[str, HardwareType]
Choices = list[tuple[str, str]]

NAMED_MOST = 3
"""Things that a refusal names; the others are counted."""
SLOW = frozenset({(Device, "type"), (Device, "port_mode"), (Device, "rack"), (Module, "port_mode")})
"""Fields whose edits move links: each of many takes a while."""


class Mixed:
    """Stands for values that differ."""

    def __repr__(self) -> str:
        return "Mixed"


MIXED = Mixed()


@dataclass(frozen=True, slots=True)
class CommonField:
    """A field of all things of a kind: its value, MIXED where they differ, and what it can be, where that is a list."""

    field: Field
    value: Any
    choices: tuple[tuple[str, str], ...] | None = None
    found: str = ""
    """What stands for the value where links say it, and not the record: the rails of a leaf switch that has several."""


# -- reading ----------------------------------------------------------------------------------------------------------


def _kw(rack: Rack) -> float | None:
    return rack.power_budget_w / 1000 if rack.power_budget_w is not None else None


def _rack_of(design: Design, device: Device) -> str:
    place = design.placements.get(device.id)
    return (place.rack_id or "") if place is not None else ""


def _mode(design: Design, device: Device) -> str | Mixed:
    type_ = design.types[device.type_id]
    shared = type_.n_mode_cages if isinstance(type_, SwitchType) and not type_.slots else math.inf
    if any(cage <= shared for cage, _ in device.cage_modes):
        return MIXED
    modes = design.port_modes(device.id)
    return device.port_mode or (modes[0].name if modes else "")


def _as_looked(name: str, design: Design, link: Link) -> Any:
    return getattr(as_looked(design, link), name)


READ: Mapping[tuple[type, str], Callable[[Design, Any], Any]] = {
    (Device, "type"): lambda _design, one: one.type_id,
    (Device, "role"): lambda _design, one: one.role,
    (Device, "network"): lambda _design, one: network_of_switch(one),
    (Device, "carries"): lambda _design, one: ",".join(one.carries),
    (Device, "port_mode"): _mode,
    (Device, "rack"): _rack_of,
    (Device, "unit"): lambda _design, one: one.unit,
    (Device, "rail"): lambda _design, one: one.rail,
    (Device, "plane"): lambda _design, one: one.plane,
    (Link, "medium"): lambda _design, one: one.medium_id,
    (Link, "length_m"): lambda _design, one: one.length_m,
    (Link, "label"): lambda _design, one: one.label,
    (Link, "colour"): lambda _design, one: one.colour,
    (Link, "notes"): lambda _design, one: one.notes,
    (Link, "style"): lambda design, one: style.id if (style := style_of(design, one)) is not None else OWN,
    **{(Link, name): partial(_as_looked, name) for name in LINE_LOOK.values()},
    (Rack, "power_kw"): lambda _design, one: _kw(one),
    (Rack, "feeds_kw"): lambda _design, one: tuple(watts / 1000 for watts in one.feeds_w),
    (Rack, "max_weight_kg"): lambda _design, one: one.max_weight_kg,
    (Module, "port_mode"): lambda design, one: design.module_mode(one.id).name,
}
"""The value of each field of a thing."""


def common_fields(
    design: Design, kind: type, things: Sequence[Any], types: Types, go_on: Callable[[], object] = lambda: None
) -> list[CommonField]:
    """The fields that all these things of a kind have, with their common values. `types` are those to choose from."""
    found = []
    for name, field in fields_of(RECORDS[kind]).items():
        go_on()
        choices = _choices(design, kind, name, things, types)
        if choices is None and field.kind is kinds.CHOICE:
            continue
        read = READ[kind, name]
        first = read(design, things[0])
        same = all(read(design, one) == first for one in things)
        by_links = _by_links(design, kind, name, things) if same else set[str]()
        value, text = (first, min(by_links)) if len(by_links) == 1 else (MIXED, "")
        found.append(CommonField(field, value, tuple(choices) if choices is not None else None, text))
    return found


def _by_links(design: Design, kind: type, name: str, things: Sequence[Any]) -> set[str]:
    """What links say of a field, thing by thing, as text: "1 and 2" of a leaf switch with two rails; else ""."""
    if (kind, name) != (Device, "rail"):
        return {""}
    found = set(link_rails.rails_of(design, [one.id for one in things]))
    return {all_of([*map(str, rails)]) if len(rails) > 1 else "" for rails in found}


def _choices(design: Design, kind: type, name: str, things: Sequence[Any], types: Types) -> Choices | None:
    """What a field can be; None where not all the things have it, or where it is typed."""
    if kind is Device:
        return _device_choices(design, name, things, types)
    if (kind, name) == (Link, "medium"):
        return _media(design, things, types)
    if (kind, name) == (Link, "style"):
        return style_choices(design)
    if (kind, name) == (Link, "line_style"):
        return [(one.name, one.title) for one in fields_of(LinkFields)[name].offered]
    if kind is Module:
        return _common_modes([design.module_type(one.id).port_modes for one in things])
    return None


def role_choices(devices: Iterable[Device], kinds: Collection[type]) -> Choices:
    """The roles that devices of these kinds of type can have, and those that they do have.

    A server without a role of its own is a server, as tables list it.
    """
    offered = [*(ROLES if SwitchType in kinds else ()), *(SERVER_ROLES if ServerType in kinds else ())]
    own = sorted({device.role for device in devices} - {"", *offered})
    none = "server" if set(kinds) == {ServerType} else "not set"
    return [("", none), *((role, role) for role in (*offered, *own))]


def _device_choices(design: Design, name: str, devices: Sequence[Device], types: Types) -> Choices | None:
    kinds_of = {type(design.types[one]) for one in {device.type_id for device in devices}}
    if name == "type":
        if len(kinds_of) > 1:
            return None
        (one_kind,) = kinds_of
        offered = {one.id: one for one in types.values() if isinstance(one, one_kind)}
        held = {one: design.types[one] for one in sorted({device.type_id for device in devices})}
        return [(one.id, getattr(one, "model", one.id)) for one in {**offered, **held}.values()]
    if name == "role":
        return role_choices(devices, kinds_of)
    if name == "network":
        return [(one, TITLES[one]) for one in NETWORKS] if kinds_of == {SwitchType} else None
    if name == "carries":
        return sharing_choices(devices) if kinds_of == {SwitchType} else None
    if name == "port_mode":
        return _common_modes([design.port_modes(one.id) for one in devices]) if kinds_of == {SwitchType} else None
    if name == "rack":
        return [("", "not in a rack"), *((one.id, one.name) for one in ordered(design.racks))]
    return None


def _common_modes(modes: Sequence[Sequence[Any]]) -> Choices | None:
    """The modes that all have, where there is more than one."""
    first = [one.name for one in modes[0]]
    distinct = {id(one): one for one in modes}.values()
    names = [name for name in first if all(any(mode.name == name for mode in one) for one in distinct)]
    return [(name, name) for name in names] if len(names) > 1 else None


def _media(design: Design, links: Sequence[Link], types: Types) -> Choices:
    """Not chosen, then the cables of the links' rates; those in use in any case."""
    rates = {port.rate_gbps for link in links for port in (design.port(link.a),) if port is not None}
    offered = {
        one.id: one
        for one in types.values()
        if isinstance(one, MediumType) and (one.link_gbps is None or not rates or rates == {one.link_gbps})
    }
    for used in sorted({link.medium_id for link in links if link.medium_id}):
        held = design.types.get(used)
        if isinstance(held, MediumType):
            offered.setdefault(used, held)
    return [("", "not chosen"), *((one.id, f"{one.model}  ·  {one.kind}") for one in offered.values())]


# -- setting ----------------------------------------------------------------------------------------------------------


def set_common(design: Design, ids: Iterable[str], kind: type, name: str, value: Any, types: Types) -> Edit:
    """One edit that sets a field of all these things. `types` are those that are not in the design yet.

    Raises EditError naming which things cannot be set so, how many they are, and why the first cannot.
    """
    things: list[Any] = [one for entity_id in ids if isinstance(one := design.entity(entity_id), kind)]
    if not things:
        raise ParameterError("select what to change first")
    field = fields_of(RECORDS[kind])[name]
    noun = {Device: "device", Link: "link", Rack: "rack", Module: "NIC"}[kind]
    label = f"Set {field.title.split(',')[0].lower()} of {format_counted(len(things), noun)}"
    changed = [one for one in things if READ[kind, name](design, one) != value]
    if (kind, name) in SLOW:
        return _one_by_one(design, changed, partial(_single, kind=kind, name=name, value=value, types=types), label)
    if name == "network":
        return Edit(label, operations.set_network(design, [one.id for one in things], value).changes)
    if name == "carries":
        named = value.split(",") if value else []
        return Edit(label, operations.share_switches(design, [one.id for one in things], named).changes)
    if name == "power_kw":
        watts = value * 1000 if value is not None else None
        return Edit(label, floor.set_power_budget(design, [one.id for one in things], watts).changes)
    if (kind, name) == (Link, "label"):
        return Edit(label, labelled(design, [one.id for one in things], value or "").changes)
    if (kind, name) == (Link, "style"):
        ids = [one.id for one in things]
        return make_style(design, ids) if value == NEW else apply_style(design, ids, value)
    if name in LINE_LOOK.values():
        return change_lines(design, [one.id for one in things], **{name: value})
    if name == "medium":
        return Edit(label, _with_medium(design, changed, value, types))
    return Edit(label, tuple(Change(one, _with(one, name, value)) for one in changed))


def _with(one: Any, name: str, value: Any) -> Any:
    if name == "feeds_kw":
        return replace(one, feeds_w=tuple(kilowatts * 1000 for kilowatts in value))
    if name == "length_m":
        return replace(one, length_m=value, length_source="" if value is None else TYPED)
    return replace(one, **{name: value})


def _with_medium(design: Design, links: Sequence[Link], medium_id: str, types: Types) -> tuple[Change, ...]:
    medium = design.types.get(medium_id) or types.get(medium_id)
    if medium_id and not isinstance(medium, MediumType):
        raise EditError(f"{medium_id!r} is no cable")
    new = [medium] if medium is not None and medium_id not in design.types and links else []
    source = TYPED if medium_id else ""
    changes = (Change(one, replace(one, medium_id=medium_id, medium_source=source)) for one in links)
    return (*added(new), *changes)


def cages_field(design: Design, ids: Iterable[str], field: CommonField, cages: str) -> CommonField:
    """The port mode of these cages of switches: what they are in, and the modes that all of them have.

    Raises ParameterError for cages that not all of the switches have.
    """
    ids = list(ids)
    alike = {id(design.ports(one)): one for one in ids}  # like switches share one tuple of ports
    numbers = parse_cages(cages, least_cages(design, alike.values()))
    there = [cage for one in alike.values() for cage in _numbered(design, one, numbers)]
    names = [{mode.name for mode in cage.modes} for cage in there]
    choices = [(mode.name, mode.name) for mode in there[0].modes if all(mode.name in one for one in names)]
    now = {cage.mode.name for cage in there}
    return replace(field, value=min(now) if len(now) == 1 else MIXED, choices=tuple(choices))


def _numbered(design: Design, switch_id: str, numbers: Collection[int]) -> list[Cage]:
    there = cages_of(design, switch_id)
    return [there[number - 1] for number in numbers]


def least_cages(design: Design, ids: Iterable[str]) -> int:
    """The cages that each of these switches has at least."""
    return min(map(design.cage_count, ids))


def set_cages(design: Design, ids: Collection[str], cages: str, mode: str) -> Edit:
    """One edit that sets these cages of all these switches to a mode.

    Raises ParameterError for cages that not all have, EditError naming which switches cannot be set so, how many they
    are, and why the first cannot.
    """
    numbers = parse_cages(cages, least_cages(design, ids))
    label = f"Set {cages_named(numbers)} of {format_counted(len(ids), 'device')} to {mode}"
    switches = [design.device(one) for one in ids]
    return _one_by_one(
        design, switches, lambda scratch, one: operations.set_cage_modes(scratch, one, numbers, mode), label
    )


def _one_by_one(design: Design, things: Sequence[Any], single: Callable[[Design, str], Edit], label: str) -> Edit:
    """Each thing set after the ones before it, as one edit; all or none."""
    scratch, edits, refused = design.snapshot(), [], list[tuple[str, str]]()
    for one in things:
        try:
            edit = single(scratch, one.id)
            scratch.apply(edit)
            edits.append(edit)
        except DesignerError as error:
            refused.append((_called(design, one), str(error)))
    if refused:
        names = [name for name, _ in refused]
        more = f" and {len(names) - NAMED_MOST} more" if len(names) > NAMED_MOST else ""
        count = f"{len(refused):,} of {len(things):,}"
        raise EditError(f"{count} cannot be changed ({', '.join(names[:NAMED_MOST])}{more}): {refused[0][1]}")
    return joined(label, edits)


def _called(design: Design, one: Any) -> str:
    return f"{design.device(one.device_id).name} {one.slot}" if isinstance(one, Module) else str(one.name)


def _single(design: Design, entity_id: str, kind: type, name: str, value: Any, types: Types) -> Edit:
    if kind is Module:
        return operations.set_nic_mode(design, [entity_id], value)
    if name == "type":
        type_ = design.types.get(value) or types.get(value)
        if not isinstance(type_, SwitchType | ServerType):
            raise EditError(f"{value!r} is no switch or server")
        return operations.set_type(design, entity_id, type_, catalog_types=types)
    if name == "port_mode":
        return operations.set_port_mode(design, entity_id, value)
    return racked(design, operations.mount(design, entity_id, value or None))


Section = tuple[type, tuple[str, ...], tuple[CommonField, ...]]
"""A kind, the ids of that kind, and the fields of them all."""


@dataclass(frozen=True, slots=True)
class Gathered:
    """What a selection has in common, kind by kind, and its tags and fields of the user's own."""

    sections: tuple[Section, ...]
    tagged: tuple[str, ...]
    common: Common


def gathered(
    design: Design, selection: Iterable[str], types: Types, go_on: Callable[[], object] = lambda: None
) -> Gathered:
    """The fields that forms show for a selection; for workers too, whose `go_on` is called often and may raise."""
    things = [entity for one in sorted(selection, key=order_key) if (entity := design.entity(one)) is not None]
    sections = []
    for kind in RECORDS:
        own = [one for one in things if isinstance(one, kind)]
        if own:
            fields = tuple(common_fields(design, kind, own, types, go_on))
            sections.append((kind, tuple(one.id for one in own), fields))
    tagged = [one for one in things if isinstance(one, Tagged)]
    return Gathered(tuple(sections), tuple(one.id for one in tagged), common(tagged))
