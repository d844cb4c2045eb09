"""Names of new things: counted up until no other has them."""

import re
from collections.abc import Iterable

from designer.errors import EditError

LONGEST_NAME = 200

_DIGITS = re.compile(r"([0-9]+)")
_COUNTED = re.compile(r"(.*?)([0-9]{1,9})", re.DOTALL)
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")

_SURROGATE = re.compile(r"[\ud800-\udfff]")


class Names:
    """The names taken in a table; each new one differs from them all. Linear in the names given out."""

    def __init__(self, taken: Iterable[str]) -> None:
        self._taken = set(taken)
        self._onward: dict[tuple[str, int], dict[int, int]] = {}

    def unique(self, name: str) -> str:
        """The name itself where it is free, else the next count up: leaf-01, leaf-02; spine, spine-2."""
        if name in self._taken or not name:
            match = _COUNTED.fullmatch(name)
            name = self._count_up(match[1], len(match[2]), int(match[2])) if match else self._count_up(f"{name}-", 1, 2)
        self._taken.add(name)
        return name

    def first(self, stem: str) -> str:
        """The lowest free of stem-01, stem-02, ..."""
        return self.unique(f"{stem}-01")

    def _count_up(self, stem: str, width: int, number: int) -> str:
        # Every number passed over learns where the run of taken names ended, so a thousand copies of one name stay
        # linear.
        onward = self._onward.setdefault((stem, width), {})
        passed = []
        while number in onward or f"{stem}{number:0{width}d}" in self._taken:
            passed.append(number)
            number = onward.get(number, number + 1)
        onward.update((one, number) for one in passed)
        return f"{stem}{number:0{width}d}"


def natural(text: str) -> tuple[tuple[int, int, str], ...]:
    """Sort key that puts A2 before A10."""
    return tuple(natural_key(part) for part in _DIGITS.split(text) if part)


def natural_key(part: str) -> tuple[int, int, str]:
    """The key of a number, whose digits may be too many for `int`, or of the text between two."""
    if not (part.isascii() and part.isdecimal()):
        return 1, 0, part
    digits = part.lstrip("0")
    return 0, len(digits), digits


def stem_of(name: str) -> str:
    """The name without the number it ends in: "leaf-" of leaf-07, spine of spine."""
    match = _COUNTED.fullmatch(name)
    return match[1] if match else name


def checked_name(text: str, what: str = "a name") -> str:
    """The name without blanks around it. Raises EditError where it is empty, too long or holds control characters."""
    name = text.strip()
    if not name:
        raise EditError(f"{what} cannot be empty")
    if len(name) > LONGEST_NAME:
        raise EditError(f"{what} can have {LONGEST_NAME} characters at most, not {len(name)}")
    fault = control_fault(name)
    if fault:
        raise EditError(f"{what} {fault}")
    return name


def control_fault(text: str) -> str:
    """What is wrong with a text that should be one visible line, as "holds ..."; "" where nothing is.

    The one rule for names, wherever they come from: a file, the window, a catalog.
    """
    found = _CONTROL.search(text)
    return f"holds a line break or control character (U+{ord(found[0]):04X})" if found else ""


def surrogate_fault(text: str) -> str:
    """What is wrong with a text of several lines; "" where nothing is. Half of a character cannot be written at all."""
    found = _SURROGATE.search(text)
    return f"holds half of a surrogate pair, which cannot be saved (U+{ord(found[0]):04X})" if found else ""
