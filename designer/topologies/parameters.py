"""Fields of parameter sets, described well enough to build a form or a command's options from."""

import math
from dataclasses import dataclass, field
from typing import Any

from designer.catalog import generic
from designer.errors import ParameterError

RACK_CHOICES = ("auto", "none")
CABLE_CHOICES = ("auto", "lengths", "none")


KINDS = ("switch", "server", "nic-mode", "count", "ratio", "rate", "choice", "flag", "counts", "dims", "text")
"""What a parameter can be."""


def parameter(
    default: Any,
    *,
    label: str,
    help: str,
    kind: str,
    unit: str = "",
    choices: tuple[str, ...] = (),
    option: str = "",
    first: bool = False,
    unwritten: Any = None,
) -> Any:
    """A dataclass field with its default and its `metadata`:

    label    what a form prints before it
    help     one sentence for a tool tip or `--help`
    kind     how its text is read: "switch" or "server" (a catalog id, may be "" where optional), "nic-mode" (the
             name of a mode, "" for none), "count", "ratio", "text" (as it stands, may be empty),
             "rate" (units.parse_rate), "choice" (one of `choices`), "flag", "counts" (whole numbers with commas),
             "dims" ("16x16")
    unit     what a form prints after it, "" for none
    choices  the words allowed, for kind "choice"; of a "switch", what a form says for the default
    option   the command line's option, as "--link-rate"; "" means "--" and the field's name with hyphens
    first    whether a form shows it before the others, because it is filled in most often
    unwritten  what a recipe without the field was made with, where it is younger than recipes; None for the default

    A default of None stands for "worked out from the others"; leaving the form's field empty gives it back.
    """
    described = {"label": label, "help": help, "kind": kind, "unit": unit, "choices": choices, "option": option}
    return field(default=default, metadata={**described, "first": first, "unwritten": unwritten})


def ratio_parameter(name: str, help: str, *, first: bool = False) -> Any:
    """An oversubscription; none unless one is given."""
    return parameter(1.0, label=name, help=help, kind="ratio", unit=": 1", first=first)


def link_rate_parameter(help: str, default: float | None = generic.DEFAULT_RATE_GBPS) -> Any:
    return parameter(default, label="Link rate", help=help, kind="rate", unit="Gb/s", option="--link-rate")


def racks_parameter() -> Any:
    return parameter(
        "auto",
        label="Racks",
        help="auto: servers and switches stand in racks, a rack-scale system in one of its own; none: no racks. "
        "Generic types have no height and stand in none.",
        kind="choice",
        choices=RACK_CHOICES,
    )


def require_whole(name: str, value: int | None, least: int, optional: bool = False) -> None:
    """Raises ParameterError unless the value is a whole number of at least `least` (or None where optional)."""
    if value is None and optional:
        return
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise ParameterError(f"{name} is {value!r}: it should be a whole number, {least} or more")


