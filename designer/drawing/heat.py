"""Heat: how loaded each link is, and the color scale that shows it.

The scale goes from a dull olive over amber to orange, and red is for saturated links alone: yellowish to the
color-blind as well, so that neither the colors of jobs (all bluish) nor the violet of links that are full by design are
taken for it. On a dark background links with
little traffic are darker, so that many of them stay quiet there too. All of it has a contrast of 3:1 with the
background at least. Hot links are also wider, and idle ones thin and grey.
"""

import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from designer.drawing.theme import Theme
from designer.graph.link_loads import LinkLoads
from designer.units import FULL_LOAD, HOT_LOAD, format_carried, format_load

Rgb = tuple[int, int, int]
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

BUCKETS = 32
"""Colors drawn; the last is for saturated links alone."""
SATURATED = FULL_LOAD
"""From here on a link counts as full: rounding of a simulated 100 % stays inside."""
FULL_AT_TIMES = float(np.nextafter(SATURATED, 0.0))
"""Stands for the load of a link that is full at times alone: less than that of any saturated one."""
HOT_FROM = 25
"""The first color of hot links; that of links with 80 % is the one before it."""
PER_BUCKET = HOT_LOAD / HOT_FROM
"""Load from one color to the next."""
CONGESTED = 2.0
"""Stands for the load of a saturated link that makes its flows wait, in pictures that tell these apart."""


MEASURES = {
    "peak": "Peak utilization, busier direction",
    "mean": "Mean utilization, busier direction",
    "bytes": "Bytes over links, busier direction",
}
"""What a heat can show, each with the legend's title."""


