"""No collective is faster than the bytes that must cross the ports of its ranks and servers.

The bounds come from what each collective is, not from how it is carried out: what the ranks of a group have to send to
and receive from all others, over the rates of the ports that lead out of the group, as the design states them.
"""

from dataclasses import dataclass

import numpy as np
import pytest

from designer.catalog.catalog import load
from designer.errors import GraphError
from designer.graph.arrays import Graph
from designer.graph.building.build import build
from designer.model.design import Design
from designer.model.hardware.servers import ServerType
from designer.simulation import catalogue
from designer.simulation.engine import simulate
from designer.simulation.scenario import Scenario

CATALOG = load()
SIZE = 1e9
CASES = {
    "rail-optimized": {"servers": 4},
    "fat-tree": {"switch": "generic-switch-64x400g", "server": "generic-host", "servers": 12},
    "fat-tree of MI300X": {"switch": "generic-tomahawk5-64x800", "server": "mi300x-8gpu", "servers": 2},
    "fat-tree of Gaudi 3": {"switch": "generic-tomahawk5-64x800", "server": "gaudi3-hls3", "servers": 2},
    "rail-optimized of B200": {"server": "dgx-b200", "servers": 3},
    "rail-optimized of A100": {"server": "dgx-a100", "switch": "nvidia-qm8700", "servers": 2},
    "torus": {"dims": (3, 4)},
    "dragonfly": {"p": 1, "a": 2, "h": 1},
    "pgft": {"children": (4, 3), "parents": (1, 2)},
    "hyperx": {"dims": (3, 2), "p": 2},
    "scale-up": {"servers": 2, "switches": 3, "groups": 2, "upper_switches": 2},
    "slim-fly": {"q": 3, "p": 1},
    "jellyfish": {"switches": 8, "degree": 3, "p": 2},
    "graph": {"graph": "petersen", "arguments": "", "p": 1},
}


@dataclass(frozen=True)
class Ports:
    """Bytes/s in one direction: out of each GPU's scale-up port, out of each server's NICs, by rank and by server."""

    server_of: np.ndarray
    scale_up: np.ndarray
    nics: np.ndarray  # by server


@pytest.fixture(scope="module", params=sorted(CASES))
def case(request, generate) -> tuple[Graph, Ports]:
    design = generate(request.param.partition(" of ")[0], **CASES[request.param])
    return build(design), ports_of(design)


def ports_of(design: Design) -> Ports:
    """Read from the design's types and links, without the graph."""
    server_of, scale_up, nics = [], [], []
    for number, server in enumerate(design.servers()):
        type_ = design.device_type(server.id)
        assert isinstance(type_, ServerType)
        fast = type_.scale_up is not None and type_.gpus > 1
        server_of += [number] * type_.gpus
        scale_up += [type_.scale_up.gbytes_per_s_per_gpu * 1e9 if fast else 0.0] * type_.gpus
        ports = {port.name: port for port in design.ports(server.id)}
        linked = 0.0
        for link in design.links.values():
            for near, far in ((link.a, link.b), (link.b, link.a)):
                if near.device_id == server.id and ports[near.port].purpose == "fabric":
                    other = next(port for port in design.ports(far.device_id) if port.name == far.port)
                    linked += min(ports[near.port].rate_gbps, other.rate_gbps) * 1e9 / 8
        nics.append(linked)
    return Ports(np.array(server_of), np.array(scale_up), np.array(nics))


def must_cross(collective: str, group: np.ndarray, n: int) -> tuple[float, float]:
    """(bytes that the ranks of a group must send to the others, that they must receive), for buffers of SIZE.

    What several ranks of a group add may be added up before it leaves, so sums count once.
    """
    g, part = len(group), SIZE / n
    if g == n:
        return 0.0, 0.0
    if collective == "all-reduce":
        # Each side's sum has to reach the other. Ranks that add up by themselves send 2 (n-1)/n each on average: below.
        return SIZE, SIZE
    if collective == "all-gather":
        return g * part, (n - g) * part
    if collective == "reduce-scatter":
        return (n - g) * part, g * part
    if collective == "all-to-all":
        return g * (n - g) * part, g * (n - g) * part
    has_root = 0 in group
    if collective == "broadcast":
        return (SIZE, 0.0) if has_root else (0.0, SIZE)
    if collective == "reduce":
        return (0.0, SIZE) if has_root else (SIZE, 0.0)
    members = set(group.tolist())
    out = sum(1 for rank in members if rank + 1 < n and rank + 1 not in members)
    into = sum(1 for rank in members if rank > 0 and rank - 1 not in members)
    return out * SIZE, into * SIZE


def least_s(collective: str, ports: Ports, n: int, in_network: bool) -> float:
    """The longest that any port makes it take: of ranks, of servers, and of all ranks' ports on average."""
    bounds = []
    server_of = ports.server_of[:n]
    n_servers = len(np.unique(server_of))
    for rank in range(n):
        own_bps = ports.scale_up[rank] + ports.nics[server_of[rank]]
        bounds.append(max(must_cross(collective, np.array([rank]), n)) / own_bps)
    for server in range(n_servers) if n_servers > 1 else ():
        group = np.flatnonzero(server_of == server)
        bounds.append(max(must_cross(collective, group, n)) / ports.nics[server])
    if collective == "all-reduce" and not in_network:
        # GPUs that add up by themselves: all ranks together send 2 (n-1) S at least.
        servers_bps = ports.nics[np.unique(server_of)].sum()
        bounds.append(2 * (n - 1) * SIZE / (ports.scale_up[:n].sum() + servers_bps))
        if n_servers > 1:
            bounds.append(2 * (n_servers - 1) * SIZE / servers_bps)
    return max(bounds)


EVERY = [(row.name, algorithm, False) for row in catalogue.COLLECTIVES for algorithm in row.algorithms]
EVERY += [("all-reduce", algorithm, True) for algorithm in catalogue.IN_NETWORK]


@pytest.mark.parametrize(("collective", "algorithm", "in_network"), EVERY)
def test_no_collective_is_faster_than_its_bytes_over_the_ports_they_must_cross(case, collective, algorithm, in_network):
    graph, ports = case
    for ranks in sorted({2, 3, min(8, graph.n_endpoints), graph.n_endpoints}):
        scenario = Scenario(
            collective=collective,
            algorithm=algorithm,
            size_bytes=SIZE,
            latency=False,
            efficiency=1.0,
            ranks=ranks,
            in_network_reduction=in_network,
        )
        try:
            found = simulate(graph, scenario)
        except GraphError as error:  # hierarchical over uneven servers, a bucket off the torus
            assert algorithm.startswith(("hierarchical", "bucket")), error
            continue
        least = least_s(collective, ports, ranks, in_network)
        assert found.time_s >= least * (1 - 1e-9), (ranks, found.time_s, least)


def test_some_algorithm_meets_each_bound(generate):
    """The bounds are no looser than what the best algorithms reach on a switch of hosts."""
    design = generate("fat-tree", **CASES["fat-tree"])
    graph, ports = build(design), ports_of(design)
    for row in catalogue.COLLECTIVES:
        times = [
            simulate(
                graph, Scenario(collective=row.name, algorithm=name, size_bytes=SIZE, latency=False, efficiency=1.0)
            ).time_s
            for name in row.algorithms
            if name != "bucket"
        ]
        near = 1.01 if row.name in ("broadcast", "reduce") else 1 + 1e-9  # a chain's first chunk
        assert min(times) <= least_s(row.name, ports, 12, False) * near
