"""Designs made of found networks: types matched to the catalog, ports to types, a place for every device, one edit."""

import itertools
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath

from designer.analysis.tiers import ROLE_OF_TIER
from designer.catalog import generic
from designer.catalog.catalog import Catalog
from designer.exchange.reading.found import HOST, SWITCH, FoundEnd, FoundLink, FoundNetwork, Guess, Spot, Unread
from designer.exchange.reading.limits import MOST_LISTED, check_size
from designer.exchange.reading.port_fitting import NUMBERS, ORDER
from designer.exchange.reading.standing import Racks, arranged, beside, drawn_points, placements
from designer.exchange.reading.texts import clean
from designer.exchange.reading.type_table import TypeRow, TypeTable
from designer.model.design import Design
from designer.model.edit import Change, Edit, added
from designer.model.entities import TYPED, Device, End, Entity, Group, Link, Module, Placement, Rack
from designer.model.equipping import cold_side
from designer.model.hardware.media import MediumType
from designer.model.hardware.switches import SwitchType
from designer.model.hardware.types import HardwareType
from designer.model.naming import LONGEST_NAME, natural
from designer.model.networks import COMPUTE, NETWORKS
from designer.model.settings import UNTITLED
from designer.topologies.assembly import renamed
from designer.units import format_counted, shortened

