"""SVG diagrams: the display list written out as the screen shows it, for browsers, Inkscape, draw.io and print.

One canvas unit is one user unit. Links keep their width on paper and at any zoom, as on the screen.
"""

import math
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

from designer.drawing import job_names
from designer.drawing.composition import Composition
from designer.drawing.counts import MOST_COUNTS, CountPlaces
from designer.drawing.display_list import Legend, Picture, Stroke
from designer.drawing.geometry import Container, Rect, title_room
from designer.drawing.heat import BUCKETS, Heat, bucket_colours, hex_of
from designer.drawing.overlay import NO_OVERLAY, Overlay
from designer.drawing.picture import document_picture
from designer.drawing.projection import Caption
from designer.drawing.text import elided, fitted_name, short_form, width_of
from designer.drawing.theme import KINDS, BoxColours, Theme
from designer.errors import ExportError
from designer.exchange import diagram_svg_jobs, diagram_svg_marks
from designer.exchange.svg_writing import kept as _kept
from designer.exchange.svg_writing import lines as _lines
from designer.exchange.svg_writing import number as _n
from designer.exchange.svg_writing import tenths as _tenths
from designer.exchange.svg_writing import text as _text
from designer.model.design import Design
from designer.storage.saving import replace_file
from designer.units import format_count

FONTS = "'Segoe UI', 'Noto Sans', 'DejaVu Sans', 'Helvetica Neue', Arial, sans-serif"

MARGIN = 40.0
SCREEN_WIDTH = 1600.0
"""A wider drawing is first seen shrunk to about this; its legend and titles are the larger."""
GRID_STEP = 24.0
LEAST_GRID_PX = 14.0

NAME_SIZE, MODEL_SIZE, COUNT_SIZE = 12, 10, 10
LEAST_NAME_SIZE = 8
"""Names get as small before they are elided."""
TITLE_SIZE, LEAST_TITLE_PX = 13.0, 11.0
MOST_TITLE = {"rack": 16.0, "group": 20.0}
"""As large as the room inside a rack and above a group allows."""
NOTE_GAP = 8.0

COUNT_HEIGHT = 12.0

LEGEND_SIZE = (268.0, 108.0)
LEGEND_KEYS_TOP, KEY_LENGTH, KEY_GAP = 97.0, 16.0, 14.0
LEGEND_MARGIN = 14.0
LEGEND_INSET = 12.0
LEGEND_BAR = (16.0, 58.0, 226.0, 9.0)
"""Left, top, width, height within the legend."""


def write_svg(
    design: Design,
    path: Path,
    *,
    theme: Theme | str = "light",
    heat: Heat | None = None,
    hidden: frozenset[str] = frozenset(),
    overlay: Overlay = NO_OVERLAY,
) -> None:
    """Write the design without the hidden networks, and what lies over it, as SVG in one step.

    Raises ExportError where there is nothing to draw, or SaveError.
    """
    replace_file(path, svg_of(design, theme, heat, hidden, overlay).encode("utf-8"))


def svg_of(
    design: Design,
    theme: Theme | str = "light",
    heat: Heat | None = None,
    hidden: frozenset[str] = frozenset(),
    overlay: Overlay = NO_OVERLAY,
) -> str:
    """The text of the SVG; the same for the same design. Raises ExportError where there is nothing to draw."""
    composition = Composition(design, hidden)
    picture = document_picture(composition, theme, heat)
    if picture.bounds is None:
        raise ExportError("the design is empty: there is nothing to draw")
    return "\n".join(_document(composition, picture, picture.bounds, overlay)) + "\n"


