"""Nodes and links while a file is read: facts joined, each link once, and what was guessed or not understood."""

from dataclasses import replace
from typing import Any

from designer.exchange.reading.found import FoundLink, FoundNetwork, FoundNode, Guess, ImportFailure, Spot, Unread
from designer.exchange.reading.heard import EACH, report
from designer.exchange.reading.limits import MOST_LISTED, MOST_PORTS, MOST_UNREAD, check_size, too_many_ports
from designer.exchange.reading.texts import is_name, is_port
from designer.model.naming import LONGEST_NAME
from designer.units import format_count, shortened


class Collector:
    """What one file says, as it is read."""

    def __init__(self, file: str) -> None:
        self.file = file
        self._nodes: dict[str, dict[str, Any]] = {}
        """What is stated of each, by name."""
        self._ports: dict[str, dict[str, None]] = {}
        self._links: dict[tuple[str, str, str, str], FoundLink] = {}
        """By the nodes and ports of their ends."""
        self._guesses: list[Guess] = []
        self._unread: list[Unread] = []
        self._more_unread = self.repeated = self._n_stated = 0

    @property
    def n_links(self) -> int:
        """Links so far."""
        return len(self._links)

    @property
    def n_nodes(self) -> int:
        """Nodes so far."""
        return len(self._nodes)

    def has_node(self, name: str) -> bool:
        """Whether a node of that name is known."""
        return name in self._nodes

    def node(self, name: str, spot: Spot | None = None, **facts: Any) -> None:
        """Add a node, or facts to one: what was stated first stays, and what differs is listed.

        A name that no device can have is passed over: `link` lists it.
        """
        self._count()
        if not is_name(name):
            return
        known = self._nodes.get(name)
        if known is None:
            check_size(len(self._nodes) + 1, 0, self.file)
            self._nodes[name], self._ports[name] = {"name": name, "spot": spot}, {}
            known = self._nodes[name]
        for key, value in facts.items():
            if value in (None, "", ()):
                continue
            stated = value[:LONGEST_NAME] if isinstance(value, str) else value
            before = known.setdefault(key, stated)
            if before != stated and spot is not None and key in ("rack", "unit", "kind", "model"):
                self.unread(
                    spot,
                    f"{key} of {shortened(name)} is {shortened(str(stated))} here and {shortened(str(before))} before",
                    f"the first is used, {shortened(str(before))}",
                )

    def port(self, node: str, port: str) -> None:
        """Note a port of a node that is known."""
        self._ports[node].setdefault(port)

    def link(self, link: FoundLink) -> bool:
        """Add a link between nodes that are known; False where it stands already, from either end, or is no link."""
        self._count()
        spot = link.spot or Spot(self.file)
        for end in (link.a, link.b):
            if not is_name(end.node) or not is_port(end.port):
                self.unread(spot, f"{shortened(end.node)} {shortened(end.port)} has a name that is empty or too long")
                return False
        if link.a == link.b:
            self.unread(spot, f"{shortened(link.a.node)} {shortened(link.a.port)} is linked to itself")
            return False
        a, b = (link.a.node, link.a.port), (link.b.node, link.b.port)
        if (*a, *b) in self._links or (*b, *a) in self._links:
            self.repeat()
            return False
        check_size(0, len(self._links) + 1, self.file)
        for end in (link.a, link.b):
            if end.node not in self._nodes:
                self.node(end.node, spot)
            ports = self._ports[end.node]
            ports.setdefault(end.port)
            if len(ports) > MOST_PORTS:
                raise ImportFailure(too_many_ports(self.file, end.node))
        if max(len(link.medium), len(link.label), len(link.cable)) > LONGEST_NAME:
            texts = {key: getattr(link, key)[:LONGEST_NAME] for key in ("medium", "label", "cable")}
            link = replace(link, **texts)
        self._links[*a, *b] = link
        return True

    def repeat(self) -> None:
        """Note a link that stands already. Raises ImportFailure where a file does hardly anything but repeat."""
        self.repeated += 1
        if self.repeated > MOST_UNREAD and self.repeated > 4 * len(self._links):
            raise ImportFailure(
                f"{self.file} repeats the same links more than {format_count(MOST_UNREAD)} times: export it again"
            )

    def _count(self) -> None:
        self._n_stated += 1
        if self._n_stated % EACH == 0:
            report(self._n_stated)

    def guess(self, spot: Spot, sentence: str) -> None:
        """List what was taken for something, and why."""
        if len(self._guesses) < MOST_LISTED:
            self._guesses.append(Guess(spot, sentence))

    def unread(self, spot: Spot, sentence: str, meant: str = "") -> None:
        """List what was not understood, and what it probably means."""
        if len(self._unread) < MOST_LISTED:
            self._unread.append(Unread(spot, sentence, meant))
            return
        self._more_unread += 1
        if self._more_unread > MOST_UNREAD and self._more_unread > 2 * (len(self._nodes) + len(self._links)):
            first = self._unread[0]
            raise ImportFailure(
                f"{self.file} is not understood in more than {format_count(MOST_UNREAD)} places, first at "
                f"{first.spot.text}: {first.sentence}: choose another format, or another file"
            )

    def network(self) -> FoundNetwork:
        """All that was read."""
        unread = tuple(self._unread)
        if self._more_unread:
            count = format_count(self._more_unread)
            unread += (Unread(Spot(self.file), f"{count} more places were not understood", "as those before"),)
        nodes = tuple(FoundNode(**one, ports=tuple(self._ports[name])) for name, one in self._nodes.items())
        return FoundNetwork(nodes, tuple(self._links.values()), tuple(self._guesses), unread)
