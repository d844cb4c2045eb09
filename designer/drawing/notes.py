"""Where annotations are drawn: as the design places them or a drag moves them, and what they are pinned to."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from designer.drawing.geometry import Rect
from designer.model.annotating import can_point_to, from_back_to_front, place_of, tip_of
from designer.model.annotation import STRAIGHT, ZONE, Annotation
from designer.model.annotation_styles import as_looked
from designer.model.design import Design
from designer.model.records import ordered
from designer.model.shown_text import visible_line

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Drawn:
    """An annotation from one point of the canvas, or of the floor plan, to another.

    `pin` is what its leader leads to: the box of a device, or the point of a link or of the drawing.
    """

    note: Annotation
    start: Point
    end: Point
    pin: Rect | None = None

    @property
    def rect(self) -> Rect:
        """Left, top, right, bottom."""
        (x1, y1), (x2, y2) = self.start, self.end
        return min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2)

    @property
    def around(self) -> Rect:
        """Left, top, right, bottom of its box and the tip of its leader."""
        left, top, right, bottom = self.rect
        tip = self.leader
        if tip is None:
            return left, top, right, bottom
        x, y = tip[1]
        return min(left, x), min(top, y), max(right, x), max(bottom, y)

    @property
    def leader(self) -> tuple[Point, Point] | None:
        """The line from its box to what it points to, the tip last; None where it points to nothing, or lies on it."""
        if self.pin is None:
            return None
        left, top, right, bottom = self.rect
        pin_left, pin_top, pin_right, pin_bottom = self.pin
        if left <= pin_right and pin_left <= right and top <= pin_bottom and pin_top <= bottom:
            return None
        # From the middles of what is shared by both, or from the nearest sides.
        x, y = _nearest(pin_left, pin_right, left, right), _nearest(pin_top, pin_bottom, top, bottom)
        return (max(left, min(x, right)), max(top, min(y, bottom))), (x, y)

    @property
    def is_straight(self) -> bool:
        """Whether it leads from a point to another."""
        return self.note.kind in STRAIGHT

    @property
    def is_behind(self) -> bool:
        """Whether the fabric is drawn over it."""
        return self.note.is_behind

    def is_at(self, x: float, y: float, reach: float) -> bool:
        """Whether a point is on it: on its line, its border and title, or anywhere in its box."""
        if self.is_straight:
            return _apart(self.start, self.end, x, y) <= reach + self.note.line_width / 2
        left, top, right, bottom = self.rect
        if not (left - reach <= x <= right + reach and top - reach <= y <= bottom + reach):
            return False
        if self.note.kind != ZONE:
            return True
        is_inside = left + reach < x < right - reach and top + reach < y < bottom - reach
        return not is_inside or (bool(self.note.text) and y <= top + 1.6 * self.note.size)

    def is_within(self, area: Rect) -> bool:
        """Whether a rectangle touches its line or box; of what the fabric is drawn over, whether it holds all of it."""
        (left, top, right, bottom), (x1, y1, x2, y2) = area, self.rect
        if self.is_behind:
            return left <= x1 and top <= y1 and x2 <= right and y2 <= bottom
        is_near = x1 <= right and left <= x2 and y1 <= bottom and top <= y2
        return is_near and (not self.is_straight or _meets(self.start, self.end, area))


def drawn_notes(
    design: Design,
    shifts: Mapping[str, Point],
    rect_of: Callable[[str], Rect | None],
    height_of: Callable[[Annotation], float],
    *,
    on_floor: bool = False,
) -> tuple[Drawn, ...]:
    """The annotations of the canvas, or of the floor plan, that have a place, those behind the fabric first.

    `rect_of` says where a thing is drawn.

    One whose contents are higher than its box, as `height_of` says, is higher downwards.
    """
    found = []
    for note in (as_looked(design, one) for one in from_back_to_front(design)):
        place = place_of(design, note)
        if place is None or note.is_on_floor != on_floor:
            continue
        dx, dy = shifts.get(note.id, shifts.get(note.pinned_to, (0.0, 0.0)))
        more = 0.0 if note.kind in STRAIGHT else max(0.0, height_of(note) - abs(note.dy))
        grown, x, y = replace(note, dy=abs(note.dy) + more) if more else note, place.x + dx, place.y + dy
        if can_point_to(design, note, note.pinned_to):
            pin = rect_of(note.pinned_to)
        else:
            is_usual = note.tip_dx is None  # below its foot
            tip = tip_of(grown if is_usual else note, replace(place, x=x, y=y + more / 2 if is_usual else y))
            pin = None if tip is None else (*tip, *tip)
        low = (min(y - note.dy / 2, y + note.dy / 2) + grown.dy) if more else y + note.dy / 2
        start, end = (x - note.dx / 2, low - grown.dy), (x + note.dx / 2, low)
        found.append(Drawn(note, start, end, pin))
    return tuple(found)


def _nearest(low: float, high: float, other_low: float, other_high: float) -> float:
    """The place between low and high that is nearest to another stretch; the middle of what both share."""
    first, last = max(low, other_low), min(high, other_high)
    if first <= last:
        return (first + last) / 2
    return high if other_low > high else low


def _meets(start: Point, end: Point, area: Rect) -> bool:
    """Whether a line between two points meets a rectangle that meets the box around it: corners lie on both sides."""
    (x1, y1), (x2, y2), (left, top, right, bottom) = start, end, area
    corners = ((left, top), (right, top), (left, bottom), (right, bottom))
    sides = [(x2 - x1) * (y - y1) - (y2 - y1) * (x - x1) for x, y in corners]
    return min(sides) <= 0.0 <= max(sides)


def _apart(start: Point, end: Point, x: float, y: float) -> float:
    """The distance of a point from a line between two others."""
    (x1, y1), (x2, y2) = start, end
    dx, dy = x2 - x1, y2 - y1
    length = dx * dx + dy * dy
    share = max(0.0, min(1.0, ((x - x1) * dx + (y - y1) * dy) / length)) if length else 0.0
    return float(((x - x1 - share * dx) ** 2 + (y - y1 - share * dy) ** 2) ** 0.5)


def title_rows(design: Design) -> tuple[tuple[str, str], ...]:
    """Names and values that a title block shows, those that are known; the design's name always.

    Of a numbered drawing also sheet and scale.
    """
    settings, revisions = design.settings, ordered(design.revisions)
    last = revisions[-1] if revisions else None
    is_numbered = bool(settings.drawing_number)
    rows = (
        ("Design", design.name),
        ("Drawing number", settings.drawing_number),
        ("Project", settings.project),
        ("Customer", settings.customer),
        ("Site", settings.site),
        ("Author", settings.author),
        ("Revision", last.number if last is not None else ""),
        ("Date", last.date if last is not None else ""),
        ("Sheet", "1 of 1" if is_numbered else ""),
        ("Scale", "Not to scale" if is_numbered else ""),
    )
    return tuple((name, visible_line(value)) for name, value in rows if value or name == "Design")
