"""Hot spots: which links are hot, which lines of a picture hold them, and how much more is wanted than they carry.

A link that is full by design is none: NICs or links before it set the pace, and nothing waits for it.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from designer.drawing.bundles import Flags, Floats, Ints
from designer.drawing.lines import Lines
from designer.units import format_count

MOST_HOTTEST = 4000
MOST_MARKED = 24
"""Congested links that are marked on a line, the most wanted first."""
LEAST_DEMAND = 1.05
"""What is wanted less than this beyond a whole is not worth a figure."""
ALIKE = 0.99
"""Share of the greatest demand from which one counts as equal to it."""
LIKE = 0.9
"""The same where one line stands for many in words."""
EVEN_SHARE = 0.1
"""Of all links: with more that are equally hot than are marked, none of them stands out."""


def stands_out(hottest: Ints, drawn: Floats, demands: Floats) -> bool:
    """Whether some of the hot links, by row and the hottest first, are wanted more, or busier, than others.

    Those of an even all-to-all are all equal.
    """
    if not len(hottest):
        return False
    wanted, most = demands if demands[hottest[0]] > 0 else drawn, max(MOST_MARKED, int(EVEN_SHARE * len(drawn)))
    return len(hottest) <= most or bool(wanted[hottest[most]] < ALIKE * wanted[hottest[0]])


def foremost(rows: Ints, first: Floats, then: Floats | Ints, most: int) -> Ints:
    """The `most` of the rows with the greatest of `first`, of equal ones those with the greatest of `then`; in order.

    As sorting all of them would have it, whose number may be that of all links.
    """
    if len(rows) > most > 0:
        key = first[rows]
        if key.min() == key.max():
            sure, equal = rows[:0], rows
        else:
            least = np.partition(key, len(rows) - most)[len(rows) - most]
            sure, equal = rows[key > least], rows[key == least]
        missing = most - len(sure)
        if missing < len(equal):
            second = then[equal]
            equal = equal[second >= np.partition(second, len(equal) - missing)[len(equal) - missing]]
        rows = np.sort(np.concatenate((sure, equal)))
    return rows[np.lexsort((-then[rows], -first[rows]))][:most]


def demand_text(demand: float) -> str:
    """ "demand 8.0×"; "" where that is not known or hardly more than all."""
    if demand < LEAST_DEMAND:
        return ""
    return f"demand {format_count(round(demand)) if demand >= 10 else f'{demand:.1f}'}×"


def spot_text(n_hot: int, n_links: int, demand: float) -> str:
    """ "3 of 8 hot, demand 8.0×", as far as there is something to say of links that are drawn as one."""
    counted = f"{format_count(n_hot)} of {format_count(n_links)} hot" if n_links > 1 and n_hot else ""
    return ", ".join(part for part in (counted, demand_text(demand)) if part)


def between_boxes(xy: Floats, sizes: Floats) -> Floats:
    """What shows, (n, 4), of lines from middle to middle of boxes of these sizes, (n, 2, 2); a point of none."""
    along = xy[:, 2:] - xy[:, :2]
    reach = np.full(sizes.shape, np.inf)
    np.divide(sizes / 2, np.abs(along)[:, None], out=reach, where=np.abs(along)[:, None] > 0)
    shares = np.minimum(np.minimum(reach[:, :, 0], reach[:, :, 1]), 1.0)
    low, high = shares[:, :1], 1 - shares[:, 1:]
    low, high = np.where(low > high, (low + high) / 2, low), np.where(low > high, (low + high) / 2, high)
    return np.hstack((xy[:, :2] + along * low, xy[:, :2] + along * high))


class HotLines:
    """What the lines of a picture hold of the hot links."""

    def __init__(self, links: "HotLinks", lines: Lines) -> None:
        self._links, self._lines = links, lines
        self.marked = links.marked_on(lines)
        """(n_lines,) those that show where a congested link is: of the lines it runs through, one."""

    def held_by(self, rows: Ints) -> tuple[Ints, Floats]:
        """Of each of these lines how many hot links run through it, and the greatest demand on one of them.

        As a share of what the link carries; 0 without a congested link.
        """
        places, starts = self._lines.held(rows)
        if not len(starts):
            return np.empty(0, np.int64), np.empty(0)
        links = self._lines.links[places]
        counts = np.add.reduceat(self._links.hot[links].astype(np.int64), starts)
        return counts, np.maximum.reduceat(self._links.demands[links], starts)

    def n_like(self, demand: float) -> int:
        """How many congested links of the whole drawing are wanted about as much."""
        demands = self._links.demands
        return int(np.count_nonzero((demands > 0) & (demands >= LIKE * demand)))

    def ends_text(self, row: int) -> str:
        """What the links of a line that are wanted most run between; "" where that has no name."""
        places, _ = self._lines.held(np.array([row]))
        links = self._lines.links[places]
        demands = self._links.demands[links]
        return self._links.ends_text(links[demands >= ALIKE * demands.max()])

    def named(self, row: int) -> tuple[str, str]:
        """What stands before what is counted on a line, as what it runs between: "leaf-01 – spine-01"; and what after.

        Of a line of links between several devices that is which is worst, "worst: leaf-01 – spine-01"; else "".
        """
        ends, places = self.ends_text(row), self._lines.held(np.array([row]))[0]
        is_of_all = ends == self._links.ends_text(self._lines.links[places])
        return (ends, "") if is_of_all or not ends else ("", f"worst: {ends}")


def _unnamed(_rows: Ints) -> str:
    return ""


@dataclass(frozen=True)
class HotLinks:
    """The links of a design that are hot, by their rows."""

    hot: Flags  # (n_links,)
    demands: Floats  # (n_links,) as a share of what the link carries; 0 of links that are not congested
    rows: Ints  # hot links, the most wanted first, then the busiest; none where so many are equal that none stands out
    ends: Floats  # (len(rows), 4) from middle to middle of their boxes, or what shows of that
    ends_text: Callable[[Ints], str] = field(default=_unnamed, repr=False, compare=False)
    """What links, by row, run between."""
    _on: list[tuple[Lines, HotLines]] = field(default_factory=list, repr=False, compare=False)

    @staticmethod
    def of(
        hottest: Ints,
        drawn: Floats,
        demands: Floats,
        ends: NDArray[np.int32],
        centres: Floats,
        sizes: Floats | None = None,
        ends_text: Callable[[Ints], str] = _unnamed,
    ) -> "HotLinks":
        """From the load and the demand of each link in its busier direction; `ends` are the rows of its boxes.

        `hottest` are the rows of the hot links, in the order of `Heat.hottest`. `sizes` are given of boxes that hide
        much of the links between them, others are of size 0.
        """
        hot = np.zeros(len(drawn), np.bool_)
        hot[hottest] = True
        rows = hottest[:MOST_HOTTEST] if stands_out(hottest, drawn, demands) else hottest[:0]
        xy = centres[ends[rows]].reshape(-1, 4)
        shown = xy if sizes is None else between_boxes(xy, sizes[ends[rows]])
        return HotLinks(hot, demands, rows, shown, ends_text)

    def on(self, lines: Lines) -> HotLines:
        """What the lines hold of them; the last answer is remembered, as a picture moves in many frames."""
        if not self._on or self._on[0][0] is not lines:
            self._on[:] = [(lines, HotLines(self, lines))]
        return self._on[0][1]

    @property
    def marked(self) -> Ints:
        """The congested links that are marked, as they are wanted more than others; by row."""
        return _most_wanted(self.rows[self.demands[self.rows] > 0], self.demands)

    def marked_on(self, lines: Lines) -> Flags:
        """Of the lines each congested link runs through the one with the fewest links, the longest of such."""
        marked = np.zeros(len(lines.starts), np.bool_)
        chosen = self.marked
        if not len(chosen):
            return marked
        wanted = np.zeros(len(self.demands), np.bool_)
        wanted[chosen] = True
        places = np.flatnonzero(wanted[lines.links])
        of = np.searchsorted(lines.starts, places, side="right") - 1
        length = np.hypot(*(lines.xy[of, 2:] - lines.xy[of, :2]).T)
        order = np.lexsort((-length, lines.counts[of], lines.links[places]))
        _, first = np.unique(lines.links[places][order], return_index=True)
        marked[of[order][first]] = True
        return marked


def _most_wanted(rows: Ints, demands: Floats) -> Ints:
    """The first of the rows, the most wanted first, that are marked: of equal ones below others all or none."""
    if len(rows) <= MOST_MARKED:
        return rows
    first, last, next_one = demands[rows[[0, MOST_MARKED - 1, MOST_MARKED]]].tolist()
    chosen = rows[:MOST_MARKED]
    if next_one < ALIKE * last or last >= ALIKE * first:
        return chosen
    above: Ints = chosen[demands[chosen] * ALIKE > last]
    return above
