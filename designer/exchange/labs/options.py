"""What files for labs are written with, as a person sets it."""

from dataclasses import dataclass
from typing import Any

from designer.exchange.plan_options import NetworkOptions
from designer.fields import kinds
from designer.fields.field import setting

AUTO = "auto"
CUMULUS_IMAGE, UBUNTU_IMAGE = "cumulus-vx-5.16.1", "generic/ubuntu2404"
"""Images that NVIDIA Air's documentation has in its example (Custom Topology, April 2026)."""


def _text(title: str, help: str, default: str = "", empty: str = "") -> Any:
    return setting(default, title=title, help=help, kind=kinds.TEXT, metavar="NAME", empty=empty)


@dataclass(frozen=True, slots=True)
class HedgehogOptions(NetworkOptions):
    """Those of Hedgehog's wiring."""

    profile: str = _text(
        "Switch profile",
        "Hedgehog's profile of switches whose type it has no profile of, such as vs; without it, left out.",
        empty="left out",
    )


@dataclass(frozen=True, slots=True)
class AirOptions(NetworkOptions):
    """Those of a simulation of NVIDIA Air."""

    switch_os: str = _text("Image of switches", "The image, by its name in Air.", CUMULUS_IMAGE)
    server_os: str = _text("Image of servers", "The image, by its name in Air.", UBUNTU_IMAGE)


@dataclass(frozen=True, slots=True)
class ContainerlabOptions(NetworkOptions):
    """Those of a topology of containerlab."""

    switch_kind: str = _text(
        "Kind of switches", "What containerlab runs as a switch, such as arista_ceos; auto goes by the vendor.", AUTO
    )
    switch_image: str = _text("Image of switches", "The image of each switch.", empty="left out")
    server_image: str = _text("Image of servers", "The image of each server, of kind linux.", empty="left out")
