"""Graphs in the DOT language: for Graphviz, for Cumulus PTM, and for NVIDIA's Cable Validation Tool.

Graphviz warns of every `node:port` whose port its node does not declare, so that a graph for it has the names of ports
as labels of edges' ends; PTM and the Cable Validation Tool read them as `"device":"port"`.

Sources: graphviz.org, "DOT Language" and "Attributes"; NVIDIA, "Prescriptive Topology Manager" (Cumulus Linux 5.15) and
"Dot File" (Cable Validation Tool 1.6.0).
"""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from designer.errors import ExportError
from designer.exchange.graphs.drawing import drawn
from designer.exchange.graphs.drawn import Box, Bundle, Drawn, Edge, Point, bundles
from designer.exchange.graphs.facts import BOX_FACTS, BUNDLE_FACTS, EDGE_FACTS, known
from designer.exchange.graphs.options import BUNDLES, LEFT_OUT, CvtDotOptions, PictureOptions
from designer.exchange.graphs.port_labels import PortLabel, port_labels
from designer.exchange.plan_options import NetworkOptions
from designer.exchange.xml_text import plain
from designer.model.annotation import SOLID
from designer.model.design import Design

POINTS_PER_INCH = 72
NAME_SIZE = 10
ROLE_IN_CVT = {"leaf": "leaf", "spine": "spine", "core": "super_spine"}
"""Roles that the documentation of the Cable Validation Tool shows."""


def write_dot(design: Design, path: Path, options: PictureOptions) -> None:
    """Write the graph for Graphviz. Raises ExportError, and OSError where it cannot be written."""
    path.write_bytes(dot_text(drawn(design, options.networks, options.theme), options).encode())


def write_ptm(design: Design, path: Path, options: NetworkOptions) -> None:
    """Write the topology.dot of PTM. Raises ExportError, and OSError where it cannot be written."""
    path.write_bytes(ptm_text(drawn(design, options.networks)).encode())


def write_cvt(design: Design, path: Path, options: CvtDotOptions) -> None:
    """Write the topology of the Cable Validation Tool. Raises ExportError, and OSError where it cannot be written."""
    path.write_bytes(cvt_text(drawn(design, options.networks), options.os).encode())


# -- Graphviz ---------------------------------------------------------------------------------------------------------


def dot_text(made: Drawn, options: PictureOptions) -> str:
    """The graph with places and colors; `neato -n2` draws it as the canvas does."""
    theme = made.theme
    lines = [
        f"graph {_quoted(made.title)} {{",
        f'  graph [bgcolor="{theme.background}" inputscale=72 outputorder="edgesfirst" overlap=true splines=line]',
        f'  node [shape=box style=filled fixedsize=true fontname="Helvetica" fontsize={NAME_SIZE} '
        f'fontcolor="{theme.text}"]',
        f'  edge [fontname="Helvetica" fontsize=8 fontcolor="{theme.text}" labelfontcolor="{theme.muted}"]',
        *(f"  {_node(one)}" for one in made.boxes),
    ]
    if options.links == BUNDLES:
        lines += (f"  {_bundle(made, one)}" for one in bundles(made.edges))
    elif options.port_labels == LEFT_OUT:
        lines += (f"  {_edge(made, one, known(EDGE_FACTS[:2], one))}" for one in made.edges)
    else:
        labels = port_labels(made, ((one, one.a_port, one.z_port) for one in made.edges), can_turn=False)
        lines += (f"  {_edge(made, one, _ports(*both))}" for one, both in zip(made.edges, labels, strict=True))
    return "\n".join((*lines, "}", ""))


def _node(box: Box) -> str:
    attributes = {
        "pos": f"{plain(box.x)},{plain(-box.y)}!",
        "width": f"{box.width / POINTS_PER_INCH:.4f}",
        "height": f"{box.height / POINTS_PER_INCH:.4f}",
        "fillcolor": box.fill,
        "color": box.stripe,
        **known(BOX_FACTS[1:], box),
    }
    label = f"{_quoted(box.name)[:-1]}\\n{_quoted(box.model)[1:]}"
    return f"{_quoted(box.name)} [label={label} {_attributes(attributes)}]"


