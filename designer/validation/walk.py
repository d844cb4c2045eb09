"""The parts of a design that rules of local scope look at, one after another."""

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import TypeVar

from designer.analysis.survey import Run, Survey, survey
from designer.model.design import Design
from designer.model.entities import Device, Group, Link, Rack
from designer.model.records import ordered

Record = TypeVar("Record", Device, Rack, Group, Link)


class Walk:
    """A design whose devices, links, racks and groups are looked at one after another."""

    def __init__(self, design: Design) -> None:
        self.design = design
        self.at = ""
        """Id of the part of the design that a rule of local scope looks at."""

    def devices(self) -> Iterator[Device]:
        """The devices to check, in design order."""
        return self._each(self._devices)

    def racks(self) -> Iterator[Rack]:
        """The racks to check, in design order."""
        return self._each(ordered(self.design.racks))

    def groups(self) -> Iterator[Group]:
        """The groups to check, in design order."""
        return self._each(ordered(self.design.groups))

    def links(self) -> Iterator[Link]:
        """The links to check, in design order."""
        return self._each(self._links)

    def runs(self) -> Iterator[Run]:
        """The same, each seen from its end nearer to the servers."""
        return self._each_run(self.survey.runs)

    def run_of(self, link: Link) -> Run:
        """One link, seen from its end nearer to the servers."""
        return self._run_by_link[link.id]

    def _each(self, parts: Iterable[Record]) -> Iterator[Record]:
        """The parts, each noted while it is looked at."""
        try:
            for part in parts:
                self.at = part.id
                yield part
        finally:
            self.at = ""

    def _each_run(self, runs: Iterable[Run]) -> Iterator[Run]:
        try:
            for run in runs:
                self.at = run.link.id
                yield run
        finally:
            self.at = ""

    @cached_property
    def _devices(self) -> list[Device]:
        return ordered(self.design.devices)

    @cached_property
    def _links(self) -> list[Link]:
        return ordered(self.design.links)

    @cached_property
    def _run_by_link(self) -> dict[str, Run]:
        return {run.link.id: run for run in self.survey.runs}

    @cached_property
    def survey(self) -> Survey:
        """The survey of the compute network."""
        return survey(self.design)
