"""A matrix as one page, in units of its plane."""

from designer.analysis.matrix import caption
from designer.drawing.camera import Camera
from designer.drawing.matrix.parts import CELL, MOST_HEAD_PX, heading_room, matrix_layers
from designer.drawing.matrix.shading import Shaded
from designer.drawing.parts.document import MARGIN, SCREEN_WIDTH, Document
from designer.drawing.parts.legend import MARGIN_PX, WIDTH_PX
from designer.drawing.parts.picture import legend_room, legends
from designer.drawing.parts.primitives import Group, Ink, Rect, Text
from designer.drawing.parts.ruler import Ruler
from designer.drawing.parts.sheet import Sheet
from designer.errors import ExportError

MOST_LINES_ON_PAPER = 256
"""Rows or columns of a page; what has more is gathered, so that a reader can tell them apart."""
READABLE = 2.0
"""Larger than on a screen, so that loads are written into the cells."""
TITLE_SIZE, TITLE_ROOM = 14, 26.0
LEAST_WIDTH = max(WIDTH_PX + 2 * MARGIN_PX, 560.0)
"""Room for legend and title."""


def matrix_document(name: str, shaded: Shaded, ruler: Ruler, *, legend: bool = True) -> Document:
    """The page of a matrix of the design of that name. Raises ExportError for one without cells."""
    rows, columns = shaded.matrix.shape
    if not rows or not columns:
        raise ExportError("the matrix has no rows or no columns: there is nothing to draw")
    camera = Camera(READABLE)
    width, height = columns * CELL * READABLE, rows * CELL * READABLE
    zoom = max(1.0, (width + MOST_HEAD_PX + 2 * MARGIN) / SCREEN_WIDTH)
    across, down, _ = heading_room(shaded, ruler, CELL * READABLE, zoom)
    heat, shown = (shaded.legend, shaded.keys) if legend else (None, ())
    _, foot = legend_room(heat, shown, ruler, jobs=False)
    foot = (foot + MARGIN_PX) * zoom if foot else 0.0
    wide = max(width + across + 2 * MARGIN, LEAST_WIDTH * zoom)
    what, size = caption(shaded.matrix), round(TITLE_SIZE * zoom)
    lines = [f"{name}: {what}"] if ruler.width(f"{name}: {what}", size, True) <= wide - 2 * MARGIN else [name, what]
    title = TITLE_ROOM * zoom * len(lines)
    area = -across - MARGIN, -down - MARGIN - title, wide, height + down + 2 * MARGIN + foot + title
    sheet = Sheet(camera, area, shaded.theme, ruler, zoom)
    heading = (
        Text(
            area[0] + MARGIN,
            area[1] + MARGIN + size + number * TITLE_ROOM * zoom,
            ruler.cut(text, wide - 2 * MARGIN, size, True),
            size,
            shaded.theme.text,
            True,
        )
        for number, text in enumerate(lines)
    )
    inner = Sheet(camera, (-across, -down, width + across, height + down), shaded.theme, ruler, zoom)
    drawn = (
        Group((Rect(*area, Ink(shaded.theme.background)),), "paper", label="Paper"),
        Group(tuple(heading), "title", label="Title"),
        *matrix_layers(shaded, inner),
        *legends(heat, (), sheet, shown),
    )
    return Document(f"{name}: matrix", what, area, drawn)
