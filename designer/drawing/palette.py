"""Colors of classes, chosen so that color-blind readers tell any two apart, on light and on dark paper."""

from typing import NamedTuple

from designer.drawing.theme import Theme

_LIGHT = ("#2e6e99", "#ff6e0d", "#09b291", "#9e0dff", "#801f06", "#ba8cff", "#b24d09", "#382680")
_DARK = ("#7ee6e6", "#e68e0b", "#62b2a2", "#933dcc", "#cc310a", "#a87ee6", "#ffcf0d", "#268080")

_LIGHT_RAMP = ("#8fd0ba", "#55b3c0", "#2f8fbd", "#2a68a8", "#263f8c", "#161d5c")
_DARK_RAMP = ("#3f5fa8", "#3f82b8", "#4aa6bf", "#74c6b6", "#b3e0a6", "#f4f7b0")

SIZE = len(_LIGHT)
"""How many classes have a color of their own."""

RAMP = len(_LIGHT_RAMP)
"""How many classes of one quantity have a color of their own."""

PLAIN = -1
"""Stands for the color of what has no class of its own."""


class Step(NamedTuple):
    """A class of a quantity: its place in the ramp, which leads away from the color of the paper."""

    place: int


Colour = int | str | Step
"""A place in the palette or the ramp, PLAIN, "error", "warning" or "info" of the theme, or #rrggbb."""


def steps(count: int) -> list[Step]:
    """So many places in the ramp, as far apart as they can be, the last at its end; at most RAMP."""
    return [Step(RAMP - 1 - round((count - 1 - one) * (RAMP - 1) / max(1, count - 1))) for one in range(count)]


def colours_of(theme: Theme) -> tuple[str, ...]:
    """The palette on the paper of a theme, as #rrggbb."""
    return _DARK if theme.is_dark else _LIGHT


def colour_in(colour: Colour, theme: Theme, plain: str) -> str:
    """The color as drawn, as #rrggbb; `plain` is that of what has no class."""
    if isinstance(colour, Step):
        return (_DARK_RAMP if theme.is_dark else _LIGHT_RAMP)[colour.place]
    if isinstance(colour, int):
        return plain if colour == PLAIN else colours_of(theme)[colour % SIZE]
    if colour.startswith("#"):
        return colour
    found: str = getattr(theme, colour)
    return found
