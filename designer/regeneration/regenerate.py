"""Generating a fabric again with other parameters, with the hand edits made since replayed on the result.

Three states are compared: what the old recipe gives, what stands, and what the new parameters give. What the second
differs in from the first is a hand edit; it is made again on the third, or listed as a conflict.
"""

import itertools
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from designer.catalog.catalog import Catalog
from designer.errors import ParameterError, UnknownEntityError
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.entities import End, Group, Link, Recipe, order_key
from designer.model.hardware.switches import SwitchType
from designer.model.hardware.types import HardwareType
from designer.model.id_runs import runs, spelled
from designer.regeneration.continuity import (
    as_it_stands,
    keep_labelled_names,
    keep_ports,
    keep_rack_names,
    link_ids,
    rack_ids,
)
from designer.regeneration.ground import Conflict, Ground, difference, keep_clear, put_in_place
from designer.regeneration.pristine import Fabric, Pristine, as_recorded, placed, pristine, related
from designer.regeneration.recabling import programmed, recable
from designer.regeneration.recipes import NAMED, TABLES, family_of, parameters_of, written
from designer.regeneration.replay_devices import replay_devices
from designer.regeneration.replay_links import replay_links
from designer.regeneration.replay_mounts import replay_mounts


@dataclass(frozen=True, slots=True)
class Regeneration:
    """What generating again would do: one edit, and what there is to know before it is done."""

    edit: Edit
    conflicts: tuple[Conflict, ...]
    """Hand edits that no longer apply."""
    added: tuple[str, ...]
    """Names of the devices that are added."""
    removed: tuple[str, ...]
    """Names of the devices that are removed."""
    kept: tuple[str, ...]
    """Names of the devices of the fabric that stay, under the ids they have."""
    renamed: tuple[tuple[str, str], ...]
    """Old and new name of the devices that stay and are called something else from now on."""
    names_by_hand: int
    """Devices, racks and groups of the fabric that stay and keep a name given by hand."""
    moved: tuple[tuple[str, str, str], ...]
    """Name, old and new place of the devices that stay and stand elsewhere from now on: "net-05 unit 12", "no rack"."""
    replugged: tuple[tuple[str, str], ...]
    """The links that stay on other ports, as they were and as they are: "leaf-07 port 12 to spine-02 port 7"."""
    unplugged: tuple[str, ...]
    """The links that are removed: "leaf-07 port 12 to spine-02 port 7"."""
    links_added: int
    links_removed: int
    links_kept: int


def regenerate(
    design: Design,
    group_id: str,
    parameters: Any,
    catalog: Catalog,
    progress: Callable[[float], None] | None = None,
    rename_labelled: bool = False,
) -> Regeneration:
    """The fabric of a generated group with other parameters of its family, hand edits kept where they make sense.

    With the parameters it has, nothing changes. Devices whose links are labelled, and all devices of a design that was
    handed over, keep their names unless `rename_labelled`. Raises ParameterError for a group without a recipe, for
    parameters that cannot be built, and for a recipe from which this program would not have made what stands.
    `progress` hears the share of the work done and may raise Cancelled.
    """
    tell = progress or (lambda _share: None)
    group = design.groups.get(group_id)
    if group is None:
        raise UnknownEntityError(f"there is no group with id {group_id!r}")
    family = family_of(group)
    if type(parameters) is not family.parameters:
        raise ParameterError(f"{group.name} is a {family.title}: it can be generated again as one only")
    tell(0.0)
    stood = parameters_of(group)
    made = pristine(design, family, stood, catalog)
    then = as_recorded(made, _n_racks(group, made), design.types)
    tell(0.2)
    now = then if parameters == stood else pristine(design, family, parameters, catalog)
    tell(0.4)
    base, fabric = _matched(design, group, then, now)
    if not rename_labelled:
        keep_labelled_names(design, base, fabric)
    if parameters == stood:
        fabric.tables.update({table: dict(base.tables[table]) for table in ("racks", "links")})
    ground = Ground(design, group_id, base, fabric)
    was = programmed(design, ground.ours("links"), ground.ours("racks"), catalog.types)
    ground.media_by_program = was.media
    tell(0.6)
    put_in_place(ground, now.types)
    if parameters != stood:
        keep_ports(ground)
        keep_clear(ground)
    for share, replay in ((0.8, replay_devices), (0.85, replay_links), (0.9, replay_mounts)):
        tell(share)
        replay(ground)
    if parameters != stood:
        recable(ground, was, catalog.types)
    _name_clashes(ground)
    _keep_recipe(ground, group, parameters)
    return _outcome(ground, f"Regenerate {group.name}")


