"""What the rules look at: the design, surveyed once, and the questions more than one rule asks."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property
from typing import TypeVar

from designer.analysis.adjacency import Adjacency, adjacency
from designer.analysis.dragonflies import Dragonfly, dragonflies
from designer.analysis.single_points import SinglePoints
from designer.analysis.survey import Run, Survey, survey
from designer.catalog.catalog import Catalog, delivered
from designer.model.design import Design
from designer.model.edit import Change, Edit, removed
from designer.model.entities import Device, End, Group, Link, Rack
from designer.model.hardware import Port
from designer.model.matching import port_compatibility
from designer.model.networks import COMPUTE, networks_of_switch
from designer.model.records import ordered
from designer.placement import floor
from designer.placement.cable_lengths import Routes
from designer.validation.accepting import Acceptance
from designer.validation.findings import Finding
from designer.validation.nic_use import NicUse
from designer.validation.recabling import Recabling

T = TypeVar("T")


class Inspection:
    """A design under validation. It is not changed; fixes are edits made against it."""

    def __init__(self, design: Design) -> None:
        self.design = design
        self._free: dict[str, list[Port]] = {}
        self._surveys: dict[str, Survey] = {}
        self._adjacencies: dict[str, Adjacency] = {}
        self._single_points: dict[str, SinglePoints] = {}
        self.found: list[Finding] = []
        """What the rules before found, with what accepts it."""
        self.acceptance = Acceptance(design)
        self.run: frozenset[str] = frozenset()
        """Codes of the rules that are checked and whose findings can be waived."""
        self.known: frozenset[str] = frozenset()
        """Codes of all such rules."""
        self.at = ""
        """Id of the part of the design that a rule of local scope looks at."""

    # -- the parts that rules of local scope look at, one after the other --------------------------------------------

    def devices(self) -> Iterator[Device]:
        """The devices to check, in design order."""
        return self._each((one.id, one) for one in ordered(self.design.devices))

    def racks(self) -> Iterator[Rack]:
        """The racks to check, in design order."""
        return self._each((one.id, one) for one in ordered(self.design.racks))

    def groups(self) -> Iterator[Group]:
        """The groups to check, in design order."""
        return self._each((one.id, one) for one in ordered(self.design.groups))

    def links(self) -> Iterator[Link]:
        """The links to check, in design order."""
        return self._each((one.id, one) for one in ordered(self.design.links))

    def runs(self) -> Iterator[Run]:
        """The same, each seen from its end nearer to the servers."""
        return self._each((run.link.id, run) for run in self.survey.runs)

    def run_of(self, link: Link) -> Run:
        """One link, seen from its end nearer to the servers."""
        return self._run_by_link[link.id]

    def _each(self, parts: Iterable[tuple[str, T]]) -> Iterator[T]:
        """The parts, each noted while it is looked at."""
        try:
            for self.at, part in parts:
                yield part
        finally:
            self.at = ""

    @cached_property
    def _run_by_link(self) -> dict[str, Run]:
        return {run.link.id: run for run in self.survey.runs}

    # -- the whole ---------------------------------------------------------------------------------------------------

    @cached_property
    def survey(self) -> Survey:
        """The survey of the compute network."""
        return survey(self.design)

    def survey_of(self, network: str) -> Survey:
        """The survey of any network; asked often, made once."""
        if network == COMPUTE:
            return self.survey
        found = self._surveys.get(network)
        if found is None:
            found = self._surveys[network] = survey(self.design, network)
        return found

    @cached_property
    def adjacency(self) -> Adjacency:
        """Who is linked to whom in the compute network."""
        return self.adjacency_of(COMPUTE)

    def adjacency_of(self, network: str) -> Adjacency:
        """The same in any network; asked often, made once."""
        found = self._adjacencies.get(network)
        if found is None:
            found = self._adjacencies[network] = adjacency(self.survey_of(network))
        return found

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
