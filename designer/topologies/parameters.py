"""Fields of parameter sets, described well enough to build a form or a command's options from."""

from dataclasses import dataclass
from typing import Any

from designer.catalog import generic
from designer.errors import ParameterError
from designer.fields import kinds
from designer.fields.field import check, setting
from designer.fields.ranges import Range
from designer.units import format_count

RACK_CHOICES = ("auto", "none")
BY_PORT, BY_NIC = "port", "nic"
PLANE_CHOICES = (BY_PORT, BY_NIC)
CABLE_CHOICES = ("auto", "lengths", "none")


def ratio_parameter(name: str, help: str, *, first: bool = False, section: str = "") -> Any:
    """An oversubscription; none unless one is given."""
    return setting(1.0, title=name, help=help, kind=kinds.RATIO, first=first, section=section)


def link_rate_parameter(help: str, default: float | None = generic.DEFAULT_RATE_GBPS) -> Any:
    """The setting for a link rate in Gb/s, option --link-rate."""
    return setting(default, title="Link rate", help=help, kind=kinds.RATE, unit="Gb/s", option="--link-rate")


def host_rate_parameter() -> Any:
    """The setting for the rate of generic hosts where it is not that of links, option --host-rate."""
    return setting(
        None,
        title="Host rate",
        help="Rate of generic hosts; if left out, that of the links.",
        kind=kinds.RATE,
        unit="Gb/s",
        option="--host-rate",
    )


def racks_parameter() -> Any:
    """The setting for whether devices stand in racks: "auto" or "none"."""
    return setting(
        "auto",
        title="Racks",
        help="auto: servers and switches are placed in racks, each rack-scale system in a rack of its own; none: "
        "no racks. Generic types and single chips have no height and are not placed in racks.",
        kind=kinds.CHOICE,
        choices=RACK_CHOICES,
    )


@dataclass(frozen=True, slots=True)
class CableParameters:
    """What a fabric gets besides what its family makes."""

    cables: str = setting(
        "auto",
        title="Cables",
        help="auto: racks are placed on the floor, cables get a length and a type that reaches; lengths: cables "
        "get a length but no type; none: no places, lengths or types.",
        kind=kinds.CHOICE,
        choices=CABLE_CHOICES,
    )


@dataclass(frozen=True, slots=True)
class LeafSpineParameters:
    """What every fabric of leafs and spines is made of. Raises ParameterError for values that make no sense alone."""

    switch: str = setting(
        "nvidia-qm9700",
        title="Switch",
        help="Type of the leaf switches, and of the spine switches unless they differ.",
        kind=kinds.SWITCH,
        first=True,
    )
    server: str = setting("dgx-h100", title="Server", help="Type of the servers.", kind=kinds.SERVER, first=True)
    servers: int = setting(32, title="Servers", help="Number of servers.", kind=kinds.COUNT, first=True)
    oversubscription: float = ratio_parameter(
        "Oversubscription", "Highest ratio of downlink to uplink capacity of a leaf switch.", first=True
    )
    spine_switch: str = setting(
        "",
        title="Spine switch",
        help="Type of the spine switches; if left out, that of the leaf switches.",
        kind=kinds.SWITCH,
    )
    core_switch: str = setting(
        "",
        title="Core switch",
        help="Type of the core switches, with three tiers; if left out, that of the spine switches.",
        kind=kinds.SWITCH,
    )
    spine_oversubscription: float = ratio_parameter(
        "Spine oversubscription", "Highest ratio of downlink to uplink capacity of a spine switch, with three tiers."
    )
    planes: int = setting(
        1,
        title="Planes",
        help="Number of parallel, separate fabrics. Port k of a server connects to plane k modulo this number, so "
        "a NIC with one port per plane connects to every plane.",
        kind=kinds.COUNT,
    )
    plane_by: str = setting(
        BY_PORT,
        title="Planes by",
        help="port: the ports of a NIC connect to different planes; nic: NIC i connects to plane i modulo the number "
        "of planes with all its ports, so each rail can be a plane.",
        kind=kinds.CHOICE,
        choices=PLANE_CHOICES,
        unwritten=BY_PORT,
    )
    leafs_per_nic: int = setting(
        1,
        title="Leaf switches per NIC",
        help="Leaf switches of one plane that the ports of a NIC spread over: 2 is dual top-of-rack, where a NIC "
        "keeps half its ports if one leaf switch fails.",
        kind=kinds.COUNT,
        unwritten=1,
    )
    only_plane: int | None = setting(
        None,
        title="Only plane",
        help="Build this plane alone, counted from 1, for fabrics that are too large to be drawn whole; ports of "
        "the other planes stay free. If left out, all planes are built.",
        kind=kinds.COUNT,
    )
    nics_per_server: int | None = setting(
        None,
        title="NICs per server",
        help="Fabric NICs used in every server; if left out, all that the server type includes.",
        kind=kinds.COUNT,
    )
    nic_rate_gbps: float | None = setting(
        None,
        title="NIC rate",
        help="If a server has NICs of several rates, only those of this rate are used. For a generic host, the "
        "rate of its NICs.",
        kind=kinds.RATE,
        unit="Gb/s",
        option="--nic-rate",
    )
    nic_mode: str = setting(
        "",
        title="NIC mode",
        help="Mode of NICs that have several, such as 2x400G; if left out, the first that the ports of the leaf "
        "switch match.",
        kind=kinds.NIC_MODE,
    )
    uplinks: int | None = setting(
        None,
        title="Uplinks per leaf switch",
        help="Links of every leaf switch to the spine switches; more than it has downlinks for a scheduled fabric with "
        "speed-up. All other ports may go to servers, whatever the oversubscription. If left out, as many as the "
        "oversubscription asks for.",
        kind=kinds.COUNT,
    )
    spines: int | None = setting(
        None,
        title="Spines",
        help="Number of spine switches in all planes and pods together; if left out, the fewest that give even "
        "uplinks. The uplinks of a leaf switch may be uneven then; validation reports them.",
        kind=kinds.COUNT,
    )
    cores: int | None = setting(
        None,
        title="Cores",
        help="Number of core switches in all planes together; entering it makes three tiers. If left out, the "
        "fewest that give even uplinks. The uplinks of a spine may be uneven then; validation reports them.",
        kind=kinds.COUNT,
    )
    pod_size: int | None = setting(
        None,
        title="Pod size, leaf switches",
        help="Leaf switches of one plane that share spine switches, and of one rail where each rail has its own "
        "spine switches; entering it makes three tiers. If left out, as many as a spine switch has downlink "
        "ports for, and at least two pods.",
        kind=kinds.COUNT,
    )
    reserve_leaf_ports: int = setting(
        0,
        title="Reserved leaf ports, in total",
        help="Ports reserved for management appliances such as UFM, counted over all leaf switches of the fabric, "
        "not per leaf switch: 4 reserves 4 ports in the whole fabric.",
        kind=kinds.COUNT,
        within=Range(0),
        noun="reserved leaf ports",
        first=True,
    )
    link_rate_gbps: float | None = link_rate_parameter(
        "Rate of the links between switches, and of generic hosts; if left out, that of the NICs.", default=None
    )
    racks: str = racks_parameter()

    def __post_init__(self) -> None:
        check(self)
        if self.only_plane is not None and self.only_plane > self.planes:
            planes = "there is one plane" if self.planes == 1 else f"there are {format_count(self.planes)} planes"
            raise ParameterError(f"only plane is {format_count(self.only_plane)}, and {planes}")
