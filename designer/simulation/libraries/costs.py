"""What the library estimates an algorithm with a protocol to take, by which it chooses: the cost stage.

An estimate is latency + bytes / bandwidth; both formulas, with all their factors, are those of src/graph/tuning.cc.
They say what the library believes. How long it takes on the drawn fabric is in execution.py.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import log2

from designer.simulation.libraries.channels import Channels, searched, searched_nvls, searched_tree
from designer.simulation.libraries.constants import (
    COLLNET_CHAIN,
    COLLNET_DIRECT,
    LL,
    LL128,
    NVLS,
    NVLS_TREE,
    PAT,
    PROTOCOLS,
    RING,
    SIMPLE,
    TREE,
    Library,
    Tuning,
)
from designer.simulation.libraries.machine import Machine

HOPPER, BLACKWELL = 9.0, 10.0
ALGORITHMS = {
    "all-reduce": (TREE, RING, COLLNET_DIRECT, COLLNET_CHAIN, NVLS, NVLS_TREE),
    "all-gather": (RING, COLLNET_DIRECT, NVLS, PAT),
    "reduce-scatter": (RING, COLLNET_DIRECT, NVLS, PAT),
    "broadcast": (RING,),
    "reduce": (RING,),
}
SIMPLE_ONLY = (NVLS, NVLS_TREE, PAT, COLLNET_DIRECT, COLLNET_CHAIN)
SMALLEST_CORRECTED_BYTES = 64
PLATEAU_BYTES = 64
PER_PASS = {"all-reduce": 2, "all-gather": 1, "reduce-scatter": 1}


@dataclass(frozen=True, slots=True)
class Estimate:
    """What the library expects of one algorithm with one protocol; `algbw` is size over time."""

    algorithm: str
    protocol: int
    latency_us: float
    algbw_gbytes_per_s: float
    channels: Channels
    corrections: tuple[float, ...] = ()
    plateau: float = 1.0
    plateau_from_bytes: float = 0.0
    least_bytes: float = 0.0
    most_bytes: float = float("inf")

    def time_us(self, size_bytes: float) -> float:
        """The library's own estimate."""
        bandwidth = self.algbw_gbytes_per_s
        place = int(log2(max(1.0, size_bytes / SMALLEST_CORRECTED_BYTES)))
        if self.corrections and place < len(self.corrections) and size_bytes >= SMALLEST_CORRECTED_BYTES:
            bandwidth *= self.corrections[place]
        latency = self.latency_us * (self.plateau if size_bytes >= self.plateau_from_bytes else 1.0)
        return latency + size_bytes / (1000 * bandwidth)

    def allows(self, size_bytes: float) -> bool:
        """Whether the library sends this size with its protocol."""
        return self.least_bytes < size_bytes <= self.most_bytes


def estimates(of: Library, machine: Machine, collective: str) -> list[Estimate]:
    """All algorithms and protocols that the library considers, each with its estimate; empty where it has no choice."""
    return [one for one in _all(of, machine, collective) if one.algbw_gbytes_per_s > 0]


def _all(of: Library, machine: Machine, collective: str) -> Iterator[Estimate]:
    tuning, rings = of.tuning_of(machine.generation), searched(machine, of.pcie_gbytes_per_s)
    trees = searched_tree(machine, of.pcie_gbytes_per_s)
    plugin = of.plugin_of(machine.transport, machine.generation) if machine.nodes > 1 else None
    allowed = [number for number, name in enumerate(PROTOCOLS) if plugin is None or name in plugin.protocols]
    for algorithm in ALGORITHMS.get(collective, ()):
        if algorithm not in tuning.base_us and algorithm not in tuning.network_us:
            continue
        if not _exists(algorithm, machine):
            continue
        channels = searched_nvls(machine) if algorithm in (NVLS, NVLS_TREE) else trees if algorithm == TREE else rings
        for protocol in (SIMPLE,) if algorithm in SIMPLE_ONLY else allowed:
            least, most = _sizes(machine, collective, protocol)
            is_ring = algorithm == RING and protocol == SIMPLE and collective == "all-reduce" and machine.nodes > 1
            yield Estimate(
                algorithm,
                protocol,
                _latency_us(of, tuning, machine, collective, algorithm, protocol),
                _bandwidth(of, tuning, machine, collective, algorithm, protocol, channels),
                channels,
                _corrections(tuning, machine, collective, algorithm, protocol),
                machine.generation.plateau if is_ring else 1.0,
                PLATEAU_BYTES * channels.used * machine.ranks,
                least,
                most,
            )


