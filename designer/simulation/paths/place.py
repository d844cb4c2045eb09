"""An end of paths as people name it: a device, a GPU or a port. Light: panels and commands read it."""

import re
from typing import NamedTuple

from designer.errors import UnknownEntityError
from designer.model.design import Design
from designer.model.entities import End
from designer.model.port_labels import port_label
from designer.units import shortened

_GPU = re.compile(r"gpu\s*([0-9]{1,6})", re.IGNORECASE)


class Place(NamedTuple):
    """A device, or of that one GPU, or one port."""

    device_id: str
    gpu: int | None = None
    port: str | None = None

    def name(self, design: Design) -> str:
        """ "gpu-001", "gpu-001 GPU 3", "gpu-001 OSFP4P2"."""
        device = design.device(self.device_id).name
        if self.gpu is not None:
            return f"{device} GPU {self.gpu}"
        return device if self.port is None else f"{device} {port_label(design, End(self.device_id, self.port))}"


def place_named(design: Design, text: str) -> Place:
    """The place of "gpu-001", "gpu-001:gpu3", or "gpu-001:PORT" by its name or what is printed at it.

    Raises UnknownEntityError for what the design does not have.
    """
    by_name = {device.name: device.id for device in design.devices.values()}
    if text in by_name or text in design.devices:
        return Place(by_name.get(text, text))
    name, colon, rest = text.rpartition(":")
    device_id = by_name.get(name, name)
    if not colon or device_id not in design.devices:
        raise UnknownEntityError(
            f"nothing is called {shortened(text)!r}: name a device, a GPU like gpu-001:gpu3 or a port like leaf-01:5"
        )
    gpu = _GPU.fullmatch(rest)
    ports = {port_label(design, End(device_id, port.name)): port.name for port in design.ports(device_id)}
    port = rest if rest in design.port_map(device_id) else ports.get(rest)
    if port is None and gpu is not None:
        return Place(device_id, gpu=int(gpu[1]))
    if port is None:
        raise UnknownEntityError(f"{name} has no port and no GPU {shortened(rest)!r}")
    return Place(device_id, port=port)
