"""The records of what was built otherwise than planned."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from designer.model.entities import End
from designer.model.shown_text import visible_line
from designer.tables.columns import Column, Columns
from designer.units import format_count, format_counted

MISSING, DEAD, SWAPPED, WRONG_PORT = "missing", "dead end", "swapped", "wrong port"
WRONG_RAIL, WRONG_SPEED, EXTRA = "wrong rail", "wrong speed", "extra"
NOT_FOUND, NOT_PLANNED = "device not found", "device not planned"
KINDS: Mapping[str, str] = {
    NOT_FOUND: "A device of the design that nothing was found of",
    NOT_PLANNED: "A device that is not in the design",
    MISSING: "A planned cable that was not found: both ports have none",
    DEAD: "A planned cable that leads nowhere: one of its ports was found without a neighbor, or its device not at all",
    SWAPPED: "A cable in a port where another one is planned",
    WRONG_RAIL: "A cable to a switch of another rail than planned",
    WRONG_PORT: "A cable in a port that is planned to be free",
    WRONG_SPEED: "A cable as planned that runs at another speed",
    EXTRA: "A cable that is not planned: both ports should be free",
}
"""Every kind, in the order in which they are listed, with what it means."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One cable or device that is not as planned. Texts are "" where there is nothing to say."""

    kind: str
    name: str
    """The port to look at, or the device."""
    planned: str = ""
    """What should be at the other end."""
    found: str = ""
    """What is there."""
    note: str = ""
    link_id: str = ""
    """The planned link; "" for what is not planned."""
    device_id: str = ""
    ends: tuple[End, ...] = ()
    """The ports of the design that the cable was found in."""

    COLUMNS: ClassVar[Columns] = (
        Column("fault", "Fault", "kind"),
        Column("name", "At", text=visible_line),
        Column("planned", "Planned", text=visible_line),
        Column("found", "Found", text=visible_line),
        Column("note", "Note", text=visible_line),
    )


@dataclass(frozen=True, slots=True)
class AsBuilt:
    """What was found against what is planned."""

    faults: tuple[Fault, ...]
    n_planned: int
    n_as_planned: int
    n_found: int
    notes: tuple[str, ...] = ()
    """What was taken for what, and what could not be placed."""

    @property
    def counts(self) -> Mapping[str, int]:
        """How many faults there are of each kind, kinds without any left out."""
        counted = Counter(fault.kind for fault in self.faults)
        return {kind: counted[kind] for kind in KINDS if counted[kind]}

    @property
    def summary(self) -> str:
        """ "1,022 of 1,024 planned cables found as planned; 2 swapped"."""
        cables = f"{format_count(self.n_as_planned)} of {format_counted(self.n_planned, 'planned cable')}"
        stated = [_counted(kind, count) for kind, count in self.counts.items()]
        return f"{cables} found as planned; {', '.join(stated) or 'no differences'}"


def _counted(kind: str, count: int) -> str:
    """ "2 swapped", "1 device not found", "2 dead ends"."""
    if kind in (NOT_FOUND, NOT_PLANNED):
        word, rest = kind.split(" ", 1)
        return f"{format_counted(count, word)} {rest}"
    if kind == DEAD:
        return format_counted(count, kind)
    return f"{format_count(count)} {kind}"
