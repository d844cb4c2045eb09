"""Cages of a switch as runs: those in one mode, and those that a text names."""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from itertools import groupby

from designer.errors import ParameterError
from designer.model.design import Design
from designer.model.fitted import fitted_cages
from designer.model.hardware.device_ports import Cage
from designer.units import format_rate, format_span, spans_of

_RUN = re.compile(r"([0-9]{1,6})(?:\s*[-\u2013]\s*([0-9]{1,6}))?")


@dataclass(frozen=True, slots=True)
class CageRun:
    """Cages that follow each other and are in one mode, numbered from 1."""

    first: int
    last: int
    mode: str


def cages(design: Design, device_id: str) -> tuple[Cage, ...]:
    """The cages of a switch in order, each with its modes and the one that it is in; none of a server."""
    device, type_ = design.device(device_id), design.device_type(device_id)
    return fitted_cages(device, type_, design.modules_of(device_id), design.types)


def cage_runs(design: Design, device_id: str) -> tuple[CageRun, ...]:
    """The cages of a switch as runs of one mode."""
    return _runs((cage.number, cage.mode.name) for cage in cages(design, device_id))


def ports_text(those: Iterable[Cage]) -> str:
    """ "1-48: 2 × 400G each, 49-50: 1 × 800G each, 51: 4 × 100G": the ports of cages in order."""
    runs = _runs((cage.number, f"{cage.mode.ports_per_cage} × {format_rate(cage.mode.rate_gbps)}") for cage in those)
    return ", ".join(
        f"{format_span(run.first, run.last)}: {run.mode}{' each' if run.last > run.first else ''}" for run in runs
    )


def modes_text(cage_modes: Iterable[tuple[int, str]]) -> str:
    """ "1-48 128x400G, 50 64x800G": modes by cage, of cages in order."""
    return ", ".join(f"{format_span(run.first, run.last)} {run.mode}" for run in _runs(cage_modes))


def _runs(cage_modes: Iterable[tuple[int, str]]) -> tuple[CageRun, ...]:
    by_mode = groupby(cage_modes, key=lambda pair: pair[1])
    return tuple(CageRun(*span, mode) for mode, pairs in by_mode for span in spans_of(number for number, _ in pairs))


def numbers_text(numbers: Iterable[int]) -> str:
    """ "1-48, 50": numbers in order, consecutive ones as one run."""
    return ", ".join(format_span(*span) for span in spans_of(sorted(set(numbers))))


def cages_named(numbers: Collection[int]) -> str:
    """ "cages 1-48, 50"."""
    return f"cage{'s' if len(numbers) > 1 else ''} {numbers_text(numbers)}"


def parse_cages(text: str, n_cages: int) -> tuple[int, ...]:
    """The cages that "1-48, 50" names, in order; all of them for "". Raises ParameterError."""
    if not text.strip():
        return tuple(range(1, n_cages + 1))
    found: set[int] = set()
    for part in text.split(","):
        match = _RUN.fullmatch(part.strip())
        if match is None:
            raise ParameterError(f"cages must look like 1-{n_cages} or 1-4, 9, not {text.strip()!r}")
        first, last = int(match[1]), int(match[2] or match[1])
        if not 1 <= first <= last <= n_cages:
            raise ParameterError(f"cages must be 1 to {n_cages}, lower ones first, not {part.strip()!r}")
        found.update(range(first, last + 1))
    return tuple(sorted(found))
