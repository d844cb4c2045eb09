"""Names of the parts of a graph in letters that every simulator takes: GPUs, NIC ports, switches, and arcs."""

import re
from collections.abc import Iterable, Sequence

import numpy as np

from designer.exchange.node_names import NameRule, plain_names
from designer.graph.arrays import CROSSBAR, GPU, NIC, Graph

SIMULATED = NameRule("a part of a simulation", re.compile(r"[^A-Za-z0-9_.:-]"), most=200)


def vertex_names(graph: Graph) -> tuple[str, ...]:
    """By vertex: "gpu-001.gpu3", "gpu-001.nic0", "gpu-001.scale-up", "leaf-01"; a host of one GPU has its own name."""
    names = plain_names([name or "device" for name in graph.device_names], SIMULATED)
    gpus = np.bincount(graph.device[: graph.n_endpoints], minlength=len(names))

    def one(vertex: int) -> str:
        device, kind, local = int(graph.device[vertex]), int(graph.kind[vertex]), int(graph.local[vertex])
        if kind == GPU:
            return names[device] if gpus[device] == 1 else f"{names[device]}.gpu{local}"
        if kind == NIC:
            return f"{names[device]}.nic{local}"
        return f"{names[device]}.scale-up" if kind == CROSSBAR else names[device]

    return tuple(map(one, range(graph.n_vertices)))


def arc_names(graph: Graph, arcs: Iterable[int], vertices: Sequence[str]) -> dict[int, str]:
    """By arc: both ends with their ports, "leaf-01:33_to_spine-01:1", all different."""
    listed = list(arcs)

    def end(arc: int) -> str:
        port = graph.port_name(arc)
        name = vertices[int(graph.source[arc])]
        return f"{name}:{port}" if port else name

    names = plain_names([f"{end(arc)}_to_{end(arc ^ 1)}" for arc in listed], SIMULATED, "link")
    return dict(zip(listed, names, strict=True))