@dataclass(frozen=True)
class Heat:
    """Utilization of links in a design of that revision, 0 to 1: a to b, and b to a, as `Link.a` and `Link.b` say.

    Of measure "bytes" the values are shares of `full_bytes`, what the busiest link carries.
    """

    revision: int
    utilization: Mapping[str, tuple[float, float]]
    label: str = ""
    """What traffic it is of, as the legend says it."""
    measure: str = "peak"
    full_bytes: float = 0.0
    given_bytes: float | None = None
    """The size that the run was given: bytes are shown in units of its family, decimal or binary."""
    age: str = ""
    """What it is of where that is not the current run: "in a pinned run"."""
    other_design: str = ""
    """What the drawing has more, or less, than the design of the run: "not in it, dashed: 4 switches, 256 links"."""
    absent: frozenset[str] = frozenset()
    """Devices of the drawing that the design of the run did not have: drawn as not there."""
    outcome: tuple[str, ...] = ()
    """What came of the run, the longest text first: "57.19 ms, 138 GB/s busbw; failed: spine-01"."""
    pace: str = ""
    """What sets the pace, where no link does."""
    congested: Mapping[str, tuple[float, float]] | None = None
    """Demand on directions of links whose flows together could bring more than the link carries, else 0.

    As a share of what the link carries: 8.0 where eight times as much is wanted; 1 where it is not known how much more.
    The mean load with a minus where a link is full at times alone, as what it carries waits for congested links.
    Other saturated links are full by design: NICs at line rate set the pace. None where that is not known.
    """

    def on_scale(self, full_bytes: float) -> "Heat":
        """The same of bytes as shares of what the busiest link of another heat carries, where that is more."""
        if self.measure != "bytes" or not 0 < self.full_bytes < full_bytes:
            return self
        share = self.full_bytes / full_bytes
        utilization = {one: (a * share, b * share) for one, (a, b) in self.utilization.items()}
        return replace(self, utilization=utilization, full_bytes=full_bytes)

    def without(self, link_ids: frozenset[str]) -> "Heat":
        """The same but for these links, of which it then says nothing."""
        if self.utilization.keys().isdisjoint(link_ids):
            return self
        congested = None if self.congested is None else _others(self.congested, link_ids)
        return replace(self, utilization=_others(self.utilization, link_ids), congested=congested)

    def text_of(self, value: float, *, brief: bool = False) -> str:
        """A value of it in words: "87 %", or "1.2 GiB"; `brief` where there is little room: "99 %" for 99.4 %."""
        if self.measure != "bytes":
            return brief_percent(value) if brief else percent(value)
        return format_carried(value * self.full_bytes, given_bytes=self.given_bytes)

    def described(self, value: float) -> str:
        """The same with what it is: "peak 87 %", "mean 54 %", "1.2 GiB"."""
        word = "" if self.measure == "bytes" else f"{self.measure} "
        return f"{word}{self.text_of(value)}"

    def fullness(self, drawn: float) -> str:
        """Why a link is full, of a load as `drawn` has it: "congested"; "" of one that is not, or not known to be."""
        if self.congested is None or self.measure == "bytes" or drawn < FULL_AT_TIMES:
            return ""
        return "congested" if drawn >= CONGESTED else "full by design" if drawn >= SATURATED else "full at times"

    @cached_property
    def loads(self) -> LinkLoads:
        """The utilization as arrays."""
        return LinkLoads.of(self.utilization)

    @cached_property
    def drawn(self) -> LinkLoads:
        """The loads as pictures show them: CONGESTED for saturated links that are congested, or not known to be not.

        FULL_AT_TIMES of links that are no more than that: not hot, and of no color of the scale.
        """
        loads = self.loads
        flags = np.ones_like(loads.values_of_links)
        if self.congested is not None:
            flags = LinkLoads.of(self.congested).taken_for(loads.link_ids, 0.0)
        is_full = loads.values_of_links >= SATURATED
        shown = np.where(is_full & (flags < 0), FULL_AT_TIMES, np.minimum(loads.values_of_links, 1.0))
        return LinkLoads(loads.link_ids, np.where(is_full & (flags > 0), CONGESTED, shown))

    @cached_property
    def demands(self) -> LinkLoads:
        """The demand on congested directions of links, as a share of what they carry; 0 of all others."""
        loads = self.drawn
        if self.congested is None:
            return LinkLoads(loads.link_ids, np.zeros_like(loads.values_of_links))
        wanted = LinkLoads.of(self.congested).taken_for(loads.link_ids, 0.0)
        return LinkLoads(loads.link_ids, np.where(loads.values_of_links >= CONGESTED, wanted, 0.0))

    def draw_up(self) -> None:
        """Calculate beforehand what the first picture needs: for workers."""
        _ = (
            self.busiest,
            self.busy,
            self.n_idle,
            self.saturated,
            self.n_congested,
            self.n_hot,
            self.drawn.busier,
            self.demands.busier,
        )
        if self.measure != "bytes":
            _ = self.hottest, self.hottest_alike

    @cached_property
    def hottest(self) -> Ints:
        """Rows of the hot links of `drawn`, the most wanted first, then the busiest, then by row."""
        return hottest(self.drawn.busier, self.demands.busier)

    @cached_property
    def hottest_alike(self) -> Ints:
        """The same, but demands that hardly differ count as equal."""
        return hottest(self.drawn.busier, evened(self.demands.busier))

    @cached_property
    def n_congested(self) -> int:
        """How many links are saturated and make flows wait, in some direction."""
        return 0 if self.congested is None else int(np.count_nonzero(self.drawn.busier >= CONGESTED))

    @cached_property
    def n_hot(self) -> int:
        """How many links are over 80 % and neither full by design nor full at times, the congested ones among them."""
        return int(np.count_nonzero(are_hot(self.drawn.busier)))

    @cached_property
    def n_full_at_times(self) -> int:
        """How many links are full at times alone, in all their saturated directions."""
        return int(np.count_nonzero(self.drawn.busier == FULL_AT_TIMES))

    @cached_property
    def busiest(self) -> float | None:
        """The highest utilization of any link in either direction; None without links."""
        return float(self.loads.busier.max()) if self.loads else None

    @cached_property
    def busy(self) -> int:
        """How many links are over 80 % in some direction, the saturated ones among them."""
        return int(np.count_nonzero(self.loads.busier > HOT_LOAD))

    @cached_property
    def n_idle(self) -> int:
        """How many links carry nothing in either direction."""
        return int(np.count_nonzero(self.loads.busier <= 0))

    @cached_property
    def saturated(self) -> int:
        """How many links are full in some direction."""
        return int(np.count_nonzero(self.loads.busier >= SATURATED))


def _others(loads: Mapping[str, tuple[float, float]], link_ids: frozenset[str]) -> LinkLoads:
    """The loads of all links but these."""
    found = LinkLoads.of(loads)
    kept = [row for row, one in enumerate(found.link_ids) if one not in link_ids]
    return LinkLoads(tuple(found.link_ids[row] for row in kept), found.values_of_links[kept])


@dataclass(frozen=True, slots=True)
class LegendStop:
    """A number on the legend. `mark` is the word beside a threshold, "" for a plain number."""

    utilization: float
    text: str
    mark: str = ""


LEGEND_STOPS = (
    LegendStop(0.0, "0"),
    LegendStop(0.2, "20"),
    LegendStop(0.4, "40"),
    LegendStop(0.6, "60"),
    LegendStop(0.8, "80", "hot"),
    LegendStop(1.0, "100 %", "saturated"),
)


def stops_of(heat: Heat) -> tuple[LegendStop, ...]:
    """The numbers on the legend of a heat."""
    if heat.measure != "bytes" or heat.full_bytes <= 0:
        return LEGEND_STOPS
    full = heat.full_bytes
    sizes = ((share, format_carried(share * full, full, given_bytes=heat.given_bytes)) for share in (0.5, 1.0))
    return LegendStop(0.0, "0"), *(LegendStop(share, text) for share, text in sizes)


_Anchors = tuple[tuple[float, float, float, float], ...]
"""Utilization, then lightness, chroma and hue (degrees) in OKLCH (B. Ottosson, 2020)."""

