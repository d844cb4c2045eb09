"""JSON as every command prints it."""

import json
from typing import Any

DIGITS = 12
"""Significant digits of a number: what a sum of floats carries beyond them is noise, as in 399.99999999999994."""


def json_text(value: Any) -> str:
    """The value as indented JSON. Raises ValueError for what JSON cannot hold: infinity and NaN."""
    return json.dumps(_rounded(value), indent=2, allow_nan=False)


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return float(f"{value:.{DIGITS}g}")
    if isinstance(value, dict):
        return {key: _rounded(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_rounded(one) for one in value]
    return value
