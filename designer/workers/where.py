"""Where many pieces of work are done: on this machine, or on a cluster that is there already. Needs no Dask."""

import importlib.util
import os
import re
from dataclasses import dataclass

from designer.errors import ParameterError
from designer.fields import kinds
from designer.fields.field import check, setting
from designer.fields.ranges import Range
from designer.units import format_counted, shortened

PACKAGE = "fabric-designer[cluster]"
"""What brings Dask."""
NEEDED = ("dask", "distributed", "cryptography")
ADDRESS = re.compile(r"(tcp|tls)://[^\s/]+:[0-9]{1,5}")
WORKERS_MOST = 1024


def has_dask() -> bool:
    """Whether what spreads work over processes is installed."""
    return all(importlib.util.find_spec(name) is not None for name in NEEDED)


@dataclass(frozen=True, slots=True)
class Where:
    """Who does the work. Raises ParameterError for an address that is none."""

    scheduler: str = setting(
        "",
        title="Scheduler",
        help="Address of the scheduler of a Dask cluster that does the work, such as tcp://head:8786; if left out, the "
        "processors of this machine do it.",
        kind=kinds.TEXT,
        metavar="ADDRESS",
        empty="this machine",
    )
    workers: int | None = setting(
        None,
        title="Processes",
        noun="the number of processes",
        help="Processes on this machine that do the work; 1 does it in this process. If left out, one per processor.",
        kind=kinds.COUNT,
        within=Range(1, WORKERS_MOST),
        option="--workers",
        empty="one per processor",
    )

    def __post_init__(self) -> None:
        check(self)
        if self.scheduler and not ADDRESS.fullmatch(self.scheduler):
            raise ParameterError(
                f"{shortened(self.scheduler)!r} is not the address of a scheduler: write it like tcp://head:8786"
            )
        if self.scheduler and self.workers is not None:
            raise ParameterError("a cluster has its own number of workers: give either a scheduler or a number")
        if self.scheduler and not has_dask():
            raise ParameterError(f"a scheduler needs Dask: install it with python -m pip install '{PACKAGE}'")

    @property
    def n_processes(self) -> int:
        """Processes of this machine that share the work; 1 for this one alone, as it is without Dask."""
        if self.scheduler or not has_dask():
            return 1
        return self.workers or os.cpu_count() or 1

    @property
    def is_here(self) -> bool:
        """Whether this process does everything itself."""
        return not self.scheduler and self.n_processes == 1

    @property
    def sentence(self) -> str:
        """Who does the work, and what would make it quicker."""
        if self.scheduler:
            return f"The workers of {self.scheduler} do the work."
        if not self.is_here:
            return f"{format_counted(self.n_processes, 'processor')} of this machine do the work."
        if not has_dask() and self.workers != 1:
            return f"One process does the work, because Dask is not installed: python -m pip install '{PACKAGE}'."
        return "This process does the work."


HERE = Where(workers=1)
"""In this process, one piece after the other."""
