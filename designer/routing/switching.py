"""What switches and hosts are set to where flows are cut into pieces: how large they are, and how a port is chosen."""

from dataclasses import dataclass

RANDOM, ROUND_ROBIN, LEAST_LOADED = "random", "round-robin", "least-loaded"
PORT_CHOICES = (RANDOM, ROUND_ROBIN, LEAST_LOADED)
"""As the kernels number them."""

FLOWLET_BYTES = 2.0**19
"""What NCCL hands to a NIC at a time, an eighth of its buffer of 4 MiB: a sender may pause after it."""
PACKET_BYTES = 4096.0
"""The largest payload of a packet in RoCEv2 and InfiniBand: an MTU of 4,096 bytes."""


@dataclass(frozen=True, slots=True)
class Switching:
    """Settings of the switches and hosts of a network; policies look at those that mean something to them."""

    queue_pairs: int = 1
    """Of each connection; policies that hash do so for each of them."""
    flowlet_bytes: float = FLOWLET_BYTES
    packet_bytes: float = PACKET_BYTES
    port_choice: str = RANDOM
    """How a switch chooses the port of each flowlet or packet, one of PORT_CHOICES."""
