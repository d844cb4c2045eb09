"""The cable plan: one row per link, for the people who pull the cables.

Columns are those of the native cable sheet; a fact nobody gave stays blank.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from types import MappingProxyType

from designer.analysis.cable_numbers import cable_name
from designer.analysis.cable_places import Places
from designer.analysis.optical_parts import NO_PARTS, OpticalParts
from designer.analysis.parts import cable_ids, medium_of
from designer.analysis.survey import Run, Survey, link_kind, survey
from designer.exchange.plans.bought import BoughtParts
from designer.model.circuits import circuit_switch
from designer.model.design import Design
from designer.model.entities import Link
from designer.model.hardware.media import is_built_in
from designer.model.hardware.ports import Port
from designer.model.naming import natural
from designer.model.port_labels import port_label
from designer.model.tagging import fields_text, tags_text
from designer.placement.trays import TrayRoutes

STATUS = "planned"
ROUTED = "routed"
"""The source of lengths along the trays."""


@dataclass(frozen=True, slots=True)
class CableRow:
    """One link of the plan, seen from its A end. Text as printed; numbers are None where unknown.

    `cable_id` is the cable's number, "" before it has one; the links in one cable share it. `a_lane` and `z_lane`
    number the links of a cage that holds several. `a_port` and `z_port` are as the chassis is printed.
    `_model` is what a piece bears, `_pn` what it is ordered by, "" where that is not known.
    """

    cable_id: str
    label_a: str
    label_b: str
    status: str
    network: str
    a_site: str
    a_row: str
    a_rack: str
    a_u: int | None
    a_device: str
    a_device_type: str
    a_role: str
    a_port: str
    a_cage: int | None
    a_lane: int | None
    a_optic_model: str
    a_optic_pn: str
    z_site: str
    z_row: str
    z_rack: str
    z_u: int | None
    z_device: str
    z_device_type: str
    z_role: str
    z_port: str
    z_cage: int | None
    z_lane: int | None
    z_optic_model: str
    z_optic_pn: str
    speed_gbps: float | None
    medium: str
    connector: str
    cable_model: str
    cable_pn: str
    length_m: float | None
    length_source: str
    stock_length_m: float | None
    order_length_m: float | None
    """The stock length; where none is known the length needed, rounded up."""
    slack_m: float | None
    """How much longer than its route the cable is, as it is ordered; None where it is not routed."""
    trays: str
    """ "A > X1 > C": the trays that a routed cable lies in, as on drawings; "in rack" within one, "" where unknown."""
    bundle: str
    """The racks between which the cable runs: what is pulled together."""
    color: str
    rail: int | None
    su: int | None
    tier: str
    tags: str
    fields: str
    notes: str
    """The user's, and what the row lacks, and why."""
    link_id: str
    piece: str
    """The first link in the same cable, by id: what distinguishes cables, numbered or not."""
    a_id: str
    """The device at the A end."""
    z_id: str
    a_port_id: str
    """The port's name in the design."""
    z_port_id: str
    is_turned: bool
    """Whether it is the second row of the link, seen from the end farther from the servers."""
    has_second_fibre: bool = False
    """Whether a second fiber leads from an optical circuit switch to the far end of the link."""


_INTERNAL = ("link_id", "piece", "a_id", "z_id", "a_port_id", "z_port_id", "is_turned", "has_second_fibre")

COLUMNS = tuple(field.name for field in fields(CableRow) if field.name not in _INTERNAL)


def cable_rows(
    design: Design,
    *,
    both_ways: bool = False,
    parts: OpticalParts = NO_PARTS,
    notes: Mapping[str, str] = MappingProxyType({}),
) -> list[CableRow]:
    """The rows of the plan, sorted by A rack, device and port. A is the end nearer to the servers.

    With `both_ways` each link stands twice, once from either end. A design names an optic for a link; the fiber
    between, and the module of an end with another cage, are found among the `parts`. `notes` by link id. Links inside
    racks have no rows: nobody pulls them.
    """
    surveyed = survey(design)
    made = _Rows(surveyed, parts, notes)
    keyed = []
    for run in surveyed.runs:
        if is_built_in(design.types, run.link.medium_id):
            continue
        for end, turned in ((run.low, False), (run.high, True))[: 1 + both_ways]:
            keyed.append((made.places.sort_key(end, run), run, turned))
    keyed.sort(key=lambda one: one[0])
    return [made.row(run, turned=turned) for _, run, turned in keyed]


@dataclass(frozen=True, slots=True)
class _Stand:
    """What every row that ends at a device says of it."""

    row: str
    rack: str
    unit: int | None
    name: str
    type_name: str
    role: str


