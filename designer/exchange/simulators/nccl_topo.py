"""The topology of one server as NCCL reads it (NCCL_TOPO_FILE): GPUs, NVLink and NICs, by server type.

NCCL fills in what a file leaves out where it runs on such a host. Left out here is what the catalog does not state;
addresses on the PCI bus are stand-ins. Sources: NCCL, src/graph/xml.cc and topo.cc (version 1 of the format, which has
no XML declaration, and one blank between attributes).
"""

import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from designer.errors import ExportError
from designer.exchange.archives import member
from designer.exchange.file_names import portable
from designer.exchange.simulators.options import AMD, ARM, INTEL, UNKNOWN, NcclOptions
from designer.model.design import Design
from designer.model.hardware.modules import NicType
from designer.model.hardware.ports import Port
from designer.model.hardware.servers import ServerType
from designer.model.shown_text import visible_line
from designer.units import format_counted

_MODE = 0o644
_NOT_PLAIN = re.compile(r"[^\w .,;:()/=+-]")
BRIDGE, GPU_CLASS, NIC_CLASS, INFINIBAND_CLASS, NVSWITCH = "0x060400", "0x030200", "0x020000", "0x020700", "0x068000"
"""PCI classes. Source: PCI Code and ID Assignment; NCCL, kvDictPciClass."""
MBPS_PER_GBPS = 1000
MLX5_VENDORS = ("NVIDIA", "MELLANOX")
MOST_NICS_A_BRIDGE, MOST_BRIDGES = 30, 240
"""Devices and buses that addresses here have room for."""

LINK_GBYTES_PER_S = {"NVLink 3": 25.0, "NVLink 4": 25.0, "NVLink 5": 50.0}
"""One link, one direction. Sources: NVIDIA, "NVIDIA A100" (12 links, 600 GB/s), "H100" (18 links, 900 GB/s) and
"Blackwell" (18 links, 1.8 TB/s) architecture papers, sums of both directions."""

COMPUTE_CAPABILITY = {"A100": 80, "H100": 90, "H200": 90, "B200": 100, "B300": 103}
"""By the first word of the GPU's model. Source: NVIDIA, "CUDA GPU Compute Capability"."""

PROCESSORS = {
    AMD: 'arch="x86_64" vendor="AuthenticAMD"',
    INTEL: 'arch="x86_64" vendor="GenuineIntel"',
    ARM: 'arch="arm64"',
}


@dataclass(frozen=True, slots=True)
class HostKind:
    """A server type with the NICs that some servers of the design have; a compute tray, of a rack of trays."""

    name: str
    type_: ServerType
    gpus: int
    ports: tuple[Port, ...]
    """Of the compute network."""
    port_names: tuple[str, ...]
    """As the driver calls each: mlx5_0 of an NVIDIA NIC, nic0 of another."""
    n_servers: int


def host_kinds(design: Design, only: str = "") -> tuple[HostKind, ...]:
    """Every kind of host of the design, in design order; those without GPUs only where no others are, or on request.

    Raises ExportError where there is none.
    """
    found: dict[tuple[str, tuple[Port, ...]], int] = {}
    for server in design.servers():
        if only in ("", server.type_id):
            key = server.type_id, tuple(port for port in design.ports(server.id) if port.purpose == "fabric")
            found[key] = found.get(key, 0) + 1
    kinds: list[HostKind] = []
    for (type_id, ports), count in found.items():
        type_ = design.types[type_id]
        assert isinstance(type_, ServerType)
        taken = sum(one.type_.id == type_id for one in kinds)
        gpus = type_.gpus // type_.trays if type_.gpus % type_.trays == 0 else type_.gpus
        inside = tuple(port for port in ports if port.gpu is None or port.gpu < gpus)
        names = tuple(f"{_driver(design, port)}{number}" for number, port in enumerate(inside))
        kinds.append(HostKind(f"{type_id}-{taken + 1}" if taken else type_id, type_, gpus, inside, names, count))
    if not kinds:
        types = ", ".join(dict.fromkeys(server.type_id for server in design.servers()))
        if only and types:
            raise ExportError(f"the design has no server of type {visible_line(only)}; it has {types}")
        raise ExportError("there is no server to write: place servers first")
    return tuple(kind for kind in kinds if kind.gpus) or tuple(kinds)


