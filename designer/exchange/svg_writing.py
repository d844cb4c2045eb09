"""Writes the parts of a drawing as SVG: for browsers, Inkscape, draw.io and print."""

import base64
import re
from collections.abc import Iterable, Iterator

import numpy as np

from designer.drawing.bundles import Floats
from designer.drawing.geometry import Rect as Area
from designer.drawing.parts.primitives import (
    Circle,
    Dots,
    Group,
    Image,
    Ink,
    Jump,
    Lines,
    Part,
    Path,
    Pen,
    Rect,
    Rects,
    Text,
)
from designer.exchange.xml_text import escaped, plain, quoted

FONTS = "'Segoe UI', 'Noto Sans', 'DejaVu Sans', 'Helvetica Neue', Arial, sans-serif"
HATCH_STEP = 8.0

_HATCHED = re.compile(r'fill="url\(#hatch-(\w{6})\)"')
_BLANKS = re.compile(r"^\s|\s$|\s\s|[\t\n\r]")


SCALED = "max-width:100%;max-height:100%"
"""Of a picture that is on no paper: a browser that opens it shows the whole, as large as its window."""


def svg_text(
    area: Area, title: str, description: str, parts: Iterable[Part], *, size_mm: tuple[float, float] | None = None
) -> str:
    """A whole SVG file of one page; `area` is its left, top, width and height; on paper of a size, if given."""
    _, _, wide, high = area
    width, height = (f"{plain(wide)}", f"{plain(high)}") if size_mm is None else (f"{plain(one)}mm" for one in size_mm)
    scaled = f' style="{SCALED}"' if size_mm is None else ""
    body = list(_written(parts))
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" '
        f'version="1.1" width="{width}" height="{height}"{scaled} viewBox="{" ".join(map(plain, area))}" '
        f'role="img" aria-labelledby="title desc" font-family="{FONTS}">',
        f'<title id="title">{escaped(title)}</title>',
        f'<desc id="desc">{escaped(description)}</desc>',
        *(_hatching(colour) for colour in sorted({one for part in body for one in _HATCHED.findall(part)})),
        *body,
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _hatching(colour: str) -> str:
    """What `_fill` names for areas hatched in a color, rrggbb."""
    side = f"{HATCH_STEP:g}"
    return (
        f'<defs><pattern id="hatch-{colour}" width="{side}" height="{side}" patternUnits="userSpaceOnUse">'
        f'<path d="M0 {side}L{side} 0" stroke="#{colour}"/></pattern></defs>'
    )


def _written(parts: Iterable[Part]) -> Iterator[str]:
    for part in parts:
        yield from _WRITERS[type(part)](part)  # type: ignore[operator]


def _group(group: Group) -> Iterator[str]:
    """Nothing where it would be empty. One with a label is a layer of Inkscape's."""
    inside = list(_written(group.parts))
    if not inside:
        return
    attributes = f' id="{group.id}"' if group.id else ""
    if group.label:
        attributes += f' inkscape:groupmode="layer" inkscape:label={quoted(group.label)}'
    if group.at != (0.0, 0.0) or group.zoom != 1.0:
        zoom = f" scale({group.zoom:.4g})" if group.zoom != 1.0 else ""
        attributes += f' transform="translate({plain(group.at[0])} {plain(group.at[1])}){zoom}"'
    title = f"<title>{escaped(group.title)}</title>" if group.title else ""
    if group.clip is not None:
        name = "clip-" + "-".join(map(plain, group.clip))
        attributes += f' clip-path="url(#{name})"'
        title += f'<clipPath id="{name}"><rect{_placed(*group.clip)}/></clipPath>'
    if group.label:
        yield f"<g{attributes}>{title}"
        yield from inside
        yield "</g>"
    else:
        yield f"<g{attributes}>{title}{''.join(inside)}</g>"


def _rect(rect: Rect) -> Iterator[str]:
    rounded = f' rx="{plain(rect.radius)}"' if rect.radius else ""
    edges = ' shape-rendering="crispEdges"' if rect.crisp else ""
    place = _placed(rect.x, rect.y, rect.width, rect.height)
    yield f"<rect{place}{rounded}{edges}{_fill(rect.ink)}{_stroke(rect.pen)}/>"


def _rects(rects: Rects) -> Iterator[str]:
    path = "".join(f"M{plain(x)} {plain(y)}h{plain(w)}v{plain(h)}h{plain(-w)}z" for x, y, w, h in rects.xywh.tolist())
    edges = ' shape-rendering="crispEdges"' if rects.crisp else ""
    yield f'<path{_fill(rects.ink)}{_stroke(rects.pen)}{edges} d="{path}"/>'


