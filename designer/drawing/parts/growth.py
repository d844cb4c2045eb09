"""Growth in phases as one picture: a column for each phase, a bar for each tier and for the cables between tiers."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from designer.drawing.parts.document import Document
from designer.drawing.parts.primitives import Group, Ink, Part, Pen, Rect, Text
from designer.drawing.parts.ruler import Ruler
from designer.drawing.theme import CURVE_COLOURS, Theme
from designer.units import format_count

LEFT, TOP, COLUMN, GAP, RIGHT = 190.0, 84.0, 280.0, 34.0, 24.0
ROW, BAR, CABLE_BAR = 64.0, 22.0, 10.0
TEXT_SIZE, TITLE_SIZE, SMALL = 12, 15, 11
LEGEND = 44.0
LEAST_PX = 2.0
"""A part of a bar that is there is seen."""
BLUE, ORANGE = CURVE_COLOURS[0], CURVE_COLOURS[1]
KEPT, NEW, MOVED, REMOVED = "stays", "new", "moved", "removed"
WORDS = (KEPT, MOVED, NEW, REMOVED)


@dataclass(frozen=True, slots=True)
class GrowthBar:
    """How many devices of a tier, or cables between two, stay, move, are new and are removed in a phase."""

    kept: int = 0
    moved: int = 0
    new: int = 0
    removed: int = 0

    @property
    def parts(self) -> tuple[tuple[str, int], ...]:
        """The numbers with their words, in the order in which they are drawn."""
        return tuple(zip(WORDS, (self.kept, self.moved, self.new, self.removed), strict=True))

    @property
    def total(self) -> int:
        """All of them."""
        return self.kept + self.moved + self.new + self.removed

    @property
    def text(self) -> str:
        """ "32, 16 new, 4 removed": what there is in the end, and what is done."""
        done = [f"{format_count(n)} {word}" for word, n in self.parts if n and word != KEPT]
        if self.new == self.total:
            return f"{format_count(self.total)} new"
        return ", ".join((format_count(self.total - self.removed), *done))


@dataclass(frozen=True, slots=True)
class GrowthColumn:
    """A phase: its name, lines on what it takes, and a bar by the name of each row; some may be missing."""

    title: str
    lines: tuple[str, ...]
    bars: dict[str, GrowthBar]


@dataclass(frozen=True, slots=True)
class GrowthPicture:
    """The picture of a plan. Rows are from the top: names of tiers, and of cables where `is_cables` says so."""

    title: str
    rows: tuple[tuple[str, bool], ...]
    columns: tuple[GrowthColumn, ...]
    titles: Mapping[str, str]
    """What the rows are called for readers."""

    def document(self, theme: Theme, ruler: Ruler) -> Document:
        """The picture as a page of its own."""
        n_lines = max((len(one.lines) for one in self.columns), default=0)
        width = LEFT + len(self.columns) * (COLUMN + GAP) - GAP + RIGHT
        bottom = TOP + len(self.rows) * ROW
        height = bottom + n_lines * 18.0 + LEGEND
        layers = (
            Group((Rect(0, 0, width, height, Ink(theme.background)),), "paper", label="Paper"),
            Group(tuple(self._names(theme, ruler, width)), "names", label="Names"),
            *(
                Group(tuple(self._column(number, one, theme, ruler)), f"phase-{number + 1}", label=one.title)
                for number, one in enumerate(self.columns)
            ),
            Group(tuple(_legend(theme, ruler, height - 18.0)), "legend", label="Legend"),
        )
        said = "; ".join(f"{one.title}: {', '.join(one.lines)}" for one in self.columns)
        return Document(self.title, said, (0.0, 0.0, width, height), layers)

    def _names(self, theme: Theme, ruler: Ruler, width: float) -> Iterator[Part]:
        yield Text(
            16, 30, ruler.cut(self.title, width - 32, TITLE_SIZE + 2, True), TITLE_SIZE + 2, theme.text, bold=True
        )
        for number, (name, is_cables) in enumerate(self.rows):
            colour = theme.muted if is_cables else theme.text
            shown = ruler.cut(self.titles.get(name, name), LEFT - 28, TEXT_SIZE, not is_cables)
            yield Text(16, TOP + number * ROW + 30, shown, TEXT_SIZE, colour, bold=not is_cables)

    def _column(self, number: int, column: GrowthColumn, theme: Theme, ruler: Ruler) -> Iterator[Part]:
        x = LEFT + number * (COLUMN + GAP)
        title = ruler.cut(column.title, COLUMN, TITLE_SIZE, True)
        yield Text(x, TOP - 22, title, TITLE_SIZE, theme.text, bold=True)
        yield Rect(x, TOP - 12, COLUMN, 1, Ink(theme.grid))
        for place, (name, is_cables) in enumerate(self.rows):
            bar = column.bars.get(name)
            if bar is not None and bar.total:
                yield from self._bar(x, TOP + place * ROW, name, bar, theme, ruler, is_cables)
        bottom = TOP + len(self.rows) * ROW + 12
        for line, text in enumerate(column.lines):
            yield Text(x, bottom + line * 18, ruler.cut(text, COLUMN, TEXT_SIZE), TEXT_SIZE, theme.muted)

    def _bar(
        self, x: float, y: float, name: str, bar: GrowthBar, theme: Theme, ruler: Ruler, is_cables: bool
    ) -> Iterator[Part]:
        most = max(one.bars[name].total for one in self.columns if name in one.bars)
        high = CABLE_BAR if is_cables else BAR
        top, at = y + (24 - high / 2), x
        for word, count in bar.parts:
            if count:
                wide = max(LEAST_PX, count / most * COLUMN)
                ink, pen = _look(word, theme)
                yield Rect(at, top, wide, high, ink, pen)
                at += wide
        shown = ruler.cut(bar.text, COLUMN, SMALL)
        yield Text(x, y + 24 + high / 2 + 14, shown, SMALL, theme.muted if is_cables else theme.text)


def _look(word: str, theme: Theme) -> tuple[Ink | None, Pen | None]:
    """What a part of a bar is drawn with; its kind shows without colors too."""
    if word == REMOVED:
        return None, Pen(theme.muted, 1.0, dash=(3.0, 2.0))
    if word == MOVED:
        return Ink(ORANGE, hatched=True), Pen(ORANGE, 1.0)
    return (Ink(BLUE), None) if word == NEW else (Ink(theme.muted, 0.45), None)


def _legend(theme: Theme, ruler: Ruler, y: float) -> Iterator[Part]:
    x = 16.0
    for word in WORDS:
        ink, pen = _look(word, theme)
        yield Rect(x, y - 10, 18, 11, ink, pen)
        yield Text(x + 24, y, word, TEXT_SIZE, theme.text)
        x += 24 + ruler.width(word, TEXT_SIZE) + 26
    note = "Bars of a row have one scale; wide bars are devices, narrow ones cables."
    yield Text(x, y, note, TEXT_SIZE, theme.muted)
