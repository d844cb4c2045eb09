"""Latencies that no source states: the figure of the class stands in, marked as assumed.

An unknown latency never counts 0, or the device about which least is known would win every comparison. Each figure
has its source; a figure in the catalog, or in a type of one's own, takes its place.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from designer.model.hardware.ports import NVLINK
from designer.model.hardware.switches import SwitchType


@dataclass(frozen=True, slots=True)
class ClassFigure:
    """What is assumed of a class: nanoseconds, or meters for the cable."""

    name: str
    short: str
    value: float
    unit: str
    source: str

    @property
    def text(self) -> str:
        """ "700 ns", "10 m"."""
        return f"{self.value:g} {self.unit}"


ETHERNET_SWITCH = ClassFigure(
    "Ethernet switch, port to port",
    "Ethernet switch",
    700.0,
    "ns",
    "Tomahawk 5: under 700 ns, Dell PowerSwitch Z9864F-ON spec sheet, 2026-04",
)
INFINIBAND_SWITCH = ClassFigure(
    "InfiniBand switch, port to port",
    "InfiniBand switch",
    130.0,
    "ns",
    "Quantum-2: 130 ns, reseller's page of the QM9700 (NADDOD), 2026",
)
NIC_PAIR = ClassFigure(
    "NIC, both ends of a transfer together",
    "NIC",
    600.0,
    "ns",
    "ConnectX-6: under 600 ns, Lenovo Press LP1195, 2024-08",
)
SCALE_UP_DOMAIN = ClassFigure(
    "scale-up domain, GPU to GPU",
    "scale-up domain",
    822.0,
    "ns",
    "NVLink 4 over NVSwitch: 822 ns, MSCCL++, arXiv:2504.09014, table 1",
)
CABLE = ClassFigure(
    "cable without a length",
    "cable",
    10.0,
    "m",
    "a choice between passive copper (up to 3 m) and multimode optics (up to 50 m) at 400G; no published mean is known",
)

CLASS_FIGURES = (ETHERNET_SWITCH, INFINIBAND_SWITCH, NIC_PAIR, SCALE_UP_DOMAIN, CABLE)


class Unknown(NamedTuple):
    """A fact that no source states, and the class whose figure stands in."""

    what: str
    figure: ClassFigure


_ALONE = {"infiniband": INFINIBAND_SWITCH, NVLINK: SCALE_UP_DOMAIN}
"""The class of switches that speak one protocol alone."""


def figures_text(unknown: Iterable[Unknown]) -> str:
    """ "NIC 600 ns, cable 10 m": the class figures in use, each once."""
    used = dict.fromkeys(one.figure for one in unknown)
    return ", ".join(f"{figure.short} {figure.text}" for figure in used)


def switch_latency(type_: SwitchType) -> tuple[float, Unknown | None]:
    """(ns port to port, None), or (the figure of its class, what is unknown).

    Of a switch of a scale-up domain the class's figure is from GPU to GPU; links of GPUs then count nothing themselves.
    A switch that speaks Ethernet, if only among others, counts as an Ethernet switch: the slower class.
    """
    if type_.latency_ns is not None:
        return type_.latency_ns, None
    figure = _ALONE.get(type_.protocols[0], ETHERNET_SWITCH) if len(type_.protocols) == 1 else ETHERNET_SWITCH
    return figure.value, Unknown(f"latency of {type_.model}", figure)
