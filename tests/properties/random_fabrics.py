"""Random fabrics and flows, for properties that hold on all of them."""

from collections import Counter

import numpy as np
from hypothesis import assume
from hypothesis import strategies as st

from designer.graph.arrays import Graph
from designer.model.design import Design, from_entities
from designer.model.entities import Device, End, Link, Module
from designer.model.hardware.modules import NicType, Slot
from designer.model.hardware.ports import CageGroup, PortMode
from designer.model.hardware.servers import ScaleUp, ServerType
from designer.model.hardware.switches import SwitchType
from designer.routing.network import network
from designer.routing.paths import Paths
from designer.routing.policies import POLICIES as ALL

POLICIES = {name: policy for name, policy in ALL.items() if name != "dimension-order" and not policy.takes_tables}
"""Those that work on any fabric."""

PORTS = 40
RATES = (100.0, 200.0, 400.0)
MOST_NICS = 4

TYPES = [
    *(NicType(f"nic{rate:g}", "", "", (), 1, rate) for rate in RATES),
    *(SwitchType(f"sw{rate:g}", "", "", (), (CageGroup(PORTS, ""),), (PortMode("", 1, rate),)) for rate in RATES),
    ServerType("host", "", "", 1, slots=tuple(Slot(f"r0n{nic}", gpu=0) for nic in range(MOST_NICS))),
    ServerType(
        "box",
        "",
        "",
        3,
        slots=tuple(Slot(f"r{n}n{nic}", gpu=n) for n in range(3) for nic in range(MOST_NICS)),
        scale_up=ScaleUp("X", 60.0),
    ),
]


@st.composite
def fabrics(draw: st.DrawFn, most_nics: int = MOST_NICS) -> tuple[list[Device], list[Module], list[tuple[End, End]]]:
    """Planes of random switches of random rates, with hosts and three-GPU boxes whose NIC k is on plane k.

    A GPU has up to `most_nics` NICs, some without a link; some GPUs of boxes have none. One plane is reached by every
    GPU that has NICs, so that all reach each other.
    """
    n_nics = draw(st.integers(1, most_nics))
    n_planes = draw(st.integers(1, n_nics))
    by_all = draw(st.integers(0, n_planes - 1))
    rate = st.sampled_from(RATES)
    devices: list[Device] = []
    links: list[tuple[End, End]] = []
    used: Counter[str] = Counter()

    def port(switch: str) -> End:
        used[switch] += 1
        return End(switch, str(used[switch]))

    planes: list[list[str]] = []
    for _ in range(n_planes):
        n_switches = draw(st.integers(1, 6 if n_planes == 1 else 3))
        plane = [f"s{len(devices) + n}" for n in range(n_switches)]
        devices.extend(Device(id_, f"switch {id_[1:]}", f"sw{draw(rate):g}") for id_ in plane)
        for later in range(1, n_switches):
            links.append((port(plane[later]), port(plane[draw(st.integers(0, later - 1))])))
        for _ in range(draw(st.integers(0, 8 // n_planes)) if n_switches > 1 else 0):
            a = draw(st.integers(0, n_switches - 1))
            b = draw(st.integers(0, n_switches - 1).filter(lambda n, a=a: n != a))
            links.append((port(plane[a]), port(plane[b])))
        planes.append(plane)
    modules: list[Module] = []
    for n in range(draw(st.integers(2, 7 if n_nics == 1 else 4))):
        type_id = draw(st.sampled_from(("host", "host", "box")))
        devices.append(Device(f"h{n}", f"host {n}", type_id))
        gpus = [0] if type_id == "host" else [0, *(gpu for gpu in (1, 2) if draw(st.booleans()))]
        for gpu in gpus:
            for nic in range(n_nics):
                slot = f"r{gpu}n{nic}"
                modules.append(Module(f"{n}{slot}", f"h{n}", slot, f"nic{draw(rate):g}"))
                if nic == by_all or draw(st.integers(0, 3)):
                    links.append((End(f"h{n}", slot), port(draw(st.sampled_from(planes[nic % n_planes])))))
    return devices, modules, links


def assembled(
    devices: list[Device], modules: list[Module], links: list[tuple[End, End]], numbers: list[int] | None = None
) -> Design:
    """The design, with device and link ids that follow `numbers` in place of 0, 1, ..."""
    order = numbers if numbers is not None else list(range(max(len(devices), len(links))))
    new_id = {device.id: f"d{1 + order[n % len(order)] + 1000 * (n // len(order))}" for n, device in enumerate(devices)}
    entities = [
        *TYPES,
        *(Device(new_id[d.id], d.name, d.type_id) for d in devices),
        *(Module(f"m{n}", new_id[m.device_id], m.slot, m.type_id) for n, m in enumerate(modules)),
        *(
            Link(f"l{1 + order[n]}", End(new_id[a.device_id], a.port), End(new_id[b.device_id], b.port))
            for n, (a, b) in enumerate(links)
        ),
    ]
    return from_entities(entities)


def routed(graph: Graph, routing: str, src: np.ndarray, dst: np.ndarray, size_bytes: np.ndarray) -> Paths:
    return POLICIES[routing].route(
        POLICIES[routing].prepared(network(graph)), src, dst, size_bytes, np.zeros(len(src), dtype=np.int64), 7
    )


def random_flows(draw: st.DrawFn, graph: Graph) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    n = graph.n_endpoints
    pairs = draw(st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)), min_size=1, max_size=25))
    pairs = [(a, b) for a, b in pairs if a != b]
    assume(pairs)
    size_bytes = draw(st.lists(st.integers(1, 40), min_size=len(pairs), max_size=len(pairs)))
    src, dst = np.array(pairs, dtype=np.int64).T
    return src, dst, np.array(size_bytes) * 1e8
