"""How racks are filled with what was drawn by hand, and what mounting it comes to."""

from dataclasses import dataclass
from itertools import groupby

from designer.model.edit import Edit
from designer.model.entities import Rack
from designer.model.naming import stem_of
from designer.units import all_of, format_counted

SERVERS_PER_RACK = 4
"""As NVIDIA stands eight-GPU servers (DGX SuperPOD H100): four a rack; fewer where four are higher than the rack."""
FREE_UNITS = 4
"""Units of a rack of switches that stay free, for cable managers and patch panels."""
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
    free_units: int = FREE_UNITS
    """Units kept free in racks of switches, over which these are spread evenly; next to chassis taller than that, 1."""


@dataclass(frozen=True, slots=True)
class Mounting:
    """What mounts the devices, and what there is to know about it, in sentences or ""."""

    edit: Edit
    devices: int
    racks: int
    remark: str
    spread: str = ""
    """How many switches are in which racks; "" without any."""

    @property
    def report(self) -> str:
        """ "10 devices mounted in 3 racks: rack-01, rack-02 and net-01.", and what was left out and why."""
        names = [one.after.name for one in self.edit.changes if one.before is None and isinstance(one.after, Rack)]
        by_stem = [list(alike) for _, alike in groupby(names, stem_of)]
        ranges = [f"{alike[0]} to {alike[-1]}" if len(alike) > 2 else " and ".join(alike) for alike in by_stem]
        mounted = f"{format_counted(self.devices, 'device')} mounted in {format_counted(self.racks, 'rack')}"
        return " ".join(filter(None, (f"{mounted}: {all_of(ranges)}.", self.remark)))

    @property
    def summary(self) -> str:
        """ "24 devices in 6 racks"."""
        return f"{format_counted(self.devices, 'device')} in {format_counted(self.racks, 'rack')}"
