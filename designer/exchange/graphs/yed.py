"""Graphs as GraphML with the picture that yEd shows: boxes, lines from port to port, and labels.

Source: yWorks, "GraphML" in the developer's guide of yFiles.
"""

from collections.abc import Iterator
from pathlib import Path

from designer.exchange.graphs.drawing import drawn
from designer.exchange.graphs.drawn import Box, Bundle, Drawn, Edge, bundles
from designer.exchange.graphs.facts import BOX_FACTS, BUNDLE_FACTS, EDGE_FACTS
from designer.exchange.graphs.graphml import data, ends, head, keys
from designer.exchange.graphs.options import BUNDLES, LEFT_OUT, PictureOptions
from designer.exchange.xml_text import escaped, plain, quoted
from designer.model.annotation import SOLID
from designer.model.design import Design

NAMESPACE = "http://www.yworks.com/xml/graphml"
NAME_SIZE, COUNT_SIZE, PORT_SIZE = 11, 9, 6
AT_SOURCE, AT_TARGET = "shead", "thead"
"""Where the label of an edge stands in the model "six_pos"."""


def write_yed(design: Design, path: Path, options: PictureOptions) -> None:
    """Write the graph with its picture. Raises ExportError, and OSError where it cannot be written."""
    path.write_bytes(yed_text(drawn(design, options.networks, options.theme), options).encode())


def yed_text(made: Drawn, options: PictureOptions) -> str:
    """The graph as yEd reads it."""
    is_bundled = options.links == BUNDLES
    lines = [
        *head(f' xmlns:y="{NAMESPACE}"'),
        '  <key id="ng" for="node" yfiles.type="nodegraphics"/>',
        '  <key id="eg" for="edge" yfiles.type="edgegraphics"/>',
        *keys("node", "n", BOX_FACTS),
        *(keys("edge", "e", BUNDLE_FACTS) if is_bundled else keys("edge", "e", EDGE_FACTS)),
        '  <graph id="G" edgedefault="undirected">',
    ]
    for box in made.boxes:
        lines += (f"    <node id={quoted(box.id)}>", *data("n", BOX_FACTS, box), *_shape(made, box), "    </node>")
    if is_bundled:
        for bundle in bundles(made.edges):
            lines += _bundle(made, bundle)
    else:
        for edge in made.edges:
            lines += _edge(made, edge, has_labels=options.port_labels != LEFT_OUT)
    return "\n".join((*lines, "  </graph>", "</graphml>", ""))


def _shape(made: Drawn, box: Box) -> Iterator[str]:
    left, top = box.x - box.width / 2, box.y - box.height / 2
    yield '      <data key="ng"><y:ShapeNode>'
    yield (
        f'        <y:Geometry x="{plain(left)}" y="{plain(top)}" width="{plain(box.width)}" '
        f'height="{plain(box.height)}"/>'
    )
    yield f'        <y:Fill color="{box.fill}" transparent="false"/>'
    yield f'        <y:BorderStyle color="{box.stripe}" type="line" width="1.0"/>'
    yield (
        f'        <y:NodeLabel fontSize="{NAME_SIZE}" textColor="{made.theme.text}">'
        f"{escaped(box.name)}\n{escaped(box.model)}</y:NodeLabel>"
    )
    yield '        <y:Shape type="roundrectangle"/>'
    yield "      </y:ShapeNode></data>"


def _edge(made: Drawn, edge: Edge, *, has_labels: bool) -> Iterator[str]:
    yield f"    <edge{ends(made, edge)}>"
    yield from data("e", EDGE_FACTS, edge)
    labels = ""
    if has_labels:
        labels = _label(made, edge.a_port, PORT_SIZE, AT_SOURCE) + _label(made, edge.z_port, PORT_SIZE, AT_TARGET)
    yield from _line(made, edge, edge, labels)


def _bundle(made: Drawn, bundle: Bundle) -> Iterator[str]:
    yield f"    <edge{ends(made, bundle.first, has_ports=False)}>"
    yield from data("e", BUNDLE_FACTS, bundle)
    text = made.text_of(bundle)
    label = _label(made, text, COUNT_SIZE, "") if text else ""
    yield from _line(made, bundle.first, bundle, labels=label)


def _line(made: Drawn, edge: Edge, drawn: Edge | Bundle, labels: str) -> Iterator[str]:
    """The path of what is `drawn`: where it leaves its boxes, seen from their middles, and the bends between."""
    points, line = drawn.points, "line" if drawn.line == SOLID else drawn.line
    a, z = made.boxes[edge.a], made.boxes[edge.z]
    (ax, ay), (zx, zy) = points[0], points[-1]
    bends = "".join(f'<y:Point x="{plain(x)}" y="{plain(y)}"/>' for x, y in points[1:-1])
    yield '      <data key="eg"><y:PolyLineEdge>'
    yield (
        f'        <y:Path sx="{plain(ax - a.x)}" sy="{plain(ay - a.y)}" tx="{plain(zx - z.x)}" '
        f'ty="{plain(zy - z.y)}">{bends}</y:Path>'
    )
    yield f'        <y:LineStyle color="{drawn.colour}" type="{line}" width="{plain(drawn.width)}"/>'
    yield '        <y:Arrows source="none" target="none"/>'
    if labels:
        yield f"        {labels}"
    yield "      </y:PolyLineEdge></data>"
    yield "    </edge>"


def _label(made: Drawn, text: str, size: int, at: str) -> str:
    place = f' modelName="six_pos" modelPosition="{at}"' if at else ' modelName="centered" modelPosition="center"'
    return f'<y:EdgeLabel fontSize="{size}" textColor="{made.theme.muted}"{place}>{escaped(text)}</y:EdgeLabel>'
