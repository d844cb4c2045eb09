"""The display list: what a picture shows, in canvas units, before it is laid out on a sheet."""

from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from designer.drawing.bundles import Floats, Ints, buckets_of, runs_of
from designer.drawing.calm import KEPT, LEAST_HEAT_PX, calm, classes_left, covered, heat_width
from designer.drawing.captions import Caption
from designer.drawing.colour_by import Codes
from designer.drawing.faceplates import Faceplate
from designer.drawing.folding.stacks import Stacks
from designer.drawing.geometry import Container, Rect
from designer.drawing.heat import (
    BUCKETS,
    CONGESTED,
    FULL_AT_TIMES,
    FULL_AT_TIMES_COLOUR,
    FULL_BY_DESIGN_COLOUR,
    HOT_FROM,
    SATURATED,
    LegendStop,
    bucket_colours,
    bucket_of,
    hex_of,
)
from designer.drawing.hot_spots import HotLines, HotLinks
from designer.drawing.internals import Internals
from designer.drawing.level_of_detail import Detail
from designer.drawing.lines import Lines
from designer.drawing.link_rates import SILENT
from designer.drawing.notes import Drawn
from designer.drawing.ports import PortHandle
from designer.drawing.theme import KINDS, BoxColours, Theme, mixed
from designer.drawing.tier_titles import TierNotes, TierTitle
from designer.drawing.tori import FarEnds, LayerTitle
from designer.drawing.trunks import Bus
from designer.model.annotation import LEGEND, SOLID

T = TypeVar("T")
SheetT = TypeVar("SheetT")

HEAT_WIDTH = (1.0, 2.4)
"""Width of a link that carries next to nothing and of a saturated one, pixels: the hot are found without color."""
SLIM = 0.6
"""Share of that width that is left in a picture of very many links."""
LEAST_HOT_WIDTH = 2.0
"""Hot links are never thinner than this, however many others there are; those that would be one block are."""
IDLE_WIDTH, IDLE_SHARE = 0.5, 0.96
"""Of a link without traffic, and how much of the color of links its grey has: thin rather than faint."""
SHORT_PX = 12.0
"""A hot link that is drawn shorter than this, or not at all, gets a beacon."""
BEACON_PX = 14.0
BEACON_WIDTH = 2.0
MOST_BEACONS = 40
FULL_AT_TIMES_CLASS, FULL_BY_DESIGN, CONGESTED_CLASS = range(BUCKETS - 1, BUCKETS + 2)
"""Classes of color of saturated links; those below are buckets of the scale."""
OFF_THE_SCALE = {FULL_AT_TIMES_CLASS: FULL_AT_TIMES_COLOUR, FULL_BY_DESIGN: FULL_BY_DESIGN_COLOUR}
"""Colors that are the same on every background."""
IDLE, UNKNOWN = -1, -2
LINK_WIDTH, COLOURED_WIDTH = 1.0, 1.3
MOST_WIDER = 300
"""Lines of a class that is drawn wider than others; more are as wide as all."""
SERVER_LINK_WIDTH = 0.9
BOTH_WAYS_GAP = 1.7
"""Pixels from the middle of a link to the line of either direction."""


@dataclass(frozen=True, slots=True)
class LegendKey:
    """A class of color that stands for a word."""

    text: str
    number: int
    width: float
    marked: bool = False
    """Whether it is the mark of what is wanted most, and no line."""
    hatched: bool = False
    """Whether it is ticks across a line, as paused cables have."""
    barred: bool = False
    """Whether it is the sign of devices that a failure cuts off."""

    def colour_in(self, theme: Theme) -> str:
        """The color as drawn."""
        return colour_of_class(self.number, theme)


@dataclass(frozen=True, slots=True)
class Legend:
    """What the colors mean, with numbers."""

    title: str
    label: str
    note: str
    stops: tuple[LegendStop, ...]
    busiest: float | None
    outcome: tuple[str, ...] = ()
    """What came of the run: the first of these that fits is written."""
    brief_notes: tuple[str, ...] = ()
    """Shorter forms of the note, for where it does not fit."""
    keys: tuple[LegendKey, ...] = ()
    """What is not on the scale: each with the color of a theme or of its own."""

    def with_pauses(self) -> Self:
        """With a key for paused cables."""
        return replace(self, keys=(*self.keys, LegendKey("paused", IDLE, IDLE_WIDTH, hatched=True)))

    def with_cut_off(self) -> Self:
        """With a key for devices that a failure cuts off."""
        return replace(self, keys=(*self.keys, LegendKey("cut off", IDLE, IDLE_WIDTH, barred=True)))


