"""What lies over the picture: things marked as failed, paused cables, badges of findings."""

from collections.abc import Iterable, Iterator, Mapping

import numpy as np

from designer.drawing.composition import Composition
from designer.drawing.level_of_detail import Detail
from designer.drawing.overlay import GAPS_PX, PauseReach, link_places
from designer.drawing.parts.primitives import Circle, Group, Ink, Lines, Part, Path, Pen, Rect, Text
from designer.drawing.parts.ruler import baseline
from designer.drawing.parts.sheet import Sheet
from designer.placement.metrics import BOX_HEIGHT
from designer.validation.findings import Severity

FADED = 0.45
FAILED_WIDTH, FAILED_DASH = 1.5, (6.0, 3.0)
ARM, LINK_ARM, CROSS_WIDTH = 9.0, 5.0, 2.5
HATCH_PX, TICK_PX, HATCH_ALPHA = 9.0, 1.6, 0.75
OUTLINE_PX = 2.5
BADGE = 6.5
BADGE_SIZE = 10
MOST_BADGE_ZOOM = 2.0
"""Larger badges would cover names."""
MOST_MARKS = 400
"""On a screen; a document has them all."""
LEAST_MARK_BOX_PX = 9.0
SMALL_BOX_PX = 64.0


def failed(composition: Composition, sheet: Sheet, ids: Iterable[str]) -> Iterator[Part]:
    """Boxes and lines of what is marked as failed: faded, dashed and crossed out."""
    theme, projection = sheet.theme, composition.projection
    pen = Pen(theme.error, FAILED_WIDTH, dash=FAILED_DASH, fixed=True)
    for one in sorted(ids):
        row, link_row = projection.row_of.get(one), projection.link_row(one)
        if row is not None:
            x, y, width, height = sheet.boxes(composition.boxes[row : row + 1])[0].tolist()
            yield Rect(x, y, width, height, Ink(theme.background, FADED), pen, 4.0)
            arm = min(ARM, 0.3 * height)
            at = x + width - 1.6 * arm if width > 6 * arm else x + width / 2  # the name stays readable
            yield _cross(at, y + height / 2, arm, theme.error)
        elif link_row is not None:
            lines = sheet.camera.points_to_view(composition.link_path(link_row)).tolist()
            points = [(x1, y1) for x1, y1, _, _ in lines]
            yield Path((*points, (lines[-1][2], lines[-1][3])), pen=pen)
            x1, y1, x2, y2 = lines[len(lines) // 2]
            yield _cross((x1 + x2) / 2, (y1 + y2) / 2, LINK_ARM, theme.error)


def _cross(x: float, y: float, arm: float, colour: str) -> Part:
    lines = np.array([[x - arm, y - arm, x + arm, y + arm], [x - arm, y + arm, x + arm, y - arm]])
    return Lines(lines, Pen(colour, CROSS_WIDTH, square=True))


def pauses(composition: Composition, sheet: Sheet, detail: Detail, reach: PauseReach) -> Iterator[Part]:
    """Ticks across every line that holds a paused cable, densest at the hot port, and its device outlined."""
    lines = composition.lines(detail)
    for distance, links in enumerate(reach.by_distance):
        gap = GAPS_PX[min(distance, len(GAPS_PX) - 1)]
        pen = Pen(sheet.theme.text, HATCH_PX, HATCH_ALPHA, (TICK_PX, gap), fixed=True)
        holding = lines.holding(composition.chosen_links(links))
        if holding.any():
            yield Lines(sheet.camera.points_to_view(lines.xy[holding]), pen)
    for device_id in reach.hot:
        row = composition.projection.row_of.get(device_id)
        if row is not None:
            x, y, width, height = sheet.boxes(composition.boxes[row : row + 1])[0].tolist()
            pen = Pen(sheet.theme.error, OUTLINE_PX)
            yield Rect(x - 3, y - 3, width + 6, height + 6, pen=pen, radius=6.0)


def badges(composition: Composition, sheet: Sheet, detail: Detail, worst: Mapping[str, Severity]) -> Iterator[Part]:
    """A badge at each device and link with errors or warnings, errors last so that they lie on top."""
    if sheet.scale * BOX_HEIGHT < LEAST_MARK_BOX_PX:
        return
    projection, on_links = composition.projection, link_places(composition, detail, worst)
    for severity in (Severity.WARNING, Severity.ERROR):
        for subject in (one for one, found in worst.items() if found is severity):
            row = projection.row_of.get(subject)
            if row is not None:
                x, y, width, _ = sheet.boxes(composition.boxes[row : row + 1])[0].tolist()
                # Over a small box at its left, as names shortened to fit it keep what tells them apart at the end.
                at = (x + 1 if width < SMALL_BOX_PX else x + width - 3), y + 1
            elif subject in on_links:
                at = sheet.camera.to_view(*on_links[subject])
            else:
                continue
            if sheet.contains(*at):
                yield _badge(at, sheet, severity)


def _badge(at: tuple[float, float], sheet: Sheet, severity: Severity) -> Part:
    theme, pen, text = sheet.theme, Pen(sheet.theme.background, 1.5), baseline(sheet.ruler, 0.0, BADGE_SIZE, True)
    plate: Part
    if severity is Severity.ERROR:
        plate = Circle(0.0, 0.0, BADGE, Ink(theme.error), pen)
    else:
        plate = Path(((0.0, -BADGE), (BADGE, BADGE), (-BADGE, BADGE)), Ink(theme.warning), pen, closed=True)
        text += 2
    mark = Text(0.0, text, "!", BADGE_SIZE, theme.on_finding, True, "middle")
    return Group((plate, mark), title=severity.value, at=at, zoom=min(sheet.zoom, MOST_BADGE_ZOOM))