def require_choice(name: str, value: str, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise ParameterError(f"{name} is {value!r}: choose {' or '.join(choices)}")


def require_positive(name: str, value: float | None, optional: bool = False) -> None:
    """Raises ParameterError unless the value is a finite number above zero (or None where optional)."""
    if value is None and optional:
        return
    if not isinstance(value, int | float) or isinstance(value, bool) or not math.isfinite(value) or value <= 0:
        raise ParameterError(f"{name} is {value!r}: it should be a number above 0")


@dataclass(frozen=True, slots=True)
class CableParameters:
    """What a fabric gets besides what its family makes."""

    cables: str = parameter(
        "auto",
        label="Cables",
        help="auto: racks get a place on the floor, cables a length and a type that reaches; lengths: no types; "
        "none: neither places nor lengths.",
        kind="choice",
        choices=CABLE_CHOICES,
    )


@dataclass(frozen=True, slots=True)
class LeafSpineParameters:
    """What every fabric of leafs and spines is made of. Raises ParameterError for values that make no sense alone."""

    switch: str = parameter(
        "nvidia-qm9700",
        label="Switch",
        help="Type of the leaf switches, and of the spine switches unless they differ.",
        kind="switch",
        first=True,
    )
    server: str = parameter("dgx-h100", label="Server", help="Type of the servers.", kind="server", first=True)
    servers: int = parameter(32, label="Servers", help="Number of servers.", kind="count", first=True)
    oversubscription: float = ratio_parameter(
        "Oversubscription", "Capacity of a leaf down over its capacity up, at most.", first=True
    )
    spine_switch: str = parameter(
        "",
        label="Spine switch",
        help="Type of the spine switches; if left out, that of the leaf switches.",
        kind="switch",
    )
    core_switch: str = parameter(
        "",
        label="Core switch",
        help="Type of the cores of three tiers; if left out, that of the spines.",
        kind="switch",
    )
    spine_oversubscription: float = ratio_parameter(
        "Spine oversubscription", "Capacity of a spine down over its capacity up, at most, where there are cores."
    )
    planes: int = parameter(
        1,
        label="Planes",
        help="Fabrics side by side: port k of a server is in plane k modulo their number, so that a NIC with a port "
        "for each plane is in all.",
        kind="count",
    )
    nics_per_server: int | None = parameter(
        None,
        label="NICs per server",
        help="Fabric NICs used in every server; if left out, all it is delivered with.",
        kind="count",
    )
    nic_rate_gbps: float | None = parameter(
        None,
        label="NIC rate",
        help="Of NICs of several speeds, those of this rate are used; also the rate of a generic host's.",
        kind="rate",
        unit="Gb/s",
        option="--nic-rate",
    )
    nic_mode: str = parameter(
        "",
        label="NIC mode",
        help="Mode of NICs that have several, as 2x400G; if left out, the first that the leaf's ports meet.",
        kind="nic-mode",
    )
    spines: int | None = parameter(
        None,
        label="Spines",
        help="Number of spines in all planes and pods; if left out, the fewest that spread evenly. With two tiers the "
        "links of a leaf may spread unevenly over them, which validation then reports.",
        kind="count",
    )
    cores: int | None = parameter(
        None,
        label="Cores",
        help="Number of cores in all planes, which makes three tiers; if left out, the fewest that spread evenly.",
        kind="count",
    )
    pod_size: int | None = parameter(
        None,
        label="Pod size",
        help="Leaf switches that share spines, in a plane, which makes three tiers; those of one rail where each rail "
        "has spines of its own. If left out, as many as a spine has ports down for.",
        kind="count",
    )
    reserve_leaf_ports: int = parameter(
        0,
        label="Reserved leaf ports, in total",
        help="Ports reserved for management appliances such as UFM, counted over all leaf switches of the fabric, "
        "not per leaf switch: 4 reserves 4 ports in the whole fabric.",
        kind="count",
        first=True,
    )
    link_rate_gbps: float | None = link_rate_parameter(
        "Rate of the links between switches, and of generic hosts; if left out, that of the NICs.", default=None
    )
    racks: str = racks_parameter()

    def __post_init__(self) -> None:
        require_whole("servers", self.servers, 1)
        require_positive("oversubscription", self.oversubscription)
        require_positive("spine oversubscription", self.spine_oversubscription)
        require_whole("planes", self.planes, 1)
        require_whole("NICs per server", self.nics_per_server, 1, optional=True)
        require_positive("NIC rate", self.nic_rate_gbps, optional=True)
        require_whole("spines", self.spines, 1, optional=True)
        require_whole("cores", self.cores, 1, optional=True)
        require_whole("pod size", self.pod_size, 1, optional=True)
        require_whole("reserved leaf ports", self.reserve_leaf_ports, 0)
        require_positive("link rate", self.link_rate_gbps, optional=True)
        require_choice("racks", self.racks, RACK_CHOICES)
