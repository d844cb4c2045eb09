"""A simulation for NVIDIA Air, as its interface imports it. Source: NVIDIA Air API, simulations/import (v3)."""

import json
import re
from pathlib import Path
from typing import Any

from designer.errors import ExportError
from designer.exchange.labs.fabric import Fabric, Side, fabric, said
from designer.exchange.labs.options import AirOptions
from designer.exchange.node_names import HOST_NAMES
from designer.model.design import Design

MOST_INTERFACE = 15
"""Letters of an interface of Linux."""
_INTERFACE = re.compile(r"[A-Za-z][A-Za-z0-9_.-]*")
_CUMULUS = re.compile(r"swp[0-9]+(s[0-9]+)?")


def write_air(design: Design, path: Path, options: AirOptions) -> None:
    """Write the body of the request. Raises ExportError, and OSError where it cannot be written."""
    made = fabric(design, options.networks, HOST_NAMES)
    path.write_bytes((json.dumps(content(made, options), indent=1) + "\n").encode())


def summary(design: Design, options: AirOptions) -> str:
    """ "8 servers, 4 switches, 40 links", with the images."""
    note = f"switches run {options.switch_os}, servers {options.server_os}"
    return said(fabric(design, options.networks, HOST_NAMES), (note,))


def content(made: Fabric, options: AirOptions) -> dict[str, Any]:
    """The body: nodes by name, links with the interfaces of both ends."""
    for title, image in (("switch-os", options.switch_os), ("server-os", options.server_os)):
        if not image.strip():
            raise ExportError(f"Air needs an image for each node: write {title}= with its name")
    nodes = {name: {"os": options.server_os} for name in made.servers}
    nodes.update({name: {"os": options.switch_os} for _, name in made.switches})
    links = [[_end(made, low), _end(made, high)] for low, high in made.links]
    return {"format": "JSON", "content": {"nodes": nodes, "links": links, "oob": False}}


def _end(made: Fabric, side: Side) -> dict[str, str]:
    return {"node": side.node, "interface": _interface(made, side)}


def _interface(made: Fabric, side: Side) -> str:
    """As Cumulus Linux calls the port of a switch, swp3s0; the port's own name on a server, or eth and its place."""
    port = side.port
    if made.design.is_switch(side.device_id):
        if _CUMULUS.fullmatch(port.name):
            return port.name
        return f"swp{port.cage}s{port.lane - 1}" if port.ports_per_cage > 1 else f"swp{port.cage}"
    fits = _INTERFACE.fullmatch(port.name) and len(port.name) <= MOST_INTERFACE and port.name != "eth0"
    return port.name if fits else f"eth{side.place}"
