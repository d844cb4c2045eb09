"""Sizes of boxes on the canvas, in canvas units: what layout keeps apart and what drawing draws."""

SWITCH_WIDTH = 120.0
SERVER_WIDTH = 96.0
BOX_HEIGHT = 44.0
GAP = 24.0
"""Least distance between two boxes that a layout leaves."""

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
