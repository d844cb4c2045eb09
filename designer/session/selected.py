"""What is selected, separated by kind: views and commands ask after each change, and everything may be selected."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import TypeVar

from designer.model.design import Design
from designer.model.hardware.switches import SwitchType


def among(ids: frozenset[str], table: Mapping[str, object]) -> frozenset[str]:
    """Those of the ids that the table has; takes as long as the smaller of both."""
    if len(table) < len(ids):
        return ids.intersection(table)
    return frozenset(filter(table.__contains__, ids))


T = TypeVar("T")


def records(ids: frozenset[str], table: Mapping[str, T]) -> Iterator[tuple[str, T]]:
    """The ids and records of those that the table has; most of a table in its order, which is quicker to read."""
    if len(ids) == len(table) and table.keys() <= ids:
        return iter(table.items())
    if len(ids) < len(table) / 2:
        return ((one, table[one]) for one in ids if one in table)
    return ((one, record) for one, record in table.items() if one in ids)


def of_known(ids: frozenset[str], table: Mapping[str, T]) -> Iterable[T]:
    """The records of ids that are all in the table: simply all where it has no others."""
    return table.values() if len(ids) == len(table) else map(table.__getitem__, ids)


def with_inside(ids: frozenset[str], design: Design) -> frozenset[str]:
    """These, what belongs to the groups among them at any depth, and what stands in their racks; else the same set."""
    found, waiting = set(ids), [*among(ids, design.groups), *among(ids, design.racks)]
    while waiting:
        one = waiting.pop()
        new = [held for held in (*design.members(one), *design.mounted(one)) if held not in found]
        found.update(new)
        waiting += [held for held in new if held in design.groups or held in design.racks]
    return frozenset(found) if len(found) > len(ids) else ids


class Selected:
    """Ids of the selection of a design as it stands, by kind; each kind is looked for when first asked for."""

    def __init__(self, design: Design, selection: frozenset[str]) -> None:
        self.design = design
        self.revision = design.revision
        self.selection = selection

    @cached_property
    def devices(self) -> frozenset[str]:
        """Selected switches and servers."""
        return among(self.selection, self.design.devices)

    @cached_property
    def switches(self) -> frozenset[str]:
        """Selected switches."""
        devices, types = self.design.devices, self.design.types
        switches = {one for one, type_ in types.items() if isinstance(type_, SwitchType)}
        return frozenset([one for one, device in records(self.devices, devices) if device.type_id in switches])

    @cached_property
    def servers(self) -> frozenset[str]:
        """Selected servers."""
        return self.devices - self.switches

    @cached_property
    def are_links(self) -> bool:
        """Whether all that is selected are links; True of nothing."""
        return self.design.links.keys() >= self.selection

    @cached_property
    def links(self) -> frozenset[str]:
        """Selected links."""
        return among(self.selection, self.design.links)

    @cached_property
    def racks(self) -> frozenset[str]:
        """Selected racks."""
        return among(self.selection, self.design.racks)

    @cached_property
    def groups(self) -> frozenset[str]:
        """Selected groups."""
        return among(self.selection, self.design.groups)

    @cached_property
    def annotations(self) -> frozenset[str]:
        """Selected annotations."""
        return among(self.selection, self.design.annotations)

    @property
    def is_on_floor(self) -> bool:
        """Whether a fixture or an annotation of the floor plan is selected, which no other view shows."""
        notes = self.design.annotations
        return bool(self.fixtures) or any(notes[one].is_on_floor for one in self.annotations)

    @cached_property
    def fixtures(self) -> frozenset[str]:
        """Selected walls, doors, columns, cooling units and trays."""
        return among(self.selection, self.design.fixtures)

    @cached_property
    def placed(self) -> frozenset[str]:
        """Devices, racks and annotations that stand on the canvas."""
        return among(self.selection, self.design.placements)

    @cached_property
    def arranged(self) -> frozenset[str]:
        """Those, and what stands on the canvas of the groups that are selected."""
        return among(self.lit, self.design.placements) if self.groups else self.placed

    @property
    def is_copyable(self) -> bool:
        """Whether anything is selected that the clipboard takes: no links, no jobs."""
        return bool(self.placed or self.racks or self.groups or self.fixtures or self.annotations)

    @cached_property
    def mounted(self) -> frozenset[str]:
        """Devices that stand in racks."""
        devices, placements = self.devices, self.design.placements
        if not self.design.racks:
            return frozenset()
        if len(devices) < len(placements) / 2:
            return frozenset(one for one, placement in records(devices, placements) if placement.rack_id is not None)
        in_racks = (one for one, placement in placements.items() if placement.rack_id is not None)
        return devices.intersection(in_racks)

    @cached_property
    def lit(self) -> frozenset[str]:
        """The selection with what is inside: every view lights what it shows of that."""
        return with_inside(self.selection, self.design)

    @cached_property
    def lit_in_room(self) -> frozenset[str]:
        """That with both ends of selected links, for views without links."""
        ends = {end.device_id for link in of_known(self.links, self.design.links) for end in (link.a, link.b)}
        return self.lit | ends

    @cached_property
    def is_in_plane(self) -> bool:
        """Whether a selected device belongs to a plane."""
        return bool({device.plane for device in of_known(self.devices, self.design.devices)} - {None})

    @cached_property
    def groups_of_devices(self) -> frozenset[str]:
        """Groups that selected devices belong to, the innermost of each."""
        groups = {device.group_id for device in of_known(self.devices, self.design.devices)}
        return frozenset(one for one in groups if one is not None)

    @cached_property
    def groups_around(self) -> frozenset[str]:
        """Those, and the groups of selected racks."""
        racks = self.design.racks
        of_racks = (group_id for one in self.racks if (group_id := racks[one].group_id) is not None)
        return self.groups_of_devices.union(of_racks)
