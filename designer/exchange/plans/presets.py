"""Cable plans as other tools read them: each a set of sheets with the headings that the tool looks for, to the letter.

Sources: NVIDIA Cable Validation Tool 1.5.0 and 1.7.1, "P2P file"; aristanetworks/avd issue 5755; HPE docs-csm,
"Validate the SHCD"; opa-ff, README.xlat_topology.
"""

import csv
import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from designer.errors import ExportError
from designer.exchange.cable_plan import CableRow
from designer.exchange.plans.book import book_facts
from designer.exchange.plans.summary import by_kind
from designer.exchange.workbook import Block, Sheet, SheetColumn, write_book
from designer.model.design import Design
from designer.model.hardware.ports import NVLINK, Port
from designer.model.networks import NETWORKS, TITLES
from designer.tables.cells import Cell, cell_text
from designer.tables.table import delimited, encoded

P2P_ETHERNET, P2P_INFINIBAND, CVT, AVD, SHCD, OPA = (
    "p2p-ethernet",
    "p2p-infiniband",
    "cvt",
    "avd",
    "shcd",
    "opa",
)
ETHERNET, INFINIBAND = "ethernet", "infiniband"

Line = tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class PresetSheet:
    """A sheet as the tool wants it; `above` are lines over the headings."""

    title: str
    headings: tuple[str, ...]
    rows: tuple[Line, ...]
    above: tuple[Line, ...] = ()


class Ends:
    """What presets say of the ends of rows beyond the plan's columns: who speaks what, and which port of a server."""

    def __init__(self, design: Design) -> None:
        self._design = design
        self._numbers: dict[tuple[str, str], dict[str, int]] = {}

    def is_server(self, device_id: str) -> bool:
        """Whether a device is a server."""
        return self._design.is_server(device_id)

    def port(self, device_id: str, name: str) -> Port | None:
        """The port of that name; None where the device has none."""
        return self._design.port_map(device_id).get(name)

    def protocols(self, row: CableRow) -> frozenset[str]:
        """What both ports of a row speak."""
        a, z = self.port(row.a_id, row.a_port_id), self.port(row.z_id, row.z_port_id)
        return frozenset() if a is None or z is None else frozenset(a.protocols) & frozenset(z.protocols)

    def number(self, device_id: str, name: str, protocol: str = "", purpose: str = "") -> int | None:
        """The port's number, from 1, among those of the device that speak this or are for that; None for others.

        Links of a scale-up domain are for none: they are no NICs.
        """
        key = device_id, f"{protocol}/{purpose}"
        if key not in self._numbers:
            ports = (
                port.name
                for port in self._design.ports(device_id)
                if (not protocol or protocol in port.protocols)
                and (not purpose or (port.purpose == purpose and port.protocols != (NVLINK,)))
            )
            self._numbers[key] = {port: number for number, port in enumerate(ports, start=1)}
        return self._numbers[key].get(name)


def _speaking(rows: Sequence[CableRow], ends: Ends, protocol: str) -> list[CableRow]:
    """The rows whose two ports both speak the protocol."""
    return [row for row in rows if protocol in ends.protocols(row)]


def _rail(ends: Ends, device_id: str, port: str) -> str:
    """ "rail3" for the third port that a server has for the fabric; another port by its own name."""
    number = ends.number(device_id, port, purpose="fabric") if ends.is_server(device_id) else None
    return port if number is None else f"rail{number}"


def _p2p_ethernet(design: Design, rows: Sequence[CableRow]) -> Iterator[PresetSheet]:
    ends = Ends(design)
    kind = {True: "Host", False: "Switch"}
    yield PresetSheet(
        "P2P",
        (
            *("A-Rack", "A-U", "A-Node Name", "A-Type", "A-Port"),
            *("Z-Rack", "Z-RU", "Z-Node Name", "Z-Type", "Z-Port"),
        ),
        tuple(
            (
                *(
                    row.a_rack,
                    row.a_u,
                    row.a_device,
                    kind[ends.is_server(row.a_id)],
                    _rail(ends, row.a_id, row.a_port_id),
                ),
                *(
                    row.z_rack,
                    row.z_u,
                    row.z_device,
                    kind[ends.is_server(row.z_id)],
                    _rail(ends, row.z_id, row.z_port_id),
                ),
            )
            for row in _speaking(rows, ends, ETHERNET)
        ),
    )


