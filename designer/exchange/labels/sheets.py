"""Sheets of labels: a grid of labels on paper, each with its text and the QR code of its cable."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import segno
from numpy.typing import NDArray

from designer.drawing.geometry import Rect as Area
from designer.drawing.parts.primitives import Group, Ink, Part, Pen, Rect, Rects, Text
from designer.drawing.parts.ruler import EstimatedRuler
from designer.drawing.sheets.lettering import fitted
from designer.drawing.sheets.paper import POINTS_PER_MM, SIZES_MM
from designer.drawing.text import width_of
from designer.errors import ExportError
from designer.exchange.labels.labels import SLASH, Label, without_lone_slashes
from designer.exchange.labels.options import LabelOptions
from designer.units import format_count, shortened

SIZES = range(11, 3, -1)
"""Points: letters are as large as the label has room for, and not smaller than the last."""
READABLE = 6
"""Points: letters are not smaller to save a line."""
NUMBER_SIZE = 6
"""Of the cable's number below its QR code, for those without a reader."""
SMALL = 5
"""Points: letters are as small to keep names whole."""
BREAKS = (
    ("", READABLE),
    (":", READABLE),
    (" :", READABLE),
    (" :", SMALL),
    (" :,;_+-/", READABLE),
    (" :,;_+-/", SIZES[-1]),
)
"""After which marks lines are broken in letters of what size at least, the first that suffice; with the last anywhere.

Between the two ends they are broken first."""
CODE_SHARE = 0.3
"""Of a label's width: most that its code takes, so that names have room."""
LINE = 1.15
"""From baseline to baseline, in sizes of the letters."""
PADDING_MM = 1.2
QUIET = 2
"""Modules left white around a QR code; the label's own edge adds to them."""
MOST_CODE_MM = 16.0
MASK = 2
"""Of the codes: any can be read, and looking for the best takes six times as long."""
BETWEEN_ENDS = " / "
"""What template.slash is where names hold slashes themselves."""
HEADING_SIZE, HEADING_ROOM_MM, EDGE_MM = 7, 5.5, 5.0
"""Of the line over the labels: its letters, the margin that it needs, and how near to the edge printers print."""
BLACK, WHITE, EDGE = "#000000", "#ffffff", "#9a9a9a"
RULER = EstimatedRuler()


class _Cell(NamedTuple):
    """What a label has room for, in points."""

    width: float
    height: float
    padding: float
    code: float
    """Side of its QR code; 0 without."""

    @property
    def text_left(self) -> float:
        return self.padding + (self.code + self.padding if self.code else 0.0)

    @property
    def text_width(self) -> float:
        return self.width - self.text_left - self.padding

    @property
    def text_height(self) -> float:
        return self.height - 2 * self.padding


@dataclass(frozen=True, slots=True)
class LabelSheet:
    """A sheet of labels, drawn when its layers are asked for."""

    title: str
    width_mm: float
    height_mm: float
    heading: str
    """What the line over the labels says of the design and its issue."""
    _labels: Sequence[Label | None] = field(repr=False)
    _options: LabelOptions = field(repr=False)

    @property
    def area(self) -> Area:
        """Left, top, width and height of the paper in points."""
        return 0.0, 0.0, self.width_mm * POINTS_PER_MM, self.height_mm * POINTS_PER_MM

    def layers(self) -> tuple[Group, ...]:
        """The paper and the labels, in points. Raises ExportError where a text does not fit its label."""
        paper = self.width_mm, self.height_mm
        return (*_sheet(self._labels, self._options, paper), *self._head())

    def _head(self) -> Iterator[Group]:
        """The heading and the number of the sheet, where the margin over the labels has room for them."""
        top = _top(self._options, self.height_mm)
        if top < HEADING_ROOM_MM:
            return
        left, right = EDGE_MM * POINTS_PER_MM, (self.width_mm - EDGE_MM) * POINTS_PER_MM
        base = min(top - 1.5, EDGE_MM + HEADING_SIZE / POINTS_PER_MM) * POINTS_PER_MM
        wide = width_of(self.title, HEADING_SIZE, False)
        number = Text(right, base, self.title, HEADING_SIZE, BLACK, anchor="end")
        heading = fitted(self.heading, right - left - wide - HEADING_SIZE, HEADING_SIZE)
        yield Group((Text(left, base, heading, HEADING_SIZE, BLACK), number), "heading", label="Heading")


