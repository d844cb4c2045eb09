"""Places for NICs in a server and for line cards in a chassis."""

from dataclasses import dataclass


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
