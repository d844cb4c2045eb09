"""The rows of graphs and drawings in the table of importers."""

from pathlib import Path

from designer.exchange.importer import DRAWINGS, Importer
from designer.exchange.reading.found import FoundNetwork
from designer.late import Late

graphml = Late("designer.exchange.graphs.reading.read_graphml")
gexf = Late("designer.exchange.graphs.reading.read_gexf")
dot = Late("designer.exchange.graphs.reading.read_dot")
drawio = Late("designer.exchange.graphs.reading.read_drawio")


def _graphml(path: Path) -> FoundNetwork:
    found: FoundNetwork = graphml.read(path)
    return found


def _gexf(path: Path) -> FoundNetwork:
    found: FoundNetwork = gexf.read(path)
    return found


def _dot(path: Path) -> FoundNetwork:
    found: FoundNetwork = dot.read(path)
    return found


def _drawio(path: Path) -> FoundNetwork:
    found: FoundNetwork = drawio.read(path)
    return found


def _is_drawio(_name: str, head: bytes) -> bool:
    return b"<mxfile" in head or b"<mxGraphModel" in head


IMPORTERS: tuple[Importer, ...] = (
    Importer(
        "drawio",
        "Drawing of draw.io",
        found=_drawio,
        suffixes=(".drawio", ".xml"),
        looks=_is_drawio,
        group=DRAWINGS,
        about="Shapes that lines join are devices; ports are data of lines, labels at their ends, or small shapes.",
    ),
    Importer(
        "graphml",
        "GraphML",
        found=_graphml,
        suffixes=(".graphml", ".xml"),
        looks=lambda _name, head: b"<graphml" in head,
        group=DRAWINGS,
        about="Nodes and edges with their data, as libraries, yEd and this program write them.",
    ),
    Importer(
        "gexf",
        "GEXF",
        found=_gexf,
        suffixes=(".gexf", ".xml"),
        looks=lambda _name, head: b"<gexf" in head,
        group=DRAWINGS,
        about="Nodes and edges with their attributes, as Gephi and this program write them.",
    ),
    Importer(
        "dot",
        "Graph in DOT: Graphviz, Cumulus PTM, NVIDIA CVT",
        found=_dot,
        suffixes=(".dot", ".gv"),
        group=DRAWINGS,
        about='Nodes and edges, with ports as "device":"port", as labels of ends, or numbered where none is named.',
    ),
)
