"""Cages, and how they are split into ports."""

from dataclasses import dataclass


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
