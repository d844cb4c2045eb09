"""What matching two designs gives: the later one under ids of the earlier one."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from designer.model.design import Design
from designer.tables.columns import Columns, keys
from designer.units import format_counted


@dataclass(frozen=True, slots=True)
class Alignment:
    """The later design under ids of the earlier one, and how many devices were found by what."""

    design: Design
    by_id: int
    by_name: int
    by_structure: int
    ids: Mapping[str, Mapping[str, str]]
    """Ids that the records had, by table and the id that they have now, where these differ."""
    alternatives: str = ""
    """By which rule the designs are alternatives, as sentences; "" of versions of one."""

    COLUMNS: ClassVar[Columns] = keys("by_id by_name by_structure")

    @property
    def summary(self) -> str:
        """ "12 devices matched by name, 1 by structure"; "" where ids tell everything."""
        by_others = [(self.by_id, "id"), (self.by_name, "name"), (self.by_structure, "structure")]
        stated = [(count, word) for count, word in by_others if count]
        if not self.by_name and not self.by_structure:
            return ""
        (count, word), *more = stated
        return ", ".join((f"{format_counted(count, 'device')} matched by {word}", *(f"{n} by {w}" for n, w in more)))
