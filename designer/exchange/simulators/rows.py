"""The rows of the simulators' files in the table of exporters."""

from pathlib import Path

from designer.exchange.exporter import SIMULATORS, Exporter
from designer.exchange.options import Progress
from designer.exchange.simulators.options import SimGridOptions
from designer.late import Late
from designer.model.design import Design

platforms = Late("designer.exchange.simulators.simgrid")


def _simgrid(design: Design, path: Path, options: SimGridOptions, progress: Progress) -> None:
    platforms.write_simgrid(design, path, options, progress)


def _simgrid_summary(design: Design, options: SimGridOptions) -> str:
    summary: str = platforms.summary(design, options)
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
)
