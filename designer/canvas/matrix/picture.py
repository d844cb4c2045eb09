"""The session's design as a matrix: kept up with its edits, loads, findings and selection, and painted."""

from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QImage, QPainter

from designer.analysis.matrix import Matrix, caption, matrix_of
from designer.analysis.matrix_axes import AS_IN_DESIGN, RANK, Axes, Axis
from designer.canvas.fabric_picture import FabricPicture
from designer.canvas.framing import Fit
from designer.canvas.glyphs import Fonts
from designer.canvas.hits import Target
from designer.canvas.legends import HeatPlate
from designer.canvas.painting import paint
from designer.canvas.pointer import Pointer
from designer.canvas.sight import Sight
from designer.canvas.subject import Plate, Subject
from designer.drawing.geometry import Rect
from designer.drawing.heat import Heat
from designer.drawing.matrix.parts import (
    CELL,
    GAP_FROM_PX,
    TEXT_FROM_PX,
    Layout,
    Lit,
    bounds_of,
    heading_room,
    headings,
    inside,
    layout_of,
    lit_cells,
)
from designer.drawing.matrix.ranks import RankMatrix, ordered_ranks, rank_matrix, shaded_ranks, units_of
from designer.drawing.matrix.shading import Shaded, links_without, shaded
from designer.drawing.parts.keys import plates, size_of
from designer.drawing.parts.legend import MARGIN_PX
from designer.drawing.parts.picture import heat_rect, legends
from designer.drawing.parts.primitives import Ink, Pen, Rects
from designer.drawing.parts.primitives import Rect as Box
from designer.drawing.parts.sheet import Sheet
from designer.drawing.theme import LIGHT, Theme
from designer.late import Late
from designer.model.edit import Edit
from designer.session.session import Session
from designer.validation.findings import Severity

MOST_TEXTS_MOVING = 400
"""Cells with texts while the picture moves."""
LONG_ROWS = 12
"""A matrix of more rows, and twice as many as columns, lies on its side unless its rows are chosen."""
MOST_CELL_PX = 64.0
"""A small matrix is not blown up beyond cells of this side."""
TOP_PX = 40.0
"""What the bar over the view covers."""

NO_LINES = "No rows and columns yet: add switches and servers on the canvas."
NO_TRAFFIC = "Run a simulation to see what each rank sends to each other."
traffic = Late("designer.simulation.traffic.rank_traffic")

Cell = tuple[int, int]


class _Basis(NamedTuple):
    """What a shading is of."""

    matrix: Matrix
    heat: Heat | None
    theme: Theme
    failed: frozenset[str]
    worst: dict[str, Severity]

    def is_that(self, other: "_Basis") -> bool:
        """Whether they are of the same matrix and heat, of which but one is made of each."""
        same = self.matrix is other.matrix and self.heat is other.heat and self.theme is other.theme
        return same and self[3:] == other[3:]


