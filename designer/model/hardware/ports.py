"""Cages, their modes, and the logical ports that they are split into."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PortMode:
    """How the cages of a switch or NIC are split into logical ports.

    `port_name` is a template over `cage` and `lane` (from 1), `lane0` (from 0) and `port` (running number from 1), and
    of a chassis over `slot` and `socket` (the cage's number on its line card, from 1).
    """

    name: str
    ports_per_cage: int
    rate_gbps: float
    port_name: str = "{port}"
    protocols: tuple[str, ...] = ()
    """What the ports speak in this mode, where it is not all that the type speaks."""


@dataclass(frozen=True, slots=True)
class CageGroup:
    """A run of like cages; cages are numbered from 1 through all groups of a type."""

    count: int
    form_factor: str
    heat_sink: str = ""
    """"finned", "flat-top" or "" where the shell does not matter."""
    max_module_w: float | None = None
    slot: str = ""
    """The slot of a chassis whose line card has these cages."""
    card: str = ""
    """The line card's model."""
    modes: tuple[PortMode, ...] = ()
    """Modes of these cages alone, the delivered one first, where they have not those of the type: of uplinks next to
    ports for servers. Such groups come after the others."""


MANAGEMENT = "management"
"""Purpose of the ports that join the out-of-band network."""

STORAGE_PURPOSE = "storage"
"""Purpose of the ports that join the storage network."""

NVLINK = "nvlink"
"""Protocol of ports of a scale-up domain whose switches are devices of the design."""


@dataclass(frozen=True, slots=True)
class Port:
    """A logical port as the fabric sees it, derived from types: never stored."""

    name: str
    rate_gbps: float
    form_factor: str
    heat_sink: str
    cage: int
    lane: int
    """Which of the cage's links, from 1."""
    ports_per_cage: int
    protocols: tuple[str, ...]
    purpose: str = "fabric"
    gpu: int | None = None
    slot: str = ""
    max_module_w: float | None = None
    label: str = ""
    """What the chassis prints at it, where a source states that."""
    type_id: str = ""
    """The type that it belongs to: of the switch, or of the NIC."""
