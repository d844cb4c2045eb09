"""Single values of records as a line of text: written, and read again."""

import types
import typing
from typing import Any


def is_plain(hint: Any) -> bool:
    """Whether a field is one figure or text, or a row of them on one line."""
    inner = [one for one in typing.get_args(hint) if one not in (types.NoneType, Ellipsis)]
    if isinstance(hint, types.UnionType):
        return all(is_plain(one) for one in inner)
    if typing.get_origin(hint) is tuple:
        return inner in ([str], [float])
    return hint in (str, int, float)


def written(value: Any) -> str:
    """A value as it is typed; "" for None."""
    if value is None:
        return ""
    if isinstance(value, tuple):
        return ", ".join(map(written, value))
    return f"{value:.12g}" if isinstance(value, int | float) else str(value)


def read(hint: Any, text: str) -> Any:
    """The value of a field's text; None where it is empty. Raises ValueError."""
    if not text:
        return None
    if isinstance(hint, types.UnionType):
        return read(next(one for one in typing.get_args(hint) if one is not types.NoneType), text)
    if typing.get_origin(hint) is tuple:
        return [read(typing.get_args(hint)[0], part.strip()) for part in text.split(",") if part.strip()]
    return hint(text.replace(",", "")) if hint in (int, float) else text
