"""The rows of the simulators' files in the table of exporters."""

from pathlib import Path

from designer.exchange.exporter import SIMULATORS, Exporter
from designer.exchange.options import Progress
from designer.exchange.plan_options import NetworkOptions
from designer.exchange.simulators.options import AstraOptions, NcclOptions, SimAiOptions, SimGridOptions
from designer.late import Late
from designer.model.design import Design

platforms = Late("designer.exchange.simulators.simgrid")
simais = Late("designer.exchange.simulators.simai")
infragraphs = Late("designer.exchange.simulators.infragraph")
astras = Late("designer.exchange.simulators.astra_sim")
nccl = Late("designer.exchange.simulators.nccl_topo")


def _simgrid(design: Design, path: Path, options: SimGridOptions, progress: Progress) -> None:
    platforms.write_simgrid(design, path, options, progress)


def _simgrid_summary(design: Design, options: SimGridOptions) -> str:
    summary: str = platforms.summary(design, options)
    return summary


def _nccl(design: Design, path: Path, options: NcclOptions, _progress: Progress) -> None:
    nccl.write_nccl(design, path, options)


def _nccl_summary(design: Design, options: NcclOptions) -> str:
    summary: str = nccl.summary(design, options)
    return summary


def _simai(design: Design, path: Path, options: SimAiOptions, _progress: Progress) -> None:
    simais.write_simai(design, path, options)


def _simai_summary(design: Design, options: SimAiOptions) -> str:
    summary: str = simais.summary(design, options)
    return summary


def _infragraph(design: Design, path: Path, options: NetworkOptions, _progress: Progress) -> None:
    infragraphs.write_infragraph(design, path, options)


def _infragraph_summary(design: Design, options: NetworkOptions) -> str:
    summary: str = infragraphs.summary(design, options)
    return summary


def _astra(design: Design, path: Path, options: AstraOptions, _progress: Progress) -> None:
    astras.write_astra(design, path, options)


def _astra_summary(design: Design, options: AstraOptions) -> str:
    summary: str = astras.summary(design, options)
    return summary


EXPORTERS: tuple[Exporter, ...] = (
    Exporter(
        "simgrid",
        "SimGrid platform",
        ".xml",
        SimGridOptions,
        _simgrid,
        group=SIMULATORS,
        about="GPUs, links and the route of each pair, as one of our routings has it, for the simulator SimGrid.",
        outcome=_simgrid_summary,
    ),
    Exporter(
        "nccl-topo",
        "NCCL topology of servers",
        ".zip",
        NcclOptions,
        _nccl,
        group=SIMULATORS,
        other_suffixes=(".xml",),
        about="GPUs, NVLink and NICs of each server type as NCCL_TOPO_FILE reads them; one type alone as .xml.",
        outcome=_nccl_summary,
    ),
    Exporter(
        "simai",
        "SimAI topology",
        ".topo",
        SimAiOptions,
        _simai,
        group=SIMULATORS,
        about="GPUs, an NVSwitch per server, switches and links with rate and delay for SimAI and its ns-3.",
        outcome=_simai_summary,
    ),
    Exporter(
        "astra-sim",
        "ASTRA-sim network",
        ".yml",
        AstraOptions,
        _astra,
        group=SIMULATORS,
        about="A torus, or servers under switches, as dimensions of ASTRA-sim's network; others are refused.",
        outcome=_astra_summary,
    ),
    Exporter(
        "infragraph",
        "InfraGraph infrastructure",
        ".yaml",
        NetworkOptions,
        _infragraph,
        group=SIMULATORS,
        about="Kinds of devices with GPUs, NICs and ports, every device, and every link by its ports, for InfraGraph.",
        outcome=_infragraph_summary,
    ),
)