def _exists(algorithm: str, machine: Machine) -> bool:
    """Whether the machine has what the algorithm needs."""
    has_nvls = machine.has_switch and machine.generation.nvls_share > 0 and machine.local > 1
    return {
        NVLS: has_nvls and (machine.nodes == 1 or machine.has_sharp),
        NVLS_TREE: has_nvls and machine.nodes > 1,
        COLLNET_DIRECT: machine.has_sharp and machine.has_switch and machine.nodes > 1,
        COLLNET_CHAIN: machine.has_sharp and machine.nodes > 1,
        PAT: machine.local == 1 and machine.nodes > 1,
    }.get(algorithm, True)


def _sizes(machine: Machine, collective: str, protocol: int) -> tuple[float, float]:
    """From where to where a protocol is used, where the library goes by what each rank sends."""
    of, parts = machine.generation, 1 if collective == "all-reduce" else machine.ranks
    ll = of.ll_most_rank_bytes.get(collective)
    if machine.nodes == 1 or ll is None:
        return 0.0, float("inf")
    ll128 = of.ll128_most_rank_bytes.get(collective, ll)
    if collective == "all-reduce" and machine.nodes > 2:
        ll128 *= of.ll128_all_reduce_more_nodes
    limits = {LL: (0.0, ll), LL128: (ll, ll128), SIMPLE: (ll128, float("inf"))}
    least, most = limits[protocol]
    return least * parts, most * parts


# -- latency -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Hops:
    """How often an operation waits: for what happens once, for hops inside nodes, and for hops between nodes."""

    inside: float
    between: float
    extra_us: float = 0.0
    """What is neither, as the cost model counts it."""
    has_base: bool = True


def hops(machine: Machine, collective: str, algorithm: str, *, per_node: bool = False) -> Hops:
    """The hops that the library counts for an algorithm."""
    n, nodes, local = machine.ranks, machine.nodes, machine.local
    depth = int(log2(nodes))
    if algorithm == RING:
        if collective not in PER_PASS:
            return _chain(machine)
        steps = PER_PASS[collective] * (n - 1)
        between = 0 if nodes == 1 else PER_PASS[collective] * (nodes if per_node and steps > n else nodes - 1)
        return Hops(steps - between, between)
    return {
        TREE: Hops(2 * (local - 1), 2 * depth),
        NVLS: Hops(1, 1 if nodes > 1 else 0, has_base=False),
        NVLS_TREE: Hops(1, 2 * depth),
        PAT: Hops(0, depth / 3.5, extra_us=2.8 * n),
        COLLNET_DIRECT: Hops(2 * min(1, local - 1), 1, extra_us=2 * 0.4 * (local - 1)),
        COLLNET_CHAIN: Hops(2 * (local - 1), 1),
    }[algorithm]


def _chain(machine: Machine) -> Hops:
    """A pipeline through all ranks: inside each node, and from node to node."""
    between = machine.nodes - 1
    return Hops(machine.ranks - 1 - between, between)


def _latency_us(of: Library, tuning: Tuning, machine: Machine, collective: str, algorithm: str, protocol: int) -> float:
    inside, between = hop_us(of, tuning, machine, algorithm, protocol)
    plugin = of.plugin_of(machine.transport, machine.generation)
    if plugin is not None:
        between += plugin.latency_us * (2 if protocol == SIMPLE else 1)
    base = tuning.base_us.get(algorithm, (0.0, 0.0, 0.0))[protocol]
    if algorithm == RING and collective not in PER_PASS:
        return base + (inside if machine.nodes == 1 else between)
    found = hops(machine, collective, algorithm, per_node=of.inter_all_reduce_per_node)
    if algorithm == RING and machine.nodes > 1:
        overhead = of.net_overhead_us.get(machine.cpu, 0.0) * (3 if protocol == SIMPLE else 1)
        inside = max(inside, overhead)
    return (base if found.has_base else 0.0) + found.inside * inside + found.between * between + found.extra_us


