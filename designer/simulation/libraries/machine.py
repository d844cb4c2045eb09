"""The shape of the machine that a collective runs on, as a library sees it: read from the drawn design."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from designer.errors import ParameterError
from designer.graph.arrays import SCALE_UP, Graph
from designer.graph.building.parts import GBPS_PER_GBYTES_PER_S
from designer.model.design import Design
from designer.model.hardware.modules import NicType
from designer.model.hardware.servers import ServerType
from designer.model.host_interface import interface_gbps
from designer.routing.network import Network, network
from designer.simulation.libraries.constants import Generation, Library, host_interface_of
from designer.simulation.traffic.rings import servers_of

FAMILIES = (
    ("slingshot", ("cassini", "slingshot")),
    ("efa-v1", ("efa-v1",)),
    ("efa", ("efa",)),
    ("gpudirect-tcpxo", ("tcpxo",)),
    ("gpudirect-tcpx", ("tcpx",)),
)
"""Families of NICs whose transport has constants of its own, by words of the type."""
VERBS = "verbs"
"""InfiniBand and RoCE, which the libraries drive by the same transport of their own."""


@dataclass(frozen=True, slots=True)
class Machine:
    """What a library asks of the machine. None and "" stand for what the design does not state.

    A node is a server, or a scale-up domain of several (NVL72), as NCCL counts it with multi-node NVLink.
    """

    ranks: int
    nodes: int
    local: int
    """Most ranks on a node."""
    generation: Generation
    gpu_model: str
    scale_up_gbytes_per_s: float
    """Of one GPU, one direction, by the data sheet; 0 without a scale-up domain."""
    has_switch: bool
    """Whether a scale-up switch joins the GPUs, not links from each to each."""
    nics: int
    """Linked ports that the ranks of a node leave by."""
    nic_gbytes_per_s: float
    transport: str
    """"verbs", or a family of NICs with a transport of its own."""
    unknown: tuple[str, ...]
    """What the design does not state and the library would ask, in words."""
    cpu: str = "intel"
    has_sharp: bool = False
    host_share: float = 1.0
    """What the way from a GPU to its NIC lets through of its rate: host interfaces of both, as their types say."""
    host_note: str = ""
    """Which host interface holds the NICs back, in words; "" where none does."""

    @property
    def links(self) -> int:
        """Scale-up links of a GPU."""
        return round(self.scale_up_gbytes_per_s / self.generation.link_line_gbytes_per_s)

    @property
    def node_index(self) -> int:
        """0 for one node, 1 for two, 2 for more: the order of triples."""
        return min(self.nodes, 3) - 1


def machine_of(
    design: Design, graph: Graph, ranks: NDArray[np.int64], of: Library, *, has_sharp: bool = False
) -> Machine:
    """The machine that the ranks are. Raises ParameterError where the library has no constants for its GPUs."""
    net = network(graph)
    nodes = servers_of(net, ranks)
    device = graph.device_ids[int(graph.device[ranks[0]])]
    type_ = design.device_type(device)
    assert isinstance(type_, ServerType)
    generation = of.generation_of(type_.gpu_model)
    if generation is None:
        named = ", ".join(gpu for one in of.generations for gpu in one.gpus)
        raise ParameterError(
            f"{of.title} has no constants for the GPU {type_.gpu_model or type_.model!r} of "
            f"{graph.device_name(int(ranks[0]))}; it has for {named}: choose the model ideal"
        )
    local = max(len(node) for node in nodes)
    scale_up = type_.scale_up if local > 1 else None
    ports = _ports(net, ranks, nodes)
    asks_for_cpu = len(nodes) > 1 and of.net_overhead_us and host_interface_of(generation, type_.gpu_model)
    unknown = ["CPU vendor (Intel is assumed)"] if asks_for_cpu else []
    gpu_gbps = _nic_rate(graph, ports) * GBPS_PER_GBYTES_PER_S * len(ports) / local
    host_share, host_note = _host_path(design, device, generation, type_.gpu_model, gpu_gbps)
    if len(nodes) > 1 and not ports:
        unknown.append("NICs of the ranks (none is linked)")
    return Machine(
        ranks=len(ranks),
        nodes=len(nodes),
        local=local,
        generation=generation,
        gpu_model=type_.gpu_model,
        scale_up_gbytes_per_s=_scale_up_rate(net, graph, ranks, type_, local),
        has_switch=scale_up is not None and scale_up.gbytes_per_s_per_pair is None,
        nics=len(ports),
        nic_gbytes_per_s=_nic_rate(graph, ports) * host_share,
        transport=_transport(design, device, ports),
        unknown=tuple(unknown),
        has_sharp=has_sharp,
        host_share=host_share,
        host_note=host_note,
    )


def _scale_up_rate(net: Network, graph: Graph, ranks: NDArray[np.int64], type_: ServerType, local: int) -> float:
    if local < 2:
        return 0.0
    if type_.scale_up is not None:
        return type_.scale_up.gbytes_per_s_per_gpu
    arcs = net.ends.to_domain[ranks[:1]]
    return float(graph.capacity_gbps[arcs[0]]) / GBPS_PER_GBYTES_PER_S if arcs[0] >= 0 else 0.0


def _ports(net: Network, ranks: NDArray[np.int64], nodes: list[NDArray[np.int64]]) -> list[int]:
    """The linked NIC vertices that the ranks of the first full node leave by."""
    if len(nodes) < 2:
        return []
    widest = max(nodes, key=len)
    nics = np.unique(net.ends.nic[widest])
    return [nic for nic in nics.tolist() if nic >= 0 and _up_arcs(net.graph, nic)]


def _up_arcs(graph: Graph, port: int) -> list[int]:
    arcs = graph.out_arcs[graph.out_start[port] : graph.out_start[port + 1]]
    return [arc for arc in arcs.tolist() if graph.link[arc] >= 0 and graph.protocol[arc] != SCALE_UP]


def _nic_rate(graph: Graph, ports: list[int]) -> float:
    rates = [float(graph.capacity_gbps[arc]) for port in ports for arc in _up_arcs(graph, port)]
    return min(rates, default=0.0) / GBPS_PER_GBYTES_PER_S


def _host_path(
    design: Design, device_id: str, generation: Generation, gpu_model: str, gpu_gbps: float
) -> tuple[float, str]:
    """(share of a NIC's rate that the narrower of its host interface and the GPU's carries, which one that is)."""
    share, note = 1.0, ""
    gpu = host_interface_of(generation, gpu_model)
    for nic in {type_.id: type_ for type_ in _fabric_nics(design, device_id)}.values():
        rate = nic.ports * nic.rate_gbps
        own = (f"{nic.model} on {nic.host_interface}", nic.host_interface, rate)
        of_gpu = (f"{gpu_model} on {gpu}", gpu, gpu_gbps)
        for title, text, asked_gbps in (own, of_gpu):
            carried = interface_gbps(text)
            if carried is not None and carried < share * asked_gbps:
                share = carried / asked_gbps
                note = f"{title} carries {carried:.0f} of {asked_gbps:.0f} Gb/s"
    return share, note


def _fabric_nics(design: Design, device_id: str) -> list[NicType]:
    type_ = design.device_type(device_id)
    assert isinstance(type_, ServerType)
    slots = {slot.name for slot in type_.slots if slot.purpose == "fabric"}
    return [design.nic_type(one.id) for one in design.modules_of(device_id) if one.slot in slots]


def _transport(design: Design, device_id: str, ports: list[int]) -> str:
    if not ports:
        return ""
    words = " ".join(
        f"{type_.id} {type_.model}".lower() for type_ in {design.nic_type(m.id) for m in design.modules_of(device_id)}
    )
    for family, parts in FAMILIES:
        if any(part in words for part in parts):
            return family
    return VERBS
