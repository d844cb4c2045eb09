"""What is written on the lines of a drawing for other programs, and where: as on the canvas, off all other lines.

What the links between two tiers have in common is written once where it would be on many lines.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from designer.drawing.camera import Camera
from designer.drawing.counts import CountPlaces, Taken
from designer.drawing.geometry import Rect
from designer.drawing.link_rates import BETWEEN
from designer.drawing.parts.links import MOST_ALIKE, MOST_SAME
from designer.drawing.parts.primitives import Group
from designer.drawing.parts.ruler import EstimatedRuler
from designer.drawing.parts.sheet import Sheet
from designer.drawing.parts.tier_notes import Surroundings, tier_note
from designer.drawing.text import width_of
from designer.exchange.graphs.drawn import Bundle, Drawn, Point

LABEL_SIZE, AIR = 9.0, 4.0
"""Of the letters, and what is left free around them."""
LINE = 1.3
"""Height of their line, in terms of their size."""
MOST = 2000
"""Lines; texts on more are left to the data of the links."""


@dataclass(frozen=True, slots=True)
class LineLabels:
    """The middle of each text by the place of its line, and plates that say what tiers have in common."""

    middles: dict[int, Point]
    notes: tuple[Group, ...]


def line_labels(
    made: Drawn, some: Sequence[Bundle], taken: Taken, area: Rect, zoom: float, size: float = LABEL_SIZE
) -> LineLabels:
    """Places for the texts of these lines, where nothing else is; the plates are `zoom` times as large.

    `size` is that of the letters.
    """
    if len(some) > MOST:
        return LineLabels({}, ())
    segments = [(number, (*a, *z)) for number, one in enumerate(some) for a, z in pairwise(one.points)]
    lines = np.array([xy for _, xy in segments], np.float64).reshape(-1, 4)
    tiers = np.array([some[number].first.tier for number, _ in segments], np.int64)
    places = CountPlaces(lines, taken, area)
    sheet = Sheet(Camera(), area, made.theme, EstimatedRuler(), zoom)
    texts = {number: text for number, one in enumerate(some) if (text := made.text_of(one))}
    middles: dict[int, Point] = {}
    notes: list[Group] = []
    for place, note in enumerate(made.tier_notes):
        own = {number: text for number, text in texts.items() if some[number].first.tier == place}
        if note is None or not own:
            continue
        found = _placed(own, some, places, size) if len(own) <= MOST_SAME else {}
        if len(found) < len(own):
            places.give_back(places.n_taken - len(found))
            foot = max(box.y + box.height / 2 for box in made.boxes)
            placed = tier_note(note, places, Surroundings(tiers != place, foot), sheet)
            notes += [placed.part] if placed is not None and isinstance(placed.part, Group) else []
            same = {number: text for number, text in own.items() if BETWEEN not in text}
            given = {number: text for number, text in own.items() if _is_given(some[number], text)}
            found = (
                _placed(given, some, places, size)
                if placed is not None
                else _placed(given | dict(list(same.items())[:MOST_ALIKE]), some, places, size)
            )
            own = same
        middles |= found
        texts = {number: text for number, text in texts.items() if number not in own}
    return LineLabels(middles | _placed(texts, some, places, size), tuple(notes))


def _is_given(bundle: Bundle, text: str) -> bool:
    """Whether it is a label that a person gave."""
    return any(one.label and one.label in text for one in bundle.edges)


def _placed(texts: dict[int, str], some: Sequence[Bundle], places: CountPlaces, size: float) -> dict[int, Point]:
    """The middles of those of the texts that have room on the longest piece of their line."""
    found: dict[int, Point] = {}
    for number, text in texts.items():
        pieces = [(*a, *z) for a, z in pairwise(some[number].points)]
        line = max((np.array(one) for one in pieces), key=lambda one: float(np.hypot(*(one[2:] - one[:2]))))
        room, tall = width_of(text, size) + AIR, LINE * size
        middle = places.place_on(line, room, tall, across=size > LABEL_SIZE, clear=True)
        if middle is None and _is_given(some[number], text):
            middle = places.place_on(line, room, tall)  # a label that a person gave may cover the lines next to its own
        if middle is not None:
            found[number] = middle
    return found
