"""Linear forwarding tables as a subnet manager set them. Needs no numpy: scenarios carry them."""

from dataclasses import dataclass
from pathlib import PurePath

from designer.units import format_count

ITSELF, NO_PORT = 0, 255
"""Port numbers: of a switch's own LID, and of a LID that the switch has no entry for (InfiniBand specification)."""


@dataclass(frozen=True, slots=True)
class Owner:
    """What has a LID: a port of an adapter, or a switch."""

    node: str
    """The node's description: "leaf-01", "gpu-001 mlx5_0"."""
    guid: str
    is_switch: bool


@dataclass(frozen=True, slots=True, eq=False)
class ForwardingTables:
    """Out-ports by switch and LID. `name` is what reports call them: that of the file."""

    name: str
    switches: tuple[str, ...]
    """Descriptions, in the order of the rows."""
    lids: tuple[int, ...]
    """Ascending."""
    owners: tuple[Owner, ...]
    """Whose each LID is."""
    ports: tuple[bytes, ...]
    """By switch, for each LID a byte: ITSELF, a port from 1, or NO_PORT."""
    file: str = ""
    """Where they were read, for as long as the program runs: no file of ours names it."""

    @property
    def place(self) -> str:
        """The name with its folder: all dumps of OpenSM have one name, so that the folder tells them apart."""
        folder = PurePath(self.file).parent.name
        return f"{folder}/{self.name}" if folder else self.name

    @property
    def summary(self) -> str:
        """ "ftree/opensm-lfts.dump: 48 switches, 1,064 LIDs"."""
        return f"{self.place}: {format_count(len(self.switches))} switches, {format_count(len(self.lids))} LIDs"
