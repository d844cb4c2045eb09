"""Constants of a library's model that a user fitted to logs of his own, as a scenario carries them."""

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class OwnConstants:
    """A set of constants from a file. Sets are equal where what they hold is; `measured` is of libraries.execution."""

    place: str
    """The name of the file."""
    library: str
    digest: str
    measured: Any = field(compare=False, repr=False)
    file: str = field(default="", compare=False, repr=False)
    """Where it was read from, with its folder."""

    @property
    def summary(self) -> str:
        """ "constants of nccl, 2026-11-20: measured on Pod"."""
        found = self.measured
        return ": ".join(filter(None, (f"constants of {self.library}, {found.date}".rstrip(", "), found.source)))
