"""What files that grew from one share: rows are read once, and of later designs only what differs is checked."""

from collections.abc import Sequence
from typing import Any

from designer.model.design import Design, from_entities, from_entities_near
from designer.model.entities import Entity
from designer.model.settings import Settings


class SharedRows:
    """Files read one after another with this take over the records of rows that an earlier one has in the same bytes.

    Each design is as it would be if it were read alone.
    """

    def __init__(self, near: Design | None = None) -> None:
        self._near = near
        """A design that the next one is probably like."""
        self._rows: dict[str, dict[bytes, Any]] = {}

    def record(self, table: str, text: bytes) -> Any:
        """The record that an earlier file has in a row of these bytes, which was checked there; None without one."""
        return self._rows.get(table, {}).get(text)

    def keep(self, table: str, text: bytes, record: Any) -> None:
        """Remember the record of a row, once it was checked."""
        self._rows.setdefault(table, {})[text] = record

    def design(self, records: Sequence[Entity], settings: Settings) -> Design:
        """The design of these records. Raises EditError as `from_entities` does."""
        if self._near is None:
            design = from_entities(records, settings)
        else:
            design = from_entities_near(records, settings, self._near)
        self._near = design.snapshot()
        return design
