"""A cable plan as it was handed over: each cable with its ends and parts, small enough to be kept in the design."""

import base64
import binascii
import json
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from designer.analysis.part_names import PartName
from designer.errors import ExportError
from designer.exchange.cable_plan import CableRow
from designer.model.design import Design
from designer.model.limits import PLAN_LONGEST, RECORDS_MOST

VERSION = 2
MOST_BYTES = 100_000_000
"""Of a plan when unpacked; that of 65,536 hosts takes a third."""


@dataclass(frozen=True, slots=True)
class Plug:
    """One connector of a cable: where it is plugged in."""

    device_id: str
    device: str
    device_type: str
    rack_id: str
    rack: str
    unit: int | None
    port: str
    optic: PartName
    """The transceiver in the port."""

    @property
    def place(self) -> tuple[str, str]:
        """The port by device, as names."""
        return self.device, self.port


@dataclass(frozen=True, slots=True)
class CableEnd:
    """One end of a cable, with a plug for each of its links."""

    label: str
    plugs: tuple[Plug, ...]

    @property
    def rack(self) -> str:
        """The rack, or several with commas between, as of a splitter."""
        return _joined(plug.rack for plug in self.plugs)

    @property
    def unit(self) -> str:
        """The lowest unit of the device."""
        return _joined("" if plug.unit is None else str(plug.unit) for plug in self.plugs)

    @property
    def device(self) -> str:
        """The name of the device."""
        return _joined(plug.device for plug in self.plugs)

    @property
    def port(self) -> str:
        """The names of the ports."""
        return _joined(plug.port for plug in self.plugs)

    @property
    def optic(self) -> str:
        """The model of the transceiver, "" for none."""
        return _joined(plug.optic.model for plug in self.plugs)

    @property
    def optic_number(self) -> str:
        """The part number of the transceiver."""
        return _joined(plug.optic.number for plug in self.plugs)


@dataclass(frozen=True, slots=True)
class PlannedCable:
    """A cable as it was planned. `number` is "" for one that had none."""

    number: str
    a: CableEnd
    z: CableEnd
    network: str
    medium: str
    part: PartName
    length_m: float | None
    stock_length_m: float | None
    colour: str

    @property
    def ends(self) -> tuple[CableEnd, CableEnd]:
        """Both ends."""
        return self.a, self.z


@dataclass(frozen=True, slots=True)
class PlanSnapshot:
    """All cables of a plan in its order, and where its racks stand on the floor, by their ids."""

    cables: tuple[PlannedCable, ...]
    places: Mapping[str, tuple[float, float]]


def snapshot_of(design: Design, rows: Sequence[CableRow]) -> PlanSnapshot:
    """The plan that these rows of the design are: one row per link, none twice."""
    pieces: dict[str, list[CableRow]] = {}
    for row in rows:
        pieces.setdefault(row.piece, []).append(row)
    racks = {
        rack.id: (rack.x_m, rack.y_m) for rack in design.racks.values() if rack.x_m is not None and rack.y_m is not None
    }
    return PlanSnapshot(tuple(_cable(design, piece) for piece in pieces.values()), racks)


def _cable(design: Design, rows: Sequence[CableRow]) -> PlannedCable:
    first = rows[0]
    a = tuple(_plug(design, row.a_id, row, "a") for row in rows)
    z = tuple(_plug(design, row.z_id, row, "z") for row in rows)
    return PlannedCable(
        number=first.cable_id,
        a=CableEnd(first.label_a, a),
        z=CableEnd(first.label_b, z),
        network=first.network,
        medium=first.medium,
        part=PartName(first.cable_pn, first.cable_model),
        length_m=first.length_m,
        stock_length_m=first.stock_length_m,
        colour=first.color,
    )


def _plug(design: Design, device_id: str, row: CableRow, side: str) -> Plug:
    placement = design.placements.get(device_id)
    is_a = side == "a"
    return Plug(
        device_id=device_id,
        device=row.a_device if is_a else row.z_device,
        device_type=row.a_device_type if is_a else row.z_device_type,
        rack_id=(placement.rack_id or "") if placement is not None else "",
        rack=row.a_rack if is_a else row.z_rack,
        unit=row.a_u if is_a else row.z_u,
        port=row.a_port if is_a else row.z_port,
        optic=PartName(row.a_optic_pn, row.a_optic_model) if is_a else PartName(row.z_optic_pn, row.z_optic_model),
    )


