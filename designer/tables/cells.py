"""What a cell of a table says to a spreadsheet: the one place that keeps text from being run as a formula."""

import math
from collections.abc import Iterable

FORMULA_STARTS = frozenset(("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"))
"""A cell of text that starts so is run as a formula by some spreadsheet; Excel knows the wide ones of Japanese."""

LEAST_WHOLE = 1e9
"""Numbers as large, as bytes are, are written out: a spreadsheet would show nine digits and an exponent."""

Cell = str | float | int | None


def reads_as_formula(text: str) -> bool:
    """Whether a spreadsheet would take it for a formula where it is typed or read from a text format."""
    return text[:1] in FORMULA_STARTS


def harmless(text: str) -> str:
    """The text, with an apostrophe before it where a spreadsheet would take it for a formula."""
    return f"'{text}" if reads_as_formula(text) else text


def as_written(text: str) -> str:
    """What `harmless` was given."""
    return text[1:] if text[:1] == "'" and text[1:2] in FORMULA_STARTS else text


def cell_texts(row: Iterable[Cell]) -> list[str]:
    """The cells of a row as `cell_text` has them: most are plain texts, and need no call each."""
    return [one if type(one) is str and one[:1] not in FORMULA_STARTS else cell_text(one) for one in row]


def cell_text(value: Cell) -> str:
    """A cell of a text format. Numbers stay numbers, negative ones too; None is empty."""
    if isinstance(value, str):
        return harmless(value)
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.0f}" if abs(value) >= LEAST_WHOLE and math.isfinite(value) else f"{value:.9g}"
    return str(value)
