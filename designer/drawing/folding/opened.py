"""What a hand has opened in a drawing seen from afar: groups by the tiers in them, devices of a role in parts."""

from collections.abc import Collection, Container, Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from designer.analysis.tiers import server_word
from designer.drawing.bundles import Floats, Ints
from designer.drawing.folding.folds import MOST_COMPARED, Fold, edges_of
from designer.drawing.projection import Projection
from designer.drawing.text import short_form
from designer.model.collapsing import BoxKey
from designer.units import format_counted

LEAST_OPEN_PX = 200.0
"""Narrower on the screen, an opened group is one box again."""
PART_PX, LETTER_PX = 16.0, 7.0
"""Of the width of a part, and for each letter of its number: where parts are narrower, their devices are one box."""
WHOLE_ROW = 3100.0, 2000.0
"""Width and height, canvas units, of what fills a view with devices that are read: it is not divided any further."""
PART_DEVICES, MOST_RUNS, MOST_PARTS = 16, 8, 32
"""Devices of a run, and how many runs and how many other parts there are at most."""
STRIP_PX, STRIPS_APART_PX = 26.0, 64.0
"""Height of the boxes of tiers in a frame, and the gap between two of them, in which their links show their count."""
LEAST_STRIP_PX, LEAST_APART_PX = 12.0, 28.0
"""The same where there is less room: for one line of words, and for a count."""
TITLES_PX = 22.0, 14.0
"""Room above and below for the title of a frame, or where there is less, for what stands beside it."""
PART_GAP = 0.08
"""Of the pitch of parts, the gap between two of them."""


def around_opened(projection: Projection, opened: Iterable[BoxKey], edges: Floats, scale: float) -> frozenset[str]:
    """The groups that stay open at that scale: those opened, and all around them."""
    groups, frames = projection.design.groups, {frame.id: frame for frame in projection.groups}
    found = set[str]()
    for key in opened:
        frame = None if key.role else frames.get(key.id)
        if frame is None or not frame.rows:
            continue
        within = edges[:, list(frame.rows)]
        if float(within[2].max() - within[0].min()) * scale < LEAST_OPEN_PX:
            continue
        one: str | None = key.id
        while one is not None and one in groups:
            found.add(one)
            one = groups[one].parent_id
    return frozenset(found)


def all_divided(
    projection: Projection, wholes: Iterable[Fold], opened: Collection[BoxKey], scale: float
) -> tuple[Fold, ...]:
    """The folds at that scale, with parts in place of those that were opened; not of what a person collapsed."""
    edges, found = edges_of(projection), list[Fold]()
    for one in wholes:
        within = edges[:, one.rows]
        width_px = float(within[2].max() - within[0].min()) * scale
        found += [one] if one.by_hand else divided(projection, one, opened, width_px)
    return tuple(found)


def divided(projection: Projection, fold: Fold, opened: Collection[BoxKey], width_px: float) -> Iterator[Fold]:
    """The parts of a role's devices that was opened, and of parts of it; itself where they would be too narrow."""
    parts = parts_of(projection, fold) if fold.is_role and fold.key in opened else ()
    letters = max((len(short_form(part.name)) for part in parts), default=0)
    if not parts or width_px / len(parts) < PART_PX + LETTER_PX * letters:
        yield fold
        return
    for part in parts:
        yield from divided(projection, part, opened, width_px * len(part.rows) / len(fold.rows))


