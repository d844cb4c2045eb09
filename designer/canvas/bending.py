"""Leading the line of selected links by hand: handles at its bends and on its pieces, which drag."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from designer.canvas.guides import neighbours, paint_guides
from designer.canvas.hits import Bend, Target
from designer.canvas.pointer import Pointer
from designer.canvas.sight import Sight
from designer.canvas.snapping import NO_SNAP, SNAP_PX, Snap, snapped
from designer.drawing.bundles import Floats
from designer.drawing.composition import Composition
from designer.drawing.geometry import distances
from designer.drawing.level_of_detail import Detail, LinkDetail
from designer.model.bending import DIGITS, bend_links, remove_bend
from designer.model.colour_keys import RIGHT_ANGLES
from designer.model.design import Design
from designer.model.edit import Edit
from designer.model.rewiring import MOST_RECONNECTED
from designer.session.drafting import Drafting
from designer.session.selected import Selected

REACH_PX = 6.0
BEND_PX, MIDDLE_PX = 8.0, 6.0
BESIDE_LABEL = 0.25
"""Of the longest piece, from its beginning to the handle."""
LEAST_PIECE_PX = 28.0
"""Shorter pieces have no handle: it would lie on those at their ends."""
STRAIGHT_PX = 5.0
"""A bend so near to the line between its neighbors is none."""
SAME = 0.01
"""Points nearer to each other than this are one."""

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class HeldLine:
    """The one line that is selected, through its points from the device `from_id` to the other."""

    link_ids: tuple[str, ...]
    from_id: str
    number: int
    """Of its bundle."""
    points: tuple[Point, ...]
    bends: frozenset[int]
    """Places of those of its points that are bends by hand; the others it turns at by itself."""

    def handles(self, scale: float) -> list[Bend]:
        """Where it is taken, at so many pixels per canvas unit: at its bends, then between them.

        In the middle of pieces, but of the longest, where its label stands.
        """
        found = [Bend(2 * place, self.points[place], is_bend=True) for place in sorted(self.bends)]
        lengths = [math.dist(one, other) for one, other in pairwise(self.points)]
        for place, ((x1, y1), (x2, y2)) in enumerate(pairwise(self.points)):
            if lengths[place] * scale >= LEAST_PIECE_PX:
                share = BESIDE_LABEL if lengths[place] == max(lengths) else 0.5
                found.append(Bend(2 * place + 1, (x1 + (x2 - x1) * share, y1 + (y2 - y1) * share), is_bend=False))
        return found

    def on_piece(self, at: Pointer, scale: float) -> Bend | None:
        """Where the mouse takes the line away from its handles."""
        pieces = np.array([(*one, *other) for one, other in pairwise(self.points)])
        apart = distances(pieces, at.x, at.y)
        place = int(apart.argmin())
        if apart[place] * scale > REACH_PX:
            return None
        return Bend(2 * place + 1, (at.x, at.y), is_bend=False, is_shown=False)


def held_line(composition: Composition, detail: Detail, selected: Selected) -> HeldLine | None:
    """The line that the selected links share, where they join the same two devices and no others run along it."""
    ids, design, projection = selected.links, composition.design, composition.projection
    if not selected.are_links or not 0 < len(ids) <= MOST_RECONNECTED:
        return None
    rows = np.array(sorted(projection.link_rows(one for one in ids if one in design.links).values()), np.int64)
    bundles, paths = composition.bundles, composition.link_paths
    if len(rows) < len(ids) or len(numbers := np.unique(bundles.of_link[rows])) != 1:
        return None
    number = int(numbers[0])
    low, high = bundles.pairs[number].tolist()
    if high >= projection.n_own:
        return None
    is_alone = detail.links is LinkDetail.SINGLES and len(rows) == 1
    if detail.links is not LinkDetail.SINGLES:
        lines = composition.lines(detail)
        own = lines.of_all(composition.chosen_links(ids))
        if not len(own) or lines.counts[own[0]] != bundles.counts[number]:
            return None  # others hang on the same lines
        rows = np.flatnonzero(bundles.of_link == number)
    lines_xy = composition.link_path(int(rows[0])) if is_alone else paths.of_bundle(number, composition.anchors)
    points = _chained(lines_xy)
    bends: Floats = np.empty((0, 2))
    led = composition.led
    if led is not None and number in led.numbers:
        place = int(np.searchsorted(led.numbers, number))
        bends = led.own[int(rows[0])].bends if is_alone else led.bends[place]
    places = (_place_of(points, bend) for bend in bends.tolist())
    link_ids = tuple(projection.link_ids[row] for row in rows.tolist())
    return HeldLine(
        link_ids, projection.device_ids[low], number, points, frozenset(one for one in places if one is not None)
    )


def _chained(lines: Floats) -> tuple[Point, ...]:
    """The points of lines of which each begins where the one before ends; of stubs where they begin and end."""
    points = [(x, y) for x, y in (*lines[:, :2].tolist(), lines[-1, 2:].tolist())]
    is_whole = (np.abs(lines[:-1, 2:] - lines[1:, :2]) <= SAME).all()
    return tuple(points) if is_whole else (points[0], points[-1])


def _place_of(points: Sequence[Point], bend: Sequence[float]) -> int | None:
    near = (place for place in range(1, len(points) - 1) if math.dist(points[place], bend) <= SAME)
    return next(near, None)


def gripped_bend(found: Target, line: HeldLine | None, at: Pointer, scale: float) -> Target:
    """What is under the mouse, as a handle of the selected line where one is there, on top of everything.

    Of the line itself, where it is taken.
    """
    if line is None or found.tip:
        return found
    apart = ((math.dist(one.at, (at.x, at.y)), one) for one in line.handles(scale))
    near = [(off, not one.is_bend, one) for off, one in apart if off * scale <= REACH_PX]
    if not near:
        is_on = bool(found.link_ids) and set(line.link_ids).issuperset(found.link_ids)
        return replace(found, bend=line.on_piece(at, scale)) if is_on else found
    return Target(link_ids=line.link_ids, bend=min(near, key=lambda one: one[:2])[2])


def paint_handles(painter: QPainter, line: HeldLine | None, held: Point | None, sight: Sight) -> None:
    """Squares at the bends, that which was clicked filled; round ones where a drag makes another."""
    if line is None:
        return
    accent, paper = QColor(sight.theme.accent), QColor(sight.theme.background)
    for one in line.handles(sight.camera.scale):
        spot = sight.point_px(*one.at)
        if one.is_bend:
            is_held = held is not None and math.dist(held, one.at) <= SAME
            painter.setPen(QPen(accent, 1.5))
            painter.setBrush(accent if is_held else paper)
            half = QPointF(BEND_PX / 2, BEND_PX / 2)
            painter.drawRect(QRectF(spot - half, spot + half))
        else:
            painter.setPen(QPen(accent, 1.0))
            painter.setBrush(paper)
            painter.drawEllipse(spot, MIDDLE_PX / 2, MIDDLE_PX / 2)
    painter.setBrush(Qt.BrushStyle.NoBrush)


def unbent(design: Design, target: Target) -> Edit | None:
    """The line without the bend under the mouse; None where that is none."""
    if target.bend is None or not target.bend.is_bend:
        return None
    return remove_bend(design, target.link_ids, target.bend.at)


class BendDrag:
    """A handle that follows the mouse into line with what is around: a bend moves, elsewhere a new one is made.

    Where lines run at right angles, a piece between two corners moves across. Shift keeps a bend on one axis; with
    Control and Alt nothing comes into line. A bend that comes into line with its neighbors is removed.
    """

    def __init__(
        self,
        composition: Composition,
        line: HeldLine,
        bend: Bend,
        drafting: Drafting,
        hold: Callable[[Point | None], None],
    ) -> None:
        """`hold` gets the bend that was let go, None for one that was removed."""
        self._composition, self._line, self._bend, self._drafting = composition, line, bend, drafting
        self._hold = hold
        self._is_square = composition.design.settings.link_lines == RIGHT_ANGLES
        self._points = list(line.points[1:-1])
        self._snap = NO_SNAP
        self.at: Point | None = None
        """Where the bend is now; None where it is in line with its neighbors, or a piece is moved."""

    def move(self, at: Pointer, sight: Sight) -> str | None:
        """Take the handle along; never refused."""
        line, bend = self._line, self._bend
        x, y = at.x, at.y
        if at.shift:
            from_x, from_y = bend.at
            x, y = (x, from_y) if abs(x - from_x) >= abs(y - from_y) else (from_x, y)
        place = bend.number // 2
        self._snap = NO_SNAP if at.alt and at.control else self._snapping(x, y, place, sight)
        to = x + self._snap.dx, y + self._snap.dy
        points = list(line.points)
        if self._moves_piece(place):
            across = 0 if abs(points[place][0] - points[place + 1][0]) < SAME else 1
            for one in (place, place + 1):
                points[one] = (to[0], points[one][1]) if across == 0 else (points[one][0], to[1])
            self.at, made = None, [place, place + 1]
        else:
            if not bend.is_bend:
                place += 1
                points.insert(place, to)
            points[place], self.at, made = to, to, [place]
        reach = STRAIGHT_PX / sight.camera.scale
        for one in reversed(made):
            if _is_in_line(points, one, reach):
                del points[one]
                self.at = None
        self._points = points[1:-1]
        self._composition.bend(self._bends())
        return None

    def _moves_piece(self, place: int) -> bool:
        """Whether the handle is in the middle of a piece at right angles that has a corner at either end."""
        return self._is_square and not self._bend.is_bend and 0 < place < len(self._line.points) - 2

    def _snapping(self, x: float, y: float, place: int, sight: Sight) -> Snap:
        """Into line with the neighbors along the line too, whatever else there is."""
        others: Floats = np.empty((0, 4))
        if self._drafting.to_neighbours:
            before = place - 1 if self._bend.is_bend else place
            own = [(*self._neighbour(one), 0.0, 0.0) for one in (before, place + 1)]
            others = np.concatenate((own, neighbours(self._composition, (), sight)))
        point = np.array((x, y, 0.0, 0.0))
        return snapped(others, point, SNAP_PX / sight.camera.scale, self._drafting.snap_grid)

    def _neighbour(self, place: int) -> Point:
        """A point along the line; of an end where it is now, as its line may have gone to another side of the box."""
        points, anchors = self._line.points, self._composition.anchors
        if place not in (0, len(points) - 1):
            return points[place]
        if len(self._line.link_ids) == 1:
            xy = anchors.links[self._composition.projection.link_row(self._line.link_ids[0])]
        else:
            xy = anchors.bundles[self._line.number]
        x, y = (xy[:2] if place == 0 else xy[2:]).tolist()
        return x, y

    def _bends(self) -> dict[str, tuple[Point, ...]]:
        """The bends of each link from its `a` to its `b`."""
        links, forth = self._composition.design.links, tuple(self._points)
        return {
            one: forth if links[one].a.device_id == self._line.from_id else forth[::-1] for one in self._line.link_ids
        }

    def end(self) -> None:
        """Draw the line where the design has it again."""
        self._composition.bend({})

    def copied(self) -> tuple[tuple[str, ...], Callable[[Design], Edit]] | None:
        """None: it makes no copies."""
        return None

    def edit(self) -> Edit:
        """The links led through the bends as they are now. Raises DesignerError."""
        self._hold(None if self.at is None else (round(self.at[0], DIGITS), round(self.at[1], DIGITS)))
        return bend_links(self._composition.design, self._line.link_ids, self._points, self._line.from_id)

    def paint(self, painter: QPainter, sight: Sight) -> None:
        """The guides to what the bend is in line with, and the bend."""
        paint_guides(painter, self._snap, sight)
        if self.at is not None:
            line = replace(self._line, points=(self.at,) * 3, bends=frozenset((1,)))  # of it alone
            paint_handles(painter, line, self.at, sight)


def _is_in_line(points: Sequence[Point], place: int, reach: float) -> bool:
    """Whether a point is so near to the line between those before and after it."""
    (x1, y1), (x, y), (x2, y2) = points[place - 1 : place + 2]
    along_x, along_y = x2 - x1, y2 - y1
    length = math.hypot(along_x, along_y)
    if length < SAME:
        return math.dist((x, y), (x1, y1)) <= reach
    share = ((x - x1) * along_x + (y - y1) * along_y) / length**2
    return abs((x - x1) * along_y - (y - y1) * along_x) / length <= reach and 0.0 <= share <= 1.0
