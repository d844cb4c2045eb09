"""Runs as a folder that TensorBoard reads: an event file for each, with scalars by step and the spread of loads.

The format is small (framed records of one message) and is written here: the libraries that write it stamp the time and
the name of the computer into every file, so that the same run would never give the same bytes. Source: TensorFlow,
tsl/lib/io/record_writer.h (frames), tensorflow/core/util/event.proto and tensorflow/core/framework/summary.proto.
"""

import re
import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from designer.errors import ExportError
from designer.exchange.metrics.run import Run
from designer.simulation.curve import Curve
from designer.storage.saving import replace_file

FILE = "events.out.tfevents.0000000000.fabric-designer"
VERSION = b"brain.Event:2"
BUCKETS = 40
NAME_LONGEST = 120
CRC_POLYNOMIAL, CRC_MASK = 0x82F63B78, 0xA282EAD8


@dataclass(frozen=True, slots=True)
class Scalar:
    """A value under a tag at a step."""

    tag: str
    step: int
    value: float


@dataclass(frozen=True, slots=True)
class Spread:
    """Many values under a tag at a step, shown as a histogram."""

    tag: str
    step: int
    values: tuple[float, ...]


def of_run(run: Run) -> list[Scalar | Spread]:
    """The figures of a run, and how the loads of its links are spread."""
    found: list[Scalar | Spread] = [Scalar(f"run/{figure.name}", 0, figure.value) for figure in run.figures]
    loads = [("mean", run.links.utilization_mean)]
    if run.are_peaks_known:
        loads.append(("peak", run.links.utilization_peak))
    for name, values in loads:
        found.append(Scalar(f"links/utilization_{name}_highest", 0, float(values.max(initial=0.0))))
        found.append(Spread(f"links/utilization_{name}", 0, tuple(values.tolist())))
    return found


def of_curve(curve: Curve) -> list[Scalar | Spread]:
    """Time and bandwidths of a curve; the step is the size in bytes."""
    return [
        Scalar(f"by_size/{name}", round(point.size_bytes), float(getattr(point, name)))
        for name in ("time_us", "algbw_gbytes_per_s", "busbw_gbytes_per_s")
        for point in curve.points
    ]


def write_run(folder: Path, name: str, values: Sequence[Scalar | Spread], *, replace: bool = False) -> Path:
    """Write a run into a folder of runs; its file. Raises ExportError where it is there already."""
    path = folder / run_name(name) / FILE
    if path.exists() and not replace:
        raise ExportError(f"{path.parent} exists already: add --force to replace it")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ExportError(f"{path.parent} cannot be written: {error.strerror}") from None
    replace_file(path, event_bytes(values))
    return path


def run_name(name: str) -> str:
    """A folder's name made of a design's and a scenario's: letters, digits, dots and hyphens alone."""
    plain = re.sub(r"[^A-Za-z0-9.]+", "-", name).strip("-.")[:NAME_LONGEST]
    return plain or "run"


def event_bytes(values: Iterable[Scalar | Spread]) -> bytes:
    """An event file: its version, then one event for each value. Times are 0: the steps order them."""
    events = [_event(0, _bytes_field(3, VERSION))]
    events += [_event(one.step, _bytes_field(5, _bytes_field(1, _value(one)))) for one in values]
    return b"".join(map(_record, events))


def _event(step: int, what: bytes) -> bytes:
    return _double(1, 0.0) + _key(2, 0) + _varint(step) + what


def _value(one: Scalar | Spread) -> bytes:
    tag = _bytes_field(1, one.tag.encode("utf-8"))
    if isinstance(one, Scalar):
        return tag + _key(2, 5) + struct.pack("<f", one.value)
    return tag + _bytes_field(5, _histogram(one.values))


def _histogram(values: Sequence[float]) -> bytes:
    found = np.asarray(values, dtype=np.float64)
    if not len(found):
        found = np.zeros(1)
    counts, edges = np.histogram(found, bins=BUCKETS, range=(0.0, max(1.0, float(found.max()))))
    summed = (float(found.min()), float(found.max()), float(len(found)), float(found.sum()), float((found**2).sum()))
    head = b"".join(_double(number, value) for number, value in enumerate(summed, start=1))
    limits, held = (struct.pack(f"<{BUCKETS}d", *cells.tolist()) for cells in (edges[1:], counts.astype(np.float64)))
    return head + _bytes_field(6, limits) + _bytes_field(7, held)


# -- protocol buffers and frames --------------------------------------------------------------------------------------


def _varint(value: int) -> bytes:
    found = bytearray()
    while value > 0x7F:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*found, value])


def _key(number: int, wire: int) -> bytes:
    return _varint(number << 3 | wire)


def _double(number: int, value: float) -> bytes:
    return _key(number, 1) + struct.pack("<d", value)


def _bytes_field(number: int, inside: bytes) -> bytes:
    return _key(number, 2) + _varint(len(inside)) + inside


def _record(data: bytes) -> bytes:
    length = struct.pack("<Q", len(data))
    return length + struct.pack("<I", _masked_crc(length)) + data + struct.pack("<I", _masked_crc(data))


def _masked_crc(data: bytes) -> int:
    crc = 0xFFFFFFFF
    for byte in data:
        crc = CRC_TABLE[(crc ^ byte) & 0xFF] ^ crc >> 8
    crc ^= 0xFFFFFFFF
    return ((crc >> 15 | crc << 17) + CRC_MASK) & 0xFFFFFFFF


def _crc_table() -> tuple[int, ...]:
    """CRC-32C (Castagnoli), one byte at a time."""
    found = []
    for byte in range(256):
        crc = byte
        for _ in range(8):
            crc = crc >> 1 ^ (CRC_POLYNOMIAL if crc & 1 else 0)
        found.append(crc)
    return tuple(found)


CRC_TABLE = _crc_table()
