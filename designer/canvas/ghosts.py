"""Ghosts: what an edit that has not been done yet would bring, take away, move and change."""

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from designer.analysis.outlook import effect_of
from designer.drawing.arches import arches
from designer.drawing.bundles import Floats, bundled
from designer.drawing.geometry import anchors
from designer.model.design import Design
from designer.model.edit import Change, Edit, netted
from designer.model.entities import Device, End, Link, Module, Placement, Rack
from designer.model.hardware.switches import SwitchType
from designer.placement.metrics import RACK_SIZE, box_size

MOST_LINES = 20_000
"""More pairs of devices than this are not all drawn: no eye would tell."""
MOST_BY_PORT = 200
"""Of so many links the ends are remembered, so that near by they run from port to port."""
NO_LINES: Floats = np.empty((0, 4))

Box = tuple[float, float, float, float]
Ends = tuple[tuple[End, End], ...]
NOTHING: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, eq=False)
class Ghosts:
    """In canvas units: lines and boxes of what would come and of where links would move; ids of what is drawn now."""

    lines: Floats  # (n, 4), one for each pair of devices that would be joined
    boxes: tuple[Box, ...]  # centre x, centre y, width, height
    names: tuple[str, ...] = ()
    """Of these boxes, "" of racks."""
    moved: Floats = field(default_factory=lambda: NO_LINES)  # (n, 4), where moved links would run
    ends: Ends = ()
    """Of the links that would come, where these are few."""
    moved_ends: Ends = ()
    """Of the links that would move, where they would end, where these are few."""
    moved_links: frozenset[str] = NOTHING
    removed: frozenset[str] = NOTHING
    """Links, devices and racks."""
    changed: frozenset[str] = NOTHING
    """Links, devices and racks that would stay where they are and be different."""

    @property
    def key(self) -> str:
        """What the marks mean, in a sentence each for those there are."""
        said = (
            ("Dashed: added.", len(self.lines) or self.boxes),
            ("Crossed: removed.", self.removed),
            ("Red lines: moved links; dashed, where they are now.", self.moved_links),
            ("Outlined: changed.", self.changed),
        )
        return " ".join(text for text, shown in said if shown)


def ghosts_of(design: Design, edit: Edit) -> Ghosts:
    """What an edit would do, over the design as it stands."""
    changes = netted(edit).changes
    boxes = _new_boxes(design, changes)
    named = {one.id: one.name for change in changes if isinstance(one := change.after, Device)}
    racks = _new_racks(changes)
    links = [change for change in changes if isinstance(change.subject, Link)]
    come = [_ends(change.after) for change in links if change.before is None and isinstance(change.after, Link)]
    moved = [
        change.after
        for change in links
        if isinstance(change.before, Link)
        and isinstance(change.after, Link)
        and _ends(change.before) != _ends(change.after)
    ]
    moved_ends, moved_links = [_ends(one) for one in moved], frozenset(one.id for one in moved)
    new = {change.after.id for change in changes if change.before is None and change.after is not None}
    lost = {change.before.id for change in changes if change.after is None and change.before is not None}
    stays = [one for one in changes if not one.only_moves and effect_of(one, adds_links=bool(come))]
    different = {shown for change in stays for shown in _shown(change)}
    return Ghosts(
        _lines(design, _pairs(come), boxes),
        (*racks, *boxes.values()),
        (*("" for _ in racks), *(named[one] for one in boxes)),
        _lines(design, _pairs(moved_ends), boxes),
        tuple(come) if len(come) <= MOST_BY_PORT else (),
        tuple(moved_ends) if len(moved_ends) <= MOST_BY_PORT else (),
        moved_links,
        frozenset(one for one in lost if one in design.links or one in design.devices or one in design.racks),
        frozenset(different) - new - lost - moved_links,
    )


def _ends(link: Link) -> tuple[End, End]:
    return link.a, link.b


def _pairs(ends: Iterable[tuple[End, End]]) -> list[tuple[str, str]]:
    """The devices joined, each pair once."""
    return list(dict.fromkeys((a.device_id, b.device_id) for a, b in ends))[:MOST_LINES]


def _shown(change: Change) -> tuple[str, ...]:
    """What is drawn of a record: a NIC is in its device."""
    one = change.subject
    if isinstance(one, Module):
        return (one.device_id,)
    return (one.id,) if isinstance(one, Device | Link | Rack | Placement) else ()


def moves_of(edit: Edit) -> dict[str, tuple[float, float]]:
    """How far an edit moves what stands on the canvas, by id."""
    return {
        change.after.id: (change.after.x - change.before.x, change.after.y - change.before.y)
        for change in edit.changes
        if isinstance(change.before, Placement) and isinstance(change.after, Placement)
    }


def _lines(design: Design, pairs: list[tuple[str, str]], new: dict[str, Box]) -> Floats:
    """Straight from box to box, and beside the boxes that stand between two in a row or column, as links are drawn."""
    if not pairs:
        return NO_LINES
    standing = {one: box for one in design.devices if (box := _box(design, one)) is not None} | new
    row_of = {one: row for row, one in enumerate(standing)}
    joined = [(a, b) for a, b in pairs if a in row_of and b in row_of]
    straight = np.array([_between(standing[a], standing[b]) for a, b in joined], float).reshape(-1, 4)
    every = np.array(list(standing.values())).reshape(-1, 4)
    centres, sizes = every[:, :2], every[:, 2:]
    bundles = bundled(np.array([(row_of[a], row_of[b]) for a, b in joined], np.int32).reshape(-1, 2))
    of_server = (sizes[bundles.pairs, 0] == box_size(is_switch=False)[0]).any(axis=1)
    beside = arches(bundles, centres, sizes, of_server)
    if beside is None:
        return straight
    ends = anchors(centres, sizes, bundles, beside).bundles[beside.numbers]
    kept = ~np.isin(bundles.of_link, beside.numbers)
    return np.concatenate((straight[kept], beside.lines(ends).reshape(-1, 4)))


def _new_boxes(design: Design, changes: tuple[Change, ...]) -> dict[str, Box]:
    after = [change.after for change in changes if change.before is None]
    types = {one.id for one in after if isinstance(one, SwitchType)}
    new = {one.id: one for one in after if isinstance(one, Device)}
    boxes = {}
    for one in after:
        if isinstance(one, Placement) and one.id in new:
            type_id = new[one.id].type_id
            is_switch = type_id in types or isinstance(design.types.get(type_id), SwitchType)
            boxes[one.id] = (one.x, one.y, *box_size(is_switch))
    return boxes


def _new_racks(changes: tuple[Change, ...]) -> list[Box]:
    after = [change.after for change in changes if change.before is None]
    racks = {one.id for one in after if isinstance(one, Rack)}
    return [(one.x, one.y, *RACK_SIZE) for one in after if isinstance(one, Placement) and one.id in racks]


def _box(design: Design, device_id: str) -> Box | None:
    place = design.placements.get(device_id)
    return None if place is None else (place.x, place.y, *box_size(design.is_switch(device_id)))


def _between(a: Box, b: Box) -> Box:
    """From the side of one box that faces the other to the side of the other that faces back."""
    ax, ay = _facing(a, b)
    bx, by = _facing(b, a)
    return ax, ay, bx, by


def _facing(box: Box, other: Box) -> tuple[float, float]:
    x, y, width, height = box
    if not _side_by_side(box, other):
        return x, y + (height / 2 if other[1] > y else -height / 2)
    return x + (width / 2 if other[0] > x else -width / 2), y


def _side_by_side(box: Box, other: Box) -> bool:
    return abs(other[1] - box[1]) <= box[3]
