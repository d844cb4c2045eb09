"""The line that says which color is which job: what is in it, and how wide; screens and documents draw it alike."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from designer.model.entities import PlacedJob

HEIGHT, INSET, GAP = 26.0, 12.0, 14.0
"""Of the plate, in it at either side, and between two entries."""
SWATCH, AFTER_SWATCH = 9.0, 6.0
NAME_SIZE, NAME_MOST = 11, 130.0


class Entry(NamedTuple):
    """A name as it fits, its job's color, and the width of both."""

    name: str
    colour: str
    width: float


class JobNames(NamedTuple):
    """The entries there is room for, what counts the others, and the width of the plate."""

    entries: tuple[Entry, ...]
    tail: str
    width: float


def job_names(
    jobs: Iterable[PlacedJob], room: float, cut: Callable[[str], str], width_of: Callable[[str], float]
) -> JobNames:
    """The line of these jobs in that room; `cut` makes a name fit into NAME_MOST, `width_of` measures a text."""
    waiting = [(cut(job.name), job.colour) for job in jobs]
    entries: list[Entry] = []
    left = room - 2 * INSET
    for number, (name, colour) in enumerate(waiting):
        width, others = SWATCH + AFTER_SWATCH + width_of(name), len(waiting) - number - 1
        if width + (GAP + width_of(f"+{others}") if others else 0.0) > left:
            break
        entries.append(Entry(name, colour, width))
        left -= width + GAP
    tail = f"+{len(waiting) - len(entries)}" if len(entries) < len(waiting) else ""
    width = 2 * INSET - GAP + sum(entry.width + GAP for entry in entries) + (GAP + width_of(tail) if tail else 0.0)
    return JobNames(tuple(entries), tail, width)
