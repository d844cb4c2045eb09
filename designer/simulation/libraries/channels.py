"""Channels and the speed of each, as the library's search of the machine ends: the graph stage.

The search itself is not repeated. Of the speeds that it tries, the one is taken whose channels carry most, and the
fastest of those; then channels are doubled as the library does. Source: src/graph/search.cc and connect.cc of NCCL.
"""

from dataclasses import dataclass, replace
from math import floor

from designer.simulation.libraries.constants import LL, LL128, NVLS, NVLS_TREE, RING, SIMPLE
from designer.simulation.libraries.machine import Machine

KIB = 1024
MANY_NODES = 4
MOST_CHANNELS = 64
MOST_IN_SEARCH = 32
SPLIT_FROM_GBYTES_PER_S, HOPPER_SPLIT_GBYTES_PER_S = 25, 50
THREADS = {LL: 512, LL128: 640, SIMPLE: 512}
BYTES_PER_THREAD = {LL: 8, LL128: 8, SIMPLE: 64}


@dataclass(frozen=True, slots=True)
class Channels:
    """`graph` channels of `gbytes_per_s` each are what costs are reckoned with; `used` are what kernels run on."""

    graph: int
    gbytes_per_s: float
    used: int

    @property
    def gbytes_per_s_in_all(self) -> float:
        """What all channels carry together."""
        return self.graph * self.gbytes_per_s


def searched(machine: Machine, pcie_gbytes_per_s: float) -> Channels:
    """The channels of rings and trees."""
    of, one_node = machine.generation, machine.nodes == 1
    inside = machine.links * of.link_gbytes_per_s if machine.links else pcie_gbytes_per_s
    speeds = of.speeds_one_node if one_node else of.speeds_more_nodes
    if one_node:
        count, speed = _best(speeds, inside)
    else:
        count, speed = _over_nics(machine, speeds, inside)
    if speed >= SPLIT_FROM_GBYTES_PER_S and not _stays_whole(machine, count, speed):
        count, speed = min(2 * count, MOST_IN_SEARCH), speed / 2
    used = min(2 * count, MOST_CHANNELS)
    if of.compute_capability >= 9 and not one_node and speed > 45 and used < 16:
        used = min(2 * used, MOST_CHANNELS)
    return Channels(count, speed, used)


def searched_tree(machine: Machine, pcie_gbytes_per_s: float) -> Channels:
    """Those of trees: on two nodes the search raises what they carry inside a node, where a switch allows it."""
    found = searched(machine, pcie_gbytes_per_s)
    if machine.nodes != 2 or not machine.has_switch:
        return found
    of = machine.generation
    inside = machine.links * of.link_gbytes_per_s / found.graph
    speed = next((one for one in of.speeds_more_nodes if one <= inside), found.gbytes_per_s)
    return replace(found, gbytes_per_s=max(found.gbytes_per_s, speed))


def searched_nvls(machine: Machine) -> Channels:
    """The channels of NVLS: one for each head, a GPU that adds up its part."""
    of = machine.generation
    inside = machine.links * of.link_gbytes_per_s
    heads = max(1, min(machine.local, MOST_IN_SEARCH))
    per_head = inside / min(heads, 8)
    speed = next((one for one in of.speeds_one_node if one <= per_head), per_head)
    return Channels(min(heads, 8), speed, _nvls_channels(machine))


def channels_for(machine: Machine, found: Channels, algorithm: str, protocol: int, size_bytes: float) -> int:
    """How many channels one operation uses: all, or fewer where the buffer would leave them little each."""
    if algorithm in (NVLS, NVLS_TREE):
        return found.used
    threads, count = THREADS[protocol], found.used
    threshold = BYTES_PER_THREAD[protocol] * (machine.ranks if algorithm == RING and protocol == LL else 1)
    return max(1, min(count, floor(size_bytes / (threads * threshold))))


def _best(speeds: tuple[float, ...], inside: float) -> tuple[int, float]:
    fits = [(min(floor(inside / speed), MOST_IN_SEARCH), speed) for speed in speeds if speed <= inside]
    if not fits:
        return 1, inside
    return max(fits, key=lambda fit: (fit[0] * fit[1], fit[1]))


def _over_nics(machine: Machine, speeds: tuple[float, ...], inside: float) -> tuple[int, float]:
    """As many channels as NICs, each as fast as its NIC and what GPUs pass on inside the node allow."""
    count = max(1, min(machine.nics, MOST_IN_SEARCH))
    nic = machine.nic_gbytes_per_s * machine.nics / count if machine.nics else inside
    # A GPU passes on inside the node all channels but those that leave by a NIC of its own.
    share = count * (machine.local - 1) / machine.local if machine.local > 1 else 0
    limit = min(nic, inside / share) if share else nic
    speed = next((one for one in speeds if one <= limit), speeds[-1])
    return count, speed


def _stays_whole(machine: Machine, count: int, speed: float) -> bool:
    return machine.generation.compute_capability > 8 and speed < HOPPER_SPLIT_GBYTES_PER_S and count > 4


def _nvls_channels(machine: Machine) -> int:
    most, nic = machine.generation.nvls_channels, machine.nic_gbytes_per_s
    if machine.generation.compute_capability < 10 or machine.nodes == 1:
        return most
    if machine.nodes == 2 and nic >= 48:
        return 32
    if nic >= 96:
        return 24 if machine.local <= 8 else 32
    return 24 if nic >= 48 else 32


def nvls_tree_chunk_bytes(machine: Machine) -> int:
    """The largest chunk of an NVLS tree: ncclNvlsTuning in src/transport/nvls.cc of NCCL.

    With up to 8 GPUs on a node, NICs and GPUs are taken to share PCIe switches, as in all such servers of the catalog.
    """
    local, nodes, nic = machine.local, machine.nodes, machine.nic_gbytes_per_s
    shares_switch = local <= 8
    if machine.generation.compute_capability < 10 or nic < 48:
        return 64 * KIB if nodes >= MANY_NODES else 128 * KIB
    if nodes == 2:
        small = local >= 16 or (local > 4 and shares_switch and nic < 96)
        return 64 * KIB if small else 256 * KIB if local <= 4 else 128 * KIB
    if nic >= 96:
        return 256 * KIB if local <= 8 else 128 * KIB if local < 32 else 64 * KIB
    return 64 * KIB if shares_switch else 128 * KIB