def hop_us(of: Library, tuning: Tuning, machine: Machine, algorithm: str, protocol: int) -> tuple[float, float]:
    """(a hop inside a node, a hop between nodes) in microseconds, as the library takes them."""
    table = tuning.scale_up_us if machine.scale_up_gbytes_per_s else tuning.pcie_us
    inside = table.get(algorithm, (0.0, 0.0, 0.0))[protocol]
    name = TREE if machine.local == 1 and algorithm == RING else algorithm
    between = tuning.network_us.get(name, (0.0, 0.0, 0.0))[protocol]
    return inside, between


# -- bandwidth ---------------------------------------------------------------------------------------------------------


def _bandwidth(
    of: Library, tuning: Tuning, machine: Machine, collective: str, algorithm: str, protocol: int, channels: Channels
) -> float:
    if tuning.ratios_two_nodes:
        ratios = tuning.ratios_two_nodes if machine.nodes <= 2 else tuning.ratios_more_nodes
        busbw = channels.gbytes_per_s_in_all * ratios.get(algorithm, (0.0, 0.0, 0.0))[protocol]
    elif algorithm in (NVLS, NVLS_TREE):
        busbw = _nvls(machine, collective, algorithm, channels)
    else:
        busbw = _capped(of, machine, algorithm, protocol, channels)
    if algorithm == COLLNET_DIRECT and collective != "all-reduce":
        return machine.local * 0.9 * channels.gbytes_per_s
    return busbw * _algbw_share(machine, collective, algorithm)


def _algbw_share(machine: Machine, collective: str, algorithm: str) -> float:
    n = machine.ranks
    if algorithm in (RING, NVLS, NVLS_TREE):
        return n / (PER_PASS[collective] * (n - 1)) if collective in PER_PASS else 1.0
    return 0.5 if collective == "all-reduce" else 1.0


def _nvls(machine: Machine, collective: str, algorithm: str, channels: Channels) -> float:
    if channels.graph < 2:
        return 0.0
    of, count = machine.generation, channels.graph
    inside = channels.gbytes_per_s * of.nvls_share * (count - 1) / count
    inside *= 2 if collective == "all-reduce" else (machine.local - 1) / machine.local
    speed = inside
    if machine.nodes > 1:
        nic = min(machine.nic_gbytes_per_s * machine.nics / count, max(of.speeds_more_nodes))
        nic = next((one for one in of.speeds_more_nodes if one <= nic), nic)
        speed = min(inside, nic * (2 if algorithm == NVLS_TREE and machine.nodes <= 2 else 1))
        if algorithm == NVLS_TREE:
            speed = min(speed, of.nvls_tree_per_channel[machine.node_index])
    return count * speed


def _capped(of: Library, machine: Machine, algorithm: str, protocol: int, channels: Channels) -> float:
    gpu, at, count = machine.generation, machine.node_index, channels.used
    whole = channels.gbytes_per_s_in_all
    ll_most = gpu.ll_most_gbytes_per_s
    if machine.nodes > 1:
        rows = of.ll_most_two_nodes if machine.nodes == 2 else of.ll_most_more_nodes
        ll_most = rows.get(machine.cpu, ll_most)
    if algorithm == RING:
        return (
            min(ll_most, 0.5 * whole),
            min(0.92 * whole, count * gpu.ring_ll128_per_channel[at]),
            whole,
        )[protocol]
    if algorithm == TREE:
        tree = min(0.92 * whole, count * gpu.tree_per_channel[at])
        share = 7 / 9 if machine.nodes == 1 else 120 / 128
        return (
            min(tree / 3.8, ll_most),
            min(tree * share, count * gpu.tree_ll128_per_channel[at]),
            tree,
        )[protocol]
    if algorithm == PAT:
        return 0.75 * whole
    if algorithm == COLLNET_DIRECT:
        ratio = machine.local / channels.graph
        factor = ratio - (ratio - 1) / 2
        return whole / factor * (0.85 if gpu.compute_capability >= HOPPER else 1.0)
    return whole


def _corrections(tuning: Tuning, machine: Machine, collective: str, algorithm: str, protocol: int) -> tuple[float, ...]:
    if collective != "all-reduce":
        return ()
    if algorithm == TREE and tuning.tree_correction:
        return tuning.tree_correction[protocol]
    if algorithm == RING and machine.nodes > 1 and tuning.ring_correction:
        return tuning.ring_correction[protocol]
    if algorithm == NVLS_TREE and machine.generation.compute_capability >= BLACKWELL and tuning.tree_correction:
        return tuning.tree_correction[protocol]
    return ()
