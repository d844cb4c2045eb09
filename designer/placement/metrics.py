"""Sizes of boxes on the canvas, in canvas units: what layout keeps apart and what drawing draws."""

SWITCH_WIDTH = 120.0
SERVER_WIDTH = 96.0
BOX_HEIGHT = 44.0
GAP = 24.0
"""Least distance between two boxes that a layout leaves."""

GROUP_GAP = 3 * GAP
"""Between the outer boxes of groups next to each other: their frames and titles stand in it."""

COLUMN_PITCH = SWITCH_WIDTH + GAP
ROW_PITCH = BOX_HEIGHT + GAP


RACK_PADDING = 14.0
RACK_TITLE = 26.0
RACK_SIZE = (168.0, 132.0)
"""An empty rack; it grows with what is mounted."""


LONGEST_ROW = 32
"""Boxes that come together stand in rows of so many at most."""


def rows_around(count: int, x: float, y: float, width: float, height: float) -> list[tuple[float, float]]:
    """Centres of so many boxes in rows around a point, from left to right and from the top down."""
    n_columns = min(count, LONGEST_ROW)
    n_rows = -(-count // n_columns)
    left, top = x - (n_columns - 1) * (width + GAP) / 2, y - (n_rows - 1) * (height + GAP) / 2
    return [
        (left + number % n_columns * (width + GAP), top + number // n_columns * (height + GAP))
        for number in range(count)
    ]


def extent(count: int, width: float, height: float) -> tuple[float, float]:
    """Width and height of so many boxes in rows."""
    n_columns = min(count, LONGEST_ROW)
    return n_columns * (width + GAP) - GAP, -(-count // n_columns) * (height + GAP) - GAP


def box_size(is_switch: bool) -> tuple[float, float]:
    """Width and height of a device's box."""
    return (SWITCH_WIDTH if is_switch else SERVER_WIDTH), BOX_HEIGHT


SLIMMEST, SLIMMEST_OF_ROLE = 0.5, 0.15
"""A collapsed box is at most so many times as high as it is wide."""
MOST_COLLAPSED, LEAST_COLLAPSED = 360.0, 2 * BOX_HEIGHT
"""What a collapsed box says takes no more width, and so much height."""


def collapsed_size(width: float, height: float, *, of_role: bool) -> tuple[float, float]:
    """Width and height of the box for what takes so much room open."""
    width = min(width, MOST_COLLAPSED)
    slimmest = SLIMMEST_OF_ROLE if of_role else SLIMMEST
    return width, max(min(height, max(slimmest * width, LEAST_COLLAPSED)), BOX_HEIGHT)


READ_AT, READ_SHARE = (1000.0, 625.0), 0.75
"""The size of a view in which all of a drawing is looked at, and what letters then have of their size at least."""


def usual_scale(extent: tuple[float, float, float, float] | None) -> float:
    """How much larger than at full size annotations are in a drawing that reaches so far, 1 at least.

    `extent` is its left, top, right and bottom. It depends on the drawing alone, so that they are alike however near
    they are drawn: they are read where all of it is seen, and do not dwarf the names of devices.
    """
    if extent is None:
        return 1.0
    left, top, right, bottom = extent
    return max(1.0, READ_SHARE * max((right - left) / READ_AT[0], (bottom - top) / READ_AT[1]))