def _driver(design: Design, port: Port) -> str:
    nic = design.types.get(port.type_id)
    return "mlx5_" if isinstance(nic, NicType) and nic.vendor.upper().startswith(MLX5_VENDORS) else "nic"


def write_nccl(design: Design, path: Path, options: NcclOptions) -> None:
    """Write an archive with a file for each kind of host, or the only one where the path ends in .xml.

    Raises ExportError, also where several kinds are to be one file.
    """
    kinds = host_kinds(design, options.server)
    if path.suffix.lower() == ".xml":
        if len(kinds) > 1:
            names = ", ".join(kind.name for kind in kinds)
            raise ExportError(
                f"the design has {len(kinds)} kinds of servers ({names}), and a file of NCCL has one: write a .zip, or "
                "choose one with server="
            )
        path.write_bytes(nccl_text(kinds[0], options).encode())
        return
    with zipfile.ZipFile(path, "w") as archive:
        for kind in kinds:
            archive.writestr(member(portable(f"{kind.name}.xml"), _MODE), nccl_text(kind, options))


def summary(design: Design, options: NcclOptions) -> str:
    """ "dgx-h100: 8 GPUs, 8 NIC ports", kind by kind, and what is left out."""
    kinds = host_kinds(design, options.server)
    shown = ", ".join(
        f"{kind.name}: {format_counted(kind.gpus, 'GPU')}, {format_counted(len(kind.ports), 'NIC port')}"
        for kind in kinds
    )
    left = dict.fromkeys(line for kind in kinds for line in left_out(kind, options))
    return f"{shown}; {' '.join(left)}"


def left_out(kind: HostKind, options: NcclOptions) -> Iterator[str]:
    """Sentences on what the file lacks and why."""
    yield "Addresses on the PCI bus are stand-ins, and the PCI rates left out: no source states them."
    if options.cpu == UNKNOWN:
        yield "The processor is left out: choose it with cpu=."
    if _capability(kind.type_) is None:
        yield f"The compute capability of {kind.type_.gpu_model or kind.type_.model} is left out: it is not known here."
    if kind.type_.scale_up is not None and kind.gpus > 1 and not _nvlinks(kind.type_):
        yield f"Links of {kind.type_.scale_up.name} are left out: how many a GPU has is not known, or NCCL has no such."
    if kind.type_.trays > 1:
        yield "The host is one compute tray; its scale-up domain spans the rack."


def _capability(type_: ServerType) -> int | None:
    word = type_.gpu_model.split(" ")[0] if type_.gpu_model else ""
    return COMPUTE_CAPABILITY.get(word)


def _nvlinks(type_: ServerType) -> int:
    """NVLinks that a GPU has to the switches, or to each other GPU where they are joined pairwise; 0 for unknown."""
    scale_up = type_.scale_up
    each = LINK_GBYTES_PER_S.get(scale_up.name) if scale_up is not None else None
    if scale_up is None or each is None:
        return 0
    whole = (
        scale_up.gbytes_per_s_per_pair if scale_up.gbytes_per_s_per_pair is not None else scale_up.gbytes_per_s_per_gpu
    )
    return round(whole / each) if (whole / each).is_integer() else 0


