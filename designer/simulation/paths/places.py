"""An end of paths as the graph has it: the GPUs that traffic begins or ends at."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from designer.errors import ParameterError
from designer.graph.arrays import SWITCH
from designer.model.design import Design
from designer.model.entities import End
from designer.routing.network import Network
from designer.simulation.paths.place import Place


@dataclass(frozen=True, slots=True, eq=False)
class PathEnd:
    """The GPUs of a place; `leaf` is the switch (vertex) where its paths begin and end, `link` one they must cross.

    Of a switch without GPUs, such as a spine, `passed` is the switch that paths lead to or from, and `gpus` are all.
    """

    name: str
    gpus: NDArray[np.int64]
    leaf: int | None = None
    link: int | None = None
    passed: int | None = None

    @property
    def cut(self) -> int | None:
        """The switch that its paths are cut off at; None where they go on to GPUs."""
        return self.passed if self.leaf is None else self.leaf


def path_end(design: Design, net: Network, place: Place) -> PathEnd:
    """The place as the network has it; a leaf switch stands for the GPUs on it, a spine for what passes it.

    Raises ParameterError for a place that is not in the network.
    """
    graph, name = net.graph, place.name(design)
    try:
        number = graph.device_ids.index(place.device_id)
    except ValueError:
        raise ParameterError(f"{name} is not in this network, or is marked as failed") from None
    gpus = np.flatnonzero(graph.device[: graph.n_endpoints] == number)
    leaf = passed = None
    if not len(gpus):
        vertex, gpus = _on_switch(net, number)
        leaf, passed = (vertex, None) if len(gpus) else (None, vertex)
    if place.gpu is not None:
        gpus = gpus[graph.local[gpus] == place.gpu]
        if not len(gpus):
            raise ParameterError(f"{design.device(place.device_id).name} has no GPU {place.gpu}")
    link = _link_at(design, net, place, name) if place.port is not None else None
    if passed is not None:
        return PathEnd(name, np.flatnonzero((net.ends.leaf >= 0).any(axis=1)), None, link, passed)
    if link is not None and leaf is None:
        arcs = np.flatnonzero(graph.link == link)
        gpus = gpus[np.isin(net.ends.out[gpus], arcs).any(axis=(1, 2))]
        if not len(gpus):
            raise ParameterError(f"no GPU sends through {name}")
    return PathEnd(name, gpus.astype(np.int64), leaf, link)


def _on_switch(net: Network, number: int) -> tuple[int, NDArray[np.int64]]:
    """(vertex of the switch, GPUs on it)."""
    graph, switches = net.graph, net.switches
    vertex = int(np.flatnonzero((graph.device == number) & (graph.kind == SWITCH))[0])
    leaf = int(switches.leaf_of[vertex - switches.first])
    on_it = np.flatnonzero((net.ends.leaf == leaf).any(axis=1)) if leaf >= 0 else np.empty(0, dtype=np.int64)
    return vertex, on_it


def _link_at(design: Design, net: Network, place: Place, name: str) -> int:
    """The number of the link on a place's port."""
    links = design.links_at(End(place.device_id, place.port or ""))
    known = [link for link in links if link in net.graph.link_ids]
    if not known:
        raise ParameterError(f"{name} has no link in this network, or it is marked as failed")
    return net.graph.link_ids.index(known[0])
