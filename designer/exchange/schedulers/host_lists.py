"""Runs of hosts as Slurm and its neighbors write them: gpu-[001-127]."""

import itertools
import re
from collections.abc import Iterable, Iterator

_NUMBERED = re.compile(r"(.*?)([0-9]{1,9})", re.DOTALL)
MOST_IN_A_RANGE = 65_536
"""Source: Slurm, src/common/hostlist.c, MAX_RANGE."""


def hostlist(names: Iterable[str]) -> str:
    """The names in order, runs of consecutive numbers with as many digits as one: "gpu-[001-003,007],login"."""
    return ",".join(_prefixed(prefix, numbers) for prefix, numbers in _by_prefix(names))


def _by_prefix(names: Iterable[str]) -> Iterator[tuple[str, list[str]]]:
    """Neighbors with one prefix and their numbers as written; a name without a number has none."""
    split = ((found[1], found[2]) if (found := _NUMBERED.fullmatch(name)) else (name, "") for name in names)
    for (prefix, is_numbered), group in itertools.groupby(split, key=lambda one: (one[0], bool(one[1]))):
        if is_numbered:
            yield prefix, [number for _, number in group]
        else:
            for _ in group:
                yield prefix, []


def _prefixed(prefix: str, numbers: list[str]) -> str:
    if not numbers:
        return prefix
    ranges = list(_ranges(numbers))
    alone = len(numbers) == 1
    return f"{prefix}{numbers[0]}" if alone else f"{prefix}[{','.join(ranges)}]"


def _ranges(numbers: list[str]) -> Iterator[str]:
    first = last = numbers[0]
    for number in [*numbers[1:], ""]:
        follows = number and len(number) == len(last) and int(number) == int(last) + 1
        if follows and int(number) - int(first) < MOST_IN_A_RANGE:
            last = number
            continue
        yield first if first == last else f"{first}-{last}"
        first = last = number