def nccl_text(kind: HostKind, options: NcclOptions) -> str:
    """The file of one kind of host. Raises ExportError where it has more devices than addresses are made for."""
    if not kind.gpus:
        raise ExportError(f"{kind.name} has no GPU, and a topology of NCCL is about GPUs")
    shared = [port for port in kind.ports if port.gpu is None]
    if kind.gpus + 1 > MOST_BRIDGES or len(shared) > MOST_BRIDGES - kind.gpus:
        raise ExportError(f"{kind.name} has {kind.gpus} GPUs, more than a topology of NCCL has room for")
    if options.numa > kind.gpus:
        raise ExportError(
            f"{kind.name} has {kind.gpus} GPUs, fewer than {options.numa} NUMA nodes: write numa={kind.gpus}"
        )
    lines = ['<system version="1">']
    lines += (f"<!-- {_plain(line)} -->" for line in left_out(kind, options))
    bounds = [node * kind.gpus // options.numa for node in range(options.numa + 1)]
    numbers = {port.name: number for number, port in enumerate(kind.ports)}
    processor = f" {PROCESSORS[options.cpu]}" if options.cpu != UNKNOWN else ""
    for node in range(options.numa):
        lines.append(f'  <cpu numaid="{node}"{processor}>')
        for gpu in range(bounds[node], bounds[node + 1]):
            lines += _bridge(kind, gpu, numbers)
        if node == 0:
            for place, port in enumerate(shared):
                lines += _nic(kind, port, f"0000:{kind.gpus + 1 + place:02x}:00.0", numbers[port.name], "    ")
        lines.append("  </cpu>")
    return "\n".join((*lines, "</system>", ""))


def _plain(sentence: str) -> str:
    """The sentence as a comment can have it: names of types are data."""
    return _NOT_PLAIN.sub("_", sentence).replace("--", "-_")


def _bus_id(gpu: int, device: int) -> str:
    return f"0000:{gpu + 1:02x}:{device:02x}.0"


def _pci(bus_id: str, class_: str) -> str:
    unknown = 'vendor="" device="" subsystem_vendor="" subsystem_device="" link_speed="" link_width="0"'
    return f'<pci busid="{bus_id}" class="{class_}" {unknown}>'


def _bridge(kind: HostKind, gpu: int, numbers: dict[str, int]) -> Iterator[str]:
    """A bridge with the GPU and the NICs that serve it."""
    yield f"    {_pci(_bus_id(gpu, 0), BRIDGE)}"
    yield f"      {_pci(_bus_id(gpu, 1), GPU_CLASS)}"
    capability = _capability(kind.type_)
    sm = f' sm="{capability}"' if capability is not None else ""
    links = list(_nvlink_lines(kind, gpu))
    yield f'        <gpu dev="{gpu}"{sm} rank="{gpu}"{">" if links else "/>"}'
    yield from links
    if links:
        yield "        </gpu>"
    yield "      </pci>"
    for place, port in enumerate(port for port in kind.ports if port.gpu == gpu):
        if place == MOST_NICS_A_BRIDGE:
            raise ExportError(f"GPU {gpu} of {kind.name} has more NIC ports than a PCI bus has room for")
        yield from _nic(kind, port, _bus_id(gpu, place + 2), numbers[port.name], "      ")
    yield "    </pci>"


def _nvlink_lines(kind: HostKind, gpu: int) -> Iterator[str]:
    """Links to the switches, which are one target, or to each other GPU of the host."""
    count, scale_up = _nvlinks(kind.type_), kind.type_.scale_up
    if not count or scale_up is None or kind.gpus < 2:
        return
    if scale_up.gbytes_per_s_per_pair is None:
        yield f'          <nvlink target="0000:ff:00.0" count="{count}" tclass="{NVSWITCH}"/>'
        return
    for other in range(kind.gpus):
        if other != gpu:
            yield f'          <nvlink target="{_bus_id(other, 1)}" count="{count}" tclass="{GPU_CLASS}"/>'


def _nic(kind: HostKind, port: Port, bus_id: str, number: int, indent: str) -> Iterator[str]:
    class_ = INFINIBAND_CLASS if port.protocols == ("infiniband",) else NIC_CLASS
    yield f"{indent}{_pci(bus_id, class_)}"
    yield f"{indent}  <nic>"
    speed = round(port.rate_gbps * MBPS_PER_GBPS)
    yield f'{indent}    <net name="{kind.port_names[number]}" dev="{number}" speed="{speed}" port="1"/>'
    yield f"{indent}  </nic>"
    yield f"{indent}</pci>"
