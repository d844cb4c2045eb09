"""Traffic patterns: which rank sends to which. Defined as the peer results' README defines them."""

import csv
import random
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from designer.errors import FileFormatError, ParameterError
from designer.simulation.phases import AllPairs, Flows, Phase, flows
from designer.simulation.scenario import Scenario, check_traffic, whole_number

MOST_FLOWS_IN_FILE = 20_000_000


def pattern_phases(scenario: Scenario, ranks: NDArray[np.int64]) -> list[Phase]:
    """The one phase of a pattern. Raises ParameterError, or FileFormatError for a file of pairs."""
    name, value = check_traffic(scenario.traffic or "")
    size_bytes = float(scenario.size_bytes)
    if name == "all-to-all":
        return [Phase("all-to-all", 1, AllPairs(ranks, size_bytes))]
    n = len(ranks)
    everyone = np.arange(n)
    if name == "shift":
        sent = _sent(ranks, everyone, (everyone + whole_number(name, "distance", value)) % n, size_bytes)
    elif name == "permutation":
        sent = _sent(ranks, everyone, _permutation(value, n), size_bytes)
    elif name == "incast":
        sent = _sent(ranks, *_incast(whole_number(name, "number of senders", value), n), size_bytes)
    elif name == "bisection":
        half = n // 2
        sent = _sent(ranks, everyone[: 2 * half], (everyone[: 2 * half] + half) % (2 * half), size_bytes)
    elif name == "broadcast":
        sent = _sent(ranks, np.zeros(n - 1, dtype=np.int64), everyone[1:], size_bytes)
    else:
        sent = _pairs(Path(value), ranks)
    if not len(sent):
        raise ParameterError(f"{scenario.traffic} sends nothing: every rank would send to itself")
    return [Phase(scenario.traffic or "", 1, sent)]


def _sent(ranks: NDArray[np.int64], src: NDArray[np.int64], dst: NDArray[np.int64], size_bytes: float) -> Flows:
    """Flows between ranks; a rank sends nothing to itself."""
    differs = src != dst
    return flows(ranks[src[differs]], ranks[dst[differs]], size_bytes)


def _incast(senders: int, n: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    if not 1 <= senders < n:
        raise ParameterError(f"incast:{senders} needs 1 to {n - 1} senders among {n} ranks")
    return np.arange(1, senders + 1) * n // (senders + 1), np.zeros(senders, dtype=np.int64)


def _permutation(value: str, n: int) -> NDArray[np.int64]:
    """Destinations by rank: shuffled by a seed until nobody sends to itself, or read from a file, one a line."""
    if value.lstrip("+-").isdecimal():
        generator = random.Random(int(value))
        drawn = list(range(n))
        while any(rank == to for rank, to in enumerate(drawn)):
            generator.shuffle(drawn)
        return np.array(drawn, dtype=np.int64)
    lines = _read(Path(value)).split()
    if len(lines) != n or sorted(lines) != sorted(map(str, range(n))):
        raise FileFormatError(f"{Path(value).name} should hold 0 to {n - 1}, each once: where rank 0, 1, ... sends to")
    return np.array(lines, dtype=np.int64)


def _pairs(path: Path, ranks: NDArray[np.int64]) -> Flows:
    """Flows from a CSV file of source rank, destination rank, bytes; a heading and empty lines are passed over."""
    rows: list[tuple[int, int, float]] = []
    for number, row in enumerate(csv.reader(_read(path).splitlines()), start=1):
        cells = [cell.strip() for cell in row]
        if not any(cells) or (number == 1 and not cells[0].lstrip("+-").isdecimal()):
            continue
        rows.append(_pair(path, number, cells, len(ranks)))
        if len(rows) > MOST_FLOWS_IN_FILE:
            raise FileFormatError(f"{path.name} holds more than {MOST_FLOWS_IN_FILE:,} flows")
    if not rows:
        raise FileFormatError(f"{path.name} holds no flows: write lines of source rank, destination rank, bytes")
    src, dst, size_bytes = (np.array(column) for column in zip(*rows, strict=True))
    return flows(ranks[src], ranks[dst], size_bytes.astype(np.float64))


def _pair(path: Path, number: int, cells: list[str], n: int) -> tuple[int, int, float]:
    try:
        src, dst, size_bytes = int(cells[0]), int(cells[1]), float(cells[2])
    except (ValueError, IndexError):
        raise FileFormatError(f"{path.name} line {number} is not source rank, destination rank, bytes") from None
    for rank in (src, dst):
        if not 0 <= rank < n:
            raise FileFormatError(f"{path.name} line {number} names rank {rank}; there are 0 to {n - 1}")
    if src == dst:
        raise FileFormatError(f"{path.name} line {number} sends from rank {src} to itself")
    if not 0 < size_bytes < 2**63:
        raise FileFormatError(f"{path.name} line {number} should send more than 0 bytes, not {cells[2]}")
    return src, dst, size_bytes


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "it is no text"
        raise FileFormatError(f"{path} cannot be read: {reason}") from None
