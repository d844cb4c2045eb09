"""A design as a page of draw.io: a layer for each network, boxes and links with their facts as data.

Devices and links are `object` cells, frames and labels plain ones: other readers, such as N2G, know `object` and not
`UserObject`, and take each for a node or an edge. No text is markup: styles say html=0. Source: files of draw.io 24.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np

from designer.drawing.camera import Camera
from designer.drawing.counts import Taken
from designer.drawing.geometry import Container, Rect
from designer.drawing.parts.document import CAPTION_ROOM_PX, SCREEN_WIDTH
from designer.drawing.parts.heading import heading_of
from designer.drawing.parts.keys import diamond
from designer.drawing.parts.legend import legend, size_of_legend
from designer.drawing.parts.primitives import Group
from designer.drawing.parts.ruler import EstimatedRuler
from designer.drawing.parts.sheet import Sheet
from designer.drawing.text import width_of
from designer.drawing.tier_titles import TierTitle
from designer.exchange.exporters_diagram import heat_of
from designer.exchange.graphs.drawing import drawn
from designer.exchange.graphs.drawio_boxes import closed_cells, ends_at_closed, line_facts
from designer.exchange.graphs.drawio_cells import ROOT, box_id, dashes_of, data_text, geometry, layer_cell, style_text
from designer.exchange.graphs.drawio_fit import ABOVE, BELOW, RIGHT, Name, names_of, routed
from designer.exchange.graphs.drawio_notes import note_cells
from designer.exchange.graphs.drawio_plates import plate_cells, text_cells
from designer.exchange.graphs.drawn import Box, Bundle, Drawn, Point, bundles
from designer.exchange.graphs.facts import BOX_FACTS, known
from designer.exchange.graphs.heated import heated
from designer.exchange.graphs.label_room import TurnedRect
from designer.exchange.graphs.line_labels import LABEL_SIZE, LineLabels, line_labels
from designer.exchange.graphs.options import AT_FIT, BUNDLES, HIDDEN, LEFT_OUT, DrawioOptions
from designer.exchange.graphs.port_labels import LINE, PortLabel, labels_apart
from designer.exchange.graphs.reading.read_drawio import LABEL_SHOWN, NOTE_LAYERS
from designer.exchange.xml_text import plain, quoted
from designer.graph.failures import broken
from designer.model.design import Design
from designer.model.networks import TITLES

SERVERS, GROUPS, RACKS, TITLES_OF_TIERS, PORTS, TIER_NOTES, LOADS, HEADING = (
    "1",
    "layer-groups",
    "layer-racks",
    "layer-tiers",
    "layer-ports",
    "layer-tier-notes",
    "layer-legend",
    "layer-heading",
)
BEHIND, NOTES = NOTE_LAYERS
"""Ids of the root and of layers; "1" is the layer that every file of draw.io has."""
TITLE_SIZE = 12
BESIDE = {
    "": {"whiteSpace": "wrap"},
    RIGHT: {"labelPosition": "right", "align": "left", "spacingLeft": "4"},
    ABOVE: {"verticalLabelPosition": "top", "verticalAlign": "bottom"},
    BELOW: {"verticalLabelPosition": "bottom", "verticalAlign": "top"},
}
"""The style of a box whose name stands on that side of it."""
MOST_PORT_NAMES = 2
"""Of a bundle that are written out."""
LABEL_ROOM, TITLE_ROOM = 4.0, 22.0
MARGIN = 40


def write_drawio(design: Design, path: Path, options: DrawioOptions) -> None:
    """Write the page. Raises ExportError, what `heat_of` raises, and OSError where it cannot be written."""
    heat = heat_of(design, options)
    at_fit = options.links == BUNDLES and options.boxes == AT_FIT
    made = drawn(design, options.networks, options.theme, at_fit=at_fit)
    gone = broken(design, frozenset(options.fail))
    made = replace(made, failed=gone.devices | gone.links)
    if heat is not None:
        made = heated(made, heat, len(bundles(made.edges)) if options.links == BUNDLES else len(made.edges))
    if options.links == BUNDLES:
        made = routed(made, _zoom(made))
    path.write_bytes(drawio_text(made, options).encode())


def drawio_text(made: Drawn, options: DrawioOptions) -> str:
    """The page as draw.io saves it, not compressed."""
    some = bundles(made.edges) if options.links == BUNDLES else [Bundle((one,)) for one in made.edges]
    some.sort(key=lambda one: one.hottest.heat)  # cool before hot
    left, top, right, bottom = _extent(made)
    lines = [
        '<mxfile host="Fabric Designer" type="device">',
        f'  <diagram id="fabric" name={quoted(made.title)}>',
        f'    <mxGraphModel dx="{round(right - left)}" dy="{round(bottom - top)}" grid="0" gridSize="10" guides="1" '
        f'tooltips="1" connect="1" arrows="0" fold="1" page="0" pageScale="1" pageWidth="{round(right - left)}" '
        f'pageHeight="{round(bottom - top)}" background="{made.theme.background}" math="0" shadow="0">',
        "      <root>",
        f'        <mxCell id="{ROOT}"/>',
        *(f"        {one}" for one in _cells(made, some, options)),
        "      </root>",
        "    </mxGraphModel>",
        "  </diagram>",
        "</mxfile>",
        "",
    ]
    return "\n".join(lines)


def _cells(made: Drawn, some: list[Bundle], options: DrawioOptions) -> Iterator[str]:
    """Layers, and what is in them, from the back to the front."""
    labels = _line_labels(made, some)
    names = names_of(made, _zoom(made), _area(made))
    named = [(one, name) for one, name in zip(made.boxes, names, strict=True) if one.closed is None]
    groups = [one for one in made.frames if one.kind != "rack"]
    racks = [one for one in made.frames if one.kind == "rack"]
    if groups:
        yield layer_cell(GROUPS, "Groups")
        yield from (_frame(made, one, GROUPS) for one in groups)
    if racks:
        yield layer_cell(RACKS, "Racks")
        yield from (_frame(made, one, RACKS) for one in racks)
    yield from note_cells(made, BEHIND, "Zones", [one for one in made.notes if one.is_behind])
    for network in made.networks:
        yield layer_cell(_layer_of(network), TITLES[network])
        yield from (
            _edge(made, one, labels.middles.get(number))
            for number, one in enumerate(some)
            if one.first.network == network
        )
        yield from (_box(made, one, name) for one, name in named if one.network == network)
    yield from closed_cells(made, _zoom(made), _area(made))
    yield layer_cell(SERVERS, "Servers")
    yield from (_box(made, one, name) for one, name in named if not one.network)
    if made.tiers:
        yield layer_cell(TITLES_OF_TIERS, "Tiers")
        yield from (_tier(made, number, one) for number, one in enumerate(made.tiers, 1))
    if labels.notes:
        yield layer_cell(TIER_NOTES, "Links of tiers")
        for number, group in enumerate(labels.notes, 1):
            yield from plate_cells(group, f"tier-note-{number}", TIER_NOTES)
    yield from note_cells(made, NOTES, "Annotations", [one for one in made.notes if not one.is_behind])
    if options.port_labels != LEFT_OUT:
        yield layer_cell(PORTS, "Port labels", is_hidden=options.port_labels == HIDDEN)
        yield from _port_labels(made, some)
    if made.legend is not None:
        yield layer_cell(LOADS, "Legend")
        yield from _marks(made, some)
        yield from plate_cells(_legend(made), "legend", LOADS)
    yield layer_cell(HEADING, "Heading")
    yield from text_cells(_heading(made)[0], "heading", HEADING)


def _legend(made: Drawn) -> Group:
    """What the colors of loads mean, below the drawing on its left, as large as on a diagram of this width."""
    assert made.legend is not None
    left, _, _, bottom = _around(made)
    return Group(tuple(legend(made.legend, made.theme, EstimatedRuler())), at=(left, bottom + MARGIN), zoom=_zoom(made))


def _marks(made: Drawn, some: list[Bundle]) -> Iterator[str]:
    """The marks of links that are wanted most, in the middle of their lines."""
    mark = diamond(made.theme)
    for bundle in some:
        if any(one.id in made.marked for one in bundle.edges):
            ends = max(pairwise(bundle.points), key=lambda pair: math.dist(*pair))
            x, y = ((a + z) / 2 for a, z in zip(*ends, strict=True))
            yield from plate_cells(Group((mark,), at=(x, y), zoom=_zoom(made)), f"mark-{bundle.first.id}", LOADS)


def _heading(made: Drawn) -> tuple[Group, Rect]:
    """The name of the design with its revision over the drawing, and the area of both together."""
    left, top, width, height = _area(made)
    top -= TITLE_ROOM * _zoom(made) if made.tiers or made.frames else 0.0
    sheet = Sheet(Camera(), (left, top, width, height), made.theme, EstimatedRuler(), _zoom(made))
    return heading_of(made.design, sheet)


def _area(made: Drawn) -> Rect:
    """Left, top, width and height of the fabric with its annotations and a margin."""
    left, top, right, bottom = _around(made)
    return left - MARGIN, top - MARGIN, right - left + 2 * MARGIN, bottom - top + 2 * MARGIN


def _zoom(made: Drawn) -> float:
    """How much larger than the letters in boxes is what has to be read where the whole drawing is seen."""
    left, _, right, _ = _around(made)
    return _scale(left, right)


def _line_labels(made: Drawn, some: list[Bundle]) -> LineLabels:
    """Places for the texts of lines off boxes, titles and annotations."""
    boxes = ((one.x - one.width / 2, one.y - one.height / 2, one.width, one.height) for one in made.boxes)
    tiers = (_tier_place(made, one) for one in made.tiers)
    notes = (one.around for one in made.notes if not one.is_behind)
    corners = [(*at[:2], at[0] + at[2], at[1] + at[3]) for at in (*boxes, *tiers)]
    taken = Taken(np.array([*corners, *notes], np.float64).reshape(-1, 4))
    return line_labels(made, some, taken, _area(made), _zoom(made), _count_size(made))


def _count_size(made: Drawn) -> float:
    """Of the letters on lines: between boxes for many devices they are read where all of the drawing is seen."""
    return LABEL_SIZE * (_zoom(made) if any(one.closed is not None for one in made.boxes) else 1.0)


def _layer_of(network: str) -> str:
    return f"layer-{network}"


def _frame(made: Drawn, frame: Container, layer: str) -> str:
    theme, (left, top, right, bottom) = made.theme, frame.rect
    is_rack = frame.kind == "rack"
    fill, border = (theme.rack_fill, theme.rack_border) if is_rack else (theme.group_fill, theme.group_border)
    below = "bottom" if frame.is_titled_below else "top"
    place = (
        {"verticalAlign": "top", "align": "center", "spacingTop": "4"}
        if is_rack
        else {
            "verticalLabelPosition": below,
            "verticalAlign": "top" if below == "bottom" else "bottom",
            "align": "left",
        }
    )
    style = {"rounded": "1", "arcSize": "2", "fillColor": fill, "strokeColor": border, **place}
    style |= {"fontColor": theme.muted, "fontSize": plain(_frame_size(made, frame)), "html": "0"}
    return (
        f'<mxCell id={quoted("frame-" + frame.id)} value={quoted(frame.title)} style="{style_text(style)}" vertex="1" '
        f'connectable="0" parent="{layer}">{geometry(left, top, right - left, bottom - top)}</mxCell>'
    )


def _frame_size(made: Drawn, frame: Container) -> float:
    """Of the letters of its title: as of titles of tiers, where they are no wider than the frame and cover no box."""
    left, top, right, bottom = frame.rect
    if frame.kind == "rack":
        return TITLE_SIZE
    for size in _title_sizes(made):
        width, height = width_of(frame.title, size), size * TITLE_ROOM / TITLE_SIZE
        place = left, bottom if frame.is_titled_below else top - height, width, height
        if width <= right - left and _is_free(made, place):
            return size
    return TITLE_SIZE


def _tier(made: Drawn, number: int, tier: TierTitle) -> str:
    """The title above the first box of a tier, on a plate that covers the links beneath."""
    text, at = _tier_text(tier), _tier_place(made, tier)
    size = at[3] * TITLE_SIZE / (TITLE_ROOM - LABEL_ROOM)
    style = {"align": "left", "verticalAlign": "middle", "html": "0", "fontSize": plain(size), "spacing": "0"}
    style |= {"fontColor": made.theme.muted, "fillColor": made.theme.background, "strokeColor": "none"}
    place = geometry(*at)
    return (
        f'<mxCell id="tier-{number}" value={quoted(text)} style="text;{style_text(style)}" vertex="1" connectable="0" '
        f'parent="{TITLES_OF_TIERS}">{place}</mxCell>'
    )


def _tier_text(tier: TierTitle) -> str:
    return "   ".join(filter(None, (tier.text, tier.note)))


def _tier_place(made: Drawn, tier: TierTitle) -> Rect:
    """Left, top, width and height of its title: the largest that covers no box, and the least in any case."""
    left, top, _, _ = tier.rect
    places = []
    for size in _title_sizes(made):
        room = TITLE_ROOM * size / TITLE_SIZE
        width = width_of(_tier_text(tier), size) + LABEL_ROOM
        places.append((left, top - room, width, room - LABEL_ROOM * size / TITLE_SIZE))
    return next((one for one in places if _is_free(made, one)), places[-1])


def _title_sizes(made: Drawn) -> list[float]:
    """From the size that can be read where all of the drawing is seen down to the least."""
    most = TITLE_SIZE * _zoom(made)
    return [*(size for size in (most, most * 0.75, most * 0.5) if size > TITLE_SIZE), float(TITLE_SIZE)]


def _is_free(made: Drawn, place: Rect) -> bool:
    """Whether no box is there."""
    left, top, width, height = place
    return not any(
        abs(box.x - left - width / 2) < (box.width + width) / 2
        and abs(box.y - top - height / 2) < (box.height + height) / 2
        for box in made.boxes
    )


def _box(made: Drawn, box: Box, name: Name) -> str:
    style = {"rounded": "1", "arcSize": "8", "html": "0"}
    style |= {"fillColor": box.fill, "strokeColor": box.stripe}
    style |= {"fontColor": made.theme.text, "fontSize": plain(name.size)} | BESIDE[name.side]
    style |= _failed(made, box.id)
    layer = _layer_of(box.network) if box.network else SERVERS
    place = geometry(box.x - box.width / 2, box.y - box.height / 2, box.width, box.height)
    label = quoted(f"{box.name}\n{box.model}" if name.has_model else box.name)
    return (
        f"<object id={quoted(box_id(box))} label={label}{data_text(known(BOX_FACTS, box))}>"
        f'<mxCell style="{style_text(style)}" vertex="1" parent="{layer}">{place}</mxCell></object>'
    )


def _failed(made: Drawn, id: str) -> dict[str, str]:
    """The look of what is marked as failed."""
    return {"strokeColor": made.theme.error, "strokeWidth": "2", "dashed": "1"} if id in made.failed else {}


def _edge(made: Drawn, bundle: Bundle, middle: Point | None) -> str:
    """A line, with its text where that has a place."""
    edge, points = bundle.first, bundle.points
    a, z = made.boxes[edge.a], made.boxes[edge.z]
    width = _width(bundle)
    style = {"edgeStyle": "none", "rounded": "0", "html": "0", "endArrow": "none"}
    style |= {"strokeColor": bundle.colour, "strokeWidth": plain(width), **dashes_of(bundle.line)}
    style |= {
        "fontColor": made.theme.muted,
        "fontSize": plain(_count_size(made)),
        "labelBackgroundColor": made.theme.background,
    }
    style |= _touches("exit", a, points[0]) | _touches("entry", z, points[-1])
    if all(one.id in made.failed or {a.id, z.id} & made.failed for one in bundle.edges):
        style |= _failed(made, next(iter(made.failed)))
    bends = "".join(f'<mxPoint x="{plain(x)}" y="{plain(y)}"/>' for x, y in points[1:-1])
    text = made.text_of(bundle) if middle is not None else ""
    facts = {**line_facts(made, bundle), LABEL_SHOWN: text}
    at = f' x="{plain(_share(points, middle))}"' if middle is not None else ""
    within = f'<Array as="points">{bends}</Array>' if bends else ""
    return (
        f"<object id={quoted('link-' + edge.id)} label={quoted(text)}{data_text(facts)}>"
        f'<mxCell style="{style_text(style)}" edge="1" parent="{_layer_of(edge.network)}" source={quoted(box_id(a))} '
        f'target={quoted(box_id(z))}><mxGeometry{at} relative="1" as="geometry">{within}</mxGeometry></mxCell></object>'
    )


def _width(bundle: Bundle) -> float:
    return bundle.width if len(bundle.edges) > 1 else bundle.first.width


def _share(points: Sequence[Point], middle: Point) -> float:
    """Where on a line a point of it is, from -1 at its start to 1 at its end."""
    lengths = [math.dist(a, z) for a, z in pairwise(points)]
    nearest = min(range(len(lengths)), key=lambda one: _detour(points[one], points[one + 1], middle))
    along = sum(lengths[:nearest]) + math.dist(points[nearest], middle)
    return 2 * along / (sum(lengths) or 1.0) - 1


def _detour(a: Point, z: Point, point: Point) -> float:
    return math.dist(a, point) + math.dist(point, z) - math.dist(a, z)


def _touches(end: str, box: Box, point: Point) -> dict[str, str]:
    """Where on a box the line begins or ends, in shares of its width and height."""
    x = (point[0] - box.x) / box.width + 0.5
    y = (point[1] - box.y) / box.height + 0.5
    return {f"{end}X": f"{x:.5g}", f"{end}Y": f"{y:.5g}", f"{end}Dx": "0", f"{end}Dy": "0", f"{end}Perimeter": "0"}


def _port_labels(made: Drawn, every: list[Bundle]) -> Iterator[str]:
    some = [one for one in every if not (one.first.is_combed or ends_at_closed(made, one))]  # no port stands for all
    ends = (
        (
            replace(one.first, points=one.points, width=_width(one)),
            _named([edge.a_port for edge in one.edges]),
            _named([edge.z_port for edge in one.edges]),
        )
        for one in some
    )
    places = (_tier_place(made, one) for one in made.tiers)
    titles = [TurnedRect(x + width / 2, y + height / 2, width, height, 0.0) for x, y, width, height in places]
    for bundle, both in zip(some, labels_apart(made, ends, titles), strict=True):
        for end, label in zip("az", both, strict=True):
            if label is not None:
                yield _port_label(made, f"port-{end}-{bundle.first.id}", label)


def _named(ports: list[str]) -> str:
    """ "swp1, swp2", or "swp1 + 3 more"."""
    if len(ports) <= MOST_PORT_NAMES:
        return ", ".join(ports)
    return f"{ports[0]} + {len(ports) - 1} more"


def _port_label(made: Drawn, id: str, label: PortLabel) -> str:
    width, height = label.width + LABEL_ROOM, label.size * LINE + LABEL_ROOM
    style = {"align": "center", "verticalAlign": "middle", "html": "0", "fontSize": plain(label.size)}
    style |= {"fontColor": made.theme.muted, "spacing": "0", "fillColor": "none", "strokeColor": "none"}
    if label.turn:
        style["rotation"] = plain(label.turn)
    place = geometry(label.x - width / 2, label.y - height / 2, width, height)
    return (
        f'<mxCell id={quoted(id)} value={quoted(label.text)} style="text;{style_text(style)}" vertex="1" '
        f'connectable="0" parent="{PORTS}">{place}</mxCell>'
    )


def _extent(made: Drawn) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of the page."""
    left, _, right, bottom = _around(made)
    if made.legend is not None:
        width, height = (one * _zoom(made) for one in size_of_legend(folded=False))
        right, bottom = max(right, left + width), bottom + MARGIN + height
    return left - MARGIN, _heading(made)[1][1], right + MARGIN, bottom + MARGIN


def _around(made: Drawn) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of the fabric with its annotations."""
    rects: Iterable[tuple[float, float, float, float]] = (
        *(one.rect for one in made.frames),
        *(one.around for one in made.notes),
        *(
            (one.x - one.width / 2, one.y - one.height / 2, one.x + one.width / 2, one.y + one.height / 2)
            for one in made.boxes
        ),
    )
    lefts, tops, rights, bottoms = zip(*rects, strict=True)
    scale, below = _scale(min(lefts), max(rights)), 0.0
    if any(one.is_titled_below for one in made.frames):
        below = TITLE_ROOM * scale
    if any(one.closed is not None for one in made.boxes):  # what explains rows of boxes stands below them
        below = max(below, CAPTION_ROOM_PX * scale)
    return min(lefts), min(tops), max(rights), max(bottoms) + below


def _scale(left: float, right: float) -> float:
    return max(1.0, (right - left) / SCREEN_WIDTH)
