"""A design as the files that NetBox's import forms take, in the order in which they are loaded.

What is written refers to what was loaded before by name, as the forms look it up. Interfaces are listed for each device
and not with its type: which ports a cage has depends on how the design splits it.
Sources: netbox-community/netbox, dcim/forms/bulk_import.py and dcim/choices.py; devicetype-library,
schema/devicetype.json.
"""

import re
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import yaml

from designer.analysis.survey import Survey, survey
from designer.errors import ExportError
from designer.exchange.archives import member
from designer.exchange.cable_plan import CableRow
from designer.exchange.exporters_plan import plan_rows
from designer.exchange.inventory.options import SEVERAL_A_SIDE, NetboxOptions
from designer.exchange.netbox_ports import interface_type_named
from designer.exchange.options import Progress, unheard
from designer.model.design import Design
from designer.model.entities import Device
from designer.model.hardware.ports import MANAGEMENT, Port
from designer.model.hardware.racks import RackType
from designer.model.hardware.servers import ServerType
from designer.model.hardware.switches import SwitchType
from designer.model.hardware.types import HardwareType
from designer.model.records import ordered
from designer.placement import floor
from designer.tables.table import delimited
from designer.units import format_count, format_counted

MODE = 0o644
NAME_LONGEST = 64
"""Characters of a name of a device, an interface or a rack."""
TRUNKS = {2: "trunk-2c1p", 4: "trunk-4c1p"}
"""Profiles of cables whose links, so many, are joined one to one."""
ROLE_COLORS = {"leaf": "2196f3", "spine": "3f51b5", "core": "9c27b0", "server": "ff9800"}
OTHER_COLOR = "9e9e9e"
_MEDIA = {
    "copper": "cat6",
    "DAC": "dac-passive",
    "ACC": "dac-active",
    "LACC": "dac-active",
    "AEC": "dac-active",
    "AOC": "aoc",
    "MM fiber": "mmf",
    "SM fiber": "smf",
}
"""NetBox's words for what a cable is, by what the cable plan calls it; splitters are as what they are made of."""

Rows = list[Sequence[Any]]


def write_netbox(design: Design, path: Path, options: NetboxOptions, progress: Progress = unheard) -> None:
    """Write the files as an archive. Raises ExportError for names that NetBox would not take, and OSError."""
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in netbox_files(design, options, progress):
            archive.writestr(member(name, MODE), text)


def summary(design: Design, options: NetboxOptions) -> str:
    """ "143 devices of 2 types in 40 racks, site Hall 2"."""
    types = {device.type_id for device in design.devices.values()}
    devices = format_counted(len(design.devices), "device")
    racks = format_counted(len(design.racks), "rack")
    return f"{devices} of {format_counted(len(types), 'type')} in {racks}, site {_site(design, options)}"


def netbox_files(
    design: Design, options: NetboxOptions, progress: Progress = unheard
) -> Iterator[tuple[str, str | bytes]]:
    """Every file by name, in the order of loading. Raises ExportError for names that NetBox would not take."""
    made = _Set(design, options)
    progress(0.1)
    tables: list[tuple[str, str, Rows]] = [
        ("01-manufacturers.csv", "name,slug", made.manufacturers()),
        ("03-device-roles.csv", "name,slug,color", made.roles()),
        ("04-sites.csv", "name,slug,status", made.sites()),
        ("05-locations.csv", "site,name,slug,status", made.locations()),
        ("06-racks.csv", "site,location,name,status,width,u_height", made.racks()),
        ("07-devices.csv", _DEVICE, made.devices()),
        ("08-interfaces.csv", _INTERFACE, made.interfaces()),
    ]
    progress(0.5)
    tables.append(("09-cables.csv", made.cable_headings, made.cables()))
    progress(0.9)
    files: list[tuple[str, str | bytes]] = [
        (name, delimited(headings.split(","), rows)) for name, headings, rows in tables if rows
    ]
    files += [(f"02-device-types/{slug}.yaml", text) for slug, text in made.device_types()]
    files.append(("README.txt", made.read_me()))
    yield from sorted(files)


_DEVICE = "name,role,manufacturer,device_type,status,site,location,rack,position,face"
_INTERFACE = "device,name,label,type,speed,mgmt_only"
_CABLE = (
    "side_a_site,side_a_device,side_a_type,side_a_name,side_b_site,side_b_device,side_b_type,side_b_name,type,status,"
    "label,color,length,length_unit,description"
)