def _hca(ends: Ends, device_id: str, port: str) -> str:
    """The number of a server's adapter port, which the tool reads as mlx5_(number - 1); a switch's port by its name."""
    number = ends.number(device_id, port, INFINIBAND) if ends.is_server(device_id) else None
    return port if number is None else str(number)


def _p2p_infiniband(design: Design, rows: Sequence[CableRow]) -> Iterator[PresetSheet]:
    ends = Ends(design)
    yield PresetSheet(
        "P2P",
        # The sixth is printed so, and holds the unit: the tool goes by position.
        ("Rack", "U", "Name", "HCA/Port", "Rack", "Name", "Name", "Port"),
        tuple(
            (
                *(row.a_rack, row.a_u, row.a_device, _hca(ends, row.a_id, row.a_port_id)),
                *(row.z_rack, row.z_u, row.z_device, _hca(ends, row.z_id, row.z_port_id)),
            )
            for row in _speaking(rows, ends, INFINIBAND)
        ),
    )


def _cvt(design: Design, rows: Sequence[CableRow]) -> Iterator[PresetSheet]:
    ends = Ends(design)
    links: list[Line] = []
    nodes: dict[str, Line] = {}
    for row in rows:
        spoken = ends.protocols(row)
        if not spoken & {ETHERNET, INFINIBAND}:
            continue
        is_infiniband = INFINIBAND in spoken
        name = _hca if is_infiniband else _rail
        a_port, z_port = name(ends, row.a_id, row.a_port_id), name(ends, row.z_id, row.z_port_id)
        protocol = "ib" if is_infiniband else "ethernet"
        links.append(
            (
                row.a_device,
                a_port,
                row.z_device,
                z_port,
                protocol,
                row.a_optic_model,  # what a module reports of itself
                row.z_optic_model,
                row.cable_id,
            )
        )
        for device_id, device, rack, unit in (
            (row.a_id, row.a_device, row.a_rack, row.a_u),
            (row.z_id, row.z_device, row.z_rack, row.z_u),
        ):
            nodes.setdefault(device_id, (device, "Host" if ends.is_server(device_id) else "Switch", rack, unit))
    mandatory = ("A-Node", "A-Port", "Z-Node", "Z-Port", "Protocol")
    yield PresetSheet("Links", (*mandatory, "A-Module-PN", "Z-Module-PN", "Source-Ref"), tuple(links))
    yield PresetSheet("Nodes", ("Node", "Type", "Rack", "U"), tuple(nodes.values()))


AVD_TYPES: Mapping[str, str] = MappingProxyType({"leaf": "l3leaf", "core": "super-spine"})
"""What AVD calls a role; others have the same name."""


def _avd(_design: Design, rows: Sequence[CableRow]) -> Iterator[PresetSheet]:
    yield PresetSheet(
        "fabric-topology",
        (
            *("Node Type", "Node", "Node Interface"),
            *("Peer Type", "Peer Node", "Peer Interface", "Node Interface Enabled"),
        ),
        tuple(
            (
                AVD_TYPES.get(row.a_role, row.a_role),
                row.a_device,
                row.a_port_id,
                AVD_TYPES.get(row.z_role, row.z_role),
                row.z_device,
                row.z_port_id,
                "True",
            )
            for row in rows
        ),
    )


def _location(unit: int | None) -> str:
    return "" if unit is None else f"u{unit:02d}"


def _shcd(design: Design, rows: Sequence[CableRow]) -> Iterator[PresetSheet]:
    ends = Ends(design)
    of = by_kind(rows, lambda row: row.network)

    def slot(row: CableRow) -> str:
        port = ends.port(row.a_id, row.a_port_id)
        return port.slot if port is not None else ""

    for network in (one for one in NETWORKS if one in of):
        yield PresetSheet(
            TITLES[network],
            ("Source", "Rack", "Location", "Slot", "Port", "Destination", "Rack", "Location", "Port"),
            tuple(
                (
                    row.a_device,
                    row.a_rack,
                    _location(row.a_u),
                    slot(row),
                    row.a_port_id,
                    row.z_device,
                    row.z_rack,
                    _location(row.z_u),
                    row.z_port_id,
                )
                for row in of[network]
            ),
        )


