"""A design's InfiniBand links as subnet managers see them: adapters and switches whose ports have numbers.

A switch's port has the number of its place among those that speak InfiniBand. A server has an adapter for each such
port, mlx5_0 and so on in slot order, with one port, as the mlx5 driver shows them (NVIDIA Cable Validation Tool, "P2P
file").
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from designer.analysis.survey import Run, survey
from designer.errors import ExportError
from designer.model.design import Design
from designer.model.entities import End, order_key
from designer.model.infiniband import INFINIBAND, adapter_name, node_names, port_numbers

MOST_NAME_BYTES = 63
"""Of a node's description, which has 64 with the end of the text (InfiniBand specification, NodeDescription)."""


@dataclass(frozen=True, slots=True)
class Wire:
    """A link as one end sees it. Ports have numbers from 1; `peer` is the place of the other node in the subnet."""

    port: int
    peer: int
    peer_port: int


@dataclass(frozen=True, slots=True)
class Node:
    """A switch or an adapter. `board` is the adapter's name in its server, "" for a switch."""

    device_id: str
    system: str
    """The device's name, fit for every file of this kind."""
    board: str
    n_ports: int
    wires: tuple[Wire, ...]
    """In port order."""

    @property
    def is_switch(self) -> bool:
        """Whether it forwards."""
        return not self.board

    @property
    def name(self) -> str:
        """The node's description: "leaf-01", "gpu-001 mlx5_0"."""
        return f"{self.system} {self.board}" if self.board else self.system


@dataclass(frozen=True, slots=True)
class Subnet:
    """The adapters that have a link, in design order, then the switches."""

    nodes: tuple[Node, ...]


def subnet(design: Design, networks: Collection[str] = ()) -> Subnet:
    """The InfiniBand nodes and links of the networks, of all without any.

    Raises ExportError where there is none, where two links are in one port, and where a name is too long.
    """
    return _Nodes(design).made(_infiniband(design, networks))


def _infiniband(design: Design, networks: Collection[str]) -> Iterator[Run]:
    for run in survey(design).runs:
        low, high = run.low_port, run.high_port
        if (networks and run.network not in networks) or low is None or high is None:
            continue
        if INFINIBAND in low.protocols and INFINIBAND in high.protocols:
            yield run


class _Nodes:
    """Nodes by the ends of links, as they come."""

    def __init__(self, design: Design) -> None:
        self._design = design
        self._numbers: dict[str, dict[str, int]] = {}

    def made(self, runs: Iterator[Run]) -> Subnet:
        far: dict[End, End] = {}
        for run in runs:
            if run.low == run.high:
                raise ExportError(f"{self._design.end_name(run.low)} is linked to itself: remove the link first")
            for near, other in ((run.low, run.high), (run.high, run.low)):
                if near in far:
                    raise ExportError(f"{self._design.end_name(near)} has two links: remove one of them first")
                far[near] = other
        by_node: dict[tuple[str, str], list[End]] = {}
        for end in far:
            by_node.setdefault(self._key(end), []).append(end)
        if not by_node:
            raise ExportError("there is no InfiniBand link to write: both ends of a link must be ports that speak it")
        keys = sorted(by_node, key=lambda key: (not key[1], order_key(key[0]), len(key[1]), key[1]))
        place_of = {key: place for place, key in enumerate(keys)}
        devices = dict.fromkeys(device_id for device_id, _ in keys)
        names = node_names((device_id, self._design.device(device_id).name) for device_id in devices)
        nodes = []
        for device_id, board in keys:
            wires = sorted(
                (
                    Wire(self._port(end), place_of[self._key(far[end])], self._port(far[end]))
                    for end in by_node[device_id, board]
                ),
                key=lambda wire: wire.port,
            )
            n_ports = 1 if board else len(self._numbered(device_id))
            nodes.append(Node(device_id, names[device_id], board, n_ports, tuple(wires)))
        long = next((node for node in nodes if len(node.name.encode()) > MOST_NAME_BYTES), None)
        if long is not None:
            raise ExportError(
                f"{long.name} is longer than the {MOST_NAME_BYTES} letters that an InfiniBand node can be called: "
                "rename the device"
            )
        return Subnet(tuple(nodes))

    def _numbered(self, device_id: str) -> dict[str, int]:
        found = self._numbers.get(device_id)
        if found is None:
            ports = self._design.ports(device_id)
            numbers = zip(ports, port_numbers(ports), strict=True)
            found = self._numbers[device_id] = {port.name: number for port, number in numbers if number}
        return found

    def _key(self, end: End) -> tuple[str, str]:
        """The device, and the adapter on a server."""
        is_server = self._design.is_server(end.device_id)
        return end.device_id, adapter_name(self._numbered(end.device_id)[end.port]) if is_server else ""

    def _port(self, end: End) -> int:
        return 1 if self._design.is_server(end.device_id) else self._numbered(end.device_id)[end.port]
