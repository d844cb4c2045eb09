"""What is selected, told apart by kind: views and commands ask after each change, and everything may be selected."""

from functools import cached_property

from designer.model.design import Design


class Selected:
    """Ids of the selection of a design as it stands, by kind; each kind is looked for when first asked for."""

    def __init__(self, design: Design, selection: frozenset[str]) -> None:
        self.design = design
        self.revision = design.revision
        self.selection = selection

    @cached_property
    def devices(self) -> frozenset[str]:
        """Selected switches and servers."""
        return frozenset(self.selection & self.design.devices.keys())

    @cached_property
    def switches(self) -> frozenset[str]:
        """Selected switches."""
        return frozenset(filter(self.design.is_switch, self.devices))

    @cached_property
    def servers(self) -> frozenset[str]:
        """Selected servers."""
        return self.devices - self.switches

    @cached_property
    def links(self) -> frozenset[str]:
        """Selected links."""
        return frozenset(self.selection & self.design.links.keys())

    @cached_property
    def racks(self) -> frozenset[str]:
        """Selected racks."""
        return frozenset(self.selection & self.design.racks.keys())

    @cached_property
    def groups(self) -> frozenset[str]:
        """Selected groups."""
        return frozenset(self.selection & self.design.groups.keys())

    @cached_property
    def annotations(self) -> frozenset[str]:
        """Selected annotations."""
        return frozenset(self.selection & self.design.annotations.keys())

    @cached_property
    def fixtures(self) -> frozenset[str]:
        """Selected walls, doors, columns, cooling units and trays."""
        return frozenset(self.selection & self.design.fixtures.keys())

    @cached_property
    def placed(self) -> frozenset[str]:
        """Devices, racks and annotations that stand on the canvas."""
        return frozenset(self.selection & self.design.placements.keys())

    @cached_property
    def mounted(self) -> frozenset[str]:
        """Devices that stand in racks."""
        placements = self.design.placements
        return frozenset(one for one in self.devices & self.placed if placements[one].rack_id is not None)

    @cached_property
    def groups_of_devices(self) -> frozenset[str]:
        """Groups that selected devices belong to, the innermost of each."""
        devices = self.design.devices
        return frozenset(group_id for one in self.devices if (group_id := devices[one].group_id) is not None)

    @cached_property
    def groups_around(self) -> frozenset[str]:
        """Those, and the groups of selected racks."""
        racks = self.design.racks
        of_racks = (group_id for one in self.racks if (group_id := racks[one].group_id) is not None)
        return self.groups_of_devices.union(of_racks)
