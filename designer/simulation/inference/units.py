"""Which ranks hold what of a model in a pool, and what they send to each other in one layer, hop or transfer."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from designer.routing.network import Network
from designer.simulation.inference.request import Degrees, Inference
from designer.simulation.traffic.collectives import Plan
from designer.simulation.traffic.phases import Flows, Phase, flows

Table = NDArray[np.int64]

SAME = 1e-9
"""A smaller share is rounding."""


@dataclass(frozen=True, slots=True, eq=False)
class PoolRanks:
    """The ranks of a pool: (units, pipeline, replicas, tensor)."""

    table: Table

    @property
    def tensor(self) -> Table:
        """(n, tensor) the groups that share each layer."""
        return self.table.reshape(-1, self.table.shape[3])

    @property
    def expert(self) -> Table:
        """(n, replicas x tensor) the groups that the experts of a stage are divided among."""
        units, stages, replicas, tensor = self.table.shape
        return self.table.reshape(units * stages, replicas * tensor)

    @property
    def replicas(self) -> Table:
        """(n, pipeline x tensor) the ranks that hold the cache of the same requests."""
        units, stages, replicas, tensor = self.table.shape
        return self.table.transpose(0, 2, 1, 3).reshape(units * replicas, stages * tensor)

    @property
    def stages(self) -> tuple[Table, Table]:
        """The ranks of every stage but the last, and those they pass activations on to."""
        return self.table[:, :-1].reshape(-1), self.table[:, 1:].reshape(-1)


def pools_of(
    ranks: Table, inference: Inference, prefill: Degrees, decode: Degrees, units: tuple[int, int]
) -> tuple[PoolRanks, PoolRanks]:
    """The ranks of both pools, as the arrangement says."""
    is_first = _turns(*units) if inference.arrangement == "mixed" else np.arange(sum(units)) < units[0]
    sizes = np.where(is_first, prefill.unit, decode.unit)
    starts = np.cumsum(sizes) - sizes
    return tuple(  # type: ignore[return-value]
        PoolRanks(_of_units(ranks, starts[mask], degrees))
        for mask, degrees in ((is_first, prefill), (~is_first, decode))
    )


def _turns(first: int, second: int) -> NDArray[np.bool_]:
    """(first + second,) whether each unit is of the first pool, both spread evenly."""
    places = np.concatenate([(np.arange(first) + 0.5) / first, (np.arange(second) + 0.5) / second])
    return np.asarray(np.argsort(places, kind="stable") < first)


def _of_units(ranks: Table, starts: Table, degrees: Degrees) -> Table:
    places = starts[:, None] + np.arange(degrees.unit)
    shape = len(starts), degrees.pipeline, degrees.replicas, degrees.tensor
    return np.asarray(ranks[places].reshape(shape), dtype=np.int64)


def along_stages(pool: PoolRanks, part_bytes: float) -> Plan:
    """The activations of every stage to the next; each GPU sends its tensor rank's part."""
    return Plan([Phase("activations to the next stage", 1, flows(*pool.stages, part_bytes))])


# -- experts ----------------------------------------------------------------------------------------------------------


def servers_per_token(n_servers: int, top_k: int, most: int | None) -> float:
    """Mean number of servers that the experts of a token are on, chosen evenly: S (1 - (1 - 1/S)^k), at most `most`."""
    mean = n_servers * (1 - (1 - 1 / n_servers) ** top_k)
    return min(mean, most or mean, n_servers)


def domains_of(network: Network, ranks: Table) -> Table:
    """(n_ranks,) a number for the scale-up domain or, without one, the GPU itself."""
    ends = network.ends
    domain = np.where(ends.domain >= 0, ends.domain, -1 - np.arange(len(ends.domain)))
    return np.asarray(np.where(ends.drawn >= 0, network.graph.n_vertices + ends.drawn, domain)[ranks], dtype=np.int64)


