"""Verbs that say where things stand and what belongs together: move, align, distribute, group."""

from bisect import bisect_left, insort
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from designer.errors import ParameterError, UnknownEntityError
from designer.model.design import Design
from designer.model.edit import Change, Edit, added
from designer.model.entities import Device, Group, Link, Placement, Rack
from designer.model.equipping import check_coordinates
from designer.model.fixture import FLOOR_FARTHEST_M
from designer.model.furnishing import TOUCH_M
from designer.model.naming import checked_name

Member = Device | Rack | Group
"""What a group can hold."""

SAME_WAY = 0.25
"""Two things whose shifts differ by less go the same way: places are rounded to a tenth."""

Sizes = Mapping[str, tuple[float, float]]
"""Width and height of boxes by id; what is missing counts as a point."""

Point = tuple[float, float]


def move(
    design: Design, positions: Mapping[str, tuple[float, float]], turned: Callable[[Point], Point] | None = None
) -> Edit:
    """Devices and racks at new centres; a rack takes along what is mounted in it and not named itself.

    Bends of links both of whose ends move go along: where both go the same way, or all of them as `turned` says.
    """
    changes: dict[str, Change] = {}
    for moved_id, (x, y) in positions.items():
        check_coordinates(x, y)
        before = design.placements.get(moved_id)
        if before is None:
            _check_placeable(design, moved_id)
        after = replace(before, x=float(x), y=float(y)) if before else Placement(moved_id, float(x), float(y))
        changes[moved_id] = Change(before, after)
    for rack_id in [moved_id for moved_id in changes if moved_id in design.racks]:
        rack = changes[rack_id]
        if not (isinstance(rack.before, Placement) and isinstance(rack.after, Placement)):
            continue
        dx, dy = rack.after.x - rack.before.x, rack.after.y - rack.before.y
        for mounted_id in design.mounted(rack_id):
            if mounted_id not in changes:
                stood = design.placements[mounted_id]
                changes[mounted_id] = Change(stood, replace(stood, x=stood.x + dx, y=stood.y + dy))
    real = tuple(change for change in changes.values() if change.before != change.after)
    return Edit(f"Move {_what(design, list(positions))}", (*real, *bends_along(design, real, turned)))


def bends_along(
    design: Design, moves: Iterable[Change], turned: Callable[[Point], Point] | None = None, *, drop: bool = False
) -> Iterator[Change]:
    """What moves do to the bends of links: they go along where both ends go the same way, or as `turned` says.

    Others stay where they are; with `drop`, as where devices are laid out again, they are removed.
    """
    bent = [link for link in design.links.values() if link.bends]
    if not bent:
        return
    shifts: dict[str, Point] = {}
    for change in moves:
        if isinstance(change.before, Placement) and isinstance(change.after, Placement):
            shifts[change.after.id] = change.after.x - change.before.x, change.after.y - change.before.y
    for link in bent:
        a, b = shifts.get(link.a.device_id), shifts.get(link.b.device_id)
        bends: tuple[Point, ...] = link.bends
        if a is not None and b is not None and turned is not None and not _in_one_rack(design, link):
            bends = tuple(map(turned, bends))
        elif a is not None and b is not None and abs(a[0] - b[0]) + abs(a[1] - b[1]) < SAME_WAY:
            bends = tuple((x + a[0], y + a[1]) for x, y in bends)
        elif drop and (a is not None or b is not None):
            bends = ()
        if bends != link.bends:
            yield Change(link, replace(link, bends=bends))


def only_bends_differ(before: Link, after: Link) -> bool:
    """Whether a line is only led through other points, as where both its devices are moved."""
    return replace(before, bends=after.bends) == after


def _in_one_rack(design: Design, link: Link) -> bool:
    """Whether both ends of a link are mounted in the same rack, which is turned round nothing."""
    racks = {design.placements[one.device_id].rack_id for one in (link.a, link.b)}
    return len(racks) == 1 and None not in racks


