"""Slots, and the modules that are installed into them: NICs and line cards."""

from dataclasses import dataclass

from designer.model.hardware.ports import CageGroup, PortMode


@dataclass(frozen=True, slots=True)
class Slot:
    """A place for a NIC in a server, or for a line card in a chassis.

    `gpu` is the local index (from 0) of the GPU the NIC serves: its rail; None serves all.
    `cage` is the chassis cage its link leaves through where several NICs share one (DGX H100: four twin-port cages).
    """

    name: str
    gpu: int | None = None
    purpose: str = "fabric"
    """"fabric" (compute), "storage", "in-band", "north-south" or "management" (out-of-band)."""
    nic_type_id: str = ""
    """The NIC as delivered; "" where the slot is delivered empty."""
    cage: int | None = None
    form_factor: str = ""
    """The chassis cage's form factor where it differs from the NIC's own."""
    heat_sink: str = ""
    network_nic_type_id: str = ""
    """The NIC stated for a slot of another network: it is put in where that network is built; "" where none is."""
    port_purposes: tuple[str, ...] = ()
    """What the NIC's ports are for, one after the other, where they are not all for `purpose`."""
    card_type_id: str = ""
    """The line card as delivered, in a slot of a chassis; "" where the slot is delivered empty."""
    lane: int | None = None
    """Which link of its chassis cage the NIC has, from 1; None where no source states it: then slots go in order."""
    label: str = ""
    """What the chassis prints at the port, as "OSFP4P2"; of a NIC with several ports, before " P1", " P2"."""

    @property
    def module_type_id(self) -> str:
        """The NIC or line card as delivered; "" where the slot is delivered empty."""
        return self.nic_type_id or self.card_type_id

    @property
    def purposes(self) -> frozenset[str]:
        """Everything that ports of the slot are for."""
        return frozenset((*self.port_purposes, self.purpose))

    def purpose_of_port(self, number: int) -> str:
        """What port `number` (from 0) of its NIC is for."""
        return self.port_purposes[number] if number < len(self.port_purposes) else self.purpose


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
    part_number: str = ""

    @property
    def port_modes(self) -> tuple[PortMode, ...]:
        """Every mode, the delivered one first; made of `ports` and `rate_gbps` where none are stated."""
        return self.modes or (PortMode(f"{self.ports}x{self.rate_gbps:.10g}G", 1, self.rate_gbps),)

    @property
    def n_cages(self) -> int:
        """Cages of the NIC in the mode it is delivered in, at least one."""
        return max(1, self.ports // self.port_modes[0].ports_per_cage)

    def n_ports(self, mode: PortMode) -> int:
        """Logical ports in a mode."""
        return self.n_cages * mode.ports_per_cage

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

    def n_ports(self, mode: PortMode) -> int:
        """Logical ports in a mode."""
        return self.n_cages * mode.ports_per_cage

    def mode(self, name: str = "") -> PortMode:
        """The mode of that name; the delivered one for "" and for a name it does not have (validation reports it)."""
        return next((mode for mode in self.modes if mode.name == name), self.modes[0])


ModuleType = NicType | LineCardType


def module_word(type_: ModuleType) -> str:
    """ "NIC" or "line card", as a sentence calls a module of that type."""
    return "NIC" if isinstance(type_, NicType) else "line card"


def nic_port_count(nic: NicType, mode_name: str = "") -> int:
    """Logical ports of a NIC in a mode."""
    return nic.n_ports(nic.mode(mode_name))
