"""The machine that a measurement names, built from the catalog and a topology family; why not, where that cannot be."""

import math
import re
from dataclasses import dataclass
from functools import cache

from designer.catalog.catalog import Catalog, delivered
from designer.measurements.records import Hardware, Measurement
from designer.model.design import Design
from designer.model.hardware.servers import ServerType
from designer.topologies.families import FAMILIES

FABRIC_WORDS = (
    ("slingshot", ("cassini",)),
    ("efa v1", ("efa-v1",)),
    ("efa", ("aws-efa-1", "aws-efa-2", "aws-efa-4")),
    ("tcpxo", ("tcpxo",)),
    ("tcpx", ("gcp-tcpx-",)),
)
"""Words of a record's fabric, and parts of the ids of the NICs that speak it."""
PLAIN = ("connectx", "pollara", "thor", "bluefield")
SWITCH_PORTS = 128


class Unbuildable(Exception):
    """Why there is no design for a measurement."""


@dataclass(frozen=True, slots=True)
class Machine:
    """A design of the machine, and the ranks of the measurement on it."""

    design: Design
    ranks: tuple[int, ...]
    server: str


def machine_of(measurement: Measurement) -> Machine:
    """The machine, with as many servers as the ranks need. Raises Unbuildable with the reason."""
    hardware, gpus, nodes = measurement.hardware, measurement.n_gpus, measurement.n_nodes
    if not gpus or not nodes:
        raise Unbuildable("the number of GPUs or nodes is not stated")
    if gpus < 2:
        raise Unbuildable("one GPU")
    per_node = gpus // nodes
    if per_node * nodes != gpus:
        raise Unbuildable(f"{gpus} GPUs are not spread evenly over {nodes} nodes")
    server = _server(hardware, per_node, nodes)
    if server.trays > 1:
        nodes = math.ceil(gpus / server.gpus)
        if gpus % nodes:
            raise Unbuildable(f"{gpus} GPUs are not spread evenly over {nodes} racks")
        per_node = gpus // nodes
    design = _fabric(server.id, max(2, nodes))
    ranks = tuple(node * server.gpus + gpu for node in range(nodes) for gpu in range(per_node))
    return Machine(design, ranks, server.id)


def _server(hardware: Hardware, per_node: int, nodes: int) -> ServerType:
    """The type of the catalog that fits what the record states, the closest first. Raises Unbuildable."""
    family = re.sub(r"[^A-Z0-9]", "", hardware.family.upper())
    if not family:
        raise Unbuildable("the GPU is not stated")
    if nodes > 1 and not hardware.nics_per_node and "NVL72" not in hardware.scale_up:
        raise Unbuildable("the NICs are not stated")
    fits = [one for one in _catalog().servers() if _has_gpu(one, family) and _fits(one, hardware, per_node, nodes)]
    if not fits:
        raise Unbuildable(f"no type of the catalog has {hardware.family} with {hardware.nics_per_node} such NICs")
    return min(fits, key=lambda one: (abs(_gpus_of_tray(one) - (hardware.gpus_per_node or per_node)), one.id))


def _has_gpu(type_: ServerType, family: str) -> bool:
    words = set(re.findall(r"[A-Z0-9]+", f"{type_.gpu_model} {type_.model}".upper()))
    return family in words


def _gpus_of_tray(type_: ServerType) -> int:
    return type_.gpus // type_.trays


def _fits(type_: ServerType, hardware: Hardware, per_node: int, nodes: int) -> bool:
    if _gpus_of_tray(type_) < per_node or type_.scale_up is None:
        return False
    nics = [slot.nic_type_id for slot in type_.slots if slot.nic_type_id and slot.purpose == "fabric"]
    found = [_catalog().get(one) for one in nics]
    if nodes > 1 or hardware.nics_per_node:
        wanted = (hardware.nics_per_node or 0) * type_.trays
        rate = hardware.nic_gbps or 0
        ports = sum(max(1, round(nic.rate_gbps * nic.ports / rate)) for nic in found) if rate else len(nics)
        if ports != wanted or (rate and sum(nic.rate_gbps * nic.ports for nic in found) != wanted * rate):
            return False
    fabric = hardware.fabric.lower()
    parts = next((parts for word, parts in FABRIC_WORDS if word in fabric), PLAIN)
    return nodes == 1 or all(any(part in nic for part in parts) for nic in nics)


@cache
def _catalog() -> Catalog:
    return delivered()


@cache
def _fabric(server_id: str, servers: int) -> Design:
    family = next(one for one in FAMILIES if one.name == "rail-optimized")
    type_ = _catalog().get(server_id)
    nics = [_catalog().get(slot.nic_type_id) for slot in type_.slots if slot.nic_type_id and slot.purpose == "fabric"]
    rate = nics[0].port_modes[0].rate_gbps
    design = Design()
    parameters = family.parameters(
        server=server_id, servers=servers, switch=f"generic-switch-{SWITCH_PORTS}x{rate:.10g}g"
    )
    design.apply(family.build(design, parameters, _catalog()))
    return design
