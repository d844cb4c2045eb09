"""The record of a bookmark: a view of the design under a name."""

from dataclasses import dataclass

CANVAS, MATRIX, FLOOR, ELEVATION = VIEWS = ("canvas", "matrix", "floor", "elevation")
FRONT, REAR = "", "rear"
CORNERS = 4
"""Numbers that say what is seen: left, top, right, bottom."""


@dataclass(frozen=True, slots=True)
class Bookmark:
    """Where somebody looked, and how: going there shows the same part, colored and collapsed the same way."""

    id: str
    name: str
    view: str = CANVAS
    """One of canvas, matrix, floor and elevation."""
    seen: tuple[float, ...] = ()
    """Left, top, right and bottom of what is seen, in the units of the view; none given stands for all of it."""
    side: str = FRONT
    """From where an elevation shows the racks: "" the front, or "rear"."""
    rows: str = ""
    """Rows of a matrix, a word of analysis.matrix_axes; "" for what suits the design."""
    columns: str = ""
    """Columns of a matrix, likewise."""
    hidden_networks: tuple[str, ...] = ()
    """Networks that are not drawn."""
    color_devices_by: str = ""
    """What the colors of devices tell; "" leaves it as it is."""
    color_links_by: str = ""
    """What the colors of links tell; "" leaves it as it is."""
    collapsed: tuple[str, ...] = ()
    """What is one box: ids of groups and racks, and "g1/leaf" for the devices of a role in a group."""
    opened: tuple[str, ...] = ()
    """Of what is one box where it is small alone, what is open all the same: ids of groups, "g1/leaf" for the devices
    of a role in a group, and "/spine Spines 1-4" for a part of them."""
    run: tuple[tuple[str, str], ...] = ()
    """What was simulated, as settings of a run by name: computed and shown again; none leaves the loads as they are."""
    failed: tuple[str, ...] = ()
    """Ids of the devices and links that were marked as failed in that run."""
