"""The title block at the foot of every page: what a drawing is of, whose, and which page of how many."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from designer.drawing.geometry import Rect as Area
from designer.drawing.parts.primitives import Ink, Jump, Lines, Part, Pen, Rect
from designer.drawing.sheets.lettering import label
from designer.drawing.theme import Theme
from designer.model.design import Design
from designer.model.title_facts import title_facts
from designer.units import format_count

HEIGHT = 46.0
ROW = 23.0
INSET = 4.0
LABEL_SIZE, VALUE_SIZE, TITLE_SIZE = 6, 9, 11
TOP_SHARES = {"Sheet": 5.0, "Design": 2.8, "Status": 2.7, "Page": 1.2}
SHARES = {
    "Drawing number": 1.6,
    "Project": 2.0,
    "Customer": 2.0,
    "Site": 1.8,
    "Revision": 1.0,
    "Date": 1.2,
    "Author": 1.5,
    "Digest": 1.4,
    "Scale": 1.0,
}


@dataclass(frozen=True, slots=True)
class TitleBlock:
    """What the title block states; it has no field for what is "". No date is taken from a clock."""

    design: str = ""
    project: str = ""
    customer: str = ""
    site: str = ""
    drawing_number: str = ""
    revision: str = ""
    date: str = ""
    author: str = ""
    digest: str = ""
    """The first digits of the design's digest: two sets with the same are of the same design."""
    status: str = ""
    """What the set may be used for: "Preliminary, not for construction"."""
    reason: str = ""
    """Why it has that status, for the first page; only a set that is not issued has one."""
    findings: str = ""
    """The open errors and warnings of the design, for the first page; "" where there are none."""


def title_block_of(design: Design, revision: str = "", date: str = "") -> TitleBlock:
    """What the design itself states for its title block."""
    return TitleBlock(revision=revision, date=date, **title_facts(design))


def title_block_parts(
    block: TitleBlock, title: str, scale: str, number: int, of: int, frame: Area, theme: Theme, index: int | None = None
) -> Iterator[Part]:
    """The frame of a page with the title block at its foot. `frame` is left, top, right, bottom.

    The block has a second line only where there is something to state on it. Its number leads to the page of the index.
    """
    left, above, right, bottom = frame
    pen = Pen(theme.muted, 0.75)
    yield Rect(left, above, right - left, bottom - above, None, pen)
    facts = (
        ("Drawing number", block.drawing_number),
        ("Project", block.project),
        ("Customer", block.customer),
        ("Site", block.site),
        ("Revision", block.revision),
        ("Date", block.date),
        ("Author", block.author),
        ("Digest", block.digest),
        ("Scale", scale),
    )
    stated = tuple((name, value) for name, value in facts if value)
    first = bottom - (HEIGHT if stated else ROW)
    yield Rect(left, first, right - left, bottom - first, Ink(theme.group_fill), pen)
    page = f"{format_count(number)} of {format_count(of)}"
    top = (("Sheet", title), ("Design", block.design), ("Status", block.status), ("Page", page))
    known = tuple((name, value) for name, value in top if value or name != "Status")
    rows: list[tuple[tuple[float, ...], tuple[tuple[str, str], ...]]] = [
        (tuple(TOP_SHARES[name] for name, _ in known), known)
    ]
    if stated:
        rows.append((tuple(SHARES[name] for name, _ in stated), stated))
    dividers: list[list[float]] = []
    for line, (shares, cells) in enumerate(rows):
        x, y = left, first + line * ROW
        dividers.append([left, y, right, y])
        for share, (name, value) in zip(shares, cells, strict=True):
            width = (right - left) * share / sum(shares)
            if x > left:
                dividers.append([x, y, x, y + ROW])
            room = width - 2 * INSET
            is_title, warns = name == "Sheet", name == "Status" and bool(block.reason)
            yield label(name, x + INSET, y + 7.5, room, LABEL_SIZE, theme.muted)
            size, colour = TITLE_SIZE if is_title else VALUE_SIZE, theme.error if warns else theme.text
            yield label(value, x + INSET, y + 18.5, room, size, colour, bold=is_title or warns)
            if name == "Page" and index is not None:
                yield Jump(x, y, width, ROW, index)
            x += width
    yield Lines(np.array(dividers), Pen(theme.muted, 0.5))
