"""Nodes and edges of any graph as devices and links: facts known by many names, ports numbered where none is named."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count

from designer.errors import ParameterError
from designer.exchange.graphs.link_runs import ListedLink, read_line
from designer.exchange.reading.collecting import Collector
from designer.exchange.reading.found import HOST, SWITCH, FoundEnd, FoundLink, FoundNetwork, ImportFailure, Spot
from designer.exchange.reading.limits import LONGEST_PORT, MOST_LINKS
from designer.exchange.reading.texts import clean
from designer.model.limits import GROUP_DEPTH_MOST
from designer.model.naming import LONGEST_NAME
from designer.model.networks import NETWORKS
from designer.units import format_count, format_counted, parse_length, parse_rate, shortened

NAME, KIND, MODEL, ROLE, RACK, UNIT = "name", "kind", "model", "role", "rack", "unit"
GROUP, RAIL, PLANE, SCALABLE_UNIT = "group_path", "rail", "plane", "scalable_unit"
WITHIN = " / "
"""Stands between the groups of a path, the outermost first."""
A_PORT, Z_PORT, RATE, MEDIUM, LENGTH, LABEL, NETWORK, CABLE, LINKS, COUNT = (
    "a_port",
    "z_port",
    "rate_gbps",
    "medium",
    "length_m",
    "link_label",
    "network",
    "cable",
    "links",
    "count",
)
OF_NODES: Mapping[str, tuple[str, ...]] = {
    NAME: ("name", "hostname", "label"),
    KIND: ("kind", "nodetype", "devicekind", "category"),
    MODEL: ("type", "devicetype", "model", "hwsku", "platform"),
    ROLE: ("role", "function"),
    RACK: ("rack", "rackname"),
    UNIT: ("unit", "ru", "u", "rackunit", "position"),
    GROUP: ("grouppath",),
    RAIL: ("rail",),
    PLANE: ("plane",),
    SCALABLE_UNIT: ("scalableunit",),
}
"""What graphs call a fact of a node, in small letters and digits, the likeliest name first."""
OF_EDGES: Mapping[str, tuple[str, ...]] = {
    A_PORT: ("aport", "sourceport", "srcport", "porta", "taillabel", "localport", "sourceinterface", "tailport"),
    Z_PORT: ("zport", "targetport", "dstport", "portb", "headlabel", "remoteport", "targetinterface", "headport"),
    RATE: ("rategbps", "speedgbps", "bandwidthgbps", "rate", "speed", "bandwidth"),
    MEDIUM: ("medium", "cabletype"),
    LENGTH: ("lengthm", "length"),
    LABEL: ("linklabel",),
    NETWORK: ("network",),
    CABLE: ("cable", "cableid"),
    LINKS: ("links",),
    COUNT: ("count",),
}
SWITCH_WORDS = frozenset(
    ("switch", "leaf", "spine", "superspine", "core", "tor", "aggregation", "router", "borderleaf")
)
HOST_WORDS = frozenset(("server", "host", "gpu", "compute", "gpuserver", "storage", "hca", "endpoint"))
ROLES = {"superspine": "core", "tor": "leaf"}
"""Roles by other names."""
MOST_OF_EDGE = 10_000
"""Links that one edge may stand for."""
MOST_DIGITS = 6
"""Of the number of a rail, plane or unit."""
BETWEEN = " -- "
"""Stands between the two ports of a link in the list of a bundle."""

Finder = Callable[[str], str | None]
"""The key of a device by its name; None where there is none."""


def plain(name: str) -> str:
    """A name of a fact in small letters and digits: "aport" of "A_Port"."""
    return "".join(filter(str.isalnum, name)).casefold()


def known(facts: Mapping[str, str], names: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    """The facts by our names, each the first that is there and says something."""
    stated: dict[str, str] = {}
    for name, text in facts.items():
        stated.setdefault(plain(name), text)
    found: dict[str, str] = {}
    if not stated:
        return found
    for ours, theirs in names.items():
        text = next((cleaned for one in theirs if one in stated and (cleaned := clean(stated[one]))), "")
        if text:
            found[ours] = text
    return found


class GraphReader:
    """Makes a network of the nodes and edges of one file; nodes have keys that only the file knows."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.collector = Collector(file)
        self._name_of: dict[str, str] = {}
        self._twins: dict[str, int] = {}
        self._numbers: dict[str, Iterator[int]] = {}
        self._taken: dict[str, set[str]] = {}
        self._pending: list[tuple[FoundLink, FoundEnd, FoundEnd]] = []
        self._n_numbered = 0
        self._odd: set[str] = set()

    # -- nodes ----------------------------------------------------------------------------------------------------

    def has(self, key: str) -> bool:
        """Whether the file has a node of that key."""
        return key in self._name_of

    def node(
        self, key: str, facts: Mapping[str, str], spot: Spot, at: tuple[float, float] | None = None, kind: str = ""
    ) -> None:
        """Add a node; `at` is its middle, y down, and `kind` what it is taken for where no fact says it."""
        stated = known(facts, OF_NODES)
        if plain(stated.get(MODEL, "")) in SWITCH_WORDS | HOST_WORDS:  # "type" of many graphs is a kind
            stated.setdefault(KIND, stated.pop(MODEL))
        role = stated.get(ROLE, "")
        x, y = at if at is not None and all(map(math.isfinite, at)) else (None, None)
        self.collector.node(
            self._named(key, stated.get(NAME, ""), spot),
            spot,
            kind=_kind(stated.get(KIND, ""), role) or kind,
            model=stated.get(MODEL, ""),
            role=ROLES.get(plain(role), role) if plain(role) not in ("switch", *HOST_WORDS) else "",
            rack=stated.get(RACK, "")[:LONGEST_NAME],
            unit=self._unit(stated.get(UNIT, ""), spot),
            x=x,
            y=y,
            group=_path(stated.get(GROUP, "")),
            **{name: _place(stated.get(name, "")) for name in (RAIL, PLANE, SCALABLE_UNIT)},
        )

    def _named(self, key: str, name: str, spot: Spot) -> str:
        """The name of a key: its own, or with a number where another node has it."""
        own = (name or clean(key) or "node")[:LONGEST_NAME]
        made = own
        while self.collector.has_node(made):
            self._twins[own] = self._twins.get(own, 1) + 1
            made = f"{own[: LONGEST_NAME - 8]}_{self._twins[own]}"
        if made != own:
            self.collector.guess(spot, f"a second node is called {shortened(own)}: it is imported as {shortened(made)}")
        self._name_of[key] = made
        return made

    def _unit(self, text: str, spot: Spot) -> int | None:
        if not text:
            return None
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if 1 <= value <= 1000 and value == int(value):
            return int(value)
        self._say_once(spot, f"unit {shortened(text)} is not the number of a rack unit", "the unit is left open")
        return None

    # -- edges ----------------------------------------------------------------------------------------------------

    def edge(self, a: str, z: str, facts: Mapping[str, str], spot: Spot, label: str = "") -> None:
        """Add the links of an edge between two keys; nodes that only edges name are made.

        A `label` is in place of those that its links have.
        """
        for key in (a, z):
            if key not in self._name_of:
                self.node(key, {}, spot)
        stated = known(facts, OF_EDGES)
        labelled = {LABEL: label} if label else {}
        link = self._link(a, z, stated | labelled, spot)
        for a_port, z_port, own in self._pairs(facts, stated, spot):
            self._add(self._link(a, z, {**stated, **own, **labelled}, spot) if own else link, a_port, z_port)

    def listed(
        self, a: Finder, z: Finder, facts: Mapping[str, str], spot: Spot, label: str = ""
    ) -> tuple[list[str], int]:
        """Add the links of an edge that lists their devices too; names that an end does not know, and how many links.

        `a` and `z` give the keys of devices by their names at either end of the edge. A `label` is as for `edge`.
        """
        stated, missing, n_links = known(facts, OF_EDGES), list[str](), 0
        labelled = {LABEL: label} if label else {}
        for one in self._lines(_listed_in(facts), spot):
            n_links += 1
            a_key, z_key = a(one.a_device), z(one.z_device)
            if a_key is None or z_key is None:
                missing.append(one.a_device if a_key is None else one.z_device)
                continue
            own = known(one.facts, OF_EDGES)
            self._add(self._link(a_key, z_key, stated | own | labelled, spot), clean(one.a_port), clean(one.z_port))
        return missing, n_links

    def _link(self, a: str, z: str, stated: Mapping[str, str], spot: Spot) -> FoundLink:
        return FoundLink(
            FoundEnd(self._name_of[a], ""),
            FoundEnd(self._name_of[z], ""),
            rate_gbps=self._rate(stated.get(RATE, ""), spot),
            medium=stated.get(MEDIUM, ""),
            length_m=self._length(stated.get(LENGTH, ""), spot),
            label=stated.get(LABEL, ""),
            network=stated.get(NETWORK, "") if stated.get(NETWORK) in NETWORKS else "",
            cable=stated.get(CABLE, ""),
            spot=spot,
        )

    def _pairs(
        self, facts: Mapping[str, str], stated: Mapping[str, str], spot: Spot
    ) -> Iterator[tuple[str, str, Mapping[str, str]]]:
        """The ports of each link that an edge between two devices stands for, and what is stated of it alone."""
        listed = _listed_in(facts)
        if listed:
            for one in self._lines(listed, spot, has_devices=False):
                yield clean(one.a_port), clean(one.z_port), known(one.facts, OF_EDGES)
            return
        n_links = self._count(stated.get(COUNT, ""), spot)
        ports = stated.get(A_PORT, ""), stated.get(Z_PORT, "")
        for _ in range(n_links):
            yield *(ports if n_links == 1 else ("", "")), {}

    def _lines(self, listed: str, spot: Spot, *, has_devices: bool = True) -> Iterator[ListedLink]:
        """The links of a list; lines that are none are reported."""
        for line in listed.split("\n"):
            found: Sequence[ListedLink] = read_line(line) or ()
            if not has_devices and (not found or found[0].a_device or found[0].z_device):  # ports that have blanks
                a_port, between, z_port = line.partition(BETWEEN)
                found = (ListedLink("", a_port, "", z_port, {}),) if between and BETWEEN not in z_port else ()
            yield from found
            if not found and line.strip():
                self.collector.unread(
                    spot, f"{shortened(line)} is not two ports", f"two ports with {BETWEEN.strip()} between"
                )

    def _count(self, text: str, spot: Spot) -> int:
        if not text:
            return 1
        number = text.strip()
        if not (number.isascii() and number.isdigit()) or not number.strip("0"):
            self._say_once(spot, f"count {shortened(text)} is not a number of links", "one link is imported")
            return 1
        if len(number.lstrip("0")) > len(str(MOST_OF_EDGE)) or int(number) > MOST_OF_EDGE:
            raise ImportFailure(
                f"{spot.text}: an edge stands for {shortened(number)} links, and {format_count(MOST_OF_EDGE)} are the "
                "most that one can stand for: correct its count"
            )
        return int(number)

    def _add(self, link: FoundLink, a_port: str, z_port: str) -> None:
        if len(self._pending) >= MOST_LINKS:
            raise ImportFailure(f"{self.file} has more than {format_count(MOST_LINKS)} links: import it in parts")
        ends = []
        for end, port in ((link.a, a_port), (link.b, z_port)):
            named = port[:LONGEST_PORT]
            if named:
                self._taken.setdefault(end.node, set()).add(named)
            ends.append(FoundEnd(end.node, named))
        self._pending.append((link, ends[0], ends[1]))

    def _rate(self, text: str, spot: Spot) -> float | None:
        if not text:
            return None
        try:
            return parse_rate(text)
        except ParameterError:
            self._say_once(spot, f"{shortened(text)} is not a rate", "a rate such as 400G; the ports' own is used")
            return None

    def _length(self, text: str, spot: Spot) -> float | None:
        if not text:
            return None
        try:
            length = parse_length(text)
        except ParameterError:
            self._say_once(spot, f"{shortened(text)} is not a length", "meters, such as 2.5; it is left open")
            return None
        return length

    def _say_once(self, spot: Spot, sentence: str, meant: str) -> None:
        if sentence not in self._odd:
            self._odd.add(sentence)
            self.collector.unread(spot, sentence, meant)

    # -- the network ----------------------------------------------------------------------------------------------

    def network(self) -> FoundNetwork:
        """All that was read. Raises ImportFailure where the file has no node."""
        if not self.collector.n_nodes:
            raise ImportFailure(f"{self.file} has no device: it needs nodes, and edges for their links")
        for link, a, z in self._pending:
            self.collector.link(replace(link, a=self._numbered(a), b=self._numbered(z)))
        if self._n_numbered:
            ends = format_counted(self._n_numbered, "end")
            self.collector.guess(
                Spot(self.file), f"{ends} of links name no port: they are numbered in the order of the file"
            )
        return self.collector.network()

    def _numbered(self, end: FoundEnd) -> FoundEnd:
        """The end with a port: the next number where none is named."""
        return end if end.port else FoundEnd(end.node, self._next(end.node))

    def _next(self, node: str) -> str:
        """The next number that no named port of the node has."""
        self._n_numbered += 1
        taken = self._taken.get(node, ())
        return next(str(one) for one in self._numbers.setdefault(node, count(1)) if str(one) not in taken)


def _listed_in(facts: Mapping[str, str]) -> str:
    """The list of links among facts, line by line."""
    return next((text for name, text in facts.items() if plain(name) == LINKS), "")


def _path(text: str) -> tuple[str, ...]:
    """The groups of a path by name, as deep as groups may lie in one another."""
    names = (clean(one)[:LONGEST_NAME] for one in text.split(WITHIN))
    return tuple(filter(None, names))[:GROUP_DEPTH_MOST]


def _place(text: str) -> int | None:
    """The number of a rail, plane or unit; None for what is none, since others call other things so."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS else None


def _kind(kind: str, role: str) -> str:
    for word in (plain(kind), plain(role)):
        if word in SWITCH_WORDS:
            return SWITCH
        if word in HOST_WORDS:
            return HOST
    return ""