def _circle(circle: Circle) -> Iterator[str]:
    at = (f' cx="{plain(circle.x)}"' if circle.x else "") + (f' cy="{plain(circle.y)}"' if circle.y else "")
    yield f'<circle{at} r="{plain(circle.radius)}"{_fill(circle.ink)}{_stroke(circle.pen)}/>'


def _lines(lines: Lines) -> Iterator[str]:
    """In one path, in tenths of a unit."""
    yield f'<path{_fill(None)}{_stroke(lines.pen)} d="{_line_path(lines.xy)}"/>'


def _line_path(xy: Floats) -> str:
    return "".join(_line(*line) for line in np.rint(xy * 10).astype(np.int64).tolist())


def _line(x1: int, y1: int, x2: int, y2: int) -> str:
    start = f"M{_tenths(x1)} {_tenths(y1)}"
    if y1 == y2:
        return f"{start}h{_tenths(x2 - x1)}"
    if x1 == x2:
        return f"{start}v{_tenths(y2 - y1)}"
    return f"{start}l{_tenths(x2 - x1)} {_tenths(y2 - y1)}"


def _path(path: Path) -> Iterator[str]:
    points = "L".join(f"{plain(x)} {plain(y)}" for x, y in path.points)
    yield f'<path{_fill(path.ink)}{_stroke(path.pen)} d="M{points}{"z" if path.closed else ""}"/>'


def _text(text: Text) -> Iterator[str]:
    attributes = f' x="{plain(text.x)}" y="{plain(text.y)}" font-size="{text.size}" fill="{text.colour}"'
    if text.bold:
        attributes += ' font-weight="600"'
    if text.anchor != "start":
        attributes += f' text-anchor="{text.anchor}"'
    if text.turn:
        attributes += f' transform="rotate({plain(text.turn)} {plain(text.x)} {plain(text.y)})"'
    if _BLANKS.search(text.text):  # which SVG would otherwise close up
        attributes += ' xml:space="preserve"'
    yield f"<text{attributes}>{escaped(text.text)}</text>"


def _image(image: Image) -> Iterator[str]:
    place = _placed(image.x, image.y, image.width, image.height)
    data = base64.b64encode(image.data).decode("ascii")
    yield f'<image{place} preserveAspectRatio="none" href="data:image/{image.format};base64,{data}"/>'


def _jump(_jump: Jump) -> Iterator[str]:
    """Nothing: the page that it leads to is another file."""
    yield from ()


def _dots(dots: Dots) -> Iterator[str]:
    side, (x, y) = plain(dots.side), dots.origin
    moved = f' patternTransform="translate({plain(x)} {plain(y)})"' if dots.origin != (0.0, 0.0) else ""
    yield (
        f'<defs><pattern id="grid" width="{plain(dots.step)}" height="{plain(dots.step)}" patternUnits="userSpaceOnUse"'
        f'{moved}><rect width="{side}" height="{side}"{_fill(dots.ink)}/></pattern></defs>'
    )
    yield f'<rect{_placed(dots.x, dots.y, dots.width, dots.height)} fill="url(#grid)"/>'


_WRITERS = {
    Group: _group,
    Rect: _rect,
    Rects: _rects,
    Circle: _circle,
    Lines: _lines,
    Path: _path,
    Text: _text,
    Image: _image,
    Dots: _dots,
    Jump: _jump,
}


def _fill(ink: Ink | None) -> str:
    if ink is None:
        return ' fill="none"'
    if ink.hatched:
        return f' fill="url(#hatch-{ink.colour[1:]})"'
    return f' fill="{ink.colour}"' + (f' fill-opacity="{ink.alpha:g}"' if ink.alpha < 1.0 else "")


def _stroke(pen: Pen | None) -> str:
    if pen is None:
        return ""
    parts = [f' stroke="{pen.colour}"']
    if pen.width != 1.0:
        parts.append(f' stroke-width="{pen.width:.3g}"')
    if pen.alpha < 1.0:
        parts.append(f' stroke-opacity="{pen.alpha:g}"')
    if pen.dash:
        parts.append(f' stroke-dasharray="{" ".join(f"{one:g}" for one in pen.dash)}"')
    if pen.square:
        parts.append(' stroke-linecap="square"')
    if pen.fixed:
        parts.append(' vector-effect="non-scaling-stroke"')
    return "".join(parts)


def _placed(x: float, y: float, width: float, height: float) -> str:
    at = "".join(f' {name}="{plain(value)}"' for name, value in (("x", x), ("y", y)) if value)
    return f'{at} width="{plain(width)}" height="{plain(height)}"'


def _tenths(value: int) -> str:
    """A length in user units, given in tenths of one."""
    whole, rest = divmod(abs(value), 10)
    sign = "-" if value < 0 else ""
    return f"{sign}{whole}.{rest}" if rest else f"{sign}{whole}"
