"""Names that people and programs spell differently, under one key."""

import re
from collections.abc import Iterable, Mapping

from designer.model.naming import natural_key

_RUNS = re.compile(r"[0-9]+|[^\W\d_]+")


def plain_key(name: str) -> tuple[str, ...]:
    """What "leaf-01", "Leaf 1" and "LEAF_001" have in common: words and numbers, without case and leading zeros."""
    return tuple(run.lstrip("0") or "0" if run.isdecimal() else run.casefold() for run in _RUNS.findall(name))


def natural(name: str) -> tuple[tuple[int, int, str], ...]:
    """Sort key that puts "leaf-2" before "leaf-10"."""
    return tuple(map(natural_key, plain_key(name)))


def unique(pairs: Iterable[tuple[object, str]]) -> Mapping[object, str]:
    """Ids by key, without keys that more than one has, and without empty ones."""
    found: dict[object, str] = {}
    several = set[object]()
    for key, one in pairs:
        if key in found:
            several.add(key)
        found[key] = one
    return {key: one for key, one in found.items() if key and key not in several}
