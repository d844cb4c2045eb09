"""Parts: links, cables, fibers, cages and transceivers, each counted apart."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from designer.analysis.survey import Run, Survey
from designer.model.circuits import circuit_switch
from designer.model.design import Design
from designer.model.entities import End, Link
from designer.model.hardware.media import MediumType, is_built_in
from designer.model.hardware.ports import Port
from designer.model.hardware.types import HardwareType
from designer.model.records import ordered

OPTICAL = ("transceiver", "fiber")
"""Kinds of medium that put a transceiver in the cage and a fiber between."""

ASSUMED_LENGTH = "rule"
"""The source of lengths that are the design's default."""

COPPER_MOST_GBPS = 1.0
"""Ports as slow as those of server controllers take a copper patch cable, like all with an RJ45 socket."""


@dataclass(frozen=True, slots=True)
class Parts:
    """What the links of a design are built of.

    `cables` are all pieces to pull: copper and active cables and fibers; `fibres` are those of them that join
    transceivers. A transceiver is counted once per used cage, however many links leave through it. Links without a
    medium (`links_without_medium`) count as if built with optics, one fiber a link; those of them between copper ports
    (`copper_without_medium`) as a copper patch cable each. A link through an optical circuit switch takes a fiber from
    each end to it, and a transceiver at each end, whatever is selected: nothing but light passes the switch.
    """

    links: int
    """Those inside racks and nodes, too, which take no cable and no cage."""
    cables: int
    fibres: int
    cages: int
    transceivers: int
    switch_transceivers: int
    server_transceivers: int
    links_without_medium: int
    copper_without_medium: int
    circuit_links: int = 0
    """Links through optical circuit switches."""
    circuit_switches: int = 0
    """Those switches, by the names that links give them."""


PortKind = tuple[str, float, int]
"""Ports of a type that are alike: the id of the type, their rate in Gb/s, and how many share a cage."""


def port_kind(port: Port) -> PortKind:
    """What ports have in common that one form factor is assumed for."""
    return port.type_id, port.rate_gbps, port.ports_per_cage


CABLE, PATCH, FIBRE, BUILT_IN = "cable", "patch", "fibre", "built-in"
"""Kinds of pieces: copper and active cables, copper patch cables not selected yet, fibers between transceivers, and
links that a rack comes with, which are no cables."""


@dataclass(frozen=True, slots=True)
class Piece:
    """What is pulled between cages with the links in it: a cable, or the `count` fibers of an optical link."""

    kind: str
    medium: MediumType | None
    count: int
    links: int
    length_m: float | None
    """The longest that is known of its links."""
    network: str
    open_ports: tuple[PortKind, ...] = ()
    """The kinds of ports it joins, of a fiber through transceivers, whose form factor nobody states and is assumed."""
    length_is_assumed: bool = False
    """Whether its length is the design's default."""
    is_ordered: bool = True
    """Whether it is known what kind of piece it is: not of a link that may turn out to be a cable or fibers."""


@dataclass(frozen=True, slots=True)
class UsedCage:
    """A cage that links leave through; the first optical one of them, or else the first, says what is in it."""

    port: Port
    medium: MediumType | None
    length_m: float | None
    network: str
    at_server: bool
    is_optical: bool
    """Whether a transceiver is in it."""
    far: Port | None = None
    """The port at the other end of that link."""
    length_is_assumed: bool = False
    """Whether that link is as long as the design's default: another length may take another cable."""
    is_ordered: bool = True
    """Whether the transceiver is one to order: not of a link that may turn out to be a cable."""


