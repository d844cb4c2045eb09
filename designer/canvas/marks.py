"""What lies over the picture under the hand: outlines of what is chosen, knobs to pull lines from, notes."""

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen

from designer.canvas.backing import Same
from designer.canvas.batches import clipped, draw_lines
from designer.canvas.glyphs import Fonts
from designer.canvas.hits import Target
from designer.canvas.painting import pen_of
from designer.canvas.sight import seen_rect
from designer.drawing.bundles import Floats
from designer.drawing.camera import Camera
from designer.drawing.composition import Composition
from designer.drawing.display_list import Picture
from designer.drawing.geometry import Rect
from designer.drawing.level_of_detail import Detail
from designer.drawing.lit import with_lines
from designer.drawing.parts.boxes import handle_side
from designer.drawing.parts.primitives import Lines, Pen
from designer.drawing.parts.sheet import Sheet
from designer.drawing.parts.standing import LINES_REACH_PX
from designer.drawing.ports import PortHandle
from designer.drawing.theme import Theme
from designer.model.entities import End
from designer.session.selected import Selected, with_inside

KNOB_PX = 4.5
LEAST_KNOB_BOX_PX = 12.0
TALL_KNOB_BOX_PX = 16.0
MOST_OUTLINES = 3000
ABSENT_PAPER = 0.75
"""How much of the paper lies over a device that is drawn as not there."""
MOST_LINKED = 60
"""With more devices chosen, their links are not brought out."""
MOST_LINKS_AT_ONCE = 1000
BESIDE_PX = 4.0
"""From the middle of a chosen line in a color of its own to the lines on either side of it."""
NOTE_WIDTH_PX = 380.0
HINT_MARGIN_PX = 12.0
NOTE_OFFSET_PX = 18.0


@dataclass(frozen=True, slots=True)
class Frame:
    """What every mark needs: the drawing, the part of it that is seen, and its colors."""

    composition: Composition
    camera: Camera
    detail: Detail
    theme: Theme

    def box(self, device_id: str) -> QRectF | None:
        """The box that a device is drawn in, in pixels."""
        row = self.composition.projection.box_of(device_id)
        if row is None:
            return None
        x, y, width, height = self.composition.boxes[row].tolist()
        return seen_rect(self.camera, (x, y, x + width, y + height))

    def handle(self, end: End) -> PortHandle | None:
        """The handle of a port."""
        row = self.composition.projection.row_of.get(end.device_id)
        if row is None:
            return None
        return next((one for one in self.composition.ports(row) if one.name == end.port), None)

    def port(self, end: End) -> QPointF | None:
        """The middle of a port's handle in pixels."""
        found = self.handle(end)
        return None if found is None else QPointF(*self.camera.to_view(found.x, found.y))

    def link(self, link_id: str) -> QLineF | None:
        """A link's own line in pixels."""
        row = self.composition.projection.link_row(link_id)
        if row is None:
            return None
        return QLineF(*self.camera.points_to_view(self.composition.anchors.links[row : row + 1])[0].tolist())


# -- what is chosen, what is under the cursor ---------------------------------------------------------------------


def chosen_links(
    frame: Frame, sheet: Sheet, selection: frozenset[str], coloured: bool, *, smooth: bool = True
) -> Iterator[Lines]:
    """Chosen links brought out; without `smooth` by thin lines, while the picture moves.

    Those that are `coloured`, by their loads or by what links are colored by, keep their colors.
    """
    links = frame.composition.chosen(selection)[1]
    if links is None:
        return
    lines = frame.composition.lines(frame.detail)
    seen = lines.through(sheet.around(LINES_REACH_PX))
    xy = lines.xy[seen[lines.holding(links, seen)]]
    if not smooth:
        yield _brought_out(frame, xy, 0.0, 1.0)
    elif coloured:
        yield from _beside(frame, xy)
    else:
        yield _brought_out(frame, xy, 7.0, 0.35)
        yield _brought_out(frame, xy, 2.0, 1.0)


def paint_selection(
    painter: QPainter,
    frame: Frame,
    sheet: Sheet,
    selection: frozenset[str],
    coloured: bool,
    many_links: Callable[[], None] | None = None,
) -> None:
    """Outlines around chosen boxes and frames, chosen links brought out.

    `many_links` paints the links where they are very many, from a picture that is kept of `chosen_links`.
    """
    composition = frame.composition
    rows, links = composition.chosen(selection)
    if many_links is not None and links is not None and int(np.count_nonzero(links)) > MOST_LINKS_AT_ONCE:
        many_links()
    else:
        _paint_lines(painter, chosen_links(frame, sheet, selection, coloured))
    painter.setPen(QPen(QColor(frame.theme.accent), 2.0))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    boxes = composition.boxes[rows]
    boxes = boxes[sheet.boxes_on(sheet.boxes(boxes))] if len(boxes) > MOST_OUTLINES else boxes
    for x, y, width, height in boxes[:MOST_OUTLINES].tolist():
        painter.drawRoundedRect(_around(frame, (x, y, x + width, y + height), 2.0), 5, 5)
    for note in composition.notes.seen:
        if note.note.id in selection and not note.is_straight:
            painter.drawRoundedRect(_around(frame, note.rect, 2.0), 4, 4)
    for container in composition.containers:
        if container.id in selection:
            painter.drawRoundedRect(_around(frame, container.rect, 2.0), 7, 7)