UNNAMED = "none"
"""A rack that is not known: the reader takes a blank for the rack of the line above."""


def _opa(design: Design, rows: Sequence[CableRow]) -> Iterator[PresetSheet]:
    ends = Ends(design)

    def end(row: str, rack: str, device_id: str, device: str, port: str) -> Line:
        if ends.is_server(device_id):
            return row or UNNAMED, rack or UNNAMED, device, port, 1, "FI"
        return row or UNNAMED, rack or UNNAMED, device, "", ends.number(device_id, port) or port, "SW"

    fields = ("Rack Group", "Rack", "Name", "Name-2", "Port Number", "Port Type")
    yield PresetSheet(
        "topology",
        (*fields, *fields, "Label", "Length", "Details"),
        tuple(
            (
                *end(row.a_row, row.a_rack, row.a_id, row.a_device, row.a_port_id),
                *end(row.z_row, row.z_rack, row.z_id, row.z_device, row.z_port_id),
                row.cable_id,
                "" if row.length_m is None else f"{row.length_m:g}m",
                " ".join(text for text in (row.medium, row.cable_pn or row.cable_model) if text),
            )
            for row in rows
        ),
        (("Source", *[""] * 5, "Destination", *[""] * 5, "Cable", "", ""),),
    )


Made = Callable[[Design, Sequence[CableRow]], Iterator[PresetSheet]]

PRESETS: Mapping[str, Made] = MappingProxyType(
    {
        P2P_ETHERNET: _p2p_ethernet,
        P2P_INFINIBAND: _p2p_infiniband,
        CVT: _cvt,
        AVD: _avd,
        SHCD: _shcd,
        OPA: _opa,
    }
)
"""By the name of the exporter, what makes the sheets of a design's rows."""

_LISTS = {P2P_ETHERNET: "Ethernet links", P2P_INFINIBAND: "InfiniBand links"}


def sheets_of(name: str, design: Design, rows: Sequence[CableRow]) -> tuple[PresetSheet, ...]:
    """The sheets of a preset. Raises ExportError where the design has nothing that it lists."""
    sheets = tuple(PRESETS[name](design, rows))
    if not any(sheet.rows for sheet in sheets):
        raise ExportError(f"{name} would be empty: the design has no {_LISTS.get(name, 'links')} among those to list")
    return sheets


def write_preset(name: str, design: Design, rows: Sequence[CableRow], path: Path) -> None:
    """Write the plan as the tool of that name reads it: a workbook, or text where the path ends in .csv."""
    sheets = sheets_of(name, design, rows)
    if path.suffix.lower() == ".xlsx":
        write_book(path, [_book_sheet(sheet) for sheet in sheets], book_facts(design, "Cable plan", "a4"))
        return
    if len(sheets) > 1:
        raise ExportError(f"{name} has {len(sheets)} sheets: name the file .xlsx")
    sheet = sheets[0]
    text = _without_commas(sheet) if name == OPA else delimited(sheet.headings, sheet.rows)
    path.write_bytes(encoded(text))


def _book_sheet(sheet: PresetSheet) -> Sheet:
    return Sheet(sheet.title, (Block([SheetColumn(title) for title in sheet.headings], sheet.rows),))


def _without_commas(sheet: PresetSheet) -> str:
    """Fields between commas and nothing else: the reader knows no quotes."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_NONE, quotechar=None)
    for line in (*sheet.above, sheet.headings, *sheet.rows):
        writer.writerow([_plain(cell_text(cell)) for cell in line])
    return text.getvalue()


def _plain(text: str) -> str:
    """The text without what would end a field or a line."""
    return " ".join(text.replace(",", " ").replace('"', "'").split()) if text else ""