class _Rows:
    """Rows of links. What links have in common, devices and parts, is looked up once."""

    def __init__(self, surveyed: Survey, parts: OpticalParts, notes: Mapping[str, str]) -> None:
        self._survey, self._design, self._notes = surveyed, surveyed.design, notes
        self._cable_of = cable_ids(surveyed.runs, surveyed.design.types)
        self._bought = BoughtParts(parts)
        self._trays = TrayRoutes(surveyed.design)
        self._stands: dict[str, _Stand] = {}
        self._bundles: dict[tuple[str, str], str] = {}
        self._site = surveyed.design.settings.site
        self.places = Places(surveyed)

    def row(self, run: Run, *, turned: bool) -> CableRow:
        """The link's row, from its end nearer to the servers or, turned, from the other."""
        link = run.link
        low, high = self._stand(run.low.device_id), self._stand(run.high.device_id)
        low_label, high_label = self.places.label(run.low), self.places.label(run.high)
        a_end, z_end, a, z, a_port, z_port = run.low, run.high, low, high, run.low_port, run.high_port
        near, far = low_label, high_label
        if turned:
            a_end, z_end, a, z, a_port, z_port = z_end, a_end, z, a, z_port, a_port
            near, far = far, near
        # A slash separates near from far; port names may hold one.
        slash = " / " if "/" in near or "/" in far else "/"
        medium = medium_of(self._survey.design, run.link)
        bought = self._bought.of(link, medium, a_port, z_port)
        low_device, high_device = self._design.device(run.low.device_id), self._design.device(run.high.device_id)
        noted = self._notes.get(link.id, "")
        return CableRow(
            cable_id=cable_name(link.cable),
            label_a=link.label or f"{near}{slash}{far}",
            label_b=link.label or f"{far}{slash}{near}",
            status=STATUS,
            network=run.network,
            a_site=self._site,
            a_row=a.row,
            a_rack=a.rack,
            a_u=a.unit,
            a_device=a.name,
            a_device_type=a.type_name,
            a_role=a.role,
            a_port=port_label(self._design, a_end),
            a_cage=a_port.cage if a_port is not None else None,
            a_lane=_lane(a_port),
            a_optic_model=bought.a_optic.model,
            a_optic_pn=bought.a_optic.number,
            z_site=self._site,
            z_row=z.row,
            z_rack=z.rack,
            z_u=z.unit,
            z_device=z.name,
            z_device_type=z.type_name,
            z_role=z.role,
            z_port=port_label(self._design, z_end),
            z_cage=z_port.cage if z_port is not None else None,
            z_lane=_lane(z_port),
            z_optic_model=bought.z_optic.model,
            z_optic_pn=bought.z_optic.number,
            speed_gbps=run.capacity_gbps or None,
            medium=bought.medium,
            connector=bought.connector,
            cable_model=bought.cable.model,
            cable_pn=bought.cable.number,
            length_m=link.length_m,
            length_source=link.length_source if link.length_m is not None else "",
            stock_length_m=bought.stock_length_m,
            order_length_m=bought.order_length_m,
            slack_m=self._slack_m(link, bought.order_length_m),
            trays=self._trays.of_link(link) if link.length_source == ROUTED else "",
            bundle=self._bundle(a.rack, z.rack),
            color=link.colour,
            rail=high_device.rail if high_device.rail is not None else low_device.rail,
            su=low_device.unit if low_device.unit is not None else high_device.unit,
            tier=link_kind(self._survey, run),
            notes=f"{link.notes}; {noted}" if link.notes and noted else link.notes or noted,
            tags=tags_text(link),
            fields=fields_text(link),
            link_id=link.id,
            piece=self._cable_of[link.id],
            a_id=a_end.device_id,
            z_id=z_end.device_id,
            a_port_id=a_end.port,
            z_port_id=z_end.port,
            is_turned=turned,
            has_second_fibre=bool(circuit_switch(link)),
        )

    def _stand(self, device_id: str) -> _Stand:
        found = self._stands.get(device_id)
        if found is None:
            rack, unit = self.places.rack_and_unit(device_id)
            found = self._stands[device_id] = _Stand(
                self.places.row(device_id),
                rack,
                unit,
                self._design.device(device_id).name,
                self._design.device_type(device_id).model,
                self._survey.role[device_id],
            )
        return found

    def _slack_m(self, link: Link, order_length_m: float | None) -> float | None:
        """What was added to the route, and what the order length leaves; a typed or assumed length tells no route."""
        if link.length_m is None or link.length_source != ROUTED:
            return None
        added_m = self._design.settings.cable_slack_m
        return round((link.length_m if order_length_m is None else order_length_m) - link.length_m + added_m, 3)

    def _bundle(self, a_rack: str, z_rack: str) -> str:
        """ "A01 to B03" from either end; the rack's name for what stays in it, "" where a rack is not known."""
        if not a_rack or not z_rack or a_rack == z_rack:
            return a_rack if a_rack == z_rack else ""
        found = self._bundles.get((a_rack, z_rack))
        if found is None:
            first, last = sorted((a_rack, z_rack), key=natural)
            found = self._bundles[a_rack, z_rack] = f"{first} to {last}"
        return found


def _lane(port: Port | None) -> int | None:
    return port.lane if port is not None and port.ports_per_cage > 1 else None
