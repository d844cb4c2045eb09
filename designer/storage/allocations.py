"""Where a job runs, as a file says it: "d1-63" for all GPUs of these servers, "d64:0,2-3" for some of one."""

import re
from collections.abc import Iterable, Sequence
from typing import Annotated, Any

import msgspec

from designer.errors import FileFormatError
from designer.model.entities import Allocation
from designer.units import format_span, spans_of

_LONGEST = 10_000
TEXT = Annotated[str, msgspec.Meta(max_length=_LONGEST)]

_PLAIN = re.compile(r"([a-z])(0|[1-9][0-9]{0,17})")
_SERVERS = re.compile(r"([a-z])(0|[1-9][0-9]{0,17})(?:-([1-9][0-9]{0,17}))?")
_GPUS = re.compile(r"([0-9]{1,6})(?:-([0-9]{1,6}))?")


def short(allocations: Iterable[Allocation]) -> list[str | dict[str, Any]]:
    """Consecutive servers with the same GPUs as one text; a record where an id is not a letter and a number."""
    found: list[str | dict[str, Any]] = []
    run: list[Any] = []  # letter, first, last, GPUs
    for one in allocations:
        match = _PLAIN.fullmatch(one.device_id)
        if match is not None and run and run[::2] + run[3:] == [match[1], int(match[2]) - 1, one.gpus]:
            run[2] += 1
            continue
        found += _written(run)
        run = [match[1], int(match[2]), int(match[2]), one.gpus] if match is not None else []
        if match is None:
            found.append({"device_id": one.device_id} | ({"gpus": one.gpus} if one.gpus else {}))
    return found + _written(run)


def _written(run: Sequence[Any]) -> list[str | dict[str, Any]]:
    if not run:
        return []
    letter, first, last, gpus = run
    servers = f"{letter}{format_span(first, last)}"
    text = f"{servers}:{','.join(format_span(*span) for span in spans_of(gpus))}" if gpus else servers
    if len(text) > _LONGEST:  # every other GPU of very many
        return [{"device_id": f"{letter}{number}", "gpus": gpus} for number in range(first, last + 1)]
    return [text]


def places_of(entries: Iterable[Any]) -> int:
    """How many servers and GPUs the entries of a file stand for, without spelling them. Raises FileFormatError."""
    count = 0
    for entry in entries:
        if isinstance(entry, str):
            _, first, last, gpus = _parsed(entry)
            count += (last - first + 1) * (1 + sum(high - low + 1 for low, high in gpus))
        else:
            count += 1 + len(entry.gpus)
    return count


def spelled(entries: Iterable[Any]) -> tuple[Allocation, ...]:
    """What the entries of a file stand for: see places_of first. Raises FileFormatError for what names no servers."""
    found: list[Allocation] = []
    for entry in entries:
        if isinstance(entry, str):
            letter, first, last, runs = _parsed(entry)
            gpus = tuple(number for low, high in runs for number in range(low, high + 1))
            found += [Allocation(f"{letter}{number}", gpus) for number in range(first, last + 1)]
        else:
            found.append(Allocation(entry.device_id, entry.gpus))
    return tuple(found)


def _parsed(text: str) -> tuple[str, int, int, list[tuple[int, int]]]:
    """Letter, first and last number of servers, first and last of runs of GPUs."""
    servers, colon, gpus = text.partition(":")
    match = _SERVERS.fullmatch(servers)
    runs = [_GPUS.fullmatch(part) for part in gpus.split(",")] if colon else []
    if match is not None and None not in runs:
        first, last = int(match[2]), int(match[3] or match[2])
        bounds = [(int(run[1]), int(run[2] or run[1])) for run in runs if run is not None]
        if first <= last and all(low <= high for low, high in bounds):
            return match[1], first, last, bounds
    raise FileFormatError(f"field servers: {text[:60]!r} names no servers: they are written like d1-8 or d1:0-3")
