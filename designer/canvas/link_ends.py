"""Leading the end of a selected link elsewhere: it follows the mouse to another device or port, as one edit."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from designer.canvas.hits import Target, target_at
from designer.canvas.pointer import Pointer
from designer.canvas.pointing import paint_target
from designer.canvas.sight import Sight
from designer.drawing.composition import Composition
from designer.drawing.level_of_detail import Detail
from designer.errors import DesignerError
from designer.model.design import Design
from designer.model.edit import Edit
from designer.model.rewiring import MOST_RECONNECTED, reconnect
from designer.session.selected import Selected

REACH_PX = 6.0
END_PX = 4.5
MOST_LINES = 32
"""Lines of which the ends at their one device are shown."""

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class LinkEnd:
    """Where the drawn line of the selected links ends at a device, and where it begins at the other."""

    link_ids: tuple[str, ...]
    device_id: str
    at: Point
    fars: tuple[Point, ...]
    """Of the lines of all these links at that device, its own first."""


def link_ends(composition: Composition, detail: Detail, selected: Selected) -> tuple[LinkEnd, ...]:
    """Both ends of the one line that all that is selected are links of; of several lines those at their one device.

    Dragging one leads all selected links. None where the lines have no device in common, or are very many.
    """
    if not selected.selection or not selected.are_links or len(selected.selection) > MOST_RECONNECTED:
        return ()
    ids, design = tuple(sorted(selected.links)), composition.design
    if any(one not in design.links for one in ids):
        return ()
    of_pair: dict[frozenset[str], list[str]] = {}
    for one in map(design.links.__getitem__, ids):
        of_pair.setdefault(frozenset((one.a.device_id, one.b.device_id)), []).append(one.id)
    common = frozenset.intersection(*of_pair)
    if not common or len(of_pair) > MOST_LINES or any(len(pair) != 2 for pair in of_pair):
        return ()
    lines, found = composition.lines(detail), dict[str, list[tuple[Point, Point]]]()
    for pair, own in of_pair.items():
        xy = lines.xy[lines.of_all(composition.chosen_links(own))].reshape(-1, 2)
        if not len(xy) or any(composition.projection.row_of.get(one) is None for one in pair):
            return ()
        points = [(float(x), float(y)) for x, y in xy]
        at = {one: _nearest(composition, one, points) for one in pair}
        for device_id in common:
            (other,) = pair - {device_id}
            found.setdefault(device_id, []).append((at[device_id], at[other]))
    return tuple(
        LinkEnd(ids, one, ends[number][0], tuple(far for _, far in (*ends[number:], *ends[:number])))
        for one, ends in sorted(found.items())
        for number in range(len(ends))
    )


def _nearest(composition: Composition, device_id: str, points: list[Point]) -> Point:
    """Of some points, the one next to the box of a device."""
    return min(points, key=lambda point: _apart(composition, device_id, point))


def _apart(composition: Composition, device_id: str, point: Point) -> float:
    """How far a point is from the box of a device."""
    left, top, right, bottom = composition.rect_of(device_id) or (0.0, 0.0, 0.0, 0.0)
    return math.dist(point, (min(max(point[0], left), right), min(max(point[1], top), bottom)))


def end_at(ends: tuple[LinkEnd, ...], at: Pointer, scale: float) -> LinkEnd | None:
    """The end under the mouse."""
    near = (one for one in ends if math.dist(one.at, (at.x, at.y)) * scale <= REACH_PX)
    return min(near, key=lambda one: math.dist(one.at, (at.x, at.y)), default=None)


def gripped_end(found: Target, end: LinkEnd | None) -> Target:
    """What is under the mouse, as the end of a link where one is there: a drag leads it, a click takes the rest."""
    if end is None or found.box is not None or found.note_id is not None:
        return found
    return replace(found, link_ids=end.link_ids, tip=True)


def paint_ends(painter: QPainter, ends: tuple[LinkEnd, ...], sight: Sight) -> None:
    """A round handle at each end."""
    painter.setPen(QPen(QColor(sight.theme.background), 1.5))
    painter.setBrush(QColor(sight.theme.accent))
    for one in ends:
        painter.drawEllipse(sight.point_px(*one.at), END_PX, END_PX)
    painter.setBrush(Qt.BrushStyle.NoBrush)


class EndDrag:
    """The end that follows the mouse; let go on a device or port, the links lead there."""

    def __init__(self, composition: Composition, end: LinkEnd, detail: Detail) -> None:
        self._composition, self._end, self._detail = composition, end, detail
        self._target: Target | None = None
        self._at: Point = end.at
        self.reason: str | None = None
        """Why the links cannot lead to what is under the mouse."""

    def move(self, at: Pointer, sight: Sight) -> str | None:
        """Lead it to what is under the mouse; returns why the links cannot lead there."""
        self._at = at.x, at.y
        found = target_at(self._composition, self._detail, sight.camera.scale, at.x, at.y)
        target = found if found.device_id is not None else None
        if target != self._target:
            self._target, self.reason = target, self._refusal(target)
        return self.reason

    def _refusal(self, target: Target | None) -> str | None:
        self._target = target
        try:
            self.edit()
        except DesignerError as error:
            return str(error)
        return None

    def end(self) -> None:
        """Nothing was moved in the picture."""

    def copied(self) -> tuple[tuple[str, ...], Callable[[Design], Edit]] | None:
        """None: it makes no copies."""
        return None

    def edit(self) -> Edit | None:
        """The links led to what the end was let go on; None on empty canvas. Raises DesignerError."""
        make = self.make
        return make(self._composition.design) if make is not None else None

    @property
    def led_to(self) -> str | None:
        """The device under the mouse."""
        return self._target.device_id if self._target is not None else None

    @property
    def make(self) -> Callable[[Design], Edit] | None:
        """How the links are led to what is under the mouse; None on empty canvas."""
        found, end, to_id = self._target, self._end, self.led_to
        if found is None or to_id is None:
            return None
        named = found.end.port if found.end is not None and len(end.link_ids) == 1 else ""
        return lambda design: reconnect(design, end.link_ids, end.device_id, to_id, named)

    def paint(self, painter: QPainter, sight: Sight) -> None:
        """The lines from the far ends to the mouse, in the color of errors where they cannot lead there."""
        colour = QColor(sight.theme.error if self.reason is not None else sight.theme.accent)
        pen = QPen(colour, 2.0)
        if self._target is None:
            pen.setDashPattern([4, 3])
        painter.setPen(pen)
        spot: QPointF = sight.point_px(*self._at)
        for far in self._end.fars:
            painter.drawLine(sight.point_px(*far), spot)
        painter.setBrush(colour)
        painter.drawEllipse(spot, 3.5, 3.5)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if self._target is not None and self._target.device_id is not None and self.reason is None:
            paint_target(painter, self._composition, self._detail, self._target.device_id, sight)
