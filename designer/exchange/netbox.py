"""NetBox device types in: a YAML file of the device-type library becomes a switch type, or a rack type.

The format says names and kinds of interfaces, height and weight. It does not say latency, price, split options, GPUs,
or which interfaces share a cage; notes say what is concluded.
Source: netbox-community/devicetype-library, schema/devicetype.json and schema/racktype.json.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from designer.catalog import data_files, own_types, yaml_text
from designer.catalog.catalog import Catalog
from designer.errors import CatalogError, sentence
from designer.exchange import netbox_modules
from designer.exchange.netbox_ports import (
    LEAST_GBPS,
    USUAL_RADIXES,
    NamedPort,
    as_stated,
    left_out,
    of_one_kind,
    ports_of,
)
from designer.model.hardware.modules import LineCardType, Slot
from designer.model.hardware.ports import CageGroup, PortMode
from designer.model.hardware.racks import RackType
from designer.model.hardware.switches import AIRFLOWS, ManagementPort, SwitchType
from designer.units import format_count, format_rate

SUFFIXES = (".yaml", ".yml")

_TWIN = re.compile(r"(?P<before>.*?)(?P<cage>[0-9]{1,9})(?P<between>[./p])(?P<lane>[0-2])")
_NUMBERED = re.compile(r"(?P<before>.*?)(?P<number>[0-9]{1,9})")
_GRAMS = {"kg": 1000.0, "g": 1.0, "lb": 453.59237, "oz": 28.349523125}
_INFINIBAND_MODEL = re.compile(r"(M?QM\d|Q3\d)")
_NEEDED: tuple[tuple[str, Any, str], ...] = (
    ("manufacturer", str, "a text"),
    ("model", str, "a text"),
    ("slug", str, "a text"),
    ("u_height", (int, float), "a number"),
    ("is_full_depth", bool, "true or false"),
)
_KNOWN_KEYS = frozenset(
    {
        "manufacturer",
        "model",
        "slug",
        "u_height",
        "is_full_depth",
        "part_number",
        "airflow",
        "weight",
        "weight_unit",
        "front_image",
        "rear_image",
        "is_powered",
        "subdevice_role",
        "description",
        "comments",
        "console-ports",
        "console-server-ports",
        "power-ports",
        "power-outlets",
        "interfaces",
        "front-ports",
        "rear-ports",
        "module-bays",
        "device-bays",
        "inventory-items",
    }
)


@dataclass(frozen=True, slots=True)
class Imported:
    """A type read from a file; `notes` say what was concluded and what was left out."""

    file: str
    type_: SwitchType | LineCardType | RackType
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """What became of all files: types, and one sentence for each file that was skipped, naming it and the line."""

    imported: tuple[Imported, ...]
    skipped: tuple[str, ...]


def read(path: Path, progress: Callable[[float], None] | None = None) -> Report:
    """The device types of a file, or of all YAML files in a folder and those in it; faulty files are reported.

    Raises CatalogError where the path names nothing or the folder holds no YAML file.
    """
    if path.is_dir():
        files = sorted(one for one in path.rglob("*") if one.suffix.lower() in SUFFIXES and one.is_file())
        if not files:
            raise CatalogError(f"{path} holds no YAML files")
    elif path.is_file():
        files = [path]
    else:
        raise CatalogError(f"{path} is neither a file nor a folder")
    imported: dict[str, Imported] = {}
    skipped: list[str] = []
    for number, file in enumerate(files):
        if progress is not None:
            progress(number / len(files))
        try:
            found = read_file(file)
            if found.type_.id in imported:
                first = imported[found.type_.id].file
                raise CatalogError(f"{file.name}: {found.type_.id} was read from {first} already")
            imported[found.type_.id] = found
        except CatalogError as error:
            skipped.append(str(error))
    return Report(tuple(imported.values()), tuple(skipped))


def take_in(
    report: Report, catalog: Catalog, folder: Path, *, replace: bool = False
) -> tuple[list[Imported], list[str]]:
    """Save what was read among the user's own types; returns what was saved, and a sentence for each that was not.

    Types of the catalog itself keep their figures; those of the user are replaced where that is wanted.
    """
    taken: list[Imported] = []
    reported: list[str] = []
    for one in report.imported:
        type_id = one.type_.id
        if type_id in catalog.types and not (replace and type_id in catalog.own):
            reported.append(f"{one.file}: the catalog has {type_id} already; its figures are kept")
            continue
        try:
            own_types.save(one.type_, folder)
            taken.append(one)
        except CatalogError as error:
            reported.append(f"{one.file}: {error}")
    return taken, reported


def read_file(path: Path) -> Imported:
    """The device type of one file. Raises CatalogError naming file, line and fault."""
    found = yaml_text.read(path)
    raw, lines = found.value, found.lines
    if not isinstance(raw, dict):
        raise CatalogError(f"{path.name}, line 1: not a device type, which is a mapping of fields")

    def fault(place: str, sentence: str) -> CatalogError:
        return CatalogError(f"{path.name}, line {lines.get(place, 1)}: {sentence}")

    if netbox_modules.is_module(raw):
        return _line_card(path.name, raw, fault)
    is_rack = "starting_unit" in raw and "is_full_depth" not in raw
    _check_needed(path.name, raw, is_rack, fault)
    if is_rack:
        return _rack(path.name, raw, fault)
    notes = [f"{name} is not read" for name in raw if name not in _KNOWN_KEYS]
    every = list(ports_of(raw, fault, notes))
    ports = [port for port in every if port.is_fabric]
    managing = tuple(ManagementPort(port.name, port.form_factor, port.gbps) for port in every if port.is_managing)
    notes += left_out([port for port in every if not port.is_fabric and not port.is_managing])
    slots = netbox_modules.slots(raw, fault, notes)
    if slots and not ports:
        chassis = replace(_chassis(raw, slots, notes), management_ports=managing)
        data_files.check_entry(chassis, path.name)
        return Imported(path.name, chassis, tuple(notes))
    if not ports:
        raise fault("interfaces", f"no interface of {format_rate(LEAST_GBPS)} or more: nothing to build a fabric with")
    chosen = of_one_kind(ports, fault, notes)
    type_ = replace(_switch(raw, chosen, notes), management_ports=managing)
    data_files.check_entry(type_, path.name)
    return Imported(path.name, type_, tuple(notes))


def _check_needed(file: str, raw: dict[str, Any], is_rack: bool, fault: Callable[[str, str], CatalogError]) -> None:
    """What every device or rack type of NetBox states, and within which bounds."""
    for name, kind, stated in _NEEDED:
        if name == "is_full_depth" and is_rack:
            continue
        if name not in raw:
            raise CatalogError(f"{file}: {name} is missing; a NetBox device type has it")
        if not isinstance(raw[name], kind) or (name == "u_height" and isinstance(raw[name], bool)):
            raise fault(name, f"{name} should be {stated}, not {as_stated(raw[name])}")
    if not re.fullmatch(r"[-a-z0-9_]{1,100}", raw["slug"]):
        raise fault("slug", f"slug {as_stated(raw['slug'])} is not small letters, digits, hyphens and underscores")
    if not 0 <= raw["u_height"] <= 100 or raw["u_height"] * 2 % 1:
        raise fault("u_height", f"u_height {as_stated(raw['u_height'])} is not a height in half rack units")


def _rack(file: str, raw: dict[str, Any], fault: Callable[[str, str], CatalogError]) -> Imported:
    if raw["u_height"] < 1 or raw["u_height"] % 1:
        raise fault("u_height", f"u_height {as_stated(raw['u_height'])} is not a number of rack units")
    notes = []
    if raw.get("width", 19) != 19:
        notes.append(f"its rails are {as_stated(raw['width'])} inches apart; racks are taken to be 19 inches here")
    type_ = RackType(
        id=_id(raw),
        vendor=raw["manufacturer"],
        model=raw["model"],
        units=int(raw["u_height"]),
        depth_mm=_depth_mm(raw),
        max_weight_kg=_weight_kg(raw, "max_weight"),
        notes=_sentences("Imported from a NetBox rack type.", notes),
    )
    data_files.check_entry(type_, file)
    return Imported(file, type_, tuple(notes))


def _chassis(raw: dict[str, Any], slots: tuple[Slot, ...], notes: list[str]) -> SwitchType:
    notes.append(f"its {format_count(len(slots))} slots are empty: the file does not say what line cards it comes with")
    return SwitchType(
        id=_id(raw),
        vendor=raw["manufacturer"],
        model=raw["model"],
        protocols=("ethernet",),
        cages=(),
        modes=(),
        rack_units=float(raw["u_height"]) or None,
        weight_kg=_weight_kg(raw),
        airflow=_airflow(raw),
        notes=_sentences("Imported from a NetBox device type.", notes),
        slots=slots,
        part_number=_part_number(raw),
    )


def _line_card(file: str, raw: dict[str, Any], fault: Callable[[str, str], CatalogError]) -> Imported:
    for name in ("manufacturer", "model"):
        if not isinstance(raw[name], str):
            raise fault(name, f"{name} should be a text, not {as_stated(raw[name])}")
    notes: list[str] = []
    every = list(ports_of(raw, fault, notes))
    ports = [port for port in every if port.is_fabric]
    notes += left_out([port for port in every if not port.is_fabric])
    if not ports:
        raise fault("interfaces", f"no interface of {format_rate(LEAST_GBPS)} or more: no line card for a fabric")
    groups: dict[tuple[float, str, str, str], list[NamedPort]] = {}
    for port in ports:
        groups.setdefault(port.kind, []).append(port)
    kind = max(groups, key=lambda one: len(groups[one]) * one[0])
    notes += [
        f"{format_count(len(group))} x {format_rate(other[0])} {other[1]} are left out: a line card has ports of one "
        "kind here"
        for other, group in groups.items()
        if other != kind
    ]
    gbps, form_factor, heat_sink, protocol = kind
    chosen = groups[kind]
    mode = PortMode(
        f"{len(chosen)}x{gbps:g}G", 1, gbps, netbox_modules.port_name([port.name for port in chosen], notes)
    )
    type_ = LineCardType(
        id=re.sub(r"[^a-z0-9.]+", "-", f"{raw['manufacturer']}-{raw['model']}".lower()).strip("-.") or "netbox-module",
        vendor=raw["manufacturer"],
        model=raw["model"],
        protocols=(protocol,),
        cages=(CageGroup(len(chosen), form_factor, heat_sink),),
        modes=(mode,),
        part_number=_part_number(raw),
        weight_kg=_weight_kg(raw),
        notes=_sentences("Imported from a NetBox module type.", notes),
    )
    data_files.check_entry(type_, file)
    return Imported(file, type_, tuple(notes))


def _part_number(raw: dict[str, Any]) -> str:
    found = raw.get("part_number")
    return found if isinstance(found, str) else ""


def _id(raw: dict[str, Any]) -> str:
    return raw["slug"].replace("_", "-").strip("-") or "netbox-type"


def _sentences(first: str, notes: list[str]) -> tuple[str, ...]:
    return (first, *map(sentence, notes))


def _switch(raw: dict[str, Any], ports: list[NamedPort], notes: list[str]) -> SwitchType:
    gbps, form_factor, heat_sink, protocol = ports[0].kind
    n_cages, per_cage, port_name = _cages([port.name for port in ports], notes)
    if n_cages * per_cage not in USUAL_RADIXES:
        notes.append(f"{format_count(n_cages * per_cage)} fabric ports are not a usual radix: the file may lack some")
    if ports[0].assumed:
        notes.append(f"the type says one lane of InfiniBand; four lanes, {format_rate(gbps)}, are assumed")
    if protocol == "ethernet" and _INFINIBAND_MODEL.match(raw["model"]):
        protocol = "infiniband"
        notes.append("the file states Ethernet interfaces, but the model is an InfiniBand switch")
    power = raw.get("power-ports")
    draws = [one.get("maximum_draw") for one in power if isinstance(one, dict)] if isinstance(power, list) else []
    rated = [draw for draw in draws if isinstance(draw, int | float) and not isinstance(draw, bool)]
    if rated:
        notes.append(f"its power supplies are rated {sum(rated):,.0f} W together, which is not the power it draws")
    return SwitchType(
        id=_id(raw),
        vendor=raw["manufacturer"],
        model=raw["model"],
        protocols=(protocol,),
        cages=(CageGroup(n_cages, form_factor, heat_sink),),
        modes=(PortMode(f"{n_cages * per_cage}x{gbps:g}G", per_cage, gbps, port_name),),
        rack_units=float(raw["u_height"]) or None,
        capacity_tbps=n_cages * per_cage * gbps / 1000,
        weight_kg=_weight_kg(raw),
        airflow=_airflow(raw),
        sources=(),
        notes=_sentences("Imported from a NetBox device type.", notes),
        part_number=_part_number(raw),
    )


def _cages(names: list[str], notes: list[str]) -> tuple[int, int, str]:
    """(cages, ports a cage, template of port names): X.0 and X.1, or swNp1 and swNp2, are one twin-port cage."""
    twins = [_TWIN.fullmatch(name) for name in names]
    if all(twins):
        found = (match for match in twins if match)
        places = [(match["before"], int(match["cage"]), match["between"], int(match["lane"])) for match in found]
        lanes = sorted({place[3] for place in places})
        cages = sorted({place[1] for place in places})
        if len(lanes) == 2 and len({(place[0], place[2]) for place in places}) == 1:
            before, between = places[0][0], places[0][2]
            missing = [
                f"{before}{cage}{between}{lane}"
                for cage in cages
                for lane in lanes
                if (before, cage, between, lane) not in places
            ]
            if missing:
                notes.append(f"{', '.join(missing)} missing in the file: every cage is taken to have two ports")
            if cages == list(range(1, len(cages) + 1)):
                lane = "{lane0}" if lanes == [0, 1] else "{lane}"
                return len(cages), 2, f"{_plain(before)}{{cage}}{between}{lane}"
            notes.append("ports are numbered from 1 here: cage/lane")
            return len(cages), 2, "{cage}/{lane}"
    numbered = [_NUMBERED.fullmatch(name) for name in names]
    if all(numbered):
        befores = {match["before"] for match in numbered if match}
        numbers = [int(match["number"]) for match in numbered if match]
        if len(befores) == 1 and numbers == list(range(1, len(names) + 1)):
            return len(names), 1, f"{_plain(befores.pop())}{{cage}}"
    notes.append("ports are numbered from 1 here")
    return len(names), 1, "{cage}"


def _plain(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")


def _airflow(raw: dict[str, Any]) -> str:
    found = raw.get("airflow")
    return found if isinstance(found, str) and found in AIRFLOWS else ""


def _depth_mm(raw: dict[str, Any]) -> float | None:
    depth = raw.get("mounting_depth")
    return float(depth) if isinstance(depth, int | float) and not isinstance(depth, bool) and depth > 0 else None


def _weight_kg(raw: dict[str, Any], field: str = "weight") -> float | None:
    weight, unit = raw.get(field), raw.get("weight_unit")
    if not isinstance(weight, int | float) or isinstance(weight, bool) or weight <= 0:
        return None
    if not isinstance(unit, str) or unit not in _GRAMS:
        return None
    return round(weight * _GRAMS[unit] / 1000, 3)
