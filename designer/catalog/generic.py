"""Generic types for abstract studies: any radix, any rate, no brand, no price, no height, no latency."""

import re
from collections.abc import Sequence

from designer.errors import ParameterError
from designer.model.hardware.media import NODE_END, MediumType
from designer.model.hardware.modules import NicType, Slot
from designer.model.hardware.ports import MANAGEMENT, STORAGE_PURPOSE, CageGroup, PortMode
from designer.model.hardware.servers import ScaleUp, ServerType
from designer.model.hardware.switches import SwitchType
from designer.model.hardware.types import HardwareType
from designer.model.limits import PORTS_MOST

VENDOR = "Generic"
PROTOCOLS = ("infiniband", "ethernet")

DEFAULT_PORTS = 64
DEFAULT_RATE_GBPS = 400.0
# The radix and rate of "generic-switch", the rate of "generic-host": what NDR and 400G Ethernet share.

MANAGEMENT_PORTS = 48
MANAGEMENT_RATE_GBPS = 1.0
# A switch for server controllers, whose ports run at 1 Gb/s where a source states them.

STORAGE_PORTS = 2
IN_BAND_PORTS, IN_BAND_RATE_GBPS = 2, 100.0
# Of a storage server: ports for the storage network and, where that is built, for in-band management.

UNNUMBERED = ("generic-switch", "generic-host", "generic-node", "generic-storage", "generic-nic")
# Ids that spell out no radix and rate.

STATED_NICS = ((1, 1.0), (2, 100.0), (2, 200.0), (1, 2400.0), (1, 3200.0), (1, 4800.0))
# Ports and rate: a controller's, two management ports, two storage ports, the links of a TPU v4, v6e and v5p together.

MOST_NICS = 256
# More fabric NICs than any host has; keeps a slip of the keyboard from asking for millions of ports.

_SWITCH_ID = re.compile(r"generic-switch-([1-9]\d{0,4})x(\d{1,7}(?:\.\d{1,6})?)g")
_SPLIT_SWITCH_ID = re.compile(r"generic-switch-([1-9]\d{0,4})x([248])x(\d{1,7}(?:\.\d{1,6})?)g")
_HOST_ID = re.compile(r"generic-host-(?:([1-9]\d{0,3})x)?(\d{1,7}(?:\.\d{1,6})?)g")
_NODE_ID = re.compile(r"generic-node-(?:([1-9]\d{0,3})x)?(\d{1,7}(?:\.\d{1,6})?)g")
_SERVER_ID = re.compile(
    r"generic-server-([1-9]\d{0,3})x([1-9]\d{0,2})x(\d{1,7}(?:\.\d{1,6})?)g"
    r"(?:-([1-9]\d{0,2})x(\d{1,7}(?:\.\d{1,6})?)g)?(?:-up(\d{1,7}(?:\.\d{1,6})?))?"
)
_STORAGE_ID = re.compile(r"generic-storage-([1-9]\d{0,2})x(\d{1,7}(?:\.\d{1,6})?)g")
_ROUTER_ID = re.compile(
    r"generic-router-([1-9]\d{0,3})x(\d{1,7}(?:\.\d{1,6})?)g-([1-9]\d{0,2})x(\d{1,7}(?:\.\d{1,6})?)g"
)
_LATTICE_ID = re.compile(r"generic-router((?:-2x\d{1,7}(?:\.\d{1,6})?g){2,6})-([1-9]\d{0,2})x(\d{1,7}(?:\.\d{1,6})?)g")
_NIC_ID = re.compile(r"generic-nic-(?:([1-9]\d{0,2})x)?(\d{1,7}(?:\.\d{1,6})?)g")


def generic_switch(ports: int, rate_gbps: float, type_id: str = "") -> SwitchType:
    """A switch of `ports` single-port cages of no particular form factor, named "1", "2", ...

    Raises ParameterError for more ports than a switch can have.
    """
    _require_ports(ports)
    return SwitchType(
        id=type_id or f"generic-switch-{ports}x{rate_gbps:.10g}g",
        vendor=VENDOR,
        model=f"Switch {ports} x {rate_gbps:.10g}G",
        protocols=PROTOCOLS,
        cages=(CageGroup(ports, ""),),
        modes=(PortMode(f"{ports}x{rate_gbps:.10g}G", 1, rate_gbps, "{cage}"),),
        capacity_tbps=ports * rate_gbps / 1000,
    )


