"""What is inside a server, as shown when it is opened by zooming in: its GPUs, scale-up domain, PCIe lanes and NICs."""

import math
from dataclasses import dataclass

from designer.drawing.geometry import Rect
from designer.drawing.ports import tray_height
from designer.model.design import Design
from designer.model.hardware.modules import NicType, Slot, nic_port_count
from designer.model.hardware.servers import ServerType
from designer.units import format_rate

HEAD = 10.0
"""Room for the server's name, canvas units from the box's top at the scale it is opened at."""
NIC_HEIGHT = 5.0
GPU_HEIGHT = 6.5
CROSSBAR_HEIGHT = 4.2
SIDE = 4.0
FOOT = 3.0
ABOVE_TRAY = 1.5
"""Between the scale-up domain and the free ports at the bottom of the box."""
GAP = 2.4
"""Between NICs and GPUs, and between GPUs and the scale-up domain, room for their lines."""
MOST_PART_WIDTH = 13.0
MOST_COLUMNS = 20
MOST_SHARED_COLUMNS = 6
"""For slots that serve all GPUs; more of them stand side by side in a column."""
FILL = 0.84
"""Share of its column that a part takes."""


@dataclass(frozen=True, slots=True)
class Part:
    """A box inside a server. `kind` is "gpu", "nic", "empty slot" or "scale-up"."""

    kind: str
    rect: Rect
    title: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Internals:
    """The parts of a server and the lines between them, canvas units: PCIe from NIC to GPU, scale-up below the GPUs."""

    parts: tuple[Part, ...]
    pcie: tuple[tuple[float, float, float, float], ...]
    scale_up: tuple[tuple[float, float, float, float], ...]


def internals_of(design: Design, device_id: str, box: Rect) -> Internals | None:
    """The inside of a server drawn into its box (left, top, right, bottom); None for a switch."""
    type_ = design.device_type(device_id)
    if not isinstance(type_, ServerType):
        return None
    columns = _columns(type_)
    if not columns:
        return None
    left, top, right, bottom = box
    pitch = (right - left - 2 * SIDE) / len(columns)
    width = min(MOST_PART_WIDTH, pitch * FILL)
    nic_top = top + HEAD
    n_free = len(design.ports(device_id)) - design.n_used_ports(device_id)
    crossbar_top = bottom - max(FOOT, tray_height(n_free) + ABOVE_TRAY) - CROSSBAR_HEIGHT
    stack = max(len(column.gpus) for column in columns)
    room = crossbar_top - nic_top - NIC_HEIGHT - 2 * GAP
    gpu_pitch = min(GPU_HEIGHT, room / max(stack, 1))
    gpu_top = nic_top + NIC_HEIGHT + GAP + (room - gpu_pitch * stack) / 2
    installed = {
        module.slot: _rate_of(design.nic_type(module.id), module.port_mode) for module in design.modules_of(device_id)
    }
    parts: list[Part] = []
    pcie: list[tuple[float, float, float, float]] = []
    scale_up: list[tuple[float, float, float, float]] = []
    for number, column in enumerate(columns):
        x = left + SIDE + (number + 0.5) * pitch
        each = width / max(1, len(column.slots))
        for index, slot in enumerate(column.slots):
            note = installed.get(slot.name, "free")
            near = x - width / 2 + index * each
            kind = "nic" if slot.name in installed else "empty slot"
            parts.append(Part(kind, (near, nic_top, near + each * 0.94, nic_top + NIC_HEIGHT), slot.name, note))
            if column.gpus:
                pcie.append((near + each * 0.47, nic_top + NIC_HEIGHT, x, gpu_top))
        for index, gpu in enumerate(column.gpus):
            upper = gpu_top + index * gpu_pitch
            lower = upper + gpu_pitch * (0.94 if stack > 1 else 1.0)
            title = f"GPU {gpu}" if stack == 1 else str(gpu)
            parts.append(Part("gpu", (x - width / 2, upper, x + width / 2, lower), title))
        if column.gpus:
            scale_up.append((x, gpu_top + gpu_pitch * len(column.gpus), x, crossbar_top))
    domain = type_.scale_up
    if domain is None:
        return Internals(tuple(parts), tuple(pcie), ())
    gpu_columns = [number for number, column in enumerate(columns) if column.gpus]
    low = left + SIDE + gpu_columns[0] * pitch + (pitch - width) / 2
    high = left + SIDE + (gpu_columns[-1] + 1) * pitch - (pitch - width) / 2
    title = f"{domain.name}: {domain.gbytes_per_s_per_gpu:g} GB/s per GPU, each direction"
    if domain.gbytes_per_s_per_pair is not None:
        title = f"{domain.name}: {domain.gbytes_per_s_per_pair:g} GB/s from each GPU to each other, each direction"
    parts.append(Part("scale-up", (low, crossbar_top, high, crossbar_top + CROSSBAR_HEIGHT), title))
    return Internals(tuple(parts), tuple(pcie), tuple(scale_up))


def _rate_of(nic: NicType, mode_name: str) -> str:
    rate, n_ports = format_rate(nic.mode(mode_name).rate_gbps), nic_port_count(nic, mode_name)
    return rate if n_ports == 1 else f"{n_ports} × {rate}"


@dataclass(frozen=True, slots=True)
class _Column:
    """GPUs drawn one over the other, and the slots that serve them."""

    gpus: tuple[int, ...]
    slots: tuple[Slot, ...]


def _columns(type_: ServerType) -> list[_Column]:
    """A column for each GPU with the slots that serve it, then those of the slots that serve all.

    In a domain of many GPUs, such as a rack of trays, several neighbors share a column.
    """
    by_gpu: dict[int, list[Slot]] = {gpu: [] for gpu in range(type_.gpus)}
    shared: list[Slot] = []
    for slot in type_.slots:
        if slot.gpu is not None and slot.gpu in by_gpu:
            by_gpu[slot.gpu].append(slot)
        else:
            shared.append(slot)
    stack = max(1, math.ceil(type_.gpus / MOST_COLUMNS))
    columns = [
        _Column(
            tuple(range(first, min(first + stack, type_.gpus))),
            tuple(slot for gpu in range(first, min(first + stack, type_.gpus)) for slot in by_gpu[gpu]),
        )
        for first in range(0, type_.gpus, stack)
    ]
    each = math.ceil(len(shared) / MOST_SHARED_COLUMNS) or 1
    return [*columns, *(_Column((), tuple(shared[at : at + each])) for at in range(0, len(shared), each))]
