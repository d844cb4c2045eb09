"""Networks as something found them: a true copy of a design, and faults that people make with cables."""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from designer.exchange.as_built.fault import (
    DEAD,
    EXTRA,
    MISSING,
    NOT_FOUND,
    SWAPPED,
    WRONG_PORT,
    WRONG_RAIL,
    WRONG_SPEED,
)
from designer.exchange.reading.found import HOST, SWITCH, FoundEnd, FoundLink, FoundNetwork, FoundNode
from designer.model.design import Design
from designer.model.entities import End, Link
from designer.model.infiniband import adapter_name, port_numbers

Namer = Callable[[Design, End], FoundEnd]


def by_design(design, end):
    """Names as the design has them."""
    return FoundEnd(design.device(end.device_id).name, end.port)


def by_adapter(design, end):
    """As ibnetdiscover has them: a node for each adapter of a server, switch ports by number."""
    ports = design.ports(end.device_id)
    number = next(n for port, n in zip(ports, port_numbers(ports), strict=True) if port.name == end.port)
    name = design.device(end.device_id).name
    if design.is_server(end.device_id):
        return FoundEnd(f"{name} {adapter_name(number)}", "1")
    return FoundEnd(name, str(number))


def by_system(design, end):
    """As neighbors say them: full domain names, ports as operating systems call them."""
    ports = [port.name for port in design.ports(end.device_id)]
    name = f"{design.device(end.device_id).name.upper()}.pod.example"
    if design.is_server(end.device_id):
        return FoundEnd(name, f"enp{ports.index(end.port) * 32 + 3}s0np0")
    cage, lane = end.port.split("/")
    return FoundEnd(name, f"swp{cage}s{int(lane) - 1}")


NAMERS: tuple[Namer, ...] = (by_design, by_adapter, by_system)


def found_of(design: Design, name: Namer = by_design, links: list[Link] | None = None) -> FoundNetwork:
    """A true copy of the design."""
    made = [
        FoundLink(
            name(design, link.a), name(design, link.b), min(design.port(end).rate_gbps for end in (link.a, link.b))
        )
        for link in (design.links.values() if links is None else links)
    ]
    return network(made, {name(design, End(one, p)).node: design.is_switch(one) for one, p in _ports(design)})


def network(links, switches) -> FoundNetwork:
    """The links and every node at one of their ends."""
    names = dict.fromkeys(end.node for link in links for end in (link.a, link.b) if end.node)
    nodes = (FoundNode(one, {True: SWITCH, False: HOST}.get(switches.get(one), "")) for one in names)
    return FoundNetwork(tuple(nodes), tuple(links))


def _ports(design) -> Iterator[tuple[str, str]]:
    for link in design.links.values():
        yield link.a.device_id, link.a.port
        yield link.b.device_id, link.b.port


