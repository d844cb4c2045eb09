"""Reads DOT: plain graphs of Graphviz, and those of Cumulus PTM and NVIDIA's Cable Validation Tool with their ports."""

import math
from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from designer.exchange.graphs.reading.dot_tokens import Token, tokens
from designer.exchange.graphs.reading.graph_facts import A_PORT, NAME, Z_PORT, GraphReader
from designer.exchange.graphs.reading.read_graphml import number
from designer.exchange.reading.found import FoundNetwork, ImportFailure, Spot
from designer.exchange.reading.limits import MOST_DEPTH, MOST_LINKS, MOST_PORTS, too_many_ports
from designer.exchange.reading.texts import read_text
from designer.units import format_count

COMPASS = frozenset(("n", "ne", "e", "se", "s", "sw", "w", "nw", "c", "_"))
DEFAULTS = ("node", "edge", "graph")
END = Token("", 0, True, False)

Facts = dict[str, str]


def read(path: Path) -> FoundNetwork:
    """The devices and links of a DOT file. Raises ImportFailure, and OSError where it cannot be read."""
    return _Parser(read_text(path), path.name).network()


@dataclass(frozen=True, slots=True)
class _End:
    """One end of an edge: nodes, each with the port that is named for it."""

    nodes: tuple[tuple[str, str], ...]


@dataclass(slots=True)
class _Scope:
    """The defaults and names within one block of braces."""

    node: Facts = field(default_factory=dict)
    edge: Facts = field(default_factory=dict)
    names: dict[str, None] = field(default_factory=dict)
    """Nodes that were named in it."""


