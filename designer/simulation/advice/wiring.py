"""Edits that may help: more uplinks, a cable on another port, a smaller oversubscription."""

from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from designer.analysis.cable_numbers import keep_numbered
from designer.analysis.nic_cables import nic_links
from designer.analysis.nic_use import NicUse
from designer.analysis.regenerating import regenerated
from designer.analysis.survey import survey
from designer.catalog.catalog import Catalog
from designer.errors import NoFreePortError, ParameterError
from designer.graph.arrays import NIC, SWITCH
from designer.model.design import Design
from designer.model.edit import Change, Edit, added
from designer.model.entities import End, Group, Link, order_key
from designer.model.free_ports import FreePorts
from designer.model.networks import COMPUTE, serves
from designer.placement.preparation import cabled_like_neighbours
from designer.regeneration.recipes import parameters_of
from designer.simulation.result import Result
from designer.units import format_counted

MUCH_COOLER = 0.6
"""Of the load of a hot link, what the link whose cable is moved may carry at most."""


def uplink_pairs(design: Design, network: str) -> list[tuple[str, str, Link]]:
    """Pairs of switches that links join, leaf switches and what is above them, each with one of its links."""
    found: dict[tuple[str, str], Link] = {}
    for link in sorted(design.links.values(), key=lambda one: order_key(one.id)):
        ends = (link.a.device_id, link.b.device_id)
        if all(map(design.is_switch, ends)) and serves(design, link, network):
            found.setdefault((min(ends, key=order_key), max(ends, key=order_key)), link)
    serving = {
        end.device_id
        for link in design.links.values()
        for end, other in ((link.a, link.b), (link.b, link.a))
        if design.is_server(other.device_id)
    }
    return [(a, b, link) for (a, b), link in found.items() if (a in serving) != (b in serving)]


def one_more_link(design: Design, network: str) -> Edit:
    """One more link for each pair of a leaf switch and a switch above it that have free ports for it.

    It is cabled as the links of the pair. Raises NoFreePortError where no pair has.
    """
    free, ends = FreePorts(design), []
    for a, b, _ in uplink_pairs(design, network):
        if free.count(a, [b]) and free.count(b, [a]):
            ends.append(free.take_pair(a, b))
    if not ends:
        raise NoFreePortError("no leaf switch and no switch above it have free ports that match")
    ids = design.new_ids("links", len(ends))
    links = [Link(id_, *pair) for id_, pair in zip(ids, ends, strict=True)]
    return _cabled(design, f"Add {format_counted(len(links), 'uplink')}", links)


def slowest_servers(design: Design, result: Result) -> list[str]:
    """The servers whose links set the pace of a run; none where a link between switches does too."""
    links = [design.links.get(one.link_id or "") for one in result.bottlenecks]
    found = {
        end.device_id
        for link in links
        for end in ((link.a, link.b) if link is not None else ())
        if design.is_server(end.device_id)
    }
    is_pace = all(link is not None and _is_server_link(design, link) for link in links)
    return sorted(found, key=order_key) if is_pace else []


def _is_server_link(design: Design, link: Link) -> bool:
    return design.is_server(link.a.device_id) != design.is_server(link.b.device_id)


def spare_links(design: Design, network: str, servers: list[str]) -> list[Link]:
    """New links from the free NIC ports of servers, as far as there are ports for them.

    A port goes where the same port of the servers alike leads. One that none of them uses goes to a switch that its
    server is linked to, if that is of no rail and no plane: of these it is known which ports belong to them.
    """
    use, taken = NicUse(survey(design, network)), set[End]()
    found: list[Link] = []
    for device in map(design.device, servers):
        wanted = use.missing(device) if network == COMPUTE and device.id in use.alike else []
        ids = design.new_ids("links", len(found) + len(wanted))[len(found) :]
        found += nic_links(device, wanted, ids, design.free_ports, taken)[0]
    rest = design.snapshot()
    rest.apply(Edit("Cables of NICs", added(found)))
    ends = list(_spare_ends(rest, network, servers))
    ids = rest.new_ids("links", len(ends))
    return [*found, *(Link(id_, a, b) for id_, (a, b) in zip(ids, ends, strict=True))]


def _spare_ends(design: Design, network: str, servers: list[str]) -> Iterator[tuple[End, End]]:
    """(free NIC port, free port of a switch of no rail and no plane linked to the server), the switches in turn."""
    free = FreePorts(design)
    for server in servers:
        leafs = deque(_plain_leafs(design, server, network))
        while leafs:
            leaf = leafs.popleft()
            if free.count(server, [leaf]) and free.count(leaf, [server]):
                yield free.take_pair(server, leaf)
                leafs.append(leaf)


def _plain_leafs(design: Design, server: str, network: str) -> list[str]:
    """The switches of no rail and no plane that a server is linked to."""
    links = sorted(design.links_of(server), key=lambda one: order_key(one.id))
    leafs = dict.fromkeys(_other(link, server) for link in links if serves(design, link, network))
    switches = (design.device(one) for one in leafs if design.is_switch(one))
    return [one.id for one in switches if one.rail is None and one.plane is None]


def servers_cabled(design: Design, network: str, servers: list[str]) -> Edit:
    """A cable on each free NIC port of servers, to the switches they are meant for. Raises NoFreePortError."""
    links = spare_links(design, network, servers)
    if not links:
        raise NoFreePortError("no server and no switch it is meant for have free ports that match")
    return _cabled(design, f"Add {format_counted(len(links), 'link')} of servers", links)


def _cabled(design: Design, label: str, links: list[Link]) -> Edit:
    """New links with lengths, media and numbers as the cables of the design have them."""
    return keep_numbered(design, Edit(label, added(cabled_like_neighbours(design, links))))


