"""InfraGraph: each kind of device with its components, each device an instance, each link an edge.

Source: InfraGraph 3.1, models of its OpenAPI description; endpoints are "instance[0]" and "component[3]".
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from designer.exchange.cabled import Cabled, cabled
from designer.exchange.node_names import NameRule, changed_names, plain_names
from designer.exchange.plan_options import NetworkOptions
from designer.exchange.quoted import quoted
from designer.graph.building.templates import server_template
from designer.model.design import Design
from designer.model.entities import Device
from designer.model.hardware.ports import Port
from designer.model.hardware.servers import ServerType
from designer.model.networks import COMPUTE, PURPOSE_OF
from designer.units import format_counted

INSTANCES = NameRule("an instance of InfraGraph", re.compile(r"[^A-Za-z0-9_-]"), most=200)
"""Dots, brackets and colons are part of the language of endpoints."""


class _Kinds:
    """Which devices are alike: of one type, with the same ports."""

    def __init__(self, design: Design, devices: Sequence[Device]) -> None:
        self.of: dict[str, int] = {}
        """By id of a device: the number of its kind."""
        self.first: list[str] = []
        """By kind: the id of its first device."""
        known: dict[tuple[str, tuple[Port, ...]], int] = {}
        for device in devices:
            key = device.type_id, design.ports(device.id)
            if key not in known:
                known[key] = len(self.first)
                self.first.append(device.id)
            self.of[device.id] = known[key]
        self.names = plain_names([design.device(one).type_id for one in self.first], INSTANCES, "device")


def write_infragraph(design: Design, path: Path, options: NetworkOptions) -> None:
    """Write the infrastructure. Raises ExportError, and OSError where it cannot be written."""
    path.write_bytes("".join(f"{line}\n" for line in lines(design, cabled(design, options.networks))).encode())


def summary(design: Design, options: NetworkOptions) -> str:
    """ "175 instances, 2,040 edges", with what is called otherwise than in the design."""
    found = cabled(design, options.networks)
    names = [device.name for device in found.devices]
    counts = f"{format_counted(len(found.devices), 'instance')}, {format_counted(len(found.runs), 'edge')}"
    remark = changed_names(names, plain_names(names, INSTANCES), INSTANCES)
    return f"{counts}; {remark}" if remark else counts


def lines(design: Design, found: Cabled) -> Iterator[str]:
    """The infrastructure as YAML, line by line."""
    kinds = _Kinds(design, found.devices)
    names = plain_names([device.name for device in found.devices], INSTANCES)
    by_id = {device.id: name for device, name in zip(found.devices, names, strict=True)}
    places = {one: {port.name: place for place, port in enumerate(design.ports(one))} for one in kinds.first}
    place_of = {device.id: places[kinds.first[kinds.of[device.id]]] for device in found.devices}
    component = {device.id: "nic" if design.is_server(device.id) else "port" for device in found.devices}
    yield f"name: {quoted(design.name)}"
    yield "devices:"
    for number, device_id in enumerate(kinds.first):
        yield from _device(design, device_id, kinds.names[number])
    yield "links:"
    for rate_gbps in sorted({run.capacity_gbps for run in found.runs}):
        yield from _link(_rate_name(rate_gbps), "gigabits_per_second", rate_gbps, "")
    yield "instances:"
    for device in found.devices:
        name, kind = by_id[device.id], kinds.names[kinds.of[device.id]]
        yield f"- {{name: {quoted(name)}, device: {quoted(kind)}, count: 1}}"
    yield "edges:"
    for run in found.runs:
        ends = [
            f"{{instance: {quoted(f'{by_id[end.device_id]}[0]')}, "
            f"component: {quoted(f'{component[end.device_id]}[{place_of[end.device_id][end.port]}]')}}}"
            for end in (run.low, run.high)
        ]
        yield f"- {{ep1: {ends[0]}, ep2: {ends[1]}, scheme: one2one, link: {quoted(_rate_name(run.capacity_gbps))}}}"


def _rate_name(rate_gbps: float) -> str:
    return f"{rate_gbps:.10g}G"


def _link(name: str, unit: str, value: float, indent: str) -> Iterator[str]:
    yield f"{indent}- name: {quoted(name)}"
    yield f"{indent}  physical: {{bandwidth: {{choice: {unit}, {unit}: {value:.10g}}}}}"


def _device(design: Design, device_id: str, name: str) -> Iterator[str]:
    """A kind of device: a switch with its ports, or a server with GPUs, NIC ports and scale-up domain."""
    yield f"- name: {quoted(name)}"
    type_ = design.device_type(device_id)
    ports = design.ports(device_id)
    if isinstance(type_, ServerType):
        yield from _server(type_, ports)
        return
    yield "  components:"
    yield "  - {name: asic, choice: switch, count: 1}"
    yield f"  - {{name: port, choice: port, count: {len(ports)}}}"
    yield "  links:"
    yield "  - {name: internal}"
    yield "  edges:"
    yield _edge("asic[0]", f"port[0:{len(ports)}]", "internal")


def _server(type_: ServerType, ports: tuple[Port, ...]) -> Iterator[str]:
    template = server_template(type_, ports, {}, PURPOSE_OF[COMPUTE])
    joined = {number for _, number, _ in template.joints}
    apart = [number for number in range(len(ports)) if number not in joined]
    scale_up = template.scale_up
    yield "  components:"
    if type_.gpus:
        yield f"  - {{name: xpu, choice: xpu, count: {type_.gpus}}}"
    if ports:
        yield f"  - {{name: nic, choice: nic, count: {len(ports)}}}"
    if template.has_crossbar:
        yield "  - {name: scale-up, choice: switch, count: 1}"
    if apart:
        yield "  - {name: host, choice: custom, custom: {type: host}, count: 1}"
    yield "  links:"
    yield "  - {name: internal}"
    if scale_up is not None:
        pair = scale_up.gbytes_per_s_per_pair
        rate = scale_up.gbytes_per_s_per_gpu if pair is None else pair
        yield from _link(scale_up.name, "gigabytes_per_second", rate, "  ")
    edges = [_edge(f"xpu[{gpu}]", f"nic[{number}]", "internal") for gpu, number, _ in template.joints]
    edges += (_edge("host[0]", f"nic[{number}]", "internal") for number in apart)
    if apart and type_.gpus:
        edges.append(_edge("host[0]", f"xpu[0:{type_.gpus}]", "internal"))
    if scale_up is not None:
        other = "scale-up[0]" if template.has_crossbar else f"xpu[0:{type_.gpus}]"
        edges.append(_edge(f"xpu[0:{type_.gpus}]", other, scale_up.name))
    yield "  edges:" if edges else "  edges: []"
    yield from edges


def _edge(one: str, other: str, link: str) -> str:
    ends = f"ep1: {{component: {quoted(one)}}}, ep2: {{component: {quoted(other)}}}"
    return f"  - {{{ends}, scheme: many2many, link: {quoted(link)}}}"
