"""Looks that links were given one by one, over what lines are colored by: where all links of a line share them."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from designer.drawing.colour_by import Codes, ColourClass
from designer.drawing.lines import Lines
from designer.drawing.palette import PLAIN, Colour
from designer.drawing.projection import Projection
from designer.fields.kinds import colour_title
from designer.model.annotation import SOLID, USUAL_LINE_WIDTH
from designer.model.annotation_styles import as_looked, style_of
from designer.model.entities import Link
from designer.model.shown_text import visible_line

TITLE = "Own look"
MOST_LOOKS, MOST_MIXES = 64, 256
"""Looks that are drawn, and looks together with what is below them; links of further ones are drawn without."""
LEAST_WIDTH = 0.2
"""Of a line in terms of others: thinner ones could not be seen."""
_NO_COLOUR = ""


class _Look(NamedTuple):
    style: str
    """The name of its style."""
    colour: str
    width: float
    line: str


_NONE = _Look("", _NO_COLOUR, USUAL_LINE_WIDTH, SOLID)


class OwnLooks(NamedTuple):
    """The looks of some lines, and what classes the others have."""

    codes: Codes  # (n_lines,) number in mixes of each line; -1 of those without a look
    mixes: tuple[tuple[int, _Look], ...]
    """The class below, and the look over it."""
    below: frozenset[int]
    """Classes that are seen: of lines without a look, and of those whose look has no color."""

    def classes(self, every: Sequence[ColourClass]) -> tuple[ColourClass, ...]:
        """The classes of the mixes; `every` are those below, in their colors."""
        return tuple(_mixed(every[below], look) for below, look in self.mixes)

    @property
    def keys(self) -> list[ColourClass]:
        """What a legend lists: each look once, whatever is below it."""
        looks = sorted({look for _, look in self.mixes}, key=lambda look: (_title(look), look))
        return [_mixed(ColourClass("", PLAIN), look) for look in looks]


def over(projection: Projection, ids: Iterable[str], lines: Lines, classes: Codes) -> OwnLooks:
    """The looks of the links of these ids on lines of these classes; a line has what all its links share."""
    numbers, looks = numbered(projection, ids)
    of_links, starts = numbers[lines.links], lines.starts
    shared = []
    for values in zip(*looks, strict=True):  # field by field: links of two colors may both be dashed
        known = {value: place for place, value in enumerate(dict.fromkeys(values))}
        codes = np.array([known[value] for value in values], np.int16)[of_links]
        high, low = np.maximum.reduceat(codes, starts), np.minimum.reduceat(codes, starts)
        shared.append(np.where(high == low, high, 0))  # the first of each are those of no look
    fields = [list(dict.fromkeys(values)) for values in zip(*looks, strict=True)]
    has_look = np.any(shared[1:], axis=0)
    rows = np.flatnonzero(has_look)
    below = classes[rows].astype(np.int64)
    mixes, places, counts = np.unique(
        np.column_stack((below, *(one[rows] for one in shared))), axis=0, return_inverse=True, return_counts=True
    )
    kept = np.sort(np.argsort(-counts, kind="stable")[:MOST_MIXES])
    number_of = np.full(len(mixes), -1, np.int16)
    number_of[kept] = np.arange(len(kept))
    found = np.full(len(classes), -1, np.int16)
    found[rows] = number_of[places.ravel()]
    made = [
        (int(mix[0]), _Look(*(values[code] for values, code in zip(fields, mix[1:].tolist(), strict=True))))
        for mix in mixes[kept]
    ]
    is_coloured = np.array([bool(look.colour) for _, look in made] + [False])  # the last is that of no look
    return OwnLooks(found, tuple(made), frozenset(np.unique(classes[~is_coloured[found]]).tolist()))


def numbered(projection: Projection, ids: Iterable[str]) -> tuple[NDArray[np.int16], list[_Look]]:
    """The number of each link's look by row, and the looks, that of no look first."""
    rows, known = projection.link_rows(ids), dict[tuple[str, str, float, str], _Look]()
    of_rows = dict[int, _Look]()
    links = projection.design.links
    for link_id, row in rows.items():
        link = links[link_id]
        key = link.style_id, link.line_colour, link.line_width, link.line_style
        if key not in known:
            known[key] = _look(projection, link)
        of_rows[row] = known[key]
    counts = Counter(of_rows.values())
    looks = [_NONE, *(look for look, _ in counts.most_common(MOST_LOOKS) if look != _NONE)]
    place_of = {look: place for place, look in enumerate(looks)}
    numbers = np.zeros(len(projection.link_ids), np.int16)
    for row, look in of_rows.items():
        numbers[row] = place_of.get(look, 0)
    return numbers, looks


def _look(projection: Projection, link: Link) -> _Look:
    design = projection.design
    style, shown = style_of(design, link), as_looked(design, link)
    return _Look(style.name if style is not None else "", shown.line_colour, shown.line_width, shown.line_style)


def _mixed(below: ColourClass, look: _Look) -> ColourClass:
    colour: Colour = look.colour or below.colour
    width = (1.0 if look.colour else below.width) * max(LEAST_WIDTH, look.width / USUAL_LINE_WIDTH)
    return ColourClass(_title(look), colour, width, look.line)


def _title(look: _Look) -> str:
    """The name of its style, or what it is: "Teal, dashed", "3 wide"."""
    if look.style:
        return visible_line(look.style)
    words = [colour_title(look.colour)] if look.colour else []
    words += [f"{look.width:g} wide"] if look.width != USUAL_LINE_WIDTH else []
    words += [look.line] if look.line != SOLID else []
    title = ", ".join(words)
    return title[:1].upper() + title[1:]