def generated_base(
    design: Design, group: Group, parameters: Any, catalog: Catalog
) -> tuple[Fabric, tuple[HardwareType, ...]]:
    """The fabric of a group as its recipe gives it, under the ids it has in the design; and the types it needs.

    Raises ParameterError as `regenerate` does.
    """
    made = pristine(design, family_of(group), parameters, catalog)
    then = as_recorded(made, _n_racks(group, made), design.types)
    return _matched(design, group, then, then)[0], tuple(made.types)


def _n_racks(group: Group, made: Pristine) -> int:
    """Racks that the group's recipe lists."""
    assert group.recipe is not None
    return len(spelled(group.recipe.racks, len(made.tables["racks"])))


def _matched(design: Design, group: Group, then: Pristine, now: Pristine) -> tuple[Fabric, Fabric]:
    """The old and the new fabric under the ids of the design; what has the same key has the same id."""
    recipe = group.recipe
    assert recipe is not None
    ids = {table: spelled(getattr(recipe, table), len(then.tables[table])) for table in TABLES}
    for table, own in ids.items():
        if len(own) != len(then.tables[table]) or len(set(own)) != len(own):
            raise ParameterError(
                f"{group.name}: its recipe now makes {len(then.tables[table])} {table}, not {len(own)} as when it was "
                "generated, so edits made by hand cannot be recognized; generate a new fabric instead"
            )
    fresh = {table: _fresh_ids(design, table, ids[table]) for table in TABLES}
    prefixes = dict(zip(NAMED, (*recipe.prefixes, "", "", ""), strict=False))
    base = placed(then, group.id, prefixes, (0.0, 0.0), ids)
    for tables in (("devices",), ("modules", "links")):
        if _let_go(design, base, tables, fresh):
            base = placed(then, group.id, prefixes, (0.0, 0.0), base.ids)
    shift = _shift(design, base)
    base = placed(then, group.id, prefixes, shift, base.ids)
    as_it_stands(design, base)
    new_ids = {
        table: [base.id_of[table].get(key) or next(fresh[table]) for key in now.keys[table]]
        for table in TABLES
        if table not in ("racks", "links")
    }
    new_ids["racks"] = rack_ids(base, now, new_ids["devices"], fresh["racks"])
    new_ids["links"] = link_ids(base, now, new_ids["devices"], _switches(design, base, now, new_ids), fresh["links"])
    fabric = placed(now, group.id, prefixes, shift, new_ids)
    keep_rack_names(design, base, fabric)
    return base, fabric


def _switches(design: Design, base: Fabric, now: Pristine, new_ids: Mapping[str, list[str]]) -> dict[str, bool]:
    """Whether each device of the old and the new fabric is a switch, by its id in the design."""
    types = {**design.types, **{one.id: one for one in now.types}}
    type_of = {one.id: one.type_id for one in base.tables["devices"].values()}
    type_of |= {one: made.type_id for one, made in zip(new_ids["devices"], now.tables["devices"], strict=True)}
    return {one: isinstance(types.get(type_id), SwitchType) for one, type_id in type_of.items()}


def _let_go(design: Design, base: Fabric, tables: tuple[str, ...], fresh: dict[str, Iterator[str]]) -> bool:
    """New ids for generated records whose own went to something else; whether there were any."""
    found = False
    for table in tables:
        standing = getattr(design, table)
        for index, one in enumerate(base.ids[table]):
            stands = standing.get(one)
            if stands is not None and not related(base.tables[table][one], stands, lambda i: _is_switch(design, i)):
                base.ids[table][index] = next(fresh[table])
                found = True
    return found