_ON_LIGHT: _Anchors = (
    (0.00, 0.663, 0.075, 112.0),
    (0.35, 0.663, 0.120, 95.0),
    (0.62, 0.655, 0.145, 78.0),
    (0.80, 0.635, 0.155, 66.0),
    (1.00, 0.605, 0.160, 55.0),
)
_ON_DARK: _Anchors = (
    (0.00, 0.513, 0.085, 95.0),
    (0.35, 0.575, 0.110, 92.0),
    (0.62, 0.610, 0.130, 78.0),
    (0.80, 0.620, 0.140, 68.0),
    (1.00, 0.620, 0.150, 60.0),
)
_FULL_ON_LIGHT = (0.505, 0.205, 26.0)
_FULL_ON_DARK = (0.700, 0.205, 22.0)
"""Of saturated links, lightness, chroma and hue: no shade of the scale, so that 97 % is not taken for congested."""

FULL_BY_DESIGN_COLOUR: Rgb = (139, 92, 246)
FULL_AT_TIMES_COLOUR: Rgb = (228, 0, 204)


def bucket_of(utilization: float) -> int:
    """Number of the color, 0 to BUCKETS - 1. Below 0 counts as 0, above 1 as saturated."""
    if utilization >= SATURATED:
        return BUCKETS - 1
    return min(BUCKETS - 2, max(0, int(utilization / PER_BUCKET)))


def are_hot(drawn: Floats) -> Flags:
    """Which loads, as `Heat.drawn` has them, are over 80 % and neither full by design nor full at times."""
    found: Flags = ((drawn > HOT_LOAD) & (drawn < FULL_AT_TIMES)) | (drawn >= CONGESTED)
    return found


def hottest(drawn: Floats, demands: Floats) -> Ints:
    """Rows of the hot ones of these links: the most wanted first, of equal ones the busiest, then the first."""
    rows = np.flatnonzero(are_hot(drawn))
    return rows[np.lexsort((-drawn[rows], -demands[rows]))]


def evened(demands: Floats) -> Floats:
    """Demands of which those that hardly differ are equal, as results list them."""
    found: Floats = demands.round(6)
    return found


def bucket_colours(theme: Theme) -> tuple[Rgb, ...]:
    """The colors of the scale on that background, red, green and blue from 0 to 255; BUCKETS of them."""
    return _BUCKETS_ON_DARK if theme.is_dark else _BUCKETS_ON_LIGHT


def hex_of(colour: Rgb) -> str:
    """ "#rrggbb"."""
    return "#{:02x}{:02x}{:02x}".format(*colour)


def percent(utilization: float) -> str:
    """A load as it is written everywhere: "87 %", "0.4 %", "99.4 %"."""
    return format_load(utilization)


def brief_percent(utilization: float) -> str:
    """Like `percent`, but "99 %" for all from there to 100."""
    return "99 %" if 0.99 < utilization < SATURATED else percent(utilization)


def _in_oklab(light: float, chroma: float, hue: float) -> tuple[float, float, float]:
    return light, chroma * math.cos(math.radians(hue)), chroma * math.sin(math.radians(hue))


def _oklab(anchors: _Anchors, utilization: float) -> tuple[float, float, float]:
    """Straight lines in OKLab between the anchors."""
    points = [(u, *_in_oklab(*colour)) for u, *colour in anchors]
    for (u0, *low), (u1, *high) in itertools.pairwise(points):
        if utilization <= u1:
            share = (utilization - u0) / (u1 - u0)
            light, a, b = (x + (y - x) * share for x, y in zip(low, high, strict=True))
            return light, a, b
    return points[-1][1], points[-1][2], points[-1][3]


def _srgb(light: float, a: float, b: float) -> Rgb:
    l_ = (light + 0.3963377774 * a + 0.2158037573 * b) ** 3
    m_ = (light - 0.1055613458 * a - 0.0638541728 * b) ** 3
    s_ = (light - 0.0894841775 * a - 1.2914855480 * b) ** 3
    linear = (
        4.0767416621 * l_ - 3.3077115913 * m_ + 0.2309699292 * s_,
        -1.2684380046 * l_ + 2.6097574011 * m_ - 0.3413193965 * s_,
        -0.0041960863 * l_ - 0.7034186147 * m_ + 1.7076147010 * s_,
    )
    red, green, blue = (round(255 * _gamma(min(1.0, max(0.0, value)))) for value in linear)
    return red, green, blue


def _gamma(value: float) -> float:
    return 12.92 * value if value <= 0.0031308 else 1.055 * float(value ** (1 / 2.4)) - 0.055


_BUCKETS_ON_LIGHT, _BUCKETS_ON_DARK = (
    (
        *(_srgb(*_oklab(anchors, bucket / (BUCKETS - 2))) for bucket in range(BUCKETS - 1)),
        _srgb(*_in_oklab(*full)),
    )
    for anchors, full in ((_ON_LIGHT, _FULL_ON_LIGHT), (_ON_DARK, _FULL_ON_DARK))
)
