"""The rows of the schedulers' files in the table of exporters."""

from designer.exchange.exporter import DEPLOYMENT, Exporter, rendered_by, said_by
from designer.exchange.schedulers.options import HostOptions, SlurmOptions
from designer.late import Late

slurms = Late("designer.exchange.schedulers.slurm")
host_files = Late("designer.exchange.schedulers.host_files")


EXPORTERS: tuple[Exporter, ...] = (
    Exporter(
        "slurm",
        "Slurm topology",
        ".conf",
        SlurmOptions,
        rendered_by(lambda: slurms.write_slurm),
        group=DEPLOYMENT,
        other_suffixes=(".yaml",),
        about="Which hosts are near each other, for the scheduler Slurm: scalable units, or leaf switches, and what "
        "joins them; scale-up domains as blocks. The suffix chooses topology.conf or topology.yaml.",
        outcome=said_by(lambda: slurms.summary),
    ),
    Exporter(
        "hostnames",
        "Hosts and ranks",
        ".txt",
        HostOptions,
        rendered_by(lambda: host_files.write_hosts),
        group=DEPLOYMENT,
        about="Hosts in rank order, with their GPUs as slots, for launchers of MPI jobs; a rank file, or plain names.",
        outcome=said_by(lambda: host_files.summary),
    ),
)
