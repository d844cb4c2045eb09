"""The record of a fixture: what a room has apart from racks, such as walls, doors, columns, cooling units and trays."""

from dataclasses import dataclass

from designer.fields import kinds
from designer.fields.field import Word, setting
from designer.fields.ranges import Range

WALL, DOOR, COLUMN, COOLING, TRAY = "wall", "door", "column", "cooling", "tray"

KINDS: tuple[Word, ...] = (
    Word(WALL, "Wall", "A wall: drag along it"),
    Word(DOOR, "Door", "A door: drag over its width, or click"),
    Word(COLUMN, "Column", "A column of the building: drag from corner to corner, or click"),
    Word(COOLING, "Cooling Unit", "An air conditioner that takes floor: drag from corner to corner, or click"),
    Word(TRAY, "Cable Tray", "A tray over the floor: click its corners; a double-click or Esc ends it"),
)

SOLID = frozenset((WALL, COLUMN, COOLING))
"""Where no rack can stand."""

FLOOR_FARTHEST_M = 1e5
_PLACE = Range(-FLOOR_FARTHEST_M, FLOOR_FARTHEST_M)
_SIDE = Range(0, 1000, is_above=True)


@dataclass(frozen=True, slots=True)
class Fixture:
    """Something in the room that is no rack. It stands on the floor plan and nowhere else.

    A tray is where its corners are, and as wide as its width; a fixture of any other kind is a rectangle around its
    middle, which may be turned.
    """

    id: str
    kind: str
    """One of wall, door, column, cooling and tray."""
    name: str = setting("", title="Name", help="What lists and findings call it.", kind=kinds.TEXT)
    x_m: float = setting(0.0, title="X, m", help="Its middle, along the rows.", kind=kinds.LENGTH, within=_PLACE)
    y_m: float = setting(
        0.0, title="Y, m", help="Its middle, across the rows and down the plan.", kind=kinds.LENGTH, within=_PLACE
    )
    width_m: float = setting(
        0.6,
        title="Width, m",
        help="How far it reaches along the rows; of a tray its width.",
        kind=kinds.LENGTH,
        within=_SIDE,
    )
    depth_m: float = setting(
        0.6, title="Depth, m", help="How far it reaches across the rows.", kind=kinds.LENGTH, within=_SIDE
    )
    turn_deg: float = setting(
        0.0, title="Turned, °", help="How far it is turned around its middle, clockwise.", kind=kinds.DEGREES
    )
    height_m: float | None = setting(
        None,
        title="Height, m",
        noun="the height",
        help="How high cables may lie in a tray: its side walls.",
        kind=kinds.LENGTH,
        within=Range(0, 10, is_above=True),
        empty="not known",
    )
    points_m: tuple[tuple[float, float], ...] = ()
    """X and y of the corners of a tray, from one end to the other."""
    tags: tuple[str, ...] = ()
    """Words to find it by, without blanks or commas."""
    fields: tuple[tuple[str, str], ...] = ()
    """Name and value of facts of the user's own, such as an asset number."""