def parts_of(projection: Projection, fold: Fold) -> tuple[Fold, ...]:
    """Devices of a role by rail or plane, else in runs of consecutive ones; none where they are read in one view."""
    low_high = edges_of(projection)[:, fold.rows]
    width, height = (low_high[2:].max(axis=1) - low_high[:2].min(axis=1)).tolist()
    if len(fold.rows) < 2 or (width <= WHOLE_ROW[0] and height <= WHOLE_ROW[1]):
        return ()
    devices = [projection.design.devices[projection.device_ids[row]] for row in fold.rows.tolist()]
    for word in ("rail", "plane"):
        of = [getattr(one, word) for one in devices]
        if None not in of and 2 <= len(numbers := sorted(set(of))) <= MOST_PARTS:
            of_each = np.array(of)
            return tuple(_part(fold, f"{word.capitalize()} {one}", fold.rows[of_each == one]) for one in numbers)
    n_runs = max(2, min(MOST_RUNS, -(-len(devices) // PART_DEVICES)))
    ends = np.array([int(found) if (found := short_form(one.name)).isdecimal() else 0 for one in devices])
    order = np.argsort(ends, kind="stable")
    is_numbered = bool((np.diff(ends[order]) > 0).all())
    called = server_word(projection.design, (one.id for one in devices)) if fold.kind == "server" else fold.kind
    words = format_counted(2, called).removeprefix("2 ").capitalize()
    parts, first = [], 1
    for run in np.array_split(order, n_runs):
        low, high = ends[run[[0, -1]]].tolist() if is_numbered else (first, first + len(run) - 1)
        parts.append(_part(fold, f"{words} {low}-{high}", fold.rows[np.sort(run)]))
        first += len(run)
    return tuple(parts)


def _part(fold: Fold, name: str, rows: Ints) -> Fold:
    return replace(fold, key=BoxKey(fold.key.id, f"{fold.key.role} {name}"), name=name, rows=rows)


def in_parts(rects: Floats, wholes: Sequence[Fold], parts: Sequence[Fold]) -> Floats:
    """The rectangles (middle, width, height) of parts side by side in those of wholes, by how many devices they are."""
    whole_of = np.empty(1 + max(int(one.rows.max()) for one in wholes), np.int64)
    for number, one in enumerate(wholes):
        whole_of[one.rows] = number
    found, taken = np.empty((len(parts), 4)), [0] * len(wholes)
    for number, part in enumerate(parts):
        of = int(whole_of[part.rows[0]])
        x, y, width, height = rects[of].tolist()
        share, before = len(part.rows) / len(wholes[of].rows), taken[of] / len(wholes[of].rows)
        gap = PART_GAP if share < 1.0 else 0.0
        found[number] = x + width * (before + share / 2 - 0.5), y, width * share * (1.0 - gap), height
        taken[of] += len(part.rows)
    return found


def framed_apart(
    rects: Floats, others: Floats, folds: Sequence[Fold], frames: Container[str], scale: float, least: Floats
) -> Floats:
    """The rectangles (middle, width, height), those of tiers in one frame high enough for their words at that scale.

    They lie above one another about where they were, so far apart that their links show. Where others are too near for
    that, all tiers are equally high, and what is above and below them gets lower, but not lower than in `least`. Where
    even words find no room all stay as they are.
    """
    rects, by_frame = rects.copy(), dict[str, list[int]]()
    for number, fold in enumerate(folds):
        if fold.is_role and fold.key.id in frames:
            by_frame.setdefault(fold.key.id, []).append(number)
    if len(by_frame) * (len(rects) + len(others)) > MOST_COMPARED:
        return rects
    tiers = [number for numbers in by_frame.values() for number in numbers]
    for numbers in by_frame.values():
        numbers.sort(key=lambda one: float(rects[one, 1]))
        placed = _stacked(rects[numbers], STRIP_PX / scale, STRIPS_APART_PX / scale)
        rest = np.concatenate((np.delete(rects, numbers, axis=0), others))
        if placed is not None and _meets(placed, rest, TITLES_PX[0] / scale):
            lower = rects.copy()
            lower[:, 3] = np.minimum(rects[:, 3], least[:, 3])
            lower[tiers] = rects[tiers]
            rest = np.concatenate((np.delete(lower, numbers, axis=0), others))
            ways = ((_squeezed(rects[numbers], rest, scale, title), title / scale) for title in TITLES_PX)
            placed, title = next((way for way in ways if way[0] is not None), (None, 0.0))
            if placed is not None:
                makes_way = np.ones(len(rects), np.bool_)
                makes_way[tiers] = False
                rects[makes_way] = _cut_back(rects[makes_way], *_around(placed, title))
        if placed is not None:
            rects[numbers] = placed
    return rects


def _squeezed(rows: Floats, rest: Floats, scale: float, title: float) -> Floats | None:
    """Rectangles from the top down, all equally high, between what is above and below; None where that is too near.

    `title` pixels are left free above and below them.
    """
    low, high = _around(rows)
    near = rest[np.abs(rest[:, 0] - (low[0] + high[0]) / 2) < (rest[:, 2] + high[0] - low[0]) / 2]
    middle = float(low[1] + high[1]) / 2
    away = np.abs(near[:, 1] - middle) - near[:, 3] / 2
    room, n_gaps = 2.0 * (float(away.min()) * scale - title), len(rows) - 1
    apart = min(STRIPS_APART_PX, max(LEAST_APART_PX, (room - len(rows) * STRIP_PX) / max(1, n_gaps)))
    strip = (room - n_gaps * apart) / len(rows)
    if strip < LEAST_STRIP_PX:
        return None
    found = rows.copy()
    found[:, 3] = strip / scale
    found[:, 1] = middle + (np.arange(len(rows)) - n_gaps / 2) * (strip + apart) / scale
    return found


def _cut_back(rects: Floats, low: Floats, high: Floats) -> Floats:
    """The rectangles, those that reach into one between these corners from above or below lower by so much."""
    tops, ends = rects[:, 1] - rects[:, 3] / 2, rects[:, 1] + rects[:, 3] / 2
    facing = (np.abs(rects[:, 0] - (low[0] + high[0]) / 2) < (rects[:, 2] + high[0] - low[0]) / 2) & (
        (tops < high[1]) & (ends > low[1])
    )
    is_above = rects[:, 1] < (low[1] + high[1]) / 2
    ends = np.where(facing & is_above, np.minimum(ends, low[1]), ends)
    tops = np.where(facing & ~is_above, np.maximum(tops, high[1]), tops)
    found = rects.copy()
    found[:, 1], found[:, 3] = (tops + ends) / 2, ends - tops
    return found


def _stacked(rows: Floats, least: float, gap: float) -> Floats | None:
    """Rectangles from the top down, at least so high and so far apart; None where some lie side by side."""
    tops, ends = rows[:, 1] - rows[:, 3] / 2, rows[:, 1] + rows[:, 3] / 2
    if (tops[1:] < rows[:-1, 1]).any():
        return None
    middle = (float(tops[0]) + float(ends[-1])) / 2
    found = rows.copy()
    found[:, 3] = np.maximum(rows[:, 3], least)
    for number in range(1, len(found)):
        clear = found[number - 1, 1] + (found[number - 1, 3] + found[number, 3]) / 2 + gap
        found[number, 1] = max(clear, found[number - 1, 1] + rows[number, 1] - rows[number - 1, 1])
    now = (found[0, 1] - found[0, 3] / 2 + found[-1, 1] + found[-1, 3] / 2) / 2
    found[:, 1] += middle - now
    return found


def _meets(placed: Floats, rest: Floats, apart: float) -> bool:
    """Whether what is around these, with so much room above and below, lies over one of the others."""
    low, high = _around(placed, apart)
    return bool(((rest[:, :2] - rest[:, 2:] / 2 < high) & (rest[:, :2] + rest[:, 2:] / 2 > low)).all(axis=1).any())


def _around(rects: Floats, apart: float = 0.0) -> tuple[Floats, Floats]:
    """The corners of what is around rectangles, with so much room above and below."""
    half, room = rects[:, 2:] / 2, np.array((0.0, apart))
    return (rects[:, :2] - half).min(axis=0) - room, (rects[:, :2] + half).max(axis=0) + room