def _document(composition: Composition, picture: Picture, bounds: Rect, overlay: Overlay) -> Iterator[str]:
    design = composition.design
    jobs = overlay.jobs and bool(design.jobs)
    left, top, right, bottom = bounds
    zoom = max(1.0, (right - left + 2 * MARGIN) / SCREEN_WIDTH)
    legend_width, legend_height = (side * zoom for side in LEGEND_SIZE)
    margin = LEGEND_MARGIN * zoom
    width = max(right - left + 2 * MARGIN, (legend_width + 2 * margin) if picture.legend else 0.0)
    foot = legend_height if picture.legend else job_names.HEIGHT * zoom if jobs else 0.0
    height = bottom - top + 2 * MARGIN + (foot + margin if foot else 0.0)
    x, y = (left + right - width) / 2, top - MARGIN
    frame = x, y, width, height
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" '
        f'version="1.1" width="{_n(width)}" height="{_n(height)}" viewBox="{" ".join(map(_n, frame))}" '
        f'role="img" aria-labelledby="title desc" font-family="{FONTS}">'
    )
    yield f'<title id="title">{_text(design.name)}</title>'
    yield f'<desc id="desc">{_text(_description(design, picture))}</desc>'
    yield from _layer("paper", "Paper", "", _paper(picture.theme, frame, zoom))
    yield from _layer("containers", "Groups and racks", "", (_frame(picture.theme, c) for c in picture.containers))
    yield from _layer("links", "Links", 'fill="none"', map(_stroke, picture.strokes()))
    titles = (_title(picture, container, zoom) for container in picture.containers)
    yield from _layer("titles", "Titles", f'fill="{picture.theme.text}"', titles)
    counts = f'fill="{picture.theme.muted}" font-size="{COUNT_SIZE}" text-anchor="middle"'
    yield from _layer("counts", "Link counts", counts, _counts(picture))
    yield from _layer("boxes", "Devices", f'fill="{picture.theme.text}" font-size="{NAME_SIZE}"', _boxes(picture))
    yield from _layer("hottest", "Hot links from afar", 'fill="none"', map(_stroke, picture.beacons(1 / zoom)))
    beside = margin + (legend_width + margin if picture.legend else 0.0)
    if jobs:
        yield from _layer("jobs", "Jobs", "", diagram_svg_jobs.feet(design, picture))
    detail = picture.detail
    yield from _layer("broken", "Broken", "", diagram_svg_marks.failed(composition, overlay, picture.theme))
    yield from _layer("paused", "Paused", "", diagram_svg_marks.pauses(composition, detail, overlay, picture.theme))
    marks = diagram_svg_marks.badges(composition, detail, overlay, picture.theme, zoom)
    yield from _layer("findings", "Findings", "", marks)
    if jobs:
        names = diagram_svg_jobs.names(design, picture.theme, (width - beside - margin) / zoom)
        y_names = y + height - margin - job_names.HEIGHT * zoom
        at = f'transform="translate({_n(x + beside)} {_n(y_names)}) scale({zoom:.4g})"'
        yield from _layer("job-names", "Names of jobs", f'{at} font-size="{job_names.NAME_SIZE}"', names)
    if picture.legend is not None:
        at = f'transform="translate({_n(x + margin)} {_n(y + height - margin - legend_height)}) scale({zoom:.4g})"'
        yield from _layer("legend", "Legend", f'{at} font-size="10"', _legend(picture.legend, picture.theme))
    yield "</svg>"


def _layer(name: str, label: str, attributes: str, parts: Iterable[str]) -> Iterator[str]:
    """A group with an id, which Inkscape shows as a layer; nothing where it would be empty."""
    inside = [part for part in parts if part]
    if inside:
        yield f'<g id="{name}" inkscape:groupmode="layer" inkscape:label="{label}" {attributes}'.rstrip() + ">"
        yield from inside
        yield "</g>"


def _description(design: Design, picture: Picture) -> str:
    drawn = len(picture.device_ids)
    parts = [f"{_counted(drawn, 'device')}, {_counted(len(design.links), 'link')}"]
    if drawn < len(design.devices):
        parts.append(f"not drawn, having no place: {_counted(len(design.devices) - drawn, 'device')}")
    if picture.legend is not None:
        parts += [": ".join(part for part in (picture.legend.title, picture.legend.label) if part), picture.legend.note]
    return "; ".join(parts)


def _counted(count: int, word: str) -> str:
    return f"{format_count(count)} {word}{'' if count == 1 else 's'}"


# -- what lies below the boxes ----------------------------------------------------------------------------------------


def _paper(theme: Theme, frame: Rect, zoom: float) -> Iterator[str]:
    x, y, width, height = frame
    step = GRID_STEP
    while step < LEAST_GRID_PX * zoom:
        step *= 2
    yield (
        f'<defs><pattern id="grid" width="{_n(step)}" height="{_n(step)}" patternUnits="userSpaceOnUse">'
        f'<rect width="1.5" height="1.5" fill="{theme.grid}"/></pattern></defs>'
    )
    place = f'x="{_n(x)}" y="{_n(y)}" width="{_n(width)}" height="{_n(height)}"'
    yield f'<rect {place} fill="{theme.background}"/>'
    yield f'<rect {place} fill="url(#grid)"/>'


def _frame(theme: Theme, container: Container) -> str:
    left, top, right, bottom = container.rect
    is_rack = container.kind == "rack"
    fill, border = (theme.rack_fill, theme.rack_border) if is_rack else (theme.group_fill, theme.group_border)
    return (
        f'<g><title>{_text(_lines(container.title, container.note))}</title><rect x="{_n(left)}" y="{_n(top)}" '
        f'width="{_n(right - left)}" height="{_n(bottom - top)}" rx="6" fill="{fill}" stroke="{border}"/></g>'
    )


