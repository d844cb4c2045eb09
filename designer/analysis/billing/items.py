"""Items of a bill: every part of a design once, by what it is ordered as, without spares and prices."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from math import fsum

from designer.analysis.billing.kinds import (
    CABLE_KIND,
    FIBRE_KIND,
    INSIDE_RACK,
    KINDS,
    LINE_CARD,
    NIC,
    RACK,
    SERVER,
    SPLITTER,
    SWITCH,
    TRANSCEIVER,
)
from designer.analysis.billing.passive import Line, passive_lines
from designer.analysis.equipment import Equipment, EquipmentType, equipment
from designer.analysis.optical_parts import (
    OpticalParts,
    cage_facts,
    has_stock_lengths,
    order_length_m,
    order_step_m,
    sold_as,
)
from designer.analysis.part_names import model_name
from designer.analysis.parts import (
    BUILT_IN,
    CABLE,
    FIBRE,
    PATCH,
    LinkParts,
    Piece,
    PortKind,
    UsedCage,
    form_is_assumed,
    port_kind,
)
from designer.analysis.power import power_w
from designer.analysis.survey import Survey
from designer.catalog.headline import headline
from designer.model.hardware.media import MediumPart, MediumType
from designer.model.hardware.modules import LineCardType, NicType
from designer.model.hardware.racks import RackType
from designer.model.hardware.servers import ServerType
from designer.model.hardware.switches import SwitchType
from designer.model.matching import shell_of
from designer.model.networks import NETWORKS
from designer.units import format_rate

INSIDE = {one: f"Links inside the {one}, which are no cables" for one in ("rack", "node")}
NO_NUMBER = "no part number is known"
NOT_SELECTED = "no cable is selected"
LENGTH_UNKNOWN = "the length of the link is not known"
TOO_LONG = "a link is longer than any that is sold"
BY_LENGTH = "no part number and no stock length are known"
"""Begins the reason of a line whose length is the one needed, rounded up."""


@dataclass(frozen=True, slots=True)
class Item:
    """A part, and how many of it the design has.

    `included` of the `quantity` are delivered with something else, as the NICs of a server. "" and None stand for what
    is not known, or has no meaning for its kind.
    """

    kind: str
    quantity: int
    included: int = 0
    at_switches: int | None = None
    at_servers: int | None = None
    """Of transceivers, how many are in switches and how many in servers."""
    part_number: str = ""
    model: str = ""
    vendor: str = ""
    description: str = ""
    length_m: float | None = None
    """The length that a cable is known to be sold in."""
    order_m: float | None = None
    """The length to order it in: the same, or where no such length is known the one needed, rounded up."""
    needed_m: float | None = None
    """The longest that a link needs of it."""
    total_m: float | None = None
    """What all links need of it together; None where that is not known of one."""
    n_assumed: int = 0
    """How many join ports whose form factor nobody states: they are assumed to fit."""
    n_assumed_lengths: int = 0
    """How many are as long as the design's default: nobody measured or typed it."""
    assumed: tuple[str, ...] = ()
    """Those ports with the form factor that is assumed: "400G ports of Switch 48 x 400G, assumed to be QSFP-DD"."""
    networks: tuple[str, ...] = ()
    type_id: str = ""
    power_typical_w: float | None = None
    power_max_w: float | None = None
    """What one draws."""
    price_usd: float | None = None
    """What the design or the catalog says one costs."""
    is_family: bool = False
    """Whether the model stands for pieces of several lengths, each with a price of its own."""
    gap: str = ""
    """Why there is no part number to order it by; "" where there is one."""
    length_gap: str = ""
    """That shorter pieces may be sold than the one that is ordered, where not all lengths are known."""
    remark: str = ""
    """What the catalog notes of the part, as whose it is where its type has no vendor."""

    @property
    def ordered_apart(self) -> int:
        """How many do not come with something else."""
        return self.quantity - self.included

    @property
    def is_preliminary(self) -> bool:
        """Whether it may become another part, or another number of them: a length, cable or form factor is open."""
        is_undecided = self.kind in (*PIECES, TRANSCEIVER) and not self.type_id
        return bool(self.n_assumed or self.n_assumed_lengths or is_undecided or self.gap == LENGTH_UNKNOWN)

    @property
    def names(self) -> tuple[str, ...]:
        """What a price list may call it, the best name first."""
        own = (self.part_number, "" if self.is_family else self.model, self.type_id)
        return tuple(dict.fromkeys(one for one in own if one))


