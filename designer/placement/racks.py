"""Filling racks with devices, unit by unit."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Mounted:
    """A device's place: which rack of the sequence, from 0, and the lowest unit it takes, from 1 at the bottom."""

    rack: int
    unit: int


def fill(
    heights: Sequence[float], rack_units: int, most: int | None = None, from_top: bool = False, free_units: int = 0
) -> list[Mounted]:
    """Places for devices of the given heights in order, rack after rack, without gaps.

    `most` limits the devices in one rack. From the bottom up, or with `from_top` from the top down, as switches are
    mounted. A device takes whole units; one taller than the rack gets a rack of its own from unit 1. With `free_units`
    so many are kept free in each rack, see `kept_free`, and the devices are spread evenly over the racks they need.
    """
    free = kept_free(heights, free_units)
    places = _filled(heights, rack_units, most, from_top, free)
    if not places or not free_units:
        return places
    n_racks = places[-1].rack + 1
    spread = _filled(heights, rack_units, even_share(len(heights), n_racks), from_top, free)
    return spread if spread[-1].rack < n_racks else places


def kept_free(heights: Iterable[float], free_units: int) -> int:
    """Units kept free next to devices of these heights: all of them; next to chassis that are taller than those, 1."""
    return min(free_units, 1) if any(height > free_units for height in heights) else free_units


def even_share(count: int, n_racks: int) -> int:
    """Devices in one rack at most, where so many are spread evenly."""
    return -(-count // n_racks)


def _filled(
    heights: Sequence[float], rack_units: int, most: int | None, from_top: bool, free_units: int
) -> list[Mounted]:
    places: list[Mounted] = []
    rack, used, held = 0, 0, 0
    for height in heights:
        units = max(1, math.ceil(height))
        if held and (used + units > rack_units - free_units or (most is not None and held >= most)):
            rack, used, held = rack + 1, 0, 0
        places.append(Mounted(rack, max(1, rack_units - used - units + 1) if from_top else used + 1))
        used += units
        held += 1
    return places
