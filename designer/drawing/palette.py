"""Colors of classes, chosen so that color-blind readers tell any two apart, on light and on dark paper."""

from designer.drawing.theme import Theme

_LIGHT = ("#2e6e99", "#ff6e0d", "#09b291", "#9e0dff", "#801f06", "#ba8cff", "#b24d09", "#382680")
_DARK = ("#7ee6e6", "#e68e0b", "#62b2a2", "#933dcc", "#cc310a", "#a87ee6", "#ffcf0d", "#268080")

SIZE = len(_LIGHT)
"""How many classes have a color of their own."""

PLAIN = -1
"""Stands for the color of what has no class of its own."""

Colour = int | str
"""A place in the palette, PLAIN, "error", "warning" or "info" of the theme, or #rrggbb."""


def colours_of(theme: Theme) -> tuple[str, ...]:
    """The palette on the paper of a theme, as #rrggbb."""
    return _DARK if theme.is_dark else _LIGHT


def colour_in(colour: Colour, theme: Theme, plain: str) -> str:
    """The color as drawn, as #rrggbb; `plain` is that of what has no class."""
    if isinstance(colour, int):
        return plain if colour == PLAIN else colours_of(theme)[colour % SIZE]
    if colour.startswith("#"):
        return colour
    found: str = getattr(theme, colour)
    return found
