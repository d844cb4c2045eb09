"""Switch models."""

from dataclasses import dataclass

from designer.model.hardware.modules import Slot
from designer.model.hardware.ports import CageGroup, PortMode

FRONT_TO_REAR, REAR_TO_FRONT = "front-to-rear", "rear-to-front"

AIRFLOWS = ("", FRONT_TO_REAR, REAR_TO_FRONT)
"""Where air goes in and out of a device; the front of a switch is where its ports are. "" where nobody states it, and
where a type is sold both ways."""


@dataclass(frozen=True, slots=True)
class ManagementPort:
    """A port by which a switch is managed, in addition to the ports of its cages."""

    name: str
    form_factor: str = "RJ45"
    rate_gbps: float = 1


@dataclass(frozen=True, slots=True)
class SwitchType:
    """A switch model. `modes[0]` is the mode it is delivered in, but for cages with modes of their own.

    A chassis has slots for line cards; its cages and modes are those of the cards it is delivered with, and a device of
    it has the ports of the cards it holds. Without slots, groups of cages may still say on which card they are.
    """

    id: str
    vendor: str
    model: str
    protocols: tuple[str, ...]
    cages: tuple[CageGroup, ...]
    modes: tuple[PortMode, ...]
    rack_units: float | None = None
    capacity_tbps: float | None = None
    """Sum of the port rates, one direction."""
    latency_ns: float | None = None
    power_typical_w: float | None = None
    power_max_w: float | None = None
    price_usd: float | None = None
    weight_kg: float | None = None
    depth_mm: float | None = None
    sources: tuple[str, ...] = ()
    unverified: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    slots: tuple[Slot, ...] = ()
    """Slots for line cards, in the order in which their ports are counted."""
    part_number: str = ""
    management_ports: tuple[ManagementPort, ...] = ()
    """Those that sources state; they join the out-of-band network and are in no mode."""
    airflow: str = ""
    """One of AIRFLOWS."""

    @property
    def n_cages(self) -> int:
        """Cages as delivered."""
        return sum(group.count for group in self.cages)

    @property
    def n_mode_cages(self) -> int:
        """Cages that the modes of the type are for, the first ones: all but those with modes of their own."""
        return sum(group.count for group in self.cages if not group.modes)

    @property
    def own_groups(self) -> tuple[CageGroup, ...]:
        """The groups of cages with modes of their own."""
        return tuple(group for group in self.cages if group.modes)

    def n_ports(self, mode: PortMode) -> int:
        """Logical ports as delivered, with all cages that the modes of the type are for in one of these."""
        return self.n_mode_cages * mode.ports_per_cage

    @property
    def most_gbps(self) -> float:
        """Sum of the port rates, one direction, in the modes that carry most."""
        of_cages = ((group.count, group.modes or self.modes) for group in self.cages)
        return sum(n * max(mode.ports_per_cage * mode.rate_gbps for mode in modes) for n, modes in of_cages)

    @property
    def most_port_gbps(self) -> float:
        """Rate of its fastest ports, in any mode."""
        modes = [*self.modes, *(mode for group in self.cages for mode in group.modes)]
        return max((mode.rate_gbps for mode in modes), default=0.0)

    @property
    def least_port_gbps(self) -> float:
        """Rate of its slowest ports, each in its fastest mode."""
        groups = (group.modes or self.modes for group in self.cages)
        return min((max(mode.rate_gbps for mode in modes) for modes in groups if modes), default=0.0)

    def modes_of(self, cage: int) -> tuple[PortMode, ...]:
        """The modes that a cage can be in, by its number; of a chassis those of the cards it is delivered with."""
        last = 0
        for group in self.cages:
            last += group.count
            if cage <= last:
                return group.modes or self.modes
        return self.modes

    @property
    def fills_rack(self) -> bool:
        """Whether it is taken for a rack by itself: a chassis of line cards where no height is stated."""
        return self.rack_units is None and any(cages.slot for cages in self.cages)
