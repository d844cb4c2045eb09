"""The room that a port needs for what still arrives after it asked for a pause, and when it asks. Needs no numpy."""

from dataclasses import dataclass

from designer.simulation.queues.parameters import Pfc

PAUSE_FRAME_BYTES = 84.0
"""64 bytes, with preamble and gap."""
CABLE_S_PER_M = 5e-9
"""In fiber; at most 4.5 ns/m in copper (cable makers' data sheets)."""


@dataclass(frozen=True, slots=True)
class Headroom:
    """`bytes` arrive at most after the pause was asked for; `delay_s` later the sender stops."""

    bytes: float
    delay_s: float


def headroom(
    pfc: Pfc, rate_gbps: float, length_m: float, mtu_bytes: float, response_s: float | None
) -> Headroom | None:
    """The headroom of a port by its cable; None where the response time is unknown.

    A frame that goes out before the pause frame can, that frame, the cable there and back, the response time of the
    sender, and the frame that it has begun by then: IEEE 802.1Qbb, annex on buffer requirements. What the switch's own
    circuits add (MAC, PHY, cells of the buffer) is not in it. `response_s` None goes by the standard.
    """
    stops_s = pfc.response_s(rate_gbps) if response_s is None else response_s
    if stops_s is None:
        return None
    bytes_per_s = rate_gbps * 1e9 / 8
    asks_s = (mtu_bytes + PAUSE_FRAME_BYTES) / bytes_per_s
    cable_s = CABLE_S_PER_M * length_m
    delay_s = asks_s + cable_s + stops_s
    return Headroom((delay_s + cable_s) * bytes_per_s + mtu_bytes, delay_s)


def dynamic_xoff_bytes(shared_bytes: float, alpha: float, n_ports: int) -> float:
    """What each of `n_ports` that fill up together holds when it asks for a pause.

    A port may hold `alpha` times what is free of the shared buffer (A. K. Choudhury and E. L. Hahne, "Dynamic Queue
    Length Thresholds", 1998), so the more ports fill up, the sooner each asks.
    """
    return alpha * shared_bytes / (1.0 + alpha * n_ports)