def _title(picture: Picture, container: Container, zoom: float) -> str:
    theme = picture.theme
    left, top, right, _ = container.rect
    is_rack = container.kind == "rack"
    size = round(min(MOST_TITLE["rack" if is_rack else "group"], max(TITLE_SIZE, LEAST_TITLE_PX * zoom)))
    room = right - left - (16 if is_rack else 4)
    if not is_rack and width_of(container.title, size, bold=True) > room:
        room = title_room(container, picture.containers, picture.boxes, 1.17 * size + 4) - 4
    title = elided(container.title, room, size, bold=True)
    if title != container.title:
        title = elided(short_form(container.title), room, size, bold=True) or title
    if not title:
        return ""
    x, y = (left + 8, top + 5 + 0.93 * size) if is_rack else (left + 2, top - 3 - 0.24 * size)
    at_note = width_of(title, size, bold=True) + NOTE_GAP
    note = container.note if at_note + width_of(container.note, size - 1) <= room else ""
    covered = at_note + width_of(note, size - 1) if note else at_note - NOTE_GAP
    parts = (
        []
        if is_rack
        else [
            f'<rect x="{_n(x - 2)}" y="{_n(y - 0.93 * size - 1)}" width="{_n(covered + 5)}" '
            f'height="{_n(1.17 * size + 2)}" fill="{theme.background}" fill-opacity="0.88"/>'
        ]
    )
    style = f'font-size="{size}" font-weight="600"{_kept(title)}'
    parts.append(f'<text x="{_n(x)}" y="{_n(y)}" {style}>{_text(title)}</text>')
    if note:
        # A text of its own, so that a name written from right to left leaves its order alone.
        style = f'font-size="{size - 1}" fill="{theme.muted}"'
        parts.append(f'<text x="{_n(x + at_note)}" y="{_n(y)}" {style}>{_text(note)}</text>')
    return "".join(parts)


def _stroke(stroke: Stroke) -> str:
    """All lines of one colour and width in one path, in tenths of a unit."""
    tenths = np.rint(stroke.xy * 10).astype(np.int64).tolist()
    return (
        f'<path stroke="{stroke.colour}" stroke-width="{stroke.width:.3g}" vector-effect="non-scaling-stroke" '
        f'd="{"".join(_line(*line) for line in tenths)}"/>'
    )


def _line(x1: int, y1: int, x2: int, y2: int) -> str:
    start = f"M{_tenths(x1)} {_tenths(y1)}"
    if y1 == y2:
        return f"{start}h{_tenths(x2 - x1)}"
    if x1 == x2:
        return f"{start}v{_tenths(y2 - y1)}"
    return f"{start}l{_tenths(x2 - x1)} {_tenths(y2 - y1)}"


# -- counts -----------------------------------------------------------------------------------------------------------


def _counts(picture: Picture) -> Iterator[str]:
    lines = picture.lines
    rows = np.flatnonzero(lines.direct & (lines.counts > 1))
    if not picture.detail.counts or not 0 < len(rows) <= MOST_COUNTS:
        return
    corners = picture.boxes.copy()
    corners[:, 2:] += corners[:, :2]
    places = CountPlaces(lines.xy[rows], corners)
    for row in rows.tolist():
        text = f"×{lines.counts[row]}"
        width = width_of(text, COUNT_SIZE) + 6
        place = places.place_on(lines.xy[row], width, COUNT_HEIGHT)
        if place is not None:
            x, y = place
            yield (
                f'<rect x="{_n(x - width / 2)}" y="{_n(y - COUNT_HEIGHT / 2)}" width="{_n(width)}" '
                f'height="{_n(COUNT_HEIGHT)}" rx="3" fill="{picture.theme.background}"/>'
                f'<text x="{_n(x)}" y="{_n(y + 0.36 * COUNT_SIZE)}">{text}</text>'
            )


# -- boxes ------------------------------------------------------------------------------------------------------------


def _boxes(picture: Picture) -> Iterator[str]:
    for kind, name in enumerate(KINDS):
        rows = np.flatnonzero(picture.kinds == kind).tolist()
        if rows:
            yield f'<g id="boxes-{name}">'
            for row in rows:
                yield _box(picture.theme, picture.theme.boxes[kind], picture.boxes[row].tolist(), picture.caption(row))
            yield "</g>"


