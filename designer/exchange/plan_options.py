"""What cable plans are written with, as a person sets it."""

from dataclasses import dataclass

from designer.exchange.options import ExportOptions, byte_order_mark_setting
from designer.exchange.paper_options import paper_setting
from designer.exchange.plans.headings import ENGLISH, KEYS, LANGUAGES, PLAN_COLUMNS
from designer.fields import kinds
from designer.fields.field import Word, setting
from designer.model.networks import NETWORKS, TITLES

LINKS, CABLES = "links", "cables"
SUMMARY, CABLE_SHEET, RACKS, SWITCHES, OPEN_POINTS, CHANGES = SHEETS = (
    "summary",
    "cables",
    "racks",
    "switches",
    "open-points",
    "changes",
)
NO_PRINTER = ("a1",)
"""Paper that workbooks do not print on."""
AS_FILE = "auto"


@dataclass(frozen=True, slots=True)
class NetworkOptions(ExportOptions):
    """Those of every list of cables."""

    networks: tuple[str, ...] = setting(
        (),
        title="Networks",
        noun="network",
        help="Networks to list: {names}.",
        kind=kinds.NAMES,
        choices=tuple(Word(name, TITLES[name]) for name in NETWORKS),
        metavar="NETWORK,...",
        empty="all",
    )


@dataclass(frozen=True, slots=True)
class BothWaysOptions(NetworkOptions):
    """Those of a list that some readers want from either end."""

    both_ways: bool = setting(
        False, title="Both ways", help="List each link twice, once from each end.", kind=kinds.FLAG
    )


@dataclass(frozen=True, slots=True)
class PlanOptions(BothWaysOptions):
    """Those of every cable plan."""

    rows: str = setting(
        LINKS,
        title="One row per",
        noun="rows",
        help="What a row is: a link, or a cable with the ports of all its links.",
        kind=kinds.CHOICE,
        choices=(Word(LINKS, "Link"), Word(CABLES, "Cable")),
    )
    columns: tuple[str, ...] = setting(
        (),
        title="Columns",
        noun="column",
        help="Columns in this order, such as cable_id,a_device,a_port,z_device,z_port.",
        kind=kinds.NAMES,
        choices=tuple(Word(column.key, column.title) for column in PLAN_COLUMNS),
        metavar="COLUMN,...",
        empty="all",
    )


@dataclass(frozen=True, slots=True)
class CsvPlanOptions(PlanOptions):
    """Those of a cable plan as text."""

    headings: str = setting(
        KEYS,
        title="Headings",
        noun="headings",
        help="Column names for programs, or headings in words of a language.",
        kind=kinds.CHOICE,
        choices=LANGUAGES,
    )
    byte_order_mark: bool = byte_order_mark_setting()


@dataclass(frozen=True, slots=True)
class WorkbookOptions(PlanOptions):
    """Those of a cable plan as a workbook."""

    headings: str = setting(
        ENGLISH,
        title="Headings",
        noun="headings",
        help="Headings in words of a language, or column names for programs.",
        kind=kinds.CHOICE,
        choices=LANGUAGES,
    )
    sheets: tuple[str, ...] = setting(
        (),
        title="Sheets",
        noun="sheet",
        help="Sheets to write: {names}.",
        kind=kinds.NAMES,
        choices=(
            Word(SUMMARY, "Summary"),
            Word(CABLE_SHEET, "Cables"),
            Word(RACKS, "One per rack"),
            Word(SWITCHES, "One per switch"),
            Word(OPEN_POINTS, "Open points"),
            Word(CHANGES, "Changes"),
        ),
        metavar="SHEET,...",
        empty="all",
    )
    by_network: bool = setting(
        False,
        title="Cables by network",
        help="Write a sheet of cables for each network in place of one for all.",
        kind=kinds.FLAG,
    )
    since: str = setting(
        "",
        title="Changes since",
        help="The earlier design file or recorded revision that the sheet of changes compares with.",
        kind=kinds.FILE,
        metavar="FILE|REVISION",
        empty="the last revision",
    )
    paper: str = paper_setting("Paper that the sheets print on.", without=NO_PRINTER, section="")


@dataclass(frozen=True, slots=True)
class ChangeOrderOptions(ExportOptions):
    """Those of a change order."""

    since: str = setting(
        "",
        title="Changes since",
        help="The earlier design file or recorded revision that the cables are compared with.",
        kind=kinds.FILE,
        metavar="FILE|REVISION",
        empty="the last revision",
    )
    headings: str = setting(
        AS_FILE,
        title="Headings",
        noun="headings",
        help="Column names for programs, or headings in words; auto is names in text and English in a workbook.",
        kind=kinds.CHOICE,
        choices=(Word(AS_FILE, "As the file needs"), *LANGUAGES),
    )
    paper: str = paper_setting("Paper that the sheets print on.", without=NO_PRINTER, section="")
