"""The cable plan as a workbook: a summary, all cables, one sheet per rack and switch, open points and changes."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from designer.exchange import plan_options as chosen
from designer.exchange.cable_plan import CableRow
from designer.exchange.issue import issue_stated
from designer.exchange.plan_options import WorkbookOptions
from designer.exchange.plans.cell_words import UNKNOWN, cell_word, in_language
from designer.exchange.plans.cells import columns_wanted, plan_cells
from designer.exchange.plans.change_order import ChangeOrder
from designer.exchange.plans.change_rows import PAPER_COLUMNS
from designer.exchange.plans.headings import ENGLISH, PLAN_COLUMNS, heading, word
from designer.exchange.plans.port_sheets import RACK_COLUMNS, SWITCH_COLUMNS, PortSheets
from designer.exchange.plans.summary import OpenPoint, PlanFacts, by_kind, index_blocks, summary_blocks
from designer.exchange.workbook import (
    FIGURE,
    LENGTH,
    MOST_WIDTH_OF_SENTENCES,
    Block,
    Sheet,
    SheetColumn,
    block_of,
    room_on_paper,
)
from designer.exchange.workbook_parts import BookFacts, sheet_titles
from designer.model.design import Design
from designer.model.networks import NETWORKS, TITLES
from designer.model.records import ordered
from designer.tables.cells import Cell
from designer.tables.columns import Column, Columns
from designer.tables.table import ResultTable

NOTHING_OPEN = ("none", "every link has its length, its cable and its part numbers", 0, "")
NOTHING_CHANGED = "no cable has to be touched"

COLLAPSED = frozenset(
    (
        *("status", "connector", "length_source", "label_a", "label_b", "bundle", "rail", "su", "tier"),
        "stock_length_m",
        *(
            f"{end}_{fact}"
            for end in "az"
            for fact in ("site", "row", "device_type", "role", "cage", "lane", "optic_pn")
        ),
    )
)
"""Columns that are folded away, so that the others can be read on paper; not where columns were asked for by name."""
FOLDED_AT_PORTS = frozenset(("optic_pn",))
"""The same of the sheets of racks and switches: what is plugged in bears its model."""
FOLDS = {
    key: number
    for number, key in enumerate(
        (
            *("label", "speed_gbps", "cable_model", "network", "lane", "cage", "a_optic_model", "z_optic_model"),
            *("optic_model", "color", "status", "medium"),
        ),
        start=1,
    )
}
"""Columns that are folded away one after the other where paper has no room for all in letters of a readable size."""

WRAPPED = {"notes": 24, "reason": 48, "from": 40, "to": 40, "cable": 48}
"""Columns of sentences, and how wide they are at most."""

OPEN_POINT_COLUMNS: Columns = (
    Column("what", "Open point"),
    Column("reason", "Reason"),
    Column("count", "Count", right=True),
    Column("first", "Example"),
)

MOST_ON_SUMMARY = 120
"""Sheets that the summary leads to by itself; of more there is an index, on a sheet of its own."""


@dataclass(frozen=True, slots=True)
class PlanBook:
    """What a workbook is made of."""

    design: Design
    rows: Sequence[CableRow]
    """In the order and direction that the options ask for."""
    options: WorkbookOptions
    open_points: Sequence[OpenPoint] = ()
    changes: ChangeOrder | None = None
    since: str = ""
    """What the changes are compared with, as "revision B"."""
    digest: str = ""
    preliminary: str = ""
    at_all: str = ""
    """What is open at every cable, as "All cables: assumed length": a line below each table of cables."""

    def sheets(self) -> tuple[Sheet, ...]:
        """All sheets that the options ask for, each with a title that no other has."""
        wanted = self.options.sheets or chosen.SHEETS
        language = self.options.headings
        found: dict[str, list[Sheet]] = {
            chosen.CABLE_SHEET: list(self._cables()) if chosen.CABLE_SHEET in wanted else [],
            chosen.OPEN_POINTS: [self._open_points()],
            chosen.CHANGES: [] if self.changes is None else [self._changes(self.changes)],
        }
        places = PortSheets(self.design, self._once())
        for name, columns, made in (
            (chosen.RACKS, RACK_COLUMNS, places.racks),
            (chosen.SWITCHES, SWITCH_COLUMNS, places.switches),
        ):
            if name in wanted:
                found[name] = [
                    Sheet(one.title, (_block(columns, one.rows, language, _collapsed(columns, one.rows)),), self.at_all)
                    for one in made()
                ]
        there = [name for name in _ORDER if name in wanted and found.get(name)]
        others = [sheet for name in there for sheet in found[name]]
        if chosen.SUMMARY not in wanted:
            return tuple(_retitled(others)) or (self._summary({}),)
        many = sum(len(found[name]) for name in there) > MOST_ON_SUMMARY
        index = [Sheet(word("Index", language), ())] if many else []
        first, *rest = _retitled([Sheet(word("Summary", language), ()), *index, *others])
        titles = iter([sheet.title for sheet in rest[len(index) :]])
        of_kind = {name: [next(titles) for _ in found[name]] for name in there}
        if not many:
            return (self._summary(of_kind, first.title), *rest)
        blocks = index_blocks(of_kind, language, room_on_paper(self.options.paper))
        summary = self._summary(of_kind, first.title, rest[0].title)
        return (summary, Sheet(rest[0].title, tuple(blocks)), *rest[1:])

    def _once(self) -> Sequence[CableRow]:
        """One row for each link, where the rows list links from either end."""
        return [row for row in self.rows if not row.is_turned] if self.options.both_ways else self.rows

    def _summary(self, titles: Mapping[str, Sequence[str]], title: str = "Summary", index: str = "") -> Sheet:
        facts = PlanFacts(self.design, self._once(), self.digest, self.open_points, self.preliminary)
        blocks = summary_blocks(facts, self.options.headings, titles, index)
        return Sheet(title, tuple(block for block in blocks if block.rows))

    def _cables(self) -> Iterator[Sheet]:
        columns, language = columns_wanted(self.options), self.options.headings
        name = word("Cables", language)
        if not self.options.by_network:
            cells = plan_cells(self.rows, columns, self.options.rows)
            yield Sheet(name, (_block(columns, cells, language, _collapsed(columns, cells)),), self.at_all)
            return
        of = by_kind(self.rows, lambda row: row.network)
        for network in (one for one in NETWORKS if one in of):
            cells = plan_cells(of[network], columns, self.options.rows)
            yield Sheet(
                f"{name} {TITLES[network].lower()}",
                (_block(columns, cells, language, _collapsed(columns, cells)),),
                self.at_all,
            )

    def _open_points(self) -> Sheet:
        language = self.options.headings
        columns = [
            SheetColumn(heading(column, language), FIGURE if column.right else "", MOST_WIDTH_OF_SENTENCES)
            for column in OPEN_POINT_COLUMNS
        ]
        rows: Sequence[Sequence[str | int]] = self.open_points or [NOTHING_OPEN]
        rows = in_language(OPEN_POINT_COLUMNS, rows, language)
        return Sheet(word("Open points", language), (Block(columns, rows),))

    def _changes(self, changes: ChangeOrder) -> Sheet:
        language = self.options.headings
        return Sheet(f"{word('Changes', language)}", (changes_block(changes, language),))


_ORDER = (chosen.CABLE_SHEET, chosen.CHANGES, chosen.OPEN_POINTS, chosen.RACKS, chosen.SWITCHES)


def changes_block(changes: ChangeOrder, language: str, columns: Columns = PAPER_COLUMNS) -> Block:
    """The change order as a table, and a line that says so where there is nothing to do."""
    block = block_of(ResultTable(columns, changes.changes))
    rows = in_language(columns, block.rows or [(None, NOTHING_CHANGED)], language)
    return Block(_sheet_columns(columns, language), rows)


def book_facts(
    design: Design, subject: str, paper: str, language: str = ENGLISH, digest: str = "", status: str = ""
) -> BookFacts:
    """The properties of the file, and what its pages state of the design and its issue; `digest` where it is known."""
    settings = design.settings
    date = next((one.date for one in reversed(ordered(design.revisions)) if one.date), "")
    keywords = ", ".join(text for text in (settings.project, settings.customer, settings.site) if text)
    return BookFacts(
        title=f"{design.name}: {subject}",
        subject=subject,
        author=settings.author,
        keywords=keywords,
        date=date,
        paper=paper,
        issue=issue_stated(design, digest=digest).line,
        page=word(BookFacts().page, language),
        status=word(status, language),
    )


def _collapsed(columns: Columns, rows: Sequence[Sequence[Cell]]) -> frozenset[str]:
    """The columns that are folded away: those that paper has no room for, and those that hold nothing."""
    folded = {PLAN_COLUMNS: COLLAPSED, RACK_COLUMNS: FOLDED_AT_PORTS, SWITCH_COLUMNS: FOLDED_AT_PORTS}.get(columns)
    if folded is None:
        return frozenset()
    filled = {column.key for number, column in enumerate(columns) if any(row[number] not in (None, "") for row in rows)}
    return folded | ({column.key for column in columns} - filled - {"notes"} if rows else frozenset())


def _block(columns: Columns, rows: Sequence[Sequence[Cell]], language: str, collapsed: Iterable[str] = ()) -> Block:
    """A table of cables or ports; columns that were asked for by name all stay in sight."""
    folds = columns in (PLAN_COLUMNS, RACK_COLUMNS, SWITCH_COLUMNS)
    kept = _unknown_in(columns, rows, cell_word(UNKNOWN, language))
    made = _sheet_columns(columns, language, frozenset(collapsed) - kept, folds=folds, kept=kept)
    return Block(made, in_language(columns, rows, language))


def _unknown_in(columns: Columns, rows: Sequence[Sequence[Cell]], unknown: str) -> frozenset[str]:
    """The columns of transceivers that have one to be decided: they stay in sight."""
    places = [(number, one.key) for number, one in enumerate(columns) if one.key.endswith("optic_model")]
    return frozenset(key for number, key in places if any(unknown in str(row[number] or "") for row in rows))


def _sheet_columns(
    columns: Columns,
    language: str,
    collapsed: frozenset[str] = frozenset(),
    wrapped: Mapping[str, int] = WRAPPED,
    *,
    folds: bool = False,
    kept: frozenset[str] = frozenset(),
) -> tuple[SheetColumn, ...]:
    return tuple(
        SheetColumn(
            heading(column, language),
            LENGTH if column.key in ("length_m", "slack_m") else FIGURE if column.right else "",
            widest=wrapped.get(column.key, 48),
            wraps=column.key in wrapped,
            is_collapsed=column.key in collapsed,
            fold=FOLDS.get(column.key, 0) if folds and column.key not in kept else 0,
        )
        for column in columns
    )


def _retitled(sheets: Sequence[Sheet]) -> list[Sheet]:
    """The sheets under titles that a workbook accepts and that differ, so that links lead to the right one."""
    titles = sheet_titles(sheet.title for sheet in sheets)
    return [Sheet(title, sheet.blocks, sheet.note) for title, sheet in zip(titles, sheets, strict=True)]