def _box(theme: Theme, colours: BoxColours, box: list[float], caption: Caption) -> str:
    x, y, width, height = box
    room = width - 18
    usage = f"{caption.used}/{caption.total}"
    width_at_1 = width_of(caption.name, 1)
    size = max(LEAST_NAME_SIZE, min(NAME_SIZE, math.floor(room / width_at_1))) if width_at_1 else NAME_SIZE
    name = fitted_name(caption.name, lambda text: width_of(text, size), room)
    smaller = f' font-size="{size}"' if size < NAME_SIZE else ""
    model = elided(caption.model, room - width_of(usage, MODEL_SIZE) - 6, MODEL_SIZE)
    small = f'y="31" font-size="{MODEL_SIZE}" fill="{theme.muted}"'
    track = spent = ""
    if caption.total:
        bar, filled = _n(room - 2), _n((room - 2) * min(1.0, caption.used / caption.total))
        track = f'<path fill="{colours.border}" d="M13 36h{bar}v2.4h-{bar}z"/>'
        spent = f"M13 36h{filled}v2.4h-{filled}z" if caption.used else ""
    reserved = f", {caption.reserved} reserved" if caption.reserved else ""
    return (
        f'<g transform="translate({_n(x)} {_n(y)})">'
        f"<title>{_text(_lines(caption.name, caption.model, f'{usage} ports used{reserved}'))}</title>"
        f'<rect width="{_n(width)}" height="{_n(height)}" rx="4" fill="{colours.fill}" stroke="{colours.border}"/>'
        f"{track}"
        f'<path fill="{colours.stripe}" d="M4 5h3v{_n(height - 10)}h-3z{spent}"/>'
        f'<text x="13" y="17"{smaller}{_kept(name)}>{_text(name)}</text>'
        f'<text x="13" {small}{_kept(model)}>{_text(model)}</text>'
        f'<text x="{_n(width - 7)}" {small} text-anchor="end">{usage}</text></g>'
    )


# -- legend -----------------------------------------------------------------------------------------------------------


def _legend(legend: Legend, theme: Theme) -> Iterator[str]:
    width, height = LEGEND_SIZE
    left, top, bar_width, bar_height = LEGEND_BAR
    foot, room = top + bar_height, width - 2 * LEGEND_INSET
    yield f'<rect width="{_n(width)}" height="{_n(height)}" rx="6" fill="{theme.plate}" stroke="{theme.plate_border}"/>'
    title = elided(legend.title, room, 11, bold=True)
    yield f'<text x="12" y="18" font-size="11" font-weight="600" fill="{theme.text}">{_text(title)}</text>'
    lines = [part for part in (legend.label, legend.note) if part]
    for number, line in enumerate(lines):
        yield f'<text x="12" y="{33 + 14 * number}" fill="{theme.muted}">{_text(elided(line, room, 10))}</text>'
    edges = [round(left + number * bar_width / BUCKETS) for number in range(BUCKETS + 1)]
    size = f'height="{_n(bar_height)}"'
    yield '<g shape-rendering="crispEdges">'
    for number, colour in enumerate(bucket_colours(theme)):
        place = f'x="{edges[number]}" y="{_n(top)}" width="{edges[number + 1] - edges[number]}"'
        yield f'<rect {place} {size} fill="{hex_of(colour)}"/>'
    yield "</g>"
    for stop in legend.stops:
        at = left + stop.utilization * bar_width
        x, middle = _n(at), _n(min(at, width - 6 - width_of(stop.text, 10) / 2))
        ink, tick = (theme.text, 5) if stop.mark else (theme.muted, 3)
        word = f"<title>{_text(stop.mark)}</title>" if stop.mark else ""
        yield f'<g>{word}<path stroke="{ink}" d="M{x} {_n(foot)}v{tick}"/>'
        yield f'<text x="{middle}" y="{_n(foot + 14)}" text-anchor="middle" fill="{ink}">{_text(stop.text)}</text></g>'
    x_key = LEGEND_INSET
    for key in legend.keys:
        ink = key.colour_in(theme)
        yield (
            f'<path stroke="{ink}" stroke-width="{max(1.0, key.width):g}" d="M{_n(x_key)} {_n(LEGEND_KEYS_TOP)}'
            f'h{_n(KEY_LENGTH)}"/>'
        )
        x_text = x_key + KEY_LENGTH + 4
        yield f'<text x="{_n(x_text)}" y="{_n(LEGEND_KEYS_TOP + 3.5)}" fill="{theme.muted}">{_text(key.text)}</text>'
        x_key = x_text + width_of(key.text, 10) + KEY_GAP
    if legend.busiest is not None:
        x = _n(left + min(1.0, legend.busiest) * bar_width)
        yield f'<path fill="{theme.text}" d="M{x} {_n(top - 1)}l-3.5 -5h7z"/>'
