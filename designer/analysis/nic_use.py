"""Which NIC ports the servers of a fabric use, and where the ports of their like lead."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from designer.analysis import connectivity
from designer.analysis.survey import Survey
from designer.model.entities import Device, order_key
from designer.model.hardware.ports import Port
from designer.model.hardware.servers import ServerType
from designer.model.networks import COMPUTE, PURPOSE_OF, network_of_switch

FABRIC = PURPOSE_OF[COMPUTE]

Kind = tuple[int, str]
"""The component of the fabric that a server is in, and its type."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A port without a cable, and the leaf switches its cable may go to, the likeliest first."""

    port: Port
    leafs: tuple[str, ...]


class NicUse:
    """How the compute NICs of servers with GPUs are cabled.

    A port counts as built where at least half of the servers alike (of the same type, in the same part of the fabric)
    have it cabled to a switch, or where a leaf switch of the server's unit states the rail and plane of the port.
    """

    def __init__(self, surveyed: Survey) -> None:
        self._survey = surveyed
        self._design = surveyed.design

    @cached_property
    def switches(self) -> dict[str, dict[str, str]]:
        """By server, the switch that each cabled fabric port leads to; servers without any cable are left out."""
        found: dict[str, dict[str, str]] = {}
        servers = {server.id for server in self._survey.servers}
        for run in self._survey.own_runs:
            end, other = run.low, run.high
            if end.device_id in servers and other.device_id not in servers:
                found.setdefault(end.device_id, {})[end.port] = other.device_id
        return found

    @cached_property
    def alike(self) -> dict[str, Kind]:
        """The kind of each server that has GPUs and a cable."""
        found = {}
        for number, part in enumerate(connectivity.components(self._survey)):
            for one in part:
                if one in self.switches and self.gpus(one):
                    found[one] = (number, self._design.device(one).type_id)
        return found

    @cached_property
    def cabled(self) -> dict[Kind, Counter[str]]:
        """How many servers of a kind have each port cabled to a switch."""
        found: dict[Kind, Counter[str]] = {}
        for one, kind in self.alike.items():
            found.setdefault(kind, Counter()).update(self.switches[one].keys())
        return found

    @cached_property
    def sizes(self) -> Counter[Kind]:
        """How many servers there are of each kind."""
        return Counter(self.alike.values())

    @cached_property
    def _leafs_of_rail(self) -> dict[int, list[Device]]:
        found: dict[int, list[Device]] = {}
        for switch in self._survey.switches:
            if switch.rail is not None and network_of_switch(switch) == COMPUTE:
                found.setdefault(switch.rail, []).append(switch)
        return found

    @cached_property
    def _servers_below(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for one in self.alike:
            for leaf in dict.fromkeys(self.switches[one].values()):
                found.setdefault(leaf, []).append(one)
        return found

    def gpus(self, server_id: str) -> int:
        """How many GPUs the type of a server has; 0 for a switch."""
        type_ = self._design.device_type(server_id)
        return type_.gpus if isinstance(type_, ServerType) else 0

    def servers(self) -> Iterator[Device]:
        """Servers with GPUs and a cable in the compute network, in design order."""
        return (self._design.device(one) for one in sorted(self.alike, key=order_key))

    def missing(self, server: Device) -> list[Wanted]:
        """Its fabric ports that have no cable and are built."""
        bare = self._bare(server)
        return [Wanted(port, self.leafs(server, port)) for port in bare if self.is_built(server, port)]

    def idle(self) -> Iterator[tuple[list[Device], list[Port]]]:
        """For each kind the servers with NICs that have no cable and are not built, and all the ports of these NICs.

        A NIC with a cable may have free ports. Where a fabric was generated as one plane alone, NICs may be free too.
        """
        found: dict[Kind, tuple[list[Device], list[Port]]] = {}
        for server in self.servers():
            bare = self._bare(server)
            if not bare or self._is_of_one_plane(server):
                continue
            used = self._design.used_ports(server.id)
            in_use = {port.slot for port in self._design.ports(server.id) if port.name in used}
            idle = [port for port in bare if port.slot not in in_use and not self.is_built(server, port)]
            if idle:
                servers, ports = found.setdefault(self.alike[server.id], ([], []))
                servers.append(server)
                ports += idle
        yield from found.values()

    def _bare(self, server: Device) -> list[Port]:
        """Its fabric ports that have no cable and are not reserved."""
        used, reserved = self._design.used_ports(server.id), server.reserved_ports
        return [
            port
            for port in self._design.ports(server.id)
            if port.purpose == FABRIC and port.name not in used and port.name not in reserved
        ]

    def _is_of_one_plane(self, server: Device) -> bool:
        """Whether a group that the server is in was generated as one plane of several, the others left out."""
        above = server.group_id
        while above is not None:
            group = self._design.groups[above]
            if group.recipe is not None and any(name == "only_plane" for name, _ in group.recipe.parameters):
                return True
            above = group.parent_id
        return False

    def is_built(self, server: Device, port: Port) -> bool:
        """Whether half of the servers alike have the port cabled, or a leaf switch states its rail and plane.

        Raises KeyError for a server without GPUs or without any cable.
        """
        kind = self.alike[server.id]
        return 2 * self.cabled[kind][port.name] >= self.sizes[kind] or bool(self._stated(server, port))

    def leafs(self, server: Device, port: Port) -> tuple[str, ...]:
        """Where the same port of the servers leads that share a leaf switch with this one, most of them first.

        Then the leaf switches that state the rail and plane.
        """
        kind, own = self.alike[server.id], dict.fromkeys(self.switches[server.id].values())
        mates = dict.fromkeys(mate for leaf in own for mate in self._servers_below.get(leaf, ()))
        counts = Counter(
            self.switches[mate][port.name]
            for mate in mates
            if mate != server.id and self.alike[mate] == kind and port.name in self.switches[mate]
        )
        near = sorted(counts, key=lambda leaf: (-counts[leaf], order_key(leaf)))
        return tuple(dict.fromkeys((*near, *self._stated(server, port))))

    def _stated(self, server: Device, port: Port) -> list[str]:
        """Leaf switches in the server's unit that state the rail of the port's GPU, and its plane."""
        if port.gpu is None:
            return []
        found = [leaf for leaf in self._leafs_of_rail.get(port.gpu + 1, []) if leaf.unit in (None, server.unit)]
        planes = {leaf.plane for leaf in found}
        if len(planes) > 1:
            number, ports = self._number_in_nic(server.id, port)
            if ports != len(planes):
                return []
            found = [leaf for leaf in found if leaf.plane == number]
        return [leaf.id for leaf in found]

    def _number_in_nic(self, server_id: str, port: Port) -> tuple[int, int]:
        """The number of a port among those of its NIC, from 1, and how many these are."""
        names = [one.name for one in self._design.ports(server_id) if one.slot == port.slot]
        return (names.index(port.name) + 1 if port.name in names else 0), len(names)
