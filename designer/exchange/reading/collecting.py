"""Nodes and links while a file is read: facts joined, each link once, and what was guessed or not understood."""

from dataclasses import fields, replace
from typing import Any

from designer.exchange.reading.found import FoundEnd, FoundLink, FoundNetwork, FoundNode, Guess, Spot, Unread
from designer.exchange.reading.heard import EACH, report
from designer.exchange.reading.limits import MOST_LISTED, check_size
from designer.exchange.reading.texts import is_name, is_port
from designer.model.naming import LONGEST_NAME
from designer.units import format_count, shortened

_FACTS = tuple(one.name for one in fields(FoundNode) if one.name not in ("name", "ports", "spot"))


class Collector:
    """What one file says, as it is read."""

    def __init__(self, file: str) -> None:
        self.file = file
        self._nodes: dict[str, FoundNode] = {}
        self._ports: dict[str, dict[str, None]] = {}
        self._links: dict[tuple[FoundEnd, FoundEnd], FoundLink] = {}
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
        facts = {key: value[:LONGEST_NAME] if isinstance(value, str) else value for key, value in facts.items()}
        known = self._nodes.get(name)
        if known is None:
            check_size(len(self._nodes) + 1, 0, self.file)
            stated = {key: value for key, value in facts.items() if value not in ("", None)}
            self._nodes[name], self._ports[name] = FoundNode(name, spot=spot, **stated), {}
            return
        news = {}
        for key, value in facts.items():
            old = getattr(known, key)
            if value in ("", None) or value == old:
                continue
            if old in ("", None):
                news[key] = value
            elif spot is not None and key in ("rack", "unit", "kind", "model"):
                self.unread(
                    spot,
                    f"{key} of {shortened(name)} is {shortened(str(value))} here and {shortened(str(old))} before",
                    f"the first is used, {shortened(str(old))}",
                )
        if news:
            self._nodes[name] = replace(known, **news)

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
        if (link.a, link.b) in self._links or (link.b, link.a) in self._links:
            self.repeated += 1
            return False
        check_size(0, len(self._links) + 1, self.file)
        for end in (link.a, link.b):
            self.node(end.node, spot)
            self.port(end.node, end.port)
        texts = {key: getattr(link, key)[:LONGEST_NAME] for key in ("medium", "label", "cable")}
        self._links[link.a, link.b] = replace(link, **texts)
        return True

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
        else:
            self._more_unread += 1

    def network(self) -> FoundNetwork:
        """All that was read."""
        unread = tuple(self._unread)
        if self._more_unread:
            count = format_count(self._more_unread)
            unread += (Unread(Spot(self.file), f"{count} more places were not understood", "as those before"),)
        nodes = tuple(replace(one, ports=tuple(self._ports[name])) for name, one in self._nodes.items())
        return FoundNetwork(nodes, tuple(self._links.values()), tuple(self._guesses), unread)
