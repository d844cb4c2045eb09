"""Logical ports, derived from types."""

from dataclasses import dataclass

MANAGEMENT = "management"
"""Purpose of the ports that join the out-of-band network."""

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