@dataclass(frozen=True, slots=True)
class Swatch:
    """A color of a legend, and what it stands for."""

    colour: str
    text: str
    line: str = SOLID
    sample: LegendKey | None = None
    """How it looks, where that is more than a color."""


@dataclass(frozen=True, slots=True)
class Key:
    """What the colors of devices or links mean, of those that are drawn."""

    title: str
    swatches: tuple[Swatch, ...]
    is_of_links: bool
    said: tuple[tuple[str, ...], ...] = ()
    """What of, paragraph by paragraph: of each the forms of its text, the longest first."""


class LineLook(NamedTuple):
    """How a line is drawn; no color stands for the usual one of links, and widths are in terms of the usual one."""

    colour: str = ""
    width: float = 1.0
    line: str = SOLID
    is_own: bool = False
    """Whether somebody gave it to the links, whatever these are colored by."""


@dataclass(frozen=True, slots=True)
class Coloured:
    """The colors of boxes and lines by what was chosen, and their keys; None where they have those of their kinds."""

    boxes: Codes | None = None  # (n,) numbers in box_colours
    box_colours: tuple[BoxColours, ...] = ()
    lines: Codes | None = None  # (n_lines,) numbers in line_colours
    line_colours: tuple[str, ...] = ()
    """"" stands for the usual color of links."""
    line_widths: tuple[float, ...] = ()
    """In terms of the usual width."""
    line_styles: tuple[str, ...] = ()
    """Solid, dashed or dotted."""
    own_from: int | None = None
    """The first of those that are looks of their own, and no classes."""
    keys: tuple[Key, ...] = ()
    stacks: Codes | None = None  # (n,) numbers in box_colours
    """Of boxes that stand for many, by what is inside; -1 of others, and of those that have colors of their own."""
    is_by_kind: bool = True  # but for boxes that were given a color
    word_of_kind: Callable[[int], str] = KINDS.__getitem__
    """What boxes of a kind are called, by its number in KINDS."""

    def look_of_line(self, number: int) -> LineLook:
        """How lines of that number are drawn."""
        is_own = self.own_from is not None and number >= self.own_from
        return LineLook(self.line_colours[number], self.line_widths[number], self.line_styles[number], is_own)


@dataclass(frozen=True, slots=True)
class Stroke:
    """Lines of one color and width, (n, 4); `width` is in pixels at the scale the picture is drawn at."""

    colour: str
    width: float
    xy: Floats
    line: str = SOLID


class Beacon(NamedTuple):
    """A place on the canvas of so many hot links, with the greatest demand on one of them."""

    x: float
    y: float
    n_hot: int
    demand: float
    row: int
    """The hottest of the links."""


def _nothing_inside(_row: int) -> Internals | None:
    return None


def _no_texts(rows: Ints) -> tuple[str, ...]:
    del rows
    return ()


def _no() -> bool:
    return False


def _silent(_lines: Lines, rows: Ints) -> Ints:
    return np.full(len(rows), SILENT, np.int64)


def _no_tiers() -> None:
    return None


def _no_front(_row: int, _detail: Detail) -> Faceplate | None:
    return None