def generic_split_switch(cages: int, per_cage: int, rate_gbps: float) -> SwitchType:
    """A switch of `cages` cages whose ports can be split: as delivered into `per_cage`, or into fewer and faster ones.

    64 cages of 8 x 100G are 64 of 800G as well. Raises ParameterError for more ports than a switch can have.
    """
    _require_ports(cages * per_cage)
    splits = [split for split in (8, 4, 2, 1) if split <= per_cage]
    rates = [rate_gbps * per_cage / split for split in splits]
    return SwitchType(
        id=f"generic-switch-{cages}x{per_cage}x{rate_gbps:.10g}g",
        vendor=VENDOR,
        model=f"Switch {cages} x {per_cage} x {rate_gbps:.10g}G",
        protocols=PROTOCOLS,
        cages=(CageGroup(cages, ""),),
        modes=tuple(
            PortMode(f"{cages * split}x{rate:.10g}G", split, rate, "{cage}" if split == 1 else "{cage}/{lane}")
            for split, rate in zip(splits, rates, strict=True)
        ),
        capacity_tbps=cages * per_cage * rate_gbps / 1000,
    )


def _require_ports(count: int) -> None:
    if count > PORTS_MOST:
        raise ParameterError(f"a switch with {count:,} ports was requested; the most is {PORTS_MOST:,}")


def generic_router(ports: int, rate_gbps: float, host_ports: int, host_rate_gbps: float) -> SwitchType:
    """A router of a direct network: `ports` cages for links, then `host_ports` for its hosts.

    The mode it is delivered in has the links' rate; a second one, the hosts' where that differs (router_cage_modes).
    Raises ParameterError for more ports than a switch can have.
    """
    n_cages = ports + host_ports
    _require_ports(n_cages)
    modes = [PortMode(f"links at {rate_gbps:.10g}G", 1, rate_gbps, "{cage}")]
    if host_rate_gbps != rate_gbps:
        modes.append(PortMode(f"hosts at {host_rate_gbps:.10g}G", 1, host_rate_gbps, "{cage}"))
    return SwitchType(
        id=f"generic-router-{ports}x{rate_gbps:.10g}g-{host_ports}x{host_rate_gbps:.10g}g",
        vendor=VENDOR,
        model=f"Router {ports} x {rate_gbps:.10g}G",
        protocols=PROTOCOLS,
        cages=(CageGroup(n_cages, ""),),
        modes=tuple(modes),
        capacity_tbps=(ports * rate_gbps + host_ports * host_rate_gbps) / 1000,
    )


def router_cage_modes(router: SwitchType, ports: int, host_ports: int) -> tuple[tuple[int, str], ...]:
    """The cages of a router's hosts, in the hosts' mode."""
    if len(router.modes) == 1:
        return ()
    return tuple((cage, router.modes[1].name) for cage in range(ports + 1, ports + host_ports + 1))


def generic_lattice_router(rates_gbps: Sequence[float], host_ports: int, host_rate_gbps: float) -> SwitchType:
    """A router with two cages for each dimension, at a rate of its own, then `host_ports` for its hosts.

    Where all dimensions have one rate it is a `generic_router`. Raises ParameterError for more ports than there can be.
    """
    if len(set(rates_gbps)) == 1:
        return generic_router(2 * len(rates_gbps), rates_gbps[0], host_ports, host_rate_gbps)
    _require_ports(n_cages := 2 * len(rates_gbps) + host_ports)
    modes = [PortMode(f"links at {rate:.10g}G", 1, rate, "{cage}") for rate in dict.fromkeys(rates_gbps)]
    if host_rate_gbps not in rates_gbps:
        modes.append(PortMode(f"hosts at {host_rate_gbps:.10g}G", 1, host_rate_gbps, "{cage}"))
    return SwitchType(
        id=f"generic-router-{'-'.join(f'2x{rate:.10g}g' for rate in rates_gbps)}-{host_ports}x{host_rate_gbps:.10g}g",
        vendor=VENDOR,
        model=f"Router 2 x {' + 2 x '.join(f'{rate:.10g}G' for rate in rates_gbps)}",
        protocols=PROTOCOLS,
        cages=(CageGroup(n_cages, ""),),
        modes=tuple(modes),
        capacity_tbps=(2 * sum(rates_gbps) + host_ports * host_rate_gbps) / 1000,
    )


def lattice_cage_modes(
    router: SwitchType, rates_gbps: Sequence[float], host_ports: int, host_rate_gbps: float
) -> tuple[tuple[int, str], ...]:
    """The cages of such a router that are not in the mode it is delivered in."""
    named = {mode.rate_gbps: mode.name for mode in router.modes}
    rates = [*(rate for rate in rates_gbps for _ in range(2)), *[host_rate_gbps] * host_ports]
    return tuple((cage, named[rate]) for cage, rate in enumerate(rates, 1) if rate != router.modes[0].rate_gbps)