@dataclass(frozen=True, slots=True)
class LinkParts:
    """Everything that the links of a design are built of, in the order of the links."""

    pieces: tuple[Piece, ...]
    cages: tuple[UsedCage, ...]
    circuits: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """By network the circuit switch of each link through one: it takes a second fiber, from there to its far end."""

    def counts(self, network: str | None = None, *, selected_only: bool = False) -> Parts:
        """How many there are of each, in one network or in all; what serves several counts to its first link's.

        With `selected_only` a link without a medium is one cable, and no fiber or transceiver: as it is ordered. One
        through a circuit switch is what it has to be.
        """
        pieces = [one for one in self.pieces if network in (None, one.network)]
        cages = [one for one in self.cages if network in (None, one.network)]
        optical = [one for one in cages if one.is_optical and (one.is_ordered or not selected_only)]
        fibres = [one for one in pieces if one.kind == FIBRE and (one.is_ordered or not selected_only)]
        through = [one for where, names in self.circuits.items() if network in (None, where) for one in names]
        at_servers = sum(one.at_server for one in optical)
        return Parts(
            links=sum(one.links for one in pieces),
            cables=sum(one.count for one in pieces if one.kind != BUILT_IN) + len(through),
            fibres=sum(one.count for one in fibres) + len(through),
            cages=len(cages),
            transceivers=len(optical),
            switch_transceivers=len(optical) - at_servers,
            server_transceivers=at_servers,
            links_without_medium=sum(one.links for one in pieces if one.medium is None),
            copper_without_medium=sum(one.links for one in pieces if one.kind == PATCH),
            circuit_links=len(through),
            circuit_switches=len(set(through)),
        )


def parts(surveyed: Survey) -> Parts:
    """Parts of all links whose two ports exist."""
    return link_parts(surveyed).counts()


def link_parts(surveyed: Survey) -> LinkParts:
    """The pieces and cages of all links whose two ports exist; of several in one cage the module counts once."""
    servers = {server.id for server in surveyed.servers}
    media = _media(surveyed.runs, surveyed.design.types)
    runs = [run for run in surveyed.runs if run.low_port is not None and run.high_port is not None]
    in_cables: list[Run] = []
    pieces: dict[str, Piece] = {}
    cages: dict[tuple[str, int], UsedCage] = {}
    circuits: dict[str, list[str]] = {}
    for run in runs:
        medium, link = media[run.link.medium_id], run.link
        if name := circuit_switch(link):
            circuits.setdefault(run.network, []).append(name)
        piece = piece_alone(run, medium)
        if piece is not None:
            pieces[link.id] = piece
        else:
            in_cables.append(run)
        if piece is not None and piece.kind == BUILT_IN:
            continue
        through_optics = piece is not None and piece.kind == FIBRE
        for end, port, far in ((run.low, run.low_port, run.high_port), (run.high, run.high_port, run.low_port)):
            place = cage_place(end, port)
            known = cages.get(place)
            if port is not None and (known is None or (through_optics and not known.is_optical)):
                network = known.network if known is not None else run.network
                at_server = end.device_id in servers
                is_default, is_ordered = _is_default(link), has_transceivers(link, medium)
                cages[place] = UsedCage(
                    port, medium, link.length_m, network, at_server, through_optics, far, is_default, is_ordered
                )
    cable_of = cable_ids(surveyed.runs, surveyed.design.types) if in_cables else {}
    for run in in_cables:
        first = cable_of[run.link.id]
        pieces[first] = with_run(pieces.get(first), run, media[run.link.medium_id])
    return LinkParts(tuple(pieces.values()), tuple(cages.values()), circuits)