@dataclass(slots=True)
class Tally:
    """How often an item was met, and where."""

    quantity: int = 0
    at_switches: int = 0
    at_servers: int = 0
    n_assumed: int = 0
    n_assumed_lengths: int = 0
    open_ports: set[PortKind] = field(default_factory=set)
    lengths_m: Counter[float | None] = field(default_factory=Counter)
    networks: set[str] = field(default_factory=set)

    def add(
        self, count: int, network: str, needed_m: float | None = None, open_ports: tuple[PortKind, ...] = ()
    ) -> None:
        """Meet so many more."""
        self.quantity += count
        self.networks.add(network)
        self.lengths_m[needed_m] += count
        if open_ports:
            self.n_assumed += count
            self.open_ports.update(open_ports)

    @property
    def needed_m(self) -> float | None:
        """The longest; None where no length is known."""
        return max((one for one in self.lengths_m if one is not None), default=None)

    @property
    def total_m(self) -> float | None:
        """All together; None where one length is not known."""
        metres = [one * count for one, count in self.lengths_m.items() if one is not None]
        return round(fsum(metres), 3) if len(metres) == len(self.lengths_m) else None


NO_OPTIC = "no optic is selected"

PIECES = (CABLE_KIND, FIBRE_KIND, SPLITTER)

Fact = tuple[MediumType | None, MediumPart | None, float | None, str, str]
"""What distinguishes items of links: medium, part, order length; of what is not known a description and a reason."""


def items(surveyed: Survey, link_parts: LinkParts, optical: OpticalParts) -> tuple[Item, ...]:
    """All items of a design in the order of KINDS: `link_parts` are those of the survey."""
    found = [*_equipment_items(surveyed), *_optics(link_parts.cages, optical), *_pieces(link_parts.pieces, optical)]
    return in_order_of_kinds([*found, *map(passive_item, passive_lines(surveyed))])


def in_order_of_kinds(found: Iterable[Item]) -> tuple[Item, ...]:
    """The items in the order of a bill."""
    order = {kind: number for number, kind in enumerate(KINDS)}
    return tuple(sorted(found, key=lambda one: order[one.kind]))


def passive_item(line: Line) -> Item:
    """The item that a line for what lies between the ends of links is."""
    kind, count, what, gap, networks = line
    return Item(kind, count, description=what, gap=gap, networks=_in_order(networks))


# -- equipment --------------------------------------------------------------------------------------------------------


def _equipment_items(surveyed: Survey) -> Iterator[Item]:
    networks = _networks_of_types(surveyed)
    for one in equipment(surveyed.design):
        yield equipment_item(one, _in_order(networks.get(one.type.id, set())))


def equipment_item(one: Equipment, networks: tuple[str, ...] = ()) -> Item:
    """The item that so many of a type are."""
    type_ = one.type
    number = type_.part_number
    typical_w, max_w = power_w(type_)
    return Item(
        kind=_KIND_OF[type(type_)],
        quantity=one.count,
        included=one.included,
        part_number=number,
        model=type_.model,
        vendor=type_.vendor,
        description=described(type_),
        networks=networks,
        type_id=type_.id,
        power_typical_w=typical_w,
        power_max_w=max_w,
        price_usd=getattr(type_, "price_usd", None),
        gap="" if number else NO_NUMBER,
    )


_KIND_OF: Mapping[type, str] = {
    ServerType: SERVER,
    SwitchType: SWITCH,
    LineCardType: LINE_CARD,
    NicType: NIC,
    RackType: RACK,
}


def described(type_: EquipmentType) -> str:
    """What it is, in words: "Switch, 64 × 400G"."""
    word = KINDS[_KIND_OF[type(type_)]]
    if isinstance(type_, ServerType) and type_.gpu_model:
        return f"{word}, {type_.gpus} × {type_.gpu_model}"
    return f"{word}, {headline(type_)}"


def _networks_of_types(surveyed: Survey) -> dict[str, set[str]]:
    """Of each type of device and module the networks that its ports are linked in."""
    design = surveyed.design
    slot_types = {(module.device_id, module.slot): module.type_id for module in design.modules.values()}
    device_types = {device.id: device.type_id for device in design.devices.values()}
    found: dict[str, set[str]] = {}
    for run in surveyed.runs:
        for end, port in ((run.low, run.low_port), (run.high, run.high_port)):
            found.setdefault(device_types[end.device_id], set()).add(run.network)
            if port is not None and (type_id := slot_types.get((end.device_id, port.slot))):
                found.setdefault(type_id, set()).add(run.network)
    return found


