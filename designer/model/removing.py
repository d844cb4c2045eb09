"""Verbs that take things out of a design: links first, then what they hang on."""

from collections.abc import Iterable
from dataclasses import replace

from designer.errors import EditError, UnknownEntityError
from designer.model.annotating import title_of, unpinned
from designer.model.annotation import Annotation
from designer.model.arranging import emptied_groups, parent_of, with_parent
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.entities import Device, Entity, Group, Link, Module, PlacedJob, Placement, Rack
from designer.model.fitted import refitted
from designer.model.fixture import Fixture
from designer.model.furnishing import title_of as fixture_title
from designer.model.furnishing import untied
from designer.model.hardware.modules import LineCardType
from designer.model.placed_jobs import without_servers

Deletable = Device | Module | Link | Rack | Group | PlacedJob | Annotation | Fixture


def delete(design: Design, ids: Iterable[str]) -> Edit:
    """Devices, links, modules, racks, groups and jobs removed, with all that hangs on them.

    A rack's devices stay, no longer mounted; a group's members stay, in the group around it. A group that thereby
    loses its last member goes too. A job goes on on the servers that are left to it; one that loses its last goes.
    """
    chosen = {one: _deletable(design, one) for one in dict.fromkeys(ids)}
    devices = {one: found for one, found in chosen.items() if isinstance(found, Device)}
    modules = {one: found for one, found in chosen.items() if isinstance(found, Module)}
    links = {one: found for one, found in chosen.items() if isinstance(found, Link)}
    links.update((link.id, link) for device_id in devices for link in design.links_of(device_id))
    links.update((link.id, link) for link in _links_on(design, modules.values()))
    modules.update((module.id, module) for device_id in devices for module in design.modules_of(device_id))
    racks = [found for found in chosen.values() if isinstance(found, Rack)]
    groups = {one: found for one, found in chosen.items() if isinstance(found, Group)}
    going = [one for one, found in chosen.items() if isinstance(found, Device | Rack)]
    emptied = emptied_groups(design, going, dissolved=groups)
    notes = [found for found in chosen.values() if isinstance(found, Annotation)]
    going_jobs = {one: found for one, found in chosen.items() if isinstance(found, PlacedJob)}
    left = [(job, rest) for job, rest in without_servers(design, devices.keys()) if job.id not in going_jobs]
    changes = [
        *_gone(going_jobs.values()),
        *(Change(job, rest) for job, rest in left),
        *_gone(design.placements[one.id] for one in notes if one.id in design.placements),
        *_gone(notes),
        *_gone(found for found in chosen.values() if isinstance(found, Fixture)),
        *unpinned(design, {*chosen, *links}),
        *untied(design, chosen.keys()),
        *_gone(links.values()),
        *_gone(modules.values()),
        *_refitted(design, modules, devices),
        *_placements(design, devices, racks),
        *_left_behind(design, groups, {*going, *(one.id for one in emptied)}),
        *_gone(devices.values()),
        *_gone(racks),
        *_gone((*groups.values(), *emptied)),
    ]
    return Edit(f"Delete {_in_words(design, list(chosen.values()))}{_and_jobs(left)}", tuple(changes))


def _in_words(design: Design, chosen: list[Deletable]) -> str:
    words = in_words(chosen)
    modules = [one for one in chosen if isinstance(one, Module)]
    are_cards = len(modules) == len(chosen) and all(_is_card(design, one) for one in modules)
    return words.replace("NIC", "line card") if modules and are_cards else words


def _is_card(design: Design, module: Module) -> bool:
    return isinstance(design.module_type(module.id), LineCardType)


def _refitted(design: Design, going: dict[str, Module], devices: dict[str, Device]) -> list[Change]:
    """The devices that lose modules and stay: modes of cages and reserved ports go with the module they are of."""
    changes = []
    for device_id in dict.fromkeys(module.device_id for module in going.values()):
        if device_id in devices:
            continue
        device, before = design.device(device_id), design.modules_of(device_id)
        after = [module for module in before if module.id not in going]
        changed = refitted(device, design.device_type(device_id), before, after, design.types)
        if changed != device:
            changes.append(Change(device, changed))
    return changes


