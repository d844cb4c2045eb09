"""The picture of a layered fabric: every tier of switches in one row, and each server below its leaf switches.

Under the top tier stand like blocks side by side (scalable units, pods, leafs with their servers). A block shows its
tiers top down; its leaf switches stand over their own servers, cell by cell, and nothing but servers below servers. So
links between neighboring tiers run straight through free ground. Every tier is one row as long as the picture fits on
a large sheet. In wider ones servers, and they alone, take several rows under their own leaf switches; how many is what
shows the whole picture largest on a screen.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from designer.placement.metrics import BOX_HEIGHT, COLUMN_PITCH, GAP, ROW_PITCH, SERVER_WIDTH

SCREEN = (1600.0, 900.0)
LARGE_SHEET = 64 * COLUMN_PITCH
"""Width up to which servers stand in one row: 64 switches side by side."""
TIER_GAP = 96.0
"""Between two tiers of a block, room for their links; more between wide tiers of switches."""
TIER_GAP_SHARE, MOST_TIER_GAP = 0.12, 900.0
BLOCK_GAP = 60.0
CELL_GAP = 44.0
"""Between the servers of neighboring leaf switches in a block."""
LEAST_TOP_GAP = 160.0
TOP_GAP_SHARE = 0.11
MOST_TOP_GAP_SHARE = 0.25
"""Gap under the top tier as a share of the picture's width: links that run far sideways need height to fan out."""
MOST_SPREAD = 3.0
"""A row of few boxes over a wide one spreads to so many times its pitch."""
FEW_SERVERS = 8
"""So few servers of one leaf switch stand better in two columns, where their links fan out."""

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class TierLayout:
    """Centres of all boxes, around x = 0 and from y = 0 downwards."""

    top: tuple[Point, ...]
    blocks: tuple[tuple[tuple[Point, ...], ...], ...]
    """Block by block, tier by tier from the top of the block, box by box."""


@dataclass(frozen=True, slots=True)
class _Shape:
    """One number of columns for the servers of a cell, and what the picture then measures."""

    columns: int
    server_rows: int
    cell_width: float
    block_width: float
    tier_gap: float
    top_gap: float
    width: float
    height: float
    ragged: bool
    """The servers of a cell do not fill their last row."""
    stacked: bool
    """Few servers stand in one column, though two would do."""

    @property
    def worth(self) -> float:
        """How large the boxes come out on a screen, by logarithm.

        Rows of servers cost, as links to the second go round the first; short last rows cost, as they look unfinished.
        """
        if self.server_rows == 1 and self.width <= LARGE_SHEET:
            return math.inf
        size = min(SCREEN[0] / self.width, SCREEN[1] / self.height)
        return math.log(size) - 0.1 * math.log2(self.server_rows) - 0.15 * self.ragged - 0.3 * self.stacked


def arrange(n_top: int, n_blocks: int, tiers: Sequence[int], n_cells: int = 1) -> TierLayout:
    """Centres for `n_top` boxes above `n_blocks` like blocks, each of `tiers` boxes a tier, top down.

    The last tier is servers; the one above it leaf switches. Both are shared out over `n_cells` cells of a block in
    the order of their numbers. No two boxes overlap, whatever the counts; along each row stand ascending numbers.
    """
    shape = max(_shapes(n_top, n_blocks, tiers, n_cells), key=lambda shape: shape.worth)
    top = _row(n_top, 0.0, BOX_HEIGHT / 2, _spread(n_top, shape.width, COLUMN_PITCH))
    first_y = BOX_HEIGHT + shape.top_gap if n_top else 0.0
    pitch = shape.block_width + BLOCK_GAP
    blocks = tuple(
        _block(tiers, n_cells, shape, (index - (n_blocks - 1) / 2) * pitch, first_y) for index in range(n_blocks)
    )
    return TierLayout(top, blocks)