def _in_order(networks: set[str]) -> tuple[str, ...]:
    return tuple(one for one in NETWORKS if one in networks)


# -- optics -----------------------------------------------------------------------------------------------------------


def _optics(cages: tuple[UsedCage, ...], optical: OpticalParts) -> Iterator[Item]:
    """The modules in the cages that a transceiver is in, one each, whichever links leave through it."""
    tallies: dict[Fact, Tally] = {}
    seen: dict[tuple[object, ...], Tally] = {}
    for cage in cages:
        if not cage.is_optical or not cage.is_ordered:
            continue
        key = (cage.medium and cage.medium.id, cage.length_m, cage_facts(cage.port), cage.far and cage_facts(cage.far))
        tally = seen.get(key)
        if tally is None:
            tally = seen[key] = tallies.setdefault(module_fact(cage, optical), Tally())
        tally.n_assumed_lengths += cage.length_is_assumed
        tally.add(1, cage.network, open_ports=(port_kind(cage.port),) if form_is_assumed(cage.port) else ())
        tally.at_servers += cage.at_server
        tally.at_switches += not cage.at_server
    for fact, tally in tallies.items():
        yield link_item(TRANSCEIVER, fact, tally, optical)


def module_fact(cage: UsedCage, optical: OpticalParts) -> Fact:
    """The module in a cage that an optical link leaves through."""
    medium, shell = cage.medium, shell_of(optical.fitted(cage.port))
    port = f"{shell} port{' (assumed)' if optical.assumption(cage.port) else ''}".strip()
    if medium is None:
        return None, None, None, f"Transceiver in {port}, of a link through a circuit switch", NO_OPTIC
    if medium.kind == "fiber":
        return None, None, None, f"Transceiver in {port}, not selected", "only a fiber is selected"
    module = optical.at(cage.port, medium, cage.length_m)
    if module is None:
        gap = optical.no_module(cage.port, medium, cage.far)
        return None, None, None, f"Transceiver in {port}, opposite {optical.opposite(medium, cage.far)}", gap
    part = optical.part_in(cage.port, module)
    return module, part, None, "", "" if part is not None else NO_NUMBER


# -- cables and fibers ------------------------------------------------------------------------------------------------


def _pieces(pieces: tuple[Piece, ...], optical: OpticalParts) -> Iterator[Item]:
    tallies: dict[tuple[str, Fact], Tally] = {}
    seen: dict[tuple[object, ...], Tally] = {}
    for piece in pieces:
        key = (piece.kind, piece.medium.id if piece.medium is not None else "", piece.length_m, piece.is_ordered)
        tally = seen.get(key)
        if tally is None:
            tally = seen[key] = tallies.setdefault(piece_fact(piece, optical), Tally())
        tally.n_assumed_lengths += piece.count if piece.length_is_assumed else 0
        tally.add(piece.count, piece.network, piece.length_m, piece.open_ports if piece.medium is not None else ())
    ordered = sorted(tallies.items(), key=lambda entry: _piece_order(*entry))
    for (kind, fact), tally in ordered:
        yield link_item(kind, fact, tally, optical)


def _piece_order(key: tuple[str, Fact], tally: Tally) -> tuple[object, ...]:
    """Cables of a kind by type and length."""
    medium, _part, length_m, description, _gap = key[1]
    return medium.id if medium is not None else "~", length_m or 0.0, tally.needed_m or 0.0, description


def piece_fact(piece: Piece, optical: OpticalParts) -> tuple[str, Fact]:
    """The kind of an item that a piece is, and what is bought for it."""
    medium = piece.medium
    if piece.kind == BUILT_IN:
        return INSIDE_RACK, (medium, None, None, "", "")
    if medium is None and piece.kind == FIBRE and piece.is_ordered:
        return FIBRE_KIND, (None, None, None, "Fiber to a circuit switch, not selected", NO_OPTIC)
    if medium is None:
        what = "Copper patch cable, not selected" if piece.kind == PATCH else "Cable or optics, not selected"
        return CABLE_KIND, (None, None, None, what, NOT_SELECTED)
    if piece.kind == CABLE or medium.kind == "fiber":
        splits = "splitter" in medium.kind
        kind = SPLITTER if splits else FIBRE_KIND if medium.kind == "fiber" else CABLE_KIND
        return kind, _cut(medium, piece.length_m)
    fibre = optical.fibre(medium, piece.length_m)
    if fibre is not None:
        return FIBRE_KIND, _cut(fibre, piece.length_m)
    gap = f"the catalog has no fiber for {medium.model} that is known to reach that far"
    if piece.length_m is None:
        gap = LENGTH_UNKNOWN
    return FIBRE_KIND, (None, None, None, ", ".join(filter(None, ("Fiber", medium.fibre, medium.socket))), gap)


