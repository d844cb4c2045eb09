"""What is written on the line of links: their count and rate, cable type, length and own labels."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

import numpy as np

from designer.drawing.bundles import Flags, Ints
from designer.drawing.lines import Lines
from designer.drawing.projection import Projection
from designer.late import Late
from designer.model.colour_keys import CABLE, COUNT, LENGTH, OWN_LABEL
from designer.model.design import Design
from designer.model.entities import Link
from designer.model.hardware.media import MediumType
from designer.model.shown_text import visible_line
from designer.units import format_count, format_length, format_rate

cut_off = Late("designer.drawing.cut_off")

MOST_LINKS = 2048
"""Of a line, that are read one by one; of more it says their count, and their rate where their devices tell it."""
MOST_RATED = 250_000
"""Of a line; with more, as of a whole fabric that is one box, its count stands alone."""
MOST_DEVICES = 20_000
"""Of a design whose devices are asked for the rate of such a line: each edit of devices asks them all again."""
LONGEST_LABEL = 40
"""Letters of a label that are written."""
BETWEEN = " · "
SILENT, COUNTED, MORE, OWN = range(4)
"""What is written on a line: nothing, one thing, several, as its count and a length, or the user's own label."""


class LinkRates:
    """Answers for the links of a projection; each is calculated once."""

    def __init__(self, projection: Projection) -> None:
        self._projection, self._whole = projection, projection.whole()
        self._known: dict[int, float | None] = {}

    def text(self, rows: Ints, most: int = MOST_LINKS, most_asked: int | None = None) -> str:
        """ "400G" where all of these links have that rate; "" where they differ, one is unknown, or they are more.

        Where their devices do not tell it, each link is asked, of `most_asked` at most.
        """
        if not 0 < len(rows) <= most:
            return ""
        ends = self._whole.ends[self._projection.whole_links(rows)]
        found = self._whole.rates_of_devices(ends.reshape(-1))
        if (found == found[0]).all():
            return format_rate(float(found[0]))
        if not np.isnan(found).any():  # links of one rate are of devices of that rate
            return ""
        if most_asked is not None and len(rows) > most_asked:
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


def texts_of(
    design: Design, links: Sequence[Link], count: int, rate: str, chosen: Collection[str], n_failed: int = 0
) -> tuple[str, ...]:
    """What may be written on the line of so many links, the longest first; () for nothing.

    Of more links than are given, their count alone. `rate` is that of all of them, or "". No count takes the place
    of own labels that do not fit. Where some have failed, the count says how many are left.
    """
    number = f"{format_count(count - n_failed)} of {format_count(count)}" if n_failed else format_count(count)
    least = number if n_failed else f"×{number}"
    counted = (f"{number} × {rate}" if rate else least) if count > 1 else ""
    parts = {COUNT: counted} if COUNT in chosen else {}
    parts |= {name: text(design, links) for name, text in _TEXTS.items() if name in chosen and len(links) == count}
    said = [text for text in parts.values() if text]
    if not said:
        return ()
    own, short = parts.get(OWN_LABEL, ""), least if parts.get(COUNT) else ""
    shorter = (own, _first_label(links)) if own else (parts.get(COUNT, ""), short or said[0])
    return tuple(dict.fromkeys(filter(None, (BETWEEN.join(said), *shorter))))


def _labels(links: Sequence[Link]) -> list[str]:
    return [_cut(visible_line(one.label)) for one in links if one.label.strip()]


def _first_label(links: Sequence[Link]) -> str:
    """Their label, or the first of several."""
    labels = _labels(links)
    return f"{labels[0]} …" if len(set(labels)) > 1 else labels[0]


def _own_labels(_design: Design, links: Sequence[Link]) -> str:
    """Their label, or the first and the last of several; of how many of them, where some have none."""
    labels = _labels(links)
    if not labels:
        return ""
    several = len(set(labels)) > 1
    return (f"{labels[0]} … {labels[-1]}" if several else labels[0]) + _of_all(len(labels), len(links))


def _cables(design: Design, links: Sequence[Link]) -> str:
    """The kind of their cables, or how many kinds there are."""
    found = [type_.kind for one in links if isinstance(type_ := design.types.get(one.medium_id), MediumType)]
    kinds = sorted(set(found))
    if not kinds:
        return ""
    return (", ".join(kinds) if len(kinds) <= 2 else f"{len(kinds)} cable types") + _of_all(len(found), len(links))


def _lengths(_design: Design, links: Sequence[Link]) -> str:
    """Their length, or the shortest and the longest."""
    found = [one.length_m for one in links if one.length_m is not None]
    if not found:
        return ""
    low, high = format_length(min(found)), format_length(max(found))
    return (low if low == high else f"{low.removesuffix(' m')}–{high}") + _of_all(len(found), len(links))


def _of_all(known: int, count: int) -> str:
    return "" if known == count else f" ({known} of {count})"


