"""How long an algorithm takes on the drawn fabric: latencies of its hops, pipeline fill, and bytes over port rates.

time = start + hops + pipeline fill + bytes over the busiest port / what the port carries of payload. The hops are those
of the algorithm, each as long as the library's constant times what measurements of that hardware say, and the drawn
path on top. The constants are in resources/calibration/*-measured.yaml, each for a generation of GPUs ("inside" nodes)
or a transport ("between" nodes); nothing here knows a single machine.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np

from designer.errors import CatalogError
from designer.simulation.libraries.channels import channels_for, nvls_tree_chunk_bytes
from designer.simulation.libraries.constants import (
    COLLNET_CHAIN,
    COLLNET_DIRECT,
    LL,
    NVLS,
    NVLS_TREE,
    PAT,
    RING,
    SIMPLE,
    TREE,
    Library,
    calibration_dir,
    no_such,
    read,
)
from designer.simulation.libraries.costs import Estimate, hop_us, hops
from designer.simulation.libraries.machine import Machine
from designer.simulation.libraries.port_loads import PortLoads

ANY = "any"
INSIDE: Mapping[str, float] = {
    "start": 1.0,
    "hop_ll": 1.0,
    "hop_ll128": 1.0,
    "hop_simple": 1.0,
    "share": 0.80,
    "nvls": 0.85,
    "ll": 0.45,
    "ll128": 0.92,
    "fill": 1.0,
    "ramp_us": 4.0,
    "peer_us": 0.5,
    "nvls_channel_gbytes_per_s": 25.0,
    "nvls_tree_channel_gbytes_per_s": 25.0,
}
"""Constants of a generation of GPUs, and the values used where no measurement was fitted: see docs/models.md."""
BETWEEN: Mapping[str, float] = {
    "hop_ll": 1.0,
    "hop_ll128": 1.0,
    "hop_simple": 1.0,
    "ring": 1.0,
    "share": 0.97,
    "tree": 0.92,
    "direct": 0.92,
    "ll": 0.25,
    "ll128": 0.9,
    "fill": 1.0,
    "rendezvous_us": 2.0,
    "peer_us": 5.0,
    "pair_gbytes_per_s": 25.0,
}
"""The same of a transport between nodes."""
SHARES = ("share", "nvls", "tree", "direct", "ll", "ll128")
"""Constants that are shares of a port's rate: no port carries more than its rate."""
EAGER_BYTES = {"slingshot": 4096, "efa": 16384, "efa-v1": 16384}
EAGER_BYTES_ELSE = 262144
"""Messages larger than this wait for the receiver's answer first: where the measured times step up."""
CHUNK_BYTES = {
    (TREE, 0): 16384,
    (TREE, 1): 480 * 1024,
    (TREE, 2): 524288,
    (NVLS, 2): 131072,
    (NVLS_TREE, 2): 131072,
    (COLLNET_DIRECT, 2): 131072,
    (COLLNET_CHAIN, 2): 262144,
    (PAT, 2): 524288,
}
"""Largest chunk of a channel by algorithm and protocol: src/enqueue.cc."""
NVLS_RATES = {NVLS: "nvls_channel_gbytes_per_s", NVLS_TREE: "nvls_tree_channel_gbytes_per_s"}
"""What a channel's kernel moves of the buffer, whatever the port of its GPU carries."""
MIB = 2**20
MOST_HEADS = 32
"""GPUs that a part of the buffer is added up on: NCCL_MAX_NVLS_ARITY in src/include/device.h."""
ONE = ("", "")
Key = tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitted:
    """Constants of one generation or transport, and the measurements that they were fitted to, by id."""

    values: Mapping[str, float]
    records: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSpread:
    """How runs of one job on one machine differ, by number of nodes: times of the median and the worst to the best."""

    nodes: int
    median: float
    worst: float
    records: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """What measurements say of a library's speed. `any` holds where a generation or transport has no figure."""

    library: str
    date: str
    source: str
    inside: Mapping[str, Fitted]
    between: Mapping[str, Fitted]
    launch_us: Mapping[str, float] = field(default_factory=dict)
    """What a host adds to every call, by what calls: nothing in nccl-tests."""
    spread: tuple[RunSpread, ...] = ()
    """By number of nodes, fewest first; empty where nobody measured it."""

    def spread_at(self, nodes: int) -> RunSpread | None:
        """How runs differ on so many nodes: as on the most nodes measured that are no more; None where none were."""
        return next((one for one in reversed(self.spread) if one.nodes <= nodes), None)

    def value(self, key: Key) -> float:
        """The constant of a generation or transport; that of `any`, or the one of the rules, where none was fitted."""
        if key == ONE:
            return 1.0
        place, name = key
        is_inside, plain = place.startswith(IN), place[3:]
        fitted, rules = (self.inside, INSIDE) if is_inside else (self.between, BETWEEN)
        for one in (plain, plain.partition("@")[0], ANY if is_inside else ""):
            if one in fitted and name in fitted[one].values:
                return fitted[one].values[name]
        return rules[name]


