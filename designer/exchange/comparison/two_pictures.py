"""Two designs drawn at one scale: those that have little in common, of whose sum nothing would be seen, or loads."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

from designer.analysis.comparing import Comparison
from designer.drawing.colour_by import Marks
from designer.drawing.heat import Heat, percent
from designer.drawing.overlay import Overlay
from designer.drawing.parts.document import Document, Size, document
from designer.drawing.parts.ruler import EstimatedRuler
from designer.drawing.run_heat import heat_of_run
from designer.exchange import diagram_svg
from designer.exchange.comparison.figure_rows import RunOfDesign
from designer.exchange.pack import html
from designer.exchange.pack.pictures import inlined
from designer.model.design import Design
from designer.simulation.result import Result
from designer.units import format_counted, format_time

SHARED_LEAST = 0.5
"""With a smaller share of the devices of either design in the other one, both are drawn apart."""
HALF = Size(548.0, 1096.0, window=548.0, least_width=548.0)
"""The room for each of two pictures that share the width of a page, in pixels."""
LINKS_MOST = 8_000
"""Of designs with more the page has no pictures of the loads next to each other."""
WIDE = 1.6
"""Pictures that are so many times as wide as high stand below each other, to be read."""
ATTEMPTS = 4
"""At a smaller scale a picture may take more room for what it writes around it: so often both are laid out again."""


@dataclass(frozen=True, slots=True)
class Side:
    """One of the designs, and what it is called."""

    name: str
    design: Design
    heat: Heat | None = None


def share_little(before: Design, found: Comparison) -> bool:
    """Whether fewer than half of the devices of the design that has fewer are in the other one too."""
    after = found.alignment.design
    fewer, more = sorted((before.devices, after.devices), key=len)
    return sum(one in more for one in fewer) < SHARED_LEAST * len(fewer)


def drawn_apart(sides: tuple[Side, Side], marks: Marks) -> tuple[str, str]:
    """The pictures of both as elements of a page, as wide and of one scale, in the colors of the differences.

    Raises ExportError where one of them has nothing to draw.
    """
    return _both(sides, marks, _of_one_scale(sides, marks), "side")


def loads_apart(before: tuple[str, RunOfDesign], after: tuple[str, RunOfDesign], name: str) -> Iterator[str]:
    """Figures of the loads of two runs with what they are called, at one scale: wide ones below each other.

    `name` keeps their ids apart from those of other pictures; a sentence stands for pictures that are too large. There
    are none where one of the designs has nothing to draw.
    """
    if not all(run.design.placements for _, run in (before, after)):
        return
    largest = max(len(run.design.links) for _, run in (before, after))
    if largest > LINKS_MOST:
        yield html.paragraph(f"Loads of {format_counted(largest, 'link')} are too large for this page.", "muted")
        return
    (first, second) = (Side(_caption(*one), one[1].design, _heat_of(one[1].result)) for one in (before, after))
    alone = _drawn(first, None, html.PICTURE, "light").area
    is_wide = alone[2] > WIDE * alone[3]
    size = _of_one_scale((first, second), None, html.PICTURE if is_wide else HALF)
    texts = _both((first, second), None, size, name)
    figures = [html.figure(text, side.name) for text, side in zip(texts, (first, second), strict=True)]
    yield from figures if is_wide else [html.pair(figures)]


def _heat_of(result: Result) -> Heat:
    return heat_of_run(0, result, result.run_text)


def _caption(name: str, run: RunOfDesign) -> str:
    """ "before: all-to-all, direct · spray, 1 GiB, 512 ranks, 39.93 ms; the busiest direction is 100 % utilized"."""
    busiest = max((max(pair) for pair in run.result.link_utilization().values()), default=0.0)
    stated = f"{name}: load of the links, {run.result.run_text}, {format_time(run.result.time_s)}"
    return f"{stated}; the busiest direction is {percent(busiest)} utilized"


def _both(sides: tuple[Side, Side], marks: Marks | None, size: Size, name: str) -> tuple[str, str]:
    first, second = (inlined(partial(_text, side, marks, size), f"{name}{n}") for n, side in enumerate(sides, start=1))
    return first, second


def _of_one_scale(sides: tuple[Side, Side], marks: Marks | None, size: Size = HALF) -> Size:
    for _attempt in range(ATTEMPTS):
        drawn = [_drawn(side, marks, size, "light") for side in sides]
        scales, widths = [one.scale for one in drawn], [one.area[2] for one in drawn]
        if len(set(scales)) == len(set(widths)) == 1:
            break
        width = max(widths)
        size = replace(size, width=width, window=width, least_width=width, most_scale=min(scales))
    return size


def _drawn(side: Side, marks: Marks | None, size: Size, theme: str) -> Document:
    overlay = Overlay(marks=None if marks is None else replace(marks, ghosts=frozenset(), ghost_devices=frozenset()))
    return document(side.design, theme, side.heat, frozenset(), overlay, EstimatedRuler(), size)


def _text(side: Side, marks: Marks | None, size: Size, theme: str) -> str:
    return diagram_svg.text_of(_drawn(side, marks, size, theme))
