"""What the rules look at: the design, surveyed once, and the questions more than one rule asks."""

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from typing import Any, Concatenate, ParamSpec, TypeVar

from designer.analysis.adjacency import Adjacency, adjacency
from designer.analysis.cable_places import ends_in_order
from designer.analysis.dragonflies import Dragonfly, dragonflies
from designer.analysis.nic_use import NicUse
from designer.analysis.single_points import SinglePoints
from designer.analysis.survey import Survey, survey
from designer.analysis.tiers import server_word
from designer.catalog.catalog import Catalog, delivered
from designer.model.design import Design
from designer.model.edit import Change, Edit, removed
from designer.model.entities import End, Link
from designer.model.hardware.ports import Port
from designer.model.matching import port_compatibility
from designer.model.networks import COMPUTE, networks_of_switch
from designer.placement import floor
from designer.placement.cable_lengths import Routes
from designer.units import format_counted
from designer.validation.accepting import Acceptance
from designer.validation.findings import Finding
from designer.validation.recabling import Recabling
from designer.validation.walk import Walk

T = TypeVar("T")
P = ParamSpec("P")


class Inspection(Walk):
    """A design under validation. It is not changed; fixes are edits made against it."""

    def __init__(self, design: Design) -> None:
        super().__init__(design)
        self._free: dict[str, list[Port]] = {}
        self._of_network: dict[tuple[object, ...], Any] = {}
        self._single_points: dict[str, SinglePoints] = {}
        self.found: list[Finding] = []
        """What the rules before found, with what accepts it."""
        self.acceptance = Acceptance(design)
        self.run: frozenset[str] = frozenset()
        """Codes of the rules that are checked and whose findings can be waived."""
        self.known: frozenset[str] = frozenset()
        """Codes of all such rules."""

    @cached_property
    def server_word(self) -> str:
        """What servers are called in sentences: "host" or "node" where they are generic ones."""
        return server_word(self.design)

    def servers(self, count: int) -> str:
        """ "16 servers", by what they are called."""
        return format_counted(count, self.server_word)

    def survey_of(self, network: str) -> Survey:
        """The survey of any network; asked often, made once."""
        if network == COMPUTE:
            return self.survey
        found: Survey = self._once((survey, network), lambda: survey(self.design, network))
        return found

    def of_network(
        self, make: Callable[Concatenate[Survey, P], T], network: str = COMPUTE, *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """What a function makes of the survey of a network; asked often, made once. Nobody may change it."""
        key = (make, network, *args, *kwargs.items())
        found: T = self._once(key, lambda: make(self.survey_of(network), *args, **kwargs))
        return found

    def _once(self, key: tuple[object, ...], make: Callable[[], Any]) -> Any:
        if key not in self._of_network:
            self._of_network[key] = make()
        return self._of_network[key]

    @cached_property
    def adjacency(self) -> Adjacency:
        """Who is linked to whom in the compute network."""
        return self.adjacency_of(COMPUTE)

    def adjacency_of(self, network: str) -> Adjacency:
        """The same in any network; asked often, made once."""
        return self.of_network(adjacency, network)

    def single_points(self, network: str) -> SinglePoints:
        """The single points of failure of a network; asked often, searched once."""
        found = self._single_points.get(network)
        if found is None:
            found = self._single_points[network] = SinglePoints(self.adjacency_of(network))
        return found

    @cached_property
    def dragonflies(self) -> list[Dragonfly]:
        """The dragonflies of the compute network."""
        return dragonflies(self.design, self.adjacency)

    @cached_property
    def routes(self) -> Routes:
        """The routes of links, each rack and each pair of racks measured once."""
        return Routes(self.design)

    @cached_property
    def nic_use(self) -> NicUse:
        """How the compute NICs of servers with GPUs are cabled."""
        return NicUse(self.survey)

    def networks_of_switch(self, device_id: str) -> tuple[str, ...]:
        """The networks of a switch, its own first; none of a server."""
        return networks_of_switch(self.design.device(device_id)) if self.design.is_switch(device_id) else ()

    @cached_property
    def catalog(self) -> Catalog:
        """The catalog that comes with the program, without anybody's own types: everybody gets the same findings."""
        return delivered()

    @cached_property
    def recabling(self) -> Recabling:
        """The simplest cable that joins and reaches, of every link."""
        return Recabling(self.design, self.catalog.types)

    @cached_property
    def row_of(self) -> dict[str, str]:
        """The row of each rack that has a place on the floor."""
        return {rack: row.name for row in floor.rows(self.design) for rack in row.rack_ids}

    def rack_of(self, device_id: str) -> str | None:
        """The rack that a device stands in; None for one in no rack."""
        placement = self.design.placements.get(device_id)
        return None if placement is None else placement.rack_id

    def name(self, device_id: str) -> str:
        """The name of a device. Raises UnknownEntityError for an id that no device has."""
        return self.design.device(device_id).name

    def pair_name(self, one: str, other: str) -> str:
        """ "leaf-07 to spine-02": two devices, those of like names as people count."""
        return " to ".join(ends_in_order(self.name(one), self.name(other)))

    def link_name(self, link: Link) -> str:
        """ "leaf-07 port 12 to spine-02 port 7"."""
        return f"{self.design.end_name(link.a)} to {self.design.end_name(link.b)}"

    def far_end(self, link: Link, near: End) -> End:
        """The end of a link that is not `near`."""
        return link.b if link.a == near else link.a

    def free_ports(self, device_id: str) -> list[Port]:
        """Free fabric ports that are not reserved, in port order; asked often, found once."""
        found = self._free.get(device_id)
        if found is None:
            found = self._free[device_id] = self.design.free_ports(device_id)
        return found

    def free_port_for(self, device_id: str, partner: Port | None) -> Port | None:
        """The next free port of a device that the partner can be joined to; None where there is none."""
        if partner is None:
            return None
        return next((p for p in self.free_ports(device_id) if port_compatibility(p, partner) is None), None)

    def move_end(self, link: Link, near: End) -> Edit | None:
        """Move one end of a link to the next free port of the same device that matches; None where none does."""
        port = self.free_port_for(near.device_id, self.design.port(self.far_end(link, near)))
        if port is None:
            return None
        end = End(near.device_id, port.name)
        moved = replace(link, b=end) if link.b == near else replace(link, a=end)
        return Edit(f"Move the link to {self.design.end_name(end)}", (Change(link, moved),))

    def delete_link(self, link: Link) -> Edit:
        """The edit that deletes a link."""
        return Edit(f"Delete the link {self.link_name(link)}", removed((link,)))

    def move_or_delete(self, link: Link, near: End) -> Edit:
        """The edit that moves one end of a link to a free port that matches, or deletes the link where none does."""
        return self.move_end(link, near) or self.delete_link(link)