def sheets(labels: Sequence[Label], options: LabelOptions, heading: str = "") -> list[LabelSheet]:
    """The pages, each with the heading. Raises ExportError where the grid or a text does not fit."""
    paper = SIZES_MM[options.paper]
    columns, rows = _grid(options, paper)
    if not labels:
        raise ExportError("there are no cables to label: the design has no links, or none of these networks")
    per_sheet = columns * rows
    cells: list[Label | None] = [None] * ((options.start - 1) % per_sheet) + list(labels)
    n_sheets = -(-len(cells) // per_sheet)
    return [
        LabelSheet(
            f"Sheet {format_count(number + 1)} of {format_count(n_sheets)}",
            *paper,
            heading,
            cells[number * per_sheet : (number + 1) * per_sheet],
            options,
        )
        for number in range(n_sheets)
    ]


def _grid(options: LabelOptions, paper: tuple[float, float]) -> tuple[int, int]:
    if len(options.grid) != 2:
        raise ExportError("the grid of labels should have two numbers, across and down: write grid=5x13")
    columns, rows = options.grid
    needs = (
        columns * options.width + (columns - 1) * options.column_gap,
        rows * options.height + (rows - 1) * options.row_gap,
    )
    for need, side, what in zip(needs, paper, ("wide", "high"), strict=True):
        if need > side + 0.05:
            raise ExportError(
                f"{columns} x {rows} labels of {options.width:g} x {options.height:g} mm are {need:g} mm {what}, "
                f"the paper {options.paper} is {side:g} mm: choose fewer or smaller labels"
            )
    return columns, rows


def _sheet(labels: Sequence[Label | None], options: LabelOptions, paper: tuple[float, float]) -> Iterator[Group]:
    columns, _ = options.grid
    pitch = options.width + options.column_gap, options.height + options.row_gap
    left = (paper[0] - columns * pitch[0] + options.column_gap) / 2
    top = _top(options, paper[1])
    cell = _cell(options)
    most = _common_size([one for one in labels if one is not None], cell)
    yield Group(
        (Rect(0.0, 0.0, paper[0] * POINTS_PER_MM, paper[1] * POINTS_PER_MM, Ink(WHITE)),), "paper", label="Paper"
    )
    drawn = []
    for number, label in enumerate(labels):
        if label is not None:
            row, column = divmod(number, columns)
            at = (left + column * pitch[0]) * POINTS_PER_MM, (top + row * pitch[1]) * POINTS_PER_MM
            drawn.append(Group(tuple(label_parts(label, cell, options.outlines, most)), title=label.text, at=at))
    yield Group(tuple(drawn), "labels", label="Labels")


def _top(options: LabelOptions, height_mm: float) -> float:
    """Millimeters over the labels: as much as below them."""
    rows = options.grid[1]
    return (height_mm - rows * (options.height + options.row_gap) + options.row_gap) / 2


def _cell(options: LabelOptions) -> _Cell:
    width, height = options.width * POINTS_PER_MM, options.height * POINTS_PER_MM
    padding = min(PADDING_MM * POINTS_PER_MM, height / 8, width / 8)
    code = min(height - 2 * padding, width * CODE_SHARE, MOST_CODE_MM * POINTS_PER_MM) if options.qr else 0.0
    return _Cell(width, height, padding, code)


def _common_size(labels: Sequence[Label], cell: _Cell) -> int:
    """The size of the letters of a sheet: the largest in which all its labels fit that can be read easily."""
    sizes = [_set(label, _used(label, cell))[0] for label in labels]
    return min((size for size in sizes if size >= READABLE), default=SIZES[0])


def _used(label: Label, cell: _Cell) -> _Cell:
    """The cell, whose text has all of it where a cable has no number for a code."""
    return cell if label.cable else cell._replace(code=0.0)


def label_parts(label: Label, cell: _Cell, outlines: bool, most: int = SIZES[0]) -> Iterator[Part]:
    """One label, its left top corner at 0, 0, in letters of `most` points at most.

    Raises ExportError where its text does not fit.
    """
    if outlines:
        yield Rect(0.0, 0.0, cell.width, cell.height, None, Pen(EDGE, 0.4))
    if cell.code and label.cable:
        yield from _code(label, cell)
    used = _used(label, cell)
    size, lines = _set(label, used, most)
    height = LINE * size
    top = (cell.height - height * len(lines)) / 2
    for number, line in enumerate(lines):
        baseline = top + number * height + RULER.ascent(size)
        yield Text(used.text_left, baseline, line, size, BLACK, bold=line == label.cable)


def _set(label: Label, cell: _Cell, most: int = SIZES[0]) -> tuple[int, list[str]]:
    """The size of the letters and the lines, broken between names rather than in them where that can be read easily.

    Smaller letters save a line that would hold the slash alone; where they do not, the break stands for the slash.
    """
    for marks, least in BREAKS:
        found = [
            (SLASH in lines, len(lines), -size, lines)
            for size in SIZES
            if least <= size <= most and (lines := _fit(label, cell, size, marks))
        ]
        if found:
            _, _, size, lines = min(found)
            return -size, without_lone_slashes(lines)
    raise ExportError(
        f"the label {shortened(label.text)!r} does not fit {cell.width / POINTS_PER_MM:g} x "
        f"{cell.height / POINTS_PER_MM:g} mm in letters of {SIZES[-1]} points: choose larger labels, or a shorter "
        "template"
    )


def _fit(label: Label, cell: _Cell, size: int, marks: str) -> list[str]:
    """The lines in letters of that size, broken between ends and after these marks; none where they do not fit."""
    lines: list[str] = []
    for line in label.lines:
        is_number = line == label.cable  # set bold
        if is_number and _width(line, True) * size > cell.text_width:
            return []
        for part in (line,) if _width(line) * size <= cell.text_width else _ends(line):
            broken = _broken(part, cell.text_width / size, marks)
            if not broken:
                return []
            lines += broken
    return lines if len(lines) * LINE * size <= cell.text_height else []


def _ends(line: str) -> tuple[str, ...]:
    """The ends that a line names, the first with the slash that follows it; the line where there is no such slash."""
    mark = BETWEEN_ENDS if BETWEEN_ENDS in line else SLASH
    ends = line.split(mark)
    return (f"{ends[0]}{mark}".strip(), ends[1].strip()) if len(ends) == 2 and all(ends) else (line,)


@lru_cache(200_000)
def _broken(line: str, room: float, marks: str) -> tuple[str, ...]:
    """The line as several, no wider than the room in letters of one point; with the last marks anywhere it must."""
    found, current = [], ""
    for piece in re.split(f"(?<=[{marks}])", line) if marks else (line,):
        if current and _width((current + piece).rstrip()) > room:
            found.append(current)
            current = ""
        current += piece
        while _width(current.rstrip()) > room and len(current) > 1:
            if marks != BREAKS[-1][0]:
                return ()
            kept = next(n for n in range(len(current) - 1, 0, -1) if n == 1 or _width(current[:n]) <= room)
            found.append(current[:kept])
            current = current[kept:]
    return tuple(one.strip() for one in (*found, current) if one.strip())


@lru_cache(200_000)
def _width(text: str, bold: bool = False) -> float:
    return width_of(text, 1, bold)


def _code(label: Label, cell: _Cell) -> Iterator[Part]:
    """The QR code of the cable's number, its dark modules joined to bars; below it the number, if the text lacks it."""
    bars, modules = _bars(label.cable)
    is_said = label.cable in label.text
    foot = 0.0 if is_said else LINE * NUMBER_SIZE
    whole = min(cell.code, cell.height - foot)
    side = whole / (modules + 2 * QUIET)
    left, top = cell.padding + (cell.code - whole) / 2, (cell.height - whole - foot) / 2
    placed = bars.astype(np.float64) * side
    placed[:, 0] += left + QUIET * side
    placed[:, 1] += top + QUIET * side
    yield Rects(placed, Ink(BLACK))
    if not is_said:
        x, y = cell.padding + cell.code / 2, top + whole + RULER.ascent(NUMBER_SIZE)
        yield Text(x, y, label.cable, NUMBER_SIZE, BLACK, anchor="middle")


@lru_cache(65_536)  # the two ends of a cable may stand far apart
def _bars(text: str) -> tuple[NDArray[np.uint8], int]:
    """Runs of dark modules as left, top, width, height, and how many modules the code has a side."""
    matrix = segno.make_qr(text, error="m", mask=MASK).matrix
    bars = []
    for row, modules in enumerate(matrix):
        start = None
        for column, dark in enumerate((*modules, 0)):
            if dark and start is None:
                start = column
            elif not dark and start is not None:
                bars.append((start, row, column - start, 1))
                start = None
    return np.array(bars, dtype=np.uint8), len(matrix)