class _Parser:
    def __init__(self, text: str, file: str) -> None:
        self._file = file
        self._tokens = tokens(text, file)
        self._next = next(self._tokens, END)
        self._reader = GraphReader(file)
        self._nodes: dict[str, tuple[Facts, int]] = {}
        self._edges: list[tuple[str, str, Facts, int]] = []
        self._degrees: Counter[str] = Counter()
        self._line = 1

    def network(self) -> FoundNetwork:
        """The first graph of the file."""
        if self._is_word("strict"):
            self._take()
        if not (self._is_word("graph") or self._is_word("digraph")):
            raise ImportFailure(f"{self._file} is not DOT: it begins with neither graph nor digraph")
        self._take()
        if not self._next.is_sign:
            self._take()
        self._block(_Scope(), 0)
        for name, (facts, line) in self._nodes.items():
            self._node(name, facts, line)
        for a, z, facts, line in self._edges:
            self._reader.edge(a, z, facts, Spot(self._file, row=line))
        return self._reader.network()

    def _node(self, name: str, facts: Facts, line: int) -> None:
        at = None
        x, _, y = facts.get("pos", "").rstrip("!").partition(",")
        place = number(x), -number(y.split(",")[0])
        if not any(map(math.isnan, place)):
            at = place
        stated = {key: text for key, text in facts.items() if key != "label"}
        self._reader.node(name, {NAME: name, **stated}, Spot(self._file, row=line), at)

    # -- statements -----------------------------------------------------------------------------------------------

    def _block(self, scope: _Scope, depth: int) -> None:
        """Everything between two braces."""
        if depth > MOST_DEPTH:
            raise ImportFailure(f"{self._file}, line {self._line}: braces are nested more than {MOST_DEPTH} deep")
        self._expect("{")
        while not self._is_sign("}"):
            if self._next is END:
                raise ImportFailure(f"{self._file} ends before its last brace")
            if self._is_sign(";"):
                self._take()
            else:
                self._statement(scope, depth)
        self._take()

    def _statement(self, scope: _Scope, depth: int) -> None:
        line = self._next.line
        if any(self._is_word(one) for one in DEFAULTS):
            word = self._take().text.lower()
            facts = self._attributes()
            if word != "graph":
                getattr(scope, word).update(facts)
            return
        first = self._end(scope, depth)
        if self._is_sign("="):  # a fact of the graph
            self._take()
            self._take_word()
            for name, _ in first.nodes:
                self._forget(scope, name)
            return
        ends = [first]
        while self._is_sign("--") or self._is_sign("->"):
            self._take()
            ends.append(self._end(scope, depth))
        facts = self._attributes()
        if len(ends) == 1:
            for name, _ in first.nodes:
                if name in self._nodes:
                    self._nodes[name][0].update(facts)
            return
        for a, z in pairwise(ends):
            self._edge(a, z, {**scope.edge, **facts}, line)

    def _forget(self, scope: _Scope, name: str) -> None:
        """Take back a node that was the name of a fact."""
        if scope.names.pop(name, 0) is None and self._nodes.get(name, (None, -1))[1] == self._line:
            del self._nodes[name]

    def _edge(self, a: _End, z: _End, facts: Facts, line: int) -> None:
        if len(self._edges) + len(a.nodes) * len(z.nodes) > MOST_LINKS:
            raise ImportFailure(
                f"{self._file}, line {line}: there are more than {format_count(MOST_LINKS)} links: import it in parts"
            )
        for first, a_port in a.nodes:
            self._degrees[first] += len(z.nodes)
            if self._degrees[first] > MOST_PORTS:
                raise ImportFailure(too_many_ports(self._file, first))
            for other, z_port in z.nodes:
                ports = {A_PORT: a_port, Z_PORT: z_port}
                self._edges.append((first, other, {**facts, **{key: one for key, one in ports.items() if one}}, line))

    def _end(self, scope: _Scope, depth: int) -> _End:
        """A node with or without its port, or all nodes of a subgraph."""
        if self._is_word("subgraph"):
            self._take()
            if not self._next.is_sign:
                self._take()
            if not self._is_sign("{"):
                return _End(())
        if self._is_sign("{"):
            inner = _Scope(dict(scope.node), dict(scope.edge))
            self._block(inner, depth + 1)
            scope.names.update(inner.names)
            return _End(tuple((name, "") for name in inner.names))
        name, port = self._take_word().text, ""
        while self._is_sign(":"):
            self._take()
            word = self._take_word()
            if not (word.is_plain and word.text in COMPASS):
                port = port or word.text
        if name not in self._nodes:
            self._nodes[name] = dict(scope.node), self._line
        scope.names.setdefault(name)
        return _End(((name, port),))

    def _attributes(self) -> Facts:
        """What stands in brackets."""
        found: Facts = {}
        while self._is_sign("["):
            self._take()
            while not self._is_sign("]"):
                if self._is_sign(";") or self._is_sign(","):
                    self._take()
                    continue
                name = self._take_word().text
                if self._is_sign("="):
                    self._take()
                    found[name] = self._take_word().text
            self._take()
        return found

    # -- tokens ---------------------------------------------------------------------------------------------------

    def _is_sign(self, text: str) -> bool:
        return self._next.is_sign and self._next.text == text

    def _is_word(self, text: str) -> bool:
        return self._next.is_plain and not self._next.is_sign and self._next.text.lower() == text

    def _take(self) -> Token:
        token = self._next
        if token is not END:
            self._line = token.line
        self._next = next(self._tokens, END)
        return token

    def _take_word(self) -> Token:
        """A word; of quoted ones with a plus between all together."""
        token = self._take()
        if token.is_sign:
            raise self._unexpected(token)
        while self._is_sign("+"):
            self._take()
            more = self._take()
            if more.is_sign:
                raise self._unexpected(more)
            token = token._replace(text=token.text + more.text)
        return token

    def _expect(self, sign: str) -> None:
        token = self._take()
        if not token.is_sign or token.text != sign:
            raise self._unexpected(token, f", where {sign} should stand")

    def _unexpected(self, token: Token, more: str = "") -> ImportFailure:
        if token is END:
            return ImportFailure(f"{self._file} ends in the middle of a statement")
        return ImportFailure(f"{self._file}, line {token.line}: {token.text[:20]!r} is not expected here{more}")
