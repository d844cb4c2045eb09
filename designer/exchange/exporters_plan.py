"""Cable plans and change orders as files: the rows, what they lack, and the parts that the catalog knows for them."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from designer.analysis.optical_parts import OpticalParts, parts_known
from designer.analysis.parts import has_transceivers, medium_of
from designer.analysis.preliminary import PRELIMINARY, preliminary
from designer.catalog import catalog
from designer.errors import ExportError
from designer.exchange import plan_options as chosen
from designer.exchange.cable_plan import CableRow, cable_rows
from designer.exchange.labels.labels import with_own_labels
from designer.exchange.options import Progress
from designer.exchange.plan_gaps import Gap, PlanGaps, plan_gaps
from designer.exchange.plan_options import (
    AS_FILE,
    BothWaysOptions,
    ChangeOrderOptions,
    CsvPlanOptions,
    NetworkOptions,
    WorkbookOptions,
)
from designer.exchange.plans import presets
from designer.exchange.plans.book import PlanBook, book_facts, changes_block
from designer.exchange.plans.cell_words import ALL_CABLES, UNKNOWN, cell_word, in_language
from designer.exchange.plans.cells import columns_wanted, plan_csv
from designer.exchange.plans.change_rows import FULL_COLUMNS
from designer.exchange.plans.headings import ENGLISH, KEYS, heading, word
from designer.exchange.plans.since import changes_since, has_earlier
from designer.exchange.plans.summary import OpenPoint
from designer.exchange.revisions import design_digest
from designer.exchange.workbook import Sheet, write_book
from designer.model.design import Design
from designer.model.hardware.types import HardwareType
from designer.model.port_labels import port_label
from designer.tables.table import ResultTable, delimited, encoded


@dataclass(frozen=True, slots=True)
class _Known:
    """What cables are selected and completed from: the shipped catalog and the design's own types."""

    types: Mapping[str, HardwareType]
    parts: OpticalParts


def _known(design: Design) -> _Known:
    types = catalog.load().types
    return _Known(types, parts_known(design, types))


def plan_gaps_of(design: Design) -> PlanGaps:
    """What the design's cable plan lacks, as the shipped catalog and the design's own types allow it to be filled."""
    known = _known(design)
    return plan_gaps(design, known.types, known.parts)


def plan_rows(design: Design, options: NetworkOptions | None = None) -> tuple[list[CableRow], PlanGaps]:
    """The rows of the design's plan that the options ask for, all without options, and what they lack."""
    known, wanted = _known(design), options or BothWaysOptions()
    both_ways = isinstance(wanted, BothWaysOptions) and wanted.both_ways
    gaps = plan_gaps(design, known.types, known.parts)
    notes = gaps.by_link()
    if isinstance(wanted, WorkbookOptions) and chosen.OPEN_POINTS in (wanted.sheets or chosen.SHEETS):
        notes = _short_notes(gaps, wanted.headings)
    rows = cable_rows(design, both_ways=both_ways, parts=known.parts, notes=notes)
    rows = with_own_labels(design, rows)
    return [row for row in rows if row.network in wanted.networks] if wanted.networks else rows, gaps


def _short_notes(gaps: PlanGaps, language: str) -> dict[str, str]:
    """What each link lacks and not every other too; summary and open points say why, and rows stay one line high."""
    return {link_id: cell_word(what, language) for link_id, what in gaps.in_short().items()}


def write_csv(design: Design, path: Path, options: CsvPlanOptions, progress: Progress) -> None:
    """The plan as CSV."""
    rows, _ = plan_rows(design, options)
    rows = _with_unknown_optics(design, rows, cell_word(UNKNOWN, options.headings))
    progress(0.6)
    text = plan_csv(rows, columns_wanted(options), options.rows, options.headings)
    path.write_bytes(encoded(text, byte_order_mark=options.byte_order_mark))


