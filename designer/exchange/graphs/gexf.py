"""Graphs as GEXF 1.2, for Gephi: facts, places and colors.

Written here and not with networkx, which adds the date of the day and its own version. Source: gexf.net, "GEXF 1.2draft
Primer".
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TypeVar

from designer.drawing.theme import rgb
from designer.exchange.graphs.drawing import drawn
from designer.exchange.graphs.drawn import Box, Drawn, Edge
from designer.exchange.graphs.facts import BOX_FACTS, EDGE_FACTS, INTEGER, NUMBER, STRING, Fact, known
from designer.exchange.plan_options import NetworkOptions
from designer.exchange.xml_text import escaped, plain, quoted
from designer.model.design import Design

NAMESPACE = "http://www.gexf.net/1.2draft"
TYPES = {STRING: "string", INTEGER: "integer", NUMBER: "double"}
T = TypeVar("T")
SIZES = {"switch": 20, "server": 14}


def write_gexf(design: Design, path: Path, options: NetworkOptions) -> None:
    """Write the graph. Raises ExportError, and OSError where it cannot be written."""
    path.write_bytes(gexf_text(drawn(design, options.networks)).encode())


def gexf_text(made: Drawn) -> str:
    """The graph; y is up there, and down on the canvas."""
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<gexf xmlns="{NAMESPACE}" xmlns:viz="{NAMESPACE}/viz" version="1.2">',
        f"  <meta><creator>Fabric Designer</creator><description>{escaped(made.title)}</description></meta>",
        '  <graph mode="static" defaultedgetype="undirected">',
        *_attributes("node", BOX_FACTS[1:]),
        *_attributes("edge", EDGE_FACTS),
        "    <nodes>",
    ]
    for box in made.boxes:
        lines += _node(box)
    lines += ("    </nodes>", "    <edges>")
    for edge in made.edges:
        lines += _edge(made, edge)
    return "\n".join((*lines, "    </edges>", "  </graph>", "</gexf>", ""))


def _attributes(of: str, facts: Iterable[Fact[T]]) -> Iterator[str]:
    yield f'    <attributes class="{of}" mode="static">'
    for fact in facts:
        yield f'      <attribute id="{of}_{fact.name}" title="{fact.name}" type="{TYPES[fact.kind]}"/>'
    yield "    </attributes>"


def _node(box: Box) -> Iterator[str]:
    yield f"      <node id={quoted(box.id)} label={quoted(box.name)}>"
    yield from _values("node", known(BOX_FACTS[1:], box))
    yield f"        {_colour(box.stripe)}"
    if box.is_placed:
        yield f'        <viz:position x="{plain(box.x)}" y="{plain(-box.y)}" z="0"/>'
    yield f'        <viz:size value="{SIZES[box.kind]}"/>'
    yield "      </node>"


def _edge(made: Drawn, edge: Edge) -> Iterator[str]:
    a, z = made.boxes[edge.a].id, made.boxes[edge.z].id
    yield f"      <edge id={quoted(edge.id)} source={quoted(a)} target={quoted(z)}>"
    yield from _values("edge", known(EDGE_FACTS, edge))
    yield f"        {_colour(edge.colour)}"
    yield "      </edge>"


def _values(of: str, facts: dict[str, str]) -> Iterator[str]:
    yield "        <attvalues>"
    for name, text in facts.items():
        yield f'          <attvalue for="{of}_{name}" value={quoted(text)}/>'
    yield "        </attvalues>"


def _colour(colour: str) -> str:
    red, green, blue = rgb(colour)
    return f'<viz:color r="{red}" g="{green}" b="{blue}"/>'