Progress = Callable[[float], None]
_CABLE = re.compile(r"C0*([1-9]\d{0,6})")
FEW_MEDIA = 3
"""Cables and optics that are named where the catalog does not have them."""
FEW_ACROSS = 0.05
"""Share of links between switches of one tier up to which the others say which tier that is."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """What an import would do, before it does it."""

    network: FoundNetwork
    rows: tuple[TypeRow, ...]
    edit: Edit
    counts: tuple[tuple[int, str], ...]
    """How many of what: (127, "server")."""
    guesses: tuple[Guess, ...]
    unread: tuple[Unread, ...]
    left_open: tuple[Guess, ...] = ()
    """What the design does not get, since the file or the catalog does not have it."""
    notes: tuple[Guess, ...] = ()
    """What a format that makes the design itself says of what it read."""
    stated: str = ""
    """What the design holds, in the words of such a format."""

    @property
    def is_new(self) -> bool:
        """Whether it makes a design of its own, which goes into no other."""
        return bool(self.stated)

    @property
    def contents(self) -> str:
        """ "127 servers, 48 switches, 2,040 links and 12 racks"."""
        if self.stated:
            return self.stated
        said = [format_counted(count, word) for count, word in self.counts if count]
        return " and ".join(filter(None, (", ".join(said[:-1]), said[-1]))) if said else "nothing"


def _unheard(_share: float) -> None:
    pass


def propose(
    network: FoundNetwork,
    design: Design,
    catalog: Catalog,
    chosen: Mapping[str, str] | None = None,
    progress: Progress = _unheard,
    *,
    file: str = "",
) -> Proposal:
    """What importing a network into a design would do. `chosen` are type ids by node, row of the table or model.

    Raises ParameterError for a choice that names no node or type; `progress` may raise Cancelled.
    """
    types = {**catalog.types, **design.types}
    table = TypeTable(network, types, chosen or {}, lambda type_id: _generic(catalog, type_id))
    progress(0.3)
    made = _Building(network, design, table, types, file or _file_of(network))
    edit = made.edit(progress)
    guesses = (*network.guesses, *_type_guesses(table, made.file), *made.guesses)
    progress(1.0)
    unread = (*network.unread, *made.unread)
    return Proposal(network, table.rows, edit, made.counts, guesses, unread, tuple(made.left_open))


def _generic(catalog: Catalog, type_id: str) -> HardwareType | None:
    return catalog.get(type_id)


def _file_of(network: FoundNetwork) -> str:
    spots = (*(one.spot for one in network.nodes), *(one.spot for one in network.links))
    return next((spot.file for spot in spots if spot is not None), "the file")


def _type_guesses(table: TypeTable, file: str) -> Iterator[Guess]:
    for row in table.rows:
        spot = Spot(file)
        if row.why_kind:
            word = "switches" if row.kind == SWITCH else "servers"
            yield Guess(spot, f"{shortened(row.key)} taken for {word} {row.why_kind}")
        if row.is_guess:
            yield Guess(spot, row.sentence)
        ways = Counter(table.fits[name].how for name in row.nodes)
        for how, words in ((NUMBERS, "by their numbers"), (ORDER, "in order, since neither names nor numbers are its")):
            if ways[how]:
                example = next(name for name in row.nodes if table.fits[name].how == how)
                pairs = list(table.fits[example].names.items())
                if shown := ", ".join(f"{shortened(a)} is {b}" for a, b in pairs[:3] if a != b):
                    yield Guess(spot, f"{shortened(row.key)}: ports of {row.type_.model} are taken {words}: {shown}")


class _Building:
    """The records of one import."""

    def __init__(
        self, network: FoundNetwork, design: Design, table: TypeTable, types: Mapping[str, HardwareType], file: str
    ) -> None:
        self.file = file
        self._network, self._design, self._table = network, design, table
        self._types = {**types, **{one.id: one for row in table.rows for one in row.made}}
        self._type_of = {name: row.type_ for row in table.rows for name in row.nodes}
        self._nodes = sorted(network.nodes, key=lambda node: (table.kinds[node.name] != HOST, natural(node.name)))
        ids = design.new_ids("devices", len(self._nodes))
        self._ids = {node.name: new for node, new in zip(self._nodes, ids, strict=True)}
        self._needed: dict[str, HardwareType] = {}
        self.unread: list[Unread] = []
        self.guesses: list[Guess] = []
        self.left_open: list[Guess] = []
        self.counts: tuple[tuple[int, str], ...] = ()

    def edit(self, progress: Progress) -> Edit:
        """Everything as one edit."""
        groups = self._groups()
        devices = self._devices({path: group.id for path, group in groups.items()})
        modules = list(self._modules())
        links = self._links()
        progress(0.5)
        racks = Racks(self._nodes, self._type_of, self.file)
        self.unread += racks.unread
        rack_type = racks.type_of(self._types)
        rack_ids = dict(zip(racks.names, self._design.new_ids("racks", len(racks.names)), strict=True))
        around = self._around_racks()
        made_racks = [
            Rack(rack_ids[name], name, rack_type.id, groups[around[name]].id if around[name] else None)
            for name in racks.names
        ]
        if made_racks:
            self._need(rack_type)
            self._open(_no_floor(len(made_racks), sum(link.length_m is not None for link in links)))
        points = self._points([*self._needed.values(), *groups.values(), *devices, *modules, *links], progress)
        in_racks = {
            self._ids[node.name]: (rack_ids[node.rack], racks.units[node.name]) for node in self._nodes if node.rack
        }
        sides = {self._ids[node.name]: cold_side(self._type_of[node.name]) for node in self._nodes if node.rack}
        missing = [one for one in self._needed.values() if one.id not in self._design.types]
        entities: list[Entity] = [
            *missing,
            *renamed(list(groups.values()), {one.name for one in self._design.groups.values()}),
            *renamed(made_racks, {one.name for one in self._design.racks.values()}),
            *renamed(devices, {one.name for one in self._design.devices.values()}),
            *modules,
            *links,
            *placements(points, in_racks, sides),
        ]
        kinds = Counter(self._table.kinds[node.name] for node in self._nodes)
        self.counts = (
            (kinds[HOST], "server"),
            (kinds[SWITCH], "switch"),
            (len(links), "link"),
            (len(made_racks), "rack"),
        )
        return Edit(f"Import {self.file}", (*added(entities), *self._settings(links)))

    def _need(self, type_: HardwareType) -> None:
        self._needed.setdefault(type_.id, type_)

    def _open(self, sentence: str) -> None:
        self.left_open.append(Guess(Spot(self.file), sentence))

    def _groups(self) -> dict[tuple[str, ...], Group]:
        """The groups that the file names, by path, each after the one that it is in."""
        paths: dict[tuple[str, ...], None] = {}
        for node in self._nodes:
            paths.update((node.group[:depth], None) for depth in range(1, len(node.group) + 1))
            check_size(len(paths), 0, self.file, "groups")
        made: dict[tuple[str, ...], Group] = {}
        for path, new in zip(paths, self._design.new_ids("groups", len(paths)), strict=True):
            made[path] = Group(new, path[-1], parent_id=made[path[:-1]].id if path[:-1] else None)
        if made:
            self._open(f"{format_counted(len(made), 'group')} without a kind, which is not in the file")
        return made

    def _around_racks(self) -> dict[str, tuple[str, ...]]:
        """The path of the innermost group that all devices of a rack are in, by name."""
        found: dict[str, tuple[str, ...]] = {}
        for node in self._nodes:
            if node.rack:
                both = zip(found.get(node.rack, node.group), node.group, strict=False)
                same = itertools.takewhile(lambda names: names[0] == names[1], both)
                found[node.rack] = tuple(name for name, _ in same)
        return found

    def _devices(self, groups: Mapping[tuple[str, ...], str]) -> list[Device]:
        roles, networks = self._roles(), self._networks()
        made = []
        for node in self._nodes:
            type_, fit = self._type_of[node.name], self._table.fits[node.name]
            self._need(type_)
            is_switch = self._table.kinds[node.name] == SWITCH
            made.append(
                Device(
                    self._ids[node.name],
                    node.name,
                    type_.id,
                    role=(node.role or roles.get(node.name, "")) if is_switch else "",
                    group_id=groups.get(node.group),
                    rail=node.rail,
                    plane=node.plane,
                    unit=node.scalable_unit,
                    port_mode=fit.port_mode,
                    cage_modes=fit.cage_modes,
                    network=networks.get(node.name, "") if is_switch else "",
                )
            )
        return made

    def _modules(self) -> Iterator[Module]:
        """NICs of servers as their ports need them, and line cards as chassis are delivered."""
        wanted: list[tuple[str, str, str, str]] = []
        for node in self._nodes:
            type_ = self._type_of[node.name]
            if isinstance(type_, SwitchType):
                cards = [(slot.name, slot.card_type_id, "") for slot in type_.slots if slot.card_type_id]
            else:
                cards = list(self._table.fits[node.name].nics)
            wanted += [(self._ids[node.name], *card) for card in cards]
        for new, (device_id, slot, type_id, mode) in zip(
            self._design.new_ids("modules", len(wanted)), wanted, strict=True
        ):
            self._need(self._types[type_id])
            yield Module(new, device_id, slot, type_id, mode)

    def _roles(self) -> dict[str, str]:
        """Leaf, spine and core by the distance from the servers; none where switches of one tier are linked."""
        near: dict[str, set[str]] = defaultdict(set)
        for link in self._network.links:
            if link.network in ("", COMPUTE):
                near[link.a.node].add(link.b.node)
                near[link.b.node].add(link.a.node)
        level = {node.name: 0 for node in self._nodes if self._table.kinds[node.name] == HOST}
        waiting = list(level)
        for name in waiting:
            for other in sorted(near[name]):
                if other not in level:
                    level[other] = level[name] + 1
                    waiting.append(other)
        pairs = [(a, b) for a, others in near.items() for b in others if level.get(a, 0) and level.get(b, 0)]
        across = sum(level[a] == level[b] for a, b in pairs)
        if across > FEW_ACROSS * len(pairs):
            return {}
        return {name: ROLE_OF_TIER[at] for name, at in level.items() if at and at in ROLE_OF_TIER}

    def _networks(self) -> dict[str, str]:
        """The network of a switch that most of its links say; "" for compute."""
        said: dict[str, Counter[str]] = defaultdict(Counter)
        for link in self._network.links:
            if link.network in NETWORKS:
                said[link.a.node][link.network] += 1
                said[link.b.node][link.network] += 1
        most = {name: max(NETWORKS, key=counts.__getitem__) for name, counts in said.items()}
        return {name: network for name, network in most.items() if network != COMPUTE}

    def _links(self) -> list[Link]:
        """The links whose two ports were found, each port once; the others are listed."""
        fits = self._table.fits
        taken: dict[FoundEnd, Spot | None] = {}
        is_new = not self._design.settings.last_cable and not any(one.cable for one in self._design.links.values())
        made: list[Link] = []
        ids = iter(self._design.new_ids("links", len(self._network.links)))
        n_missing, unknown = 0, Counter[str]()
        for link in self._network.links:
            spot = link.spot or Spot(self.file)
            ends = (link.a, link.b)
            ports = [fits[end.node].names.get(end.port) for end in ends]
            twice = next((end for end in ends if end in taken), None)
            if twice is not None or None in ports:
                n_missing += 1
                if n_missing <= MOST_LISTED:
                    self.unread.append(self._why_no_link(spot, ends, ports, twice))
                continue
            taken.update(dict.fromkeys(ends, spot))
            a, b = (End(self._ids[end.node], port or "") for end, port in zip(ends, ports, strict=True))
            made.append(
                Link(
                    next(ids),
                    a,
                    b,
                    self._medium(link, unknown),
                    length_m=link.length_m,
                    length_source=TYPED if link.length_m is not None else "",
                    label=link.label,
                    cable=_cable_number(link.cable) if is_new else 0,
                )
            )
        if unknown:
            names = ", ".join(shortened(name) for name, _ in unknown.most_common(FEW_MEDIA))
            more = f" and {len(unknown) - FEW_MEDIA:,} more" if len(unknown) > FEW_MEDIA else ""
            count = format_counted(unknown.total(), "link")
            self._open(
                f"{count} without cable or optic, since the catalog does not have what the file names: {names}{more}"
            )
        return made

    def _medium(self, link: FoundLink, unknown: Counter[str]) -> str:
        """The id of what the link runs over, where the catalog or the design has it; counted where they do not."""
        if not link.medium:
            return ""
        inside = generic.inside_node()
        type_ = inside if link.medium == inside.id else self._types.get(link.medium)
        if not isinstance(type_, MediumType):
            unknown[link.medium] += 1
            return ""
        self._need(type_)
        return type_.id

    def _why_no_link(
        self, spot: Spot, ends: Sequence[FoundEnd], ports: Sequence[str | None], twice: FoundEnd | None
    ) -> Unread:
        if twice is not None:
            name = f"{shortened(twice.node)} {shortened(twice.port)}"
            return Unread(spot, f"{name} is linked already: the link is left out", "one of the two has another port")
        end = ends[0] if ports[0] is None else ends[1]
        type_ = self._type_of[end.node]
        return Unread(
            spot,
            f"{shortened(end.node)} {shortened(end.port)}: {type_.model} has no such port, and none is free for it",
            "it is of another type",
        )

    def _points(self, entities: Sequence[Entity], progress: Progress) -> dict[str, tuple[float, float]]:
        drawn = drawn_points(self._nodes)
        if drawn:
            points = {self._ids[name]: at for name, at in drawn.items()}
        else:
            there = [Placement(device_id, 0.0, 0.0) for device_id in self._ids.values()]
            points = arranged([*entities, *there], lambda share: progress(0.5 + 0.4 * share))
        return beside(self._design, points)

    def _settings(self, links: Sequence[Link]) -> tuple[Change, ...]:
        """The highest number of a cable, so that none is given twice; the file's name for a design without one."""
        before = self._design.settings
        last = max((link.cable for link in links), default=0)
        name = clean(PurePath(self.file).stem)[:LONGEST_NAME]
        is_unnamed = before.name == UNTITLED and not self._design.devices and bool(name)
        after = replace(before, last_cable=max(last, before.last_cable), name=name if is_unnamed else before.name)
        return (Change(before, after),) if after != before else ()


def _no_floor(n_racks: int, n_lengths: int) -> str:
    """What is left open where a file has racks, since none states where these stand."""
    racks = format_counted(n_racks, "rack")
    lengths = f"; {format_counted(n_lengths, 'length')} taken as typed in" if n_lengths else ""
    return f"{racks} without a place on the floor, which is not in the file{lengths}"


def _cable_number(text: str) -> int:
    """421 of "C0421", as plans print numbers of cables; 0 for what was given otherwise."""
    found = _CABLE.fullmatch(text)
    return int(found[1]) if found is not None else 0
