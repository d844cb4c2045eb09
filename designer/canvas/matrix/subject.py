"""The matrix under the hand: what a point of it is on, what clicks, bands and arrow keys select, what is said."""

from collections.abc import Iterable

import numpy as np

from designer.analysis.matrix_axes import Axis
from designer.canvas.dropping import Landing
from designer.canvas.hits import NOTHING, Target
from designer.canvas.matrix.picture import MatrixPicture
from designer.canvas.pointer import Pointer
from designer.canvas.sight import Sight
from designer.canvas.tooltips import table
from designer.drawing.geometry import Rect
from designer.drawing.matrix.parts import CELL, cell_rect
from designer.model.design import Design
from designer.model.edit import Edit
from designer.model.hardware.types import HardwareType
from designer.model.several import ONE, Wanted

Cell = tuple[int, int]


class MatrixSubject(MatrixPicture):
    """Cells with the links between what stands for their row and their column; heat and findings as on the canvas."""

    walks = True

    # -- where things are -----------------------------------------------------------------------------------------

    def rect_of(self, entity_id: str) -> Rect | None:
        """The cell of a link, or the row or column of a device, group or rack."""
        matrix = self.matrix
        if matrix is None:
            return None
        number = matrix.number_of.get(entity_id)
        if number is not None:
            places = np.flatnonzero(matrix.links == number)
            if not len(places):
                return None
            cell = int(matrix.cells[np.searchsorted(matrix.starts, places[0], side="right") - 1])
            return cell_rect(*divmod(cell, len(matrix.columns)))
        rows, columns = matrix.shape
        row, column = _line_of(matrix.rows, entity_id), _line_of(matrix.columns, entity_id)
        if row is not None:
            return 0.0, row * CELL, columns * CELL, (row + 1) * CELL
        return (column * CELL, 0.0, (column + 1) * CELL, rows * CELL) if column is not None else None

    def target_at(self, at: Pointer, sight: Sight) -> Target:
        """The links of the cell under the mouse, or what the heading under it stands for."""
        self._under = None
        drawn = self.shaded(sight.theme)
        if drawn is None or self.matrix is None:
            return NOTHING
        place, x, y = self._layout(drawn, sight), at.spot.x(), at.spot.y()
        if y >= sight.height - self.foot_px(sight):
            return NOTHING
        on_rows, on_columns = x < place.left + place.width, y < place.top + place.height
        row, column = int(at.y // CELL), int(at.x // CELL)
        if on_rows and on_columns:
            return NOTHING
        if on_rows and x >= place.left and row in place.rows:
            return _heading(self.session.design, self.matrix.rows, row)
        if on_columns and y >= place.top and column in place.columns:
            return _heading(self.session.design, self.matrix.columns, column)
        if on_rows or on_columns or row not in place.rows or column not in place.columns:
            return NOTHING
        self._under = row, column
        return Target(link_ids=self.matrix.links_in(row, column))

    def within(self, rect: Rect) -> list[str]:
        """The links of all cells that the band touches."""
        if self.matrix is None:
            return []
        rows, columns = self.matrix.shape
        left, right = max(0, int(rect[0] // CELL)), min(columns - 1, int(rect[2] // CELL))
        top, bottom = max(0, int(rect[1] // CELL)), min(rows - 1, int(rect[3] // CELL))
        cells = self.matrix.cells
        of_row, of_column = cells // columns, cells % columns
        chosen = (of_row >= top) & (of_row <= bottom) & (of_column >= left) & (of_column <= right)
        counts = np.diff(self.matrix.starts, append=len(self.matrix.links))
        links = np.unique(self.matrix.links[np.repeat(chosen, counts)])
        return [self.matrix.link_ids[link] for link in links.tolist()]

    def step(self, dx: int, dy: int) -> Rect | None:
        """Move the cursor by cells, and select what is in the cell it comes to; its place, None without a matrix."""
        if self.matrix is None:
            return None
        rows, columns = self.matrix.shape
        row, column = self.cursor or self._first_chosen() or (-dy if dy > 0 else 0, -dx if dx > 0 else 0)
        self.cursor = min(rows - 1, max(0, row + dy)), min(columns - 1, max(0, column + dx))
        self._under = self.cursor
        self.session.select(self.matrix.links_in(*self.cursor))
        self.changed.emit()
        return cell_rect(*self.cursor)

    def _first_chosen(self) -> Cell | None:
        lit = self._lit_now()
        if lit is None or not lit.cells.any():
            return None
        row, column = divmod(int(np.argmax(lit.cells)), lit.cells.shape[1])
        return row, column

    # -- what the hand does ---------------------------------------------------------------------------------------

    def movable(self, ids: Iterable[str]) -> tuple[str, ...]:
        """Nothing: arrow keys go from cell to cell."""
        return ()

    def nudged(self, dx: int, dy: int, *, fine: bool) -> Edit | None:
        """Nothing."""
        return None

    def drag(self, target: Target, start: Pointer) -> None:
        """Nothing in a matrix is dragged."""
        return

    def landing(self, type_: HardwareType, at: Pointer, sight: Sight, wanted: Wanted = ONE) -> Landing:
        """Refused: a matrix has no places."""
        return Landing(None, f"{type_.model} has no place in a matrix: drop it on the canvas")

    # -- what is said ---------------------------------------------------------------------------------------------

    def title_of(self, row: int, column: int) -> str:
        """ "leaf-01 – spine-02"; an arrow where a cell shows what goes from its row to its column."""
        assert self.matrix is not None
        between = "→" if self.matrix.is_one_way else "–"
        return f"{self.matrix.rows.labels[row]} {between} {self.matrix.columns.labels[column]}"

    def sentence(self, target: Target) -> str:
        """The cell under the mouse, or the one that arrow keys came to, in one line: links, load, what has failed."""
        drawn = self._shaded[1] if self._shaded is not None else None
        if drawn is None or self._under is None:
            return ""
        facts = ", ".join(f"{name.lower()} {value}" for name, value in drawn.facts(*self._under))
        return f"{self.title_of(*self._under)}: {facts}"

    def tooltip(self, target: Target) -> str:
        """The same as a table."""
        drawn = self._shaded[1] if self._shaded is not None else None
        if self._under is None or drawn is None:
            return ""
        return table(self.title_of(*self._under), drawn.facts(*self._under))


def _heading(design: Design, axis: Axis, number: int) -> Target:
    members = axis.members[number]
    if len(members) > 1 or not members:
        return Target(members=members)
    return Target(device_id=members[0]) if members[0] in design.devices else Target(container_id=members[0])


def _line_of(axis: Axis, entity_id: str) -> int | None:
    found = axis.of_device.get(entity_id)
    if found is not None:
        return found
    return next((number for number, members in enumerate(axis.members) if entity_id in members), None)
