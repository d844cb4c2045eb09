"""The titles of tiers whose switches stand in no group: how many of which type, and the links to what stands below."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from designer.drawing.bundles import Flags, Floats, Ints
from designer.drawing.captions import model_in_common
from designer.drawing.geometry import Rect
from designer.drawing.link_rates import LinkRates
from designer.drawing.projection import Projection
from designer.drawing.theme import CORE, KINDS, LEAF, SERVER, SPINE
from designer.model.networks import network_of_switch
from designer.units import format_count, format_counted

MOST_BOXES = 20_000
"""With more to draw, tiers are collapsed from afar, and their boxes say the same."""
LEAST_SWITCHES = 2


@dataclass(frozen=True, slots=True)
class TierTitle:
    """What a tier is, "16 spines", what else is known of it, and where its boxes stand."""

    text: str
    note: str
    rect: Rect


def tier_titles(projection: Projection, boxes: Floats, bent: Floats, rates: LinkRates) -> tuple[TierTitle, ...]:
    """The titles of tiers in rows of their own; none of switches in groups or racks, whose frames have titles.

    `boxes` are left, top, width and height, `bent` points of links that may run above the topmost boxes.
    """
    if projection.n_own > MOST_BOXES:
        return ()
    framed = np.zeros(len(boxes), np.bool_)
    for inside in (*(one.rows for one in projection.racks), *(one.rows for one in projection.groups)):
        framed[list(inside)] = True
    found = []
    for kind in (CORE, SPINE, LEAF):
        for rows in _by_network(projection, np.flatnonzero((projection.kinds == kind) & ~framed)):
            rect = _block(boxes, rows)
            if rect is not None:
                if len(bent) and rect[1] <= boxes[:, 1].min():  # over the lines of links that run above the topmost
                    rect = rect[0], min(rect[1], float(bent[:, 1].min())), *rect[2:]
                text = format_counted(len(rows), KINDS[kind]) + _planes(projection, rows)
                model = model_in_common(projection.design, map(projection.device_ids.__getitem__, rows.tolist()))
                parts = (model, *_links_down(projection, boxes, rows, rates))
                found.append(TierTitle(text, " · ".join(filter(None, parts)), rect))
    return tuple(found)


def _by_network(projection: Projection, rows: Ints) -> Iterator[Ints]:
    """The switches of each network apart, where there are several."""
    by_network: dict[str, list[int]] = {}
    for row in rows.tolist():
        by_network.setdefault(_network(projection, row), []).append(row)
    for alike in by_network.values():
        if len(alike) >= LEAST_SWITCHES:
            yield np.array(alike, np.int64)


def _network(projection: Projection, row: int) -> str:
    return network_of_switch(projection.design.devices[projection.device_ids[row]])


def _planes(projection: Projection, rows: Ints) -> str:
    """ " in 2 planes" of switches that are in several."""
    planes = {projection.design.devices[projection.device_ids[row]].plane for row in rows.tolist()}
    return f" in {len(planes)} planes" if len(planes) > 1 and None not in planes else ""


def _block(boxes: Floats, rows: Ints) -> Rect | None:
    """Around boxes that stand in rows, with no other box between them; None where they do not."""
    own = boxes[rows]
    _, in_row = np.unique(np.round(own[:, 1]), return_counts=True)
    if len(in_row) > -(-len(rows) // int(in_row.max())):
        return None
    left, top = own[:, :2].min(axis=0).tolist()
    right, bottom = (own[:, :2] + own[:, 2:]).max(axis=0).tolist()
    x, y, width, height = boxes.T
    inside = (x < right) & (x + width > left) & (y < bottom) & (y + height > top)
    return None if np.count_nonzero(inside) > len(rows) else (left, top, right, bottom)


def _links_down(projection: Projection, boxes: Floats, rows: Ints, rates: LinkRates) -> Iterator[str]:
    """The links to each kind of device of the same network below: "1,024 × 400G to 32 leaf switches"."""
    own: Flags = np.zeros(len(boxes), np.bool_)
    own[rows] = True
    is_own = own[projection.ends]
    links = np.flatnonzero(is_own[:, 0] ^ is_own[:, 1])
    far = np.where(is_own[links, 0], projection.ends[links, 1], projection.ends[links, 0])
    network, foot = _network(projection, int(rows[0])), float((boxes[rows, 1] + boxes[rows, 3]).max())
    for kind in (SPINE, LEAF, SERVER):
        chosen = (projection.kinds[far] == kind) & (boxes[far, 1] >= foot)
        others = np.unique(far[chosen])
        if kind != SERVER:
            others = np.array([row for row in others.tolist() if _network(projection, row) == network], np.int64)
        joining = links[chosen & np.isin(far, others)]
        if len(joining):
            rate = rates.text(joining, len(joining))
            count = f"{format_count(len(joining))} × {rate}" if rate else format_counted(len(joining), "link")
            yield f"{count} to {format_counted(len(others), KINDS[kind])}"
