"""Joining servers to networks: to new switches or to free ports of those that are there, by rack or all together."""

import math
from collections.abc import Sequence
from dataclasses import replace

from designer.errors import ParameterError
from designer.model.design import Design
from designer.model.entities import End, order_key
from designer.model.hardware.ports import Port
from designer.model.hardware.servers import ServerType
from designer.model.hardware.switches import SwitchType
from designer.model.matching import port_compatibility
from designer.model.networks import NORTH_SOUTH, TITLES, networks_of_switch
from designer.topologies.assembly import Assembly
from designer.topologies.equipment import TypeSource
from designer.topologies.network_members import Member, servers_to_join
from designer.topologies.network_parameters import NetworkParameters
from designer.units import format_count

LEAF_ROLES = ("", "leaf", "storage", "management")
"""Roles of switches that servers are joined to."""


def switches_of(design: Design, network: str) -> list[str]:
    """Ids of the switches that carry a network."""
    return [switch.id for switch in design.switches() if network in networks_of_switch(switch)]


class Joining:
    """The servers that are to come into networks, with the NICs they have for each."""

    def __init__(self, design: Design, find: TypeSource, servers: Sequence[str], parameters: NetworkParameters) -> None:
        self._design, self._find, self._servers = design, find, servers
        self._north_south_nic = parameters.north_south_nic

    def members(
        self, network: str, leaf: SwitchType | ServerType, or_else: Sequence[Member] = ()
    ) -> tuple[Member, ...]:
        """The servers that have ports for a network and are not in it. Raises ParameterError where there is none."""
        nic_id = self._north_south_nic if network == NORTH_SOUTH else ""
        return servers_to_join(self._design, network, self._find, self._servers, leaf, or_else=or_else, nic_id=nic_id)

    def sharing(
        self, network: str, others: Sequence[str], leaf: SwitchType, or_else: Sequence[Member] = ()
    ) -> list[tuple[Member, ...]]:
        """The members of a network and of the others on its switches.

        Servers need no ports for the network itself where others are on it. Raises ParameterError where there is none.
        """
        found = [self.members(one, leaf) for one in others]
        try:
            return [self.members(network, leaf, or_else), *found]
        except ParameterError:
            if not found:
                raise
            return found


class FreeLeafPorts:
    """The free ports of leafs that are there, each given out once."""

    def __init__(self, design: Design, assembly: Assembly) -> None:
        self._design, self._assembly = design, assembly
        self._free: dict[str, list[Port]] = {}

    def extend(
        self, network: str, switches: Sequence[str], members: Sequence[Member], *, near: bool = False
    ) -> list[str]:
        """Join the members to the free ports of these switches; returns those that then carry the network.

        Each member is on the emptiest ones; with `near` on those that it is linked to already, where they have room.
        Raises ParameterError where there are too few ports.
        """
        leafs = [one for one in switches if self._design.device(one).role in LEAF_ROLES]
        free = self._free | {one: self._design.free_ports(one) for one in leafs if one not in self._free}
        self._free = free
        needed, ports = sum(len(one.ports) for one in members), [port for leaf in leafs for port in free[leaf]]
        n_free = sum(port_compatibility(one, members[0].ports[0]) is None for one in ports) if members else 0
        fitting: dict[str, list[Port]] = {}
        like: Port | None = None
        used: set[str] = set()
        for member in members:
            first = member.ports[0]
            if like is None or replace(first, cage=like.cage, lane=like.lane) != like:
                fitting = {leaf: [p for p in free[leaf] if port_compatibility(p, first) is None] for leaf in leafs}
                like = first
            sides = min(2, len(member.ports), len(leafs))
            on_each = math.ceil(len(member.ports) / max(1, sides))
            linked = self._linked(member.device_id) if near else set()
            rated = [(len(fitting[leaf]) < on_each, leaf not in linked, -len(fitting[leaf]), leaf) for leaf in leafs]
            chosen = [leaf for *_, leaf in sorted(rated)[:sides]]
            if not chosen or len(fitting[chosen[-1]]) < on_each:
                raise ParameterError(self._shortage(network, switches, n_free, needed))
            self._assembly.install(member.device_id, member.nics, member.nic_modes)
            for place, port in enumerate(member.ports):
                leaf = chosen[place % sides]
                taken = fitting[leaf].pop(0)
                free[leaf].remove(taken)
                used.add(leaf)
                self._assembly.link(End(member.device_id, port.name), End(leaf, taken.name))
        return self._reached(used, set(switches))

    def _shortage(self, network: str, switches: Sequence[str], n_free: int, needed: int) -> str:
        own = self._design.device(switches[0]) if switches else None
        carrier = networks_of_switch(own)[0] if own is not None else network
        wayout = (
            "delete its switches and add it again to make it larger"
            if carrier == network
            else "leave ports of the leaf switches free for it, or give it switches of its own"
        )
        return (
            f"the leaf switches of the {TITLES[carrier].lower()} network have {format_count(n_free)} ports left and "
            f"{format_count(needed)} are needed: {wayout}"
        )

    def _linked(self, device_id: str) -> set[str]:
        links = self._design.links_of(device_id)
        return {end.device_id for link in links for end in (link.a, link.b)} - {device_id}

    def _reached(self, leafs: set[str], switches: set[str]) -> list[str]:
        """The leafs and every switch that links between switches of the network join them to."""
        found, reached = sorted(leafs, key=order_key), set(leafs)
        for one in found:
            new = (self._linked(one) & switches) - reached
            reached |= new
            found += sorted(new, key=order_key)
        return found


def by_rack(design: Design, assembly: Assembly, members: Sequence[Member]) -> dict[str, list[Member]]:
    """The members by the rack they stand in, racks in their order; "" for those in none, last.

    Raises ParameterError where none stands in a rack.
    """
    found: dict[str, list[Member]] = {}
    for one in members:
        found.setdefault(rack_of(design, assembly, one.device_id), []).append(one)
    if set(found) <= {""}:
        raise ParameterError(
            "nothing stands in a rack: put the devices in racks first, or leave out the switch per rack"
        )
    return {rack: found[rack] for rack in sorted(found, key=lambda one: (not one, order_key(one) if one else (0, "")))}


def rack_of(design: Design, assembly: Assembly, device_id: str) -> str:
    """The rack that a device stands in, or is about to; "" for none."""
    there = design.placements.get(device_id)
    return (there.rack_id if there is not None else assembly.rack_of(device_id)) or ""