@dataclass(frozen=True)
class Picture:
    """Everything to draw, back to front: containers, lines, boxes, texts; the legend is the frame's."""

    theme: Theme
    detail: Detail
    bounds: Rect | None
    containers: tuple[Container, ...]
    lines: Lines
    loads: Floats | None  # (n_links, 2) of each link; None without heat, -1 where the heat says nothing
    boxes: Floats  # (n, 4) left, top, width, height
    kinds: NDArray[np.int8]  # (n,) number in theme.KINDS
    device_ids: tuple[str, ...]
    caption: Callable[[int], Caption]
    ports: Callable[[int], list[PortHandle]]
    """Handles of the ports of a box; asked for where `detail.ports`."""
    legend: Legend | None
    internals: Callable[[int], Internals | None] = _nothing_inside
    """What is inside a box; asked for where `detail.internals`."""
    hot: HotLinks | None = None
    """The hot links; None where none is, or nothing is known to be."""
    coloured: Coloured = field(default_factory=Coloured)

    stacks: Stacks | None = None
    """What is drawn in boxes that stand for many devices; None where there are none."""
    notes: tuple[Drawn, ...] = ()
    title_rows: tuple[tuple[str, str], ...] = ()
    """What title blocks among them say."""
    far_ends: FarEnds | None = None
    """Names at the stubs of long links."""
    layer_titles: tuple[LayerTitle, ...] = ()
    tier_titles: tuple[TierTitle, ...] = ()
    failed_in: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    """By row of boxes that stand for many, what may be written of what has failed inside, the longest first."""
    differing_in: Mapping[int, tuple[str, str]] = field(default_factory=dict)
    """By row of such boxes, what is written of how many devices inside a comparison marks, and in which color."""
    buses: tuple[Bus, ...] = ()
    """Buses of full meshes, with what is written on them."""
    link_texts: Callable[[Ints], tuple[str, ...]] = _no_texts
    """What may be written on the line of some links, the longest first; () for nothing."""
    link_amounts: Callable[[Lines, Ints], Ints] = _silent
    has_own_labels: Callable[[], bool] = _no
    """Whether any of `link_texts` is a label that the user wrote."""
    """SILENT, COUNTED or MORE: how much may be written on some lines."""
    faceplate: Callable[[int, Detail], Faceplate | None] = _no_front
    """The front of a switch; asked for where `detail.faceplates`."""
    box_views: dict[Hashable, tuple[Floats, Ints, Floats]] = field(default_factory=dict, repr=False, compare=False)
    """From where the boxes were last seen: which boxes, the rows of those that showed, and where; for who draws."""
    kept: dict[str, str] = field(default_factory=dict, repr=False, compare=False)
    """What was chosen for the drawing before and stays while it changes, as the side of titles; for who draws."""
    tiers: Callable[[], TierNotes | None] = _no_tiers
    """What all links between two tiers have in common; asked for where texts are written."""

    def loads_of(self, rows: Ints | None = None) -> tuple[Floats, Floats]:
        """The load along each of these lines, or of all, and against it. Asked for where there is heat."""
        assert self.loads is not None
        return self.lines.utilization(self.loads, rows)

    @property
    def has_own_legend(self) -> bool:
        """Whether a legend on the drawing takes the place of those next to it."""
        return any(one.note.kind == LEGEND for one in self.notes)

    @property
    def keys(self) -> tuple[Key, ...]:
        """The keys of colors to show beside the drawing; none where a legend on the drawing shows them."""
        return () if self.has_own_legend else self.coloured.keys

    @cached_property
    def hot_lines(self) -> HotLines | None:
        """What each line holds of the hot links."""
        return self.hot.on(self.lines) if self.hot is not None and len(self.hot.rows) else None

    @cached_property
    def note_places(self) -> dict[int, tuple[float, float, float, float]]:
        """By their numbers, left, top, width and height of the notes between tiers where they were drawn last."""
        return {}

    def once_on(self, sheet: SheetT, place: Callable[["Picture", SheetT], T]) -> T:
        """What `place` finds for a sheet. On the last one it is remembered, as several layers keep clear of it."""
        if place not in self._placed or self._placed[place][0] is not sheet:
            self._placed[place] = sheet, place(self, sheet)
        found: T = self._placed[place][1]
        return found

    @cached_property
    def _placed(self) -> dict[Callable[..., Any], tuple[object, Any]]:
        """By what places it, the sheet it was last placed on, and what was found."""
        return {}

    def strokes(self, scale: float = 1.0, shown: Ints | None = None) -> Iterator[Stroke]:
        """The lines in drawing order: those of servers first, cool before hot. Of those shown, by row, or of all."""
        if self.loads is None:
            yield from self._plain_strokes(scale, shown)
            return
        forth, back = self.loads_of(shown)
        lines, drawn = self.lines, np.arange(len(self.lines.xy)) if shown is None else shown
        if self.detail.both_ways:
            is_direct = lines.direct[drawn]
            direct, others = drawn[is_direct], drawn[~is_direct]
            away = _normals(lines.xy[direct]) * (BOTH_WAYS_GAP / scale)
            xy = np.concatenate((lines.xy[direct] + away, lines.xy[direct] - away, lines.xy[others]))
            loads = (forth[is_direct], back[is_direct], np.maximum(forth, back)[~is_direct])
            servers = np.concatenate([lines.of_server[part] for part in (direct, direct, others)])
            n_lines = len(lines.xy) + int(np.count_nonzero(lines.direct))
            yield from self._heat_strokes(xy, np.concatenate(loads), servers, n_lines, (0.85, np.inf))
        else:
            n_lines, worst = len(lines.xy), np.maximum(forth, back)
            slim = max(SLIM, calm(n_lines)), max(LEAST_HEAT_PX, self._most_heat * scale)
            yield from self._heat_strokes(lines.xy[drawn], worst, lines.of_server[drawn], n_lines, slim)

    @cached_property
    def _most_heat(self) -> float:
        """How wide hot lines may be at most, but for those of servers, at one pixel per unit."""
        lines = self.lines
        if self.hot is None:  # of bytes none is hot, but many may be as wide
            is_hot = classes_of(np.maximum(*self.loads_of())) >= HOT_FROM
        else:
            is_hot = np.maximum.reduceat(self.hot.hot[lines.links], lines.starts)
        return heat_width(lines.xy[is_hot & ~lines.of_server])

    def beacons(self, scale: float) -> tuple[Beacon, ...]:
        """Where hot links are too short at this scale to be seen, whatever lines and boxes are there; hottest first."""
        if self.hot is None or not len(self.hot.rows):
            return ()
        low, high = self.hot.ends[:, :2], self.hot.ends[:, 2:]
        short = np.hypot(*(high - low).T) * scale < SHORT_PX
        middles, links = ((low + high) / 2)[short], self.hot.rows[short]
        _, first, counts = np.unique(
            np.floor(middles * scale / BEACON_PX), axis=0, return_index=True, return_counts=True
        )
        order = np.argsort(first)[:MOST_BEACONS]
        return tuple(
            Beacon(float(x), float(y), count, float(self.hot.demands[link]), int(link))
            for (x, y), link, count in zip(
                middles[first[order]], links[first[order]], counts[order].tolist(), strict=True
            )
        )

    def directions(self, scale: float, shown: Ints) -> Iterator[Stroke]:
        """The lines of single directions, each from where its traffic comes to where it goes; idle ones left out."""
        if self.loads is None or not self.detail.both_ways:
            return
        rows = shown[self.lines.direct[shown]]
        forth, back = self.loads_of(rows)
        lines = self.lines.xy[rows]
        away = _normals(lines) * (BOTH_WAYS_GAP / scale)
        for xy, loads in ((lines + away, forth), ((lines - away)[:, [2, 3, 0, 1]], back)):
            busy = loads > 0
            classes = classes_of(loads)
            for number in np.unique(classes[busy]).tolist():
                yield Stroke(colour_of_class(number, self.theme), 1.0, xy[busy & (classes == number)])

    def _plain_strokes(self, scale: float, shown: Ints | None) -> Iterator[Stroke]:
        theme, many = self.theme, int(np.count_nonzero(~self.lines.of_server))
        drawn = np.arange(len(self.lines.xy)) if shown is None else shown
        is_of_server, left = self.lines.of_server[drawn], classes_left(many, covered(self.lines, self.bounds, scale))
        for of_server, colour, width in (
            (True, theme.server_link, SERVER_LINK_WIDTH),
            (False, theme.link, LINK_WIDTH),
        ):
            for look, rows in self._by_class(drawn[is_of_server == of_server]):
                # Far away wider lines would cover the boxes, and very many of them each other.
                is_few = len(rows) <= MOST_WIDER
                wider = look.width if is_few and (look.is_own or self.detail.round_boxes) else 1.0
                kept = KEPT if is_few and look.is_own else left  # what somebody marked is to be found among many
                share = kept.colour if look.colour or look.is_own else 1.0 if of_server else calm(many)
                stroke = mixed(look.colour or colour, theme.background, share)
                thick = COLOURED_WIDTH * kept.width if look.colour else width
                yield Stroke(stroke, thick * wider, self.lines.xy[rows], look.line)

    def _by_class(self, chosen: Ints) -> Iterator[tuple[LineLook, Ints]]:
        """These lines by their look: those of classes are drawn over the usual ones, looks of their own over both."""
        coloured = self.coloured
        if coloured.lines is None:
            if len(chosen):
                yield LineLook(), chosen
            return
        numbers = coloured.lines[chosen]
        looks = [(coloured.look_of_line(one), one) for one in np.unique(numbers).tolist()]
        for look, number in sorted(looks, key=lambda one: (one[0].is_own, bool(one[0].colour), one[1])):
            yield look, chosen[numbers == number]

    def _heat_strokes(
        self, xy: Floats, loads: Floats, servers: NDArray[np.bool_], n_lines: int, slim: tuple[float, float]
    ) -> Iterator[Stroke]:
        """The lines by class of color; `n_lines` are those of the whole picture, drawn or not.

        `slim` are what is left of all widths, and how wide hot lines between switches are at most.
        """
        share, most = slim
        for number, rows in runs_of(classes_of(loads), servers):
            colour, width = look_of_class(number, self.theme, share, n_lines)
            bound = rows[~servers[rows]] if number >= HOT_FROM and width > most else rows[:0]
            if len(bound) < len(rows):
                yield Stroke(colour, width, xy[rows[: len(rows) - len(bound)]])  # those of servers are first
            if len(bound):
                yield Stroke(colour, most, xy[bound])


