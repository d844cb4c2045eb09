"""How racks are filled with what was drawn by hand, and what mounting it comes to."""

from dataclasses import dataclass

from designer.model.edit import Edit
from designer.units import format_counted

SERVERS_PER_RACK = 4
"""As NVIDIA stands eight-GPU servers (DGX SuperPOD H100): four a rack; fewer where four are higher than the rack."""
TOP, MIDDLE, OWN = "top", "middle", "own"
PLACES = {TOP: "on top", MIDDLE: "in the middle", OWN: "in racks of their own"}
"""Where switches that servers connect to are mounted."""


@dataclass(frozen=True, slots=True)
class RackPolicy:
    """How racks are filled. `power_w` limits what may be drawn in one; None stands for what its type states."""

    servers_per_rack: int | None = SERVERS_PER_RACK
    """None stands for as many as fit."""
    switches: str = TOP
    power_w: float | None = None


@dataclass(frozen=True, slots=True)
class Mounting:
    """What mounts the devices, and what there is to know about it, in sentences or ""."""

    edit: Edit
    devices: int
    racks: int
    remark: str

    @property
    def summary(self) -> str:
        """ "24 devices in 6 racks"."""
        return f"{format_counted(self.devices, 'device')} in {format_counted(self.racks, 'rack')}"
