"""A part of a design under validation: what rules of local scope see after an edit."""

from collections.abc import Iterator, Mapping
from typing import TypeVar

from designer.analysis.survey import Run, run_of
from designer.model.design import Design
from designer.model.entities import Device, Group, Link, Rack
from designer.model.records import ordered
from designer.validation.inspection import Inspection

T = TypeVar("T")


class Part(Inspection):
    """A design of which some devices, links, racks and groups are looked at.

    `tier` is that of every device, as the survey of the whole would have it.
    """

    def __init__(self, design: Design, tier: Mapping[str, int]) -> None:
        super().__init__(design)
        self._tier = tier
        self.parts: set[str] = set()
        """Ids of what is looked at; those of things that are no longer there are passed over."""
        self._known: dict[str, Run] = {}

    def devices(self) -> Iterator[Device]:
        """The devices to check, in design order."""
        return self._each(self._of(self.design.devices))

    def racks(self) -> Iterator[Rack]:
        """The racks to check, in design order."""
        return self._each(self._of(self.design.racks))

    def groups(self) -> Iterator[Group]:
        """The groups to check, in design order."""
        return self._each(self._of(self.design.groups))

    def links(self) -> Iterator[Link]:
        """The links to check, in design order."""
        return self._each(self._of(self.design.links))

    def runs(self) -> Iterator[Run]:
        """The same, each seen from its end nearer to the servers."""
        return self._each_run(self.run_of(one) for one in self._of(self.design.links))

    def run_of(self, link: Link) -> Run:
        """One link, seen from its end nearer to the servers."""
        run = self._known.get(link.id)
        if run is None:
            run = self._known[link.id] = run_of(self.design, link, self._tier)
        return run

    def _of(self, table: Mapping[str, T]) -> list[T]:
        return ordered({one: table[one] for one in self.parts if one in table})
