"""What all devices of one configuration have in common, so that a graph of thousands is put together quickly."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from designer.graph.arrays import EITHER, ETHERNET, INFINIBAND, SCALE_UP
from designer.graph.class_figures import NIC_PAIR, Unknown
from designer.model.hardware.ports import NVLINK, Port
from designer.model.hardware.servers import ScaleUp, ServerType

UNKNOWN_NIC = Unknown("latency of a NIC", NIC_PAIR)
_BIT = {"infiniband": INFINIBAND, "ethernet": ETHERNET, NVLINK: SCALE_UP}


@dataclass(frozen=True, slots=True)
class PortFacts:
    """`vertex` counts from the device's first NIC vertex, or is 0 on a switch; `speaks` is a set of protocol bits."""

    vertex: int
    order: int
    rate_gbps: float
    speaks: int


@dataclass(frozen=True, slots=True)
class ServerTemplate:
    """`joints` are (GPU, port, NIC latency): which GPU is wired to which of the ports of the network."""

    gpus: int
    n_ports: int
    ports: Mapping[str, PortFacts]
    joints: tuple[tuple[int, int, float], ...]
    scale_up: ScaleUp | None
    unknown: tuple[Unknown, ...]
    elsewhere: frozenset[str]
    """Names of the ports of other networks."""

    @property
    def has_crossbar(self) -> bool:
        """Whether the GPUs' scale-up domain is one crossbar, not links from each to each."""
        return self.scale_up is not None and self.scale_up.gbytes_per_s_per_pair is None


def switch_ports(ports: tuple[Port, ...]) -> Mapping[str, PortFacts]:
    """What a graph reads of each port of a switch, by name; `order` is the place among these ports."""
    return {port.name: PortFacts(0, order, port.rate_gbps, _speaks(port)) for order, port in enumerate(ports)}


def server_template(
    type_: ServerType, ports: tuple[Port, ...], latency_ns: Mapping[str, float | None], purpose: str = "fabric"
) -> ServerTemplate:
    """Ports of another purpose are joined to no GPU. `latency_ns` is by slot.

    A port that serves no GPU in particular is wired to all of the server's. GPUs without a port, and without a scale-up
    domain over which they could reach one, share those of others: see `_sharing`.
    """
    joints: list[tuple[int, int, float]] = []
    unknown: list[Unknown] = []
    for number, port in enumerate(ports):
        if port.purpose != purpose:
            continue
        latency = latency_ns.get(port.slot)
        if latency is None and port.protocols == (NVLINK,):
            latency = 0.0  # the figure of the domain, which its switches get, is from GPU to GPU
        elif latency is None:
            unknown.append(UNKNOWN_NIC)
            latency = NIC_PAIR.value
        gpus = range(type_.gpus) if port.gpu is None else (port.gpu,)
        joints.extend((gpu, number, latency) for gpu in gpus if gpu < type_.gpus)
    # A domain of one GPU joins nothing.
    scale_up = type_.scale_up if type_.gpus > 1 else None
    if scale_up is None:
        joints += _sharing(type_.gpus, joints)
    elsewhere = frozenset(port.name for port in ports if port.purpose != purpose)
    facts = {port.name: PortFacts(n, n, port.rate_gbps, _speaks(port)) for n, port in enumerate(ports)}
    return ServerTemplate(type_.gpus, len(ports), facts, tuple(joints), scale_up, tuple(unknown), elsewhere)


def _sharing(gpus: int, joints: Sequence[tuple[int, int, float]]) -> list[tuple[int, int, float]]:
    """Joints of GPUs that have none: each shares all ports of one that has some.

    That is the lender nearest to place GPU * lenders // GPUs among the lenders, while as few share it as can be: of
    eight GPUs with NICs at GPUs 0 and 4 the first four share one and the others the other.
    """
    lenders = sorted({gpu for gpu, _, _ in joints})
    if not lenders:
        return []
    most = -(-gpus // len(lenders))
    sharers, found = dict.fromkeys(lenders, 1), []
    for gpu in sorted(set(range(gpus)) - set(lenders)):
        near = gpu * len(lenders) // gpus
        _, lender = min((abs(place - near), one) for place, one in enumerate(lenders) if sharers[one] < most)
        sharers[lender] += 1
        found += [(gpu, port, latency) for one, port, latency in joints if one == lender]
    return found


def protocol_of(a: PortFacts, b: PortFacts) -> int:
    """What a link between the two ports speaks; EITHER where their types leave it open or share nothing."""
    return (a.speaks & b.speaks) or EITHER


def _speaks(port: Port) -> int:
    speaks = 0
    for protocol in port.protocols:
        speaks |= _BIT.get(protocol, 0)
    return speaks
