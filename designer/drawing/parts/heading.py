"""What a picture is of, over it: the design's name, with its last revision and date."""

from designer.drawing.geometry import Rect
from designer.drawing.notes import title_rows
from designer.drawing.parts.frames import NOTE_GAP
from designer.drawing.parts.primitives import Group, Text
from designer.drawing.parts.ruler import whole
from designer.drawing.parts.sheet import Sheet
from designer.model.design import Design
from designer.model.shown_text import visible_line

SIZE_PX, NOTE_PX = 16.0, 12.0
HEIGHT_PX, SIDE_PX, FOOT_PX = 34.0, 12.0, 12.0
"""Of the strip over the picture, and what it leaves free left of its line and below it."""


def heading_of(design: Design, sheet: Sheet) -> tuple[Group, Rect]:
    """The line over the sheet, and left, top, width and height of both together."""
    left, top, width, height = sheet.area
    zoom, ruler, foot = sheet.zoom, sheet.ruler, top - FOOT_PX * sheet.zoom
    size, small = whole(SIZE_PX * zoom), whole(NOTE_PX * zoom)
    room = width - 2 * SIDE_PX * zoom
    name, x = ruler.cut(visible_line(design.name), room, size, True), left + SIDE_PX * zoom
    parts = [Text(x, foot, name, size, sheet.theme.text, True)]
    note, start = _note(design), ruler.width(name, size, True) + NOTE_GAP * zoom
    if note and start + ruler.width(note, small) <= room:
        parts.append(Text(x + start, foot, note, small, sheet.theme.muted))
    strip = HEIGHT_PX * zoom
    return Group(parts, "heading", label="Heading"), (left, top - strip, width, height + strip)


def _note(design: Design) -> str:
    """ "Revision 2, 2026-11-02"; "" before the first."""
    rows = dict(title_rows(design))
    said = (f"Revision {rows['Revision']}" if rows.get("Revision") else "", rows.get("Date", ""))
    return ", ".join(filter(None, said))
