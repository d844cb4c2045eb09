"""Which device of a design a node is that something found: by its name, else by what it is cabled to."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from designer.analysis.counterparts.names import plain_key, unique
from designer.exchange.as_built.ports import PortNames
from designer.exchange.reading.found import HOST, SWITCH, FoundEnd, FoundNetwork, FoundNode
from designer.model.design import Design
from designer.model.entities import End
from designer.model.infiniband import node_names

_BOARD = re.compile(r"(?P<system>.*?)[ /](?:mlx[0-9]+_|HCA-)(?P<number>[0-9]{1,4})", re.IGNORECASE)
LEAST_VOTES = 2
"""Cables that a node without a known name needs to be taken for a device."""


@dataclass(frozen=True, slots=True)
class Place:
    """The device that a node is, or is an adapter of."""

    device_id: str
    adapter: int | None = None
    """Number of the adapter, from 0, where the node is one."""


@dataclass(frozen=True, slots=True)
class Places:
    """The devices by node, and which of them were found by cables alone."""

    of: Mapping[str, Place]
    by_cables: tuple[str, ...]


def places_of(design: Design, found: FoundNetwork, ports: PortNames) -> Places:
    """Where each node is in the design; nodes that are none of its devices are not there."""
    places = _by_name(design, found)
    by_cables = _by_cables(design, found, ports, places)
    return Places({**places, **by_cables}, tuple(by_cables))


def _by_name(design: Design, found: FoundNetwork) -> dict[str, Place]:
    devices = [(one.id, one.name) for one in design.devices.values()]
    books: list[Mapping[object, str]] = [
        unique((name, one) for one, name in devices),
        {name: one for one, name in node_names(devices).items()},
        unique((plain_key(name), one) for one, name in devices),
    ]

    def device(node: FoundNode, name: str) -> str | None:
        for spelled in (name, name.partition(".")[0]):
            for book, key in zip(books, (spelled, spelled, plain_key(spelled)), strict=True):
                one = book.get(key)
                if one is not None and _suits(design, one, node):
                    return one
        return None

    places: dict[str, Place] = {}
    taken: dict[tuple[str, int | None], str] = {}
    for node in found.nodes:
        one, adapter = device(node, node.name), None
        if one is None and (match := _BOARD.fullmatch(node.name)):
            one, adapter = device(node, match["system"]), _adapter(match["number"], node.name)
        if one is not None and taken.setdefault((one, adapter), node.name) == node.name:
            places[node.name] = Place(one, adapter)
    return places


def _adapter(number: str, name: str) -> int:
    """From 0, as mlx5_0 counts; the generic HCA-1 counts from 1."""
    return int(number) - ("hca-" in name.casefold())


def _suits(design: Design, device_id: str, node: FoundNode) -> bool:
    """Whether the device is what the file says that the node is."""
    return node.kind not in (SWITCH, HOST) or design.is_switch(device_id) == (node.kind == SWITCH)


def _by_cables(design: Design, found: FoundNetwork, ports: PortNames, known: Mapping[str, Place]) -> dict[str, Place]:
    """Devices that no node has the name of, for nodes most of whose cables come from where the device's should."""
    taken = {place.device_id for place in known.values()}
    nodes = {node.name: node for node in found.nodes if node.name not in known}
    votes: dict[str, Counter[str]] = defaultdict(Counter)
    cables = Counter[str]()
    for node, far in _half_known(found, nodes):
        cables[node] += 1
        place = known.get(far.node)
        port = None if place is None else ports.port(place.device_id, far.port, place.adapter)
        if place is None or port is None:
            continue
        for link_id in design.links_at(End(place.device_id, port)):
            link = design.links[link_id]
            other = link.b if link.a == End(place.device_id, port) else link.a
            if other.device_id not in taken and _suits(design, other.device_id, nodes[node]):
                votes[node][other.device_id] += 1
    ranked = sorted((-count, node, one) for node, book in votes.items() for one, count in book.items())
    made: dict[str, Place] = {}
    for negative, node, one in ranked:
        is_most = -negative >= LEAST_VOTES and 2 * -negative > cables[node]
        if is_most and node not in made and one not in taken:
            made[node] = Place(one)
            taken.add(one)
    return made


def _half_known(found: FoundNetwork, unknown: Mapping[str, FoundNode]) -> Iterator[tuple[str, FoundEnd]]:
    """Nodes without a place, each with the far end of each of its links."""
    pairs: Iterable[tuple[FoundEnd, FoundEnd]] = (
        pair for link in found.links for pair in ((link.a, link.b), (link.b, link.a))
    )
    return ((near.node, far) for near, far in pairs if near.node in unknown)
