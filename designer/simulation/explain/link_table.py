"""The loads of links as arrays, for tables and plots."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from designer.simulation.result import Result


@dataclass(frozen=True, slots=True, eq=False)
class LinkTable:
    """A row for each direction of each link, hottest first: by peak utilization, then by bytes.

    Utilization is a share of what the link carries of payload: 1.0 is a full link.
    """

    link_ids: tuple[str, ...]
    """(n_rows,) every link twice, once for each direction."""
    source: tuple[str, ...]
    """(n_rows,) name of the device that sends."""
    source_port: tuple[str, ...]
    target: tuple[str, ...]
    target_port: tuple[str, ...]
    capacity_gbps: NDArray[np.float64]  # (n_rows,) line rate, one direction
    bytes: NDArray[np.float64]  # (n_rows,) over the whole run
    utilization_mean: NDArray[np.float64]  # (n_rows,) over the time of the run
    utilization_peak: NDArray[np.float64]  # (n_rows,)

    def __len__(self) -> int:
        return len(self.link_ids)


def link_table(result: Result) -> LinkTable:
    """The links of a result; failed links are not in it."""
    graph = result.graph
    arcs = np.flatnonzero(graph.link >= 0)
    peak = result.utilization_peak
    arcs = arcs[np.lexsort((arcs, -result.bytes[arcs], -np.round(peak[arcs], 9)))]
    rows = arcs.tolist()
    return LinkTable(
        tuple(graph.link_ids[link] for link in graph.link[arcs].tolist()),
        tuple(graph.device_name(vertex) for vertex in graph.source[arcs].tolist()),
        tuple(graph.port_name(arc) for arc in rows),
        tuple(graph.device_name(vertex) for vertex in graph.target[arcs].tolist()),
        tuple(graph.port_name(arc ^ 1) for arc in rows),
        graph.capacity_gbps[arcs].copy(),
        result.bytes[arcs],
        result.utilization_mean[arcs],
        peak[arcs],
    )
