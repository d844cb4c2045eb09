"""The cable plan: one row a link, for the people who pull the cables. As CSV and as a workbook.

Columns are those of the native cable sheet that the model has facts for; a fact nobody gave stays blank.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from operator import attrgetter
from types import MappingProxyType

from designer.analysis.cable_places import Places
from designer.analysis.optical_parts import NO_PARTS, OpticalParts
from designer.analysis.parts import OPTICAL, cable_ids, medium_of
from designer.analysis.survey import Run, Survey, link_kind, survey
from designer.model.design import Design
from designer.model.hardware import MediumType, Port
from designer.model.matching import shell_of
from designer.tables.table import delimited

STATUS = "planned"


@dataclass(frozen=True, slots=True)
class CableRow:
    """One link of the plan, seen from its A end. Text as printed; numbers are None where unknown.

    `cable_id` is the id of the first link in the cable: two lanes of a twin-port cable share it. `a_lane` and `z_lane`
    number the links of a cage that holds several.
    """

    cable_id: str
    label_a: str
    label_b: str
    status: str
    network: str
    a_row: str
    a_rack: str
    a_u: int | None
    a_device: str
    a_device_type: str
    a_role: str
    a_port: str
    a_lane: int | None
    a_optic_pn: str
    z_row: str
    z_rack: str
    z_u: int | None
    z_device: str
    z_device_type: str
    z_role: str
    z_port: str
    z_lane: int | None
    z_optic_pn: str
    speed_gbps: float | None
    medium: str
    connector: str
    cable_pn: str
    length_m: float | None
    length_source: str
    stock_length_m: float | None
    rail: int | None
    su: int | None
    tier: str
    notes: str
    """What the row lacks, and why."""


COLUMNS = tuple(field.name for field in fields(CableRow))

cells_of: Callable[[CableRow], tuple[str | float | None, ...]] = attrgetter(*COLUMNS)
"""The values of a row in column order."""


def cable_rows(
    design: Design,
    *,
    both_ways: bool = False,
    parts: OpticalParts = NO_PARTS,
    notes: Mapping[str, str] = MappingProxyType({}),
) -> list[CableRow]:
    """The rows of the plan, sorted by A rack, unit, device and port. A is the end nearer to the servers.

    With `both_ways` each link stands twice, once from either end. A design names an optic for a link; the fibre
    between, and the module of an end with another cage, are found among the `parts`. `notes` by link id.
    """
    surveyed = survey(design)
    cable_of = cable_ids(surveyed)
    places = Places(surveyed)
    keyed = []
    for run in surveyed.runs:
        for end, turned in ((run.low, False), (run.high, True))[: 1 + both_ways]:
            row = _row(surveyed, places, parts, run, cable_of[run.link.id], notes.get(run.link.id, ""), turned=turned)
            keyed.append((places.sort_key(end, run), row))
    keyed.sort(key=lambda pair: pair[0])
    return [row for _, row in keyed]


def to_csv(rows: Iterable[CableRow]) -> str:
    """RFC 4180: a header line, CRLF, quotes where needed; cells that would run as formulas are made text."""
    return delimited(COLUMNS, map(cells_of, rows))


def _row(
    surveyed: Survey, places: Places, parts: OpticalParts, run: Run, cable_id: str, notes: str, *, turned: bool
) -> CableRow:
    design, link = surveyed.design, run.link
    a, z, a_port, z_port = run.low, run.high, run.low_port, run.high_port
    if turned:
        a, z, a_port, z_port = z, a, z_port, a_port
    label_a, label_z = places.label(a), places.label(z)
    # A slash parts near from far; port names may hold one.
    slash = " / " if "/" in label_a + label_z else "/"
    (a_rack, a_u), (z_rack, z_u) = places.rack_and_unit(a.device_id), places.rack_and_unit(z.device_id)
    a_device, z_device = design.device(a.device_id), design.device(z.device_id)
    low, high = design.device(run.low.device_id), design.device(run.high.device_id)
    medium = medium_of(surveyed, run)
    optic = medium if medium is not None and medium.kind == "transceiver" else None
    piece = medium if optic is None else parts.fibre(optic, link.length_m)
    return CableRow(
        cable_id=cable_id,
        label_a=link.label or f"{label_a}{slash}{label_z}",
        label_b=link.label or f"{label_z}{slash}{label_a}",
        status=STATUS,
        network=run.network,
        a_row=places.row(a.device_id),
        a_rack=a_rack,
        a_u=a_u,
        a_device=a_device.name,
        a_device_type=design.device_type(a_device.id).model,
        a_role=surveyed.role[a_device.id],
        a_port=a.port,
        a_lane=_lane(a_port),
        a_optic_pn=_optic_for(a_port, optic, parts, link.length_m),
        z_row=places.row(z.device_id),
        z_rack=z_rack,
        z_u=z_u,
        z_device=z_device.name,
        z_device_type=design.device_type(z_device.id).model,
        z_role=surveyed.role[z_device.id],
        z_port=z.port,
        z_lane=_lane(z_port),
        z_optic_pn=_optic_for(z_port, optic, parts, link.length_m),
        speed_gbps=run.capacity_gbps or None,
        medium=_medium_word(medium),
        connector=medium.connector if medium is not None else "",
        cable_pn=_part_number(piece, link.length_m) if piece is not None else "",
        length_m=link.length_m,
        length_source=link.length_source if link.length_m is not None else "",
        stock_length_m=_stock_length(piece, link.length_m),
        rail=high.rail if high.rail is not None else low.rail,
        su=low.unit if low.unit is not None else high.unit,
        tier=link_kind(surveyed, run),
        notes=notes,
    )


def _lane(port: Port | None) -> int | None:
    return port.lane if port is not None and port.ports_per_cage > 1 else None


def _optic_for(port: Port | None, optic: MediumType | None, parts: OpticalParts, length_m: float | None) -> str:
    """The transceiver's part number at the ends whose cage takes it; else that of the module that goes with it."""
    if optic is None or port is None:
        return ""
    module = parts.at(port, optic, length_m)
    return _part_number(module, None, shell_of(port)) if module is not None else ""


def _part_number(medium: MediumType, length_m: float | None, shell: str = "") -> str:
    """What the piece is ordered by, with its older name; the model where no number of that length was found."""
    part = medium.part(length_m, shell)
    if part is None:
        return medium.model
    return f"{part.model} ({part.number})" if part.model else part.number


def _medium_word(medium: MediumType | None) -> str:
    """ "DAC", "AOC"; "SM fibre" where the medium is an optic."""
    if medium is None:
        return ""
    return f"{medium.fibre} fibre".strip() if medium.kind in OPTICAL else medium.kind


def _stock_length(medium: MediumType | None, length_m: float | None) -> float | None:
    """The shortest length the cable is sold in that is long enough."""
    if medium is None or length_m is None:
        return None
    return min((stock for stock in medium.lengths_m if stock >= length_m), default=None)