class _Set:
    """The tables of a design."""

    def __init__(self, design: Design, options: NetboxOptions) -> None:
        self.design, self.options = design, options
        self.site = _site(design, options)
        self.surveyed: Survey = survey(design)
        self.devices_in_order: list[Device] = list(ordered(design.devices))
        self.types = _types(design, self.devices_in_order)
        self.row_of_rack = {rack: f"Row {row.name}" for row in floor.rows(design) for rack in row.rack_ids}
        _check_names("device", (device.name for device in self.devices_in_order))
        _check_names("rack", (rack.name for rack in ordered(design.racks)))

    def manufacturers(self) -> Rows:
        """Vendors of the device types."""
        names = sorted({_vendor(type_) for type_ in self.types})
        return [(name, slug) for name, slug in zip(names, _slugs(names), strict=True)]

    def device_types(self) -> Iterator[tuple[str, str]]:
        """A file of the device-type library for each type."""
        for type_, slug in zip(self.types, _slugs([f"{_vendor(one)} {one.model}" for one in self.types]), strict=True):
            facts: dict[str, Any] = {
                "manufacturer": _vendor(type_),
                "model": type_.model,
                "slug": slug,
                "u_height": 0 if type_.rack_units is None else _plain(type_.rack_units),
                "is_full_depth": True,
            }
            if type_.airflow:
                facts["airflow"] = type_.airflow
            if type_.weight_kg is not None:
                facts |= {"weight": _plain(type_.weight_kg), "weight_unit": "kg"}
            if type_.rack_units is None:
                facts["comments"] = "The height is not known: 0 U stands for it."
            yield slug, yaml.safe_dump(facts, sort_keys=False, allow_unicode=True, width=120)

    def roles(self) -> Rows:
        """What devices are in the fabric."""
        names = sorted({self.surveyed.role[device.id] for device in self.devices_in_order})
        colors = (ROLE_COLORS.get(name, OTHER_COLOR) for name in names)
        return [(name, slug, color) for name, slug, color in zip(names, _slugs(names), colors, strict=True)]

    def sites(self) -> Rows:
        """The one site."""
        return [(self.site, *_slugs([self.site]), "planned")]

    def locations(self) -> Rows:
        """The rows of racks on the floor."""
        names = list(dict.fromkeys(self.row_of_rack.values()))
        return [(self.site, name, slug, "planned") for name, slug in zip(names, _slugs(names), strict=True)]

    def racks(self) -> Rows:
        """Every rack, in the row that it stands in."""
        return [
            (self.site, self.row_of_rack.get(rack.id, ""), rack.name, "planned", 19, _units(self.design, rack.type_id))
            for rack in ordered(self.design.racks)
        ]

    def devices(self) -> Rows:
        """Every device with its place; a device whose height is not known has a rack and no position in it."""
        return [self._device(device) for device in self.devices_in_order]

    def _device(self, device: Device) -> Sequence[Any]:
        type_ = self.design.device_type(device.id)
        place = self.design.placements.get(device.id)
        rack = self.design.racks.get(place.rack_id or "") if place is not None else None
        stands: tuple[Any, ...] = ("", "", "", "")
        if rack is not None and place is not None:
            is_placed = place.unit is not None and type_.rack_units is not None
            face = "rear" if place.side == "rear" else "front"
            position = (place.unit, face) if is_placed else ("", "")
            stands = (self.row_of_rack.get(rack.id, ""), rack.name, *position)
        role = self.surveyed.role[device.id]
        return (device.name, role, _vendor(type_), type_.model, "planned", self.site, *stands)

    def interfaces(self) -> Rows:
        """Every port of every device."""
        found: Rows = []
        for device in self.devices_in_order:
            far = self._far_protocols(device.id)
            for port in self.design.port_map(device.id).values():
                _check_length("port", f"{device.name} {port.name}", port.name)
                label = port.label if port.label != port.name else ""
                kind = _interface_type(port, far.get(port.name, ()))
                is_managing = "true" if port.purpose == MANAGEMENT else "false"
                found.append((device.name, port.name, label, kind, round(port.rate_gbps * 1e6), is_managing))
        return found

    def _far_protocols(self, device_id: str) -> dict[str, tuple[str, ...]]:
        """By port, the protocols of the port at the other end of its link."""
        far: dict[str, tuple[str, ...]] = {}
        for link in self.design.links_of(device_id):
            near, other = (link.a, link.b) if link.a.device_id == device_id else (link.b, link.a)
            port = self.design.port_map(other.device_id).get(other.port)
            if port is not None:
                far[near.port] = port.protocols
        return far

    @property
    def _joins_links(self) -> bool:
        return self.options.version == SEVERAL_A_SIDE

    @property
    def cable_headings(self) -> str:
        """The columns of the cables: with their profile from 4.7 on."""
        return f"{_CABLE},profile" if self._joins_links else _CABLE

    def cables(self) -> Rows:
        """Every cable; where NetBox or the number of links allows no more, a cable for each link."""
        rows, _ = plan_rows(self.design, self.options)
        self._check_ports(rows)
        if not self._joins_links:
            return [self._cable([row]) for row in rows]
        pieces: dict[str, list[CableRow]] = {}
        for row in rows:
            pieces.setdefault(row.piece, []).append(row)
        found: Rows = []
        for piece in pieces.values():
            same = len({(row.a_id, row.z_id) for row in piece}) == 1
            if same and len(piece) in TRUNKS:
                found.append((*self._cable(piece), TRUNKS[len(piece)]))
            else:
                found += [(*self._cable([row]), "single-1c1p") for row in piece]
        return found

    def _check_ports(self, rows: Sequence[CableRow]) -> None:
        """Raises ExportError for a link at a port that is not there, or has another."""
        used: set[tuple[str, str]] = set()
        for row in rows:
            for device_id, name, port in (
                (row.a_id, row.a_device, row.a_port_id),
                (row.z_id, row.z_device, row.z_port_id),
            ):
                if port not in self.design.port_map(device_id):
                    raise ExportError(f"a cable ends at {name} port {port}, which is not there: see the findings")
                if (device_id, port) in used:
                    raise ExportError(f"two cables end at {name} port {port}, where NetBox takes one: see the findings")
                used.add((device_id, port))

    def _cable(self, piece: Sequence[CableRow]) -> Sequence[Any]:
        one = piece[0]
        length_m = one.stock_length_m if one.stock_length_m is not None else one.length_m
        medium = one.medium.removesuffix(" splitter")
        return (
            *(self.site, one.a_device, "dcim.interface", ",".join(row.a_port_id for row in piece)),
            *(self.site, one.z_device, "dcim.interface", ",".join(row.z_port_id for row in piece)),
            _MEDIA.get(medium, ""),
            "planned",
            one.cable_id or one.label_a[:100],
            one.color.removeprefix("#"),
            *(("", "") if length_m is None else (_plain(round(length_m, 2)), "m")),
            one.label_a[:200] if one.cable_id else "",
        )

    def read_me(self) -> str:
        """What to do with the files, and what is not in them."""
        unknown = sorted(type_.model for type_ in self.types if type_.rack_units is None)
        lines = [
            f"{self.design.name}: files for NetBox {'4.7 and later' if self._joins_links else '4.6 and earlier'}.",
            "",
            "Import the files in the order of their numbers, each in the form of its kind (Import, Upload file).",
            "Device types are YAML, everything else is CSV. Everything has the status planned.",
            "Interfaces are in a file of their own, as which ports a cage has depends on how it is split.",
        ]
        if self._joins_links:
            lines.append("The 2 or 4 links of a cable between two devices are one cable; others are one for each link.")
        if unknown:
            lines.append(f"The height is not known and stands as 0 U: {', '.join(unknown)}.")
        return "\n".join(lines) + "\n"