def paint_absent(painter: QPainter, frame: Frame, device_ids: Iterable[str]) -> None:
    """Devices that the design of a run did not have: pale and dashed, so that none is taken for idle."""
    paper, projection = QColor(frame.theme.background), frame.composition.projection
    paper.setAlphaF(ABSENT_PAPER)
    painter.setBrush(paper)
    painter.setPen(QPen(QColor(frame.theme.muted), 1.2, Qt.PenStyle.DashLine))
    for one in islice(device_ids, MOST_OUTLINES):
        row, box = projection.box_of(one), frame.box(one)
        if row is not None and box is not None and projection.is_single(row):
            painter.drawRoundedRect(box, 3, 3)
    painter.setBrush(Qt.BrushStyle.NoBrush)


def paint_hover(painter: QPainter, frame: Frame, target: Target, connectable: bool) -> None:
    """A thin outline around the device under the cursor, its line brought out, its port filled, knobs to pull from."""
    accent = QColor(frame.theme.accent)
    if target.end is not None:
        handle = frame.handle(target.end)
        if handle is not None:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(accent)
            (x, y), side = frame.camera.to_view(handle.x, handle.y), handle_side(handle, frame.camera.scale)
            painter.drawRect(QRectF(x - side / 2, y - side / 2, side, side))
    elif target.device_id is not None:
        box = frame.box(target.device_id)
        if box is not None:
            painter.setPen(QPen(accent, 1.0))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(box.adjusted(-1, -1, 1, 1), 5, 5)
            if connectable:
                _paint_knobs(painter, frame.theme, box)
    elif target.box is not None:
        rect = frame.composition.rect_of(target.box.ids[0])
        if rect is not None:
            painter.setPen(QPen(accent, 1.0))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(_around(frame, rect, 1.0), 6, 6)
    elif target.link_ids:
        lines = frame.composition.lines(frame.detail)
        chosen = lines.holding(frame.composition.chosen_links(target.link_ids))
        _paint_lines(painter, (_brought_out(frame, lines.xy[chosen], 5.0, 0.3),))


def knobs(box: QRectF) -> tuple[QPointF, ...]:
    """Where a line can be pulled out of a box, in pixels: the middles of its sides.

    Only those that leave the box a middle to move it by; none on a box too small to grab.
    """
    centre = box.center()
    sides = (QPointF(box.left(), centre.y()), QPointF(box.right(), centre.y()))
    if box.height() >= TALL_KNOB_BOX_PX:
        return QPointF(centre.x(), box.top()), QPointF(centre.x(), box.bottom()), *sides
    return sides if box.width() >= LEAST_KNOB_BOX_PX else ()


def _paint_knobs(painter: QPainter, theme: Theme, box: QRectF) -> None:
    painter.setPen(QPen(QColor(theme.accent), 1.5))
    painter.setBrush(QColor(theme.background))
    for point in knobs(box):
        painter.drawEllipse(point, KNOB_PX, KNOB_PX)


def _beside(frame: Frame, xy: Floats) -> Iterator[Lines]:
    """A line on either side of each, that leaves its color as the legend has it."""
    along = xy[:, 2:] - xy[:, :2]
    length = np.maximum(np.hypot(along[:, 0], along[:, 1]), 1e-9)
    across = np.tile(np.stack((-along[:, 1], along[:, 0]), axis=1) / length[:, None], 2)
    for side in (BESIDE_PX, -BESIDE_PX):
        yield _brought_out(frame, xy + across * (side / frame.camera.scale), 2.0, 1.0)


def _brought_out(frame: Frame, xy: Floats, width: float, share: float) -> Lines:
    return Lines(frame.camera.points_to_view(xy), Pen(frame.theme.accent, width, share))


def _paint_lines(painter: QPainter, parts: Iterable[Lines]) -> None:
    for part in parts:
        painter.setPen(pen_of(part.pen))
        draw_lines(painter, clipped(part.xy))


def _around(frame: Frame, rect: tuple[float, float, float, float], by: float) -> QRectF:
    return seen_rect(frame.camera, rect).adjusted(-by, -by, by, by)


# -- the note at the cursor ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CursorNote:
    """A line of text beside the cursor; `refused` says why something cannot be."""

    text: str
    at: QPointF
    refused: bool = False