def align(design: Design, ids: Iterable[str], edge: str, sizes: Sizes | None = None) -> Edit:
    """The placed things with one edge or centre in line: left, right, top, bottom, centre-x or centre-y.

    Without sizes the centres line up.
    """
    if edge not in EDGES:
        raise ParameterError(f"{edge!r} is not an edge to align to: choose {', '.join(EDGES)}")
    axis, side = EDGES[edge]
    boxes = _boxes(design, ids, axis, sizes)
    if len(boxes) < 2:
        raise ParameterError("select at least two things to align")
    low, high = min(c - s / 2 for c, s in boxes.values()), max(c + s / 2 for c, s in boxes.values())
    line = (low, (low + high) / 2, high)[side + 1]
    targets = {one: line - side * size / 2 for one, (_, size) in boxes.items()}
    return _along(design, axis, targets, f"Align {len(boxes)} things {edge}")


def distribute(design: Design, ids: Iterable[str], axis: str, sizes: Sizes | None = None) -> Edit:
    """The placed things with equal gaps along x or y; the first and the last stay."""
    if axis not in ("x", "y"):
        raise ParameterError(f"{axis!r} is not an axis to distribute along: choose x or y")
    boxes = _boxes(design, ids, axis, sizes)
    if len(boxes) < 3:
        raise ParameterError("select at least three things to distribute")
    row = sorted(boxes, key=lambda one: boxes[one][0])
    first, last = boxes[row[0]], boxes[row[-1]]
    room = (last[0] - last[1] / 2) - (first[0] + first[1] / 2) - sum(boxes[one][1] for one in row[1:-1])
    gap = room / (len(row) - 1)
    targets, edge = {}, first[0] + first[1] / 2
    for one in row[1:-1]:
        targets[one] = edge + gap + boxes[one][1] / 2
        edge += gap + boxes[one][1]
    return _along(design, axis, targets, f"Distribute {len(boxes)} things")


def group(design: Design, ids: Iterable[str], name: str, kind: str = "group") -> Edit:
    """A new group of the devices, racks and groups; it lies in the group they all came from, if that is one.

    Groups left without members go.
    """
    members = [member_of(design, one) for one in dict.fromkeys(ids)]
    if not members:
        raise ParameterError("select what to group first")
    parents = {parent_of(member) for member in members}
    parent = parents.pop() if len(parents) == 1 else None
    new = Group(design.new_ids("groups", 1)[0], checked_name(name), checked_name(kind, "a kind of group"), parent)
    changes = [Change(member, with_parent(member, new.id)) for member in members]
    gone = emptied_groups(design, [member.id for member in members], kept=parent)
    return Edit(f"Group {new.name}", (*added([new]), *changes, *(Change(one, None) for one in gone)))


def ungroup(design: Design, group_id: str) -> Edit:
    """The group removed, its members in the group around it."""
    found = design.groups.get(group_id)
    if found is None:
        raise UnknownEntityError(f"there is no group with id {group_id!r}")
    members = [member_of(design, one) for one in design.members(group_id)]
    changes = [Change(member, with_parent(member, found.parent_id)) for member in members]
    return Edit(f"Ungroup {found.name}", (*changes, Change(found, None)))


def parent_of(member: Member) -> str | None:
    """Id of the group the member is in."""
    return member.parent_id if isinstance(member, Group) else member.group_id


def with_parent(member: Member, group_id: str | None) -> Member:
    """The member in another group, or in none."""
    if isinstance(member, Group):
        return replace(member, parent_id=group_id)
    return replace(member, group_id=group_id)


def member_of(design: Design, member_id: str) -> Member:
    """The device, rack or group of that id. Raises UnknownEntityError."""
    found = design.entity(member_id)
    if not isinstance(found, Device | Rack | Group):
        raise UnknownEntityError(f"{member_id!r} is not a device, rack or group of the design")
    return found