def _is_switch(design: Design, type_id: str) -> bool:
    return isinstance(design.types.get(type_id), SwitchType)


def _fresh_ids(design: Design, table: str, own: list[str]) -> Iterator[str]:
    """Ids that neither the design nor the recipe has, which may name what is deleted by now."""
    first = design.new_ids(table, 1)[0]
    start = max([int(first[1:]), *(int(one[1:]) + 1 for one in own)])
    return (f"{first[:1]}{number}" for number in itertools.count(start))


def _shift(design: Design, base: Fabric) -> tuple[float, float]:
    """How far the fabric stands from where an empty canvas would have it: what most of its devices agree on."""
    moves: Counter[tuple[float, float]] = Counter()
    for one, place in base.placements.items():
        stands = design.placements.get(one)
        if stands is not None:
            moves[round(stands.x - place.x, 3), round(stands.y - place.y, 3)] += 1
    return moves.most_common(1)[0][0] if moves else (0.0, 0.0)


def _name_clashes(ground: Ground) -> None:
    """New devices that bear a name somebody gave by hand: both stay, and validation offers other names."""
    came = {d.name: d.id for d in ground.target.devices.values() if d.id not in ground.before.devices}
    for device in ground.before.devices.values():
        stays = ground.target.devices.get(device.id)
        if stays is not None and stays.name == device.name and device.name in came:
            ground.conflict(f"{device.name} is also the name of a new device", device.id, came[device.name])


def _keep_recipe(ground: Ground, group: Group, parameters: Any) -> None:
    old = group.recipe
    assert old is not None
    ids = {table: runs(ground.fabric.ids[table]) for table in TABLES}
    stands = ground.target.groups.get(group.id)
    after = replace(group, recipe=Recipe(old.family, written(parameters), old.prefixes, **ids))
    if after != stands:
        ground.target.apply(Edit("Recipe", (Change(stands, after),)))


def _outcome(ground: Ground, label: str) -> Regeneration:
    before, target = ground.before, ground.target
    gone = sorted((one for one in before.devices if one not in target.devices), key=order_key)
    came = sorted((one for one in target.devices if one not in before.devices), key=order_key)
    stayed = [one for one in ground.base.tables["devices"] if one in before.devices and one in target.devices]
    links = [one for one in before.links if one in target.links]
    own = set(ground.base.tables["links"])
    return Regeneration(
        difference(before, target, label),
        tuple(ground.conflicts),
        tuple(target.device(one).name for one in came),
        tuple(before.device(one).name for one in gone),
        tuple(target.device(one).name for one in stayed),
        tuple(
            (before.device(one).name, target.device(one).name)
            for one in stayed
            if before.device(one).name != target.device(one).name
        ),
        _names_by_hand(ground),
        tuple(
            (target.device(one).name, _place(before, one), _place(target, one))
            for one in (*stayed, *ground.reseated)
            if _place(before, one) != _place(target, one)
        ),
        tuple(
            (link_text(before, before.links[one]), link_text(target, target.links[one]))
            for one in links
            if _ends(before.links[one]) != _ends(target.links[one])
        ),
        tuple(link_text(before, link) for one, link in before.links.items() if one not in target.links),
        links_added=len(target.links) - len(links),
        links_removed=len(before.links) - len(links),
        links_kept=len(own.intersection(links)),
    )


def _names_by_hand(ground: Ground) -> int:
    """Names that differ from what the generator gave, and stay."""
    return sum(
        stands.name != ground.base.tables[table][one].name and one in getattr(ground.target, table)
        for table in NAMED
        for one, stands in ground.ours(table).items()
    )


def _place(design: Design, device_id: str) -> str:
    placement = design.placements.get(device_id)
    if placement is None or placement.rack_id is None:
        return "no rack"
    name = design.racks[placement.rack_id].name
    return name if placement.unit is None else f"{name} unit {placement.unit}"


def _ends(link: Link) -> frozenset[End]:
    return frozenset((link.a, link.b))


def link_text(design: Design, link: Link) -> str:
    """Both ends of a link: "leaf-07 port 12 to spine-02 port 7"."""
    return f"{design.end_name(link.a)} to {design.end_name(link.b)}"