def once_per_server(
    network: Network, groups: Table, sent_bytes: float, copies: float, per_server: float, *, is_combine: bool
) -> Plan:
    """Tokens to experts, or back, so that each crosses the fabric once for each server it has experts on.

    A GPU's tokens have `sent_bytes` and `copies` experts each, on `per_server` servers. They go to the GPU at the same
    place in each server and from there to those of the experts; on the way back they are added up there. All of it runs
    at once, as a pipeline of small chunks does. Source: DeepEP, its kernels for prefill.
    """
    sources, targets, sizes = [], [], []
    for group in groups:
        servers = _servers(network, group)
        n, share = len(servers), sent_bytes / len(group)
        across = sent_bytes * per_server / n
        for here in servers:
            for there in servers:
                if there is not here:
                    sources.append(here)
                    targets.append(there[np.arange(len(here)) % len(there)])
                    sizes.append(np.full(len(here), across))
            first, second = np.nonzero(~np.eye(len(here), dtype=bool))
            # What lands on a GPU of this server comes from its peers in all of them.
            forwarded = share * copies * len(group) / len(here)
            sources.append(here[first])
            targets.append(here[second])
            sizes.append(np.full(len(first), forwarded))
    src, dst, size = np.concatenate(sources), np.concatenate(targets), np.concatenate(sizes)
    name = "combine" if is_combine else "dispatch"
    return Plan([Phase(name, 1, flows(dst, src, size) if is_combine else flows(src, dst, size))])


def _servers(network: Network, group: Table) -> list[Table]:
    """The ranks of a group by scale-up domain, in rank order."""
    domain = domains_of(network, group)
    return [group[domain == one] for one in dict.fromkeys(domain.tolist())]


def largest_servers(network: Network, groups: Table) -> int:
    """The most scale-up domains that any group is on."""
    return max(len(set(domains_of(network, group).tolist())) for group in groups)


# -- the cache --------------------------------------------------------------------------------------------------------


def cache_transfer(
    prefill: PoolRanks, decode: PoolRanks, degrees: tuple[Degrees, Degrees], kv_heads: int, replica_bytes: float
) -> Plan:
    """What every prefill replica has computed in a pass, to one decode replica each, in turns over all of them.

    The cache of a replica has `replica_bytes`, divided by stages and by key-value heads. Where a tensor group has more
    GPUs than there are heads, some hold the same: each GPU that decodes gets its part from one of them.
    """
    here, there = prefill.replicas, decode.replicas
    source, target, share = _parts(degrees[0], degrees[1], kv_heads)
    # Neighbors among the prefill replicas send to replicas that are far apart in their pool, so that few units fill.
    to = _spread(len(here), len(there))
    src, dst = here[:, source].reshape(-1), there[to][:, target].reshape(-1)
    sent: Flows = flows(src, dst, np.tile(share * replica_bytes, len(here)))
    return Plan([Phase("key-value cache to the decode pool", 1, sent)])


def _spread(first: int, second: int) -> Table:
    """(first,) which of `second` replicas each one sends to: evenly, all of the pool."""
    return np.asarray((np.arange(first) * max(second, first) // first) % second, dtype=np.int64)


def _parts(prefill: Degrees, decode: Degrees, kv_heads: int) -> tuple[Table, Table, NDArray[np.float64]]:
    """Places in a replica that send, those that receive, and the share of the replica's cache between them."""
    source, target, shares = [], [], []
    heads = [min(one.tensor, kv_heads) for one in (prefill, decode)]
    for stage in range(decode.pipeline):
        for place in range(decode.tensor):
            part = place * heads[1] // decode.tensor
            for from_stage in range(prefill.pipeline):
                layers = _common(stage, decode.pipeline, from_stage, prefill.pipeline)
                for from_part in range(heads[0]):
                    share = layers * _common(part, heads[1], from_part, heads[0])
                    if share > SAME:
                        holders = [p for p in range(prefill.tensor) if p * heads[0] // prefill.tensor == from_part]
                        source.append(from_stage * prefill.tensor + holders[place % len(holders)])
                        target.append(stage * decode.tensor + place)
                        shares.append(share)
    return np.array(source), np.array(target), np.array(shares)


def _common(part: int, of: int, other: int, of_other: int) -> float:
    """What two parts of the same whole have in common, as a share of it: part 0 of 2 and part 1 of 4 a quarter."""
    low, high = max(part / of, other / of_other), min((part + 1) / of, (other + 1) / of_other)
    return max(0.0, high - low)
