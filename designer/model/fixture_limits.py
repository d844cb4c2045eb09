"""What a fixture can be: its kind, its corners, and how many there can be."""

from collections.abc import Iterable, Iterator

from designer.model.fixture import DIMENSION, KINDS, TRAY, Fixture
from designer.units import shortened

FIXTURES_MOST = 10_000
CORNERS_MOST = 10_000
"""Of all trays together: where they meet is looked for between all of them."""
_KINDS = tuple(word.name for word in KINDS)


def fixture_faults(one: Fixture) -> Iterator[tuple[str, str]]:
    """Why a fixture could not be drawn: fields, and what is wrong with them."""
    if one.kind not in _KINDS:
        yield "kind", f"{shortened(one.kind)!r} is none of {', '.join(_KINDS)}"
    elif one.kind not in (TRAY, DIMENSION) and one.points_m:
        yield "points_m", "only a tray has corners"
    elif one.kind in (TRAY, DIMENSION) and one.turn_deg:
        yield "turn_deg", "a tray is turned by its corners"
    elif one.kind == DIMENSION and (len(one.points_m) != 2 or one.points_m[0] == one.points_m[1]):
        yield "points_m", "a dimension leads from one point to another"
    elif one.ties and (one.kind != DIMENSION or len(one.ties) != 2):
        yield "ties", "a dimension has one at each of its two ends, others have none"
    elif one.kind == TRAY and len(one.points_m) < 2:
        yield "points_m", "a tray leads from one point to another"
    elif any(len(point) != 2 for point in one.points_m):
        yield "points_m", "a corner has an x and a y"


def crowding_fault(fixtures: Iterable[Fixture]) -> str:
    """Why so many fixtures cannot be worked with; "" where they can."""
    count = corners = 0
    for one in fixtures:
        count += 1
        corners += len(one.points_m) if one.kind == TRAY else 0
    if count > FIXTURES_MOST:
        return f"there would be {count:,} walls, trays and the like, the most is {FIXTURES_MOST:,}"
    if corners > CORNERS_MOST:
        return f"the trays would have {corners:,} corners together, the most is {CORNERS_MOST:,}"
    return ""
