"""A design as a page of draw.io: a layer for each network, boxes and links with their facts as data.

Devices and links are `object` cells, frames and labels plain ones: other readers, such as N2G, know `object` and not
`UserObject`, and take each for a node or an edge. No text is markup: styles say html=0. Source: files of draw.io 24.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np

from designer.drawing.counts import Taken
from designer.drawing.geometry import Container
from designer.drawing.notes import Drawn as Noted
from designer.drawing.parts.document import SCREEN_WIDTH
from designer.drawing.parts.legend import legend, size_of_legend
from designer.drawing.parts.primitives import Group
from designer.drawing.parts.ruler import EstimatedRuler
from designer.drawing.text import width_of
from designer.drawing.tier_titles import TierTitle
from designer.exchange.exporters_diagram import heat_of
from designer.exchange.graphs.drawio_plates import plate_cells
from designer.exchange.graphs.drawn import Box, Bundle, Drawn, Point, bundles, drawn
from designer.exchange.graphs.facts import BOX_FACTS, BUNDLE_FACTS, EDGE_FACTS, known
from designer.exchange.graphs.heated import heated
from designer.exchange.graphs.label_room import TurnedRect
from designer.exchange.graphs.line_labels import LineLabels, line_labels
from designer.exchange.graphs.options import BUNDLES, HIDDEN, LEFT_OUT, DrawioOptions
from designer.exchange.graphs.port_labels import LINE, PortLabel, labels_apart
from designer.exchange.graphs.reading.read_drawio import NOTE_LAYERS
from designer.exchange.xml_text import plain, quoted
from designer.graph.failures import broken
from designer.model.annotation import (
    ARROW,
    COMMENT,
    DASHED,
    DIMENSION,
    DOTTED,
    IMAGE,
    LEGEND,
    NOTE,
    TEXT,
    TITLE_BLOCK,
    ZONE,
)
from designer.model.design import Design
from designer.model.images import picture_of
from designer.model.networks import TITLES

ROOT, SERVERS, GROUPS, RACKS, TITLES_OF_TIERS, PORTS, TIER_NOTES, LOADS = (
    "0",
    "1",
    "layer-groups",
    "layer-racks",
    "layer-tiers",
    "layer-ports",
    "layer-tier-notes",
    "layer-legend",
)
BEHIND, NOTES = NOTE_LAYERS
"""Ids of the root and of layers; "1" is the layer that every file of draw.io has."""
NAME_SIZE, TITLE_SIZE, COUNT_SIZE = 11, 12, 9
MOST_PORT_NAMES = 2
"""Of a bundle that are written out."""
LABEL_ROOM, TITLE_ROOM = 4.0, 22.0
MARGIN = 40


def write_drawio(design: Design, path: Path, options: DrawioOptions) -> None:
    """Write the page. Raises ExportError, what `heat_of` raises, and OSError where it cannot be written."""
    heat = heat_of(design, options)
    made = drawn(design, options.networks, options.theme)
    gone = broken(design, frozenset(options.fail))
    made = replace(made, failed=gone.devices | gone.links)
    if heat is not None:
        made = heated(made, heat, len(bundles(made.edges)) if options.links == BUNDLES else len(made.edges))
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
    groups = [one for one in made.frames if one.kind != "rack"]
    racks = [one for one in made.frames if one.kind == "rack"]
    if groups:
        yield _layer(GROUPS, "Groups")
        yield from (_frame(made, one, GROUPS) for one in groups)
    if racks:
        yield _layer(RACKS, "Racks")
        yield from (_frame(made, one, RACKS) for one in racks)
    yield from _notes(made, BEHIND, "Zones", [one for one in made.notes if one.is_behind])
    for network in made.networks:
        yield _layer(_layer_of(network), TITLES[network])
        yield from (
            _edge(made, one, labels.middles.get(number))
            for number, one in enumerate(some)
            if one.first.network == network
        )
        yield from (_box(made, one) for one in made.boxes if one.network == network)
    yield _layer(SERVERS, "Servers")
    yield from (_box(made, one) for one in made.boxes if not one.network)
    if made.tiers:
        yield _layer(TITLES_OF_TIERS, "Tiers")
        yield from (_tier(made, number, one) for number, one in enumerate(made.tiers, 1))
    if labels.notes:
        yield _layer(TIER_NOTES, "Links of tiers")
        for number, group in enumerate(labels.notes, 1):
            yield from plate_cells(group, f"tier-note-{number}", TIER_NOTES)
    yield from _notes(made, NOTES, "Annotations", [one for one in made.notes if not one.is_behind])
    if options.port_labels != LEFT_OUT:
        yield _layer(PORTS, "Port labels", is_hidden=options.port_labels == HIDDEN)
        yield from _port_labels(made, some)
    if made.legend is not None:
        yield _layer(LOADS, "Legend")
        yield from plate_cells(_legend(made), "legend", LOADS)


def _legend(made: Drawn) -> Group:
    """What the colors of loads mean, below the drawing on its left, as large as on a diagram of this width."""
    assert made.legend is not None
    left, _, _, bottom = _around(made)
    return Group(tuple(legend(made.legend, made.theme, EstimatedRuler())), at=(left, bottom + MARGIN), zoom=_zoom(made))


def _zoom(made: Drawn) -> float:
    """How much larger than the letters in boxes is what has to be read where the whole drawing is seen."""
    left, _, right, _ = _around(made)
    return max(1.0, (right - left) / SCREEN_WIDTH)


def _line_labels(made: Drawn, some: list[Bundle]) -> LineLabels:
    """Places for the texts of lines off boxes, titles and annotations."""
    left, top, right, bottom = _around(made)
    boxes = ((one.x - one.width / 2, one.y - one.height / 2, one.width, one.height) for one in made.boxes)
    tiers = (_tier_place(one) for one in made.tiers)
    notes = (one.around for one in made.notes if not one.is_behind)
    corners = [(*at[:2], at[0] + at[2], at[1] + at[3]) for at in (*boxes, *tiers)]
    taken = Taken(np.array([*corners, *notes], np.float64).reshape(-1, 4))
    area = left - MARGIN, top - MARGIN, right - left + 2 * MARGIN, bottom - top + 2 * MARGIN
    return line_labels(made, some, taken, area, _zoom(made))


def _notes(made: Drawn, layer: str, title: str, notes: list[Noted]) -> Iterator[str]:
    """A layer of annotations, each with its leader; none of legends, which draw.io has no shape for."""
    shown = [one for one in notes if one.note.kind != LEGEND]
    if shown:
        yield _layer(layer, title)
    for one in shown:
        yield _straight(made, one, layer) if one.is_straight else _framed(made, one, layer)
        if one.leader is not None:
            yield _leader(made, one, layer)


def _words(made: Drawn, one: Noted) -> dict[str, str]:
    """The style of its letters and lines, which are of the theme where it states none."""
    note, style = one.note, {"html": "0", "fontColor": one.note.colour or made.theme.text}
    style |= {
        "fontSize": plain(note.size),
        "fontStyle": "1" if note.bold else "0",
        "strokeWidth": plain(note.line_width),
    }
    style["strokeColor"] = note.colour or made.theme.accent if note.line_width else "none"
    return style | _dashes(note.line_style)


def _dashes(line: str) -> dict[str, str]:
    """The style of a line that is not solid."""
    return {DASHED: {"dashed": "1"}, DOTTED: {"dashed": "1", "dashPattern": "1 3"}}.get(line, {})


def _framed(made: Drawn, one: Noted, layer: str) -> str:
    """A box with its words, or a picture."""
    note, (left, top, right, bottom) = one.note, one.rect
    style = _words(made, one) | {"whiteSpace": "wrap", "align": "left", "verticalAlign": "top", "spacing": "6"}
    usual = {TEXT: "none", ZONE: "none", NOTE: "#fbedcd", COMMENT: "#dce6fb"}.get(note.kind, made.theme.plate)
    if note.kind in (NOTE, COMMENT) and not note.fill and not note.colour:
        style["fontColor"] = "#1b1f24"  # on the light paper of notes, in either theme
    style["fillColor"] = note.fill or usual
    shape = {NOTE: "shape=note;size=10;", IMAGE: "shape=image;"}.get(note.kind, "rounded=0;")
    if note.kind == TEXT:
        style |= {"strokeColor": "none", "spacing": "0"}
    if note.kind == IMAGE:
        style["image"] = f"data:image/{picture_of(note.image).format},{note.image}"
    text = note.text
    if note.kind == TITLE_BLOCK:
        text = "\n".join(f"{name}: {value}" for name, value in made.title_rows)
    return (
        f'<mxCell id={quoted("note-" + note.id)} value={quoted(text)} style="{shape}{_style(style)}" vertex="1" '
        f'parent="{layer}">{_geometry(left, top, right - left, bottom - top)}</mxCell>'
    )


def _straight(made: Drawn, one: Noted, layer: str) -> str:
    """A line, arrow or dimension from its start to its end."""
    end = {ARROW: "block", DIMENSION: "dash"}.get(one.note.kind, "none")
    style = _words(made, one) | {"startArrow": "dash" if one.note.kind == DIMENSION else "none", "endArrow": end}
    style |= {"strokeColor": one.note.colour or made.theme.text, "labelBackgroundColor": made.theme.background}
    return _arrow(
        "note-" + one.note.id, one.note.text, style, layer, _point("source", one.start) + _point("target", one.end)
    )


def _leader(made: Drawn, one: Noted, layer: str) -> str:
    """The line from an annotation to what it points to, attached to both where that is a device."""
    assert one.leader is not None
    style = {"html": "0", "endArrow": "oval", "endFill": "1", "strokeColor": one.note.colour or made.theme.muted}
    boxes = {box.id: _id(box) for box in made.boxes if box.id == one.note.pinned_to}
    ends = f" source={quoted('note-' + one.note.id)}" + "".join(f" target={quoted(box)}" for box in boxes.values())
    return _arrow("leader-" + one.note.id, "", style, layer, "" if boxes else _point("target", one.leader[1]), ends)


def _arrow(id: str, text: str, style: Mapping[str, str], layer: str, points: str, ends: str = "") -> str:
    return (
        f'<mxCell id={quoted(id)} value={quoted(text)} style="{_style(style)}" edge="1" parent="{layer}"{ends}>'
        f'<mxGeometry relative="1" as="geometry">{points}</mxGeometry></mxCell>'
    )


def _point(end: str, at: Point) -> str:
    return f'<mxPoint x="{plain(at[0])}" y="{plain(at[1])}" as="{end}Point"/>'


def _layer(id: str, title: str, *, is_hidden: bool = False) -> str:
    hidden = ' visible="0"' if is_hidden else ""
    return f'<mxCell id="{id}" value="{title}" parent="{ROOT}"{hidden}/>'


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
    style |= {"fontColor": theme.muted, "fontSize": str(TITLE_SIZE), "html": "0"}
    return (
        f'<mxCell id={quoted("frame-" + frame.id)} value={quoted(frame.title)} style="{_style(style)}" vertex="1" '
        f'connectable="0" parent="{layer}">{_geometry(left, top, right - left, bottom - top)}</mxCell>'
    )


def _tier(made: Drawn, number: int, tier: TierTitle) -> str:
    """The title above the first box of a tier, on a plate that covers the links beneath."""
    text = _tier_text(tier)
    style = {"align": "left", "verticalAlign": "middle", "html": "0", "fontSize": str(TITLE_SIZE), "spacing": "0"}
    style |= {"fontColor": made.theme.muted, "fillColor": made.theme.background, "strokeColor": "none"}
    place = _geometry(*_tier_place(tier))
    return (
        f'<mxCell id="tier-{number}" value={quoted(text)} style="text;{_style(style)}" vertex="1" connectable="0" '
        f'parent="{TITLES_OF_TIERS}">{place}</mxCell>'
    )


def _tier_text(tier: TierTitle) -> str:
    return "   ".join(filter(None, (tier.text, tier.note)))


def _tier_place(tier: TierTitle) -> tuple[float, float, float, float]:
    """Left, top, width and height of its title."""
    left, top, _, _ = tier.rect
    return left, top - TITLE_ROOM, width_of(_tier_text(tier), TITLE_SIZE) + LABEL_ROOM, TITLE_ROOM - LABEL_ROOM


def _box(made: Drawn, box: Box) -> str:
    style = {"rounded": "1", "arcSize": "8", "whiteSpace": "wrap", "html": "0"}
    style |= {"fillColor": box.fill, "strokeColor": box.stripe}
    style |= {"fontColor": made.theme.text, "fontSize": str(NAME_SIZE)}
    style |= _failed(made, box.id)
    layer = _layer_of(box.network) if box.network else SERVERS
    geometry = _geometry(box.x - box.width / 2, box.y - box.height / 2, box.width, box.height)
    label = quoted(f"{box.name}\n{box.model}")
    return (
        f"<object id={quoted(_id(box))} label={label}{_data(known(BOX_FACTS, box))}>"
        f'<mxCell style="{_style(style)}" vertex="1" parent="{layer}">{geometry}</mxCell></object>'
    )


def _failed(made: Drawn, id: str) -> dict[str, str]:
    """The look of what is marked as failed."""
    return {"strokeColor": made.theme.error, "strokeWidth": "2", "dashed": "1"} if id in made.failed else {}


def _id(box: Box) -> str:
    return f"node-{box.id}"


def _edge(made: Drawn, bundle: Bundle, middle: Point | None) -> str:
    """A line, with its text where that has a place."""
    edge, points = bundle.first, bundle.points
    a, z = made.boxes[edge.a], made.boxes[edge.z]
    width = _width(bundle)
    style = {"edgeStyle": "none", "rounded": "0", "html": "0", "endArrow": "none"}
    style |= {"strokeColor": bundle.colour, "strokeWidth": plain(width), **_dashes(bundle.line)}
    style |= {"fontColor": made.theme.muted, "fontSize": str(COUNT_SIZE), "labelBackgroundColor": made.theme.background}
    style |= _touches("exit", a, points[0]) | _touches("entry", z, points[-1])
    if all(one.id in made.failed or {a.id, z.id} & made.failed for one in bundle.edges):
        style |= _failed(made, next(iter(made.failed)))
    facts = known(BUNDLE_FACTS, bundle) if len(bundle.edges) > 1 else known(EDGE_FACTS, edge)
    bends = "".join(f'<mxPoint x="{plain(x)}" y="{plain(y)}"/>' for x, y in points[1:-1])
    text = made.text_of(bundle) if middle is not None else ""
    at = f' x="{plain(_share(points, middle))}"' if middle is not None else ""
    within = f'<Array as="points">{bends}</Array>' if bends else ""
    return (
        f"<object id={quoted('link-' + edge.id)} label={quoted(text)}{_data(facts)}>"
        f'<mxCell style="{_style(style)}" edge="1" parent="{_layer_of(edge.network)}" source={quoted(_id(a))} '
        f'target={quoted(_id(z))}><mxGeometry{at} relative="1" as="geometry">{within}</mxGeometry></mxCell></object>'
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


def _port_labels(made: Drawn, some: list[Bundle]) -> Iterator[str]:
    ends = (
        (
            replace(one.first, points=one.points, width=_width(one)),
            _named([edge.a_port for edge in one.edges]),
            _named([edge.z_port for edge in one.edges]),
        )
        for one in some
    )
    places = (_tier_place(one) for one in made.tiers)
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
    return (
        f'<mxCell id={quoted(id)} value={quoted(label.text)} style="text;{_style(style)}" vertex="1" connectable="0" '
        f'parent="{PORTS}">{_geometry(label.x - width / 2, label.y - height / 2, width, height)}</mxCell>'
    )


def _geometry(left: float, top: float, width: float, height: float) -> str:
    return (
        f'<mxGeometry x="{plain(left)}" y="{plain(top)}" width="{plain(width)}" height="{plain(height)}" '
        'as="geometry"/>'
    )


def _style(values: Mapping[str, str]) -> str:
    return "".join(f"{name}={value};" for name, value in values.items())


def _data(facts: Mapping[str, str]) -> str:
    return "".join(f" {name}={quoted(text)}" for name, text in facts.items())


def _extent(made: Drawn) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of the page."""
    left, top, right, bottom = _around(made)
    if made.legend is not None:
        width, height = (one * _zoom(made) for one in size_of_legend(folded=False))
        right, bottom = max(right, left + width), bottom + MARGIN + height
    return left - MARGIN, top - MARGIN, right + MARGIN, bottom + MARGIN


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
    titles = TITLE_ROOM if any(one.is_titled_below for one in made.frames) else 0.0
    return min(lefts), min(tops), max(rights), max(bottoms) + titles
