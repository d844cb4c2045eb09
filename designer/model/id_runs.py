"""Ids in short: runs of consecutive ones, as recipes list the records that came of them."""

import re
from collections.abc import Iterable, Iterator, Sequence

from designer.errors import ParameterError
from designer.units import format_span, spans_of

_RUN = re.compile(r"([a-z])([0-9]{1,18})(?:-([0-9]{1,18}))?")


def runs(ids: Iterable[str]) -> tuple[str, ...]:
    """Ids in order, consecutive ones as one run: d1, d2, d3, d7 become "d1-3", "d7"."""
    some = tuple(ids)
    return spelled_runs(some[0][:1], spans_of(int(one[1:]) for one in some)) if some else ()


def spelled_runs(prefix: str, spans: Iterable[tuple[int, int]]) -> tuple[str, ...]:
    """Runs as text: of d, (1, 3) and (7, 7) "d1-3", "d7"."""
    return tuple(f"{prefix}{format_span(first, last)}" for first, last in spans)


def spelled(id_runs: Sequence[str], most: int) -> list[str]:
    """The ids that runs stand for. Raises ParameterError for what is no run, or for more than `most` ids."""
    ids: list[str] = []
    for prefix, first, last in parsed(id_runs):
        if last - first + 1 > most - len(ids):
            raise ParameterError("the recipe names more records than its parameters make")
        ids += [f"{prefix}{number}" for number in range(first, last + 1)]
    return ids


def parsed(id_runs: Sequence[str]) -> Iterator[tuple[str, int, int]]:
    """Prefix, first and last number of each run. Raises ParameterError for what is none."""
    for run in id_runs:
        match = _RUN.fullmatch(run)
        if match is None:
            raise ParameterError(f"the recipe cannot be read: {run!r} names no records")
        yield match[1], int(match[2]), int(match[3] or match[2])
