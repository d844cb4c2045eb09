"""What a hand has opened in a drawing seen from afar: groups by the tiers in them, devices of a role in parts."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from designer.analysis.tiers import server_word
from designer.drawing.bundles import Floats, Ints
from designer.drawing.folding.folds import MOST_COMPARED, Fold, edges_of
from designer.drawing.folding.making_way import EVEN, Room, kept_around
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
TITLE_PX = 22.0
"""Room above and below for the title of a frame."""
MOST_ROUNDS = 4
"""Of making way up and down: what then goes aside may come to stand above or below something else."""
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
    rects: Floats,
    others: Floats,
    folds: Sequence[Fold],
    frames: Mapping[str, Ints],
    scale: float,
    around: Sequence[Ints] = (),
) -> tuple[Floats, Floats]:
    """The rectangles (middle, width, height) of folds and of others, with room for tiers in frames at that scale.

    Tiers are high enough for their words and so far apart that their links show, with room for a title above and below
    all of them. Whatever is higher or lower in the drawing makes way: nothing comes nearer to anything. `frames` are
    the rows of what is in each, counted from the first of the others; `around` those of each group of routers, which
    may stand around a free middle.
    """
    by_frame = dict[str, list[int]]()
    for row, fold in enumerate(folds, start=len(others)):
        if fold.is_role and fold.key.id in frames:
            by_frame.setdefault(fold.key.id, []).append(row)
    every = np.concatenate((others, rects))
    if len(by_frame) * len(every) > MOST_COMPARED:
        return rects, others
    tiers, placed = [row for rows in by_frame.values() for row in rows], every
    for _ in range(MOST_ROUNDS):
        room, before = Room(np.hstack((placed[:, :1], every[:, 1:])), tiers, STRIP_PX / scale, around), placed
        for one, rows in by_frame.items():
            room.heighten(rows)
            room.part(rows, STRIPS_APART_PX / scale)
            room.keep_off(np.union1d(frames[one], rows), TITLE_PX / scale)
        placed = kept_around(every, np.hstack((every[:, :1], room.placed()[:, 1:])), around)
        if not around or np.abs(placed - before)[:, 0].max() < EVEN:
            break
    return placed[len(others) :], placed[: len(others)]