def _site(design: Design, options: NetboxOptions) -> str:
    return options.site.strip() or design.settings.site.strip() or design.name


def _vendor(type_: SwitchType | ServerType) -> str:
    return type_.vendor.strip() or "Unknown"


def _types(design: Design, devices: Iterable[Device]) -> list[SwitchType | ServerType]:
    """The types of the devices, in the order of vendor and model. Raises ExportError where two share both."""
    types = {device.type_id: design.device_type(device.id) for device in devices}
    found = sorted(types.values(), key=lambda one: (one.vendor, one.model, one.id))
    for one, other in pairwise(found):
        if (one.vendor, one.model) == (other.vendor, other.model):
            raise ExportError(
                f"the types {one.id} and {other.id} are both {one.vendor} {one.model}, which NetBox takes once: give "
                "one of them another model"
            )
    return found


def _units(design: Design, type_id: str) -> int:
    type_: HardwareType = design.types[type_id]
    return int(type_.units) if isinstance(type_, RackType) else 42


def _check_names(what: str, names: Iterable[str]) -> None:
    """Raises ExportError for a name that is there twice, in capitals or not, or is too long."""
    counted = Counter[str]()
    for name in names:
        _check_length(what, name, name)
        counted[name.casefold()] += 1
        if counted[name.casefold()] > 1:
            raise ExportError(f"two {what}s are called {name}, which NetBox takes once in a site: rename one of them")


def _check_length(what: str, shown: str, name: str) -> None:
    if len(name) > NAME_LONGEST:
        raise ExportError(
            f"the name of {what} {shown[:80]} has {format_count(len(name))} characters, NetBox takes {NAME_LONGEST}: "
            "rename it"
        )


def _slugs(names: Iterable[str]) -> list[str]:
    """A slug for each name: small letters, digits and dashes, no two alike."""
    found: list[str] = []
    used: set[str] = set()
    for name in names:
        plain = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:90] or "x"
        slug, number = plain, 1
        while slug in used:
            number += 1
            slug = f"{plain}-{number}"
        used.add(slug)
        found.append(slug)
    return found


def _interface_type(port: Port, far: tuple[str, ...]) -> str:
    """What NetBox calls a port of this rate and form factor; "other" where it has no word for it.

    A port that can be either is what its link makes it: InfiniBand where the other end is that alone.
    """
    protocols = port.protocols or ("ethernet",)
    common = [one for one in protocols if one in far] or list(protocols)
    protocol = "ethernet" if "ethernet" in common else common[0]
    return _type_named(port.rate_gbps, port.form_factor, port.heat_sink, protocol)


@cache
def _type_named(gbps: float, form_factor: str, heat_sink: str, protocol: str) -> str:
    return interface_type_named(gbps, form_factor, heat_sink, protocol) or "other"


def _plain(number: float) -> float | int:
    return int(number) if number == int(number) else number
