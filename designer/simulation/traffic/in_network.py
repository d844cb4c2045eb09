"""All-reduce with switches that add up: SHARP in the fabric, NVLS in NVSwitch.

SHARP: each rank sends its buffer once and receives the sum once: S bytes per direction. NVLS: each GPU's port also
carries the 1/n that its GPU reduces and multicasts: (1 + 1/n) S, at a share of the port's rate that is stated with the
result. Where GPUs of a server are joined without a switch that adds up, they add up themselves: 2 (n-1)/n S.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from designer.routing.network import Network
from designer.simulation.traffic.phases import Flows, Phase, flows
from designer.simulation.traffic.rings import ring_flows

NVLS_EFFICIENCY = {"NVLink 4": 0.85, "NVLink 5": 0.74}
"""Share of a port's rate that NVLS reaches, on Hopper and Blackwell. Source: NCCL 2.30, src/graph/tuning.cc."""
ASSUMED_EFFICIENCY = 0.74
"""Of scale-up switches for which no figure is published: the lower of the two."""
WITHOUT_NVLS = ("NVLink 2", "NVLink 3")
"""Scale-up switches that do not add up: NVLS came with Hopper."""
UP_AND_DOWN = "up to the switches that add up, and down"

Ranks = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Reduced:
    """A phase in which every rank's buffer passes up and its sum down, and what was assumed of switches in servers."""

    phase: Phase
    channels: int
    notes: tuple[str, ...]


def up_and_down(network: Network, ranks: Ranks, size_bytes: float, channels: int | None) -> Reduced:
    """An all-reduce of `size_bytes` in one pass, inside servers and between them at once.

    Between servers the buffer is spread over channels as a ring's is; bytes inside servers that NVLS moves include what
    its efficiency costs.
    """
    rings, n_channels = ring_flows(network, ranks, size_bytes, channels)
    domain = network.ends.domain
    inside = (domain[rings.src] >= 0) & (domain[rings.src] == domain[rings.dst])
    parts = [_only(rings, ~inside)]
    notes: dict[str, None] = {}
    for of in np.unique(domain[ranks[domain[ranks] >= 0]]).tolist():
        members = ranks[domain[ranks] == of]
        if len(members) < 2:
            continue
        sent, note = _in_domain(network, of, members, size_bytes, _only(rings, inside & (domain[rings.src] == of)))
        parts.append(sent)
        notes[note] = None
    return Reduced(Phase(UP_AND_DOWN, 1, _joined(parts)), n_channels, tuple(notes))


def _in_domain(network: Network, of: int, members: Ranks, size_bytes: float, rings: Flows) -> tuple[Flows, str]:
    """What the ranks of one scale-up domain send, and what that rests on."""
    n, name = len(members), network.graph.scale_up_name.get(of, "")
    if network.ends.to_domain[members[0]] < 0 or name in WITHOUT_NVLS:
        factor = 2 * (n - 1) / n
        sent = Flows(rings.src, rings.dst, rings.size_bytes * factor, rings.channel)
        return sent, f"{name or 'joined pairwise'}: no switch adds up, the GPUs do: 2 ({n} - 1)/{n} S per direction"
    efficiency = NVLS_EFFICIENCY.get(name, ASSUMED_EFFICIENCY)
    source = "NCCL 2.30, src/graph/tuning.cc" if name in NVLS_EFFICIENCY else "assumed, no figure is published"
    port_bytes = (1 + 1 / n) * size_bytes / efficiency
    note = f"{name} (NVLS): (1 + 1/{n}) S per port and direction, at {efficiency:g} of its rate ({source})"
    return flows(members, np.roll(members, -1), port_bytes), note


def along_rails(table: Ranks, part_bytes: float) -> Phase:
    """GPU j of all servers adds up with its peers in one pass; (servers, GPUs)."""
    m, g = table.shape
    rails = np.broadcast_to(np.arange(g), (m, g)).reshape(-1)
    sent = flows(table.reshape(-1), np.roll(table, -1, axis=0).reshape(-1), part_bytes, rails)
    return Phase(f"along the rails {UP_AND_DOWN}", 1, sent)


def _only(sent: Flows, which: NDArray[np.bool_]) -> Flows:
    return Flows(sent.src[which], sent.dst[which], sent.size_bytes[which], sent.channel[which])


def _joined(parts: list[Flows]) -> Flows:
    return Flows(
        *(np.concatenate([getattr(part, name) for part in parts]) for name in ("src", "dst", "size_bytes", "channel"))
    )
