"""Where something is: the design, its groups or its room, row and rack, down to the thing itself."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from designer.analysis.cable_places import ends_in_order
from designer.analysis.selecting.counted import counted
from designer.model import annotating
from designer.model.design import Design
from designer.model.furnishing import title_of
from designer.model.shown_text import visible_line
from designer.placement import floor

MOST_NAMED = 5000
"""Of a larger selection, what all of it is in is not looked for."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a trail. `ids` are what going there shows; none stand for everything. `kind` names its icon."""

    title: str
    kind: str = ""
    ids: Collection[str] = ()


def trail(design: Design, ids: Iterable[str], *, in_room: bool = False) -> tuple[Step, ...]:
    """The steps from the design to these things, outermost first; what several are all in, and how many they are.

    In the room the steps are site, row and rack; else they are groups and, of what stands in one, the rack.
    """
    chosen = ids if isinstance(ids, frozenset) else tuple(ids)
    root = Step(visible_line(design.settings.site or "Room") if in_room else visible_line(design.name))
    if not chosen:
        return (root,)
    if len(chosen) > MOST_NAMED:
        return root, _several(design, chosen)
    chosen = tuple(chosen)
    rows = _rows(design) if in_room else {}
    if len(chosen) == 1:
        return root, *_steps(design, chosen[0], rows, in_room=in_room)
    places = {_place(design, one) for one in chosen}
    if len(places) == 1:
        return root, *_around(design, places.pop(), rows, in_room=in_room), _several(design, chosen)
    common = [_around(design, place, rows, in_room=in_room) for place in places]
    shared = []
    for steps in zip(*common, strict=False):
        if len(set(steps)) > 1:
            break
        shared.append(steps[0])
    return root, *shared, _several(design, chosen)


Place = tuple[str | None, str | None]
"""The group and the rack that something is directly in."""


def _several(design: Design, chosen: Collection[str]) -> Step:
    ids = tuple(sorted(chosen)) if len(chosen) <= MOST_NAMED else chosen  # which may be everything, as it is
    return Step(f"{counted(design, chosen)} selected", "", ids)


def _rows(design: Design) -> dict[str, Step]:
    """By rack, the row that it stands in."""
    rows = ((row.rack_ids, Step(f"Row {visible_line(row.name)}", "", row.rack_ids)) for row in floor.rows(design))
    return {one: step for rack_ids, step in rows for one in rack_ids}


def _place(design: Design, one: str) -> Place:
    if one in design.devices:
        placement = design.placements.get(one)
        return design.devices[one].group_id, placement.rack_id if placement is not None else None
    if one in design.modules:
        return _place(design, design.modules[one].device_id)
    if one in design.links:
        link = design.links[one]
        near, far = _place(design, link.a.device_id), _place(design, link.b.device_id)
        return near if near == far else (_common_group(design, near[0], far[0]), None)
    if one in design.racks:
        return design.racks[one].group_id, None
    return (design.groups[one].parent_id, None) if one in design.groups else (None, None)


def _common_group(design: Design, one: str | None, other: str | None) -> str | None:
    mine = _groups(design, one)
    return next((group for group in reversed(_groups(design, other)) if group in mine), None)


def _groups(design: Design, group_id: str | None) -> list[str]:
    """The group and those around it, outermost first."""
    found: list[str] = []
    while group_id is not None:
        found.insert(0, group_id)
        group_id = design.groups[group_id].parent_id
    return found


def _around(design: Design, place: Place, rows: dict[str, Step], *, in_room: bool) -> list[Step]:
    """The steps to what is directly in that place."""
    group_id, rack_id = place
    steps = []
    if not in_room:
        around = group_id if rack_id is None or group_id is not None else design.racks[rack_id].group_id
        steps = [Step(visible_line(design.groups[one].name), "group", (one,)) for one in _groups(design, around)]
    if rack_id is not None:
        if rack_id in rows:
            steps.append(rows[rack_id])
        steps.append(Step(visible_line(design.racks[rack_id].name), "rack", (rack_id,)))
    return steps


def _steps(design: Design, one: str, rows: dict[str, Step], *, in_room: bool) -> list[Step]:
    """The steps to one thing, and the thing."""
    steps = _around(design, _place(design, one), rows, in_room=in_room)
    if one in design.racks and one in rows:
        steps.append(rows[one])
    if one in design.modules:
        steps.append(_step(design, design.modules[one].device_id))
    return [*steps, _step(design, one)]


def _step(design: Design, one: str) -> Step:
    if one in design.devices:
        return Step(visible_line(design.devices[one].name), "server" if design.is_server(one) else "switch", (one,))
    if one in design.links:
        link = design.links[one]
        ends = " – ".join(ends_in_order(*(design.devices[end.device_id].name for end in (link.a, link.b))))
        return Step(visible_line(link.label or ends), "link", (one,))
    if one in design.modules:
        return Step(visible_line(design.modules[one].slot), "nic", (one,))
    if one in design.racks:
        return Step(visible_line(design.racks[one].name), "rack", (one,))
    if one in design.groups:
        return Step(visible_line(design.groups[one].name), "group", (one,))
    if one in design.fixtures:
        return Step(title_of(design.fixtures[one]), "floor", (one,))
    if one in design.annotations:
        return Step(annotating.title_of(design.annotations[one]), "note", (one,))
    return Step("Annotation", "note", (one,))