def write_xlsx(design: Design, path: Path, options: WorkbookOptions, progress: Progress) -> None:
    """The plan as a workbook."""
    rows, gaps = plan_rows(design, options)
    progress(0.15)
    digest = design_digest(design)
    since, changes = "", None
    wanted, still_open = options.sheets or chosen.SHEETS, open_points(design, gaps)
    if options.since or (chosen.CHANGES in wanted and has_earlier(design, digest)):
        is_whole = not options.networks and not options.both_ways
        try:
            issue, changes = changes_since(design, options.since, rows if is_whole else None)
            since = issue.name
        except ExportError as error:
            if options.since:
                raise
            still_open.append(("changes", str(error), 0, ""))  # nobody asked: the plan does not wait for them
    progress(0.3)
    language = options.headings
    at_all = cell_word(f"{ALL_CABLES}: {gaps.at_all}", language) if gaps.at_all else ""
    rows = _with_unknown_optics(design, rows, cell_word(UNKNOWN, language))
    not_yet = preliminary(design, _known(design).parts)
    book = PlanBook(design, rows, options, still_open, changes, since, digest, not_yet, at_all)
    subject = word("Cable plan", language)
    facts = book_facts(design, subject, options.paper, language, digest, PRELIMINARY if not_yet else "")
    write_book(path, book.sheets(), facts, lambda share: progress(0.4 + 0.6 * share))


def _with_unknown_optics(design: Design, rows: list[CableRow], unknown: str) -> list[CableRow]:
    """The rows with a word for each transceiver that is needed and not known."""
    links = design.links
    return [
        replace(row, a_optic_model=row.a_optic_model or unknown, z_optic_model=row.z_optic_model or unknown)
        if not (row.a_optic_model and row.z_optic_model)
        and has_transceivers(links[row.link_id], medium_of(design, links[row.link_id]))
        else row
        for row in rows
    ]


def write_change_order(design: Design, path: Path, options: ChangeOrderOptions, progress: Progress) -> None:
    """What an installer has to do since an earlier issue, as CSV or as a workbook by the path's suffix."""
    issue, order = changes_since(design, options.since)
    progress(0.5)
    if path.suffix.lower() != ".xlsx":
        language = KEYS if options.headings == AS_FILE else options.headings
        table = ResultTable(FULL_COLUMNS, order.changes)
        cells = in_language(FULL_COLUMNS, table.values, language)
        text = delimited([heading(column, language) for column in FULL_COLUMNS], cells)
        path.write_bytes(encoded(text))
        return
    language = ENGLISH if options.headings == AS_FILE else options.headings
    title = word("Change order", language)
    sheets = (
        Sheet(title, (changes_block(order, language),)),
        Sheet(word("All facts", language), (changes_block(order, language, FULL_COLUMNS),)),
    )
    facts = book_facts(design, f"{title} since {issue.name}", options.paper, language)
    write_book(path, sheets, facts)


def change_summary(design: Design, options: ChangeOrderOptions) -> str:
    """How many cables are to be removed, swapped, moved, pulled and relabeled, and since when."""
    issue, order = changes_since(design, options.since)
    return f"since {issue.name}: {order.summary}"


def write_preset(name: str, design: Design, path: Path, options: NetworkOptions) -> None:
    """The plan as another tool reads it."""
    rows, _ = plan_rows(design, options)
    presets.write_preset(name, design, rows, path)


def open_points(design: Design, gaps: PlanGaps) -> list[OpenPoint]:
    """The rows of the sheet of open points: what, why, how many links, and the first of them.

    A point of devices or of parts counts these, and names the first device or rack.
    """
    return [(gap.what, gap.reason, gap.count, _first(design, gap)) for gap in gaps.gaps]


def _first(design: Design, gap: Gap) -> str:
    if gap.devices:
        first = gap.devices[0]
        return design.racks[first].name if first in design.racks else design.device(first).name
    if not gap.links:
        return ""
    link = design.links[gap.links[0]]
    return " to ".join(
        f"{design.device(end.device_id).name} port {port_label(design, end)}" for end in (link.a, link.b)
    )