def paint_note(
    painter: QPainter, note: CursorNote, theme: Theme, font: QFont, view: QRectF, figures: Iterable[QRectF] = ()
) -> None:
    """A plate next to the cursor, kept inside the view and clear of the figures, where there is room for it."""
    used = Fonts(font).at(12)
    metrics = QFontMetricsF(used)
    flags = int(Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
    needed = metrics.boundingRect(QRectF(0, 0, NOTE_WIDTH_PX, 400), flags, note.text).size()
    plate = _place_beside(note.at, QSizeF(needed.width() + 22, needed.height() + 12), view, tuple(figures))
    painter.setPen(QPen(QColor(theme.error if note.refused else theme.plate_border), 1.0))
    painter.setBrush(QColor(theme.plate))
    painter.drawRoundedRect(plate, 5, 5)
    painter.setFont(used)
    painter.setPen(QColor(theme.error if note.refused else theme.text))
    painter.drawText(plate.adjusted(11, 6, -11, -6), flags, note.text)


def paint_hint(
    painter: QPainter,
    text: str,
    theme: Theme,
    font: QFont,
    view: QRectF,
    mouse: QPointF | None = None,
    covered: Iterable[Rect] = (),
) -> None:
    """A plate at the top of the view, or at the bottom while the mouse is up there, at most as wide as the view.

    It is clear of what lies over the view, which is `covered` there.
    """
    used = Fonts(font).at(12)
    flags = int(Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignCenter)
    room = QRectF(0, 0, max(60.0, view.width() - 2 * HINT_MARGIN_PX - 28), view.height())
    needed = QFontMetricsF(used).boundingRect(room, flags, text).size()
    plate = QRectF(0, 0, needed.width() + 28, needed.height() + 14)
    plate.moveCenter(QPointF(view.center().x(), HINT_MARGIN_PX + plate.height() / 2))
    bars = [QRectF(QPointF(left, top), QPointF(right, bottom)) for left, top, right, bottom in covered]
    for bar in (bar for bar in bars if bar.intersects(plate)):
        plate.moveTop(bar.bottom() + HINT_MARGIN_PX)
    if mouse is not None and mouse.y() < plate.bottom() + HINT_MARGIN_PX:
        plate.moveBottom(view.bottom() - HINT_MARGIN_PX)
        for bar in (bar for bar in bars if bar.intersects(plate)):
            plate.moveBottom(bar.top() - HINT_MARGIN_PX)
    painter.setPen(QPen(QColor(theme.accent), 1.0))
    painter.setBrush(QColor(theme.plate))
    painter.drawRoundedRect(plate, 6, 6)
    painter.setFont(used)
    painter.setPen(QColor(theme.text))
    painter.drawText(plate, flags, text)
    painter.setBrush(Qt.BrushStyle.NoBrush)


def _place_beside(at: QPointF, size: QSizeF, view: QRectF, figures: tuple[QRectF, ...]) -> QRectF:
    """Below the cursor to the right, or the first other place around it that covers fewer figures."""
    best, least = QRectF(), math.inf
    below, above = at.y() + NOTE_OFFSET_PX, at.y() - NOTE_OFFSET_PX - size.height()
    right, left = at.x() + NOTE_OFFSET_PX, at.x() - NOTE_OFFSET_PX - size.width()
    steps = (0.0, size.height(), 2 * size.height())
    for x, y in ((x, y + way * step) for step in steps for x in (right, left) for y, way in ((below, 1), (above, -1))):
        inside_x = max(6.0, min(x, view.right() - size.width() - 6))
        inside_y = max(6.0, min(y, view.bottom() - size.height() - 6))
        plate = QRectF(inside_x, inside_y, size.width(), size.height())
        covered = sum(plate.intersects(one) for one in figures) + 100 * plate.contains(at)
        if covered < least:
            best, least = plate, covered
    return best


class Chosen:
    """What a canvas shows as selected. The last answers are remembered: they are painted many times."""

    def __init__(self) -> None:
        self._last: tuple[Selected, Composition, frozenset[str]] | None = None
        self._bright_of: tuple[object, ...] = ()
        self._bright: Picture | None = None

    def among(self, selected: Selected, composition: Composition) -> frozenset[str]:
        """The selection, with the devices of selected groups and racks that have no frame and no box."""
        if self._last is None or self._last[0] is not selected or self._last[1] is not composition:
            framed, box_of = {one.id for one in composition.containers}, composition.projection.box_of
            around = (selected.groups | selected.racks) - framed
            hidden = frozenset(one for one in around if box_of(one) is None)
            chosen = selected.selection | with_inside(hidden, selected.design) if hidden else selected.selection
            self._last = selected, composition, chosen
        return self._last[2]

    def links_of_devices(self, composition: Composition, picture: Picture, selection: frozenset[str]) -> Picture | None:
        """The picture with the lines of a few selected devices alone; None with none selected, or very many."""
        rows = composition.chosen(selection)[0]
        if not 0 < len(rows) <= MOST_LINKED:
            return None
        of = Same(selection), Same(composition), Same(picture.loads)
        key = (*of, composition.generation, picture.theme.name, picture.detail, composition.colouring.version)
        if self._bright is None or key != self._bright_of:
            lines = composition.lines_of_devices(rows.tolist(), picture.detail)
            self._bright_of, self._bright = key, with_lines(composition, picture, lines)
        return self._bright
