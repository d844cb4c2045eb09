"""From where to where a number may be, and how a sentence says it."""

import math
from collections.abc import Callable
from dataclasses import dataclass


def number_text(value: float) -> str:
    """ "1,536", "0.5", "1e+18"."""
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:,.12g}" if abs(value) < 1e9 else f"{value:g}"


@dataclass(frozen=True, slots=True)
class Range:
    """The least and the most a number can be; `is_above` where the least itself is too little, `is_below` likewise."""

    least: float = -math.inf
    most: float = math.inf
    is_above: bool = False
    is_below: bool = False

    def holds(self, value: float) -> bool:
        """Whether the value is in the range; what is not a number is in none."""
        too_little = value == self.least and self.is_above
        too_much = value == self.most and self.is_below
        return self.least <= value <= self.most and not too_little and not too_much

    def text(self, write: Callable[[float], str] = number_text) -> str:
        """As it stands after "should be": "1 to 128", "1 or more", "above 0 and at most 1"."""
        least, most = write(self.least), write(self.most)
        upper = f"below {most}" if self.is_below else f"at most {most}"
        if self.most == math.inf:
            return f"above {least}" if self.is_above else f"{least} or more"
        if self.least == -math.inf:
            return upper
        if self.is_above:
            return f"above {least} and {upper}"
        return f"at least {least} and {upper}" if self.is_below else f"{least} to {most}"


ABOVE_0 = Range(0, is_above=True)
FROM_1 = Range(1)
ANY = Range()
