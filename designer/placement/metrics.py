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


def box_size(is_switch: bool) -> tuple[float, float]:
    """Width and height of a device's box."""
    return (SWITCH_WIDTH if is_switch else SERVER_WIDTH), BOX_HEIGHT