def _joined(texts: Iterable[str]) -> str:
    return ", ".join(dict.fromkeys(text for text in texts if text))


# -- packed -------------------------------------------------------------------------------------------------------

_Stand = tuple[str, str, str, str, str, int | None]
"""A device as Plug has it, without its port."""
_PackedPlug = tuple[int, str, int]
_Kind = tuple[str, str, PartName, str]
_PackedCable = tuple[str, str, str, list[_PackedPlug], list[_PackedPlug], int, float | None, float | None]


class _Document(msgspec.Struct):
    """What is packed: tables of texts, and cables that name them by number."""

    version: int
    places: dict[str, tuple[float, float]]
    stands: list[_Stand]
    optics: list[PartName]
    kinds: list[_Kind]
    cables: list[_PackedCable]


def packed(plan: PlanSnapshot) -> str:
    """The plan as the text that a revision keeps. Raises ExportError for a plan too large to be kept."""
    stands, optics, kinds = dict[_Stand, int](), dict[PartName, int](), dict[_Kind, int]()

    def plugs(end: CableEnd) -> list[_PackedPlug]:
        return [
            (
                stands.setdefault(
                    (plug.device_id, plug.device, plug.device_type, plug.rack_id, plug.rack, plug.unit), len(stands)
                ),
                plug.port,
                optics.setdefault(plug.optic, len(optics)),
            )
            for plug in end.plugs
        ]

    cables = [
        (
            cable.number,
            cable.a.label,
            cable.z.label,
            plugs(cable.a),
            plugs(cable.z),
            kinds.setdefault((cable.network, cable.medium, cable.part, cable.colour), len(kinds)),
            cable.length_m,
            cable.stock_length_m,
        )
        for cable in plan.cables
    ]
    document = {
        "version": VERSION,
        "places": dict(sorted(plan.places.items())),
        "stands": list(stands),
        "optics": list(optics),
        "kinds": list(kinds),
        "cables": cables,
    }
    data = json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode("utf-8", errors="replace")
    text = base64.b64encode(zlib.compress(data, 9)).decode("ascii")
    if len(text) > PLAN_LONGEST or len(data) > MOST_BYTES:
        raise ExportError(f"a plan of {len(cables):,} cables is too large to be kept in the design")
    return text


def unpacked(text: str, name: str) -> PlanSnapshot:
    """The plan that a revision keeps. Raises ExportError, which names the revision, for a text that is none."""
    try:
        document = msgspec.json.decode(_inflated(text), type=_Document)
        if document.version != VERSION:
            raise ExportError(
                f"{name} was recorded by another version of the program: compare with a design file instead"
            )
        return PlanSnapshot(tuple(_cables_of(document)), document.places)
    except (binascii.Error, zlib.error, ValueError, IndexError, msgspec.MsgspecError) as error:
        if isinstance(error, ExportError):
            raise
        raise ExportError(f"the cable plan of {name} is damaged: compare with a design file instead") from error


def _inflated(text: str) -> bytes:
    """Raises ValueError for what is longer than any plan."""
    if not text or len(text) > PLAN_LONGEST:
        raise ValueError("no plan")
    inflating = zlib.decompressobj()
    data = inflating.decompress(base64.b64decode(text, validate=True), MOST_BYTES)
    if not inflating.eof:
        raise ValueError("cut off, or longer than any plan")
    return data


def _cables_of(document: _Document) -> Iterator[PlannedCable]:
    if len(document.cables) > RECORDS_MOST:
        raise ValueError("more cables than any design has")
    for number, label_a, label_z, a, z, kind, length_m, stock_length_m in document.cables:
        network, medium, part, colour = _at(document.kinds, kind)
        yield PlannedCable(
            number,
            CableEnd(label_a, _plugs_of(document, a)),
            CableEnd(label_z, _plugs_of(document, z)),
            network,
            medium,
            part,
            length_m,
            stock_length_m,
            colour,
        )


def _plugs_of(document: _Document, plugs: Sequence[_PackedPlug]) -> tuple[Plug, ...]:
    found = []
    for stand, port, optic in plugs:
        device_id, device, device_type, rack_id, rack, unit = _at(document.stands, stand)
        found.append(Plug(device_id, device, device_type, rack_id, rack, unit, port, _at(document.optics, optic)))
    return tuple(found)


def _at(table: Sequence[Any], number: int) -> Any:
    if number < 0:
        raise IndexError(number)
    return table[number]