def classes_of(loads: Floats) -> NDArray[np.int8]:
    """Classes of color of these loads, as `Heat.drawn` has them: UNKNOWN, IDLE, a bucket of the scale, or one above."""
    classes = buckets_of(loads)
    classes[loads == FULL_AT_TIMES] = FULL_AT_TIMES_CLASS
    classes[loads >= SATURATED] = FULL_BY_DESIGN
    classes[loads == 0] = IDLE
    classes[loads < 0] = UNKNOWN
    classes[loads >= CONGESTED] = CONGESTED_CLASS
    return classes


def class_of(load: float) -> int:
    """The class of color of one load, as `Heat.drawn` has it."""
    if load <= 0:
        return IDLE if load == 0 else UNKNOWN
    if load >= SATURATED:
        return CONGESTED_CLASS if load >= CONGESTED else FULL_BY_DESIGN
    return FULL_AT_TIMES_CLASS if load == FULL_AT_TIMES else bucket_of(load)


def colour_of_class(number: int, theme: Theme) -> str:
    """The color of a bucket of the scale, of saturated links or of idle ones, as #rrggbb."""
    if number in OFF_THE_SCALE:
        return hex_of(OFF_THE_SCALE[number])
    return hex_of(bucket_colours(theme)[min(number, BUCKETS - 1)]) if number >= 0 else idle_colour(theme)


