"""Verbs that lead lines of links by hand: through bends on the canvas, and straight again."""

import math
from collections.abc import Iterable
from dataclasses import replace

from designer.errors import ParameterError
from designer.model.annotation_limits import BENDS_MOST
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.entities import Link, order_key
from designer.units import format_counted

Point = tuple[float, float]

SAME = 0.1
"""Bends nearer to each other than this are one."""
DIGITS = 1
"""Places of bends are kept to so many digits, as those of devices that were laid out."""


def bend_links(design: Design, link_ids: Iterable[str], points: Iterable[Point], from_id: str) -> Edit:
    """The links led through these points, which are in order from the device `from_id` on.

    Without a point they find their own way again. Raises ParameterError for links of other devices, and for more
    bends than a line can have.
    """
    forth = tuple((round(float(x), DIGITS), round(float(y), DIGITS)) for x, y in points)
    if len(forth) > BENDS_MOST:
        raise ParameterError(f"a line can have {BENDS_MOST} bends at most, not {len(forth)}: remove some first")
    changes = []
    for one in _links(design, link_ids):
        if from_id not in (one.a.device_id, one.b.device_id):
            raise ParameterError("select links between the same two devices to bend their line")
        after = replace(one, bends=forth if one.a.device_id == from_id else forth[::-1])
        if after != one:
            changes.append(Change(one, after))
    verb = "Bend" if forth else "Remove bends of"
    return Edit(f"{verb} {format_counted(len(changes), 'link')}", tuple(changes))


def remove_bends(design: Design, link_ids: Iterable[str]) -> Edit:
    """The links without bends. Raises ParameterError where none of them has any."""
    bent = [one for one in _links(design, link_ids) if one.bends]
    if not bent:
        raise ParameterError("select links with bends to remove these")
    changes = tuple(Change(one, replace(one, bends=())) for one in bent)
    return Edit(f"Remove bends of {format_counted(len(bent), 'link')}", changes)


def remove_bend(design: Design, link_ids: Iterable[str], at: Point) -> Edit:
    """The links without their bend at that point."""
    changes = []
    for one in _links(design, link_ids):
        left = tuple(bend for bend in one.bends if math.dist(bend, at) > SAME)
        if left != one.bends:
            changes.append(Change(one, replace(one, bends=left)))
    return Edit("Remove bend", tuple(changes))


def removal_note(edit: Edit) -> str:
    """ "Bends of 3 links are removed."; "" for an edit that removes none."""
    pairs = ((change.before, change.after) for change in edit.changes)
    count = sum(isinstance(a, Link) and isinstance(b, Link) and bool(a.bends) and not b.bends for a, b in pairs)
    return f"Bends of {format_counted(count, 'link')} are removed." if count else ""


def _links(design: Design, ids: Iterable[str]) -> list[Link]:
    return [design.links[one] for one in sorted(dict.fromkeys(ids), key=order_key) if one in design.links]
