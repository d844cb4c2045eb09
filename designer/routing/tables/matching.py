"""Forwarding tables matched to a drawn network: switches and adapters by the names that InfiniBand shows.

A switch is called as its device, or as managed switches call themselves ("MF0;leaf-01:MQM9700/U1"); an adapter
"gpu-001 mlx5_0", or with older drivers "gpu-001 HCA-1". A host's adapters with several ports have a LID for each, which
count on through the host's ports. Of several LIDs of a port (LMC) the lowest is used.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from designer.errors import GraphError
from designer.graph.arrays import EITHER, INFINIBAND, SWITCH
from designer.model.infiniband import node_names, plain_name
from designer.routing.given import ITSELF, NO_PORT, ForwardingTables
from designer.routing.network import Network
from designer.routing.tables.forwarding import NO_ENTRY, NO_LID, NO_LINK, NO_TABLE, Forwarding
from designer.units import format_count

_MANAGED = re.compile(r"MF\d+;([^:]+):")
_ADAPTER = re.compile(r"(.+?)[ /](?:mlx\d+_(\d{1,6})|HCA-(\d{1,6}))(?:/.*)?")
N_PORTS = 256
"""Numbers that an entry of a table can have."""


def with_tables(network: Network, tables: ForwardingTables) -> Network:
    """The network with the tables as its arcs, matched once for each graph. Raises GraphError where nothing fits."""
    found = network.graph.derived.get("tables")
    if found is None or found.tables is not tables:
        found = network.graph.derived["tables"] = _matched(network, tables)
    assert isinstance(found, Forwarding)
    return replace(network, forwarding=found)


def _matched(network: Network, tables: ForwardingTables) -> Forwarding:
    graph, switches = network.graph, network.switches
    names = _names(network)
    row = _rows(network, tables, names)
    column = _columns(network, tables, names)
    by_port = _arcs_by_port(network)
    next_arc = np.full((switches.n_switches, len(column)), NO_TABLE, dtype=np.int32)
    known = np.flatnonzero(column >= 0)
    for switch in np.flatnonzero(row >= 0).tolist():
        ports = np.frombuffer(tables.ports[row[switch]], dtype=np.uint8)[column[known]]
        arcs = by_port[switch][ports]
        arcs[(ports == ITSELF) | (ports == NO_PORT)] = NO_ENTRY
        next_arc[switch, known] = arcs
    next_arc[:, column < 0] = NO_LID
    head = np.where(graph.kind[graph.target] == SWITCH, graph.target - switches.first, -1).astype(np.int32)
    return Forwarding(tables, next_arc, head, row, column, tuple(_notes(tables, next_arc, row, column)))


def _names(network: Network) -> dict[int, str]:
    """What InfiniBand calls the devices that have a link which may speak it, by index."""
    graph = network.graph
    arcs = (graph.link >= 0) & np.isin(graph.protocol, (INFINIBAND, EITHER))
    linked = np.unique(graph.device[graph.source[arcs]]).tolist()
    found = node_names((graph.device_ids[one], graph.device_names[one]) for one in linked)
    return {one: found[graph.device_ids[one]] for one in linked}


def _rows(network: Network, tables: ForwardingTables, names: dict[int, str]) -> NDArray[np.int64]:
    """(n_switches,) the row of each drawn switch. Raises GraphError where none is found, or two of one name."""
    graph, switches = network.graph, network.switches
    rows: dict[str, int] = {}
    twice: set[str] = set()
    for place, given in enumerate(tables.switches):
        name = _switch_name(given)
        twice |= {name} & rows.keys()
        rows[name] = place
    row = np.full(switches.n_switches, -1, dtype=np.int64)
    for switch in range(switches.n_switches):
        name = names.get(int(graph.device[switches.first + switch]), "")
        if name in twice:
            raise GraphError(
                f"two switches are called {name} in {tables.name}: give switches names of their own before tables are "
                "dumped (a node name map)"
            )
        row[switch] = rows.get(name, -1)
    if not (row >= 0).any():
        drawn = next(iter(names.values()), "none")
        there = next(iter(rows), "none")
        raise GraphError(
            f"no switch in {tables.name} is called like one of the InfiniBand switches drawn ({there} there, {drawn} "
            "here): names of nodes must be those of the devices"
        )
    return row


def _switch_name(given: str) -> str:
    managed = _MANAGED.match(given)
    return plain_name(managed[1] if managed else given)


def _columns(network: Network, tables: ForwardingTables, names: dict[int, str]) -> NDArray[np.int64]:
    """(n_destinations,) the column of each NIC that is on a leaf."""
    graph, ends = network.graph, network.ends
    by_port = _adapter_ports(tables)
    used = (ends.nic >= 0) & (ends.leaf >= 0)
    column = np.full(int(ends.index[used].max(initial=-1)) + 1, -1, dtype=np.int64)
    uplink = ends.out[:, :, -1][used]
    devices, orders = graph.device[graph.source[uplink]].tolist(), graph.port_order[uplink].tolist()
    for number, device, order in zip(ends.index[used].tolist(), devices, orders, strict=True):
        numbers = graph.infiniband_ports.get(graph.device_ids[device])
        if numbers is not None:
            column[number] = by_port.get((names.get(device, ""), numbers[order]), -1)
    return column


def _adapter_ports(tables: ForwardingTables) -> dict[tuple[str, int], int]:
    """The column of each port of a host, by the host's name and the port's number from 1."""
    hosts: dict[str, dict[int, dict[str, int]]] = {}
    for place, owner in enumerate(tables.owners):
        if owner.is_switch:
            continue
        found = _ADAPTER.fullmatch(owner.node)
        host = plain_name(found[1] if found else owner.node)
        adapter = 0 if found is None else int(found[2]) if found[2] else int(found[3]) - 1
        ports = hosts.setdefault(host, {}).setdefault(adapter, {})
        ports.setdefault(owner.guid, place)  # LIDs ascend: of several the lowest
    numbered: dict[tuple[str, int], int] = {}
    for host, adapters in hosts.items():
        several = any(len(ports) > 1 for ports in adapters.values())
        count = 0
        for adapter in sorted(adapters):
            for guid in sorted(adapters[adapter]):
                count += 1
                numbered[host, count if several else adapter + 1] = adapters[adapter][guid]
    return numbered


def _arcs_by_port(network: Network) -> NDArray[np.int32]:
    """(n_switches, N_PORTS) the arc out of each port, NO_LINK where there is none."""
    graph, switches = network.graph, network.switches
    found = np.full((switches.n_switches, N_PORTS), NO_LINK, dtype=np.int32)
    arcs = np.flatnonzero((graph.source >= switches.first) & (graph.link >= 0))
    tails = graph.source[arcs] - switches.first
    widest = max(map(len, graph.infiniband_ports.values()), default=0)
    numbers = np.zeros((switches.n_switches, max(widest, int(graph.port_order[arcs].max(initial=0)) + 1)), np.int64)
    for switch in range(switches.n_switches):
        own = graph.infiniband_ports.get(graph.device_ids[int(graph.device[switches.first + switch])], ())
        numbers[switch, : len(own)] = own
    number = numbers[tails, graph.port_order[arcs]]
    fits = (number > 0) & (number < NO_PORT)
    found[tails[fits], number[fits]] = arcs[fits]
    return found


def _notes(
    tables: ForwardingTables, next_arc: NDArray[np.int32], row: NDArray[np.int64], column: NDArray[np.int64]
) -> Iterator[str]:
    for count, what in (
        (np.count_nonzero(row < 0), "drawn switches have no table"),
        (np.count_nonzero(column < 0), "drawn adapters have no LID"),
        (len(tables.switches) - np.count_nonzero(row >= 0), "switches with a table are not drawn"),
        (np.count_nonzero(next_arc == NO_LINK), "entries lead to ports without a link that is up"),
    ):
        if count:
            yield f"{tables.name}: {format_count(int(count))} {what}"
