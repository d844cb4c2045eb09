"""Colours that tell jobs apart on the canvas and in tables."""

import re
from collections.abc import Iterable

JOB_COLOURS: tuple[tuple[str, str], ...] = (
    ("blue", "#0072b2"), ("vermilion", "#d55e00"), ("green", "#009e73"), ("pink", "#cc79a7"), ("orange", "#e69f00"),
    ("sky blue", "#56b4e9"), ("purple", "#7a5195"), ("brown", "#8c6d31"), ("grey", "#5f6b7a"), ("red", "#b0413e"),
)  # fmt: skip
"""The first six: M. Okabe, K. Ito, "Color Universal Design" (2008), told apart by any eyes."""

_COLOUR = re.compile(r"#[0-9a-f]{6}")


def is_colour(text: str) -> bool:
    """Whether it is #rrggbb, in small letters."""
    return _COLOUR.fullmatch(text) is not None


def next_colour(taken: Iterable[str]) -> str:
    """The first of the colours that the fewest have."""
    counts = dict.fromkeys((colour for _, colour in JOB_COLOURS), 0)
    for colour in taken:
        if colour in counts:
            counts[colour] += 1
    return min(counts, key=lambda colour: counts[colour])
