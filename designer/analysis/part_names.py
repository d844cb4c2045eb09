"""What parts are called: the same words in plan, bill, drawings and labels."""

import re
from typing import NamedTuple

from designer.model.hardware.media import MediumPart, MediumType


class PartName(NamedTuple):
    """What a piece is called in plan and bill: the number it is ordered by, "" where none is known, and its model."""

    number: str = ""
    model: str = ""

    @property
    def text(self) -> str:
        """ "MFP7E10-N030", "MCA4J80-N003 (980-9I60Z-00N003)"; "" where neither is known."""
        if not self.number or not self.model or self.number.startswith(self.model):
            return self.number or self.model
        return f"{self.model} ({self.number})"


NO_NAMES = PartName()


def model_name(medium: MediumType, part: MediumPart | None = None) -> str:
    """ "MCA4J80-N003", the model of a part where it has one; else that of its type, "MFP7E10" of "MFP7E10-Nxxx"."""
    return part.model if part is not None and part.model else _PATTERN.sub("", medium.model)


_PATTERN = re.compile(r"-[A-Z]*[0-9]*x{2,}[\w-]*")
"""What stands in the model of a type for the length of its pieces: nothing is called or ordered by that."""
