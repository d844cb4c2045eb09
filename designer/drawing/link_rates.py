"""The rate of links that are drawn as one line, as it is written next to their count."""

from designer.drawing.bundles import Ints
from designer.drawing.projection import Projection
from designer.model.entities import Link
from designer.units import format_rate

MOST_LINKS = 2048
"""Of a line; with more, as of groups that are far away, its count stands alone."""


class LinkRates:
    """Answers for the links of a projection; each is calculated once."""

    def __init__(self, projection: Projection) -> None:
        self._projection = projection
        self._known: dict[int, float | None] = {}

    def text(self, rows: Ints, most: int = MOST_LINKS) -> str:
        """ "400G" where all of these links have that rate; "" where they differ, one is unknown, or they are more."""
        if not 0 < len(rows) <= most:
            return ""
        rates = {self._rate(row) for row in rows.tolist()}
        rate = rates.pop()
        return format_rate(rate) if rate is not None and not rates else ""

    def _rate(self, row: int) -> float | None:
        if row not in self._known:
            design = self._projection.design
            self._known[row] = self._rate_of(design.links[self._projection.link_ids[row]])
        return self._known[row]

    def _rate_of(self, link: Link) -> float | None:
        """What both ports of a link run at; None where either is unknown or they differ."""
        design = self._projection.design
        a, b = design.port(link.a), design.port(link.b)
        return a.rate_gbps if a is not None and b is not None and a.rate_gbps == b.rate_gbps else None
