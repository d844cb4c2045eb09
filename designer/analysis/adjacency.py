"""Who is linked to whom in a network, as arrays: a row for every two devices with links between them."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from designer.analysis.survey import Survey

NO_TIER = -1


@dataclass(frozen=True, slots=True, eq=False)
class Adjacency:
    """The pairs of devices of a network that links join, the end nearer to the servers first. Devices have numbers.

    Links from a device to itself and links that carry nothing are left out.
    """

    ids: tuple[str, ...]
    """By number: servers, then switches, both in design order."""
    number: Mapping[str, int]
    n_servers: int
    tier: NDArray[np.int16]  # (n_devices,) NO_TIER where no path joins it to a server
    low: NDArray[np.int64]  # (n_pairs,)
    high: NDArray[np.int64]  # (n_pairs,)
    n_links: NDArray[np.int64]  # (n_pairs,)
    gbps: NDArray[np.float64]  # (n_pairs,) of all links of the pair, one direction
    run: NDArray[np.int64]  # (n_runs,) indexes into the survey's fabric_runs, those of a pair one after another
    start: NDArray[np.int64]  # (n_pairs + 1,) where the runs of a pair begin

    @property
    def n_devices(self) -> int:
        """Servers and switches."""
        return len(self.ids)

    @property
    def of_switches(self) -> NDArray[np.int64]:
        """Indexes of the pairs of two switches."""
        found: NDArray[np.int64] = np.flatnonzero((self.low >= self.n_servers) & (self.high >= self.n_servers))
        return found

    @property
    def of_servers(self) -> NDArray[np.int64]:
        """Indexes of the pairs of a server and a switch."""
        found: NDArray[np.int64] = np.flatnonzero((self.low < self.n_servers) & (self.high >= self.n_servers))
        return found

    def runs(self, pair: int) -> list[int]:
        """Indexes into the survey's fabric_runs of the links of a pair."""
        found: list[int] = self.run[self.start[pair] : self.start[pair + 1]].tolist()
        return found


def adjacency(surveyed: Survey) -> Adjacency:
    """The pairs of devices that the links of a network join."""
    ids = tuple(device.id for device in (*surveyed.servers, *surveyed.switches))
    number = {one: place for place, one in enumerate(ids)}
    runs = surveyed.fabric_runs
    low = np.fromiter((number[run.low.device_id] for run in runs), np.int64, len(runs))
    high = np.fromiter((number[run.high.device_id] for run in runs), np.int64, len(runs))
    gbps = np.fromiter((run.capacity_gbps for run in runs), np.float64, len(runs))
    n_devices = max(1, len(ids))
    key = low * n_devices + high
    kept = np.flatnonzero(low != high)
    order = kept[np.argsort(key[kept], kind="stable")]
    key = key[order]
    first = np.flatnonzero(np.diff(key, prepend=-1))
    start = np.append(first, len(order))
    return Adjacency(
        ids,
        number,
        len(surveyed.servers),
        np.array([surveyed.tier.get(one, NO_TIER) for one in ids], dtype=np.int16),
        key[first] // n_devices,
        key[first] % n_devices,
        np.diff(start),
        np.add.reduceat(gbps[order], first) if len(first) else np.zeros(0),
        order,
        start,
    )