def _and_jobs(left: list[tuple[PlacedJob, PlacedJob | None]]) -> str:
    """What becomes of jobs, for the label: ", with job 2, out of job 1"."""
    parts = []
    for word, names in (
        ("with", [job.name for job, rest in left if rest is None]),
        ("out of", [job.name for job, rest in left if rest is not None]),
    ):
        if names:
            parts.append(f", {word} {names[0] if len(names) == 1 else f'{len(names)} jobs'}")
    return "".join(parts)


def remove_modules(design: Design, ids: Iterable[str]) -> Edit:
    """NICs or line cards removed from their slots, and the links on their ports."""
    chosen = list(dict.fromkeys(ids))
    for one in chosen:
        if one not in design.modules:
            raise UnknownEntityError(f"there is no module with id {one!r}")
    changes = delete(design, chosen).changes
    word = "line card" if chosen and all(_is_card(design, design.modules[one]) for one in chosen) else "NIC"
    what = f"{len(chosen)} {word}s" if len(chosen) != 1 else f"the {word} in {design.modules[chosen[0]].slot}"
    return Edit(f"Remove {what}", changes)


def _deletable(design: Design, one: str) -> Deletable:
    found = design.entity(one)
    if found is None:
        raise UnknownEntityError(f"nothing in the design has the id {one!r}")
    if not isinstance(found, Deletable):
        raise EditError(f"{one!r} is part of every such design and cannot be deleted")
    return found


def _links_on(design: Design, modules: Iterable[Module]) -> list[Link]:
    """The links on ports that go with the modules; a slot that keeps another NIC keeps its links."""
    going: dict[str, set[str]] = {}
    for module in modules:
        going.setdefault(module.device_id, set()).add(module.id)
    links = []
    for device_id, module_ids in going.items():
        staying = {m.slot for m in design.modules_of(device_id) if m.id not in module_ids}
        slots = {design.modules[one].slot for one in module_ids} - staying
        ports = design.port_map(device_id)
        for name, link_ids in design.used_ports(device_id).items():
            if name in ports and ports[name].slot in slots:
                links += [design.links[link_id] for link_id in link_ids]
    return links


def _placements(design: Design, devices: dict[str, Device], racks: list[Rack]) -> list[Change]:
    """Placements removed with their devices and racks; what stood in a rack and stays is mounted no more."""
    placed = design.placements
    changes = [Change(placed[one], None) for one in devices if one in placed]
    gone = {*devices, *(rack.id for rack in racks)}
    for rack in racks:
        for one in design.mounted(rack.id):
            if one not in gone:
                changes.append(Change(placed[one], replace(placed[one], rack_id=None, unit=None, side="")))
        if rack.id in placed:
            changes.append(Change(placed[rack.id], None))
    return changes


def _left_behind(design: Design, groups: dict[str, Group], gone: set[str]) -> list[Change]:
    """The members that outlive their groups, moved to the nearest group around that stays."""
    changes = []
    for group_id, group in groups.items():
        outer = group.parent_id
        while outer is not None and (outer in groups or outer in gone):
            outer = design.groups[outer].parent_id
        for one in design.members(group_id):
            member = design.entity(one)
            if one not in gone and one not in groups and isinstance(member, Device | Rack | Group):
                assert parent_of(member) == group_id
                changes.append(Change(member, with_parent(member, outer)))
    return changes


def _gone(entities: Iterable[Entity | Placement]) -> list[Change]:
    return [Change(entity, None) for entity in entities]


def in_words(chosen: list[Deletable]) -> str:
    """The name of one thing that has one, else how many of which kind."""
    if len(chosen) == 1 and isinstance(chosen[0], Device | Rack | Group | PlacedJob):
        return chosen[0].name
    if len(chosen) == 1 and isinstance(chosen[0], Annotation | Fixture):
        only = chosen[0]
        return title_of(only) if isinstance(only, Annotation) else fixture_title(only)
    words = {
        Device: "device",
        Module: "NIC",
        Link: "link",
        Rack: "rack",
        Group: "group",
        PlacedJob: "job",
        Annotation: "annotation",
        Fixture: "fixture",
    }
    kinds = {words[type(one)] for one in chosen}
    word = kinds.pop() if len(kinds) == 1 else "thing"
    return f"{len(chosen)} {word}{'s' if len(chosen) != 1 else ''}"
