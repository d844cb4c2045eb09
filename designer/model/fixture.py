"""The record of a fixture: what a floor plan shows apart from racks, such as walls, trays, dimensions and texts."""

from dataclasses import dataclass

from designer.fields import kinds
from designer.fields.field import Word, setting
from designer.fields.ranges import Range

WALL, DOOR, COLUMN, COOLING, TRAY = "wall", "door", "column", "cooling", "tray"
TEXT, ZONE, DIMENSION = "text", "zone", "dimension"

BUILT: tuple[Word, ...] = (
    Word(WALL, "Wall", "A wall: drag along it"),
    Word(DOOR, "Door", "A door: drag over its width, or click"),
    Word(COLUMN, "Column", "A column of the building: drag from corner to corner, or click"),
    Word(COOLING, "Cooling Unit", "An air conditioner that takes floor: drag from corner to corner, or click"),
    Word(TRAY, "Cable Tray", "A tray over the floor: click its corners; a double-click or Esc ends it"),
)

MARKINGS: tuple[Word, ...] = (
    Word(TEXT, "Text", "Words on the floor plan: click, or drag as wide and high as they should be"),
    Word(ZONE, "Zone", "An area of the floor with a title: drag from corner to corner, or click"),
    Word(
        DIMENSION,
        "Dimension",
        "A dimension in meters: drag from a rack, a wall or a point to another; Alt measures in any direction",
    ),
)
"""What is written and drawn on the plan, and takes no floor."""
KINDS = (*BUILT, *MARKINGS)

SOLID = frozenset((WALL, COLUMN, COOLING))
"""Where no rack can stand."""

FLOOR_FARTHEST_M = 1e5
_PLACE = Range(-FLOOR_FARTHEST_M, FLOOR_FARTHEST_M)
_SIDE = Range(0, 1000, is_above=True)


@dataclass(frozen=True, slots=True)
class Tie:
    """What an end of a dimension holds on to, and how far from there it stands, to the right and down.

    `across` and `down` are shares of half the width and depth of a rack or fixture, from its middle and before it is
    turned: -1 and -1 are its left top corner.
    """

    thing_id: str = ""
    """Id of the rack or fixture; "" for an end that stands by itself, and one that is not there counts as none."""
    across: float = 0.0
    down: float = 0.0
    x_m: float = 0.0
    y_m: float = 0.0


@dataclass(frozen=True, slots=True)
class Fixture:
    """Something in the room that is no rack. It stands on the floor plan and nowhere else.

    A tray is where its corners are, and as wide as its width; a dimension leads from a point to another. A fixture of
    any other kind is a rectangle around its middle, which may be turned.
    """

    id: str
    kind: str
    """One of wall, door, column, cooling, tray, text, zone and dimension."""
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
    """X and y of the corners of a tray, from one end to the other; of both ends of a dimension.

    A dimension whose ends have the same y, or the same x, measures along or across the rows alone.
    """
    tags: tuple[str, ...] = ()
    """Words to find it by, without blanks or commas."""
    fields: tuple[tuple[str, str], ...] = ()
    """Name and value of facts of the user's own, such as an asset number."""
    ties: tuple[Tie, ...] = ()
    """What the ends of a dimension hold on to, first and last; none where both stand by themselves."""