def oversubscribed(design: Design) -> list[tuple[Group, float]]:
    """Generated fabrics with the oversubscription they were generated with, where that is above 1."""
    found = []
    for group in sorted(design.groups.values(), key=lambda one: order_key(one.id)):
        parameters = _parameters(group)
        ratio = getattr(parameters, "oversubscription", None)
        if isinstance(ratio, int | float) and ratio > 1:
            found.append((group, float(ratio)))
    return found


def _parameters(group: Group) -> object:
    try:
        return parameters_of(group) if group.recipe is not None else None
    except ParameterError:
        return None


def smaller_oversubscription(design: Design, group_id: str, ratio: float, catalog: Catalog) -> Edit:
    """The fabric of a group generated again with this oversubscription. Raises DesignerError where it cannot be."""
    parameters = replace(parameters_of(design.groups[group_id]), oversubscription=ratio)
    return generated_again(design, group_id, parameters, catalog)


def generated_again(design: Design, group_id: str, parameters: object, catalog: Catalog) -> Edit:
    """The fabric of a group with these parameters. Raises DesignerError where it cannot be."""
    return regenerated(design, group_id, parameters, catalog).edit


def cooler_cable(design: Design, result: Result) -> tuple[str, Edit] | None:
    """(what is moved where, the edit): a leaf switch's coolest uplink, moved to the far end of its hottest.

    Or else a cable of a server on that leaf switch, moved to the coolest one that may take it. None where no link
    between switches is congested, or no free port takes a cable.
    """
    graph = result.graph
    between = (graph.kind[graph.source] == SWITCH) & (graph.kind[graph.target] == SWITCH) & (graph.link >= 0)
    hot = np.flatnonzero(between & result.congested)
    if not len(hot):
        return None
    arc = int(hot[np.argmax(result.bytes[hot])])
    hottest = design.links[graph.link_ids[graph.link[arc]]]
    ends = (hottest.a.device_id, hottest.b.device_id)
    leaf_vertex = next((v for v in (graph.source[arc], graph.target[arc]) if _has_nics(result, int(v))), None)
    if leaf_vertex is None:
        return None
    leaf = graph.device_ids[graph.device[leaf_vertex]]
    upper = ends[0] if ends[1] == leaf else ends[1]
    return _uplink_moved(design, result, leaf, upper, float(result.bytes[arc])) or _server_moved(design, result, leaf)


def _has_nics(result: Result, vertex: int) -> bool:
    graph = result.graph
    return bool((graph.kind[graph.target[graph.source == vertex]] == NIC).any())


def _carried(result: Result) -> dict[str, float]:
    """Bytes on the busier direction of each link."""
    busier = np.maximum(result.bytes[::2], result.bytes[1::2])
    numbers = result.graph.link[::2]
    known = np.flatnonzero(numbers >= 0)
    ids = result.graph.link_ids
    return {ids[numbers[row]]: float(busier[row]) for row in known.tolist()}


def _uplink_moved(design: Design, result: Result, leaf: str, upper: str, most: float) -> tuple[str, Edit] | None:
    carried, free = _carried(result), FreePorts(design)
    others = [
        link
        for link in design.links_of(leaf)
        if link.id in carried and _other(link, leaf) != upper and design.is_switch(_other(link, leaf))
    ]
    coolest = min(others, key=lambda link: (carried[link.id], order_key(link.id)), default=None)
    if coolest is None or carried[coolest.id] > MUCH_COOLER * most or not free.count(upper, [leaf]):
        return None
    port = free.take_pair(upper, leaf)[0] if free.count(leaf, [upper]) else _first_free(design, upper)
    return _moved(design, coolest, _other(coolest, leaf), port)


def _first_free(design: Design, device_id: str) -> End:
    return End(device_id, design.free_ports(device_id, "fabric")[0].name)


def _server_moved(design: Design, result: Result, leaf: str) -> tuple[str, Edit] | None:
    carried, free = _carried(result), FreePorts(design)
    cables = [link for link in design.links_of(leaf) if link.id in carried and design.is_server(_other(link, leaf))]
    if not cables:
        return None
    link = max(cables, key=lambda one: (carried[one.id], order_key(one.id)))
    server, own = _other(link, leaf), design.device(leaf)
    load: Counter[str] = Counter()
    for one in design.links.values():
        for end, other in ((one.a, one.b), (one.b, one.a)):
            if design.is_switch(end.device_id) and design.is_switch(other.device_id):
                load[end.device_id] += int(carried.get(one.id, 0))
    alike = [
        one.id
        for one in design.switches()
        if one.id != leaf and (one.role, one.rail, one.type_id) == (own.role, own.rail, own.type_id)
    ]
    able = [one for one in alike if free.count(one, [server])]
    coolest = min(able, key=lambda one: (load[one], order_key(one)), default=None)
    return None if coolest is None else _moved(design, link, leaf, _first_free(design, coolest))


def _other(link: Link, device_id: str) -> str:
    return link.b.device_id if link.a.device_id == device_id else link.a.device_id


def _moved(design: Design, link: Link, device_id: str, to: End) -> tuple[str, Edit]:
    """The link with its end on a device put into another port; its length is no longer known where it was routed."""
    at, stays = (link.a, link.b) if link.a.device_id == device_id else (link.b, link.a)
    moved = replace(link, a=to) if link.a == at else replace(link, b=to)
    was, now = design.device(device_id).name, design.device(to.device_id).name
    what = f"The cable on {design.end_name(stays)} moved from {was} to {now}"
    return what, Edit(f"Move the Cable on {design.end_name(stays)}", (Change(link, moved),))
