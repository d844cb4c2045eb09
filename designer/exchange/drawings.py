"""The set of drawings as its options have it: pages to be written, printed or looked at."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from designer.drawing.sheets.book import Page
from designer.drawing.sheets.listing import Listing
from designer.drawing.sheets.pages import SECTIONS, pages
from designer.drawing.sheets.paper import paper_of
from designer.drawing.sheets.title_block import TitleBlock, title_block_of
from designer.errors import ExportError
from designer.exchange.drawing_options import DrawingOptions
from designer.exchange.exporters_diagram import racks_named
from designer.exchange.exporters_plan import open_points, plan_gaps_of
from designer.exchange.issue import issue_stated
from designer.exchange.options import Progress, unheard
from designer.exchange.plan_gaps import PlanGaps
from designer.exchange.plans.change_rows import PAPER_COLUMNS
from designer.exchange.plans.since import changes_since
from designer.exchange.revisions import COLUMNS, listed
from designer.exchange.svg_writing import svg_text
from designer.model.design import Design
from designer.model.title_facts import HEADINGS
from designer.storage.saving import replace_file
from designer.tables.table import ResultTable
from designer.units import format_count, format_counted
from designer.validation.engine import validate

ON_PAPER = {"no cable": "no cable type"}
"""What is missing, where that would contradict the number that each cable has."""


def drawing_pages(design: Design, options: DrawingOptions, progress: Progress = unheard) -> list[Page]:
    """The pages of the set; none is drawn yet. Raises ExportError, which names the rack or sheet there is not."""
    wanted = options.sheets or tuple(SECTIONS)
    gaps = plan_gaps_of(design)
    return pages(
        design,
        paper_of(options.paper, options.orientation, options.margin),
        (*wanted, "changes") if options.since else wanted,
        replace(_title_block(design, options, gaps), findings=_findings(design) if "index" in wanted else ""),
        theme=options.theme,
        rack_ids=racks_named(design, options.racks) if options.racks else None,
        listings=dict(_listings(design, options, wanted, gaps)),
        progress=progress,
    )


def _listings(
    design: Design, options: DrawingOptions, wanted: Collection[str], gaps: PlanGaps
) -> Iterator[tuple[str, Listing]]:
    """The tables of the set that have something to list."""
    if "revisions" in wanted and design.revisions:
        yield "revisions", _revisions(design)
    if options.since or "changes" in options.sheets:
        yield "changes", _changes(design, options.since)
    if "open-points" in wanted and gaps.gaps:
        yield "open-points", _open_points(design, gaps)


def _title_block(design: Design, options: DrawingOptions, gaps: PlanGaps) -> TitleBlock:
    """What the options state, then the design; of its last revision where the design is still as it was recorded.

    Every page says which design it is of and whether it may be built from. Open points make no issued set preliminary
    again: whoever issued it knew them, and its first page counts them.
    """
    issue = issue_stated(design, options.revision).with_open_points(are_open=bool(gaps.gaps))
    block = title_block_of(design, issue.revision, issue.date)
    block = replace(
        block, author=issue.author or block.author, digest=issue.digest, status=issue.status, reason=issue.reason
    )
    stated = {name: getattr(options, name) for name in (*HEADINGS, "date") if name != "design"}
    return replace(block, **{name: text for name, text in stated.items() if text})


def _findings(design: Design) -> str:
    """What the first page says of open errors and warnings."""
    faults = validate(design).open_faults
    return f"Open findings of the validation: {faults}" if faults else ""


def _changes(design: Design, since: str) -> Listing:
    """The change order since an earlier issue, as an installer reads it. Raises ExportError for one there is not."""
    earlier, order = changes_since(design, since)
    return _listing(f"Changes since {earlier.name}", ResultTable(PAPER_COLUMNS, order.changes), order.summary)


def _revisions(design: Design) -> Listing:
    found = listed(design)
    return _listing("Revisions", ResultTable(COLUMNS, found), format_counted(len(found), "recorded revision"))


def _open_points(design: Design, gaps: PlanGaps) -> Listing:
    """What the cables lack, and why: nothing on the other sheets is unknown without a line here."""
    rows = [
        (ON_PAPER.get(what, what), why, format_count(count), first)
        for what, why, count, first in open_points(design, gaps)
    ]
    headings = (("Open point", False), ("Reason", False), ("Count", True), ("Example", False))
    return Listing("Open points", headings, rows, gaps.statement, is_fault=gaps.is_fault)


def _listing(title: str, table: ResultTable, summary: str) -> Listing:
    headings = tuple((one.title, one.right) for one in table.columns)
    return Listing(title, headings, [tuple(row) for row in table.texts], summary)


def write_svg(pages: Sequence[Page], path: Path, number: int) -> None:
    """Write one of the pages as SVG, its layers as groups. Raises ExportError where there is no page of that number."""
    if number > len(pages):
        raise ExportError(f"there is no page {number}: the set has {format_counted(len(pages), 'page')}")
    page = pages[number - 1]
    made = page.document()
    text = svg_text(made.area, made.title, made.description, made.layers, size_mm=(page.width_mm, page.height_mm))
    replace_file(path, text.encode("utf-8"))
