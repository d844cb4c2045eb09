"""The rows of drawings and graphs in the table of exporters."""

from designer.drawing.pages import Page
from designer.exchange.diagram_options import DiagramOptions
from designer.exchange.exporter import DRAWINGS, GRAPHS, Exporter, rendered_by
from designer.exchange.graphs.options import CvtDotOptions, DrawioOptions, DxfOptions, PictureOptions
from designer.exchange.options import Progress
from designer.exchange.plan_options import NetworkOptions
from designer.late import Late
from designer.model.design import Design

drawio = Late("designer.exchange.graphs.drawio")
diagrams = Late("designer.exchange.exporters_svg")
floor_dxf = Late("designer.exchange.graphs.floor_dxf")
dots = Late("designer.exchange.graphs.dot")
graphml = Late("designer.exchange.graphs.graphml")
yed = Late("designer.exchange.graphs.yed")
gexf = Late("designer.exchange.graphs.gexf")


def _dxf_pages(design: Design, _options: DxfOptions, _progress: Progress) -> tuple[Page, ...]:
    return (diagrams.svg_page(design, DiagramOptions(view="floor")),)


def _dxf_summary(design: Design, _options: DxfOptions) -> str:
    summary: str = floor_dxf.summary(design)
    return summary


EXPORTERS: tuple[Exporter, ...] = (
    Exporter(
        "drawio",
        "Drawing for draw.io",
        ".drawio",
        DrawioOptions,
        rendered_by(lambda: drawio.write_drawio),
        group=GRAPHS,
        about="The canvas to edit in draw.io: a layer for each network and for port labels, facts as data of shapes.",
    ),
    Exporter(
        "graphml",
        "GraphML",
        ".graphml",
        NetworkOptions,
        rendered_by(lambda: graphml.write_graphml),
        group=GRAPHS,
        about="Devices and links with ports, rates and places, as networkx, igraph and other libraries read them.",
    ),
    Exporter(
        "graphml-yed",
        "GraphML for yEd",
        ".graphml",
        PictureOptions,
        rendered_by(lambda: yed.write_yed),
        group=GRAPHS,
        about="The same with boxes, lines and labels as the canvas has them, for the graph editor yEd.",
    ),
    Exporter(
        "gexf",
        "GEXF",
        ".gexf",
        NetworkOptions,
        rendered_by(lambda: gexf.write_gexf),
        group=GRAPHS,
        about="Devices and links with their facts, places and colors, for Gephi.",
    ),
    Exporter(
        "dot",
        "Graph for Graphviz",
        ".dot",
        PictureOptions,
        rendered_by(lambda: dots.write_dot),
        group=GRAPHS,
        other_suffixes=(".gv",),
        about="Devices and links with the places and colors of the canvas; neato -n2 draws it alike.",
    ),
    Exporter(
        "dot-ptm",
        "Topology for Cumulus PTM",
        ".dot",
        NetworkOptions,
        rendered_by(lambda: dots.write_ptm),
        group=GRAPHS,
        about="Every Ethernet link port by port, as the Prescriptive Topology Manager of Cumulus Linux checks it.",
    ),
    Exporter(
        "dot-cvt",
        "Topology for NVIDIA CVT as DOT",
        ".dot",
        CvtDotOptions,
        rendered_by(lambda: dots.write_cvt),
        group=GRAPHS,
        about="Every Ethernet link port by port and the roles of switches, for NVIDIA's Cable Validation Tool.",
    ),
    Exporter(
        "dxf",
        "Floor plan for CAD",
        ".dxf",
        DxfOptions,
        rendered_by(lambda: floor_dxf.write_dxf),
        pages=_dxf_pages,
        group=DRAWINGS,
        about="Racks as blocks with names, rows, aisles, trays, walls and doors to scale, each kind in its own layer.",
        outcome=_dxf_summary,
    ),
)
