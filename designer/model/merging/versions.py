"""Three versions of a design side by side: the one that both grew from, ours and theirs."""

from collections.abc import Callable, Mapping
from typing import Any, Literal

from designer.errors import EditError
from designer.model.design import Design
from designer.model.entities import TABLE_OF, Placement
from designer.model.merging.references import Key, needs
from designer.model.settings import SETTINGS_ID

Side = Literal["ours", "theirs"]
OURS: Side = "ours"
THEIRS: Side = "theirs"
SIDES: tuple[Side, Side] = (OURS, THEIRS)

TABLES = tuple(dict.fromkeys(TABLE_OF.values()))
RANK: Mapping[str, int] = {
    table: rank
    for rank, table in enumerate(
        (
            *("settings", "types", "groups", "racks", "devices", "modules", "links", "placements", "fixtures"),
            *("annotation_styles", "annotations", "bookmarks", "jobs", "waivers", "revisions"),
        )
    )
}
"""The order in which records are listed."""


UNITED = ("types", "annotation_styles", "revisions")
"""Tables that lose nothing when both sides' records are kept: without a base what one side has there is added."""


class MergeError(EditError):
    """Two designs cannot be merged, whatever is chosen; the message says what stands against it."""


def other(side: Side) -> Side:
    """The side that is not this one."""
    return THEIRS if side == OURS else OURS


def key_order(key: Key) -> tuple[int, int, str]:
    """Sort key of records: by table, then as ids are counted."""
    return (RANK[key[0]], len(key[1]), key[1])


class Versions:
    """The records of three versions by table and id, and which of them each side changed.

    Without a base nobody knows who changed what: both sides count as having changed whatever differs.
    """

    def __init__(self, base: Design | None, ours: Design, theirs: Design, progress: Callable[[float], None]) -> None:
        self.has_base = base is not None
        self.base, self.ours, self.theirs = base if base is not None else Design(), ours, theirs
        self._base: Mapping[str, Mapping[str, Any]] = tables_of(base) if base is not None else {}
        self._sides: Mapping[Side, Mapping[str, Mapping[str, Any]]] = {
            OURS: tables_of(ours),
            THEIRS: tables_of(theirs),
        }
        self.changed: dict[Side, dict[Key, None]] = {}
        """What is not as it was in the base, by side, in the order of lists."""
        for share, side in enumerate(SIDES, 1):
            self.changed[side] = self._changed(self._sides[side]) if self.has_base else self._differing(side)
            progress(share / len(SIDES))

    def of(self, side: Side, key: Key) -> Any:
        """The record as a side has it; None where it has none."""
        return self._sides[side][key[0]].get(key[1])

    def before(self, key: Key) -> Any:
        """The record as the base has it; None where it has none, or there is no base."""
        return self._base[key[0]].get(key[1]) if self.has_base else None

    def design(self, side: Side) -> Design:
        """The design of a side."""
        return self.ours if side == OURS else self.theirs

    def deleted(self, side: Side) -> dict[Key, None]:
        """What a side deleted, or without a base just does not have, and the other one has."""
        return {
            key: None
            for key in self.changed[side]
            if self.of(side, key) is None
            and self.of(other(side), key) is not None
            and (self.before(key) is not None or not self.has_base)
        }

    def needed(self, side: Side, record: Any) -> list[Key]:
        """What cannot be missing while a record of that side is there: `needs`, and of a place what it places."""
        if not isinstance(record, Placement):
            return list(needs(record))
        tables = self._sides[side]
        return [(table, record.id) for table in ("devices", "racks", "annotations") if record.id in tables[table]]

    def _changed(self, tables: Mapping[str, Mapping[str, Any]]) -> dict[Key, None]:
        found: list[Key] = []
        for table in TABLES:
            before, after = self._base[table], tables[table]
            for one, record in after.items():
                was = before.get(one)
                if was is not record and was != record:
                    found.append((table, one))
            found += ((table, one) for one in before.keys() - after.keys())
        return dict.fromkeys(sorted(found, key=key_order))

    def _differing(self, side: Side) -> dict[Key, None]:
        """What the two sides do not have alike; of united tables only what this side has."""
        found: list[Key] = []
        for table in TABLES:
            here, there = self._sides[side][table], self._sides[other(side)][table]
            for one, record in here.items():
                of_other = there.get(one)
                if of_other is not record and of_other != record:
                    found.append((table, one))
            if table not in UNITED:
                found += ((table, one) for one in there.keys() - here.keys())
        return dict.fromkeys(sorted(found, key=key_order))


def tables_of(design: Design) -> Mapping[str, Mapping[str, Any]]:
    """The tables of a design by name: read-only views."""
    return {
        table: getattr(design, table) if table != "settings" else {SETTINGS_ID: design.settings} for table in TABLES
    }
