"""Reads GraphML: plain as libraries write it, and with the picture of yEd."""

import math
from collections.abc import Iterator
from pathlib import Path
from xml.etree.ElementTree import Element

from designer.exchange.graphs.reading.graph_facts import A_PORT, NAME, Z_PORT, GraphReader
from designer.exchange.graphs.yed import AT_SOURCE, AT_TARGET
from designer.exchange.reading.found import FoundNetwork, ImportFailure, Spot
from designer.exchange.reading.texts import read_bytes
from designer.exchange.reading.xml_tree import LINE, parse_xml

OF_SOURCE, OF_TARGET = frozenset((AT_SOURCE, "stail")), frozenset((AT_TARGET, "ttail"))


def read(path: Path) -> FoundNetwork:
    """The devices and links of a GraphML file. Raises ImportFailure, and OSError where it cannot be read."""
    root = parse_xml(read_bytes(path), path.name, has_lines=True)
    if local(root.tag) != "graphml":
        raise ImportFailure(f"{path.name} is not GraphML: its outermost element is {local(root.tag)[:40]}")
    return _GraphMl(root, path.name).network()


def local(tag: str) -> str:
    """The name of an element without its namespace."""
    return tag.rpartition("}")[2]


def children(element: Element, name: str) -> Iterator[Element]:
    """The elements of that name directly in another."""
    return (one for one in element if local(one.tag) == name)


def spot_of(element: Element, file: str) -> Spot:
    """Where an element begins."""
    return Spot(file, row=int(element.get(LINE, "1")))


def number(text: str | None) -> float:
    """A figure of the file; not a number for what is none."""
    try:
        return float(text or "nan")
    except ValueError:
        return math.nan


class _GraphMl:
    def __init__(self, root: Element, file: str) -> None:
        self._root, self._file = root, file
        self._reader = GraphReader(file)
        self._keys = {
            key.get("id", ""): key.get("attr.name", key.get("id", ""))
            for key in children(root, "key")
            if not key.get("yfiles.type")
        }

    def network(self) -> FoundNetwork:
        """All graphs of the file as one network: those within nodes are groups of nodes."""
        edges: list[Element] = []
        for element in self._root.iter():
            name = local(element.tag)
            if name == "node":
                self._node(element)
            elif name == "edge":
                edges.append(element)
            elif name == "hyperedge":
                self._reader.collector.unread(
                    spot_of(element, self._file), "a hyperedge joins more than two nodes", "write an edge for each link"
                )
        for edge in edges:
            self._edge(edge)
        return self._reader.network()

    def _facts(self, element: Element) -> dict[str, str]:
        found: dict[str, str] = {}
        for data in children(element, "data"):
            name = self._keys.get(data.get("key", ""))
            if name and data.text:
                found.setdefault(name, data.text)
        return found

    def _node(self, node: Element) -> None:
        spot, key = spot_of(node, self._file), node.get("id", "")
        if next(children(node, "graph"), None) is not None:
            self._reader.collector.guess(
                spot, "a node that holds a graph is a group: its nodes are imported without it"
            )
            return
        if self._reader.has(key):
            self._reader.collector.unread(spot, f"a second node has the id {key[:40]!r}", "it is left out")
            return
        facts, at = self._facts(node), None
        x, y = number(facts.get("x")), number(facts.get("y"))
        if not math.isnan(x) and not math.isnan(y):
            at = x, y
        for one in node.iter():
            if local(one.tag) == "Geometry" and at is None:
                box = [number(one.get(name)) for name in ("x", "y", "width", "height")]
                at = box[0] + box[2] / 2, box[1] + box[3] / 2
            elif local(one.tag) == "NodeLabel" and one.text and one.text.strip():
                facts.setdefault(NAME, one.text.strip().split("\n")[0])
        self._reader.node(key, facts, spot, at)

    def _edge(self, edge: Element) -> None:
        spot, facts = spot_of(edge, self._file), self._facts(edge)
        a, z = edge.get("source"), edge.get("target")
        if not a or not z:
            self._reader.collector.unread(spot, "an edge has no source or no target", "it is left out")
            return
        for name, place in ((A_PORT, "sourceport"), (Z_PORT, "targetport")):
            if edge.get(place):
                facts.setdefault(name, edge.get(place, ""))
        for one in edge.iter():
            if local(one.tag) == "EdgeLabel" and one.text and one.text.strip():
                at = one.get("modelPosition", "")
                side = A_PORT if at in OF_SOURCE else Z_PORT if at in OF_TARGET else ""
                if side:
                    facts.setdefault(side, one.text.strip())
        self._reader.edge(a, z, facts, spot)
