"""Traffic patterns: which rank sends to which. Defined as the peer results' README defines them."""

import csv
import random
from array import array
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from designer.errors import FileFormatError, ParameterError
from designer.simulation.scenario import Scenario
from designer.simulation.traffic.phases import AllPairs, Flows, Phase, flows
from designer.simulation.traffic.texts import parts_of, whole_number
from designer.units import shortened

MOST_FLOWS_IN_FILE = 20_000_000
NUMBER_BEGINS = "+-.0123456789"
MOST_BESIDE_OTHERS = 4_000_000
# Flows of an all-to-all that is sent together with another pattern, and written out.


def pattern_phases(scenario: Scenario, ranks: NDArray[np.int64], servers: NDArray[np.int32]) -> list[Phase]:
    """The one phase of a pattern, or of several at once; `servers` has the server of each rank, by its number.

    Raises ParameterError, or FileFormatError for a file.
    """
    title, size_bytes = scenario.traffic or "", float(scenario.size_bytes)
    parts = parts_of(title)
    if parts == [("all-to-all", "")]:
        return [Phase("all-to-all", 1, AllPairs(ranks, size_bytes))]
    sent = [_flows_of(name, value, ranks, servers, size_bytes) for name, value in parts]
    for (name, value), part in zip(parts, sent, strict=True):
        if not len(part):
            raise ParameterError(f"{name}{':' if value else ''}{value} sends nothing: every rank would send to itself")
    return [Phase(title, 1, _together(sent))]


def _flows_of(name: str, value: str, ranks: NDArray[np.int64], servers: NDArray[np.int32], size_bytes: float) -> Flows:
    n = len(ranks)
    everyone = np.arange(n)
    if name == "shift":
        return _sent(ranks, everyone, (everyone + whole_number(name, "distance", value)) % n, size_bytes)
    if name == "permutation":
        return _sent(ranks, everyone, _permutation(value, n), size_bytes)
    if name in ("incast", "server-incast"):
        src = _senders(name, whole_number(name, "number of senders", value), n)
        together = np.flatnonzero(servers == servers[0]) if name == "server-incast" else everyone[:1]
        return _sent(ranks, src, _in_turn(src, together), size_bytes)
    if name == "bisection":
        half = n // 2
        return _sent(ranks, everyone[: 2 * half], (everyone[: 2 * half] + half) % (2 * half), size_bytes)
    if name == "broadcast":
        return _sent(ranks, np.zeros(n - 1, dtype=np.int64), everyone[1:], size_bytes)
    if name == "all-to-all":
        if n * n > MOST_BESIDE_OTHERS:
            raise ParameterError(
                f"an all-to-all together with other traffic is possible only for few ranks, not for {n:,}: choose fewer"
            )
        return _sent(ranks, np.repeat(everyone, n), np.tile(everyone, n), size_bytes)
    return _pairs(Path(value), ranks)


def _together(parts: list[Flows]) -> Flows:
    """Flows of several patterns, each on channels of its own."""
    if len(parts) == 1:
        return parts[0]
    src, dst, sizes = (
        np.concatenate(column) for column in zip(*((p.src, p.dst, p.size_bytes) for p in parts), strict=True)
    )
    return flows(src, dst, sizes, np.repeat(np.arange(len(parts)), [len(part) for part in parts]))


def _sent(ranks: NDArray[np.int64], src: NDArray[np.int64], dst: NDArray[np.int64], size_bytes: float) -> Flows:
    """Flows between ranks; a rank sends nothing to itself."""
    differs = src != dst
    return flows(ranks[src[differs]], ranks[dst[differs]], size_bytes)


def _senders(name: str, senders: int, n: int) -> NDArray[np.int64]:
    """So many ranks, spread evenly, without rank 0."""
    if not 1 <= senders < n:
        raise ParameterError(f"{name}:{senders} needs 1 to {n - 1} senders among {n} ranks")
    return np.arange(1, senders + 1) * n // (senders + 1)


def _in_turn(src: NDArray[np.int64], receivers: NDArray[np.int64]) -> NDArray[np.int64]:
    """To whom each sends: the receivers one after the other, where one would send to itself the next."""
    number = np.arange(len(src))
    dst = receivers[number % len(receivers)]
    found: NDArray[np.int64] = np.where(dst == src, receivers[(number + 1) % len(receivers)], dst)
    return found


def _permutation(value: str, n: int) -> NDArray[np.int64]:
    """Destinations by rank: shuffled by a seed until nobody sends to itself, or read from a file, one a line."""
    if value.lstrip("+-").isdecimal():
        generator = random.Random(whole_number("permutation", "seed", value))
        drawn = list(range(n))
        while any(rank == to for rank, to in enumerate(drawn)):
            generator.shuffle(drawn)
        return np.array(drawn, dtype=np.int64)
    lines = _read(Path(value)).split()
    if len(lines) != n or sorted(lines) != sorted(map(str, range(n))):
        raise FileFormatError(f"{Path(value).name} should hold 0 to {n - 1}, each once: where rank 0, 1, ... sends to")
    return np.array(lines, dtype=np.int64)


def _pairs(path: Path, ranks: NDArray[np.int64]) -> Flows:
    """Flows from a CSV file of source rank, destination rank, bytes; a heading and empty lines are passed over.

    A first line is a heading where nothing in it begins like a number.
    """
    src, dst, size_bytes = array("q"), array("q"), array("d")  # a tenth of what rows of numbers would take
    for number, row in enumerate(_rows(path), start=1):
        cells = [cell.strip() for cell in row]
        if not any(cells) or (number == 1 and not any(cell[:1] in NUMBER_BEGINS for cell in cells if cell)):
            continue
        pair = _pair(path, number, cells, len(ranks))
        src.append(pair[0])
        dst.append(pair[1])
        size_bytes.append(pair[2])
        if len(src) > MOST_FLOWS_IN_FILE:
            raise FileFormatError(f"{path.name} holds more than {MOST_FLOWS_IN_FILE:,} flows")
    if not src:
        raise FileFormatError(f"{path.name} holds no flows: write lines of source rank, destination rank, bytes")
    return flows(ranks[np.array(src)], ranks[np.array(dst)], np.array(size_bytes))


def _rows(path: Path) -> Iterator[list[str]]:
    lines = csv.reader(StringIO(_read(path), newline=None))
    try:
        yield from lines
    except csv.Error:
        raise FileFormatError(f"{path.name} line {lines.line_num} cannot be read as CSV") from None


def _pair(path: Path, number: int, cells: list[str], n: int) -> tuple[int, int, float]:
    try:
        src, dst, size_bytes = int(cells[0]), int(cells[1]), float(cells[2])
    except (ValueError, IndexError):
        raise FileFormatError(
            f"{path.name} line {number} is not source rank, destination rank, bytes with commas between"
        ) from None
    for rank in (src, dst):
        if not 0 <= rank < n:
            named = shortened(str(rank))
            raise FileFormatError(f"{path.name} line {number} names rank {named}; there are 0 to {n - 1}")
    if src == dst:
        raise FileFormatError(f"{path.name} line {number} sends from rank {src} to itself")
    if not 0 < size_bytes < 2**63:
        raise FileFormatError(f"{path.name} line {number} should send more than 0 bytes, and less than 8 EiB")
    return src, dst, size_bytes


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, ValueError) as error:  # ValueError: no text, or a name no file can have
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "it is no text"
        raise FileFormatError(f"{path} cannot be read: {reason}") from None
