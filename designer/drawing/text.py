"""How wide text is, near enough, where no font can be asked: labels fit their boxes in every renderer.

Widths are those of DejaVu Sans, the widest of the usual screen fonts; narrower ones leave air.
"""

import re
import unicodedata

_NARROW = {
    **dict.fromkeys("il|'jI", 0.32),
    **dict.fromkeys("ft()[]{}!,.:;/\\ -`°·\"", 0.40),
    **dict.fromkeys("rcksxyvz_?*", 0.57),
    **dict.fromkeys("mWw@%—", 0.98),
    **dict.fromkeys("MOQGDNHU×+=<>~#&", 0.82),
}
_DIGIT_OR_LOWER = 0.635
_UPPER = 0.72
_WIDE = 1.05
_EMOJI = 1.4
_OTHER = 0.95
"""Letters of other alphabets, but for the broad ones."""
_BROAD = "ŒœÆÐЖШЩЮ"
ELLIPSIS = "…"


def width_of(text: str, size: float, bold: bool = False) -> float:
    """Width of a line of text at a font size, in the size's own unit; rather too wide than too narrow."""
    return sum(map(_em, text)) * size * (1.1 if bold else 1.0)


def elided(text: str, width: float, size: float, bold: bool = False) -> str:
    """The text, shortened at its end until it fits; "" where not even two letters would."""
    if width_of(text, size, bold) <= width:
        return text
    room = width - width_of(ELLIPSIS, size, bold)
    kept = 0
    for letter in text:
        room -= width_of(letter, size, bold)
        if room < 0:
            break
        kept += 1
    return text[:kept].rstrip() + ELLIPSIS if kept >= 2 else ""


def short_form(name: str) -> str:
    """What tells a name from its like where it has no room: its number, as "12" of "Group 12"; "" where it has none."""
    found = _NUMBER_AT_END.search(name)
    return found[0] if found and found[0] != name else ""


_NUMBER_AT_END = re.compile(r"\d+$")


def _em(letter: str) -> float:
    known = _NARROW.get(letter)
    if known is not None:
        return known
    if letter.isascii():
        return _UPPER if letter.isupper() else _DIGIT_OR_LOWER
    category = unicodedata.category(letter)
    if category in ("Mn", "Me", "Cf"):
        return 0.0
    if unicodedata.east_asian_width(letter) in "WF":
        return _EMOJI if category == "So" else _WIDE
    plain = unicodedata.normalize("NFD", letter)[0]
    if plain.isascii():
        return _em(plain)
    return _OTHER if category.startswith("L") and letter not in _BROAD else _WIDE
