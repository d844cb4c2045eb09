"""Where the switches of networks other than compute are drawn: in rows below the design, or further below."""

from collections.abc import Sequence

from designer.model.design import Design
from designer.placement.metrics import BOX_HEIGHT, COLUMN_PITCH, ROW_PITCH
from designer.topologies.network_plans import NetworkPlan

GAP_BELOW = 150.0
"""Canvas units between the design and the networks under it, at least."""
GAP_BELOW_SHARE = 0.06
"""And so much of the width over which their links spread."""

Point = tuple[float, float]
Rows = tuple[list[Point], list[Point]]
"""Centres of the leafs of a network and of its spines."""


def network_rows(design: Design, plans: Sequence[NetworkPlan], below: Sequence[Rows] = ()) -> list[Rows]:
    """Centres of leafs and of spines under them, each in one row, the networks side by side below the design.

    Where rows of other networks are given, below those.
    """
    places = design.placements.values()
    left, right = min((p.x for p in places), default=0.0), max((p.x for p in places), default=0.0)
    widths = [max(plan.n_leafs, plan.n_spines) * COLUMN_PITCH for plan in plans]
    # Links to servers far to the side need height, else they lie on each other.
    reach = max(right - left, sum(widths))
    lowest = [y for rows in below for points in rows for _, y in points]
    bottom = max([*lowest, max((p.y for p in places), default=0.0)])
    top = bottom + BOX_HEIGHT + max(GAP_BELOW, GAP_BELOW_SHARE * reach)
    between = max(COLUMN_PITCH, (right - left - sum(widths)) / max(1, len(plans)))
    x = (left + right) / 2 - (sum(widths) + (len(plans) - 1) * between) / 2
    found = []
    for plan, width in zip(plans, widths, strict=True):
        middle = x + width / 2
        under = top + BOX_HEIGHT + max(ROW_PITCH, GAP_BELOW_SHARE * width)
        found.append((_centred(plan.n_leafs, middle, top), _centred(plan.n_spines, middle, under)))
        x += width + between
    return found


def _centred(count: int, middle: float, y: float) -> list[Point]:
    """One row of so many boxes."""
    left = middle - (count - 1) * COLUMN_PITCH / 2
    return [(round(left + number * COLUMN_PITCH, 1), round(y, 1)) for number in range(count)]
