"""A topology of containerlab. Source: containerlab, topology definition file, and schemas/clab.schema.json."""

import re
from collections.abc import Iterator
from pathlib import Path

from designer.exchange.labs.fabric import Fabric, Side, fabric, said
from designer.exchange.labs.options import AUTO, ContainerlabOptions
from designer.exchange.node_names import NameRule
from designer.exchange.quoted import quoted
from designer.model.design import Design
from designer.model.hardware.switches import SwitchType
from designer.model.shown_text import visible_line

NODES = NameRule("a node of containerlab", re.compile(r"[^A-Za-z0-9._-]"), edges="-._", is_one_case=True)

KIND_OF_VENDOR = {
    "arista": "arista_ceos",
    "cisco": "cisco_n9kv",
    "dell": "dell_sonic",
    "juniper": "juniper_vjunosswitch",
    "nokia": "nokia_srlinux",
    "nvidia": "nvidia_cumulusvx",
}
ANY_KIND = "sonic-vs"
"""Of vendors whose own system containerlab has not."""


def write_containerlab(design: Design, path: Path, options: ContainerlabOptions) -> None:
    """Write the topology. Raises ExportError, and OSError where it cannot be written."""
    made = fabric(design, options.networks, NODES)
    path.write_bytes("".join(f"{line}\n" for line in lines(made, options)).encode())


def summary(design: Design, options: ContainerlabOptions) -> str:
    """ "8 servers, 4 switches, 40 links", and what is left out."""
    missing = [
        name
        for name, image in (("switch-image", options.switch_image), ("server-image", options.server_image))
        if not image
    ]
    note = f"images are left out: state them with {' and '.join(missing)}" if missing else ""
    return said(fabric(design, options.networks, NODES), (note,))


def lines(made: Fabric, options: ContainerlabOptions) -> Iterator[str]:
    """The topology as YAML, line by line."""
    yield f"name: {quoted(NODES.plain(made.design.name) or 'fabric')}"
    yield "topology:"
    yield "  nodes:"
    for name in made.servers:
        yield from _node(name, "linux", options.server_image)
    for device_id, name in made.switches:
        kind = _kind(made.design, device_id) if options.switch_kind == AUTO else options.switch_kind
        yield from _node(name, kind, options.switch_image)
    yield "  links:"
    for low, high in made.links:
        ports = f"{visible_line(low.port.name)}, {visible_line(high.port.name)}"
        yield f"    - endpoints: [{quoted(_endpoint(low))}, {quoted(_endpoint(high))}] # {ports}"


def _node(name: str, kind: str, image: str) -> Iterator[str]:
    yield f"    {quoted(name)}:"
    yield f"      kind: {quoted(kind)}"
    if image:
        yield f"      image: {quoted(image)}"


def _kind(design: Design, device_id: str) -> str:
    type_ = design.device_type(device_id)
    vendor = type_.vendor.lower() if isinstance(type_, SwitchType) else ""
    return next((kind for word, kind in KIND_OF_VENDOR.items() if vendor.startswith(word)), ANY_KIND)


def _endpoint(side: Side) -> str:
    """Every kind takes eth1, eth2 and so on for its ports in order; eth0 is for management."""
    return f"{side.node}:eth{side.place}"
