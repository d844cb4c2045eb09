"""Two designs that have little in common, drawn next to each other at one scale: nothing would be seen of their sum."""

from dataclasses import dataclass, replace
from functools import partial

from designer.analysis.comparing import Comparison
from designer.drawing.colour_by import Marks
from designer.drawing.overlay import Overlay
from designer.drawing.parts.document import Document, Size, document
from designer.drawing.parts.ruler import EstimatedRuler
from designer.exchange import diagram_svg
from designer.exchange.pack.pictures import inlined
from designer.model.design import Design

SHARED_LEAST = 0.5
"""With a smaller share of the devices of either design in the other one, both are drawn apart."""
HALF = Size(548.0, 1096.0, window=548.0, least_width=548.0)
"""The room for each of two pictures that share the width of a page, in pixels."""
ATTEMPTS = 4
"""At a smaller scale a picture may take more room for what it writes around it: so often both are laid out again."""


@dataclass(frozen=True, slots=True)
class Side:
    """One of the designs, and what it is called."""

    name: str
    design: Design


def share_little(before: Design, found: Comparison) -> bool:
    """Whether fewer than half of the devices of the design that has fewer are in the other one too."""
    after = found.alignment.design
    fewer, more = sorted((before.devices, after.devices), key=len)
    return sum(one in more for one in fewer) < SHARED_LEAST * len(fewer)


def drawn_apart(sides: tuple[Side, Side], marks: Marks) -> tuple[str, str]:
    """The pictures of both as elements of a page, as wide and of one scale, in the colors of the differences.

    Raises ExportError where one of them has nothing to draw.
    """
    size = _of_one_scale(sides, marks)
    first, second = (inlined(partial(_text, side, marks, size), f"side{n}") for n, side in enumerate(sides, start=1))
    return first, second


def _of_one_scale(sides: tuple[Side, Side], marks: Marks) -> Size:
    size = HALF
    for _attempt in range(ATTEMPTS):
        drawn = [_drawn(side, marks, size, "light") for side in sides]
        scales, widths = [one.scale for one in drawn], [one.area[2] for one in drawn]
        if len(set(scales)) == len(set(widths)) == 1:
            break
        width = max(widths)
        size = replace(size, width=width, window=width, least_width=width, most_scale=min(scales))
    return size


def _drawn(side: Side, marks: Marks, size: Size, theme: str) -> Document:
    overlay = Overlay(marks=Marks(marks.title, marks.classes, marks.of))
    return document(side.design, theme, None, frozenset(), overlay, EstimatedRuler(), size)


def _text(side: Side, marks: Marks, size: Size, theme: str) -> str:
    return diagram_svg.text_of(_drawn(side, marks, size, theme))
