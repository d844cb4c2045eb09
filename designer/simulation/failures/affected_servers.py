"""Who pays for what was lost: GPUs that send over a neighbor's NIC now, or over fewer of their own."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from designer.graph.arrays import Graph
from designer.routing.network import network
from designer.simulation.result import Result
from designer.units import format_counted


@dataclass(frozen=True, slots=True)
class AffectedServers:
    """GPUs that took part before and after and have less of a way to the fabric, and their servers."""

    borrowing: int
    """They had a linked NIC of their own, and send over that of a GPU of their domain now."""
    thinner: int
    """They have fewer linked NICs of their own than before."""
    servers: tuple[str, ...]
    """Ids of the servers of either."""

    @property
    def sentence(self) -> str:
        """As "32 GPUs in 32 servers lost the link of their NIC and now send through another GPU's NIC.", or empty."""
        of = f"in {format_counted(len(self.servers), 'server')}"
        stated = []
        if self.borrowing:
            lost = "its NIC and now sends" if self.borrowing == 1 else "their NIC and now send"
            gpus = format_counted(self.borrowing, "GPU")
            stated.append(f"{gpus} {of} lost the link of {lost} through another GPU's NIC.")
        if self.thinner:
            has = "has" if self.thinner == 1 else "have"
            stated.append(f"{format_counted(self.thinner, 'GPU')} {of} {has} fewer NICs than before.")
        return " ".join(stated)


NOBODY = AffectedServers(0, 0, ())


def affected_servers(before: Result, after: Result) -> AffectedServers:
    """Compare the ways of the GPUs that send something in both runs."""
    was, now = network(before.graph).ends, network(after.graph).ends
    then = _places_before(before.graph, after.graph)
    had = np.where(then >= 0, was.n_own[then], 0)
    sends = _sends(after, now.out)
    borrowed_then = np.where(then >= 0, was.borrowed[then], False)
    borrowing = (had > 0) & now.borrowed & ~borrowed_then & sends
    thinner = (now.n_own > 0) & (now.n_own < had) & ~borrowing & sends
    servers = np.unique(after.graph.device[np.flatnonzero(borrowing | thinner)])
    if not len(servers):
        return NOBODY
    ids = tuple(after.graph.device_ids[place] for place in servers.tolist())
    return AffectedServers(int(borrowing.sum()), int(thinner.sum()), ids)


def _places_before(before: Graph, after: Graph) -> NDArray[np.int64]:
    """(n_endpoints,) the number that each GPU of `after` has in `before`; -1 where it was not there."""
    n_before, n_after = before.n_endpoints, after.n_endpoints
    place_of = {device_id: place for place, device_id in enumerate(before.device_ids)}
    device = np.array([place_of.get(one, -1) for one in after.device_ids], dtype=np.int64)[after.device[:n_after]]
    largest = 1 + int(max(before.local[:n_before].max(initial=0), after.local[:n_after].max(initial=0)))
    there = before.device[:n_before].astype(np.int64) * largest + before.local[:n_before]
    keys = np.where(device >= 0, device * largest + after.local[:n_after], -1)
    order = np.argsort(there, kind="stable")
    found = order[np.minimum(np.searchsorted(there, keys, sorter=order), max(0, n_before - 1))]
    return np.where(there[found] == keys, found, -1)


def _sends(result: Result, out: NDArray[np.int32]) -> NDArray[np.bool_]:
    """(n_endpoints,) whether anything leaves the GPU on the first arc of its way out."""
    first = np.argmax(out[:, 0] >= 0, axis=1)
    arc = out[np.arange(len(out)), 0, first]
    bytes_on = np.append(result.bytes, 0.0)  # one more, so that arc -1 carries nothing
    sends: NDArray[np.bool_] = bytes_on[arc] > 0
    return sends
