"""Filling racks with devices, unit by unit."""

import math
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Mounted:
    """A device's place: which rack of the sequence, from 0, and the lowest unit it takes, from 1 at the bottom."""

    rack: int
    unit: int


def fill(heights: Sequence[float], rack_units: int, most: int | None = None, from_top: bool = False) -> list[Mounted]:
    """Places for devices of the given heights in order, rack after rack, without gaps.

    `most` limits the devices in one rack. From the bottom up, or with `from_top` from the top down, as switches are
    mounted. A device takes whole units; one taller than the rack gets a rack of its own from unit 1.
    """
    places: list[Mounted] = []
    rack, used, held = 0, 0, 0
    for height in heights:
        units = max(1, math.ceil(height))
        if held and (used + units > rack_units or (most is not None and held >= most)):
            rack, used, held = rack + 1, 0, 0
        places.append(Mounted(rack, max(1, rack_units - used - units + 1) if from_top else used + 1))
        used += units
        held += 1
    return places