def _cut(label: str) -> str:
    return label if len(label) <= LONGEST_LABEL else f"{label[: LONGEST_LABEL - 1]}…"


_TEXTS: Mapping[str, Callable[[Design, Sequence[Link]], str]] = {
    CABLE: _cables,
    LENGTH: _lengths,
    OWN_LABEL: _own_labels,
}


class FailedLinks:
    """Answers which links have failed, or are at a device that has, as drawn; the last answer is remembered."""

    def __init__(self, projection: Callable[[], Projection]) -> None:
        self._projection = projection
        self._known: tuple[int, frozenset[str], Flags] | None = None

    def links(self, generation: int, failed: frozenset[str]) -> Flags | None:
        """A flag for each link of the drawing, which has changed so often; None where nothing has failed."""
        if not failed:
            return None
        if self._known is None or self._known[:2] != (generation, failed):
            projection = self._projection()
            found: Flags = cut_off.failed_links(projection.whole(), failed)
            rows = np.arange(len(projection.link_ids))
            self._known = generation, failed, found[projection.whole_links(rows)]
        return self._known[2]


class LinkLabels:
    """Answers what is written on lines, as the design chose."""

    def __init__(self, projection: Projection, rates: LinkRates, *, are_counted: bool = True) -> None:
        self._projection, self._rates = projection, rates
        self._silent = frozenset() if are_counted else frozenset((COUNT,))
        self._known: dict[tuple[int, int, int, int], tuple[bool, tuple[str, ...]]] = {}
        self._asked: Ints = np.zeros((len(projection.link_ids), 2), np.int64)
        """By the first link of a line, how many links it was last asked with, and the last of them."""
        self._amounts: Ints = np.zeros(len(projection.link_ids), np.int64)

    def texts(self, rows: Ints, n_failed: int = 0) -> tuple[str, ...]:
        """What may be written on the line of these links, so many of them failed, the longest first; () for nothing."""
        return self._said(rows, n_failed)[1]

    def _said(self, rows: Ints, n_failed: int = 0) -> tuple[bool, tuple[str, ...]]:
        """The same, after whether a label of these links is among it."""
        key = len(rows), int(rows[0]), int(rows[-1]), n_failed
        if key not in self._known:
            has_own = self._has_own_label(rows)
            self._known[key] = has_own, self._found(rows, n_failed, has_own=has_own)
        return self._known[key]

    def amounts(self, lines: Lines, rows: Ints, failed: Flags | None = None) -> Ints:
        """SILENT, COUNTED, MORE or OWN for each of these lines; remembered, as a picture is painted many times.

        Lines some of whose links have `failed` say more than a count.
        """
        starts, counts = lines.starts[rows], lines.counts[rows]
        first, asked = lines.links[starts], np.stack((counts, lines.links[starts + counts - 1]), axis=1)
        found = self._amounts[first]
        for at in np.flatnonzero((self._asked[first] != asked).any(axis=1)).tolist():
            own = lines.links[starts[at] : starts[at] + counts[at]]
            texts, (has_own, _) = self.texts(own), self._said(own)
            found[at] = (OWN if has_own else MORE if BETWEEN in texts[0] else COUNTED) if texts else SILENT
            self._asked[first[at]], self._amounts[first[at]] = asked[at], found[at]
        if failed is None or not len(rows):
            return found
        are_some = np.logical_or.reduceat(failed[lines.links], lines.starts)[rows] & (counts > 1)
        return np.where(are_some & (found == COUNTED), MORE, found)

    def has_own(self) -> bool:
        """Whether any link has a label of its own that is written."""
        is_chosen = OWN_LABEL in self._projection.design.settings.link_labels
        return is_chosen and bool(self._projection.whole().labelled_links())

    def _has_own_label(self, rows: Ints) -> bool:
        """Whether a label of these links is written; none of more than are read."""
        design, ids = self._projection.design, self._projection.link_ids
        if OWN_LABEL not in design.settings.link_labels or len(rows) > MOST_LINKS:
            return False
        labelled = self._projection.whole().labelled_links()
        return bool(labelled) and not labelled.isdisjoint(map(ids.__getitem__, rows.tolist()))

    def _found(self, rows: Ints, n_failed: int, *, has_own: bool) -> tuple[str, ...]:
        design, ids = self._projection.design, self._projection.link_ids
        silent = self._silent if has_own else {*self._silent, OWN_LABEL}
        chosen = [one for one in design.settings.link_labels if one not in silent]
        if not chosen:
            return ()
        are_read = len(rows) <= MOST_LINKS and chosen != [COUNT]
        some: Iterable[int] = rows.tolist() if are_read else ()
        links = [design.links[ids[row]] for row in some]
        most = MOST_RATED if len(self._projection.whole().device_ids) <= MOST_DEVICES else MOST_LINKS
        rate = self._rates.text(rows, most, MOST_LINKS) if COUNT in chosen and len(rows) > 1 else ""
        return texts_of(design, links, len(rows), rate, chosen, n_failed)
