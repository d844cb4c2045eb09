"""The picture of a layered fabric: one top tier, and below it blocks (scalable units, pods, leafs with their servers).

A block shows its tiers top down as grids of the same number of columns, servers last, so that a scalable unit of
8 leafs and 32 servers is a compact field and not a row of 32. Servers stand closer than switches, and never in a single
column, so that links from one switch fan out instead of lying on each other. The number of columns, and of rows of
blocks, is the one that shows the whole picture largest on a screen.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from designer.placement.metrics import BOX_HEIGHT, COLUMN_PITCH, GAP, ROW_PITCH, SERVER_WIDTH

SCREEN = (1600.0, 900.0)
TIER_GAP = 96.0
"""Between two tiers of a block, room for their links."""
BLOCK_GAP = 60.0
LEAST_TOP_GAP = 160.0
TOP_GAP_SHARE = 0.11
MOST_TOP_GAP_SHARE = 0.25
"""Gap under the top tier as a share of the picture's width: links that run far sideways need height to fan out."""

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class TierLayout:
    """Centres of all boxes, around x = 0 and from y = 0 downwards."""

    top: tuple[Point, ...]
    blocks: tuple[tuple[tuple[Point, ...], ...], ...]
    """Block by block, tier by tier from the top of the block, box by box."""


@dataclass(frozen=True, slots=True)
class _Shape:
    """One way of arranging the blocks, and what it measures."""

    columns: int
    block_rows: int
    block_columns: int
    block_width: float
    block_height: float
    top_columns: int
    top_gap: float
    width: float
    height: float
    ragged: bool
    """Some tier does not fill its last row."""

    @property
    def worth(self) -> float:
        """How large the boxes come out on a screen, by logarithm.

        A second row of blocks costs, as links to it cross the first; short last rows cost, as they look unfinished.
        """
        size = min(SCREEN[0] / self.width, SCREEN[1] / self.height)
        return math.log(size) - 0.3 * math.log2(self.block_rows) - 0.15 * self.ragged


def arrange(n_top: int, n_blocks: int, tiers: Sequence[int]) -> TierLayout:
    """Centres for `n_top` boxes above `n_blocks` like blocks, each of `tiers` boxes a tier, top down.

    No two boxes overlap, whatever the counts; order along each row is index order.
    """
    shape = max(_shapes(n_top, n_blocks, tiers), key=lambda shape: shape.worth)
    top = _grid(n_top, shape.top_columns, 0.0, BOX_HEIGHT / 2)
    top_rows = math.ceil(n_top / shape.top_columns) if n_top else 0
    first_y = top_rows * ROW_PITCH - GAP + shape.top_gap if n_top else 0.0
    blocks = []
    for index in range(n_blocks):
        row, column = divmod(index, shape.block_columns)
        in_row = min(shape.block_columns, n_blocks - row * shape.block_columns)
        centre_x = (column - (in_row - 1) / 2) * (shape.block_width + BLOCK_GAP)
        blocks.append(_block(tiers, shape.columns, centre_x, first_y + row * (shape.block_height + TIER_GAP)))
    return TierLayout(top, tuple(blocks))


def _shapes(n_top: int, n_blocks: int, tiers: Sequence[int]) -> Iterator[_Shape]:
    widest = max(tiers, default=1)
    for columns in range(min(2, widest), min(widest, 64) + 1):
        pitches = zip(tiers, _pitches(tiers), strict=True)
        block_width = max(min(columns, count) * pitch - GAP for count, pitch in pitches)
        block_height = sum(math.ceil(count / columns) * ROW_PITCH - GAP for count in tiers if count)
        block_height += TIER_GAP * (sum(1 for count in tiers if count) - 1)
        for block_rows in range(1, math.isqrt(n_blocks) + 1):
            block_columns = math.ceil(n_blocks / block_rows)
            blocks_width = block_columns * (block_width + BLOCK_GAP) - BLOCK_GAP
            # The top tier takes a second row rather than stand out far beyond the blocks it joins.
            room = max(1, int((max(blocks_width, 4 * COLUMN_PITCH) + GAP) // COLUMN_PITCH))
            top_columns = _even_columns(n_top, room)
            width = max(blocks_width, top_columns * COLUMN_PITCH - GAP)
            top_gap = max(LEAST_TOP_GAP, TOP_GAP_SHARE * width)
            height = block_rows * (block_height + TIER_GAP) - TIER_GAP
            if n_top:
                height += math.ceil(n_top / top_columns) * ROW_PITCH - GAP + top_gap
                # Height that the screen has to spare goes there too.
                spare = min(width * SCREEN[1] / SCREEN[0] - height, MOST_TOP_GAP_SHARE * width - top_gap)
                top_gap, height = top_gap + max(0.0, spare), height + max(0.0, spare)
            yield _Shape(
                columns, block_rows, block_columns, block_width, block_height, top_columns, top_gap, width, height,
                ragged=any(count > columns and count % columns for count in tiers),
            )


def _pitches(tiers: Sequence[int]) -> list[float]:
    """Distance between columns of each tier of a block: its last tier is servers."""
    return [COLUMN_PITCH] * (len(tiers) - 1) + [SERVER_WIDTH + GAP]


def _even_columns(count: int, room: int) -> int:
    """Columns of a grid no wider than `room`: as few rows as that takes, or one or two more if these come out full."""
    if not count:
        return 1
    rows = math.ceil(count / room)
    rows = next((more for more in range(rows, rows + 3) if count % more == 0), rows)
    return math.ceil(count / rows)


def _block(tiers: Sequence[int], columns: int, centre_x: float, y: float) -> tuple[tuple[Point, ...], ...]:
    placed = []
    for count, pitch in zip(tiers, _pitches(tiers), strict=True):
        placed.append(_grid(count, columns, centre_x, y + BOX_HEIGHT / 2, pitch))
        if count:
            y += math.ceil(count / columns) * ROW_PITCH - GAP + TIER_GAP
    return tuple(placed)


def _grid(
    count: int, columns: int, centre_x: float, first_y: float, pitch: float = COLUMN_PITCH
) -> tuple[Point, ...]:
    """Rows of up to `columns` boxes; a lone short row is centred, a last short one is flush left under the others."""
    columns = max(1, min(columns, count))
    left = centre_x - (columns - 1) * pitch / 2
    return tuple(
        (round(left + (index % columns) * pitch, 1), round(first_y + index // columns * ROW_PITCH, 1))
        for index in range(count)
    )
