"""Annotations of a drawing as shapes, lines and pictures of draw.io."""

from collections.abc import Iterator, Mapping

from designer.drawing.notes import Drawn as Noted
from designer.drawing.parts.annotations import ZONE_SHARE, paper_of
from designer.exchange.graphs.drawio_cells import box_id, dashes_of, geometry, layer_cell, style_text
from designer.exchange.graphs.drawn import Drawn, Point
from designer.exchange.xml_text import plain, quoted
from designer.model.annotation import (
    ARROW,
    COMMENT,
    DIMENSION,
    IMAGE,
    LEGEND,
    NOTE,
    TEXT,
    TITLE_BLOCK,
    ZONE,
)
from designer.model.images import picture_of


def note_cells(made: Drawn, layer: str, title: str, notes: list[Noted]) -> Iterator[str]:
    """A layer of annotations, each with its leader; none of legends, which draw.io has no shape for."""
    shown = [one for one in notes if one.note.kind != LEGEND]
    if shown:
        yield layer_cell(layer, title)
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
    return style | dashes_of(note.line_style)


def _framed(made: Drawn, one: Noted, layer: str) -> str:
    """A box with its words, or a picture."""
    note, (left, top, right, bottom) = one.note, one.rect
    style = _words(made, one) | {"whiteSpace": "wrap", "align": "left", "verticalAlign": "top", "spacing": "6"}
    style["fillColor"] = note.fill or ("none" if note.kind == TEXT else made.theme.plate)
    if note.kind in (NOTE, COMMENT):
        paper, edge = paper_of(note, made.theme)
        style["fillColor"] = note.fill or paper
        if note.line_width and not note.colour:
            style["strokeColor"] = edge
    if note.kind == ZONE and not note.fill:  # what is under it shows
        style |= {"fillColor": note.colour or made.theme.accent, "fillOpacity": f"{100 * ZONE_SHARE:g}"}
    shape = {NOTE: "shape=note;size=10;", IMAGE: "shape=image;"}.get(note.kind, "rounded=0;")
    if note.kind == TEXT:
        style |= {"strokeColor": "none", "spacing": "0"}
    if note.kind == IMAGE:
        style["image"] = f"data:image/{picture_of(note.image).format},{note.image}"
    text = note.text
    if note.kind == TITLE_BLOCK:
        text = "\n".join(f"{name}: {value}" for name, value in made.title_rows)
    return (
        f'<mxCell id={quoted("note-" + note.id)} value={quoted(text)} style="{shape}{style_text(style)}" vertex="1" '
        f'parent="{layer}">{geometry(left, top, right - left, bottom - top)}</mxCell>'
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
    boxes = {box.id: box_id(box) for box in made.boxes if box.id == one.note.pinned_to}
    ends = f" source={quoted('note-' + one.note.id)}" + "".join(f" target={quoted(box)}" for box in boxes.values())
    return _arrow("leader-" + one.note.id, "", style, layer, "" if boxes else _point("target", one.leader[1]), ends)


def _arrow(id: str, text: str, style: Mapping[str, str], layer: str, points: str, ends: str = "") -> str:
    return (
        f'<mxCell id={quoted(id)} value={quoted(text)} style="{style_text(style)}" edge="1" parent="{layer}"{ends}>'
        f'<mxGeometry relative="1" as="geometry">{points}</mxGeometry></mxCell>'
    )


def _point(end: str, at: Point) -> str:
    return f'<mxPoint x="{plain(at[0])}" y="{plain(at[1])}" as="{end}Point"/>'