@dataclass
class Site:
    """A design that people build with faults; `expected` says which fault each planned link has."""

    design: Design
    dice: random.Random
    links: dict[str, Link] = field(default_factory=dict)
    extra: list[Link] = field(default_factory=list)
    dead: list[End] = field(default_factory=list)
    rates: dict[str, float] = field(default_factory=dict)
    expected: list[tuple[str, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.links = dict(self.design.links)
        self._untouched = list(self.links)
        self._met: set[str] = set()
        self._free = {one.id: [port.name for port in self.design.free_ports(one.id)] for one in self.design.switches()}

    def _take(self, wanted=lambda link: True) -> Link:
        link = self.dice.choice([self.links[one] for one in self._untouched if wanted(self.links[one])])
        self._untouched.remove(link.id)
        return link

    def _free_port(self, device_id) -> End | None:
        free = self._free[device_id]
        if not free:
            return None
        self._met.add(device_id)
        return End(device_id, free.pop(self.dice.randrange(len(free))))

    def leaf(self, link) -> str:
        return link.b.device_id

    def at_server(self, link) -> bool:
        return self.design.is_server(link.a.device_id)

    def swap(self) -> None:
        """Two cables of one leaf, or of two leafs of one rail, or of two spines, in each other's port."""
        one = self._take()
        rail = self.design.device(self.leaf(one)).rail
        try:
            other = self._take(
                lambda link: (
                    self.at_server(link) == self.at_server(one)
                    and self.design.device(self.leaf(link)).rail == rail
                    and link.a.device_id != one.a.device_id
                )
            )
        except IndexError:
            return
        self._cross(one, other, SWAPPED)

    def cross_rails(self) -> None:
        """Two cables of one server in each other's port."""
        one = self._take(self.at_server)
        try:
            other = self._take(lambda link: link.a.device_id == one.a.device_id)
        except IndexError:
            return
        self._cross(one, other, WRONG_RAIL)

    def _cross(self, one: Link, other: Link, kind: str) -> None:
        self.links[one.id] = replace(one, b=other.b)
        self.links[other.id] = replace(other, b=one.b)
        self.expected += [(kind, one.id), (kind, other.id)]

    def miss(self) -> None:
        link = self._take()
        del self.links[link.id]
        self.expected.append((MISSING, link.id))

    def kill(self) -> None:
        """A cable that has come loose at one end: its other port is there, without a neighbor."""
        link = self._take()
        del self.links[link.id]
        self.dead.append(self.dice.choice((link.a, link.b)))
        self.expected.append((DEAD, link.id))

    def shift(self) -> None:
        """A cable in a free port of the same switch."""
        link = self._take(lambda link: bool(self._free[self.leaf(link)]))
        self.links[link.id] = replace(link, b=self._free_port(self.leaf(link)))
        self.expected.append((WRONG_PORT, link.id))

    def stray(self) -> None:
        """A server's cable in a free port of another rail's leaf."""
        link = self._take(self.at_server)
        rail = self.design.device(self.leaf(link)).rail
        others = [one.id for one in self.design.switches() if one.rail not in (None, rail) and self._free[one.id]]
        self.links[link.id] = replace(link, b=self._free_port(self.dice.choice(others)))
        self.expected.append((WRONG_RAIL, link.id))

    def add(self) -> None:
        one, other = self.dice.sample(self.design.switches(), 2)
        ends = self._free_port(one.id), self._free_port(other.id)
        if None not in ends:
            self.extra.append(Link("extra", *ends))
            self.expected.append((EXTRA, ""))

    def slow(self) -> None:
        link = self._take()
        self.rates[link.id] = 100.0
        self.expected.append((WRONG_SPEED, link.id))

    def unplug(self) -> None:
        """A device that nobody finds."""
        device = self.dice.choice([one for one in self.design.devices if self._is_untouched(one)])
        self._free[device] = []
        for link in self.design.links_of(device):
            del self.links[link.id]
            self._untouched.remove(link.id)
            self.expected.append((DEAD, link.id))
        self.expected.append((NOT_FOUND, ""))

    def _is_untouched(self, device_id) -> bool:
        return device_id not in self._met and all(
            link.id in self._untouched for link in self.design.links_of(device_id)
        )

    def found(self, name: Namer) -> FoundNetwork:
        """What is found of the site."""
        copy = found_of(self.design, name, [*self.links.values(), *self.extra])
        ids = [*self.links, *(["extra"] * len(self.extra))]
        links = [
            replace(link, rate_gbps=self.rates.get(one, link.rate_gbps))
            for one, link in zip(ids, copy.links, strict=True)
        ]
        links = [link if self.dice.random() < 0.5 else replace(link, a=link.b, b=link.a) for link in links]
        self.dice.shuffle(links)
        ports: dict[str, tuple[str, ...]] = {}
        for end in (name(self.design, one) for one in self.dead):
            ports[end.node] = (*ports.get(end.node, ()), end.port)
        nodes = {node.name: replace(node, ports=ports.get(node.name, ())) for node in copy.nodes}
        for name_, named in ports.items():
            nodes.setdefault(name_, FoundNode(name_, ports=named))
        return FoundNetwork(tuple(nodes.values()), tuple(links))


ACTS = ("swap", "cross_rails", "miss", "kill", "shift", "stray", "add", "slow", "unplug")
