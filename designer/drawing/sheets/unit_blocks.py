"""A unit in blocks that share a page: parts that no link joins stand next to each other, as large as the page allows.

A unit whose servers stand in one long row, or whose racks stand side by side, fills but a strip of a page. Here each
part that is linked in itself is a block, with its servers in as many rows as suit the page. Links stay whole: they are
between devices of one block.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from designer.drawing.geometry import Rect
from designer.drawing.level_of_detail import COMBS_FROM_DEVICES
from designer.drawing.trunks import LEAST_SERVERS
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.placement.layouts.sketch import Floats, Ints, Sketch, is_direct, levels_of, parts_of, sketch_of
from designer.placement.layouts.tiers_in_rows import rows
from designer.placement.metrics import BOX_HEIGHT, GAP, SERVER_WIDTH, SWITCH_WIDTH
from designer.placement.tiers import TIER_GAP

MOST_SERVER_ROWS = 24
BETWEEN = 3 * GAP
"""From block to block: above each stand the arrows of its switches."""
OUTER = 50.0
"""Around the boxes of a page, for their frame."""
APART = 1e5
"""From the blocks of a page to those of the next."""
STEP, STEPS = 1.08, 60
"""Scales are tried from the largest down, each so much less than that before."""


class Blocks(NamedTuple):
    """A unit with its boxes where they stand on paper, and the part of it that each page shows."""

    design: Design
    pages: Sequence[Rect]


class _Block(NamedTuple):
    """Places of boxes from the left top corner of all of them, and how much room they take."""

    centres: Floats
    size: tuple[float, float]


class _Place(NamedTuple):
    """Where the left top corner of a block stands, and on which page, from 0."""

    page: int
    x: float
    y: float


def in_blocks(design: Design, room: tuple[float, float], named: float, most: float) -> Blocks | None:
    """The blocks on the fewest pages of so many points that show them at the scale that names need, `most` at best.

    All on one page, at what scale that takes, where a block alone needs more. None for direct networks, for units
    without servers and for those with groups inside them.
    """
    sketch = sketch_of(design, list(design.devices))
    levels = levels_of(sketch)
    if not sketch.servers.any() or len(set(sketch.groups.tolist())) > 1 or is_direct(sketch, levels):
        return None
    part = parts_of(len(sketch.ids), sketch.pairs)
    owns = [np.flatnonzero(part == number) for number in range(int(part.max()) + 1)]
    sketches = [sketch.part(own) for own in owns]
    deepest = max(int(one.servers.sum()) for one in sketches)
    is_combed = len(sketch.ids) >= COMBS_FROM_DEVICES
    made = {
        count: [_block(one, levels[own], count, is_combed=is_combed) for one, own in zip(sketches, owns, strict=True)]
        for count in range(1, min(MOST_SERVER_ROWS, deepest) + 1)
    }
    sizes = {count: [one.size for one in blocks] for count, blocks in made.items()}
    server_rows, places = _best(sizes, room, named, most)
    centres = np.zeros((len(sketch.ids), 2))
    for own, block, place in zip(owns, made[server_rows], places, strict=True):
        centres[own] = block.centres + np.array((place.x + place.page * APART, place.y))
    stood = design.placements
    moved = (replace(stood[one], x=x, y=y) for one, (x, y) in zip(sketch.ids, centres.tolist(), strict=True))
    design.apply(Edit("Gather", tuple(Change(stood[one.id], one) for one in moved)))
    return Blocks(design, list(_pages(places, sizes[server_rows])))


def _block(sketch: Sketch, levels: Ints, server_rows: int, *, is_combed: bool) -> _Block:
    """A part of the unit in tiers, with so many rows of servers; close below the leaf switches that a comb leads to."""
    centres, servers = rows(sketch, levels=levels, server_rows=server_rows), sketch.servers
    leafs = levels == 1
    share_all = len(sketch.pairs) == servers.sum() * leafs.sum() and len(servers) == servers.sum() + leafs.sum()
    if is_combed and share_all and servers.sum() >= LEAST_SERVERS:
        gap = centres[servers, 1].min() - centres[leafs, 1].max() - BOX_HEIGHT
        centres[servers, 1] -= max(0.0, gap - TIER_GAP)
    half = np.stack((np.where(servers, SERVER_WIDTH, SWITCH_WIDTH) / 2, np.full(len(servers), BOX_HEIGHT / 2)), axis=1)
    low, far = (centres - half).min(axis=0), (centres + half).max(axis=0)
    wide, high = (far - low).tolist()
    return _Block(centres - low, (wide, high))


def _best(
    sizes: Mapping[int, Sequence[tuple[float, float]]], room: tuple[float, float], named: float, most: float
) -> tuple[int, Sequence[_Place]]:
    """The rows of servers with which blocks take the fewest pages, and then are largest, and where the blocks stand."""
    found: tuple[int, int, Sequence[_Place]] | None = None
    scale = most
    for _ in range(STEPS):
        within = room[0] / scale - 2 * OUTER, room[1] / scale - 2 * OUTER
        for count, of_blocks in sizes.items():
            places = _flowed(of_blocks, within)
            n_pages = places[-1].page + 1 if places else 0
            if places and (n_pages == 1 or scale >= named) and (found is None or n_pages < found[0]):
                found = n_pages, count, places
        if found is not None and (found[0] == 1 or scale <= named):
            break
        scale = max(named, scale / STEP) if scale > named else scale / STEP
    return (1, _flowed(sizes[1], (np.inf, np.inf))) if found is None else found[1:]


def _flowed(sizes: Iterable[tuple[float, float]], within: tuple[float, float]) -> list[_Place]:
    """The places of blocks in lines from left to right on one page after another; [] where one needs more room."""
    places: list[_Place] = []
    page, x, y, line = 0, 0.0, 0.0, 0.0
    for wide, high in sizes:
        if wide > within[0] or high > within[1]:
            return []
        if x + wide > within[0]:
            x, y, line = 0.0, y + line + BETWEEN, 0.0
        if y + high > within[1]:
            page, x, y, line = page + 1, 0.0, 0.0, 0.0
        places.append(_Place(page, x, y))
        x, line = x + wide + BETWEEN, max(line, high)
    return places


def _pages(places: Sequence[_Place], sizes: Sequence[tuple[float, float]]) -> Iterable[Rect]:
    """Left, top, right and bottom of what each page shows."""
    for page in range(places[-1].page + 1):
        own = [(place, size) for place, size in zip(places, sizes, strict=True) if place.page == page]
        right = max(place.x + wide for place, (wide, _) in own)
        bottom = max(place.y + high for place, (_, high) in own)
        yield page * APART - OUTER, -OUTER, page * APART + right + OUTER, bottom + OUTER