class MatrixPicture(Subject):
    """What is drawn of the session; `MatrixSubject` adds what a hand does with it."""

    name = "Matrix"
    fit = Fit(MOST_CELL_PX / CELL, MARGIN_PX, 0.0)

    def __init__(self, session: Session, fabric: FabricPicture) -> None:
        super().__init__(session)
        self._fabric = fabric
        self._fonts = Fonts(QFont())
        self._wanted = ("", "")
        self.order = AS_IN_DESIGN
        """In which order rows and columns stand."""
        self._axes: Axes | None = None
        self._matrix: Matrix | None = None
        self._ranks_of: object = None
        """The run whose traffic the matrix shows."""
        self._shaded: tuple[_Basis, Shaded] | None = None
        self._images: dict[int, QImage] = {}
        self._lit: tuple[frozenset[str], Matrix, Lit] | None = None
        self.cursor: Cell | None = None
        """The cell that arrow keys start from."""
        self._under: Cell | None = None
        session.changed.connect(self._follow)
        session.reset.connect(self._reset)
        session.layers_changed.connect(self._read_again)
        session.workbench.simulation.state_changed.connect(self._show_run)
        fabric.changed.connect(self.changed)
        fabric.changed_now.connect(self.changed_now)
        fabric.legends_changed.connect(self.legends_changed)
        fabric.heat_legend_changed.connect(self.legends_changed)
        self._heat_plate = HeatPlate(session)

    # -- what is shown --------------------------------------------------------------------------------------------

    @property
    def axes(self) -> Axes:
        """What can be rows and columns of the design as it stands."""
        if self._axes is None:
            self._axes = Axes(self.session.design, self.session.hidden_networks, self.order)
        return self._axes

    @property
    def chosen(self) -> tuple[str, str]:
        """The names of the rows and the columns that are shown."""
        there = {kind.name for kind in self.axes.kinds()}
        rows, columns = (one if one in there else "" for one in self._wanted)
        usual = self._lying(*self.axes.usual())
        return rows or usual[0], columns or usual[1]

    def _lying(self, rows: str, columns: str) -> tuple[str, str]:
        """Rows and columns by these names, the longer side of a long matrix across: views are wider than high."""
        n_rows, n_columns = self.axes.count(rows), self.axes.count(columns)
        return (columns, rows) if n_rows > LONG_ROWS and n_rows >= 2 * n_columns else (rows, columns)

    def choose(self, rows: str, columns: str) -> None:
        """Show these rows and columns from now on."""
        if (rows == RANK) != (columns == RANK):  # ranks stand on both sides, or on none
            was_ranks = self.chosen == (RANK, RANK)
            rows, columns = ("" if one == RANK else one for one in (rows, columns)) if was_ranks else (RANK, RANK)
        self._wanted = rows, columns
        self._matrix = self.cursor = None
        self.ending.emit()
        self.replaced.emit()

    def put_in_order(self, order: str) -> None:
        """Show rows and columns in that order from now on."""
        self.order = order
        self._axes = self._matrix = self.cursor = None
        self.ending.emit()
        self.replaced.emit()

    @property
    def matrix(self) -> Matrix | None:
        """The matrix of the design as it stands; None where the design has no rows or no columns."""
        rows, columns = self.chosen
        if rows == RANK:
            return self._ranks()
        if self._matrix is None and self.axes.count(rows) and self.axes.count(columns):
            self._matrix = matrix_of(self.axes, rows, columns)
        return self._matrix

    def _ranks(self) -> Matrix | None:
        """What ranks send to each other in the latest run; None before the first."""
        value = self.session.workbench.simulation.value
        if value is None or value.scenario is None:
            return None
        if self._matrix is None or self._ranks_of is not value:
            graph, units = value.result.graph, units_of(self.session.design)
            self._matrix = rank_matrix(
                ordered_ranks(traffic.rank_traffic(graph, value.scenario, units), self.session.design, self.order)
            )
            self._ranks_of = value
        return self._matrix

    def _show_run(self) -> None:
        if self.chosen[0] == RANK:
            self.changed.emit()

    def shaded(self, theme: Theme) -> Shaded | None:
        """The matrix with heat, findings and failures; None where there is no matrix."""
        matrix = self.matrix
        if matrix is None:
            return None
        failed, worst = self.session.failed, dict(self._fabric.overlay.badges)
        basis = _Basis(matrix, self._fabric.heat, theme, failed, worst)
        if self._shaded is None or not self._shaded[0].is_that(basis):
            links = links_without(self.session.design, failed)
            self._shaded = basis, self._shading(basis, links)
            self._images = {}
        assert self._shaded is not None
        return self._shaded[1]

    def _shading(self, basis: _Basis, links: frozenset[str]) -> Shaded:
        if isinstance(basis.matrix, RankMatrix):
            scenario = self.session.workbench.simulation.result_scenario
            return shaded_ranks(basis.matrix, basis.theme, scenario.summary if scenario is not None else "")
        return shaded(basis.matrix, basis.theme, basis.heat, links, basis.worst)

    def _follow(self, _edit: Edit) -> None:
        self._read_again()

    def _read_again(self) -> None:
        self.ending.emit()
        self._axes = self._matrix = self._under = None
        self.changed.emit()

    def _reset(self) -> None:
        self.cursor, self._wanted = None, ("", "")
        self._read_again()
        self.replaced.emit()

    def set_font(self, font: QFont) -> None:
        """Write in this font from now on."""
        self._fonts = Fonts(QFont(font))

    def bounds(self) -> Rect | None:
        """Left, top, right and bottom of the matrix and its headings; None where there is none."""
        return bounds_of(self.matrix.shape) if self.matrix is not None else None

    def covered_px(self, sight: Sight) -> Rect:
        """Room for names of rows at the left, bar and names of columns at the top, and a strip of the legend below."""
        drawn = self._drawn
        if drawn is None:
            return 0.0, TOP_PX, 0.0, 0.0
        across, down, _ = heading_room(drawn, self._fonts, 0.0, 1.0)
        return across, down + TOP_PX, 0.0, self.foot_px(sight)

    def taken_px(self, sight: Sight, *, soon: bool = False) -> tuple[Rect, ...]:
        """Where the legend stands: all that is shown has room beside or above it."""
        drawn = self._drawn
        legend = (self._legend_rect(drawn, sight),) if drawn is not None and _has_legend(drawn) else ()
        return (*sight.covered, *legend)

    def foot_px(self, sight: Sight) -> float:
        """Height of the strip at the bottom that is the legend's alone: none where that stands beside all cells."""
        drawn = self._drawn
        if drawn is None or not _has_legend(drawn):
            return 0.0
        at = layout_of(drawn, sight.sheet(self._fonts), TOP_PX)
        left, top, right, bottom = self._legend_rect(drawn, sight)
        rows, columns = drawn.matrix.shape
        end, low = at.x + columns * at.cell, at.y + rows * at.cell
        is_beside = right <= at.left or end <= left or low <= top or bottom <= at.top
        return 0.0 if is_beside else sight.height - top + MARGIN_PX

    @property
    def _drawn(self) -> Shaded | None:
        """The matrix as it was shaded last; None where there is none."""
        if self._shaded is not None and self._shaded[0].matrix is self.matrix:
            return self._shaded[1]
        return self.shaded(LIGHT) if self.matrix is not None else None

    def _legend_rect(self, drawn: Shaded, sight: Sight) -> Rect:
        """Where the legend of the heat is, or that of the shades of counts where there is no heat."""
        folded = self._heat_plate.is_folded(sight)
        if drawn.legend is not None:
            return heat_rect(sight.sheet(self._fonts), folded=folded)
        across, down = size_of(plates(drawn.keys, self._fonts, across=True, folded=folded))
        bottom = sight.height - MARGIN_PX
        return MARGIN_PX, bottom - down, MARGIN_PX + across, bottom

    def plate_at(self, at: Pointer, sight: Sight) -> Plate | None:
        """The legend, where the mouse is on it."""
        drawn = self.shaded(sight.theme)
        if drawn is None or not _has_legend(drawn):
            return None
        return self._heat_plate if self._heat_plate.holds(at, self._legend_rect(drawn, sight)) else None

    def _sheet(self, sight: Sight) -> Sheet:
        """The part of the view that cells and headings have."""
        height = max(0.0, sight.height - self.foot_px(sight))
        return replace(sight.sheet(self._fonts), area=(0.0, 0.0, sight.width, height))

    def _layout(self, drawn: Shaded, sight: Sight) -> Layout:
        return layout_of(drawn, self._sheet(sight), TOP_PX)

    # -- painting -------------------------------------------------------------------------------------------------

    def paint(self, painter: QPainter, sight: Sight, hovered: Target, *, connectable: bool) -> bool:
        """Paint the cells from an image, then what is in them, what is chosen, and the headings over all."""
        painter.fillRect(sight.rect, QColor(sight.theme.background))
        drawn = self.shaded(sight.theme)
        if drawn is None or self.matrix is None:
            painter.setPen(QColor(sight.theme.muted))
            painter.setFont(self._fonts.at(14))
            said = NO_TRAFFIC if self.chosen[0] == RANK else NO_LINES
            painter.drawText(sight.rect, Qt.AlignmentFlag.AlignCenter, said)
            return False
        sheet, at = self._sheet(sight), self._layout(drawn, sight)
        painter.setClipRect(QRectF(*sheet.area))
        self._paint_cells(painter, drawn, at, sight.ratio)
        in_sight = len(at.rows) * len(at.columns)
        brief = sight.moving and at.cell >= TEXT_FROM_PX and in_sight > MOST_TEXTS_MOVING
        parts = [] if brief else list(inside(drawn, at, sheet))
        lit = self._lit_now()
        if lit is not None:
            parts += lit_cells(drawn, lit, at)
        parts += [
            *self._framed(self.cursor, at, sight, 3.0),
            *self._framed(self._under if hovered else None, at, sight, 1.0),
        ]
        paint(painter, (*_gaps(drawn, at), *parts, *headings(drawn, at, sheet, lit)), self._fonts)
        painter.setClipping(False)
        return brief

    def _paint_cells(self, painter: QPainter, drawn: Shaded, at: Layout, ratio: float) -> None:
        levels, share = drawn.from_afar(at.cell * ratio)
        if share not in self._images:
            colours = np.array([QColor(one).rgb() for one in drawn.palette], np.uint32)
            pixels = np.ascontiguousarray(colours[levels])
            height, width = pixels.shape
            self._images[share] = QImage(pixels.data, width, height, width * 4, QImage.Format.Format_RGB32).copy()
        first_row, first_column = at.rows.start // share, at.columns.start // share
        end_row, end_column = -(-at.rows.stop // share), -(-at.columns.stop // share)
        source = QRectF(first_column, first_row, end_column - first_column, end_row - first_row)
        side = at.cell * share
        place = QRectF(
            at.x + first_column * side, at.y + first_row * side, source.width() * side, source.height() * side
        )
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
        painter.drawImage(place, self._images[share], source)

    def _framed(self, cell: Cell | None, at: Layout, sight: Sight, width: float) -> tuple[Box, ...]:
        if cell is None or cell[0] not in at.rows or cell[1] not in at.columns:
            return ()
        x, y = at.x + cell[1] * at.cell, at.y + cell[0] * at.cell
        return (Box(x - 1, y - 1, at.cell + 2, at.cell + 2, None, Pen(sight.theme.accent, width)),)

    def _lit_now(self) -> Lit | None:
        """What of the matrix is selected; None where nothing is."""
        selection, matrix = self.session.selection, self.matrix
        if not selection or matrix is None:
            return None
        if self._lit is None or self._lit[0] is not selection or self._lit[1] is not matrix:
            links = matrix.flags(selection)
            lit = self.session.selected.lit
            rows, columns = (_lit_lines(axis, lit) for axis in (matrix.rows, matrix.columns))
            cells = matrix.spread(matrix.counted_of_cells(links) > 0, False)
            self._lit = selection, matrix, Lit(rows | cells.any(axis=1), columns | cells.any(axis=0), cells)
        return self._lit[2]

    def paint_over(self, painter: QPainter, sight: Sight) -> None:
        """The legend of the heat, or of the shades of counts, below the cells."""
        drawn = self.shaded(sight.theme)
        if drawn is not None and _has_legend(drawn):
            folded = self._heat_plate.is_folded(sight)
            paint(painter, legends(drawn.legend, (), sight.sheet(self._fonts), drawn.keys, folded=folded), self._fonts)

    @property
    def caption(self) -> str:
        """What is shown, in words; "" where there is nothing."""
        return caption(self.matrix) if self.matrix is not None else ""


def _has_legend(drawn: Shaded) -> bool:
    return drawn.legend is not None or bool(drawn.keys)


def _lit_lines(axis: Axis, selection: frozenset[str]) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    found = np.zeros(len(axis), np.bool_)
    for one in selection:
        number = axis.of_device.get(one)
        if number is not None:
            found[number] = True
    for number, members in enumerate(axis.members):
        if len(members) == 1 and members[0] in selection:
            found[number] = True
    return found


def _gaps(drawn: Shaded, at: Layout) -> Iterable[Rects]:
    """What sets cells apart, where these are large enough."""
    if at.cell < GAP_FROM_PX or not at.rows or not at.columns:
        return
    x = at.x + np.arange(at.columns.start, at.columns.stop + 1) * at.cell
    y = at.y + np.arange(at.rows.start, at.rows.stop + 1) * at.cell
    one_x, one_y = np.ones(len(x)), np.ones(len(y))
    upright = np.stack((x, one_x * y[0], one_x, one_x * (y[-1] - y[0])), axis=1)
    level = np.stack((one_y * x[0], y, one_y * (x[-1] - x[0]), one_y), axis=1)
    yield Rects(np.concatenate((upright, level)), Ink(drawn.theme.background), crisp=True)