IN, OUT = "in:", "to:"


@cache
def measured(name: str) -> Measured:
    """The delivered constants of "nccl" or "rccl". Raises CatalogError naming file, field and fault."""
    return checked(read(calibration_dir() / f"{name}-measured.yaml", Measured))


def checked(found: Measured) -> Measured:
    """The constants themselves. Raises CatalogError for a name that is none, and for figures that cannot be."""
    for room, rules in ((found.inside, INSIDE), (found.between, BETWEEN)):
        for place, fitted in room.items():
            for name, value in fitted.values.items():
                if name not in rules:
                    raise CatalogError(f"{place}: {no_such('constant', name, tuple(rules))}")
                most = 1.0 if name in SHARES else 1e6
                if not 0 < value <= most:
                    raise CatalogError(f"{place}, {name}: {value} is not above 0 and up to {most:g}")
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What a time is made of, without the measured constants, whose places are `keys`. All may be arrays."""

    size_bytes: Any
    launch_us: Any
    base_us: Any
    hops_inside: Any
    inside_us: Any
    hops_between: Any
    between_us: Any
    path_us: Any
    waits: Any
    """1 where a message between nodes is too large to be sent before the receiver's answer, else 0."""
    extra_us: Any
    peers_inside: Any
    peers_between: Any
    inside_s_per_byte: Any
    between_s_per_byte: Any
    channels_s_per_byte: Any
    """Seconds for a byte at 1 GB/s where channels limit it, a pair's or those of NVLS, else 0."""
    depth: Any
    loop_bytes: Any
    ramp: Any
    """The cube root of the size in MiB with Simple: efficiency rises so slowly until buffers are huge; else 0."""
    keys: tuple[Key, ...] = ()


KEYS = (
    "start",
    "hop_inside",
    "share_inside",
    "protocol_inside",
    "hop_between",
    "share_between",
    "tree_between",
    "protocol_between",
    "rendezvous_us",
    "fill",
    "peer_inside_us",
    "peer_between_us",
    "channels_gbytes_per_s",
    "ring_between",
    "ramp_us",
)
"""What the constants at Terms.keys are for."""


def time_us(of: Terms, values: Callable[[int], Any]) -> Any:
    """The time in microseconds; `values` gives the constant at each place of KEYS, as a number or an array."""
    (
        start,
        hop,
        share,
        protocol,
        hop_out,
        share_out,
        tree,
        protocol_out,
        rendezvous,
        fill,
        near,
        far,
        channels,
        ring,
        ramp,
    ) = (values(place) for place in range(len(KEYS)))
    inside_s = of.inside_s_per_byte / (share * protocol)
    between_s = of.between_s_per_byte / (share_out * tree * protocol_out)
    sent_us = 1e6 * of.size_bytes * np.maximum(np.maximum(inside_s, between_s), of.channels_s_per_byte / channels)
    fill_us = fill * of.depth * sent_us * of.loop_bytes / (of.size_bytes + of.loop_bytes)
    wait_us = of.hops_inside * of.inside_us * hop
    wait_us = wait_us + of.hops_between * (of.between_us * hop_out * ring + of.path_us + of.waits * rendezvous)
    wait_us = wait_us + of.peers_inside * near + of.peers_between * far + of.ramp * ramp
    return of.launch_us + of.base_us * start + of.extra_us + wait_us + fill_us + sent_us


def places_of(machine: Machine) -> tuple[str, str]:
    """Where the constants of a machine stand: those of its GPUs, and those of its transport on them."""
    transport = f"{machine.transport}@{machine.generation.name}" if machine.transport else ANY
    return IN + machine.generation.name, OUT + transport


