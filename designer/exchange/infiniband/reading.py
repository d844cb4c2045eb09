"""Subnets as InfiniBand tools list them: what ibnetdiscover found, and netlists of ibsim, which look alike.

Adapters are ports of their host: "gpu-001 mlx5_3" is port mlx5_3 of gpu-001. Sources: infiniband-diags, manual page of
ibnetdiscover and ibnetdiscover.c; linux-rdma/ibsim, README.
"""

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from designer.exchange.infiniband.node_words import AGGREGATION, adapter_of, managed
from designer.exchange.reading.collecting import Collector
from designer.exchange.reading.found import HOST, SWITCH, FoundEnd, FoundLink, FoundNetwork, ImportFailure, Spot
from designer.exchange.reading.limits import MOST_PORTS, MOST_ROWS, MOST_UNLINKED, check_size, too_many_ports
from designer.exchange.reading.texts import clean, read_text
from designer.units import format_count, format_counted, shortened

_NODE = re.compile(r'(Switch|Ca|Hca|Rt|Router)\s+(\d{1,4})\s+"([^"]+)"\s*(?:#\s*(.*))?$')
_PORT = r"\[(\d{1,4})\](?:\[ext \w+\])?(?:\([0-9a-fA-F]+\))?"
_LINK = re.compile(rf'{_PORT}\s*"([^"]+)"\s*{_PORT}\s*(?:#\s*(.*))?$')
_NAME = re.compile(r'"([^"]*)"')
_RATE = re.compile(r"(\d{1,2})x(SDR|DDR|QDR|FDR10|FDR|EDR|HDR|NDR|XDR)\b")
_GUID = re.compile(r"[SHR]-([0-9a-fA-F]{1,16})$")
LANE_GBPS = {
    "SDR": 2.5,
    "DDR": 5.0,
    "QDR": 10.0,
    "FDR10": 10.0,
    "FDR": 14.0,
    "EDR": 25.0,
    "HDR": 50.0,
    "NDR": 100.0,
    "XDR": 200.0,
}
"""Of a lane, as these generations are called (InfiniBand Trade Association, roadmap)."""


@dataclass(slots=True)
class _Node:
    """A switch or an adapter, by the id that the file gives it."""

    row: int
    is_switch: bool
    text: str
    name: str = ""
    port: str = ""
    """What its port is called, where it is an adapter with one; else what its ports' names begin with."""
    links: list["_Link"] = field(default_factory=list)
    numbers: set[int] = field(default_factory=set)


class _Link(NamedTuple):
    """A link as a line has it: from a port of its node to one of another."""

    row: int
    port: int
    far: str
    far_port: int
    rate: tuple[int, str] | None
    """Lanes and generation."""


def read(path: Path) -> FoundNetwork:
    """The network that a file of ibnetdiscover or of ibsim lists. Raises ImportFailure, OSError."""
    lines = read_text(path).split("\n")
    if len(lines) > MOST_ROWS:
        raise ImportFailure(f"{path.name} has more than {MOST_ROWS:,} lines: import it in parts")
    reading = _Reading(path.name)
    for row, line in enumerate(lines, start=1):
        reading.take(row, line.strip())
    return reading.network()


