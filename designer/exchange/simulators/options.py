"""What files for simulators are written with, as a person sets it."""

from dataclasses import dataclass
from typing import Any

from designer.exchange.options import ExportOptions
from designer.fields import kinds
from designer.fields.field import Word, setting
from designer.fields.ranges import Range
from designer.simulation import catalogue
from designer.simulation.traffic.texts import RANKS

FLOPS_MOST = 1e21


def ranks_setting(help: str) -> Any:
    """The field of the GPUs that are written."""
    return setting(None, title="Ranks", noun="the number of ranks", help=help, kind=RANKS, metavar="RANKS", empty="all")


@dataclass(frozen=True, slots=True)
class SimGridOptions(ExportOptions):
    """Those of a platform of SimGrid."""

    routing: str = setting(
        "destination",
        title="Routing",
        help="The routing that gives each pair of GPUs its route, one that sends a flow over one path: {names}.",
        kind=kinds.NAME,
        choices=catalogue.ROUTINGS,
        metavar="POLICY",
    )
    seed: int = setting(0, title="Seed", help="For the hashes of ECMP.", kind=kinds.COUNT, within=Range(0, 2**31))
    ranks: int | tuple[int, ...] | None = ranks_setting("The first N GPUs, or a list: 0-7,16,18-20.")
    latency: bool = setting(
        True,
        title="Latencies",
        help="Write the latency of each link; without them, flows share links as in the simulation of this program.",
        kind=kinds.FLAG,
    )
    speed: float | None = setting(
        None,
        title="Speed of a GPU, flop/s",
        noun="the speed of a GPU",
        help="Flop/s of each host of the platform, which no catalog entry states; without it 1 stands in.",
        kind=kinds.AMOUNT,
        within=Range(1, FLOPS_MOST),
        metavar="FLOPS",
        empty="1, a stand-in",
    )


UNKNOWN, INTEL, AMD, ARM = "unknown", "intel", "amd", "arm64"
NUMA_MOST = 64


@dataclass(frozen=True, slots=True)
class NcclOptions(ExportOptions):
    """Those of a topology for NCCL."""

    server: str = setting(
        "",
        title="Server type",
        noun="the server type",
        help="The server type to write, where the design has several and the file is to be one .xml.",
        kind=kinds.SERVER,
        empty="all",
    )
    cpu: str = setting(
        UNKNOWN,
        title="Processor",
        noun="processor",
        help="Architecture and vendor of the processors, which no catalog entry states; without it they are left out.",
        kind=kinds.CHOICE,
        choices=(
            Word(UNKNOWN, "Left out"),
            Word(AMD, "x86-64, AMD"),
            Word(INTEL, "x86-64, Intel"),
            Word(ARM, "Arm"),
        ),
    )
    numa: int = setting(
        1,
        title="NUMA nodes",
        noun="the number of NUMA nodes",
        help="NUMA nodes of a host, which share its GPUs evenly in order; no catalog entry states them.",
        kind=kinds.COUNT,
        within=Range(1, NUMA_MOST),
    )


@dataclass(frozen=True, slots=True)
class SimAiOptions(ExportOptions):
    """Those of a topology of SimAI."""

    gpu: str = setting(
        "",
        title="GPU type",
        noun="GPU type",
        help="What SimAI calls the GPU, such as H100; without it, the first word of the model of the design's GPUs.",
        kind=kinds.TEXT,
        metavar="TYPE",
        empty="that of the design",
    )
    error_rate: float = setting(
        0.0,
        title="Error rate",
        noun="error rate",
        help="Share of packets that each link loses; no source states one.",
        kind=kinds.SHARE,
    )


@dataclass(frozen=True, slots=True)
class AstraOptions(ExportOptions):
    """Those of a network of ASTRA-sim."""

    flatten: bool = setting(
        False,
        title="Count tiers as one switch",
        help="Write a fabric of several tiers without oversubscription as one switch; its latency is that of the "
        "longest path.",
        kind=kinds.FLAG,
    )