def look_of_class(number: int, theme: Theme, slim: float, n_lines: int) -> tuple[str, float]:
    """The color and width of lines of a class, in a picture of so many lines."""
    if number == UNKNOWN:
        return mixed(theme.server_link, theme.background, 0.6), SERVER_LINK_WIDTH
    if number == IDLE:
        return idle_colour(theme), IDLE_WIDTH
    width = width_of_class(number, slim)
    if number == 0:  # next to nothing: thin where there are many, but in a color that is seen
        width = IDLE_WIDTH + (width - IDLE_WIDTH) * calm(n_lines)
    return colour_of_class(number, theme), width


def width_of_class(number: int, slim: float) -> float:
    """The width of its lines in pixels, where so much of a width is left."""
    low, high = HEAT_WIDTH
    number = HOT_FROM - 1 if number == FULL_AT_TIMES_CLASS else number  # hot in no case
    share = min(1.0, number / (BUCKETS - 1)) ** 2
    width = (low + (high - low) * share) * slim
    return max(width, LEAST_HOT_WIDTH + 0.4 * share * slim) if number >= HOT_FROM else width


def idle_colour(theme: Theme) -> str:
    """The grey of links without traffic."""
    return mixed(theme.link, theme.background, IDLE_SHARE)


def _normals(xy: Floats) -> Floats:
    """Unit vectors to the right of each line, for both of its ends, (n, 4)."""
    along = xy[:, 2:] - xy[:, :2]
    length = np.maximum(np.hypot(along[:, 0], along[:, 1]), 1e-9)
    normal = np.stack((-along[:, 1], along[:, 0]), axis=1) / length[:, None]
    return np.tile(normal, 2)
