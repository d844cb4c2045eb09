"""The rows of the schedulers' files in the table of exporters."""

from pathlib import Path

from designer.exchange.exporter import DEPLOYMENT, Exporter
from designer.exchange.options import Progress
from designer.exchange.schedulers.options import HostOptions, SlurmOptions
from designer.late import Late
from designer.model.design import Design

slurms = Late("designer.exchange.schedulers.slurm")
host_files = Late("designer.exchange.schedulers.host_files")


def _slurm(design: Design, path: Path, options: SlurmOptions, _progress: Progress) -> None:
    slurms.write_slurm(design, path, options)


def _slurm_summary(design: Design, options: SlurmOptions) -> str:
    summary: str = slurms.summary(design, options)
    return summary


def _hosts(design: Design, path: Path, options: HostOptions, _progress: Progress) -> None:
    host_files.write_hosts(design, path, options)


def _hosts_summary(design: Design, options: HostOptions) -> str:
    summary: str = host_files.summary(design, options)
    return summary


EXPORTERS: tuple[Exporter, ...] = (
    Exporter(
        "slurm",
        "Slurm topology",
        ".conf",
        SlurmOptions,
        _slurm,
        group=DEPLOYMENT,
        other_suffixes=(".yaml",),
        about="Which hosts are near each other, for the scheduler Slurm: scalable units, or leaf switches, and what "
        "joins them; scale-up domains as blocks. The suffix chooses topology.conf or topology.yaml.",
        outcome=_slurm_summary,
    ),
    Exporter(
        "hostnames",
        "Hosts and ranks",
        ".txt",
        HostOptions,
        _hosts,
        group=DEPLOYMENT,
        about="Hosts in rank order, with their GPUs as slots, for launchers of MPI jobs; a rank file, or plain names.",
        outcome=_hosts_summary,
    ),
)
