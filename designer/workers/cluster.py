"""Dask: processes of this machine, or the workers of a cluster. Loads Dask, so it is loaded when work is spread.

What listens for processes of this machine does so on the loopback interface alone, encrypted and with a certificate
that only they have: nobody else on the machine can send them work. There is no dashboard.
"""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

import dask

from designer.errors import DesignerError, ParameterError
from designer.process import InterruptsHeld
from designer.version import VERSION
from designer.workers.where import Where
from designer.workers.work import Work, do

LOOPBACK = "127.0.0.1"
CONNECT_S = 15
QUIET = 60
"""Above every level of a log: what goes wrong is said by whoever asked for the work."""

dask.config.set(
    {
        "logging": {"distributed": "CRITICAL", "tornado": "CRITICAL", "bokeh": "CRITICAL"},
        "distributed.scheduler.http.routes": [],
        "distributed.worker.http.routes": [],
        "distributed.admin.system-monitor.interval": "10s",
        "distributed.worker.memory.terminate": False,
        "distributed.worker.memory.pause": False,
    }
)

import distributed  # noqa: E402  (reads what was set when it is loaded)
from distributed.security import Security  # noqa: E402


class Processes:
    """Workers that have been given the work."""

    def __init__(self, client: Any, work: Work) -> None:
        self._client = client
        self.n_workers = max(1, sum(client.nthreads().values()))
        self._digest, data = work.packed()
        self._data = client.scatter(data, broadcast=True, hash=False)
        self._futures: list[Any] = []

    def submit(self, pieces: Sequence[Any], done: Callable[[Any], None]) -> None:
        """Have a chunk done; `done` is called with a function that returns its results or raises what went wrong."""
        future = self._client.submit(do, self._digest, self._data, list(pieces), pure=False)
        self._futures.append(future)  # a future that nobody holds is given up
        future.add_done_callback(lambda one: done(lambda: _taken(one)))


def _taken(future: Any) -> Any:
    """The results of a chunk. Raises what a piece raised, and DesignerError for a worker that went away."""
    try:
        return future.result(timeout=CONNECT_S)
    except (distributed.KilledWorker, asyncio.CancelledError, distributed.client.FutureCancelledError) as error:
        raise DesignerError(
            "a process that did part of the work ended, perhaps for lack of memory: try again with fewer processes"
        ) from error


@contextmanager
def pool(work: Work, where: Where) -> Iterator[Processes]:
    """Processes that are ready for the work; those started here end with it. Raises ParameterError."""
    with ExitStack() as stack:
        client = stack.enter_context(_there(where.scheduler) if where.scheduler else _here(where.n_processes))
        with InterruptsHeld():
            processes = Processes(client, work)
        yield processes


@contextmanager
def _here(n_processes: int) -> Iterator[Any]:
    with ExitStack() as stack:
        with InterruptsHeld():
            security = Security.temporary()
            cluster = _started(n_processes, security)
            stack.callback(cluster.close)
            client = distributed.Client(cluster, security=security, set_as_default=False)
            stack.callback(client.close)
        yield client


def _started(n_processes: int, security: Any) -> Any:
    """Processes that wait for work. Raises DesignerError where they cannot be started."""
    try:
        return distributed.LocalCluster(
            n_workers=n_processes,
            threads_per_worker=1,
            processes=True,
            host=LOOPBACK,
            protocol="tls://",
            security=security,
            dashboard_address=f"{LOOPBACK}:0",
            scheduler_kwargs={"dashboard": False},
            memory_limit=0,
            silence_logs=QUIET,
        )
    except (RuntimeError, OSError, TimeoutError) as error:
        raise DesignerError(
            "the processes that share the work could not be started: use one process, or put what a script does under "
            'if __name__ == "__main__":'
        ) from error


@contextmanager
def _there(address: str) -> Iterator[Any]:
    try:
        client = distributed.Client(address, timeout=CONNECT_S, set_as_default=False)
    except (OSError, TimeoutError, ValueError) as error:
        raise ParameterError(f"no Dask scheduler answers at {address}: is it running, and is the port open?") from error
    try:
        _require_alike(client, address)
        yield client
    finally:
        client.close()


def _require_alike(client: Any, address: str) -> None:
    """Raises ParameterError where the workers lack this program, or have another version of it."""
    if not client.nthreads():
        raise ParameterError(f"the scheduler at {address} has no workers: start some with dask worker {address}")
    try:
        versions = set(client.run(_version).values())
    except Exception as error:  # whatever a stranger's worker says
        raise ParameterError(
            f"the workers of {address} cannot load Fabric Designer {VERSION}: install it where they run"
        ) from error
    if versions != {VERSION}:
        there = ", ".join(sorted(versions))
        raise ParameterError(f"the workers of {address} have Fabric Designer {there}, and this is {VERSION}")


def _version() -> str:
    return VERSION
