"""The port budget of a design while links are being dealt out."""

from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence

from designer.errors import NoFreePortError, PortError, PortMismatchError
from designer.model import matching
from designer.model.design import Design
from designer.model.entities import Device, End
from designer.model.hardware.ports import MANAGEMENT, Port
from designer.model.networks import NETWORK_OF, OUT_OF_BAND, PURPOSE_OF, WORDS, network_of_switch, networks_of_switch
from designer.units import all_of, format_counted, format_rate

_Kind = tuple[float, str, tuple[str, ...], int]
_Queue = deque[tuple[int, Port]]
_Cage = tuple[str, int]
_Load = Callable[[Port], tuple[int, ...]]


class FreePorts:
    """The free, unreserved ports of devices, given out in port order, each once."""

    def __init__(self, design: Design) -> None:
        self._design = design
        self._queues: dict[tuple[str, str], dict[tuple[_Kind, int | None], _Queue]] = {}
        self._kinds: dict[tuple[object, ...], dict[_Kind, Port]] = {}
        self._joins: dict[tuple[_Kind, _Kind], bool] = {}
        self._sides: dict[tuple[int, tuple[str, ...]], tuple[Sequence[str], dict[_Kind, Port]]] = {}
        self._parts: dict[str, list[tuple[str, str, _Cage]]] = {}
        """The slot, the switch and its cage of each link of servers whose links are to share no part."""
        self._taken = 0

    def count(self, device_id: str, partner_ids: Sequence[str]) -> int:
        """Free ports of the device that match ports, free or not, of the partners."""
        purpose = self._purpose(device_id, partner_ids[0])
        matched = self._matched_kinds(device_id, partner_ids)
        return sum(len(queue) for (kind, _), queue in self._queued(device_id, purpose).items() if kind in matched)

    def matching(self, device_id: str, partner_ids: Sequence[str]) -> list[Port]:
        """The ports of the device, in use or not, that match ports, in use or not, of the partners."""
        matched = self._matched_kinds(device_id, partner_ids)
        purpose = self._purpose(device_id, partner_ids[0])
        return [port for port in self._design.ports_for(device_id, purpose) if _kind(port) in matched]

    def require(self, device_id: str, partner_ids: Sequence[str], needed: int) -> None:
        """Raises NoFreePortError or PortMismatchError where the device has fewer than `needed` free matching ports."""
        if not self._matched_kinds(device_id, partner_ids):
            raise self._mismatch(device_id, partner_ids[0])
        free = self.count(device_id, partner_ids)
        if free < needed:
            raise self._shortage(device_id, self.matching(device_id, partner_ids), free, needed)

    def take_pair(self, a_id: str, b_id: str, *, fastest: bool = False) -> tuple[End, End]:
        """The next two matching free ports, no longer free afterwards; the fastest first if asked for.

        Links of a server to a network other than compute go over its NICs in turn, and to cages of a switch that have
        none of them yet. Raises NoFreePortError, PortMismatchError.
        """
        a_queues = self._queued(a_id, self._purpose(a_id, b_id))
        b_queues = self._queued(b_id, self._purpose(b_id, a_id))
        a_rail, b_rail = self._design.device(a_id).rail, self._design.device(b_id).rail
        pairs = [
            (_off_rail(a_key, b_rail), _off_rail(b_key, a_rail), a_queue[0][0], b_queue[0][0], a_key, b_key)
            for a_key, a_queue in a_queues.items()
            for b_key, b_queue in b_queues.items()
            if self._joined(a_key[0], a_queue[0][1], b_key[0], b_queue[0][1])
        ]
        if not pairs:
            raise self._refusal(a_id, b_id)
        if fastest:  # ports that match run at one rate
            pairs.sort(key=lambda pair: -pair[4][0][0])
            pairs = [pair for pair in pairs if pair[4][0][0] == pairs[0][4][0][0]]
        *_, a_key, b_key = min(pairs, key=lambda pair: pair[:4])
        self._taken += 1
        loads = self._loads_of_pair(a_id, b_id)
        a_port, b_port = _pop(a_queues, a_key, loads.get(a_id)), _pop(b_queues, b_key, loads.get(b_id))
        for server_id, own, switch_id, far in ((a_id, a_port, b_id, b_port), (b_id, b_port, a_id, a_port)):
            if server_id in self._parts:
                self._parts[server_id].append((own.slot, switch_id, _cage(far)))
        return End(a_id, a_port.name), End(b_id, b_port.name)

    def next_for(self, device_id: str, partner_id: str, port: Port) -> Port:
        """The next free port of the device that matches that port of the partner, those of its rail first.

        Raises NoFreePortError, PortMismatchError.
        """
        purpose, rail = self._purpose(device_id, partner_id), self._design.device(partner_id).rail
        free = self._design.free_ports(device_id, purpose)
        fitting = [one for one in free if matching.port_compatibility(one, port) is None]
        if not fitting:
            raise self._refusal_of(device_id, partner_id, port)
        return min(fitting, key=lambda one: rail is not None and one.gpu is not None and one.gpu + 1 != rail)

    def _purpose(self, device_id: str, partner_id: str) -> str:
        design = self._design
        if design.is_server(partner_id):
            return "fabric"
        partner = network_of_switch(design.device(partner_id))
        if design.is_server(device_id):
            return self._purpose_on(device_id, design.device(partner_id))
        is_managed = partner == OUT_OF_BAND != network_of_switch(design.device(device_id))
        return MANAGEMENT if is_managed and design.management_ports(device_id) else "fabric"

    def _purpose_on(self, server_id: str, switch: Device) -> str:
        """What ports of the server go to the switch: those for its own network, else for one that it also carries."""
        purposes = [PURPOSE_OF[network] for network in networks_of_switch(switch)]
        if len(purposes) == 1:
            return purposes[0]
        there = {port.purpose for port in self._design.ports(server_id)}
        return next((one for one in purposes if one in there), purposes[0])

    def _loads_of_pair(self, a_id: str, b_id: str) -> dict[str, _Load]:
        """What tells of a port of either device how much of the server's links its NIC or cage carries already.

        Empty for compute, whose ports are led by rail, and where neither or both are servers.
        """
        design = self._design
        servers = [one for one in (a_id, b_id) if design.is_server(one)]
        if len(servers) != 1:
            return {}
        server_id = servers[0]
        switch_id = b_id if server_id == a_id else a_id
        if self._purpose(server_id, switch_id) == "fabric":
            return {}
        parts = self._parts.get(server_id)
        if parts is None:
            parts = self._parts[server_id] = [*self._linked_parts(server_id)]
        slots = Counter(slot for slot, _, _ in parts)
        slots_here = Counter(slot for slot, other, _ in parts if other == switch_id)
        cages = Counter(cage for _, other, cage in parts if other == switch_id)
        return {
            server_id: lambda port: (slots[port.slot], slots_here[port.slot]),
            switch_id: lambda port: (cages[_cage(port)],),
        }

    def _linked_parts(self, server_id: str) -> Iterator[tuple[str, str, _Cage]]:
        for link in self._design.links_of(server_id):
            own, far = (link.a, link.b) if link.a.device_id == server_id else (link.b, link.a)
            port, other = self._design.port(own), self._design.port(far)
            if port is not None and other is not None:
                yield port.slot, far.device_id, _cage(other)

    def _queued(self, device_id: str, purpose: str) -> dict[tuple[_Kind, int | None], _Queue]:
        found = self._queues.get((device_id, purpose))
        if found is None:
            found = self._queues[device_id, purpose] = {}
            for index, port in enumerate(self._design.free_ports(device_id, purpose)):
                found.setdefault((_kind(port), port.gpu), deque()).append((index, port))
        return found

    def _all_kinds(self, device_id: str, purpose: str) -> dict[_Kind, Port]:
        """The kinds of port the device has, in use or not, each with its first."""
        ports = self._design.ports(device_id)
        key = (
            id(ports),
            purpose,
            self._design.device(device_id).type_id,
        )  # like devices share one tuple, kept alive by the design meanwhile
        found = self._kinds.get(key)
        if found is None:
            found = self._kinds[key] = {}
            for port in self._design.ports_for(device_id, purpose):
                found.setdefault(_kind(port), port)
        return found

    def _matched_kinds(self, device_id: str, partner_ids: Sequence[str]) -> set[_Kind]:
        own = self._all_kinds(device_id, self._purpose(device_id, partner_ids[0]))
        others = self._kinds_of_side(partner_ids, device_id)
        return {
            kind
            for kind, port in own.items()
            if any(self._joined(kind, port, other, other_port) for other, other_port in others.items())
        }

    def _kinds_of_side(self, side: Sequence[str], device_id: str) -> dict[_Kind, Port]:
        """The kinds of port that any device of a side shows to the device across."""
        # What a server of the side shows depends on the networks of the device, and on nothing else of it.
        is_server = self._design.is_server(device_id)
        key = (id(side), () if is_server else networks_of_switch(self._design.device(device_id)))
        found = self._sides.get(key)
        if found is None:
            kinds: dict[_Kind, Port] = {}
            for one in side:
                kinds.update(self._all_kinds(one, self._purpose(one, device_id)))
            found = self._sides[key] = (side, kinds)  # holding the side keeps its id from being used again
        return found[1]

    def _joined(self, a_kind: _Kind, a: Port, b_kind: _Kind, b: Port) -> bool:
        found = self._joins.get((a_kind, b_kind))
        if found is None:
            found = self._joins[a_kind, b_kind] = matching.port_compatibility(a, b) is None
        return found

    def _refusal(self, a_id: str, b_id: str) -> PortError:
        for device_id, partner_id in ((a_id, b_id), (b_id, a_id)):
            if not self._matched_kinds(device_id, [partner_id]):
                return self._mismatch(device_id, partner_id)
        if self._taken:
            names = f"{self._design.device(a_id).name} and {self._design.device(b_id).name}"
            return NoFreePortError(f"{names} have too few matching free ports for all of these links")
        for device_id, partner_id in ((a_id, b_id), (b_id, a_id)):
            if not self.count(device_id, [partner_id]):
                return self._shortage(device_id, self.matching(device_id, [partner_id]), 0, 1)
        return self._mismatch(a_id, b_id)

    def _refusal_of(self, device_id: str, partner_id: str, port: Port) -> PortError:
        """Why that port of the partner finds none at the device."""
        purpose = self._purpose(device_id, partner_id)
        every = self._design.ports_for(device_id, purpose)
        if not every:
            return self._portless(device_id, purpose, partner_id)
        alike = [one for one in every if matching.port_compatibility(one, port) is None]
        if alike:
            return self._shortage(device_id, alike, 0, 1)
        first = next(iter(self._design.free_ports(device_id, purpose)), every[0])
        why = matching.explain(self._design, device_id, first, partner_id, port)
        return PortMismatchError(why or f"{self._design.device(device_id).name} has no free port that matches")

    def _mismatch(self, a_id: str, b_id: str) -> PortError:
        """The reason of the first ports of either, or which device has none at all."""
        a_kinds = self._all_kinds(a_id, self._purpose(a_id, b_id))
        b_kinds = self._all_kinds(b_id, self._purpose(b_id, a_id))
        for device_id, kinds, partner_id in ((a_id, a_kinds, b_id), (b_id, b_kinds, a_id)):
            if not kinds:
                return self._portless(device_id, self._purpose(device_id, partner_id), partner_id)
        a_queues = self._queued(a_id, self._purpose(a_id, b_id))
        b_queues = self._queued(b_id, self._purpose(b_id, a_id))
        port_a = next((queue[0][1] for queue in a_queues.values()), None) or next(iter(a_kinds.values()))
        port_b = next((queue[0][1] for queue in b_queues.values()), None) or next(iter(b_kinds.values()))
        reason = matching.explain(self._design, a_id, port_a, b_id, port_b)
        names = f"{self._design.device(a_id).name} and {self._design.device(b_id).name}"
        return PortMismatchError(reason or f"{names} have no free ports that match")

    def _portless(self, device_id: str, purpose: str, partner_id: str) -> PortError:
        name = self._design.device(device_id).name
        if self._design.is_switch(device_id):
            return NoFreePortError(f"{name} has no ports")
        if any(purpose in slot.purposes for slot in self._design.device_type(device_id).slots):
            return NoFreePortError(f"{name} has no {purpose} NIC: install one first")
        there = {port.purpose for port in self._design.ports(device_id)} - {MANAGEMENT}
        network = NETWORK_OF.get(there.pop()) if len(there) == 1 else None
        way_out = "choose another server"
        if network is not None and self._design.is_switch(partner_id):
            way_out += f", or put {self._design.device(partner_id).name} in the {WORDS[network]}"
        return NoFreePortError(f"{name} has no {purpose} NIC and no slot for one: {way_out}")

    def _shortage(self, device_id: str, ports: Sequence[Port], free: int, needed: int) -> PortError:
        """Too few of these ports of a device, in use or not, are free."""
        design = self._design
        used_names, reserved_names = design.used_ports(device_id), set(design.device(device_id).reserved_ports)
        used = sum(port.name in used_names for port in ports)
        reserved = sum(port.name in reserved_names and port.name not in used_names for port in ports)
        rates = {port.rate_gbps for port in ports}
        rate = f"{format_rate(rates.pop())} " if len(rates) == 1 else ""
        budget = f"({used} of {len(ports)} used{f', {reserved} reserved' if reserved else ''})"
        name, use = design.device(device_id).name, self._use(device_id, ports)
        others = self._others_free(device_id, ports)
        if not free:
            return NoFreePortError(f"{name} has no free {rate}port left{use} {budget}{others}")
        ports_word = "port" if free == 1 else "ports"
        has = f"{name} has {free} free {rate}{ports_word}{use} {budget}"
        return NoFreePortError(f"{has}, and {needed} are needed{others}")

    def _others_free(self, device_id: str, ports: Sequence[Port]) -> str:
        """ "; 44 ports at 800G are free": what is free of the same purpose at other rates."""
        rates, purposes = {port.rate_gbps for port in ports}, {port.purpose for port in ports}
        free = [port for purpose in sorted(purposes) for port in self._design.free_ports(device_id, purpose)]
        counts = sorted(Counter(port.rate_gbps for port in free if port.rate_gbps not in rates).items())
        if not counts:
            return ""
        words = [f"{format_counted(count, 'port')} at {format_rate(rate)}" for rate, count in counts]
        return f"; {all_of(words)} {'is' if sum(count for _, count in counts) == 1 else 'are'} free"

    def _use(self, device_id: str, ports: Sequence[Port]) -> str:
        """ " for the compute network": what these ports are for, where the device has others too."""
        purposes = {port.purpose for port in ports}
        if len(purposes) != 1 or {port.purpose for port in self._design.ports(device_id)} == purposes:
            return ""
        network = NETWORK_OF.get(min(purposes))
        return f" for the {WORDS[network]}" if network is not None and self._design.is_server(device_id) else ""


def _kind(port: Port) -> _Kind:
    """What decides whether the port joins another."""
    return port.rate_gbps, port.form_factor, port.protocols, port.ports_per_cage


def _off_rail(key: tuple[_Kind, int | None], rail: int | None) -> bool:
    """False for the port whose GPU is on the partner's rail: it goes first."""
    return rail is not None and key[1] is not None and key[1] + 1 != rail


def _cage(port: Port) -> _Cage:
    """What tells the cage of a port from the others of its device."""
    return port.slot, port.cage


def _pop(queues: dict[tuple[_Kind, int | None], _Queue], key: tuple[_Kind, int | None], load: _Load | None) -> Port:
    """Take the first port of a queue, or of those with the least load."""
    queue = queues[key]
    place = min(range(len(queue)), key=lambda place: load(queue[place][1])) if load is not None else 0
    port = queue[place][1]
    del queue[place]
    if not queue:
        del queues[key]
    return port
