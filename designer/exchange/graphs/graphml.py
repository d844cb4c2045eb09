"""Graphs as GraphML, for whatever reads graphs.

Ports stand in the attributes that the format has for them and as data too, since many readers know data alone. No node
declares its ports: networkx warns of each one that does. Source:
graphml.graphdrawing.org, "GraphML Primer" and the schema graphml-structure.xsd.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

from designer.exchange.graphs.drawing import drawn
from designer.exchange.graphs.drawn import Drawn, Edge
from designer.exchange.graphs.facts import (
    BOX_FACTS,
    EDGE_FACTS,
    INTEGER,
    NUMBER,
    PLACE_FACTS,
    STRING,
    Fact,
    known,
)
from designer.exchange.plan_options import NetworkOptions
from designer.exchange.xml_text import escaped, quoted
from designer.model.design import Design

NAMESPACE = "http://graphml.graphdrawing.org/xmlns"
SCHEMA = "http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd"
TYPES = {STRING: "string", INTEGER: "int", NUMBER: "double"}
T = TypeVar("T")
_NMTOKEN = re.compile(r"[A-Za-z0-9._:-]+")
"""What the schema lets the attributes for ports be; others stand in the data alone."""


def write_graphml(design: Design, path: Path, options: NetworkOptions) -> None:
    """Write the graph. Raises ExportError, and OSError where it cannot be written."""
    path.write_bytes(graphml_text(drawn(design, options.networks)).encode())


def graphml_text(made: Drawn) -> str:
    """The plain graph: facts, and places as data."""
    node_facts = (*BOX_FACTS, *PLACE_FACTS)
    lines = [
        *head(),
        *keys("node", "n", node_facts),
        *keys("edge", "e", EDGE_FACTS),
        '  <graph id="G" edgedefault="undirected">',
    ]
    for box in made.boxes:
        lines += (f"    <node id={quoted(box.id)}>", *data("n", node_facts, box), "    </node>")
    for edge in made.edges:
        lines += (f"    <edge{ends(made, edge)}>", *data("e", EDGE_FACTS, edge), "    </edge>")
    return "\n".join((*lines, "  </graph>", "</graphml>", ""))


def head(more: str = "") -> tuple[str, str]:
    """The first lines of a file, with these namespaces too."""
    return (
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<graphml xmlns="{NAMESPACE}"{more} xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" '
        f'xsi:schemaLocation="{NAMESPACE} {SCHEMA}">',
    )


def keys(of: str, prefix: str, facts: tuple[Fact[T], ...]) -> Iterator[str]:
    """What the data of nodes or edges mean."""
    for fact in facts:
        kind = TYPES[fact.kind]
        yield f'  <key id="{prefix}_{fact.name}" for="{of}" attr.name="{fact.name}" attr.type="{kind}"/>'


def data(prefix: str, facts: tuple[Fact[T], ...], of: T) -> Iterator[str]:
    """The facts that there are."""
    for name, text in known(facts, of).items():
        yield f'      <data key="{prefix}_{name}">{escaped(text)}</data>'


def ends(made: Drawn, edge: Edge, *, has_ports: bool = True) -> str:
    """The attributes of an edge: its id, its nodes and their ports."""
    found = f" id={quoted(edge.id)} source={quoted(made.boxes[edge.a].id)} target={quoted(made.boxes[edge.z].id)}"
    for name, port in (("sourceport", edge.a_port), ("targetport", edge.z_port)) if has_ports else ():
        if _NMTOKEN.fullmatch(port):
            found += f' {name}="{port}"'
    return found
