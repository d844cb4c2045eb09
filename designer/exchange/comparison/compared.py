"""A design compared with whatever a file holds: another design, or what was built."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from designer.analysis.comparing import ADDED, REMOVED, Comparison, Difference
from designer.drawing.colour_by import Marks
from designer.exchange.as_built.fault import AsBuilt, Fault
from designer.exchange.reading.found import FoundNetwork
from designer.model.design import Design
from designer.model.edit import Edit
from designer.model.entities import Link
from designer.tables.columns import Columns, pick
from designer.units import format_counted

CHANGE_KEYS = "change kind name what before after"
FAULT_KEYS = "fault name planned found note"
Names = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Marked:
    """The colors, by ids of the design and of what `edit` adds to it: all that only the other side has."""

    marks: Marks
    edit: Edit
    codes: Mapping[str, int]
    """The number of the class of each change, or kind of fault."""


@dataclass(frozen=True, slots=True)
class FileOrder:
    """Whether the other design is the earlier one, and by what that is known."""

    is_other_first: bool = False
    reason: str = ""
    """As in "before: a.fabric, by its revisions"; "" where nothing says which is the earlier."""


NO_ORDER = FileOrder()


@dataclass(frozen=True, slots=True)
class Source:
    """The other side, as it was read: a design, or else what was built."""

    name: str
    other: Design | FoundNetwork
    is_generated: bool = False
    """Whether it is the design itself as its recipes give it: what differs was changed by hand."""
    order: FileOrder = NO_ORDER
    """Of the design and this, as far as that is known."""


@dataclass(frozen=True, slots=True)
class Compared:
    """What a design and a source differ in, with the colors that show it."""

    names: tuple[str, str]
    """What both sides are called."""
    source: Source
    found: Comparison | AsBuilt
    marked: Marked
    places: Mapping[str, int]
    """Numbers of classes of devices and racks, by what they hold, for drawings of rooms."""
    is_swapped: bool = False
    """Whether the source is what was before, and the design what came after."""

    @property
    def is_as_built(self) -> bool:
        """Whether the source is what was built."""
        return isinstance(self.found, AsBuilt)

    @property
    def can_swap(self) -> bool:
        """Whether either side may be the one before: of two designs, neither of which the other was made of."""
        return not (self.is_as_built or self.source.is_generated)

    @property
    def order(self) -> str:
        """By what it is known which side is the one before; "" where it is not, or where somebody has swapped them."""
        is_chosen = self.is_swapped == self.source.order.is_other_first
        return self.source.order.reason if self.can_swap and is_chosen else ""

    @property
    def summary(self) -> str:
        """What differs, in one line."""
        return self.found.summary if isinstance(self.found, AsBuilt) else summary_of(self.found, self.names)

    @property
    def alternatives(self) -> str:
        """By which rule the designs are alternatives; "" of versions of one and of what was built."""
        return "" if isinstance(self.found, AsBuilt) else self.found.alternatives

    @property
    def notes(self) -> tuple[str, ...]:
        """How things were matched, where that is not plain."""
        if isinstance(self.found, AsBuilt):
            return self.found.notes
        return tuple(filter(None, (self.found.alternatives, self.found.alignment.summary)))

    @property
    def rows(self) -> Sequence[Any]:
        """The differences, or the faults."""
        return self.found.faults if isinstance(self.found, AsBuilt) else self.found.differences

    @property
    def columns(self) -> Columns:
        """Those of the rows."""
        if isinstance(self.found, AsBuilt):
            return pick(Fault.COLUMNS, FAULT_KEYS)
        return change_columns(self.names if self.found.alternatives else None)


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


def row_class(compared: Compared, row: Any) -> int:
    """The number of the class that a row is colored by."""
    return compared.marked.codes.get(row.kind if isinstance(row, Fault) else row.change, 0)


# -- what both sides are called ------------------------------------------------------------------------------------


def side_names(before: Design, after: Design) -> Names:
    """The designs' names, which are those of their files while they have none; of equal names with the files."""
    if before.name != after.name:
        return before.name, after.name
    files = before.file_stem, after.file_stem
    if files[0] == files[1] or not all(files):
        files = "before", "after"
    return f"{before.name} ({files[0]})", f"{after.name} ({files[1]})"


def word_of(change: str, names: Names) -> str:
    """What a change from one alternative to the other is called."""
    return f"only in {names[0]}" if change == REMOVED else f"only in {names[1]}" if change == ADDED else "differs"


def change_columns(names: Names | None) -> Columns:
    """The columns of differences; with names, of alternatives that are called so."""
    columns = pick(Difference.COLUMNS, CHANGE_KEYS)
    if names is None:
        return columns
    columns = titled(columns, names)
    return (replace(columns[0], title="Where", value=lambda row: word_of(row.change, names)), *columns[1:])


def titled(columns: Columns, names: Names | None) -> Columns:
    """The columns with the names of alternatives in place of before and after."""
    if names is None:
        return columns
    titles = {
        "before": names[0],
        "after": names[1],
        "change": "Difference",
        "cost_before": f"Cost, {names[0]}",
        "cost_after": f"Cost, {names[1]}",
        "cost_change": "Cost difference",
    }
    are_names = ("before", "after")
    return tuple(replace(one, title=titles.get(one.key, one.title), is_name=one.key in are_names) for one in columns)


def counts_of(found: Comparison, names: Names) -> dict[tuple[str, str], int]:
    """How many things of a kind differ, or are in one alternative only: by kind and word."""
    things = {(row.kind, word_of(row.change, names), row.id): None for row in found.differences}
    return Counter((kind, word) for kind, word, _id in things)


def summary_of(found: Comparison, names: Names) -> str:
    """ "2 devices added, 1 link rewired" of versions; "2 devices only in B, 1 link differs" of alternatives."""
    if not found.alternatives:
        return found.summary
    return ", ".join(
        f"{format_counted(count, kind)} {'differ' if word == 'differs' and count > 1 else word}"
        for (kind, word), count in counts_of(found, names).items()
    )
