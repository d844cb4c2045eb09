"""The output of the OSU micro-benchmarks: latency and bandwidth between two ranks, and latency of collectives.

OSU counts the message of one rank for all-gather and all-to-all where nccl-tests counts all of them: such runs say so
(`is_size_per_rank`) unless the command in the log names the ranks. Source: OSU Micro-Benchmarks 3.1 to 7.5, README and
util/osu_util.c.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from designer.measurements.limits import MOST_ENVIRONMENT, MOST_ROWS
from designer.measurements.lines import Line, numbers_of, processes_in, variables_in
from designer.measurements.nccl_tests import best_of
from designer.measurements.records import MeasuredRow, Measurement, rate_gbytes_per_s
from designer.units import BYTES_PER_S_PER_GBYTES_PER_S

_TITLE = re.compile(r"#?\s*OSU (?:MPI|NCCL|RCCL|XCCL|xCCL)?\S*\s+(.+?) Test(?:\s+\(?(?:v|Version )?([0-9][\w.]*))?")
_BYTES_PER_MB = 1e6
_PAIRS = {
    "latency": ("osu_latency", 1),
    "multi-threaded latency": ("osu_latency_mt", 1),
    "bandwidth": ("osu_bw", 1),
    "bi-directional bandwidth": ("osu_bibw", 2),
}
"""Tests of two ranks: the program, and how many directions its rate adds up."""
_COLLECTIVES = {
    "allreduce": ("all-reduce", False),
    "allgather": ("all-gather", True),
    "alltoall": ("all-to-all", True),
    "all-to-all personalized exchange": ("all-to-all", True),
    "reduce_scatter": ("reduce-scatter", False),
    "broadcast": ("broadcast", False),
    "bcast": ("broadcast", False),
    "reduce": ("reduce", False),
}
"""Collectives by the name in the title, and whether their size is that of one rank's part."""


@dataclass(slots=True)
class _Run:
    line: int
    title: str
    version: str
    part: str
    n_processes: int | None
    environment: dict[str, str]
    is_rate: bool = False
    rows: list[tuple[int, float]] = field(default_factory=list)


def osu_runs(lines: Sequence[Line], file: str) -> list[tuple[int, Measurement]]:
    """The runs of the log with the line at which each begins; of tests of other kinds, none."""
    runs: list[_Run] = []
    run: _Run | None = None
    n_processes: int | None = None
    environment: dict[str, str] = {}
    for line in lines:
        text = line.text
        if "OSU" in text and (match := _TITLE.match(text)) is not None:
            run = _Run(line.number, match[1].strip(), match[2] or "", line.part, n_processes, dict(environment))
            runs.append(run)
        elif "osu_" in text:
            n_processes = processes_in(text) or n_processes
            environment.update(list(variables_in(text))[:MOST_ENVIRONMENT])
        elif run is not None and "Size" in text and text.lstrip().startswith("#"):
            run.is_rate = "MB/s" in text
        elif run is not None and text[:1].isdigit() and len(run.rows) < MOST_ROWS:
            _read_row(run, text)
    return [(run.line, made) for run in runs if run.rows and (made := _measurement(run, file)) is not None]


def _read_row(run: _Run, text: str) -> None:
    values = numbers_of(text.split()[:2])
    if values is not None and len(values) == 2 and values[0] >= 1 and values[1] > 0:
        run.rows.append((int(values[0]), values[1]))


def _measurement(run: _Run, file: str) -> Measurement | None:
    """The run as a record; None for a test that has no counterpart here."""
    name = run.title.lower()
    pair = _PAIRS.get(name)
    known = _COLLECTIVES.get(name.removesuffix(" latency").strip())
    if pair is not None:
        tool, n_directions = pair
        collective, is_part, n_ranks = "send-recv", False, 2
        rows = [_pair_row(size, value / n_directions, run.is_rate) for size, value in run.rows]
    elif known is not None and not run.is_rate:
        collective, is_part = known
        tool, n_ranks = f"osu_{collective.replace('-', '')}", run.n_processes or 0
        rows = [MeasuredRow(size, value, None, None) for size, value in run.rows]
    else:
        return None
    made = Measurement(
        id=f"{file}:{run.line}",
        source=file,
        tool=tool,
        library=f"OSU {run.version}".strip(),
        environment=run.environment,
        collective=collective,
        n_gpus=n_ranks or None,
        rows=best_of(rows)[0],
        is_size_per_rank=is_part,
        part=run.part,
    )
    return made.for_ranks(n_ranks) if n_ranks else made


def _pair_row(size_bytes: int, value: float, is_rate: bool) -> MeasuredRow:
    """A line between two ranks: of a rate in MB/s or of the time one way in us."""
    if not is_rate:
        rate = rate_gbytes_per_s(size_bytes, value)
        return MeasuredRow(size_bytes, value, rate, rate)
    rate = value * _BYTES_PER_MB / BYTES_PER_S_PER_GBYTES_PER_S
    return MeasuredRow(size_bytes, time_us_at(size_bytes, rate), rate, rate)


def time_us_at(size_bytes: float, rate_gbytes_per_s: float) -> float:
    """The time that bytes take at a rate, where only the rate was printed."""
    return size_bytes / (rate_gbytes_per_s * BYTES_PER_S_PER_GBYTES_PER_S) * 1e6
