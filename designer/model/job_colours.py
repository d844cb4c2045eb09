"""Colors that tell jobs apart on the canvas and in tables."""

import re
from collections.abc import Iterable

JOB_COLOURS: tuple[tuple[str, str], ...] = (
    ("blue", "#0072b2"),
    ("pink", "#cc79a7"),
    ("sky blue", "#56b4e9"),
    ("teal", "#00a6a0"),
    ("indigo", "#3f3fa8"),
    ("magenta", "#b0209a"),
    ("aqua", "#7fd1d8"),
    ("navy", "#1b2f5e"),
    ("dark teal", "#00605f"),
    ("plum", "#5d1f5d"),
)
"""All on the blue side of what the color-blind see, as heat is on the yellow side of it (drawing.heat)."""

_COLOUR = re.compile(r"#[0-9a-f]{6}")


def is_colour(text: str) -> bool:
    """Whether it is #rrggbb, in small letters."""
    return _COLOUR.fullmatch(text) is not None


def next_colour(taken: Iterable[str]) -> str:
    """The first of the colors that the fewest have."""
    counts = dict.fromkeys((colour for _, colour in JOB_COLOURS), 0)
    for colour in taken:
        if colour in counts:
            counts[colour] += 1
    return min(counts, key=lambda colour: counts[colour])
