"""Find and replace in names, by text or by a regular expression that cannot take for ever."""

import re
import time
from collections.abc import Callable

from designer.errors import ParameterError
from designer.units import shortened

LONGEST = 200
"""Characters of a regular expression."""
REPEATS_MOST = 3
"""Of * + and { } in one: each multiplies the time that a name may take by its length."""
CHOICES_MOST = 10
"""Of ? and | in one: each may double it."""
TIME_MOST_S = 2.0
"""For all names together."""

Replace = Callable[[str], str]


def replacing(find: str, replacement: str, *, is_regular: bool = False, matches_case: bool = True) -> Replace:
    """What replaces every place that `find` fits by the replacement; the text as it is where `find` is empty.

    Raises ParameterError for a regular expression that is faulty or could take too long; what comes back raises it
    where the names take too long together.
    """
    if not find:
        return lambda text: text
    if is_regular:
        check_regular(find)
    try:
        fits = re.compile(find if is_regular else re.escape(find), re.NOFLAG if matches_case else re.IGNORECASE)
        fits.sub(replacement if is_regular else "", "")
    except re.error as error:
        raise ParameterError(f"{shortened(find)!r} is no regular expression: {error}") from None
    except (OverflowError, RecursionError):
        raise ParameterError(f"{shortened(find)!r} is no regular expression that could be used") from None
    deadline: list[float] = []

    def replace(text: str) -> str:
        if not deadline:
            deadline.append(time.monotonic() + TIME_MOST_S)
        elif time.monotonic() > deadline[0]:
            raise ParameterError(f"{shortened(find)!r} takes too long: write a simpler regular expression")
        try:
            return fits.sub(replacement if is_regular else lambda _found: replacement, text)
        except (re.error, IndexError) as error:
            raise ParameterError(f"{shortened(replacement)!r} is no replacement: {error}") from None

    return replace


def check_regular(find: str) -> None:
    """Raises ParameterError for a regular expression whose time could grow beyond all bounds with a name's length."""
    if len(find) > LONGEST:
        raise ParameterError(f"a regular expression has {LONGEST} characters at most, not {len(find)}")
    repeats = choices = 0
    for sign, after in _signs(find):
        if sign == ")" and after in ("*", "+", "{"):
            raise ParameterError("a repeated group, such as (...)+, could take too long: repeat single letters only")
        repeats += sign in ("*", "+", "{")
        choices += sign in ("?", "|")
    if repeats > REPEATS_MOST:
        raise ParameterError(f"a regular expression may repeat {REPEATS_MOST} times, with *, + or {{ }}, not {repeats}")
    if choices > CHOICES_MOST:
        raise ParameterError(f"a regular expression may have {CHOICES_MOST} of ? and |, not {choices}")


def _signs(find: str) -> list[tuple[str, str]]:
    """The letters outside of sets and escapes, each with the one after it; "?" behind "(" and repeats is none."""
    found, place, length = [], 0, len(find)
    while place < length:
        sign = find[place]
        if sign == "\\":
            place += 2
            continue
        if sign == "[":
            end = find.find("]", place + (3 if find[place + 1 : place + 2] == "^" else 2))
            place = length if end < 0 else end + 1
            continue
        if not (sign == "?" and place and find[place - 1] in "(*+?}"):
            found.append((sign, find[place + 1 : place + 2]))
        place += 1
    return found
