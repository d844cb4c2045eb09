"""Which GPUs have no NIC in service of their own, and over which NICs their traffic leaves instead."""

from collections.abc import Sequence

import numpy as np

from designer.graph.arrays import Graph
from designer.routing.attachment import Attachment
from designer.units import format_count, format_counted

LEAST_SHOWN = 8
"""Lines on servers, and GPUs in a line, that are shown before the rest is counted."""


def borrowed_nics(graph: Graph, ends: Attachment) -> list[str]:
    """A line for each server with such GPUs, those alike in one: "gpu-01: GPU 0 over rail2, GPU 2 over rail4".

    Empty where every GPU has a NIC in service of its own.
    """
    by_device: dict[int, list[tuple[int, tuple[str, ...]]]] = {}
    for gpu in np.flatnonzero(ends.borrowed).tolist():
        device = int(graph.device[gpu])
        arcs = ends.out[gpu, ends.lent[gpu], -1].tolist()
        ports = dict.fromkeys(_port(graph, arc, device) for arc in arcs if arc >= 0)
        by_device.setdefault(device, []).append((int(graph.local[gpu]), tuple(ports)))
    alike: dict[tuple[tuple[int, tuple[str, ...]], ...], list[str]] = {}
    for device, gpus in by_device.items():
        alike.setdefault(tuple(gpus), []).append(graph.device_names[device])
    lines = [f"{_servers(names)}: {_ways(gpus)}" for gpus, names in alike.items()]
    more = len(lines) - LEAST_SHOWN
    if more <= 0:
        return lines
    left_out = sum(len(names) for names in list(alike.values())[LEAST_SHOWN:])
    return [*lines[:LEAST_SHOWN], f"and {format_counted(left_out, 'more server')}"]


def notice(n_gpus: int, lines: Sequence[str]) -> str:
    """The sentence that goes with a result whose GPUs borrow NICs; the only line of `borrowed_nics` is in it."""
    has, own, sends = ("has", "its", "sends") if n_gpus == 1 else ("have", "their", "send")
    which = f" ({lines[0]})" if len(lines) == 1 else ""
    gpus = format_counted(n_gpus, "GPU")
    return f"{gpus} {has} no NIC in service of {own} own and {sends} over those of other GPUs{which}"


def _port(graph: Graph, arc: int, device: int) -> str:
    """The port that an arc leaves, with its server where that is not `device`."""
    lender = int(graph.device[graph.source[arc]])
    return graph.port_name(arc) if lender == device else f"{graph.device_names[lender]} {graph.port_name(arc)}"


def _servers(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{names[0]} and {format_counted(len(names) - 1, 'more server')}"


def _ways(gpus: tuple[tuple[int, tuple[str, ...]], ...]) -> str:
    shown = [f"GPU {gpu} over {' and '.join(ports)}" for gpu, ports in gpus[:LEAST_SHOWN]]
    more = len(gpus) - LEAST_SHOWN
    return ", ".join(shown) + (f" and {format_count(more)} more GPUs" if more > 0 else "")
