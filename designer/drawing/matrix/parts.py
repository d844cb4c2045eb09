"""A matrix on a sheet: cells, texts and marks in them, headings that stay where the cells move, the legend."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from designer.analysis.matrix_axes import Axis
from designer.drawing.bundles import Floats
from designer.drawing.geometry import Rect as Corners
from designer.drawing.matrix.shading import EMPTY, Shaded
from designer.drawing.parts.keys import diamond
from designer.drawing.parts.primitives import Group, Ink, Lines, Part, Pen, Rect, Rects, Text
from designer.drawing.parts.ruler import Ruler, baseline, clamped, line_height, whole
from designer.drawing.parts.sheet import Sheet
from designer.drawing.theme import letters_on

CELL = 24.0
"""Side of a cell, canvas units."""
HEAD_SIZE, LEAST_HEAD_SIZE = 10, 8
"""Headings are set as small where every row or column has a name then."""
MOST_HEAD_PX = 132.0
HEAD_GAP_PX = 6.0
GAP_FROM_PX = 5.0
"""Cells as large are set apart."""
MARKS_FROM_PX = 7.0
TEXT_PX, TEXT_FROM_PX, COUNT_FROM_PX = (8.0, 13.0), 14.0, 38.0
TEXT_GAP_PX = 2.0
"""What a text leaves free of the width of its cell."""
TEXT_SHARE, COUNT_SHARE = 0.25, 0.4
"""Size of the texts of a cell as a share of its side: of a load and a count, and of a count alone."""
WIDEST_LOAD, PERCENT = "100", " %"
"""Loads are written where this has room, so that a blank cell is no busy one."""
WIDEST = "99.9 %", "100 %", WIDEST_LOAD
"""What every load in a form has room where it has: all cells of a matrix have the same form."""
MARK_SHARE, MARK_PX = 0.24, (2.0, 7.0)
CORNER_SHARE = 0.16
MOST_TEXTS = 3000


@dataclass(frozen=True, slots=True)
class Lit:
    """What of a matrix is brought out: rows, columns, and cells (n_rows, n_columns)."""

    rows: NDArray[np.bool_]
    columns: NDArray[np.bool_]
    cells: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Layout:
    """Where rows, columns and headings are on a sheet."""

    cell: float
    x: float
    y: float
    rows: range
    """Those in sight."""
    columns: range
    left: float
    """Where the headings of rows begin, and how wide they are; likewise those of columns."""
    width: float
    top: float
    height: float
    is_turned: bool
    """Whether the headings of columns are read from below."""


def bounds_of(shape: tuple[int, int]) -> Corners | None:
    """Left, top, right and bottom of a matrix without its headings, canvas units; None without cells."""
    rows, columns = shape
    return (0.0, 0.0, columns * CELL, rows * CELL) if rows and columns else None


def cell_rect(row: int, column: int) -> Corners:
    """Left, top, right and bottom of a cell, canvas units."""
    return column * CELL, row * CELL, (column + 1) * CELL, (row + 1) * CELL


def heading_room(shaded: Shaded, ruler: Ruler, cell: float, zoom: float) -> tuple[float, float, bool]:
    """Width of the headings of rows, height of those of columns, and whether the latter are read from below."""
    across = _longest(shaded.matrix.rows, ruler, zoom) + 2 * HEAD_GAP_PX * zoom
    longest = _longest(shaded.matrix.columns, ruler, zoom)
    is_turned = longest + HEAD_GAP_PX * zoom > cell
    line = line_height(ruler, whole(HEAD_SIZE * zoom))
    least_across = max(ruler.width(text, whole(HEAD_SIZE * zoom)) for text in _corner(shaded)) + 2 * HEAD_GAP_PX * zoom
    down = max(longest if is_turned else line, 2 * line) + 2 * HEAD_GAP_PX * zoom
    return max(across, least_across), down, is_turned


def head_size(cell: float, ruler: Ruler, zoom: float) -> int:
    """The size of headings: as small as it takes to name every line, and full size where even that has no room."""
    sizes = (whole(size * zoom) for size in range(HEAD_SIZE, LEAST_HEAD_SIZE - 1, -1))
    return next((size for size in sizes if line_height(ruler, size) <= cell), whole(HEAD_SIZE * zoom))


def _corner(shaded: Shaded) -> tuple[str, str]:
    """What stands where the headings meet."""
    return f"rows: {shaded.matrix.rows.name}", f"columns: {shaded.matrix.columns.name}"


def layout_of(shaded: Shaded, sheet: Sheet, inset: float = 0.0) -> Layout:
    """Where everything is; `inset` is what is covered at the top of the sheet."""
    left, top, width, height = sheet.area
    cell, (x, y) = CELL * sheet.scale, sheet.camera.to_view(0.0, 0.0)
    across, down, is_turned = heading_room(shaded, sheet.ruler, cell, sheet.zoom)
    n_rows, n_columns = shaded.matrix.shape
    right, bottom = x + n_columns * cell, y + n_rows * cell
    head_left = min(max(left, x - across), max(left, right - across))
    head_top = min(max(top + inset, y - down), max(top + inset, bottom - down))
    return Layout(
        cell,
        x,
        y,
        _in_sight(y, cell, n_rows, head_top + down, top + height),
        _in_sight(x, cell, n_columns, head_left + across, left + width),
        head_left,
        across,
        head_top,
        down,
        is_turned,
    )


def cells(shaded: Shaded, at: Layout) -> Iterator[Part]:
    """The cells in sight, those of one color together."""
    levels = shaded.levels[at.rows.start : at.rows.stop, at.columns.start : at.columns.stop]
    gap = 1.0 if at.cell >= GAP_FROM_PX else 0.0
    for level in np.unique(levels).tolist():
        rows, columns = np.nonzero(levels == level)
        yield Rects(_boxes(rows + at.rows.start, columns + at.columns.start, at, gap), Ink(shaded.palette[level]))


def inside(shaded: Shaded, at: Layout, sheet: Sheet) -> Iterator[Part]:
    """Texts in cells that are large enough, and marks of what has failed and of findings."""
    rows = slice(at.rows.start, at.rows.stop)
    columns = slice(at.columns.start, at.columns.stop)
    theme, offset = shaded.theme, np.array([at.rows.start, at.columns.start])
    if at.cell >= TEXT_FROM_PX * sheet.zoom and len(at.rows) * len(at.columns) <= MOST_TEXTS:
        for row, column in (np.argwhere(shaded.levels[rows, columns] != EMPTY) + offset).tolist():
            yield from _texts(shaded, row, column, at, sheet)
    failed = _seen(shaded.failed_cells, at)
    if len(failed):
        boxes = _boxes(failed[:, 0], failed[:, 1], at, 2.0 if at.cell >= MARKS_FROM_PX else 0.0)
        x1, y1, x2, y2 = boxes[:, 0], boxes[:, 1], boxes[:, 0] + boxes[:, 2], boxes[:, 1] + boxes[:, 3]
        if at.cell >= MARKS_FROM_PX:
            crosses = np.concatenate((np.stack((x1, y1, x2, y2), 1), np.stack((x1, y2, x2, y1), 1)))
            yield Lines(crosses, Pen(theme.background, 3.0 * sheet.zoom, fixed=True))
            yield Lines(crosses, Pen(theme.text, 1.2 * sheet.zoom, fixed=True))
        else:
            yield Rects(boxes, Ink(theme.error), crisp=True)
    yield from _worst(shaded, at, sheet)
    side = clamped(MARK_SHARE * at.cell, (MARK_PX[0] * sheet.zoom, MARK_PX[1] * sheet.zoom))
    for wrong, colour in zip(shaded.wrong_cells, (theme.warning, theme.error), strict=True):
        found = _seen(wrong, at)
        if len(found):
            boxes = _boxes(found[:, 0], found[:, 1], at, 1.0)
            corner = np.stack((boxes[:, 0] + boxes[:, 2] - side, boxes[:, 1]), axis=1)
            yield Rects(
                np.hstack((corner, np.full((len(found), 2), side))),
                Ink(colour),
                Pen(theme.background, 1.2 * sheet.zoom),
            )


def _worst(shaded: Shaded, at: Layout, sheet: Sheet) -> Iterator[Part]:
    """The mark of the greatest demand, in a corner of its cell where that has room for a text."""
    if shaded.worst_cell is not None and len(_seen(np.array([shaded.worst_cell]), at)):
        row, column = shaded.worst_cell
        side = CORNER_SHARE if at.cell >= TEXT_FROM_PX * sheet.zoom else 0.5
        spot = at.x + (column + side) * at.cell, at.y + (row + side) * at.cell
        yield Group((diamond(shaded.theme),), at=spot, zoom=sheet.zoom, title="highest demand")


def _seen(places: NDArray[np.int64], at: Layout) -> NDArray[np.int64]:
    """Those of the cells, (k, 2), that are in sight."""
    rows, columns = places.T
    inside_rows = (rows >= at.rows.start) & (rows < at.rows.stop)
    found: NDArray[np.int64] = places[inside_rows & (columns >= at.columns.start) & (columns < at.columns.stop)]
    return found


def lit_cells(shaded: Shaded, lit: Lit, at: Layout, width: float = 2.0) -> Iterator[Part]:
    """Outlines around the cells that are brought out."""
    chosen = lit.cells[at.rows.start : at.rows.stop, at.columns.start : at.columns.stop]
    rows, columns = np.nonzero(chosen)
    if len(rows):
        boxes = _boxes(rows + at.rows.start, columns + at.columns.start, at, 0.0)
        grown = np.add(boxes, (-1.0, -1.0, 2.0, 2.0)) if at.cell >= GAP_FROM_PX else boxes
        yield Rects(grown, None, Pen(shaded.theme.accent, width))


def headings(shaded: Shaded, at: Layout, sheet: Sheet, lit: Lit | None = None) -> Iterator[Part]:
    """Names of the rows at the left and of the columns above, over whatever is there, and of both in the corner."""
    left, top, width, height = sheet.area
    theme, matrix, paper = shaded.theme, shaded.matrix, Ink(shaded.theme.plate)
    right, bottom = at.x + len(matrix.columns) * at.cell, at.y + len(matrix.rows) * at.cell
    right, bottom = min(right, left + width), min(bottom, top + height)
    yield Rect(at.left, at.top, at.width, bottom - at.top, paper)
    yield Rect(at.left, at.top, right - at.left, at.height, paper)
    yield from _row_heads(shaded, at, sheet, lit)
    yield from _column_heads(shaded, at, sheet, lit)
    yield Rect(at.left, at.top, at.width, at.height, paper)
    size, middle = whole(HEAD_SIZE * sheet.zoom), at.top + at.height / 2
    room = at.width - 2 * HEAD_GAP_PX * sheet.zoom
    for line, text in zip((-0.5, 0.5), _corner(shaded), strict=True):
        y = baseline(sheet.ruler, middle + line * line_height(sheet.ruler, size), size)
        shown = sheet.ruler.cut(text, room, size)
        yield Text(at.left + at.width - HEAD_GAP_PX * sheet.zoom, y, shown, size, theme.muted, anchor="end")
    edges = [
        [at.left + at.width, at.top, at.left + at.width, bottom],
        [at.left, at.top + at.height, right, at.top + at.height],
    ]
    yield Lines(np.array(edges), Pen(theme.plate_border, 1.0 * sheet.zoom, fixed=True))


def _row_heads(shaded: Shaded, at: Layout, sheet: Sheet, lit: Lit | None) -> Iterator[Part]:
    theme, size = shaded.theme, head_size(at.cell, sheet.ruler, sheet.zoom)
    right = at.left + at.width
    room, high = at.width - 2 * HEAD_GAP_PX * sheet.zoom, line_height(sheet.ruler, size)
    step = _step(at.cell, high)
    last, free_from = -step, -math.inf
    for row in at.rows:
        y = at.y + (row + 0.5) * at.cell
        is_lit = lit is not None and bool(lit.rows[row])
        if is_lit:
            yield Rect(right - 3 * sheet.zoom, y - at.cell / 2, 3 * sheet.zoom, max(1.0, at.cell), Ink(theme.accent))
        is_free = max(y, at.top + at.height + high / 2) >= free_from  # the first is moved by the heads of columns
        is_due = is_free and row % step == 0 and not _is_near(lit, row, step, of_rows=True)
        if is_free and row - last >= step if is_lit else is_due:
            last = row if is_lit else last
            shown = sheet.ruler.cut(shaded.matrix.rows.labels[row], room, size, is_lit)
            y = max(y, at.top + at.height + high / 2)  # clear of the heads of columns
            free_from = y + high
            line = baseline(sheet.ruler, y, size)
            colour = theme.accent if is_lit else theme.text
            if is_lit and step > 1:  # over the names that stand around it
                yield Rect(at.left, y - size * 0.7, at.width - 3 * sheet.zoom, size * 1.4, Ink(theme.plate))
            yield Text(right - HEAD_GAP_PX * sheet.zoom, line, shown, size, colour, is_lit, "end")
        if shaded.worst_rows[row]:
            colour = theme.error if shaded.worst_rows[row] == 2 else theme.warning
            tall = min(4.0 * sheet.zoom, max(1.0, at.cell))
            yield Rect(at.left, y - tall / 2, 4.0 * sheet.zoom, tall, Ink(colour))


def _column_heads(shaded: Shaded, at: Layout, sheet: Sheet, lit: Lit | None) -> Iterator[Part]:
    theme, ruler = shaded.theme, sheet.ruler
    size = head_size(at.cell, ruler, sheet.zoom)
    foot, gap = at.top + at.height, HEAD_GAP_PX * sheet.zoom
    high = line_height(ruler, size)
    step = _step(at.cell, high) if at.is_turned else 1
    room = at.height - 2 * gap if at.is_turned else at.cell - 2
    last, free_from = -step, -math.inf
    for column in at.columns:
        x = at.x + (column + 0.5) * at.cell
        is_lit = lit is not None and bool(lit.columns[column])
        if is_lit:
            yield Rect(x - at.cell / 2, foot - 3 * sheet.zoom, max(1.0, at.cell), 3 * sheet.zoom, Ink(theme.accent))
        least = at.left + at.width + high / 2 if at.is_turned else -math.inf
        is_free = max(x, least) >= free_from  # the first is moved by the heads of rows
        is_due = is_free and column % step == 0 and not _is_near(lit, column, step, of_rows=False)
        if is_free and column - last >= step if is_lit else is_due:
            last = column if is_lit else last
            shown = ruler.cut(shaded.matrix.columns.labels[column], room, size, is_lit)
            colour = theme.accent if is_lit else theme.text
            if is_lit and step > 1:
                yield Rect(x - size * 0.7, at.top, size * 1.4, at.height - 3 * sheet.zoom, Ink(theme.plate))
            if at.is_turned:
                aside = (ruler.ascent(size) - ruler.descent(size)) / 2
                x = max(x, least)
                free_from = x + high
                yield Text(x + aside, foot - gap, shown, size, colour, is_lit, turn=-90.0)
            else:
                yield Text(x, baseline(ruler, at.top + at.height / 2, size), shown, size, colour, is_lit, "middle")
        if shaded.worst_columns[column]:
            colour = theme.error if shaded.worst_columns[column] == 2 else theme.warning
            wide = min(4.0 * sheet.zoom, max(1.0, at.cell))
            yield Rect(x - wide / 2, at.top, wide, 4.0 * sheet.zoom, Ink(colour))


def _step(cell: float, high: float) -> int:
    """Every so many names are written, evenly: the second has room, too, though the first is moved off the corner."""
    return max(1, math.ceil((1.5 * high - cell / 2) / cell))


def _is_near(lit: Lit | None, number: int, step: int, *, of_rows: bool) -> bool:
    """Whether a name there would lie under one that is brought out."""
    if lit is None:
        return False
    flags = lit.rows if of_rows else lit.columns
    return bool(flags[max(0, number - step + 1) : number + step].any())


def _texts(shaded: Shaded, row: int, column: int, at: Layout, sheet: Sheet) -> Iterator[Part]:
    load, count = shaded.text(row, column)
    share = TEXT_SHARE if load else COUNT_SHARE
    size = whole(clamped(share * at.cell, (TEXT_PX[0] * sheet.zoom, TEXT_PX[1] * sheet.zoom)))
    room = at.cell - TEXT_GAP_PX * sheet.zoom
    if load and shaded.heat is not None:
        if sheet.ruler.width(WIDEST_LOAD, size) > room:
            return
        load = _in_form(load, shaded.brief_load(row, column), room, size, sheet)
    lines = [one for one in (load, count if not load or at.cell >= COUNT_FROM_PX * sheet.zoom else "") if one]
    colour = letters_on(shaded.palette[int(shaded.levels[row, column])], shaded.theme)
    x, y = at.x + (column + 0.5) * at.cell, at.y + (row + 0.5) * at.cell
    height = line_height(sheet.ruler, size)
    for number, text in enumerate(lines):
        if sheet.ruler.width(text, size) <= room:
            middle = y + (number - (len(lines) - 1) / 2) * height
            yield Text(x, baseline(sheet.ruler, middle, size), text, size, colour, anchor="middle")


def _in_form(load: str, brief: str, room: float, size: int, sheet: Sheet) -> str:
    """A load in the longest form that every cell of the matrix has room for: "99.3 %", "99 %", "99"; "" for none."""
    forms = (load, brief, brief.removesuffix(PERCENT))
    if load.endswith(PERCENT):
        return next(one for one, widest in zip(forms, WIDEST, strict=True) if sheet.ruler.width(widest, size) <= room)
    return next((one for one in forms if sheet.ruler.width(one, size) <= room), "")


def _boxes(rows: NDArray[np.int64], columns: NDArray[np.int64], at: Layout, gap: float) -> Floats:
    """Left, top, width and height of cells."""
    side = np.full(len(rows), at.cell - gap)
    return np.stack((at.x + columns * at.cell, at.y + rows * at.cell, side, side), axis=1)


def _longest(axis: Axis, ruler: Ruler, zoom: float) -> float:
    """Width of its longest name, up to the most that headings have."""
    size = whole(HEAD_SIZE * zoom)
    chosen = sorted(set(axis.labels), key=len)[-8:]
    return min(MOST_HEAD_PX * zoom, max((ruler.width(label, size, True) for label in chosen), default=0.0))


def _in_sight(start: float, cell: float, count: int, low: float, high: float) -> range:
    first = min(count, max(0, math.floor((low - start) / cell)))
    return range(first, max(first, min(count, math.ceil((high - start) / cell))))


def matrix_layers(shaded: Shaded, sheet: Sheet) -> Iterator[Group]:
    """All of it but paper and legend, for a document."""
    at = layout_of(shaded, sheet)
    yield Group(cells(shaded, at), "cells", label="Cells")
    yield Group(inside(shaded, at, sheet), "in-cells", label="Loads, failures and findings")
    yield Group(headings(shaded, at, sheet), "headings", label="Rows and columns")
