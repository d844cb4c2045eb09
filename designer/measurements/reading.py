"""Files of measurements, whatever wrote them: logs of several benchmarks, or JSON."""

import re
from pathlib import Path

from designer.errors import FileFormatError
from designer.measurements.json_layout import read_json_layout
from designer.measurements.limits import MOST_BYTES
from designer.measurements.lines import lines_of
from designer.measurements.nccl_tests import nccl_runs
from designer.measurements.osu import osu_runs
from designer.measurements.perftest import perftest_runs
from designer.measurements.records import Measurement
from designer.outside_files import read_bytes, text_of

READ = "nccl-tests, rccl-tests, OSU micro-benchmarks or perftest"
HEAD_BYTES = 2**20
MARKS = (b"busbw", b"minBytes", b"OSU MPI", b"#bytes ", b'"n_gpus"')
"""Words by which a file of measurements is known among others with the same suffix."""
_JSON = re.compile(r"\s*(?:\{|\[\s*[\]{])")
_READERS = (nccl_runs, osu_runs, perftest_runs)


def read_measurements(path: Path) -> tuple[Measurement, ...]:
    """What a file holds, in its order: the log of any benchmark that is known, or the JSON layout of records.

    Raises FileFormatError with one sentence that names the file and the way out, OSError as it comes.
    """
    name = path.name
    text = text_of(read_bytes(path, MOST_BYTES, "leave out what is not output of the benchmark"), name)
    return measurements_in(text, name)


def looks_measured(path: Path) -> bool:
    """Whether the beginning of a file has words of a benchmark's output; False where it cannot be read."""
    try:
        with path.open("rb") as file:
            head = file.read(HEAD_BYTES)
    except OSError:
        return False
    return any(mark in head for mark in MARKS)


def measurements_in(text: str, name: str) -> tuple[Measurement, ...]:
    """What a text holds; `name` is that of its file. Raises FileFormatError."""
    if _JSON.match(text):
        found = read_json_layout(text, name)
    else:
        lines = lines_of(text)
        every = [run for reader in _READERS for run in reader(lines, name)]
        found = [measurement for _, measurement in sorted(every, key=lambda run: run[0])]
    if not found:
        raise FileFormatError(f"{name} holds no measurement: choose a log of {READ}, or JSON of records")
    return tuple(found)
