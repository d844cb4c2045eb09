"""Policy `ecmp`: each flow hashed, at every switch again, onto one of the equal-cost ports: collisions as with RoCE.

Parallel links count as separate ports. The hash is of source, destination, channel, switch and seed, or of fields of
the five tuple with a function and seeds as switches have them (five_tuples). A connection of several queue pairs is
hashed once for each, as each has a UDP source port of its own, and they share its bytes evenly; the flow ends when all
of them have sent theirs, so that the slowest sets its pace.
Source: NCCL's environment variable NCCL_IB_QPS_PER_CONNECTION, "to have good routing entropy".
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from designer.routing import five_tuples, kernels
from designer.routing.attachment import WIDTH
from designer.routing.given import HASH, HASH_FIELDS, PER_SWITCH, TIER_OFFSET, XOR
from designer.routing.hashes import mixed, salts
from designer.routing.kernels import ECMP, Choice
from designer.routing.legs import Legs, legs
from designer.routing.network import Network
from designer.routing.paths import Paths, single_paths
from designer.routing.planes import plane_pick
from designer.routing.transport_kernels import Rows

Words = NDArray[np.uint64]
APART_SWITCHES = np.uint64(0xD1342543DE82EF95)
APART = 0x9E3779B9
# Seeds of queue pairs are so far apart that nobody counts from one to the next; the rest is that of the switches.


def route(
    network: Network,
    src: NDArray[np.int64],
    dst: NDArray[np.int64],
    size_bytes: NDArray[np.float64],
    channel: NDArray[np.int64],
    seed: int,
) -> Paths:
    """Paths of flows between endpoints."""
    if network.switching.queue_pairs > 1:
        return _by_queue_pair(network, src, dst, size_bytes, channel, seed)
    salt = salts(src, dst, channel, seed)
    found = legs(network, src, dst, plane_pick(network, channel, seed, HASH))
    return single_paths(network, found, size_bytes, _choice(network, found, salt[found.flow], seed))


def _choice(network: Network, found: Legs, salt: Words, seed: int) -> Choice:
    """The hash of legs: ideally of who sends to whom, else of the five tuple as it is set."""
    switching, switches = network.switching, network.switches
    number, no_turns = np.arange(switches.n_switches, dtype=np.uint64), np.zeros(switches.n_switches, dtype=np.uint64)
    own = number * APART_SWITCHES
    if switching.hashes_ideally:
        return Choice(ECMP, salt, own, no_turns, 64, True)
    fields, function, seeds = switching.hash_fields or HASH_FIELDS, switching.hash_function, switching.hash_seeds
    values = _five_tuple(network, found, salt)
    data, width = five_tuples.packed(values, fields), five_tuples.WIDTHS[function]
    turns = (8 * switches.tier.astype(np.uint64)) % np.uint64(width) if seeds == TIER_OFFSET else no_turns
    differs = mixed(own ^ mixed(np.full(len(own), seed % APART, dtype=np.uint64))) if seeds == PER_SWITCH else no_turns
    if function in five_tuples.CRCS:
        crc = five_tuples.CRCS[function]
        return Choice(ECMP, crc.of(data), crc.after_zeros(differs, data.shape[1]), turns, width, False)
    if function == XOR:
        return Choice(ECMP, five_tuples.folded(data), differs & np.uint64(2**width - 1), turns, width, False)
    key = np.zeros(len(salt), dtype=np.uint64)
    for name in HASH_FIELDS:
        key = mixed(key ^ values[name]) if name in fields else key
    return Choice(ECMP, key, differs, turns, width, True)


def _five_tuple(network: Network, found: Legs, salt: Words) -> dict[str, Words]:
    """What packets of legs have in their headers, as far as switches hash it."""
    graph, last, first = network.graph, found.out[:, WIDTH - 1], found.in_[:, 0]
    source = five_tuples.addresses(graph, np.where(last >= 0, graph.source[last], -1))
    target = five_tuples.addresses(graph, np.where(first >= 0, graph.target[first], -1))
    fixed = (np.full(len(salt), value, dtype=np.uint64) for value in (five_tuples.ROCE_PORT, five_tuples.UDP))
    return dict(zip(HASH_FIELDS, (source, target, five_tuples.source_ports(salt), *fixed), strict=True))


def one_queue_pair(network: Network) -> Network:
    """The network where each connection has one queue pair."""
    return replace(network, switching=replace(network.switching, queue_pairs=1))


def seed_of(seed: int, queue_pair: int) -> int:
    """The seed by which the flows of a queue pair are hashed: that of the first is the one given."""
    return seed + queue_pair * APART


def _by_queue_pair(
    network: Network,
    src: NDArray[np.int64],
    dst: NDArray[np.int64],
    size_bytes: NDArray[np.float64],
    channel: NDArray[np.int64],
    seed: int,
) -> Paths:
    """Paths of flows whose queue pairs take one way each."""
    alone, count = one_queue_pair(network), network.switching.queue_pairs
    each = [route(alone, src, dst, size_bytes / count, channel, seed_of(seed, number)) for number in range(count)]
    n_flows, n_arcs = len(src), network.graph.n_arcs
    flow = np.concatenate([np.repeat(np.arange(n_flows), np.diff(paths.start)) for paths in each])
    order = np.argsort(flow, kind="stable")
    start = np.searchsorted(flow[order], np.arange(n_flows + 1)).astype(np.int64)
    arcs, weights = (np.concatenate([getattr(paths, name) for paths in each])[order] for name in ("arcs", "weights"))
    rows = kernels.merged(Rows(start, arcs, weights / count), n_arcs)
    latency_ns = np.max([paths.latency_ns for paths in each], axis=0)
    return Paths(*rows, latency_ns, np.sum([paths.bytes_on for paths in each], axis=0), each[0].stands_for)
