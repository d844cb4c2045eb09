"""Sizes of boxes on the canvas, in canvas units: what layout keeps apart and what drawing draws."""

SWITCH_WIDTH = 120.0
SERVER_WIDTH = 96.0
BOX_HEIGHT = 44.0
GAP = 24.0
"""Least distance between two boxes that a layout leaves."""

COLUMN_PITCH = SWITCH_WIDTH + GAP
ROW_PITCH = BOX_HEIGHT + GAP


def box_size(is_switch: bool) -> tuple[float, float]:
    """Width and height of a device's box."""
    return (SWITCH_WIDTH if is_switch else SERVER_WIDTH), BOX_HEIGHT
