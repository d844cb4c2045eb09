"""A matrix as one page, in units of its plane."""

from designer.analysis.matrix import caption
from designer.drawing.camera import Camera
from designer.drawing.matrix.parts import CELL, MOST_HEAD_PX, heading_room, matrix_layers
from designer.drawing.matrix.shading import Shaded
from designer.drawing.parts.document import MARGIN, SCREEN_WIDTH, Document
from designer.drawing.parts.legend import HEIGHT_PX, MARGIN_PX, WIDTH_PX
from designer.drawing.parts.picture import legends
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
    heat = shaded.legend if legend else None
    foot = (HEIGHT_PX + MARGIN_PX) * zoom if heat is not None else 0.0
    title = TITLE_ROOM * zoom
    wide = max(width + across + 2 * MARGIN, LEAST_WIDTH * zoom)
    area = -across - MARGIN, -down - MARGIN - title, wide, height + down + 2 * MARGIN + foot + title
    sheet = Sheet(camera, area, shaded.theme, ruler, zoom)
    what, size = caption(shaded.matrix), round(TITLE_SIZE * zoom)
    shown = ruler.cut(f"{name}: {what}", wide - 2 * MARGIN, size, True)
    heading = Text(area[0] + MARGIN, area[1] + MARGIN + size, shown, size, shaded.theme.text, True)
    inner = Sheet(camera, (-across, -down, width + across, height + down), shaded.theme, ruler, zoom)
    drawn = (
        Group((Rect(*area, Ink(shaded.theme.background)),), "paper", label="Paper"),
        Group((heading,), "title", label="Title"),
        *matrix_layers(shaded, inner),
        *legends(heat, (), sheet),
    )
    return Document(f"{name}: matrix", what, area, drawn)
