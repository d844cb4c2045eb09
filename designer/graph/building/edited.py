"""The graph of a design after some links changed, from the graph before: what did not change is not read again."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from designer.graph.arrays import NIC, Graph, outgoing
from designer.graph.building.build import build
from designer.graph.building.delays import UNKNOWN_LENGTH, delays
from designer.graph.building.templates import PortFacts, ServerTemplate, protocol_of, server_template, switch_ports
from designer.graph.class_figures import switch_latency
from designer.model.design import Design
from designer.model.entities import End, Link, order_key
from designer.model.hardware.servers import ServerType
from designer.model.hardware.switches import SwitchType
from designer.model.networks import COMPUTE, PURPOSE_OF

MOST_CHANGES = 2_000
"""With more links changed, rebuilding takes no longer."""


@dataclass(frozen=True, slots=True)
class Base:
    """A graph that was built of a network of a design, and the links that have changed since, by id.

    Of each it holds the link as it was when the graph was built; None where it was not there.
    """

    graph: Graph
    network: str
    changed: Mapping[str, Link | None]


def up_to_date(base: Base | None, design: Design, network: str = COMPUTE) -> Graph:
    """`build(design, network=network)`, the same arrays; quicker with a base that serves."""
    if base is not None and base.network == network and len(base.changed) <= MOST_CHANGES:
        edited = _edited(base, design)
        if edited is not None:
            return edited
    return build(design, network=network)


class _StandsOut(Exception):
    """A link that a graph leaves out or counts apart: see `Graph.ignored`."""


def _edited(base: Base, design: Design) -> Graph | None:
    graph = base.graph
    if graph.failed or graph.ignored:
        return None
    delay_ns, unknown = delays(design), Counter(graph.unknown)
    rows = {link_id: row for link_id in base.changed if (row := _row(graph.link_ids, link_id)) is not None}
    for link_id in rows:
        was = base.changed[link_id]
        unknown[UNKNOWN_LENGTH] -= was is not None and not delay_ns(was)[1]
    gone = sorted(rows.values())
    ids, ports = list(graph.link_ids), list(graph.link_ports)
    for row in reversed(gone):
        del ids[row], ports[row]
    try:
        new = _new_pairs(base, design, delay_ns)
    except _StandsOut:
        return None
    places = [bisect_left(ids, order_key(link.id), key=order_key) for link, _ in new]
    for shift, (place, (link, pair)) in enumerate(zip(places, new, strict=True)):
        ids.insert(place + shift, link.id)
        ports.insert(place + shift, (link.a.port, link.b.port))
        unknown[UNKNOWN_LENGTH] += pair.is_length_unknown
    arcs = _Arcs(graph, gone, places, [pair for _, pair in new])
    n_inside = len(arcs.pairs("source")) - len(ids)
    source, port_order = arcs.column("source"), arcs.column("port_order")
    out_start, out_arcs = outgoing(source, port_order, graph.n_vertices)
    return replace(
        graph,
        revision=design.revision,
        source=source,
        target=arcs.column("target"),
        capacity_gbps=arcs.column("capacity_gbps"),
        latency_ns=arcs.column("latency_ns"),
        protocol=arcs.column("protocol"),
        port_order=port_order,
        link=np.repeat(np.append(np.full(n_inside, -1), np.arange(len(ids))), 2).astype(np.int32),
        out_start=out_start,
        out_arcs=out_arcs,
        link_ids=tuple(ids),
        link_ports=tuple(ports),
        unknown=MappingProxyType({what: count for what, count in unknown.items() if count}),
        derived={},
    )


def _row(link_ids: tuple[str, ...], link_id: str) -> int | None:
    row = bisect_left(link_ids, order_key(link_id), key=order_key)
    return row if row < len(link_ids) and link_ids[row] == link_id else None


@dataclass(frozen=True, slots=True)
class _Pair:
    """Both arcs of a link: there, and back."""

    source: tuple[int, int]
    target: tuple[int, int]
    capacity_gbps: tuple[float, float]
    latency_ns: tuple[float, float]
    protocol: tuple[int, int]
    port_order: tuple[int, int]
    is_length_unknown: bool


class _Arcs:
    """The arcs of a graph less those of some links, with those of others put in; one column after the other."""

    def __init__(self, graph: Graph, gone: list[int], places: list[int], new: list[_Pair]) -> None:
        n_inside = graph.n_arcs // 2 - len(graph.link_ids)  # pairs inside servers come first
        self._graph = graph
        self._gone = [n_inside + row for row in gone]
        self._places = [n_inside + place for place in places]
        self._new = new

    def pairs(self, name: str) -> NDArray[Any]:
        """(n, 2) a column, both arcs of a link in a row."""
        known = getattr(self._graph, name).reshape(-1, 2)
        if self._gone:
            known = np.delete(known, self._gone, axis=0)
        if self._new:
            values = np.array([getattr(pair, name) for pair in self._new], dtype=known.dtype)
            known = np.insert(known, self._places, values, axis=0)
        found: NDArray[Any] = known
        return found

    def column(self, name: str) -> NDArray[Any]:
        return self.pairs(name).reshape(-1)


def _new_pairs(base: Base, design: Design, delay_ns: Callable[[Link], tuple[float, bool]]) -> list[tuple[Link, _Pair]]:
    """The changed links that the design has now, in order. Raises _StandsOut."""
    there = sorted((link_id for link_id in base.changed if link_id in design.links), key=order_key)
    if not there:
        return []
    ends = _Ends(base, design)
    found = []
    for link_id in there:
        link = design.links[link_id]
        if ends.are_elsewhere(link):
            continue
        if link.a.device_id == link.b.device_id or any(len(design.links_at(end)) > 1 for end in (link.a, link.b)):
            raise _StandsOut
        (vertex_a, enter_a, a), (vertex_b, enter_b, b) = ends.facts(link.a), ends.facts(link.b)
        length_ns, is_known = delay_ns(link)
        rate_gbps, protocol = min(a.rate_gbps, b.rate_gbps), protocol_of(a, b)
        pair = _Pair(
            (vertex_a, vertex_b),
            (vertex_b, vertex_a),
            (rate_gbps, rate_gbps),
            (length_ns + enter_b, length_ns + enter_a),
            (protocol, protocol),
            (a.order, b.order),
            not is_known,
        )
        found.append((link, pair))
    return found


class _Ends:
    """Where links end in a graph."""

    def __init__(self, base: Base, design: Design) -> None:
        self._graph, self._design, self._network = base.graph, design, base.network
        self._index = {device_id: index for index, device_id in enumerate(base.graph.device_ids)}
        nics = base.graph.vertices_of(NIC)
        self._nics = nics
        self._device_of_nic = base.graph.device[nics.start : nics.stop]
        self._template = lru_cache(maxsize=None)(self._template_of)

    def are_elsewhere(self, link: Link) -> bool:
        """The link is part of another network, or leads to a switch of one."""
        return any(
            end.device_id not in self._index or end.port in self._elsewhere(end.device_id) for end in (link.a, link.b)
        )

    def facts(self, end: End) -> tuple[int, float, PortFacts]:
        """(vertex, ns of entering it, what is known of the port). Raises _StandsOut where there is no such port."""
        device_id, design = end.device_id, self._design
        if design.is_server(device_id):
            first = int(np.searchsorted(self._device_of_nic, self._index[device_id]))
            enter_ns, port = 0.0, self._template(device_id).ports.get(end.port)
            vertex = self._nics.start + first
        else:
            n_after = len(self._index) - self._index[device_id]
            vertex = self._graph.n_vertices - n_after  # switches come last, one vertex each
            type_ = design.device_type(device_id)
            enter_ns = switch_latency(type_)[0] if isinstance(type_, SwitchType) else 0.0
            port = switch_ports(design.ports(device_id)).get(end.port)
        if port is None:
            raise _StandsOut
        return vertex + port.vertex, enter_ns, port

    def _elsewhere(self, device_id: str) -> frozenset[str]:
        if self._design.is_server(device_id):
            return self._template(device_id).elsewhere
        return frozenset(port.name for port in self._design.management_ports(device_id))

    def _template_of(self, device_id: str) -> ServerTemplate:
        type_ = self._design.device_type(device_id)
        assert isinstance(type_, ServerType)
        return server_template(type_, self._design.ports(device_id), {}, PURPOSE_OF[self._network])
