"""Lines of logs as a benchmark printed them, without what launchers and terminals put before them."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from designer.measurements.limits import LONGEST_LINE
from designer.outside_files import clean

PART_MARK = "# fabric-designer part:"
"""What the commands of an acceptance sheet print before a test: which part of the fabric it is about."""

_TERMINAL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_PREFIX = re.compile(
    r"\s*(?:\[\d+,\d+\]<(?:stdout|stderr)>[:\s]?"  # mpirun --tag-output, --output tag
    r"|\[\d+\]\s(?=\s*[#\d])"  # mpiexec -l of Hydra
    r"|\d+:\s(?=\s*(?:#|\d+\s))"  # srun --label
    r"|[\w.-]+\s+\|\s"  # docker compose, kubectl logs --prefix
    r"|>\s?)"
)
_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?|\.[0-9]+")
_VARIABLE = re.compile(r"\b((?:NCCL|RCCL|FI|UCX|OFI_NCCL|HSA|MSCCL|CUDA|HIP)_[A-Z0-9_]{1,60})=([^\s,;'\"]{1,300})")
_SET = re.compile(r"NCCL INFO (NCCL_[A-Z0-9_]{1,60}) set by environment to (.{1,300}?)\.?\s*$")
_PROCESSES = re.compile(r"(?:^|\s)(?:-np|-n|--np|--ntasks)[= ]\s*([0-9]{1,7})(?:\s|$)")


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a log, from 1; `part` is what the last mark before it named."""

    number: int
    text: str
    part: str


def lines_of(text: str) -> list[Line]:
    """The lines in order, each without the prefixes of launchers, as far as it may be looked at."""
    found, part = [], ""
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw[:LONGEST_LINE]
        if "\x1b" in line:
            line = _TERMINAL.sub("", line)
        while (match := _PREFIX.match(line)) is not None:
            line = line[match.end() :]
        if line.startswith(PART_MARK):
            part = clean(line[len(PART_MARK) :])[:200]
        found.append(Line(number, line, part))
    return found


def number_of(text: str) -> float | None:
    """A number as benchmarks print it; None for anything else."""
    return float(text) if len(text) < 40 and _NUMBER.fullmatch(text) else None


def numbers_of(texts: Sequence[str]) -> list[float] | None:
    """The numbers of all of these texts; None where one is none."""
    found = [number_of(text) for text in texts]
    return None if None in found else [value for value in found if value is not None]


def variables_in(line: str) -> Iterator[tuple[str, str]]:
    """Environment variables that a line sets or reports: of a command, of `env`, of the library's own words."""
    if "_" not in line:
        return
    if "set by environment" in line and (match := _SET.search(line)) is not None:
        yield match[1], clean(match[2])
    elif "=" in line:
        yield from ((match[1], clean(match[2])) for match in _VARIABLE.finditer(line))


def processes_in(line: str) -> int | None:
    """The number of processes that the command in a line starts; None without one."""
    match = _PROCESSES.search(line)
    return int(match[1]) if match else None