def generic_nic(rate_gbps: float, type_id: str = "", ports: int = 1) -> NicType:
    """A NIC with ports of no particular form factor, all of one rate."""
    many = "" if ports == 1 else f"{ports}x"
    return NicType(
        id=type_id or f"generic-nic-{many}{rate_gbps:.10g}g",
        vendor=VENDOR,
        model=f"NIC {many.replace('x', ' x ')}{rate_gbps:.10g}G",
        protocols=PROTOCOLS,
        ports=ports,
        rate_gbps=rate_gbps,
    )


def generic_server(
    gpus: int,
    ports: int,
    rate_gbps: float,
    side_ports: int = 0,
    side_rate_gbps: float = 0.0,
    scale_up_gbytes_per_s: float = 0.0,
) -> tuple[ServerType, NicType]:
    """A server of GPUs with a NIC each, of `ports` ports, and the NIC it is delivered with.

    With `side_ports` it has a NIC of so many ports for the in-band network, and a controller, put in where their
    networks are built. With `scale_up_gbytes_per_s`, of each GPU one way, its GPUs are joined to one crossbar.
    """
    nic = generic_nic(rate_gbps, ports=ports)
    slots = [Slot(f"nic{gpu + 1}", gpu=gpu, nic_type_id=nic.id) for gpu in range(gpus)]
    type_id, model = f"generic-server-{gpus}x{ports}x{rate_gbps:.10g}g", f"{ports} x {rate_gbps:.10g}G each"
    if side_ports:
        side = generic_nic(side_rate_gbps, ports=side_ports)
        controller = generic_nic(MANAGEMENT_RATE_GBPS)
        slots.append(Slot("in-band", purpose="in-band", network_nic_type_id=side.id))
        slots.append(Slot("bmc", purpose=MANAGEMENT, network_nic_type_id=controller.id))
        type_id += f"-{side_ports}x{side_rate_gbps:.10g}g"
        model += f", in-band {side_ports} x {side_rate_gbps:.10g}G"
    scale_up = None
    if scale_up_gbytes_per_s:
        scale_up = ScaleUp("Scale-up", scale_up_gbytes_per_s)
        type_id += f"-up{scale_up_gbytes_per_s:.10g}"
        model += f", scale-up {scale_up_gbytes_per_s:.10g} GB/s"
    server = ServerType(type_id, VENDOR, f"Server {gpus} GPUs, {model}", gpus, slots=tuple(slots), scale_up=scale_up)
    return server, nic


def generic_host(rate_gbps: float, nics: int = 1, type_id: str = "") -> tuple[ServerType, NicType]:
    """A server with one endpoint and no scale-up domain, and the NIC it is delivered with.

    All its NICs, in slots "nic1", "nic2", ..., serve the one endpoint.
    """
    nic = generic_nic(rate_gbps, "generic-nic" if type_id else "")
    many = "" if nics == 1 else f"{nics}x"
    host = ServerType(
        id=type_id or f"generic-host-{many}{rate_gbps:.10g}g",
        vendor=VENDOR,
        model=f"Host {many.replace('x', ' x ')}{rate_gbps:.10g}G",
        gpus=1,
        slots=tuple(Slot(f"nic{number}", gpu=0, nic_type_id=nic.id) for number in range(1, nics + 1)),
    )
    return host, nic


def generic_node(rate_gbps: float, nics: int = 1, type_id: str = "") -> tuple[ServerType, NicType]:
    """A server without GPUs on the compute network, as of CPU, storage and service groups, and its NIC.

    It has ports and links, and no rank of a collective runs on it.
    """
    nic = generic_nic(rate_gbps, "generic-nic" if type_id else "")
    many = "" if nics == 1 else f"{nics}x"
    node = ServerType(
        id=type_id or f"generic-node-{many}{rate_gbps:.10g}g",
        vendor=VENDOR,
        model=f"Host without GPU {many.replace('x', ' x ')}{rate_gbps:.10g}G",
        gpus=0,
        slots=tuple(Slot(f"nic{number}", nic_type_id=nic.id) for number in range(1, nics + 1)),
    )
    return node, nic


def inside_node() -> MediumType:
    """What joins a host to a router in the same node: no cable."""
    return MediumType("inside-node", VENDOR, "Inside the node", "DAC", 1, ends=(NODE_END, NODE_END))


