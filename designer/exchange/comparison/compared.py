"""A design compared with whatever a file holds: another design, or what was built."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from designer.analysis.comparing import Comparison, Difference
from designer.exchange.as_built.fault import AsBuilt, Fault
from designer.exchange.comparison.marking import Marked, class_of
from designer.exchange.reading.found import FoundNetwork
from designer.model.design import Design
from designer.model.entities import Link
from designer.tables.columns import Columns, pick

CHANGE_KEYS = "change kind name what before after"
FAULT_KEYS = "fault name planned found note"


@dataclass(frozen=True, slots=True)
class Source:
    """The other side, as it was read: a design, or else what was built."""

    name: str
    other: Design | FoundNetwork


@dataclass(frozen=True, slots=True)
class Compared:
    """What a design and a source differ in, with the colors that show it."""

    source: Source
    found: Comparison | AsBuilt
    marked: Marked
    places: Mapping[str, int]
    """Numbers of classes of devices and racks, by what they hold, for drawings of rooms."""

    @property
    def is_as_built(self) -> bool:
        """Whether the source is what was built."""
        return isinstance(self.found, AsBuilt)

    @property
    def summary(self) -> str:
        """What differs, in one line."""
        return self.found.summary

    @property
    def notes(self) -> tuple[str, ...]:
        """How things were matched, where that is not plain."""
        if isinstance(self.found, AsBuilt):
            return self.found.notes
        return tuple(filter(None, (self.found.alignment.summary,)))

    @property
    def rows(self) -> Sequence[Any]:
        """The differences, or the faults."""
        return self.found.faults if isinstance(self.found, AsBuilt) else self.found.differences

    @property
    def columns(self) -> Columns:
        """Those of the rows."""
        return pick(Fault.COLUMNS, FAULT_KEYS) if self.is_as_built else pick(Difference.COLUMNS, CHANGE_KEYS)


def ids_of(design: Design, compared: Compared, row: Any) -> tuple[str, ...]:
    """What a row is about in the design; of what only the other side has, the devices that it is connected to."""
    if isinstance(row, Fault):
        named = (row.link_id, row.device_id, *(end.device_id for end in row.ends))
        return tuple(dict.fromkeys(one for one in named if one and design.entity(one) is not None))
    if design.entity(row.id) is not None:
        return (row.id,)
    assert isinstance(compared.found, Comparison)
    aligned = compared.found.alignment.design
    entity = aligned.entity(row.id)
    links = [entity] if isinstance(entity, Link) else aligned.links_of(row.id) if row.id in aligned.devices else []
    ends = (end.device_id for link in links for end in (link.a, link.b))
    return tuple(dict.fromkeys(one for one in ends if one in design.devices))


def row_class(row: Any) -> int:
    """The number of the class that a row is colored by."""
    return class_of(row.kind if isinstance(row, Fault) else row.change)