def emptied_groups(
    design: Design, leaving: Iterable[str], *, dissolved: Collection[str] = (), kept: str | None = None
) -> list[Group]:
    """The groups that have no member left when these leave theirs, inner ones first; not `kept`.

    The members of dissolved groups move up into the groups around those.
    """
    going = set(leaving)
    gone: dict[str, Group] = {}

    def leaves_nothing(member_id: str) -> bool:
        if member_id in dissolved:
            return all(map(leaves_nothing, design.members(member_id)))
        return member_id in going or member_id in gone

    def home(member: Member) -> str | None:
        """The group around that is not dissolved itself."""
        around = parent_of(member)
        while around is not None and around in dissolved:
            around = design.groups[around].parent_id
        return around

    waiting = [home(member_of(design, one)) for one in (*dict.fromkeys(leaving), *dissolved)]
    while waiting:
        one = waiting.pop()
        if one is None or one == kept or one in going or one in gone:
            continue
        if all(map(leaves_nothing, design.members(one))):
            gone[one] = design.groups[one]
            waiting.append(home(design.groups[one]))
    return list(gone.values())


EDGES = {
    "left": ("x", -1),
    "centre-x": ("x", 0),
    "right": ("x", 1),
    "top": ("y", -1),
    "centre-y": ("y", 0),
    "bottom": ("y", 1),
}
"""The axis along which things move to have that in line, and which side of them it is: -1, the middle, or 1."""


def _boxes(design: Design, ids: Iterable[str], axis: str, sizes: Sizes | None) -> dict[str, tuple[float, float]]:
    """Centre and extent along the axis of what is placed among the ids."""
    boxes = {}
    for one in dict.fromkeys(ids):
        placement = design.placements.get(one)
        if placement is not None:
            width, height = (sizes or {}).get(one, (0.0, 0.0))
            boxes[one] = (placement.x, width) if axis == "x" else (placement.y, height)
    return boxes


def _along(design: Design, axis: str, targets: Mapping[str, float], label: str) -> Edit:
    positions = {}
    for one, value in targets.items():
        stood = design.placements[one]
        if stood.locked:
            continue
        positions[one] = (value, stood.y) if axis == "x" else (stood.x, value)
    return Edit(label, move(design, positions).changes)


def _check_placeable(design: Design, moved_id: str) -> None:
    if moved_id not in design.devices and moved_id not in design.racks:
        raise UnknownEntityError(f"{moved_id!r} is neither a device nor a rack: it has no place of its own")


def _what(design: Design, ids: list[str]) -> str:
    if len(ids) != 1:
        return f"{len(ids)} things"
    found = design.entity(ids[0])
    return found.name if isinstance(found, Device | Rack) else "nothing"


def on_free_floor(design: Design, racks: Sequence[Rack]) -> list[Rack]:
    """The racks where they stand on the floor, each in the next free place to its right where that is taken."""
    width, depth = design.settings.rack_width_m, design.settings.rack_depth_m
    taken = [(one.x_m, one.y_m) for one in design.racks.values() if one.x_m is not None and one.y_m is not None]
    near: dict[float, list[float]] = {}
    """By each place across the rows, those along them that what stands there or reaches into it takes."""
    found = []
    for rack in racks:
        if rack.x_m is None or rack.y_m is None:
            found.append(rack)
            continue
        if rack.y_m not in near:
            near[rack.y_m] = sorted(x for x, y in taken if abs(y - rack.y_m) < depth - TOUCH_M)
        x_m = _free_x_m(near[rack.y_m], rack.x_m, width)
        taken.append((x_m, rack.y_m))
        for y, row in near.items():
            if abs(y - rack.y_m) < depth - TOUCH_M:
                insort(row, x_m)
        is_in_room = x_m <= FLOOR_FARTHEST_M
        found.append(replace(rack, x_m=x_m) if is_in_room else replace(rack, x_m=None, y_m=None))
    return found


def _free_x_m(row: Sequence[float], x_m: float, width: float) -> float:
    """The first place from there to the right that no rack reaches into."""
    for other in row[bisect_left(row, x_m - width) :]:
        if abs(other - x_m) < width - TOUCH_M:
            x_m = other + width
        elif other > x_m:
            break
    return round(x_m, 4)