def piece_alone(run: Run, medium: MediumType | None) -> Piece | None:
    """What is pulled for a link that has it for itself, fibers or a patch cable; None for a link in a cable.

    A link inside a rack is a piece of its own, too, with nothing to pull.
    """
    link = run.link
    if medium is not None and medium.is_built_in:
        return Piece(BUILT_IN, medium, 1, 1, None, run.network)
    if medium is None and _is_copper(run.low_port) and _is_copper(run.high_port):
        return Piece(PATCH, None, 1, 1, link.length_m, run.network, (), _is_default(link))
    if not is_optical(medium):
        return None
    count = 1 if medium is None else max(1, medium.fibres // medium.links)
    is_default, is_ordered = _is_default(link), has_transceivers(link, medium)
    return Piece(FIBRE, medium, count, 1, link.length_m, run.network, _open_ports(run), is_default, is_ordered)


def with_run(piece: Piece | None, run: Run, medium: MediumType | None) -> Piece:
    """The cable with one more link in it."""
    length_m, is_open = run.link.length_m, _open_ports(run)
    if piece is None:
        return Piece(CABLE, medium, 1, 1, length_m, run.network, is_open, _is_default(run.link))
    if length_m is None or (piece.length_m is not None and piece.length_m > length_m):
        length_m = piece.length_m
    return replace(piece, links=piece.links + 1, length_m=length_m, open_ports=piece.open_ports or is_open)


def _open_ports(run: Run) -> tuple[PortKind, ...]:
    ports = (run.low_port, run.high_port)
    return tuple(port_kind(port) for port in ports if port is not None and form_is_assumed(port))


def _is_default(link: Link) -> bool:
    return link.length_m is not None and link.length_source == ASSUMED_LENGTH


def form_is_assumed(port: Port | None) -> bool:
    """Whether nobody states the port's form factor, so that what goes in is assumed to fit; slow ones take copper."""
    return port is not None and not port.form_factor and not _is_copper(port)


def medium_of(design: Design, link: Link) -> MediumType | None:
    """The cable or optic chosen for a link; None where none is."""
    medium = design.types.get(link.medium_id)
    return medium if isinstance(medium, MediumType) else None


def cabled_links(design: Design) -> list[Link]:
    """The links in the order of the design that are cables: those inside racks are none."""
    return [link for link in ordered(design.links) if not is_built_in(design.types, link.medium_id)]


def _media(runs: Sequence[Run], types: Mapping[str, HardwareType]) -> dict[str, MediumType | None]:
    """The medium of each id that a link names."""
    named = {run.link.medium_id: types.get(run.link.medium_id) for run in runs}
    return {one: medium if isinstance(medium, MediumType) else None for one, medium in named.items()}


def _is_copper(port: Port | None) -> bool:
    return port is not None and (port.form_factor == "RJ45" or port.rate_gbps <= COPPER_MOST_GBPS)


def has_transceivers(link: Link, medium: MediumType | None) -> bool:
    """Whether a transceiver is to be ordered for each end of a link: of each optic, and of all circuit switches."""
    return bool(circuit_switch(link)) if medium is None else is_optical(medium)


def is_optical(medium: MediumType | None) -> bool:
    """Transceivers and a fiber; also what a link without a medium is taken to be."""
    return medium is None or medium.kind in OPTICAL


def cable_ids(runs: Sequence[Run], types: Mapping[str, HardwareType]) -> dict[str, str]:
    """For each link's id the cable it runs in, named by the id of the first of these links in it.

    A twin-port cable carries the links of one cage to one cage; a splitter those of its wide end. A fiber, or a link
    whose medium is not chosen, is a piece of its own.
    """
    found: dict[str, str] = {}
    open_pieces: dict[object, tuple[str, int]] = {}
    media = _media(runs, types)
    for run in runs:
        medium = media[run.link.medium_id]
        if medium is None or is_optical(medium) or medium.links < 2:
            found[run.link.id] = run.link.id
            continue
        key = cable_key(run, medium)
        first, room = open_pieces.get(key, (run.link.id, medium.links))
        found[run.link.id] = first
        if room > 1:
            open_pieces[key] = (first, room - 1)
        else:
            open_pieces.pop(key, None)
    return found


def cable_key(run: Run, medium: MediumType) -> object:
    """What links have in common that share cables of several links: medium, and cages at the shared ends."""
    return medium.id, *_piece_ends(run, medium)


def _piece_ends(run: Run, medium: MediumType) -> tuple[tuple[str, int], ...]:
    low, high = cage_place(run.low, run.low_port), cage_place(run.high, run.high_port)
    if "splitter" not in medium.kind:
        return low, high
    low_is_wide = _lanes(run.low_port) > _lanes(run.high_port)
    return (low,) if low_is_wide else (high,)


def _lanes(port: Port | None) -> int:
    return port.ports_per_cage if port is not None else 0


def cage_place(end: End, port: Port | None) -> tuple[str, int]:
    """The device and the number of the cage that a link leaves through."""
    return end.device_id, port.cage if port is not None else 0
