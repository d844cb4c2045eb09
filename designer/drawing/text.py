"""How wide text is, near enough, where no font can be asked: labels fit their boxes in every renderer.

Widths are those of DejaVu Sans, the widest of the usual screen fonts; narrower ones leave air.
"""

import re
import unicodedata
from itertools import pairwise

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


def shorter_forms(name: str) -> tuple[str, ...]:
    """Names for where there is less and less room, all with what tells it from its like: "lf-su1-r3", "su1-r3", "r3".

    Words are shortened before the first ones are left out; empty where the name ends in no number.
    """
    if not _NUMBER_AT_END.search(name):
        return ()
    words = _BETWEEN_WORDS.split(name)
    forms = []
    for number, word in enumerate(words):
        words[number] = SHORT_WORDS.get(word.lower(), word[:2] if len(word) > 2 and word.isalpha() else word)
        forms.append(_joined(words))
    # Of numbers in a row, as of a place in a torus, none tells anything without the others.
    in_words = next((number for number, word in enumerate(words) if word.isdecimal()), len(words) - 1)
    forms += [_joined(words[first:]) for first in range(1, in_words + 1)]
    found = dict.fromkeys((*forms, short_form(name)))
    return tuple(one for one in found if one and len(one) < len(name))


SHORT_WORDS = {
    "core": "co", "gpu": "g", "host": "h", "leaf": "lf", "node": "n", "router": "rt", "server": "srv", "spine": "sp",
    "storage": "st", "switch": "sw",
}  # fmt: skip
"""How names are shortened in writing; of other words the first two letters stay."""


def _joined(words: list[str]) -> str:
    """With hyphens, but a word and the number after it in one: "sp01"."""
    text = words[0]
    for before, word in pairwise(words):
        text += word if word.isdecimal() and before.isalpha() else f"-{word}"
    return text


_NUMBER_AT_END = re.compile(r"\d+$")
_BETWEEN_WORDS = re.compile(r"[-_. ]+")


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
