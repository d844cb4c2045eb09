"""What two sides did that cannot both hold, and which of the two is taken."""

from collections.abc import Callable
from dataclasses import dataclass

from designer.model.merging.references import Key
from designer.model.merging.versions import Side

CHANGED = "changed"
"""Both sides changed the same thing, each in another way."""
DELETED = "deleted"
"""One side deleted what the other one changed, or newly uses."""
TAKEN = "taken"
"""Both sides put something in the same port, slot or rack unit."""
EQUIPMENT = "equipment"
"""One side uses ports of a device that the other one gave other ports."""
NESTED = "nested"
"""Groups that each side put into one another would contain themselves."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """One decision that is a person's to make. Until somebody makes it, the merged design has ours there."""

    place: str
    """What names it: table, id and what about it, as "devices/d5/name"."""
    kind: str
    """One of changed, deleted, taken, equipment and nested."""
    keys: tuple[Key, ...]
    """The records that it is about, in any of the versions, the first of them first."""
    taken: Side
    decided: bool
    unit: str = ""
    """Of a changed record: what about it; of one that is taken: "port", "slot" or "rack unit"."""
    deleted_by: Side | None = None

    @property
    def subject(self) -> Key:
        """The record that it is listed under."""
        return self.keys[0]


Choose = Callable[[str], Side | None]
"""The side that is chosen for a place; None where nobody has decided."""
