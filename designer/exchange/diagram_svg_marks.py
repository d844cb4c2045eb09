"""What lies over the picture in an SVG diagram: things marked as failed, paused cables, badges of findings."""

from collections.abc import Iterator

import numpy as np

from designer.drawing.bundles import Floats
from designer.drawing.composition import Composition
from designer.drawing.level_of_detail import Detail
from designer.drawing.overlay import GAPS_PX, Overlay, link_places
from designer.drawing.theme import Theme
from designer.exchange.svg_writing import number
from designer.validation.findings import Severity

DASHED = 'fill="none" stroke-width="1.5" stroke-dasharray="6 3" vector-effect="non-scaling-stroke"'
ARM, LINK_ARM = 9.0, 5.0
TICK_PX, HATCH_PX = 1.6, 9.0
BADGE = 6.5
MOST_BADGE_ZOOM = 2.0
"""Larger badges would cover names."""


def failed(composition: Composition, overlay: Overlay, theme: Theme) -> Iterator[str]:
    """Boxes and lines of what is marked as failed: faded, dashed and crossed out."""
    for one in sorted(overlay.failed):
        row, link_row = composition.projection.row_of.get(one), composition.projection.link_row(one)
        if row is not None:
            x, y, width, height = composition.boxes[row].tolist()
            yield f'<rect {_place(x, y, width, height)} rx="4" fill="{theme.background}" fill-opacity="0.45"/>'
            yield f'<rect {_place(x, y, width, height)} rx="4" stroke="{theme.error}" {DASHED}/>'
            arm = min(ARM, 0.3 * height)
            at = x + width - 1.6 * arm if width > 6 * arm else x + width / 2  # the name stays readable
            yield _cross(at, y + height / 2, arm, theme)
        elif link_row is not None:
            link_path = composition.link_path(link_row)
            yield f'<path d="{_lines(link_path)}" stroke="{theme.error}" {DASHED}/>'
            x1, y1, x2, y2 = link_path[len(link_path) // 2].tolist()
            yield _cross((x1 + x2) / 2, (y1 + y2) / 2, LINK_ARM, theme)


def pauses(composition: Composition, detail: Detail, overlay: Overlay, theme: Theme) -> Iterator[str]:
    """Ticks across every line that holds a paused cable, and an outline around the devices with hot ports."""
    if overlay.pauses is None:
        return
    lines = composition.lines(detail)
    for distance, links in enumerate(overlay.pauses.by_distance):
        drawn = _lines(lines.xy[lines.holding(composition.chosen_links(links))])
        gap = GAPS_PX[min(distance, len(GAPS_PX) - 1)]
        if drawn:
            yield (
                f'<path d="{drawn}" fill="none" stroke="{theme.text}" stroke-opacity="0.75" '
                f'stroke-width="{HATCH_PX:g}" stroke-dasharray="{TICK_PX} {gap}" vector-effect="non-scaling-stroke"/>'
            )
    for device_id in overlay.pauses.hot:
        row = composition.projection.row_of.get(device_id)
        if row is not None:
            x, y, width, height = composition.boxes[row].tolist()
            place = _place(x - 3, y - 3, width + 6, height + 6)
            yield f'<rect {place} rx="6" fill="none" stroke="{theme.error}" stroke-width="2.5"/>'


def badges(composition: Composition, detail: Detail, overlay: Overlay, theme: Theme, zoom: float) -> Iterator[str]:
    """A badge at each device and link with errors or warnings, errors last so that they lie on top."""
    scale = min(zoom, MOST_BADGE_ZOOM)
    on_links = link_places(composition, detail, overlay.badges)
    for severity in (Severity.WARNING, Severity.ERROR):
        for subject, found in overlay.badges.items():
            row = composition.projection.row_of.get(subject)
            if found is not severity or (row is None and subject not in on_links):
                continue
            if row is not None:
                x, y, width, _ = composition.boxes[row].tolist()
                place = x + width - 3, y + 1
            else:
                place = on_links[subject]
            yield _badge(*place, scale, severity, theme)


def _badge(x: float, y: float, scale: float, severity: Severity, theme: Theme) -> str:
    if severity is Severity.ERROR:
        plate, colour, baseline = f'<circle r="{BADGE}"', theme.error, 3.4
    else:
        plate, colour, baseline = f'<path d="M0 {-BADGE}L{BADGE} {BADGE}H{-BADGE}z"', theme.warning, 5.4
    at = f"translate({number(x)} {number(y)})" + (f" scale({scale:.3g})" if scale != 1.0 else "")
    return (
        f'<g transform="{at}"><title>{severity.value}</title>{plate} fill="{colour}" stroke="{theme.background}" '
        f'stroke-width="1.5"/><text y="{baseline}" font-size="9.5" font-weight="600" text-anchor="middle" '
        f'fill="{theme.on_finding}">!</text></g>'
    )


def _cross(x: float, y: float, arm: float, theme: Theme) -> str:
    strokes = f"M{number(x - arm)} {number(y - arm)}l{2 * arm:g} {2 * arm:g}m0 {-2 * arm:g}l{-2 * arm:g} {2 * arm:g}"
    return f'<path d="{strokes}" fill="none" stroke="{theme.error}" stroke-width="2.5"/>'


def _lines(xy: Floats) -> str:
    drawn = np.asarray(xy).tolist()
    return "".join(f"M{number(x1)} {number(y1)}L{number(x2)} {number(y2)}" for x1, y1, x2, y2 in drawn)


def _place(x: float, y: float, width: float, height: float) -> str:
    return f'x="{number(x)}" y="{number(y)}" width="{number(width)}" height="{number(height)}"'
