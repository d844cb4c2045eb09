"""A comparison as a document: a page that needs nothing from elsewhere, or a workbook."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from designer.analysis.comparing import Comparison
from designer.drawing.overlay import Overlay
from designer.errors import ExportError
from designer.exchange.as_built.as_design import as_built_edit
from designer.exchange.as_built.fault import KINDS, AsBuilt
from designer.exchange.comparison.compared import (
    FAULT_KEYS,
    Marked,
    Names,
    change_columns,
    counts_of,
    summary_of,
    titled,
)
from designer.exchange.comparison.figure_rows import FigureRow, Figures, part_columns
from designer.exchange.comparison.marking import both, marked_changes, marked_faults
from designer.exchange.comparison.two_pictures import Side, drawn_apart, loads_apart, share_little
from designer.exchange.diagram_svg import svg_of
from designer.exchange.pack import html
from designer.exchange.pack.pictures import inlined
from designer.exchange.plans.book import book_facts
from designer.exchange.workbook import (
    AMOUNT,
    COUNT,
    FIGURE,
    LENGTH,
    SHARE,
    TENTHS,
    Block,
    Sheet,
    SheetColumn,
    block_of,
    columns_of,
    write_book,
)
from designer.exchange.workbook_cells import Marked as MarkedCell
from designer.exchange.workbook_cells import Value
from designer.model.design import Design
from designer.tables.columns import Column, Columns, pick
from designer.tables.table import ResultTable
from designer.units import format_count, format_counted
from designer.version import version_text

FORMATS = (COUNT, TENTHS, AMOUNT, LENGTH)
"""Of figures by their places."""
SHOWN_MOST = 1000
NO_DRAWING = "There is no drawing: no side has a device."
DRAWN_MOST = 4000
"""Devices of a design whose picture is on the page; that of a larger one is many megabytes."""


@dataclass(frozen=True, slots=True)
class Report:
    """A comparison with its figures, ready to be written. `before` and `after` are what both sides are called."""

    design: Design
    before: str
    after: str
    summary: str
    lines: tuple[str, ...]
    counts: Mapping[str, int]
    rows: Sequence[Any]
    columns: Columns
    marked: Marked
    figures: Figures
    legend: Mapping[str, str]
    """What the words of the rows mean, where that has to be said."""
    alternatives: str = ""
    """By which rule the designs are alternatives; "" where one is a version of the other, or what was built."""
    drawn: tuple[Design, ...] = ()
    """One that is drawn, with what only the other side has; or both, which have too little in common for that."""

    @property
    def figure_table(self) -> ResultTable:
        """The figures of both sides."""
        return figure_table(self.figures, self.names)

    @property
    def part_table(self) -> ResultTable:
        """The parts that both need different numbers of."""
        return ResultTable(titled(part_columns(self.figures.parts), self.names), self.figures.parts)

    @property
    def names(self) -> Names | None:
        """What alternatives are called; None where one is a version of the other, or what was built."""
        return (self.before, self.after) if self.alternatives else None


def report_of_designs(before: Design, names: tuple[str, str], found: Comparison, figures: Figures) -> Report:
    """The report of two designs, whose figures are at hand."""
    rows, apart = found.differences, names if found.alternatives else None
    counts: dict[str, int] = {}
    for (kind, change), count in (counts_of(found, names) if apart else found.counts).items():
        _, _, things = format_counted(count, kind).partition(" ")
        counts[f"{things} {change}"] = count
    lines = tuple(filter(None, (found.alternatives, found.alignment.summary)))
    columns = change_columns(apart) if rows else ()
    drawn, after = before, found.alignment.design
    as_drawn = found
    if len(after.devices) > len(before.devices):  # with its rows, what only the smaller one has is little
        drawn, as_drawn = after, replace(found, alignment=replace(found.alignment, design=before))
    marked, said = marked_changes(drawn, as_drawn, names), summary_of(found, names)
    about = (before, *names, said, lines, counts, rows, columns)
    pictures = (before, after) if share_little(before, found) else (drawn,)
    return Report(*about, marked, figures, {}, found.alternatives, pictures)


def report_as_built(design: Design, names: tuple[str, str], found: AsBuilt, figures: Figures) -> Report:
    """The report of a design and what was built, with the figures of both."""
    left_out = as_built_edit(design, found).left_out
    lines = (*found.notes, *(f"Left out of the figures: {sentence}" for sentence in left_out))
    columns = pick(type(found.faults[0]).COLUMNS, FAULT_KEYS) if found.faults else ()
    marked, kinds = marked_faults(design, found), {kind: KINDS[kind] for kind in found.counts}
    return Report(
        design,
        *names,
        found.summary,
        lines,
        found.counts,
        found.faults,
        columns,
        marked,
        figures,
        kinds,
        drawn=(design,),
    )


def figure_table(figures: Figures, names: Names | None) -> ResultTable:
    """The figures of both sides; of alternatives, under their names."""
    return ResultTable(titled(FigureRow.COLUMNS, names), figures.rows)


# -- as a page ----------------------------------------------------------------------------------------------------


def page_of(report: Report) -> str:
    """The page: the picture with the differences in color, the figures, and every difference."""
    title = f"{report.before} and {report.after}"
    return html.page(f"Comparison of {title}", _body(report, title))


def _body(report: Report, title: str) -> Iterator[str]:
    yield html.title(f"Comparison of {title}")
    if report.alternatives:
        yield from _of_alternatives(report)
        return
    yield html.facts(
        (
            ("before", report.before),
            ("after", report.after),
            ("differences", report.summary),
            ("compared by", f"Fabric Designer {version_text()}"),
        )
    )
    tiles = [(format_count(count), word, "warning") for word, count in report.counts.items()]
    yield html.tiles(tiles or [("0", "differences", "good")])
    for line in report.lines:
        yield html.paragraph(line, "muted")
    yield from _picture(report)
    yield from _loads(report)
    yield html.heading("Figures")
    yield html.result_table(report.figure_table)
    yield from _parts(report)
    yield html.heading("Differences")
    if report.legend:
        yield html.facts(report.legend.items())
    yield from _listed(report)


def _of_alternatives(report: Report) -> Iterator[str]:
    """The figures of both first; what differs thing by thing comes last, folded."""
    for line in report.lines:
        yield html.paragraph(line, "muted")
    yield html.result_table(report.figure_table)
    yield from _parts(report)
    yield from _picture(report)
    yield from _loads(report)
    yield html.heading("Differences")
    yield html.folded(report.summary, _listed(report))
    yield html.paragraph(f"Compared by Fabric Designer {version_text()}.", "muted")


def _parts(report: Report) -> Iterator[str]:
    yield html.heading("Bill of materials")
    if report.figures.parts:
        yield html.result_table(report.part_table)
    else:
        yield html.paragraph("Both need the same parts.")


def _listed(report: Report) -> Iterator[str]:
    if not report.rows:
        yield html.paragraph("There are none.")
        return
    yield html.result_table(ResultTable(report.columns, report.rows[:SHOWN_MOST]))
    if len(report.rows) > SHOWN_MOST:
        more = format_counted(len(report.rows) - SHOWN_MOST, "more difference")
        yield html.paragraph(f"{more}: the workbook and the JSON list them all.", "muted")


def _picture(report: Report) -> Iterator[str]:
    are_two = len(report.drawn) > 1
    shown = report.drawn if are_two else (both(report.drawn[0], report.marked),)
    n_devices = sum(len(one.devices) for one in shown)
    if n_devices > DRAWN_MOST:
        yield html.paragraph(f"A drawing of {format_counted(n_devices, 'device')} is too large for a page.")
        return
    try:
        yield _two_pictures(report) if are_two else _one_picture(report, shown[0])
    except ExportError:
        yield html.paragraph(NO_DRAWING, "muted")


def _loads(report: Report) -> Iterator[str]:
    """The loads of both sides, traffic by traffic."""
    if report.figures.runs:
        yield html.heading("Loads")
    for number, (before, after) in enumerate(report.figures.runs, start=1):
        yield from loads_apart((report.before, before), (report.after, after), f"loads{number}-")


def _one_picture(report: Report, shown: Design) -> str:
    overlay = Overlay(marks=report.marked.marks, counts=False)
    text = inlined(partial(svg_of, shown, overlay=overlay, size=html.PICTURE), "both")
    return html.figure(text, "The drawing with what only the other side has, in the colors of the differences")


def _two_pictures(report: Report) -> str:
    before, after = report.drawn
    sides = Side(report.before, before), Side(report.after, after)
    texts = drawn_apart(sides, report.marked.marks)
    return html.pair(html.figure(text, side.name) for text, side in zip(texts, sides, strict=True))


# -- as a workbook ------------------------------------------------------------------------------------------------


def write_report_book(report: Report, path: Path) -> None:
    """Write the workbook: figures, differences and the bill. Raises ExportError or OSError."""
    before, after = ("Design", "Alternative") if report.alternatives else ("Before", "After")
    facts = ((before, report.before), (after, report.after), ("Differences", report.summary))
    about = [*facts, *(("Note", line) for line in report.lines)]
    blocks = (
        Block(columns_of("", ""), about, "Comparison"),
        _figure_block(report),
    )
    sheets = [Sheet("Summary", blocks), _sheet("Differences", report.columns, report.rows)]
    sheets.append(_sheet("Bill", report.part_table.columns, report.part_table.rows))
    write_book(path, sheets, book_facts(report.design, "Comparison", "a4"))


def _figure_block(report: Report) -> Block:
    """The figures as numbers in a unit each, which a spreadsheet can calculate with."""
    columns = titled(FigureRow.IN_UNITS, report.names)
    rows = [[_figure_cell(column, row) for column in columns] for row in report.figures.rows]
    are_figures = {"before", "after", "change", "share"}
    return Block([SheetColumn(one.title, FIGURE if one.key in are_figures else "") for one in columns], rows, "Figures")


def _figure_cell(column: Column, row: FigureRow) -> Value:
    value = column.of(row)
    if isinstance(value, str) or value is None:
        return column.shown(value)
    return MarkedCell(value, format=SHARE if column.key == "share" else FORMATS[row.measure.places])


def _sheet(title: str, columns: Columns, rows: Sequence[Any]) -> Sheet:
    if not rows:
        return Sheet(title, (Block(columns_of("No differences"), ()),))
    return Sheet(title, (block_of(ResultTable(columns, rows)),))
