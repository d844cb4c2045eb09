"""What only the other side of a comparison has, gathered to boxes and bundles as a collapsed drawing shows the rest."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from designer.canvas.batches import clipped, draw_lines
from designer.canvas.glyphs import Fonts
from designer.canvas.marks import Frame
from designer.canvas.sight import seen_rect
from designer.drawing.bundles import Floats
from designer.drawing.colour_by import Marks
from designer.drawing.composition import Composition
from designer.drawing.counts import Taken
from designer.drawing.folding.folded_projection import FoldedProjection
from designer.drawing.folding.folds import Fold
from designer.drawing.geometry import Rect
from designer.drawing.palette import colour_in
from designer.drawing.projection import Projection
from designer.model.collapsing import BoxKey, holders, name_of
from designer.model.design import Design
from designer.model.entities import FABRIC
from designer.placement.metrics import box_size
from designer.units import format_count, format_counted

APART_PX = 5.0
"""Between a line of the drawing and dashed ones beside it."""
LINE_PX, OUTLINE_PX = 2.2, 1.4
LEAST_LABELLED_PX, PLACES = 60.0, (0.66, 0.34, 0.8, 0.2, 0.58, 0.42, 0.73, 0.27, 0.5, 0.87, 0.13)
"""Shorter lines bear no count; how far along a line it stands, where nothing else is written."""
STEP, ROLE_WIDTH = 1.08, 0.45
"""From a box to the next, in widths; and how wide what is next to the parts of a role is, so that it is in sight."""
MOST_LABELLED = 40
"""Of more lines, none bears a count: they would cover each other."""
LETTERS_PX, LEAST_NAMED_PX, PLATE_AIR_PX = 11, 16.0, 3.0


@dataclass(frozen=True, slots=True, eq=False)
class GhostBundles:
    """In canvas units; `codes` are classes of marks, `places` how many lines over there run beside each already."""

    lines: Floats  # (n, 4)
    codes: tuple[int, ...]
    counts: tuple[int, ...]
    places: tuple[int, ...]
    boxes: tuple[tuple[Rect, str], ...]
    """Of what comes into no box of the drawing: left, top, right and bottom, with the name of a group."""


class OtherSide:
    """The devices and links that only the other side has; `both` is the design together with them."""

    def __init__(self, design: Design, both: Design, marks: Marks) -> None:
        self._both, self.marks = both, marks
        new = [link for one, link in both.links.items() if one not in design.links]
        self._pairs = Counter((marks.of.get(one.id, 0), one.a.device_id, one.b.device_id) for one in new)
        self._devices = [one for one in both.devices if one not in design.devices and one in both.placements]
        self._known: tuple[object, GhostBundles] | None = None

    @property
    def boxes(self) -> tuple[Rect, ...]:
        """The boxes of what comes into none of the drawing, as last gathered."""
        return () if self._known is None else tuple(rect for rect, _ in self._known[1].boxes)

    def gathered(self, composition: Composition) -> GhostBundles:
        """The bundles as that drawing has them; those last asked for are remembered."""
        key = composition, composition.generation
        if self._known is None or self._known[0] != key:
            self._known = key, _gathered(composition, self._both, self._pairs, self._devices)
        return self._known[1]


Spot = int | BoxKey | str
"""A row of the drawing, a group that would be a box, or a device that has one of its own."""


def _gathered(
    composition: Composition, both: Design, pairs: Counter[tuple[int, str, str]], devices: list[str]
) -> GhostBundles:
    spots = _spots(composition, both, {*devices, *(one for _, *ends in pairs for one in ends)})
    rects: dict[Spot, Rect] = {}
    for one in devices:
        if not isinstance(spots[one], int):
            place, (width, height) = both.placements[one], box_size(both.is_switch(one))
            own = place.x - width / 2, place.y - height / 2, place.x + width / 2, place.y + height / 2
            rects[spots[one]] = _around(rects.get(spots[one], own), own)
    drawn = [(left, top, left + across, top + down) for left, top, across, down in composition.boxes.tolist()]
    _stand_beside(rects, composition, drawn)
    inside = Counter(spots[one] for one in devices)
    boxes = tuple((rect, _name_of(both, key, inside[key])) for key, rect in rects.items())
    rects.update(enumerate(drawn))
    counts: Counter[tuple[Spot, Spot, int]] = Counter()
    for (code, a, b), count in pairs.items():
        first, second = sorted((spots[a], spots[b]), key=str)
        if first != second and first in rects and second in rects:
            counts[first, second, code] += count
    lines, places = _lines_of(composition, list(counts), rects)
    return GhostBundles(lines, tuple(code for *_, code in counts), tuple(counts.values()), places, boxes)


def _name_of(both: Design, spot: Spot, count: int) -> str:
    """The name of a group, how many devices of a role there are; "" for a device that has a box of its own."""
    if not isinstance(spot, BoxKey):
        return ""
    return format_counted(count, spot.role) if spot.role else name_of(both, spot)


def _folds_of(composition: Composition) -> list[tuple[int, Fold]]:
    """What boxes of the drawing stand for, with their rows."""
    projection = composition.projection
    return list(enumerate(projection.folds, projection.n_own)) if isinstance(projection, FoldedProjection) else []


def _stand_beside(rects: dict[Spot, Rect], composition: Composition, drawn: list[Rect]) -> None:
    """Put what would be boxes right of the last box of its kind: groups as large as that, those of a role narrower."""
    groups, like = composition.design.groups, defaultdict[BoxKey | None, list[int]](list)
    for row, fold in _folds_of(composition):
        if (role := _role_in_parts(fold)) is not None:
            like[role].append(row)
        elif fold.key.id in groups and not fold.key.role:
            like[None].append(row)
    placed = Counter[BoxKey | None]()
    for key in [one for one in rects if isinstance(one, BoxKey)]:
        kind = key if key.role else None
        if rows := like.get(kind):
            placed[kind] += 1
            left, top, right, bottom = max((drawn[row] for row in rows), key=lambda one: (one[2], one[3]))
            step, width = (right - left) * STEP, (right - left) * (ROLE_WIDTH if key.role else 1.0)
            rects[key] = left + step * placed[kind], top, left + step * placed[kind] + width, bottom


def _role_in_parts(fold: Fold) -> BoxKey | None:
    """The role whose devices are drawn in several boxes, of which this is one; None of other boxes."""
    return BoxKey(fold.key.id, fold.kind) if fold.is_role and fold.name else None


def _lines_of(
    composition: Composition, ends: list[tuple[Spot, Spot, int]], rects: Mapping[Spot, Rect]
) -> tuple[Floats, tuple[int, ...]]:
    """The line between each two boxes, as the drawing has it where it joins them, and its place beside that."""
    rows = {(low, high): row for row, (low, high) in enumerate(composition.bundles.pairs.tolist())}
    lines: list[list[float]] = []
    places: list[int] = []
    beside: Counter[tuple[Spot, Spot]] = Counter()
    for a, b, _ in ends:
        known = rows.get((min(a, b), max(a, b))) if isinstance(a, int) and isinstance(b, int) else None
        lines.append(_between(rects[a], rects[b]) if known is None else composition.anchors.bundles[known].tolist())
        places.append(beside[a, b] + (known is not None))
        beside[a, b] += 1
    return np.array(lines, float).reshape(-1, 4), tuple(places)


def _spots(composition: Composition, both: Design, device_ids: Iterable[str]) -> dict[str, Spot]:
    """Where each of these devices is, or would be, in the drawing."""
    projection, groups, folds = composition.projection, composition.design.groups, _folds_of(composition)
    kinds = {groups[one.key.id].kind for _, one in folds if one.key.id in groups and not one.key.role} - {FABRIC}
    roles = {role for _, one in folds if (role := _role_in_parts(one)) is not None}
    return {one: _spot(projection, both, one, kinds, roles) for one in device_ids}


def _spot(projection: Projection, both: Design, device_id: str, kinds: set[str], roles: set[BoxKey]) -> Spot:
    """The box that has the device, or would have it; the group or role that would be one, as others of its kind are."""
    row = projection.box_of(device_id)
    if row is not None:
        return row
    keys = list(holders(both, device_id))
    for key in keys:
        row = projection.row_of.get(str(key))
        if row is not None:
            return row
    of_kind = (key for key in keys if key.id in both.groups and not key.role and both.groups[key.id].kind in kinds)
    return next(of_kind, keys[-1] if keys[-1] in roles else device_id)


def _around(one: Rect, other: Rect) -> Rect:
    return min(one[0], other[0]), min(one[1], other[1]), max(one[2], other[2]), max(one[3], other[3])


def _between(a: Rect, b: Rect) -> list[float]:
    """From the side of one box that faces the other to the side of that which faces back."""
    return [*_facing(a, b), *_facing(b, a)]


def _facing(box: Rect, other: Rect) -> tuple[float, float]:
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    if other[1] >= box[3] or other[3] <= box[1]:
        return x, box[3] if other[1] >= box[3] else box[1]
    return (box[2] if other[0] > x else box[0]), y


# -- painting ---------------------------------------------------------------------------------------------------------


def paint_bundles(painter: QPainter, frame: Frame, found: GhostBundles, marks: Marks, fonts: Fonts) -> None:
    """Dashed lines beside those of the drawing, and boxes for what has none there."""
    lines = _beside(frame.camera.points_to_view(found.lines), found.places)
    for code in sorted(set(found.codes)):
        chosen = np.array([one == code for one in found.codes], np.bool_)
        painter.setPen(QPen(_colour(frame, marks, code), LINE_PX, Qt.PenStyle.DashLine))
        draw_lines(painter, clipped(lines[chosen]))
    painter.setFont(fonts.at(LETTERS_PX))
    _paint_boxes(painter, frame, found, marks)


def _beside(lines: Floats, places: tuple[int, ...]) -> Floats:
    """The lines moved sideways, each as far as its place says."""
    along = lines[:, 2:] - lines[:, :2]
    length = np.maximum(np.hypot(along[:, 0], along[:, 1]), 1e-9)[:, None]
    off = np.stack((-along[:, 1], along[:, 0]), axis=1) / length * (APART_PX * np.array(places, float))[:, None]
    moved: Floats = lines + np.tile(off, 2)
    return moved


def _paint_boxes(painter: QPainter, frame: Frame, found: GhostBundles, marks: Marks) -> None:
    colour = _colour(frame, marks, max(marks.ghosts, default=0))
    fill = QColor(colour)
    fill.setAlphaF(0.12)
    for box, name in found.boxes:
        rect = QRectF(seen_rect(frame.camera, box))
        painter.setPen(QPen(colour, OUTLINE_PX, Qt.PenStyle.DashLine))
        painter.setBrush(fill)
        painter.drawRoundedRect(rect, 4, 4)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if name and rect.height() >= LEAST_NAMED_PX:
            room = rect.adjusted(PLATE_AIR_PX, 0, -PLATE_AIR_PX, 0)
            text = QFontMetricsF(painter.font()).elidedText(name, Qt.TextElideMode.ElideRight, room.width())
            painter.setPen(QColor(frame.theme.text))
            painter.drawText(room, Qt.AlignmentFlag.AlignCenter, text)


def paint_counts(
    painter: QPainter, frame: Frame, found: GhostBundles, marks: Marks, fonts: Fonts, taken: Taken
) -> list[QRectF]:
    """How many links each dashed line stands for, on it or beside it, where nothing is written yet; the plates."""
    if len(found.lines) > MOST_LABELLED:
        return []
    painter.setFont(fonts.at(LETTERS_PX))
    metrics, taken = QFontMetricsF(painter.font()), taken.copy()
    for box, _ in found.boxes:
        rect = seen_rect(frame.camera, box)
        taken.take(rect.x(), rect.y(), rect.width(), rect.height())
    lines, plates = _beside(frame.camera.points_to_view(found.lines), found.places), list[QRectF]()
    for line, code, count, place in zip(lines, found.codes, found.counts, found.places, strict=True):
        if count < 2 or np.hypot(*(line[2:] - line[:2])) < LEAST_LABELLED_PX:
            continue
        text = f"×{format_count(count)}"
        size = metrics.boundingRect(text).size()
        plate = QRectF(0.0, 0.0, size.width() + 2 * PLATE_AIR_PX, size.height() + PLATE_AIR_PX)
        if (middle := _free_place(line, place, plate.width(), plate.height(), taken)) is None:
            continue
        plate.moveCenter(QPointF(*middle))
        taken.take(plate.x(), plate.y(), plate.width(), plate.height())
        painter.fillRect(plate, QColor(frame.theme.background))
        painter.setPen(_colour(frame, marks, code))
        painter.drawText(plate, Qt.AlignmentFlag.AlignCenter, text)
        plates.append(plate)
    return plates


def _free_place(line: Floats, place: int, width: float, height: float, taken: Taken) -> tuple[float, float] | None:
    """The middle of a plate of that size on the line, or else beside it, where nothing stands; None without one."""
    start, along = line[:2], line[2:] - line[:2]
    shares = np.array([PLACES[(place + number) % len(PLACES)] for number in range(len(PLACES))])[:, None]
    across = np.array((-along[1], along[0])) / float(np.hypot(*along))
    off = float(np.abs(across) @ (width, height)) / 2 + PLATE_AIR_PX
    on = start + along * shares
    spots = np.vstack((on, on + across * off, on - across * off))
    free = spots[~taken.are_covered(spots, width, height)]
    return (float(free[0, 0]), float(free[0, 1])) if len(free) else None


def _colour(frame: Frame, marks: Marks, code: int) -> QColor:
    return QColor(colour_in(marks.classes[code].colour, frame.theme, frame.theme.accent))
