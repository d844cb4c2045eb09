"""Boxes that stand for many devices as collapsed containers of draw.io, with their devices in them.

Links in such a box, and links that end at it, are lists: as lines they would be more than anybody can follow, or
draw.io can move. Expanded, a box shows its devices where they stand on the canvas.
"""

from collections.abc import Iterator, Sequence

from designer.drawing.geometry import Rect
from designer.drawing.parts.primitives import Group
from designer.drawing.parts.row_captions import caption_parts, row_captions
from designer.drawing.text import width_of
from designer.exchange.graphs.drawio_cells import box_id, data_text, geometry, layer_cell, style_text
from designer.exchange.graphs.drawio_fit import at_fit
from designer.exchange.graphs.drawio_plates import plate_cells
from designer.exchange.graphs.drawn import Box, Bundle, Drawn
from designer.exchange.graphs.facts import BOX_FACTS, BUNDLE_FACTS, EDGE_FACTS, known, list_facts, listed
from designer.exchange.xml_text import plain, quoted

CLOSED = "layer-closed"
COUNT_FACT = tuple(one for one in BUNDLE_FACTS if one.name == "count")
OTHER_FACTS = tuple(one for one in BUNDLE_FACTS if one.name not in ("count", "links"))
NAME_SIZE, LINE, AIR = 11.0, 1.4, 12.0
"""Of letters, of a line in terms of these, and what is left free of a box across."""
PADDING = 20.0
"""Around the devices of an expanded box."""


def closed_cells(made: Drawn, zoom: float, area: Rect) -> Iterator[str]:
    """The layer of these boxes, each with its devices, and what explains rows of them; nothing where there are none."""
    boxes = [one for one in made.boxes if one.closed is not None]
    if not boxes:
        return
    yield layer_cell(CLOSED, "Collapsed")
    sizes: dict[tuple[int, int], float] = {}
    for box in boxes:
        key = round(box.width), round(box.height)
        sizes[key] = min(sizes.get(key, NAME_SIZE * zoom), _size(box))
    for box in boxes:
        size = max(1.0, float(int(sizes[round(box.width), round(box.height)])))
        yield from _box(made, box, size, zoom)
    picture, sheet = at_fit(made, zoom, area)
    for number, part in enumerate(caption_parts(row_captions(picture, sheet), sheet), 1):
        if isinstance(part, Group):
            yield from plate_cells(part, f"caption-{number}", CLOSED)


def _size(box: Box) -> float:
    return min((box.width - AIR) / (width_of(box.name, 1.0) or 1.0), box.height / LINE)


def _label(box: Box, size: float) -> str:
    """As many of its words as there is room for: line by line, or one after another in a low box."""
    assert box.closed is not None
    name, *others = box.closed.lines
    room, n_lines = box.width - AIR, int(box.height / (LINE * size))
    if n_lines < 2:
        row = [name]
        for text in others:
            if width_of("   ".join([*row, text]), size) <= room:
                row.append(text)
        return "   ".join(row)
    return "\n".join([name, *(text for text in others if width_of(text, size) <= room)][:n_lines])


def _box(made: Drawn, box: Box, size: float, zoom: float) -> Iterator[str]:
    assert box.closed is not None
    theme, left, top = made.theme, box.x - box.width / 2, box.y - box.height / 2
    inner = _around(box.closed.boxes)
    dx, dy = inner[0] - PADDING, inner[1] - PADDING - box.height
    style = {"startSize": plain(box.height), "container": "1", "collapsible": "1", "rounded": "1", "arcSize": "8"}
    style |= {"html": "0", "fontStyle": "0", "align": "center", "fillColor": box.fill, "strokeColor": box.stripe}
    style |= {"swimlaneFillColor": theme.group_fill, "strokeWidth": plain(zoom), "fontColor": theme.text}
    style |= {"fontSize": plain(size), "whiteSpace": "wrap"}
    facts = {"box": box.closed.kind, "devices": box.closed.devices, **list_facts(box.closed.edges)}
    facts |= {"inside_x": plain(dx - left), "inside_y": plain(dy - top)}
    width = max(inner[2] - inner[0] + 2 * PADDING, box.width)
    open_place = geometry(left, top, width, inner[3] - inner[1] + 2 * PADDING + box.height)
    place = geometry(left, top, box.width, box.height).removesuffix("/>")
    yield (
        f"<object id={quoted(box_id(box))} label={quoted(_label(box, size))}{data_text(facts)}>"
        f'<mxCell style="shape=swimlane;{style_text(style)}" vertex="1" collapsed="1" parent="{CLOSED}">{place}>'
        f"{open_place.replace('mxGeometry', 'mxRectangle').replace('geometry', 'alternateBounds')}</mxGeometry>"
        "</mxCell></object>"
    )
    for one in box.closed.boxes:
        yield _device(made, one, box_id(box), one.x - one.width / 2 - dx, one.y - one.height / 2 - dy)


def _device(made: Drawn, box: Box, parent: str, left: float, top: float) -> str:
    style = {"rounded": "1", "arcSize": "8", "html": "0", "whiteSpace": "wrap", "fillColor": box.fill}
    style |= {"strokeColor": box.stripe, "fontColor": made.theme.text, "fontSize": plain(NAME_SIZE)}
    return (
        f"<object id={quoted(box_id(box))} label={quoted(box.name)}{data_text(known(BOX_FACTS, box))}>"
        f'<mxCell style="{style_text(style)}" vertex="1" parent={quoted(parent)}>'
        f"{geometry(left, top, box.width, box.height)}</mxCell></object>"
    )


def _around(boxes: Sequence[Box]) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of these."""
    return (
        min(one.x - one.width / 2 for one in boxes),
        min(one.y - one.height / 2 for one in boxes),
        max(one.x + one.width / 2 for one in boxes),
        max(one.y + one.height / 2 for one in boxes),
    )


def ends_at_closed(made: Drawn, bundle: Bundle) -> bool:
    """Whether a line ends at a box that stands for many devices."""
    return any(made.boxes[one].closed is not None for one in (bundle.first.a, bundle.first.z))


def line_facts(made: Drawn, bundle: Bundle) -> dict[str, str]:
    """The facts of a line: those of its link, or of all its links with a list of them."""
    if len(bundle.edges) == 1 and not ends_at_closed(made, bundle):
        return known(EDGE_FACTS, bundle.first)
    return {**known(COUNT_FACT, bundle), "links": listed(bundle.edges), **known(OTHER_FACTS, bundle)}
