"""How full trays are: the cross-sections of the cables in each piece of tray against its own."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

from designer.model.design import Design
from designer.model.fixture import Fixture
from designer.model.furnishing import title_of
from designer.placement.tray_ways import TrayWays, drawn_trays

MM2_PER_M2 = 1e6


@dataclass(frozen=True, slots=True)
class TrayFill:
    """A tray and the cables in its fullest piece. Cables count by their outer diameters, as TIA-569 counts fill."""

    tray: Fixture
    n_cables: int
    cables_mm2: float
    """Of those whose diameter is known."""

    @property
    def share(self) -> float | None:
        """Of its cross-section that cables fill; None where its height is not known."""
        if self.tray.height_m is None:
            return None
        return self.cables_mm2 / (self.tray.width_m * self.tray.height_m * MM2_PER_M2)


def tray_fills(design: Design, cables: Iterable[tuple[str, str, float, int]]) -> list[TrayFill]:
    """The fullest piece of each drawn tray that cables lie in, in the order of the trays.

    `cables` are from rack to rack, with an outer diameter in mm (0 where unknown) and how many there are of them.
    """
    trays = {title_of(tray): tray for tray in drawn_trays(design)}
    between: dict[tuple[str, str], tuple[int, float]] = {}
    for a, b, diameter_mm, count in cables:
        pair = (a, b) if a < b else (b, a)
        n, area = between.get(pair, (0, 0.0))
        between[pair] = n + count, area + count * math.pi / 4 * diameter_mm**2
    ways = TrayWays(design)
    held: dict[tuple[tuple[int, int], str], tuple[int, float]] = {}
    for (a, b), (n, area) in between.items():
        for piece in ways.pieces(a, b):
            before_n, before_area = held.get(piece, (0, 0.0))
            held[piece] = before_n + n, before_area + area
    fullest: dict[str, tuple[float, int]] = {}
    for (_, name), (n, area) in held.items():
        fullest[name] = max(fullest.get(name, (0.0, 0)), (area, n))
    return [TrayFill(tray, fullest[name][1], fullest[name][0]) for name, tray in trays.items() if name in fullest]