def terms_of(
    of: Library,
    machine: Machine,
    collective: str,
    choice: Estimate | None,
    loads: PortLoads,
    size_bytes: float,
    launch_us: float = 0.0,
) -> Terms:
    """What the time of one operation is made of; `choice` None for sends and receives between pairs."""
    if choice is None:
        return _direct(of, machine, collective, loads, size_bytes, launch_us)
    algorithm, protocol, channels = choice.algorithm, choice.protocol, choice.channels
    near, far = places_of(machine)
    word = ("ll", "ll128", "simple")[protocol]
    crosses = machine.nodes > 1
    tuning = of.tuning_of(machine.generation)
    found = hops(machine, collective, algorithm)
    inside_us, between_us = hop_us(of, tuning, machine, algorithm, protocol)
    used = channels_for(machine, channels, algorithm, protocol, size_bytes)
    lanes = min(channels.graph, machine.nics) if crosses else 1
    wire = size_bytes * (2 if protocol == LL else 1)
    base = tuning.base_us.get(algorithm, (0.0, 0.0, 0.0))[protocol] if found.has_base else 0.0
    loop, depth = _loop(machine, algorithm, protocol, used)
    keys: tuple[Key, ...] = (
        (near, "start"),
        (near, f"hop_{word}"),
        (near, "share"),
        (near, "nvls") if algorithm in (NVLS, NVLS_TREE) else ONE if protocol == SIMPLE else (near, word),
        (far, f"hop_{word}"),
        (far, "share"),
        (far, "tree") if algorithm in (TREE, NVLS_TREE) and machine.nodes > 2 else ONE,
        ONE if protocol == SIMPLE else (far, word),
        (far, "rendezvous_us"),
        (far if crosses else near, "fill"),
        ONE,
        ONE,
        (near, NVLS_RATES[algorithm]) if algorithm in NVLS_RATES else ONE,
        (far, "ring") if algorithm == RING else ONE,
        (near, "ramp_us"),
    )
    return Terms(
        size_bytes=size_bytes,
        launch_us=launch_us,
        base_us=base,
        hops_inside=found.inside,
        inside_us=inside_us,
        hops_between=found.between,
        between_us=between_us,
        path_us=loads.path_us,
        waits=float(wire > EAGER_BYTES.get(machine.transport, EAGER_BYTES_ELSE)),
        extra_us=found.extra_us,
        peers_inside=0.0,
        peers_between=0.0,
        inside_s_per_byte=loads.inside_s_per_byte * loads.stretch * max(1.0, channels.graph / used),
        between_s_per_byte=loads.between_s_per_byte / machine.host_share * loads.stretch * max(1.0, lanes / used),
        channels_s_per_byte=1e-9 / used if algorithm in (NVLS, NVLS_TREE) else 0.0,
        depth=depth,
        loop_bytes=loop,
        ramp=float(np.cbrt(size_bytes / MIB)) if protocol == SIMPLE else 0.0,
        keys=keys,
    )


def _loop(machine: Machine, algorithm: str, protocol: int, used: int) -> tuple[float, float]:
    """(bytes of the buffer in one round of chunks, how many rounds pass until the last rank works)."""
    chunk = CHUNK_BYTES.get((algorithm, protocol))
    if chunk is None:
        return 1.0, 0.0
    climbs = 2 * int(np.log2(machine.nodes))
    if algorithm in (NVLS, NVLS_TREE):
        if algorithm == NVLS_TREE:
            chunk = nvls_tree_chunk_bytes(machine)
        return float(used * min(machine.local, MOST_HEADS) * chunk), 1.0 + climbs
    return float(used * chunk), float(climbs + (machine.local > 1))


def _direct(
    of: Library, machine: Machine, collective: str, loads: PortLoads, size_bytes: float, launch_us: float
) -> Terms:
    """Send and receive between pairs: rounds over the peers, and channels of each pair."""
    near, far = places_of(machine)
    is_all = collective == "all-to-all"
    others = machine.local - 1 if is_all else 0
    tuning = of.tuning_of(machine.generation)
    inside_us, between_us = hop_us(of, tuning, machine, RING, SIMPLE)
    crosses = machine.nodes > 1
    return Terms(
        size_bytes=size_bytes,
        launch_us=launch_us,
        base_us=tuning.base_us[RING][SIMPLE],
        hops_inside=1.0,
        inside_us=inside_us,
        hops_between=float(crosses),
        between_us=between_us,
        path_us=loads.path_us,
        waits=0.0,
        extra_us=0.0,
        peers_inside=float(others),
        peers_between=float(machine.ranks - 1 - others if is_all and crosses else 0),
        inside_s_per_byte=loads.inside_s_per_byte * loads.stretch,
        between_s_per_byte=loads.between_s_per_byte / machine.host_share * loads.stretch,
        channels_s_per_byte=1e-9 if crosses and not is_all else 0.0,
        depth=0.0,
        loop_bytes=1.0,
        ramp=float(np.cbrt(size_bytes / MIB)),
        keys=(
            (near, "start"),
            (near, "hop_simple"),
            (near, "share"),
            ONE,
            (far, "hop_simple"),
            (far, "share"),
            (far, "direct") if is_all else ONE,
            ONE,
            (far, "rendezvous_us"),
            (far if crosses else near, "fill"),
            (near, "peer_us"),
            (far, "peer_us"),
            (far, "pair_gbytes_per_s"),
            ONE,
            (near, "ramp_us"),
        ),
    )
