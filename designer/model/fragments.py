"""Verbs that copy: a fragment is a part of a design that can stand on its own."""

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from designer.errors import ParameterError, UnknownEntityError
from designer.late import Late
from designer.model.annotating import title_of
from designer.model.annotation import Annotation, AnnotationStyle
from designer.model.annotation_styles import styles_here
from designer.model.arranging import Member, on_free_floor, parent_of
from designer.model.design import Design
from designer.model.edit import Change, Edit, added
from designer.model.entities import Device, End, Entity, Group, Link, Module, PlacedJob, Placement, Rack
from designer.model.equipping import check_coordinates
from designer.model.fixture import Fixture
from designer.model.fixture_shape import rect_m
from designer.model.furnishing import fixture_copies, moved, standing
from designer.model.furnishing import title_of as fixture_title
from designer.model.hardware.types import DeviceType, HardwareType
from designer.model.placed_jobs import job_copies, jobs_within
from designer.model.records import ordered

copied_names = Late("designer.model.copied_names")
FLOOR_STEP_M = 0.05
"""Racks are pasted in steps of this from where they stood."""
NOTE_STEP_M = 0.3
"""To the right and down, from an annotation on the floor plan to its copy."""
_M = TypeVar("_M", Device, Rack, Group)


@dataclass(frozen=True, slots=True)
class Fragment:
    """Records that refer to nothing outside themselves: types first, then what is made of them."""

    types: tuple[HardwareType, ...] = ()
    groups: tuple[Group, ...] = ()
    racks: tuple[Rack, ...] = ()
    devices: tuple[Device, ...] = ()
    modules: tuple[Module, ...] = ()
    links: tuple[Link, ...] = ()
    placements: tuple[Placement, ...] = ()
    jobs: tuple[PlacedJob, ...] = ()
    annotations: tuple[Annotation, ...] = ()
    annotation_styles: tuple[AnnotationStyle, ...] = ()
    fixtures: tuple[Fixture, ...] = ()

    def entities(self) -> tuple[Entity, ...]:
        """All records, each after those it refers to."""
        equipment = (*self.types, *self.groups, *self.racks, *self.devices, *self.modules)
        noted: tuple[Entity, ...] = (*self.annotation_styles, *self.annotations)
        return (*equipment, *self.links, *noted, *self.placements, *self.jobs, *self.fixtures)


def copy_fragment(design: Design, ids: Iterable[str]) -> Fragment:
    """The devices, racks and groups as a fragment: with a rack what stands in it, with a group its members.

    Links between two of the devices come along, groups all of whose members do, and jobs that run on no other
    servers. Raises ParameterError when there is nothing to copy.
    """
    chosen = _with_contents(design, ids)
    if not chosen:
        raise ParameterError("select devices, racks, groups, annotations or fixtures to copy")
    groups = [design.groups[one] for one in design.groups if one in chosen]
    groups += _whole_groups(design, chosen)
    inside = {*chosen, *(one.id for one in groups)}
    # Copies are named in the order of their originals, in whatever order these were chosen.
    devices = ordered({one: design.devices[one] for one in chosen if one in design.devices})
    racks = ordered({one: design.racks[one] for one in chosen if one in design.racks})
    modules = [module for device in devices for module in design.modules_of(device.id)]
    links = {
        link.id: link
        for device in devices
        for link in design.links_of(device.id)
        if link.a.device_id in inside and link.b.device_id in inside
    }
    placements = [design.placements[one] for one in chosen if one in design.placements]
    notes = [design.annotations[one] for one in chosen if one in design.annotations]
    styles = dict.fromkeys([*(one.style_id for one in notes), *(one.style_id for one in links.values())])
    return Fragment(
        types=_types(design, devices, racks, modules, links.values()),
        groups=tuple(_cut_loose(one, inside) for one in _parents_first(groups)),
        racks=tuple(_cut_loose(one, inside) for one in racks),
        devices=tuple(_cut_loose(one, inside) for one in devices),
        modules=tuple(modules),
        links=tuple(links.values()),
        placements=tuple(_unmounted_outside(one, inside) for one in placements),
        jobs=tuple(jobs_within(design, inside)),
        annotations=tuple(_unpinned(one, {*inside, *links}) for one in notes),
        annotation_styles=tuple(design.annotation_styles[one] for one in styles if one in design.annotation_styles),
        fixtures=tuple(standing(design, (design.fixtures[one] for one in chosen if one in design.fixtures), inside)),
    )