def generic_storage(ports: int, rate_gbps: float, type_id: str = "") -> tuple[ServerType, NicType]:
    """A storage server without GPUs, and the NIC of which it is delivered with one for each port.

    NICs for the in-band network, and a controller, are put in where their networks are built.
    """
    nic = generic_nic(rate_gbps, "generic-nic" if type_id else "")
    side, controller = generic_nic(IN_BAND_RATE_GBPS, ports=IN_BAND_PORTS), generic_nic(MANAGEMENT_RATE_GBPS)
    slots = [Slot(f"storage{n}", purpose=STORAGE_PURPOSE, nic_type_id=nic.id) for n in range(1, ports + 1)]
    slots.append(Slot("in-band", purpose="in-band", network_nic_type_id=side.id))
    slots.append(Slot("bmc", purpose=MANAGEMENT, network_nic_type_id=controller.id))
    server = ServerType(
        id=type_id or f"generic-storage-{ports}x{rate_gbps:.10g}g",
        vendor=VENDOR,
        model=f"Storage server {ports} x {rate_gbps:.10g}G",
        gpus=0,
        slots=tuple(slots),
    )
    return server, nic


def default_types() -> list[HardwareType]:
    """The generic entries of every catalog.

    "generic-switch", a switch for out-of-band management, "generic-host" with its "generic-nic", "generic-node" and
    "generic-storage" with the same, and NICs that servers are stated to have without a name.
    """
    host, nic = generic_host(DEFAULT_RATE_GBPS, type_id="generic-host")
    node, _ = generic_node(DEFAULT_RATE_GBPS, type_id="generic-node")
    management = generic_switch(MANAGEMENT_PORTS, MANAGEMENT_RATE_GBPS)
    storage, _ = generic_storage(STORAGE_PORTS, DEFAULT_RATE_GBPS, "generic-storage")
    stated = [generic_nic(rate_gbps, ports=ports) for ports, rate_gbps in STATED_NICS]
    switch = generic_switch(DEFAULT_PORTS, DEFAULT_RATE_GBPS, "generic-switch")
    return [switch, management, host, node, storage, nic, *stated]


def is_generic(type_id: str) -> bool:
    """Whether the id is that of a type made here, which has no height and stands in no rack."""
    return parse(type_id) is not None or type_id in UNNUMBERED


def parse(type_id: str) -> HardwareType | None:
    """The generic type that an id such as "generic-switch-36x200g" spells out; None where it spells none."""
    if match := _SWITCH_ID.fullmatch(type_id):
        ports, rate_gbps = int(match[1]), float(match[2])
        return generic_switch(ports, rate_gbps) if rate_gbps > 0 else None
    if match := _SPLIT_SWITCH_ID.fullmatch(type_id):
        cages, per_cage, rate_gbps = int(match[1]), int(match[2]), float(match[3])
        return generic_split_switch(cages, per_cage, rate_gbps) if rate_gbps > 0 else None
    if match := _HOST_ID.fullmatch(type_id):
        nics, rate_gbps = int(match[1] or 1), float(match[2])
        return generic_host(rate_gbps, nics)[0] if rate_gbps > 0 and nics <= MOST_NICS else None
    if match := _NODE_ID.fullmatch(type_id):
        nics, rate_gbps = int(match[1] or 1), float(match[2])
        return generic_node(rate_gbps, nics)[0] if rate_gbps > 0 and nics <= MOST_NICS else None
    if match := _STORAGE_ID.fullmatch(type_id):
        ports, rate_gbps = int(match[1]), float(match[2])
        return generic_storage(ports, rate_gbps)[0] if rate_gbps > 0 and ports <= MOST_NICS else None
    if match := _ROUTER_ID.fullmatch(type_id):
        ports, rate_gbps, host_ports, host_rate_gbps = int(match[1]), float(match[2]), int(match[3]), float(match[4])
        positive = rate_gbps > 0 and host_rate_gbps > 0
        return generic_router(ports, rate_gbps, host_ports, host_rate_gbps) if positive else None
    if match := _LATTICE_ID.fullmatch(type_id):
        rates = [float(rate.removesuffix("g")) for rate in match[1].split("-2x")[1:]]
        host_ports, host_rate_gbps = int(match[2]), float(match[3])
        is_one = min(rates) > 0 and host_rate_gbps > 0 and len(set(rates)) > 1
        return generic_lattice_router(rates, host_ports, host_rate_gbps) if is_one else None
    if match := _SERVER_ID.fullmatch(type_id):
        gpus, ports, rate_gbps = int(match[1]), int(match[2]), float(match[3])
        side_ports, side_rate_gbps = int(match[4] or 0), float(match[5] or 0)
        if rate_gbps <= 0 or gpus * ports > MOST_NICS or side_ports > MOST_NICS or (side_ports and not side_rate_gbps):
            return None
        if match[6] is not None and (gpus < 2 or not float(match[6])):
            return None
        return generic_server(gpus, ports, rate_gbps, side_ports, side_rate_gbps, float(match[6] or 0))[0]
    if match := _NIC_ID.fullmatch(type_id):
        ports, rate_gbps = int(match[1] or 1), float(match[2])
        return generic_nic(rate_gbps, ports=ports) if rate_gbps > 0 and ports <= MOST_NICS else None
    return None