def _edge(made: Drawn, edge: Edge, ports: dict[str, str]) -> str:
    attributes = {"color": edge.colour, "pos": _spline(edge.points)}
    if edge.width != 1.0:
        attributes["penwidth"] = plain(edge.width)
    attributes |= _line(edge.line)
    return f"{_pair(made, edge)} [{_attributes(attributes | ports | known(EDGE_FACTS[2:], edge))}]"


def _ports(tail: PortLabel, head: PortLabel) -> dict[str, str]:
    """Labels at both ends, with their places."""
    return {
        "taillabel": tail.text,
        "headlabel": head.text,
        "labelfontsize": plain(min(tail.size, head.size)),
        "tail_lp": f"{plain(tail.x)},{plain(-tail.y)}",
        "head_lp": f"{plain(head.x)},{plain(-head.y)}",
    }


def _bundle(made: Drawn, bundle: Bundle) -> str:
    attributes = {"color": bundle.colour, "pos": _spline(bundle.points), "penwidth": plain(bundle.width)}
    attributes |= _line(bundle.line)
    text = made.text_of(bundle)
    if text:
        attributes["label"] = text
    return f"{_pair(made, bundle.first)} [{_attributes(attributes | known(BUNDLE_FACTS, bundle))}]"


def _line(line: str) -> dict[str, str]:
    """Graphviz calls lines as we do: solid, dashed and dotted."""
    return {"style": line} if line != SOLID else {}


def _pair(made: Drawn, edge: Edge) -> str:
    return f"{_quoted(made.boxes[edge.a].name)} -- {_quoted(made.boxes[edge.z].name)}"


def _spline(points: tuple[Point, ...]) -> str:
    """Straight lines through the points, as the curves that Graphviz draws: "x,y x,y x,y x,y", y up."""
    found = [points[0]]
    for (x1, y1), (x2, y2) in pairwise(points):
        found += [((2 * x1 + x2) / 3, (2 * y1 + y2) / 3), ((x1 + 2 * x2) / 3, (y1 + 2 * y2) / 3), (x2, y2)]
    return " ".join(f"{plain(x)},{plain(-y)}" for x, y in found)


# -- PTM and the Cable Validation Tool --------------------------------------------------------------------------------


def ptm_text(made: Drawn) -> str:
    """Every Ethernet link between two ports. Raises ExportError where there is none."""
    lines = ["graph fabric {", *(f"  {one}" for one in _port_pairs(made)), "}", ""]
    return "\n".join(lines)


def cvt_text(made: Drawn, os: str) -> str:
    """Every switch with its role, and every Ethernet link between two ports. Raises ExportError where there is none."""
    pairs = list(_port_pairs(made))
    joined = {place for one in _ethernet(made) for place in (one.a, one.z)}
    switches = [one for place, one in enumerate(made.boxes) if one.is_switch and place in joined]
    return "\n".join(
        ("graph network {", *(f"  {_cvt_switch(one, os)}" for one in switches), *(f"  {one}" for one in pairs), "}", "")
    )


def _cvt_switch(box: Box, os: str) -> str:
    attributes = {"label": box.name, "role": ROLE_IN_CVT.get(box.role, ""), "os": os}
    return f"{_quoted(box.name)} [ {_attributes({name: text for name, text in attributes.items() if text})} ]"


def _port_pairs(made: Drawn) -> Iterator[str]:
    """Every link as PTM and the tool read it."""
    found = list(_ethernet(made))
    if not found:
        raise ExportError("there is no Ethernet link to write: both ends of a link must be ports that speak it")
    for edge in found:
        a, z = made.boxes[edge.a].name, made.boxes[edge.z].name
        yield f"{_quoted(a)}:{_quoted(edge.a_port)} -- {_quoted(z)}:{_quoted(edge.z_port)}"


def _ethernet(made: Drawn) -> list[Edge]:
    return [one for one in made.edges if one.speaks_ethernet]


# -- words ------------------------------------------------------------------------------------------------------------


def _attributes(values: dict[str, str]) -> str:
    return " ".join(f"{name}={_quoted(value)}" for name, value in values.items())


def _quoted(text: str) -> str:
    r"""A name in quotation marks; backslashes are doubled, as labels have them and no name may end in one."""
    return '"' + text.replace("\0", "\ufffd").replace("\\", "\\\\").replace('"', '\\"') + '"'
