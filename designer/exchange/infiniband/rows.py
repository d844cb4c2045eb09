"""The rows of the InfiniBand formats in the table of exporters."""

from pathlib import Path

from designer.exchange.exporter import INFINIBAND, Exporter
from designer.exchange.options import Progress
from designer.exchange.plan_options import NetworkOptions
from designer.late import Late
from designer.model.design import Design

subnets = Late("designer.exchange.infiniband.files")


def _ibsim(design: Design, path: Path, options: NetworkOptions, _progress: Progress) -> None:
    subnets.write_ibsim(design, path, options)


def _topo(design: Design, path: Path, options: NetworkOptions, _progress: Progress) -> None:
    subnets.write_topo(design, path, options)


EXPORTERS: tuple[Exporter, ...] = (
    Exporter(
        "ibsim",
        "InfiniBand netlist for ibsim",
        ".net",
        NetworkOptions,
        _ibsim,
        group=INFINIBAND,
        about="Switches and adapters with their links for the InfiniBand simulator ibsim, under which OpenSM runs.",
    ),
    Exporter(
        "topo",
        "InfiniBand topology for ibdiagnet",
        ".zip",
        NetworkOptions,
        _topo,
        other_suffixes=(".topo",),
        group=INFINIBAND,
        about="The topology file that ibdmchk and ibdiagnet check a fabric against, with the systems that it names.",
    ),
)
