"""What lies over the picture: things marked as failed, paused cables, badges of findings."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice

import numpy as np

from designer.drawing.bundles import Ints
from designer.drawing.composition import Composition
from designer.drawing.counts import Taken, corners_of
from designer.drawing.folding.folded_projection import FoldedProjection
from designer.drawing.folding.folds import FOLDED
from designer.drawing.folding.stacks import boxes_with
from designer.drawing.geometry import Rect as Corners
from designer.drawing.level_of_detail import Detail
from designer.drawing.overlay import GAPS_PX, PauseReach, lines_of_links
from designer.drawing.parts.keys import barred_circle, hatching
from designer.drawing.parts.primitives import Circle, Group, Ink, Lines, Part, Path, Pen, Rect, Text
from designer.drawing.parts.ruler import baseline, whole
from designer.drawing.parts.sheet import Sheet
from designer.drawing.parts.stack_words import sign_room
from designer.drawing.parts.standing import BADGE_SIZE, NO_PLATES, BoxPlate
from designer.placement.metrics import BOX_HEIGHT
from designer.validation.findings import Severity

FADED, CUT_OFF_FADED = 0.45, 0.75
FAILED_WIDTH, FAILED_DASH = 1.5, (6.0, 3.0)
ARM, LEAST_ARM, LINK_ARM, CROSS_WIDTH = 9.0, 4.0, 5.0, 2.5
ARM_AFAR = 6.0
"""Seen past the dot of a finding, which is in the middle of the box of a device too."""
ROOMY_ARMS = 12.0
"""A box so many times as wide as the arm of a cross has room for it behind its name; others have it on a corner."""
OUTLINE_PX = 2.5
CORNER_MARK = 5.0
"""Radius of the mark that part of what a small box stands for has failed."""
BADGE, DOT = 6.5, 3.0
BADGE_SIZE_OF_TWO = 7
MOST_COUNTED = 99
"""Links that the badge of a line counts: it has room for two figures."""
MOST_BADGE_ZOOM = 2.0
"""Larger badges would cover names."""
LEAST_BADGE_ZOOM = 0.6
"""A smaller badge cannot be read: a dot says as much."""
MOST_MARKS = 400
"""On a screen; a document has them all."""
MOST_DOTS = 200
"""More of them in a drawing seen from afar would cover it."""
LEAST_MARK_BOX_PX = 9.0
NUMBER_REACH = 15.0, 9.0
"""From the middle of a box for many, across and down: a dot so far off is clear of its number of three figures."""
SMALL_BOX_PX = 64.0
ROW_TOLERANCE = 0.1
"""Boxes whose tops and heights are as near stand in one row."""
SHARES = np.array((0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.18, 0.82))[:, None]
AROUND = np.array([[0.0, -1.2], [0.0, 1.2], [1.2, 0.0], [-1.2, 0.0]])
"""Places of a badge along a line, and around its middle in terms of its own width, the best first."""
ORDER = (Severity.WARNING, Severity.ERROR)
"""From below to above."""

Spot = Callable[[Corners, float], tuple[float, float]]
"""Where a badge drawn so large stands at what is seen: left, top, width and height on the sheet."""


def failed(
    composition: Composition, sheet: Sheet, ids: Iterable[str], plates: Mapping[int, BoxPlate] = NO_PLATES
) -> Iterator[Part]:
    """Boxes and lines of what is marked as failed: faded, dashed and crossed out; boxes of what that cuts off, barred.

    From near the cross leaves the name on a box in sight; from afar, where there is none, it stands across the box.
    `plates` are those of boxes for many.
    """
    theme, projection, ids = sheet.theme, composition.projection, frozenset(ids)
    pen = Pen(theme.error, FAILED_WIDTH, dash=FAILED_DASH, fixed=True)
    near = composition.detail_at(sheet.scale / sheet.zoom).names
    yield from _cut_off(composition, sheet, composition.cut_off_by(ids))
    for one in sorted(ids):
        row, link_row = projection.row_of.get(one), projection.link_row(one)
        if row is not None:
            x, y, width, height = sheet.boxes(composition.boxes[row : row + 1])[0].tolist()
            yield Rect(x, y, width, height, Ink(theme.background, FADED), pen, 4.0)
            arm = max(LEAST_ARM, min(ARM, 0.3 * height)) if near else ARM_AFAR
            at = _beside_name(x, y, width, height, arm) if near else (x + width / 2, y + height / 2)
            yield _cross(at[0], at[1], arm, theme.error)
        elif link_row is not None:
            lines = sheet.camera.points_to_view(composition.link_path(link_row)).tolist()
            points = [(x1, y1) for x1, y1, _, _ in lines]
            yield Path((*points, (lines[-1][2], lines[-1][3])), pen=pen)
            x1, y1, x2, y2 = lines[len(lines) // 2]
            yield _cross((x1 + x2) / 2, (y1 + y2) / 2, LINK_ARM, theme.error)
    if isinstance(projection, FoldedProjection):
        for row, inside in boxes_with(projection, ids).items():
            box = sheet.boxes(composition.boxes[row : row + 1])[0].tolist()
            is_all = set(projection.members_at(row)) <= set(inside)
            yield from _failed_inside(sheet, box, plates.get(row), is_all=is_all)


def _beside_name(x: float, y: float, width: float, height: float, arm: float) -> tuple[float, float]:
    """Where a sign with such arms stands at a box, whose name stays readable."""
    return (x + width - 1.6 * arm, y + height / 2) if width > ROOMY_ARMS * arm else (x + width, y)


def _cut_off(composition: Composition, sheet: Sheet, ids: frozenset[str]) -> Iterator[Part]:
    """Boxes of devices that a failure cuts off: gray and dashed, with a barred circle; of many, where all are so."""
    theme, projection = sheet.theme, composition.projection
    inside = boxes_with(composition.projection, ids)
    rows = {row for one in ids if (row := projection.row_of.get(one)) is not None}
    if isinstance(projection, FoldedProjection):
        rows |= {row for row, members in inside.items() if set(projection.members_at(row)) <= set(members)}
    pen = Pen(theme.muted, FAILED_WIDTH, dash=FAILED_DASH, fixed=True)
    for row in sorted(rows):
        x, y, width, height = sheet.boxes(composition.boxes[row : row + 1])[0].tolist()
        yield Rect(x, y, width, height, Ink(theme.background, CUT_OFF_FADED), pen, 4.0)
        radius = max(LEAST_ARM, min(ARM, 0.3 * height))
        yield barred_circle(*_beside_name(x, y, width, height, radius), radius, theme)


def _failed_inside(sheet: Sheet, box: list[float], plate: BoxPlate | None, *, is_all: bool) -> Iterator[Part]:
    """Next to a box that stands for many: how many of what is in it have failed.

    Where that has no room, a small mark in the corner; a cross over the box where all of its devices have failed.
    """
    (x, y, width, height), unit, theme = box, sheet.zoom, sheet.theme
    if plate is not None:
        size, middle = whole(BADGE_SIZE * unit), plate.y + plate.height / 2
        yield Rect(*plate.place, Ink(theme.background), Pen(theme.error, unit), 3.0 * unit)
        yield _cross(plate.x + 7 * unit, middle, 3.0 * unit, theme.error, CROSS_WIDTH * unit)
        yield Text(plate.x + 13 * unit, baseline(sheet.ruler, middle, size), plate.text, size, theme.text)
        return
    if is_all:
        yield _cross(x + width / 2, y + height / 2, min(LINK_ARM * unit, 0.4 * height), theme.error, CROSS_WIDTH * unit)
        return
    radius = min(CORNER_MARK * unit, 0.25 * width, 0.25 * height)
    at = x + radius if sign_room(width, sheet) else x + width - radius, y + radius  # the sign of a box is at its right
    thick = 0.3 * radius  # in documents, whose unit is large, as on a screen
    yield Circle(*at, radius, Ink(theme.background), Pen(theme.error, thick))
    yield _cross(*at, 0.4 * radius, theme.error, thick)


def _cross(x: float, y: float, arm: float, colour: str, width: float = CROSS_WIDTH) -> Part:
    lines = np.array([[x - arm, y - arm, x + arm, y + arm], [x - arm, y + arm, x + arm, y - arm]])
    return Lines(lines, Pen(colour, width, square=True))


def pauses(composition: Composition, sheet: Sheet, detail: Detail, reach: PauseReach) -> Iterator[Part]:
    """Ticks across every line that holds a paused cable, densest at the hot port, and its device outlined."""
    lines = composition.lines(detail)
    for distance, links in enumerate(reach.by_distance):
        gap = GAPS_PX[min(distance, len(GAPS_PX) - 1)]
        pen = hatching(sheet.theme, gap)
        holding = lines.holding(composition.chosen_links(links))
        if holding.any():
            yield Lines(sheet.camera.points_to_view(lines.xy[holding]), pen)
    for device_id in reach.hot:
        row = composition.projection.row_of.get(device_id)
        if row is not None:
            x, y, width, height = sheet.boxes(composition.boxes[row : row + 1])[0].tolist()
            pen = Pen(sheet.theme.error, OUTLINE_PX)
            yield Rect(x - 3, y - 3, width + 6, height + 6, pen=pen, radius=6.0)


def badges(
    composition: Composition,
    sheet: Sheet,
    detail: Detail,
    worst: Mapping[str, Severity],
    most: int | None = None,
    titles: Sequence[Corners] = (),
    standing: Callable[[], Taken] | None = None,
) -> Iterator[Part]:
    """A badge at each device and link with errors or warnings, errors last so that they lie on top.

    A box that stands for many bears the worst of what is in it, however far away it is; devices that are too small
    for a badge have dots, where these are few. A line has one badge for all its links with findings, which counts
    them. Of more than `most` that show, errors have theirs before warnings. Where one would lie over a title of a tier,
    left, top, width and height on the sheet, it is at the foot of its box; those of links keep off each other and,
    where their lines allow, off what is `standing` on the sheet, which is asked once all texts have been written.
    """
    taken = Taken(corners_of(np.array(titles, np.float64).reshape(-1, 4)))
    projection = composition.projection
    near = sheet.scale * BOX_HEIGHT >= LEAST_MARK_BOX_PX
    has_dots = len(worst) <= MOST_DOTS
    spots = _Spots(sheet, standing)
    on_lines = _by_line(composition, detail, worst) if near else {}
    boxed = {
        row: max((worst[one] for one in ids), key=ORDER.index)
        for row, ids in boxes_with(composition.projection, worst).items()
    }
    rows = {*boxed, *(row for one in worst if near and (row := projection.row_of.get(one)) is not None)}
    corners = _Corners(composition, sheet, taken, np.array(sorted(rows), np.int64))

    def of_severity(severity: Severity) -> Iterator[Part]:
        for subject in (one for one, found in worst.items() if found is severity) if near or has_dots else ():
            row = projection.row_of.get(subject)
            if row is None:
                continue
            at = corners.of(row) if near else _dot_place(composition, sheet, row)
            if at is not None and sheet.contains(*at):
                yield _badge(at, sheet, severity) if near else _dot(at, sheet, severity)
        yield from _badges_of_lines(on_lines, spots, sheet, severity)
        for at in (corners.of(row) for row, found in boxed.items() if found is severity):
            if at is not None and sheet.contains(*at):
                yield _badge(at, sheet, severity)

    chosen: list[list[Part]] = []
    for severity in reversed(ORDER):
        room = None if most is None else most - sum(map(len, chosen))
        chosen.append(list(islice(of_severity(severity), room)))
    for found in reversed(chosen):
        yield from found


def _by_line(
    composition: Composition, detail: Detail, worst: Mapping[str, Severity]
) -> dict[tuple[float, ...], list[Severity]]:
    """The severities of the links of each line that has some with findings."""
    found: dict[tuple[float, ...], list[Severity]] = {}
    for one, line in lines_of_links(composition, detail, worst).items():
        found.setdefault(tuple(line), []).append(worst[one])
    return found


def _badges_of_lines(
    lines: Mapping[tuple[float, ...], Sequence[Severity]], spots: "_Spots", sheet: Sheet, severity: Severity
) -> Iterator[Part]:
    """One badge for each line whose worst finding is so severe."""
    for line, found in lines.items():
        x1, y1, x2, y2 = line
        is_in_sight = sheet.contains(*sheet.camera.to_view((x1 + x2) / 2, (y1 + y2) / 2))
        if max(found, key=ORDER.index) is not severity or not is_in_sight:  # of many few are in sight
            continue
        at = spots.on(line)
        if sheet.contains(*at):
            yield _badge(at, sheet, severity, len(found))


def worst_of(severities: Iterable[Severity]) -> Severity | None:
    """The worst of these; None of none."""
    return max(severities, key=ORDER.index, default=None)


def badges_at(rects: Iterable[tuple[Corners, Severity]], sheet: Sheet, spot: Spot) -> Iterator[Part]:
    """A badge at each of these rectangles of the canvas, errors last; dots where these are too small for badges."""
    for rect, severity in sorted(rects, key=lambda one: ORDER.index(one[1])):
        seen = sheet.seen(rect)
        zoom = _zoom_on(seen, sheet.zoom)
        x, y = spot(seen, zoom)
        if not sheet.contains(x, y):
            continue
        if zoom < LEAST_BADGE_ZOOM:
            yield _dot((seen[0] + seen[2] / 2, y), sheet, severity)
        else:
            yield _badge((x, y), sheet, severity, zoom=zoom)


def is_on_badge(at: tuple[float, float], seen: Corners, spot: Spot) -> bool:
    """Whether a pixel of the screen is on the badge, or dot, of a rectangle seen there: left, top, width, height."""
    zoom = _zoom_on(seen, 1.0)
    x, y = spot(seen, zoom)
    reach = BADGE * max(zoom, LEAST_BADGE_ZOOM)
    return abs(at[0] - x) <= reach and abs(at[1] - y) <= reach


def in_corner(seen: Corners, zoom: float) -> tuple[float, float]:
    """In the upper right corner of what is seen: left, top, width, height."""
    x, y, width, _ = seen
    return x + width - BADGE * zoom, y + (BADGE + 1) * zoom


def beside_name(seen: Corners, zoom: float) -> tuple[float, float]:
    """In the middle of the right edge of what is seen, as of low boxes one on the other."""
    x, y, width, height = seen
    return x + width - (BADGE + 1) * zoom, y + height / 2


def on_edge(seen: Corners, zoom: float) -> tuple[float, float]:
    """On the right of the upper edge of what is seen, which is full of letters."""
    x, y, width, _ = seen
    return x + width - BADGE * zoom, y


def _zoom_on(seen: Corners, zoom: float) -> float:
    """How large a badge is drawn on what is seen, which it does not cover."""
    return min(MOST_BADGE_ZOOM, zoom, min(seen[2:]) / (2 * BADGE))


class _Spots:
    """Where badges of links stand on their lines: off boxes, titles, texts on lines, and other badges of links."""

    def __init__(self, sheet: Sheet, standing: Callable[[], Taken] | None) -> None:
        """`standing` is asked for the first badge: of boxes alone have any, it is never."""
        self._sheet, self._standing = sheet, standing
        self._across = 2 * BADGE * min(sheet.zoom, MOST_BADGE_ZOOM)

    @cached_property
    def _taken(self) -> Taken:
        left, top, width, height = self._sheet.area
        corners = np.empty((0, 4)) if self._standing is None else self._standing().corners
        apart = (corners[:, :2] > (left + width, top + height)) | (corners[:, 2:] < (left, top))
        return Taken(corners[~apart.any(axis=1)])  # of very many boxes few are in sight

    def on(self, line: Sequence[float]) -> tuple[float, float]:
        """The place nearest to the middle of a line that is free, else one next to the middle, else the middle."""
        ends = self._sheet.camera.points_to_view(np.array([line]))[0].reshape(2, 2)
        along = ends[0] + (ends[1] - ends[0]) * SHARES
        spots = np.vstack((along, along[0] + AROUND * self._across))
        x, y = spots[0].tolist()
        if not self._taken.is_free(x - self._across / 2, y - self._across / 2, self._across, self._across):
            free = np.flatnonzero(~self._taken.are_covered(spots, self._across, self._across))
            x, y = spots[free[0] if len(free) else 0].tolist()
        self._taken.take(x - self._across / 2, y - self._across / 2, self._across, self._across)
        return x, y


class _Corners:
    """Where badges stand at boxes: above, or all of a row at the feet of their boxes where one lies over a title."""

    def __init__(self, composition: Composition, sheet: Sheet, taken: Taken, marked: Ints) -> None:
        """`marked` are the boxes with badges, ascending."""
        self._taken, self._marked_at = taken, composition.boxes[marked][:, 1::2]
        zoom = min(sheet.zoom, MOST_BADGE_ZOOM)
        self._across = 2 * BADGE * zoom
        x, y, width, height = sheet.boxes(composition.boxes[marked]).T
        is_large = width >= SMALL_BOX_PX
        # A small box is full of its name: the badge is on its left corner, clear of the letters and of the box before.
        self._x = np.where(is_large, x + width - 3, x + (BADGE - 1) * zoom)
        self._above = np.where(is_large, y + 1, y - 4 * zoom)
        self._below = np.where(is_large, y + height - 1, y + height + 4 * zoom)
        in_sight = sheet.contain(self._x, self._above) | sheet.contain(self._x, self._below)
        numbers = np.flatnonzero(in_sight)
        self._number_of = dict(zip(marked[numbers].tolist(), numbers.tolist(), strict=True))
        self._row_is_free: dict[tuple[float, float], bool] = {}

    def of(self, row: int) -> tuple[float, float] | None:
        """The middle of the badge of a box; None where it would not show."""
        number = self._number_of.get(row)
        if number is None:
            return None
        own = self._marked_at[number]
        key = round(float(own[0]), 1), round(float(own[1]), 1)
        if key not in self._row_is_free:
            same = (np.abs(self._marked_at - own) < ROW_TOLERANCE).all(axis=1)
            spots = np.stack((self._x[same], self._above[same]), axis=1)
            self._row_is_free[key] = not self._taken.are_covered(spots, self._across, self._across).any()
        return float(self._x[number]), float((self._above if self._row_is_free[key] else self._below)[number])


def _dot_place(composition: Composition, sheet: Sheet, row: int) -> tuple[float, float]:
    """Where the dot of a box is: in its middle; at an end of one for many, off the numbers in the middles of all such.

    The number of a narrow one reaches beyond its edges: the dot is on a corner, above that.
    """
    x, y, width, height = sheet.boxes(composition.boxes[row : row + 1])[0].tolist()
    are_many = composition.projection.kinds == FOLDED
    if not are_many[row]:
        return x + width / 2, y + height / 2
    numbered = sheet.boxes(composition.boxes[are_many])
    middles, (across, down) = numbered[:, :2] + numbered[:, 2:] / 2, NUMBER_REACH
    at_y = y if width < 2 * across * sheet.zoom else y + height / 2
    ends = [x, x + width, x - 2 * DOT * sheet.zoom, x + width + 2 * DOT * sheet.zoom]
    off = [(np.abs(middles - (end, at_y)) / (across, down)).max(axis=1).min() / sheet.zoom for end in ends]
    return ends[int(np.argmax(np.minimum(off, 1.0)))], at_y


def _dot(at: tuple[float, float], sheet: Sheet, severity: Severity) -> Part:
    theme = sheet.theme
    ink = Ink(theme.error if severity is Severity.ERROR else theme.warning)
    mark = Circle(0.0, 0.0, DOT, ink, Pen(theme.background, 1.0))
    return Group((mark,), title=severity.value, at=at, zoom=min(sheet.zoom, MOST_BADGE_ZOOM))


def _badge(
    at: tuple[float, float], sheet: Sheet, severity: Severity, count: int = 1, *, zoom: float = MOST_BADGE_ZOOM
) -> Part:
    """The badge of one thing, or of so many, at most as large as `zoom` says."""
    said = "!" if count == 1 else str(min(count, MOST_COUNTED))
    size = BADGE_SIZE if len(said) == 1 else BADGE_SIZE_OF_TWO
    theme, pen, text = sheet.theme, Pen(sheet.theme.background, 1.5), baseline(sheet.ruler, 0.0, size, True)
    plate: Part
    if severity is Severity.ERROR:
        plate = Circle(0.0, 0.0, BADGE, Ink(theme.error), pen)
    else:
        plate = Path(((0.0, -BADGE), (BADGE, BADGE), (-BADGE, BADGE)), Ink(theme.warning), pen, closed=True)
        text += 2
    mark = Text(0.0, text, said, size, theme.on_finding, True, "middle")
    return Group((plate, mark), title=severity.value, at=at, zoom=min(sheet.zoom, zoom))
