"""Plates of a drawing, such as its legend, as shapes of draw.io that are moved as one."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from designer.drawing.parts.primitives import Group, Ink, Lines, Part, Path, Pen, Rect, Text
from designer.drawing.parts.ruler import EstimatedRuler, line_height
from designer.exchange.xml_text import plain, quoted

RULER = EstimatedRuler()
SPARE = 4.0
"""Width of a text that is left over, as fonts differ."""
ALIGNED = {"start": ("left", 0.0), "middle": ("center", 0.5), "end": ("right", 1.0)}


class _Cell(NamedTuple):
    style: str
    left: float
    top: float
    width: float
    height: float
    text: str = ""


def plate_cells(group: Group, id: str, layer: str) -> Iterator[str]:
    """The parts of a group, the first of which is the rectangle that the others stand on."""
    plate, *others = _cells(group.parts, group.zoom)
    x, y = group.at
    style = f"{plate.style}container=1;collapsible=0;foldable=0;"
    yield _vertex(plate._replace(style=style, left=plate.left + x, top=plate.top + y), id, layer)
    for number, one in enumerate(others, 1):
        yield _vertex(one._replace(left=one.left - plate.left, top=one.top - plate.top), f"{id}-{number}", id)


def text_cells(group: Group, id: str, layer: str) -> Iterator[str]:
    """The texts of a group, each on its own."""
    for number, one in enumerate(_cells(group.parts, group.zoom), 1):
        yield _vertex(one, f"{id}-{number}", layer)


def _vertex(cell: _Cell, id: str, parent: str) -> str:
    place = " ".join(f'{name}="{plain(getattr(cell, of))}"' for name, of in _PLACE.items())
    return (
        f'<mxCell id="{id}" value={quoted(cell.text)} style="{cell.style}html=0;" vertex="1" connectable="0" '
        f'parent="{parent}"><mxGeometry {place} as="geometry"/></mxCell>'
    )


_PLACE = {"x": "left", "y": "top", "width": "width", "height": "height"}


def _cells(parts: Iterable[Part], zoom: float) -> Iterator[_Cell]:
    for part in parts:
        if isinstance(part, Group):
            x, y = part.at[0] * zoom, part.at[1] * zoom
            for one in _cells(part.parts, zoom * part.zoom):
                yield one._replace(left=one.left + x, top=one.top + y)
        elif isinstance(part, Rect):
            yield _shape("", part.ink, part.pen, (part.x, part.y, part.width, part.height), zoom, part.radius)
        elif isinstance(part, Lines):
            yield from _lines(part, zoom)
        elif isinstance(part, Path):  # of the busiest link; or a diamond, of the highest demand
            xs, ys = zip(*part.points, strict=True)
            place = min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)
            kind = "shape=triangle;direction=south;" if len(part.points) == 3 else "rhombus;"
            yield _shape(kind, part.ink, part.pen, place, zoom)
        elif isinstance(part, Text):
            yield _text(part, zoom)


def _shape(
    kind: str,
    ink: Ink | None,
    pen: Pen | None,
    place: tuple[float, float, float, float],
    zoom: float,
    radius: float = 0.0,
) -> _Cell:
    fill = ink.colour if ink is not None else "none"
    line = (
        f"strokeColor={pen.colour};strokeWidth={plain(pen.width * zoom)};" if pen is not None else "strokeColor=none;"
    )
    rounded = f"rounded=1;absoluteArcSize=1;arcSize={plain(2 * radius * zoom)};" if radius else ""
    left, top, width, height = (one * zoom for one in place)
    return _Cell(f"{kind}{rounded}fillColor={fill};{line}", left, top, width, height)


def _lines(lines: Lines, zoom: float) -> Iterator[_Cell]:
    """Level and upright lines, as samples and ticks are, as bars of their width."""
    for x1, y1, x2, y2 in lines.xy.tolist():
        half = lines.pen.width / 2
        across, down = (0.0, half) if y1 == y2 else (half, 0.0)
        place = x1 - across, y1 - down, x2 - x1 + 2 * across, y2 - y1 + 2 * down
        yield _shape("", Ink(lines.pen.colour), None, place, zoom)


def _text(text: Text, zoom: float) -> _Cell:
    align, share = ALIGNED[text.anchor]
    width, height = RULER.width(text.text, text.size, text.bold) + SPARE, line_height(RULER, text.size, text.bold)
    left = text.x - width * share if share else text.x
    style = (
        f"text;align={align};verticalAlign=middle;spacing=0;fillColor=none;strokeColor=none;fontColor={text.colour};"
    )
    style += f"fontSize={plain(text.size * zoom)};fontStyle={int(text.bold)};"
    top = text.y - RULER.ascent(text.size, text.bold)
    return _Cell(style, left * zoom, top * zoom, width * zoom, height * zoom, text.text)
