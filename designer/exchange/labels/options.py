"""What labels of cables are made with, as a person sets it."""

from dataclasses import dataclass

from designer.exchange.labels.template import DEFAULT, PRESETS
from designer.exchange.options import ExportOptions, byte_order_mark_setting
from designer.exchange.paper_options import paper_setting
from designer.fields import kinds
from designer.fields.field import Word, setting
from designer.fields.ranges import Range
from designer.model.networks import NETWORKS, TITLES

NEAR_FIRST, FAR_FIRST = "near", "far"
REFUSE, WRAP, CUT = "refuse", "wrap", "cut"
BY_RACK, BY_CABLE = "rack", "cable"
TEXT, SHEET = "Text", "Sheet"
LABEL_MM = Range(5, 600)


@dataclass(frozen=True, slots=True)
class LabelOptions(ExportOptions):
    """The text of labels, which of them are made, and the sheets that they are printed on."""

    template: str = setting(
        "",
        title="Template",
        empty=f"that of the design, else {DEFAULT.name}",
        help="Text with fields such as {near.rack}, {near.unit:02}, {far.port} or {cable}, \\n for a new line; or "
        f"the name of one that is ready: {', '.join(one.name for one in PRESETS)}.",
        kind=kinds.TEXT,
        section=TEXT,
        first=True,
    )
    first: str = setting(
        NEAR_FIRST,
        title="First",
        help="Which end stands first: the one that the label is on, or the other.",
        kind=kinds.CHOICE,
        choices=(Word(NEAR_FIRST, "Near end"), Word(FAR_FIRST, "Far end")),
        section=TEXT,
    )
    length: int | None = setting(
        None,
        title="Length limit",
        noun="the length limit",
        help="Characters that a line of the label has room for.",
        kind=kinds.COUNT,
        within=Range(4, 200),
        empty="none",
        metavar="CHARACTERS",
        section=TEXT,
    )
    too_long: str = setting(
        REFUSE,
        title="Too long",
        noun="what is done with labels that are too long",
        help="What is done where a line is longer: no file, more lines, or a line that is cut and marked.",
        kind=kinds.CHOICE,
        choices=(Word(REFUSE, "Refuse"), Word(WRAP, "Wrap"), Word(CUT, "Cut")),
        section=TEXT,
    )
    ends: str = setting(
        "both",
        title="Ends",
        help="Labels for both ends of each cable, or for one, as in the cable plan: a is nearer to the servers.",
        kind=kinds.CHOICE,
        choices=(Word("both", "Both"), Word("a", "A"), Word("z", "Z")),
        section=TEXT,
    )
    order: str = setting(
        BY_RACK,
        title="Order",
        help="By rack, unit and port, as they are put on, or by cable, both ends together.",
        kind=kinds.CHOICE,
        choices=(Word(BY_RACK, "By rack"), Word(BY_CABLE, "By cable")),
        section=TEXT,
    )
    networks: tuple[str, ...] = setting(
        (),
        title="Networks",
        noun="network",
        help="Networks whose cables are labelled: {names}.",
        kind=kinds.NAMES,
        choices=tuple(Word(name, TITLES[name]) for name in NETWORKS),
        metavar="NETWORK,...",
        empty="all",
        section=TEXT,
    )
    qr: bool = setting(
        True, title="QR code", help="Print the number of the cable as a QR code.", kind=kinds.FLAG, section=TEXT
    )
    paper: str = paper_setting("Paper of the sheets of labels (PDF).", section=SHEET)
    grid: tuple[int, ...] = setting(
        (5, 13),
        title="Labels on a sheet",
        noun="the grid",
        help="Labels across and down a sheet.",
        kind=kinds.DIMS,
        within=Range(1, 60),
        metavar="NxN",
        section=SHEET,
    )
    width: float = setting(
        38.1,
        title="Label width",
        help="Width of a label.",
        unit="mm",
        kind=kinds.MILLIMETRES,
        within=LABEL_MM,
        section=SHEET,
    )
    height: float = setting(
        21.2,
        title="Label height",
        help="Height of a label.",
        unit="mm",
        kind=kinds.MILLIMETRES,
        within=LABEL_MM,
        section=SHEET,
    )
    column_gap: float = setting(
        2.5,
        title="Gap between columns",
        help="Between two labels side by side; the grid stands in the middle of the sheet.",
        unit="mm",
        kind=kinds.MILLIMETRES,
        within=Range(0, 100),
        section=SHEET,
    )
    row_gap: float = setting(
        0.0,
        title="Gap between rows",
        help="Between two labels one below the other.",
        unit="mm",
        kind=kinds.MILLIMETRES,
        within=Range(0, 100),
        section=SHEET,
    )
    start: int = setting(
        1,
        title="First label",
        help="Place of the first label on the first sheet, so that a sheet begun is used up.",
        kind=kinds.COUNT,
        within=Range(1, 3600),
        section=SHEET,
    )
    outlines: bool = setting(
        False,
        title="Outlines",
        help="Draw the edges of the labels, for a proof on plain paper.",
        kind=kinds.FLAG,
        section=SHEET,
    )
    byte_order_mark: bool = byte_order_mark_setting(TEXT)