class _Reading:
    """One file, node by node."""

    def __init__(self, file: str) -> None:
        self._found = Collector(file)
        self._nodes: dict[str, _Node] = {}
        self._open: _Node | None = None
        self._rates: set[str] = set()
        self._n_links = 0

    def take(self, row: int, line: str) -> None:
        """Read a line."""
        if not line or line.startswith("#") or "=" in line.split('"', maxsplit=1)[0]:
            return
        if line[0] != "[" and (node := _NODE.match(line)):
            self._begin(row, node)
        elif (link := _LINK.match(line)) and self._open is not None:
            self._add(self._open, row, link)
        elif not line.startswith(("Chassis", "Spine", "Line", "DR path", "lid ")):
            self._found.unread(self._spot(row), f"{shortened(line)!r} is neither a node nor a link of one")

    def _add(self, node: _Node, row: int, found: re.Match[str]) -> None:
        port, far, far_port = int(found[1]), found[2], int(found[3])
        if node.links and node.links[-1][1:4] == (port, far, far_port):
            self._found.repeat()
            return
        speed = _RATE.search(found[4]) if found[4] else None
        node.links.append(_Link(row, port, far, far_port, (int(speed[1]), speed[2]) if speed else None))
        node.numbers.add(port)
        if speed:
            self._rates.add(speed[2])
        if len(node.links) > MOST_PORTS:
            raise ImportFailure(too_many_ports(self._found.file, node.text))
        self._n_links += 1

    def _begin(self, row: int, found: re.Match[str]) -> None:
        if found[3] in self._nodes:
            self._found.unread(self._spot(row), f"{shortened(found[3])} comes twice", "the first one is used")
            self._open = None
            return
        described = _NAME.search(found[4] or "")
        text = clean(described[1]) if described else ""
        is_switch = found[1] not in ("Ca", "Hca")
        self._open = self._nodes[found[3]] = _Node(row, is_switch, text or clean(found[3]) or "?")
        check_size(len(self._nodes), 0, self._found.file)
        if len(self._nodes) > MOST_UNLINKED and not self._n_links:
            count = format_count(MOST_UNLINKED)
            raise ImportFailure(f"{self._found.file} lists more than {count} nodes and no link: choose a whole list")

    def network(self) -> FoundNetwork:
        """All that was read. Raises ImportFailure where there is no node."""
        if not self._nodes:
            raise ImportFailure(f"{self._found.file} lists no switch and no adapter: choose what ibnetdiscover printed")
        self._leave_out_aggregation()
        for id_ in [far for node in list(self._nodes.values()) for far in self._unlisted(node)]:
            if id_ not in self._nodes:
                self._nodes[id_] = _Node(0, not id_.startswith("H-"), clean(id_) or "?")
        self._name_all()
        is_simulated = self._rates == {"SDR"}
        if is_simulated:
            self._found.guess(
                self._spot(None), "rates are taken for unknown: every link is SDR, as ibsim says of all it simulates"
            )
        seen: set[tuple[str, int, str, int]] = set()
        for id_, node in self._nodes.items():
            for link in node.links:
                if (link.far, link.far_port, id_, link.port) not in seen:  # listed at the other end already
                    seen.add((id_, link.port, link.far, link.far_port))
                    self._link(node, link, is_simulated)
        return self._found.network()

    def _leave_out_aggregation(self) -> None:
        """Without the adapters inside switches that add up for SHARP: no cable leads to them."""
        inside = {id_ for id_, node in self._nodes.items() if AGGREGATION in node.text}
        for id_ in inside:
            del self._nodes[id_]
        for node in self._nodes.values():
            node.links = [link for link in node.links if link.far not in inside]
        if inside:
            count = format_counted(len(inside), "aggregation node")
            self._found.guess(self._spot(None), f"{count} inside switches left out: no cable leads there")

    def _unlisted(self, node: _Node) -> list[str]:
        """Ids of nodes at the far end of its links that have no lines of their own."""
        return [link.far for link in node.links if link.far not in self._nodes]

    def _name_all(self) -> None:
        """Names of switches and hosts, each with a node of its own in what is found."""
        taken: dict[str, str] = {}
        for id_, node in self._nodes.items():
            spot, guid = self._spot(node.row or None), _GUID.fullmatch(id_)
            if node.is_switch:
                name, model = managed(node.text)
                if name in taken:
                    self._found.guess(
                        spot, f"{shortened(name)} names two switches: this one is called by its guid, too"
                    )
                    name = f"{name} {guid[1] if guid else clean(id_)}"
                taken[name] = id_
                node.name = name
                facts = {"kind": SWITCH, "model": model, "guid": guid[1] if guid else ""}
                self._found.node(name, spot, **facts)
                continue
            node.name, node.port = adapter_of(node.text)
            if node.name in taken:
                self._found.guess(
                    spot, f"{shortened(node.name)} names a switch and a host: {shortened(id_)} is the host"
                )
                node.name = f"{node.name} host"
            if not self._found.has_node(node.name):
                self._found.node(node.name, spot, kind=HOST)

    def _link(self, node: _Node, link: _Link, is_simulated: bool) -> None:
        rate_gbps = None if link.rate is None or is_simulated else link.rate[0] * LANE_GBPS[link.rate[1]]
        a, b = self._end(node, link.port), self._end(self._nodes[link.far], link.far_port)
        self._found.link(FoundLink(a, b, rate_gbps=rate_gbps, spot=self._spot(link.row)))

    def _end(self, node: _Node, number: int) -> FoundEnd:
        if node.is_switch or not node.port:
            return FoundEnd(node.name, str(number))
        is_only = number == 1 and max(node.numbers, default=1) == 1
        return FoundEnd(node.name, node.port if is_only else f"{node.port}/P{number}")

    def _spot(self, row: int | None) -> Spot:
        return Spot(self._found.file, row=row)