def _shapes(n_top: int, n_blocks: int, tiers: Sequence[int], n_cells: int) -> Iterator[_Shape]:
    uppers, leafs, servers = _parts(tiers, n_cells)
    for columns in range(1, max(1, min(servers, 64)) + 1):
        server_rows = max(1, math.ceil(servers / columns))
        columns_width = columns * (SERVER_WIDTH + GAP) - GAP if servers else 0.0
        cell_width = max(leafs * COLUMN_PITCH - GAP, columns_width)
        upper_width = max((count * COLUMN_PITCH - GAP for count in uppers), default=0.0)
        block_width = max(n_cells * (cell_width + CELL_GAP) - CELL_GAP, upper_width)
        width = max(n_blocks * (block_width + BLOCK_GAP) - BLOCK_GAP, n_top * COLUMN_PITCH - GAP, COLUMN_PITCH)
        tier_gap = max(TIER_GAP, min(MOST_TIER_GAP, TIER_GAP_SHARE * block_width)) if len(uppers) else TIER_GAP
        height = len(uppers) * BOX_HEIGHT + max(0, len(uppers) - 1) * tier_gap
        if leafs:
            height += BOX_HEIGHT + (tier_gap if uppers else 0.0)
        if servers:
            height += server_rows * ROW_PITCH - GAP + (TIER_GAP if leafs or uppers else 0.0)
        top_gap = 0.0
        if n_top:
            top_gap = max(LEAST_TOP_GAP, TOP_GAP_SHARE * width)
            height += BOX_HEIGHT + top_gap
            # Height that the screen has to spare goes there too.
            spare = min(width * SCREEN[1] / SCREEN[0] - height, MOST_TOP_GAP_SHARE * width - top_gap)
            top_gap, height = top_gap + max(0.0, spare), height + max(0.0, spare)
        yield _Shape(
            columns,
            server_rows,
            cell_width,
            block_width,
            tier_gap,
            top_gap,
            width,
            max(height, BOX_HEIGHT),
            ragged=servers > columns and servers % columns > 0,
            stacked=columns == 1 < servers <= FEW_SERVERS,
        )


def _parts(tiers: Sequence[int], n_cells: int) -> tuple[Sequence[int], int, int]:
    """Counts of the tiers above the leaf switches, and of the leaf switches and servers of one cell."""
    *uppers, leafs, servers = (0, 0, *tiers)[-max(2, len(tiers)) :]
    return uppers, math.ceil(leafs / n_cells), math.ceil(servers / n_cells)


def _block(
    tiers: Sequence[int], n_cells: int, shape: _Shape, centre_x: float, y: float
) -> tuple[tuple[Point, ...], ...]:
    uppers, leafs, servers = _parts(tiers, n_cells)
    placed: list[tuple[Point, ...]] = []
    y += BOX_HEIGHT / 2
    for count in uppers:
        placed.append(_row(count, centre_x, y, _spread(count, shape.block_width, COLUMN_PITCH)))
        y += BOX_HEIGHT + shape.tier_gap
    cell_pitch = max(shape.cell_width + CELL_GAP, (shape.block_width + CELL_GAP) / n_cells)
    middles = [centre_x + (cell - (n_cells - 1) / 2) * cell_pitch for cell in range(n_cells)]
    if len(tiers) > 1:
        pitch = _spread(leafs, shape.cell_width, COLUMN_PITCH)
        every = [point for middle in middles for point in _row(leafs, middle, y, pitch)]
        placed.append(tuple(every[: tiers[-2]]))
        y += BOX_HEIGHT + TIER_GAP if leafs else 0.0
    pitch = _spread(shape.columns, shape.cell_width, SERVER_WIDTH + GAP)
    every = [point for middle in middles for point in _grid(servers, shape.columns, middle, y, pitch)]
    placed.append(tuple(every[: tiers[-1]]))
    return tuple(placed)


def _spread(count: int, width: float, pitch: float) -> float:
    """The pitch at which so many boxes fill a width, within bounds."""
    return min(max(pitch, (width + GAP) / max(1, count)), MOST_SPREAD * pitch)


def _row(count: int, centre_x: float, y: float, pitch: float) -> tuple[Point, ...]:
    return _grid(count, max(1, count), centre_x, y, pitch)


def _grid(count: int, columns: int, centre_x: float, first_y: float, pitch: float) -> tuple[Point, ...]:
    """Rows of up to `columns` boxes; a lone short row is centred, a last short one is flush left under the others."""
    columns = max(1, min(columns, count))
    left = centre_x - (columns - 1) * pitch / 2
    return tuple(
        (round(left + (index % columns) * pitch, 1), round(first_y + index // columns * ROW_PITCH, 1))
        for index in range(count)
    )