def _cut(medium: MediumType, length_m: float | None) -> Fact:
    """The part and order length of a cable or fiber; rounded up where none is known to be sold in lengths."""
    if length_m is None:
        return medium, None, None, "", LENGTH_UNKNOWN
    part, stock_m = sold_as(medium, length_m)
    order_m = order_length_m(medium, length_m)
    if part is not None:
        return medium, part, order_m, "", ""
    if stock_m is None and has_stock_lengths(medium):
        return medium, None, None, "", TOO_LONG
    if stock_m is None:
        return medium, None, order_m, "", f"{BY_LENGTH}: rounded up to the next {order_step_m(length_m)} m"
    return medium, None, order_m, "", NO_NUMBER


def link_item(kind: str, fact: Fact, tally: Tally, optical: OpticalParts) -> Item:
    """The item that cables, fibers or modules of links are."""
    medium, part, order_m, extra, gap = fact
    is_optic = kind == TRANSCEIVER
    common = Item(
        kind=kind,
        quantity=tally.quantity,
        at_switches=tally.at_switches if is_optic else None,
        at_servers=tally.at_servers if is_optic else None,
        length_m=None if gap.startswith(BY_LENGTH) else order_m,
        order_m=order_m,
        needed_m=None if is_optic else tally.needed_m,
        total_m=None if is_optic else tally.total_m,
        n_assumed=tally.n_assumed if medium is not None else 0,
        n_assumed_lengths=tally.n_assumed_lengths,
        assumed=tuple(sorted(optical.assumed[one].text for one in tally.open_ports if one in optical.assumed)),
        networks=_in_order(tally.networks),
        gap=gap,
        description=extra,
    )
    if medium is None:
        return common
    if kind == INSIDE_RACK:
        what = INSIDE[medium.comes_with]
        return replace(common, included=tally.quantity, model=medium.model, vendor=medium.vendor, description=what)
    return replace(_of_medium(common, medium, part, extra), length_gap=length_gap(medium, common))


def length_gap(medium: MediumType, item: Item) -> str:
    """The note on an order length where not all lengths of the part are known; "" where none may be shorter."""
    order_m, needed_m = item.order_m, item.needed_m
    if order_m is None or needed_m is None or not has_stock_lengths(medium) or order_m < needed_m + 1.0:
        return ""
    if medium.lengths_m and "lengths_m" not in medium.unverified:
        return ""
    return f"order {order_m:g} m is the shortest known length for {needed_m:g} m, shorter ones may be sold: ask"


def _of_medium(item: Item, medium: MediumType, part: MediumPart | None, extra: str) -> Item:
    words = _medium_words(item.kind, medium, part)
    return replace(
        item,
        part_number=part.number if part is not None else "",
        model=model_name(medium, part),
        is_family=model_name(medium, part) not in (medium.model, part.model if part is not None else ""),
        vendor=medium.vendor,
        description=", ".join(filter(None, (*words, extra))),
        type_id=medium.id,
        price_usd=medium.price_usd,
        remark=part.note if part is not None else item.remark,
    )


def _medium_words(kind: str, medium: MediumType, part: MediumPart | None) -> Iterator[str]:
    rate = f"{medium.links} × {format_rate(medium.link_gbps)}" if medium.link_gbps else ""
    if kind == TRANSCEIVER:
        shell = part.shell if part is not None and part.shell else " or ".join(medium.ends)
        yield from ("Transceiver", shell, rate, medium.fibre, medium.connector)
    elif medium.kind.startswith("fiber"):
        yield from ("Fiber splitter" if kind == SPLITTER else "Fiber", medium.fibre, medium.connector)
    else:
        yield from (medium.kind[:1].upper() + medium.kind[1:], " to ".join(medium.ends), rate)
