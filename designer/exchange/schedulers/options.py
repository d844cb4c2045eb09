"""What files for schedulers are written with, as a person sets it."""

from dataclasses import dataclass

from designer.exchange.options import ExportOptions
from designer.fields import kinds
from designer.fields.field import Word, setting
from designer.fields.ranges import Range

AUTO, TREE, BLOCK = "auto", "tree", "block"
HOSTFILE, MACHINEFILE, RANKFILE, NAMES, HOSTLIST, TABLE = (
    "hostfile",
    "machinefile",
    "rankfile",
    "names",
    "hostlist",
    "table",
)
MOST_CORES = 1024


@dataclass(frozen=True, slots=True)
class SlurmOptions(ExportOptions):
    """Those of Slurm's topology."""

    topology: str = setting(
        AUTO,
        title="Topology",
        noun="topology",
        help="The tree of the network, or blocks of hosts in one scale-up domain; auto is the tree in topology.conf, "
        "and both in topology.yaml where there are blocks.",
        kind=kinds.CHOICE,
        choices=(Word(AUTO, "As the file holds"), Word(TREE, "Tree"), Word(BLOCK, "Blocks")),
    )


@dataclass(frozen=True, slots=True)
class HostOptions(ExportOptions):
    """Those of lists of hosts."""

    content: str = setting(
        HOSTFILE,
        title="Content",
        noun="content",
        help="What is written: a host file of Open MPI, a machine file of MPICH, a rank file of Open MPI, names of "
        "hosts, one list with ranges as Slurm takes it, or a table of ranks.",
        kind=kinds.CHOICE,
        choices=(
            Word(HOSTFILE, "Host file of Open MPI"),
            Word(MACHINEFILE, "Machine file of MPICH"),
            Word(RANKFILE, "Rank file of Open MPI"),
            Word(NAMES, "Names of hosts"),
            Word(HOSTLIST, "List with ranges"),
            Word(TABLE, "Table of ranks"),
        ),
    )
    job: str = setting(
        "",
        title="Job",
        noun="job",
        help="List the hosts of this job of the design, in its rank order.",
        kind=kinds.TEXT,
        metavar="NAME",
        empty="all hosts",
    )
    cores: int | None = setting(
        None,
        title="Cores per GPU",
        noun="cores per GPU",
        help="Processor cores that a rank file binds each rank to, counted through the host; without it, the rank of "
        "GPU 3 gets core 3.",
        kind=kinds.COUNT,
        within=Range(1, MOST_CORES),
        empty="one",
    )
