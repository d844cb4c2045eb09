"""Cables that were found, at the ports of the design, and those that it plans in their place.

A port that another program calls by a name of its own, such as enp3s0, is learned from all devices of a type together:
it is what most of them have planned where such a port is cabled.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from designer.analysis.survey import survey
from designer.exchange.as_built.nodes import Places, places_of
from designer.exchange.as_built.ports import PortNames
from designer.exchange.reading.found import FoundEnd, FoundLink, FoundNetwork
from designer.model.design import Design
from designer.model.entities import End, Link, order_key

UNKNOWN = ""
"""In place of the id of a device that is not in the design; its port then names both."""
EACH = 4096
"""Cables between two reports of how far it is."""


@dataclass(frozen=True, slots=True)
class Cable:
    """A cable that was found. An end at a device that is not in the design has no id, at an unknown port its text."""

    a: End
    b: End
    found: FoundLink

    @property
    def ends(self) -> frozenset[End]:
        """Both ports."""
        return frozenset((self.a, self.b))


@dataclass(frozen=True, slots=True)
class Evidence:
    """What was found, in the words of the design."""

    cables: tuple[Cable, ...]
    planned: tuple[Link, ...]
    """The links that the file could have shown."""
    places: Places
    seen: frozenset[str]
    """Ids of the devices that were found."""
    empty: frozenset[End]
    """Ports that the file names and says no neighbor of."""
    unknown_ports: frozenset[End]
    reporters: frozenset[str]
    """Ids of the devices that looked around; none for a list of all cables."""


def evidence(design: Design, found: FoundNetwork, progress: Callable[[float], None] = lambda _share: None) -> Evidence:
    """The cables that were found and those that are planned where these are. `progress` may raise Cancelled."""
    ports = PortNames(design)
    places = places_of(design, found, ports)
    ends = _Ends(design, found, ports, places)
    cables, met = list[Cable](), set[frozenset[End]]()
    half = set[End]()
    for number, link in enumerate(found.links):
        if number % EACH == 0:
            progress(0.3 + 0.4 * number / len(found.links))
        a, b = ends.end(link.a), ends.end(link.b)
        if a is None or b is None:
            half.update(end for end in (a, b) if end is not None)
            continue
        cable = Cable(a, b, link)
        if cable.ends not in met:
            met.add(cable.ends)
            cables.append(cable)
    progress(0.7)
    cabled = {end for cable in cables for end in (cable.a, cable.b)}
    named = {ends.end(FoundEnd(node.name, port)) for node in found.nodes for port in node.ports}
    empty = {end for end in (*named, *half) if end is not None and end not in cabled and end.device_id != UNKNOWN}
    progress(0.9)
    reporters = _reporters(found, places, ends)
    planned = _in_view(design, cables, reporters, empty)
    seen = frozenset(place.device_id for place in places.of.values())
    return Evidence(tuple(cables), planned, places, seen, frozenset(empty), frozenset(ends.unknown), reporters)


class _Ends:
    """The ports of the design at the ends of what was found."""

    def __init__(self, design: Design, found: FoundNetwork, ports: PortNames, places: Places) -> None:
        self._design, self._ports, self._places = design, ports, places
        self.unknown: set[End] = set()
        self._learned: Mapping[tuple[str, str], str] = {}
        self._learned = self._taught(found)

    def end(self, end: FoundEnd) -> End | None:
        """The end in the design; None for one that leads nowhere."""
        if not end.node:
            return None
        place = self._places.of.get(end.node)
        if place is None:
            return End(UNKNOWN, f"{end.node} port {end.port}" if end.port else end.node)
        port = self._known(end)
        if port is None:
            port = self._learned.get((self._design.device(place.device_id).type_id, end.port))
        if port is not None:
            return End(place.device_id, port)
        strange = End(place.device_id, end.port)
        self.unknown.add(strange)
        return strange

    def _known(self, end: FoundEnd) -> str | None:
        place = self._places.of.get(end.node)
        return None if place is None else self._ports.port(place.device_id, end.port, place.adapter)

    def _taught(self, found: FoundNetwork) -> dict[tuple[str, str], str]:
        """Ports of a type by foreign names: for each that most of the type's devices have planned there."""
        votes: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        for link in found.links:
            for near, far in ((link.a, link.b), (link.b, link.a)):
                place = self._places.of.get(near.node)
                if place is None or not near.port or self._known(near) is not None:
                    continue
                planned = self._planned_from(far, place.device_id)
                if planned is not None:
                    votes[self._design.device(place.device_id).type_id, near.port][planned] += 1
        learned: dict[tuple[str, str], str] = {}
        taken = set[tuple[str, str]]()
        ranked = ((count, key, port) for key, book in votes.items() for port, count in book.items())
        for _, key, port in sorted(ranked, key=lambda vote: (-vote[0], *vote[1:])):
            if key not in learned and (key[0], port) not in taken:
                learned[key] = port
                taken.add((key[0], port))
        return learned

    def _planned_from(self, end: FoundEnd, device_id: str) -> str | None:
        """The port of the device that the design has a cable to from the end."""
        place, port = self._places.of.get(end.node), self._known(end)
        if place is None or port is None:
            return None
        near = End(place.device_id, port)
        for link_id in self._design.links_at(near):
            link = self._design.links[link_id]
            far = link.b if link.a == near else link.a
            if far.device_id == device_id:
                return far.port
        return None


def _in_view(
    design: Design, cables: Iterable[Cable], reporters: frozenset[str], empty: Iterable[End]
) -> tuple[Link, ...]:
    """Planned links of the networks and protocols that some found cable is of, and within reach of who looked."""
    kinds = {run.link.id: _kind(run.network, run.low_port, run.high_port) for run in survey(design).runs}
    touched = {end for cable in cables for end in (cable.a, cable.b)}.union(empty)
    wanted = {kinds.get(one) for end in touched for one in design.links_at(end)}
    if not wanted:
        wanted = set(kinds.values())
    links = (design.links[one] for one, kind in kinds.items() if kind in wanted)
    if reporters:
        links = (link for link in links if not reporters.isdisjoint((link.a.device_id, link.b.device_id)))
    return tuple(sorted(links, key=lambda link: order_key(link.id)))


def _kind(network: str, *ports: object) -> tuple[str, frozenset[str]]:
    """What a tool sees one link by, as it sees another: the network, and what both ends speak."""
    spoken = [frozenset(getattr(port, "protocols", ())) for port in ports]
    return network, spoken[0] & spoken[1]


def _reporters(found: FoundNetwork, places: Places, ends: _Ends) -> frozenset[str]:
    """The devices that looked around: those that the file says did, or the one that every link is of."""
    if found.reporters:
        return frozenset(places.of[one].device_id for one in found.reporters if one in places.of)
    common: set[str] | None = None
    for link in found.links:
        both = {end.device_id for end in (ends.end(link.a), ends.end(link.b)) if end is not None}
        common = both if common is None else common & both
        if not common:
            return frozenset()
    known = (common or set()) - {UNKNOWN}
    return frozenset(known) if len(known) == 1 and len(found.links) > 1 else frozenset()


def planned_ends(links: Iterable[Link]) -> Iterator[tuple[End, Link]]:
    """Each link at both of its ends."""
    for link in links:
        yield link.a, link
        yield link.b, link
