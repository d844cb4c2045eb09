"""Which nodes of a network are servers and which are switches, where the file does not say."""

import re
from collections import defaultdict
from collections.abc import Callable, Mapping

from designer.exchange.reading.found import HOST, SWITCH, FoundNetwork, FoundNode

_HOST_PORTS = re.compile(r"(?:mlx[45]_|rail|en[ops]\d|eth\d$|ib\d|hca|bond|nic|gpu|eno|ens|enp|rdma)", re.IGNORECASE)
_SWITCH_PORTS = re.compile(r"(?:swp|sw\d|ethernet\d|eth?\d+/|et-|xe-|ge-|p\d)", re.IGNORECASE)
_HOST_NAMES = re.compile(
    r"(?:^|[^a-z])(?:gpu|host|server|srv|node|dgx|hgx|compute|worker|storage|cn|h)(?=[^a-z]|$)", re.IGNORECASE
)
_SWITCH_NAMES = re.compile(
    r"(?:leaf|spine|core|tor(?=[^a-z]|$)|switch|router|super|agg|(?:^|[^a-z])(?:sw|mqm|qm|sn)(?=\d|[^a-z]|$))",
    re.IGNORECASE,
)

KindOfModel = Callable[[str], str]
"""SWITCH or HOST by what a model is in the catalog; "" for one that is not there."""


def kinds_of(network: FoundNetwork, of_model: KindOfModel) -> Mapping[str, tuple[str, str]]:
    """Kind of each node by name, and the reason where it is a guess, "" where the file or the catalog says so."""
    ports: dict[str, list[str]] = defaultdict(list)
    neighbours: dict[str, set[str]] = defaultdict(set)
    for link in network.links:
        ports[link.a.node].append(link.a.port)
        ports[link.b.node].append(link.b.port)
        neighbours[link.a.node].add(link.b.node)
        neighbours[link.b.node].add(link.a.node)
    found: dict[str, tuple[str, str]] = {}
    open_: list[FoundNode] = []
    for node in network.nodes:
        kind = node.kind or (of_model(node.model) if node.model else "") or (SWITCH if node.role else "")
        if kind:
            found[node.name] = kind, ""
        elif guessed := _by_words(node, ports[node.name]):
            found[node.name] = guessed
        else:
            open_.append(node)
    most = max((len(one) for one in ports.values()), default=0)
    for node in open_:
        found[node.name] = _by_neighbours(node.name, neighbours, ports, found, most)
    return found


def _by_words(node: FoundNode, ports: list[str]) -> tuple[str, str] | None:
    """What the names of its ports or its own name say."""
    is_switch, is_host = bool(_SWITCH_NAMES.search(node.name)), bool(_HOST_NAMES.search(node.name))
    if is_switch != is_host:
        return (SWITCH if is_switch else HOST), "by their names"
    if ports and all(_HOST_PORTS.match(one) for one in ports):
        return HOST, "by the names of their ports"
    if ports and all(_SWITCH_PORTS.match(one) for one in ports):
        return SWITCH, "by the names of their ports"
    return None


def _by_neighbours(
    name: str,
    neighbours: Mapping[str, set[str]],
    ports: Mapping[str, list[str]],
    found: Mapping[str, tuple[str, str]],
    most: int,
) -> tuple[str, str]:
    """What its links say: who is linked to servers is a switch, who has few links, all to switches, is a server."""
    around = [found[one][0] for one in neighbours.get(name, ()) if one in found]
    if HOST in around:
        return SWITCH, "because they are linked to servers"
    count = len(ports.get(name, ()))
    if count <= 2 or count * 4 <= most:
        return HOST, "because they have few links"
    return SWITCH, "because they have many links"
