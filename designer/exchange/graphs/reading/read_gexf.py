"""Reads GEXF, as Gephi and libraries write it."""

import math
from pathlib import Path
from xml.etree.ElementTree import Element

from designer.exchange.graphs.reading.graph_facts import NAME, GraphReader
from designer.exchange.graphs.reading.read_graphml import children, local, number, spot_of
from designer.exchange.reading.found import FoundNetwork, ImportFailure
from designer.exchange.reading.texts import read_bytes
from designer.exchange.reading.xml_tree import parse_xml


def read(path: Path) -> FoundNetwork:
    """The devices and links of a GEXF file. Raises ImportFailure, and OSError where it cannot be read."""
    root = parse_xml(read_bytes(path), path.name, has_lines=True)
    if local(root.tag) != "gexf":
        raise ImportFailure(f"{path.name} is not GEXF: its outermost element is {local(root.tag)[:40]}")
    return _Gexf(root, path.name).network()


class _Gexf:
    def __init__(self, root: Element, file: str) -> None:
        self._root, self._file = root, file
        self._reader = GraphReader(file)
        self._titles: dict[tuple[str, str], str] = {}

    def network(self) -> FoundNetwork:
        """All nodes, also those in one another, and all edges."""
        edges: list[Element] = []
        for element in self._root.iter():
            name = local(element.tag)
            if name == "attributes":
                for one in children(element, "attribute"):
                    self._titles[element.get("class", ""), one.get("id", "")] = one.get("title", "")
            elif name == "node":
                self._node(element)
            elif name == "edge":
                edges.append(element)
        for edge in edges:
            self._edge(edge)
        return self._reader.network()

    def _facts(self, element: Element, of: str) -> dict[str, str]:
        found: dict[str, str] = {}
        for values in children(element, "attvalues"):
            for one in children(values, "attvalue"):
                title = self._titles.get((of, one.get("for", "")))
                if title:
                    found.setdefault(title, one.get("value", ""))
        return found

    def _node(self, node: Element) -> None:
        spot, key = spot_of(node, self._file), node.get("id", "")
        if self._reader.has(key):
            self._reader.collector.unread(spot, f"a second node has the id {key[:40]!r}", "it is left out")
            return
        facts, at = self._facts(node, "node"), None
        if node.get("label"):
            facts.setdefault(NAME, node.get("label", ""))
        for place in children(node, "position"):
            x, y = number(place.get("x")), -number(place.get("y"))
            at = None if math.isnan(x) or math.isnan(y) else (x, y)
        self._reader.node(key, facts, spot, at)

    def _edge(self, edge: Element) -> None:
        spot = spot_of(edge, self._file)
        a, z = edge.get("source"), edge.get("target")
        if not a or not z:
            self._reader.collector.unread(spot, "an edge has no source or no target", "it is left out")
            return
        self._reader.edge(a, z, self._facts(edge, "edge"), spot)