def first_placed(design: Design, ids: Iterable[str]) -> str | None:
    """The first of what `copy_fragment` takes along of these that stands on the canvas; the first to be placed again.

    None where none of them does.
    """
    return next((one for one in _with_contents(design, ids) if one in design.placements), None)


def labels_within(design: Design, ids: Iterable[str]) -> int:
    """How many links that `copy_fragment` takes along of these have a label."""
    chosen = _with_contents(design, ids)
    links = {link.id: link for one in chosen if one in design.devices for link in design.links_of(one) if link.label}
    return sum(link.a.device_id in chosen and link.b.device_id in chosen for link in links.values())


def centre(fragment: Fragment) -> tuple[float, float]:
    """The middle of the places in a fragment; the origin where it has none."""
    if not fragment.placements:
        return 0.0, 0.0
    xs, ys = [one.x for one in fragment.placements], [one.y for one in fragment.placements]
    return (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2


def centred_on_floor(fragment: Fragment, at_m: tuple[float, float]) -> Fragment:
    """The fragment with all that is on the floor around that point of it; racks without a place stand there."""
    rects = [rect_m(one) for one in fragment.fixtures]
    rects += [(x, y, x, y) for one in fragment.annotations if (x := one.x_m) is not None and (y := one.y_m) is not None]
    rects += [(x, y, x, y) for one in fragment.racks if (x := one.x_m) is not None and (y := one.y_m) is not None]
    if not rects:
        return replace(fragment, racks=tuple(replace(one, x_m=at_m[0], y_m=at_m[1]) for one in fragment.racks))
    lefts, tops, rights, bottoms = zip(*rects, strict=True)
    middle = (min(lefts) + max(rights)) / 2, (min(tops) + max(bottoms)) / 2
    dx, dy = (round((to - at) / FLOOR_STEP_M) * FLOOR_STEP_M for to, at in zip(at_m, middle, strict=True))
    racks = (
        replace(
            one,
            x_m=at_m[0] if one.x_m is None else round(one.x_m + dx, 4),
            y_m=at_m[1] if one.y_m is None else round(one.y_m + dy, 4),
        )
        for one in fragment.racks
    )
    notes = (
        one
        if one.x_m is None or one.y_m is None
        else replace(one, x_m=round(one.x_m + dx, 4), y_m=round(one.y_m + dy, 4))
        for one in fragment.annotations
    )
    fixtures = tuple(moved(one, dx, dy) for one in fragment.fixtures)
    return replace(fragment, racks=tuple(racks), fixtures=fixtures, annotations=tuple(notes))


def paste(design: Design, fragment: Fragment, dx: float, dy: float) -> Edit:
    """The fragment's records under new ids and names of their own, moved by (dx, dy)."""
    return Edit(f"Paste {_what(fragment)}", _instance(design, fragment, dx, dy, {}))


def duplicate(design: Design, ids: Iterable[str], dx: float, dy: float) -> Edit:
    """Copies beside the originals, with the links among them, in the groups the originals are in.

    Of a group that is copied as a whole, the copy is a group of its own, its scalable units counted on.
    """
    fragment = copy_fragment(design, ids)
    homes: dict[str, str | None] = {}
    originals: tuple[Member, ...] = (*fragment.groups, *fragment.racks, *fragment.devices)
    for original in originals:
        here = design.entity(original.id)
        if isinstance(here, Device | Rack | Group) and parent_of(here) != parent_of(original):
            homes[original.id] = parent_of(here)
    return Edit(f"Duplicate {_what(fragment)}", _instance(design, fragment, dx, dy, homes))


def _instance(
    design: Design, fragment: Fragment, dx: float, dy: float, homes: Mapping[str, str | None]
) -> tuple[Change, ...]:
    """The changes that add the fragment; `homes` names groups of the design for records that have none within."""
    check_coordinates(dx, dy, *(p.x + dx for p in fragment.placements), *(p.y + dy for p in fragment.placements))
    types, type_ids = _types_here(design, fragment)
    styles, style_ids = styles_here(design, fragment.annotation_styles)
    ids = _new_ids(design, fragment)
    new = copied_names.copied_names(design, fragment)
    named: Mapping[str, str] = new.names
    units: Mapping[str, int] = new.units
    labels: Mapping[str, str] = new.labels

    def home(member: Member) -> str | None:
        inside = parent_of(member)
        return ids[inside] if inside is not None else homes.get(member.id)

    # A recipe names the records that came of it, and these are others.
    groups = [
        replace(one, id=ids[one.id], name=named[one.id], parent_id=home(one), recipe=None) for one in fragment.groups
    ]
    racks = [
        replace(
            one,
            id=ids[one.id],
            name=named[one.id],
            type_id=type_ids[one.type_id],
            group_id=home(one),
        )
        for one in on_free_floor(design, fragment.racks)
    ]
    devices = [
        replace(
            one,
            id=ids[one.id],
            name=named[one.id],
            type_id=type_ids[one.type_id],
            group_id=home(one),
            unit=units.get(one.id, one.unit),
        )
        for one in fragment.devices
    ]
    modules = [
        replace(one, id=ids[one.id], device_id=ids[one.device_id], type_id=type_ids[one.type_id])
        for one in fragment.modules
    ]
    links = [
        replace(
            one,
            id=ids[one.id],
            a=End(ids[one.a.device_id], one.a.port),
            b=End(ids[one.b.device_id], one.b.port),
            medium_id=type_ids.get(one.medium_id, ""),
            cable=0,
            label=labels.get(one.label, one.label),
            style_id=style_ids.get(one.style_id, ""),
            bends=tuple((x + dx, y + dy) for x, y in one.bends),
        )
        for one in fragment.links
    ]
    placements = [
        replace(one, id=ids[one.id], x=one.x + dx, y=one.y + dy, rack_id=ids[one.rack_id] if one.rack_id else None)
        for one in fragment.placements
    ]
    jobs = job_copies(design, fragment.jobs, ids)
    notes = [
        replace(one, id=ids[one.id], pinned_to=ids.get(one.pinned_to, ""), style_id=style_ids.get(one.style_id, ""))
        for one in _off_others(design, fragment.annotations)
    ]
    fixtures = fixture_copies(design, fragment.fixtures, ids)
    noted: tuple[Entity, ...] = (*styles, *notes)
    return added([*types, *groups, *racks, *devices, *modules, *links, *noted, *placements, *jobs, *fixtures])


def _new_ids(design: Design, fragment: Fragment) -> dict[str, str]:
    """New id of every record by its old."""
    new_ids: dict[str, str] = {}
    tables: dict[str, Sequence[Entity]] = {
        "groups": fragment.groups,
        "racks": fragment.racks,
        "devices": fragment.devices,
        "modules": fragment.modules,
        "links": fragment.links,
        "annotations": fragment.annotations,
        "fixtures": fragment.fixtures,
    }
    for table, records in tables.items():
        fresh = design.new_ids(table, len(records))
        new_ids.update((record.id, new_id) for record, new_id in zip(records, fresh, strict=True))
    return new_ids


def _types_here(design: Design, fragment: Fragment) -> tuple[list[HardwareType], dict[str, str]]:
    """The types to bring in, and the id each type of the fragment has in the design.

    A type that the design holds with other facts under the same id is added as well, as "...-2".
    """
    missing: list[HardwareType] = []
    ids: dict[str, str] = {}
    taken = {**design.types}
    for type_ in sorted(fragment.types, key=lambda one: isinstance(one, DeviceType)):  # these name types of modules
        if isinstance(type_, DeviceType):
            slots = tuple(
                replace(
                    slot,
                    nic_type_id=ids.get(slot.nic_type_id, slot.nic_type_id),
                    card_type_id=ids.get(slot.card_type_id, slot.card_type_id),
                )
                for slot in type_.slots
            )
            renamed: HardwareType = replace(type_, slots=slots)
        else:
            renamed = type_
        number = 1
        while taken.get(renamed.id, renamed) != renamed:
            number += 1
            renamed = replace(renamed, id=f"{type_.id}-{number}")
        if renamed.id not in taken:
            missing.append(renamed)
            taken[renamed.id] = renamed
        ids[type_.id] = renamed.id
    return missing, ids


def _with_contents(design: Design, ids: Iterable[str]) -> dict[str, None]:
    """The devices, racks and groups among the ids, with all that racks and groups hold."""
    chosen: dict[str, None] = {}
    waiting = list(dict.fromkeys(ids))[::-1]
    while waiting:
        one = waiting.pop()
        if one in chosen:
            continue
        if design.entity(one) is None:
            raise UnknownEntityError(f"nothing in the design has the id {one!r}")
        if one in design.groups:
            waiting += reversed(design.members(one))
        elif one in design.racks:
            waiting += reversed([held for held in design.mounted(one) if held in design.devices])
        elif all(one not in table for table in (design.devices, design.annotations, design.fixtures)):
            continue
        chosen[one] = None
    return chosen


def _whole_groups(design: Design, chosen: Mapping[str, None]) -> list[Group]:
    """Groups not chosen themselves whose members all are.

    A rack that has no place on the canvas counts as chosen where all that stands in it is.
    """
    whole: dict[str, Group] = {}

    def comes(member: str) -> bool:
        if member in design.racks and member not in design.placements:
            return all(held in chosen for held in design.mounted(member))
        return member in chosen or member in whole

    candidates = [parent_of(found) for one in chosen if (found := _member(design, one)) is not None]
    while candidates:
        outer: list[str | None] = []
        for one in dict.fromkeys(candidates):
            if one is None or one in chosen or one in whole:
                continue
            if all(map(comes, design.members(one))):
                whole[one] = design.groups[one]
                outer.append(whole[one].parent_id)
        candidates = outer
    return list(whole.values())


def _member(design: Design, one: str) -> Member | None:
    found = design.entity(one)
    return found if isinstance(found, Device | Rack | Group) else None


def _parents_first(groups: Iterable[Group]) -> list[Group]:
    """Groups in an order in which each comes after the one it lies in."""
    waiting = {one.id: one for one in groups}
    done: dict[str, Group] = {}
    for one in list(waiting.values()):
        chain = []
        current: Group | None = one
        while current is not None and current.id not in done:
            chain.append(current)
            current = waiting.get(current.parent_id) if current.parent_id is not None else None
        done.update((group.id, group) for group in reversed(chain))
    return list(done.values())


def _cut_loose(member: _M, inside: set[str]) -> _M:
    """The member out of a group that does not come along."""
    parent = parent_of(member)
    if parent is None or parent in inside:
        return member
    if isinstance(member, Group):
        return replace(member, parent_id=None)
    return replace(member, group_id=None)


def _types(
    design: Design,
    devices: Iterable[Device],
    racks: Iterable[Rack],
    modules: Iterable[Module],
    links: Iterable[Link],
) -> tuple[HardwareType, ...]:
    """The types the records are of, and of the modules their devices are delivered with, as far as they are there."""
    used = dict.fromkeys([one.type_id for one in devices])
    used.update(dict.fromkeys([one.type_id for one in racks]))
    used.update(dict.fromkeys([one.type_id for one in modules]))
    used.update(dict.fromkeys(one.medium_id for one in links if one.medium_id))
    for type_id in list(used):
        type_ = design.types[type_id]
        if isinstance(type_, DeviceType):
            delivered = (slot.module_type_id for slot in type_.slots)
            used.update(dict.fromkeys(one for one in delivered if one in design.types))
    return tuple(design.types[one] for one in used)


def _unmounted_outside(placement: Placement, inside: set[str]) -> Placement:
    if placement.rack_id is None or placement.rack_id in inside:
        return placement
    return replace(placement, rack_id=None, unit=None, side="")


def _unpinned(one: Annotation, inside: Container[str]) -> Annotation:
    """The annotation off what does not come along."""
    return one if one.pinned_to in inside else replace(one, pinned_to="")


def _off_others(design: Design, notes: Sequence[Annotation]) -> list[Annotation]:
    """The annotations; those on the floor plan so far to the right and down that none covers another of its kind."""
    on_floor = [(one.kind, one.x_m, one.y_m) for one in notes if one.x_m is not None and one.y_m is not None]
    taken = {(one.kind, one.x_m, one.y_m) for one in design.annotations.values()}
    step = 0.0
    while any((kind, round(x + step, 4), round(y + step, 4)) in taken for kind, x, y in on_floor):
        step += NOTE_STEP_M
    return [
        one
        if one.x_m is None or one.y_m is None
        else replace(one, x_m=round(one.x_m + step, 4), y_m=round(one.y_m + step, 4))
        for one in notes
    ]


def _what(fragment: Fragment) -> str:
    named: tuple[Rack | Device, ...] = (*fragment.racks, *fragment.devices)
    if len(fragment.groups) == 1 and all(one.group_id == fragment.groups[0].id for one in named):
        return fragment.groups[0].name
    words = [*(one.name for one in named), *map(title_of, fragment.annotations), *map(fixture_title, fragment.fixtures)]
    return words[0] if len(words) == 1 else f"{len(words)} things"
