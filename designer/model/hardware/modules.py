"""Modules: NICs and line cards, what is installed into slots."""

from dataclasses import dataclass

from designer.model.hardware.cages import CageGroup, PortMode


@dataclass(frozen=True, slots=True)
class NicType:
    """A NIC module: what is installed into a server's slot.

    `ports` and `rate_gbps` are those of the mode it is delivered in: `modes[0]`, or the only one where none are stated.
    """

    id: str
    vendor: str
    model: str
    protocols: tuple[str, ...]
    ports: int
    rate_gbps: float
    form_factors: tuple[str, ...] = ()
    """The shells the adapter is sold with; the first is assumed where the chassis does not say."""
    heat_sink: str = ""
    host_interface: str = ""
    latency_ns: float | None = None
    power_typical_w: float | None = None
    power_max_w: float | None = None
    price_usd: float | None = None
    sources: tuple[str, ...] = ()
    unverified: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    modes: tuple[PortMode, ...] = ()

    @property
    def port_modes(self) -> tuple[PortMode, ...]:
        """Every mode, the delivered one first; made of `ports` and `rate_gbps` where none are stated."""
        return self.modes or (PortMode(f"{self.ports}x{self.rate_gbps:.10g}G", 1, self.rate_gbps),)

    @property
    def n_cages(self) -> int:
        """Cages of the NIC in the mode it is delivered in, at least one."""
        return max(1, self.ports // self.port_modes[0].ports_per_cage)

    def mode(self, name: str = "") -> PortMode:
        """The mode of that name; the delivered one for "" and for a name it does not have (validation reports it)."""
        return next((mode for mode in self.port_modes if mode.name == name), self.port_modes[0])


@dataclass(frozen=True, slots=True)
class LineCardType:
    """A line card: what is installed into a slot of a chassis, with cages of its own.

    `modes[0]` is the mode it is delivered in. Names of ports hold the slot: see PortMode.
    """

    id: str
    vendor: str
    model: str
    protocols: tuple[str, ...]
    cages: tuple[CageGroup, ...]
    modes: tuple[PortMode, ...]
    form_factors: tuple[str, ...] = ()
    """The slots it fits, as "7800R4"."""
    part_number: str = ""
    power_typical_w: float | None = None
    power_max_w: float | None = None
    price_usd: float | None = None
    weight_kg: float | None = None
    sources: tuple[str, ...] = ()
    unverified: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def port_modes(self) -> tuple[PortMode, ...]:
        """Every mode, the delivered one first: as of a NIC."""
        return self.modes

    @property
    def n_cages(self) -> int:
        """Cages of the card, all cage groups together."""
        return sum(group.count for group in self.cages)

    def mode(self, name: str = "") -> PortMode:
        """The mode of that name; the delivered one for "" and for a name it does not have (validation reports it)."""
        return next((mode for mode in self.modes if mode.name == name), self.modes[0])


ModuleType = NicType | LineCardType


def module_word(type_: ModuleType) -> str:
    """ "NIC" or "line card", as a sentence calls a module of that type."""
    return "NIC" if isinstance(type_, NicType) else "line card"


def nic_port_count(nic: NicType, mode_name: str = "") -> int:
    """Logical ports of a NIC in a mode."""
    return nic.n_cages * nic.mode(mode_name).ports_per_cage
