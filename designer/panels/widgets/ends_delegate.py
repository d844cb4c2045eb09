"""A link as a cell of a narrow table: both ends with their ports, names elided where it is narrow."""

import re
from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QModelIndex, QPersistentModelIndex
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from designer.drawing.text import ELLIPSIS, elisions
from designer.model.design import Design
from designer.model.entities import End
from designer.panels.widgets.row_table import LinesDelegate, RowTable
from designer.panels.widgets.rows import DETAIL_ROLE
from designer.tables.columns import Column

ENDS_ROLE = DETAIL_ROLE + 2
"""The ends of a link: (name, port, name, port)."""

ARROW = " → "
INSET_PX = 8
LINE = "\u2028"
"""What parts the lines of a cell as Qt lays it out."""
_LINK_NAME = re.compile(r"(.+) port (\S+) to (.+) port (\S+)")
_WORD_ENDS = re.compile(r"([-_. ])")

Ends = tuple[str, str, str, str]


def written(ends: Ends) -> str:
    """The link in full: "gpu-001 rail1 → leaf-su1-r1 1/1"."""
    a, a_port, b, b_port = ends
    return f"{a} {a_port}{ARROW}{b} {b_port}"


def ends_of(design: Design, a: End, b: End) -> Ends:
    """Names and ports of both ends of a link, in the order of the ends."""
    return design.device(a.device_id).name, a.port, design.device(b.device_id).name, b.port


def fitted(ends: Ends, width_of: Callable[[str], float], room: float) -> str:
    """The link within a width: names elided, the longer first, ports as they are.

    Where elided names are too long, their first words go: "…srv-01". The result may still be wider than the room.
    """
    a, a_port, b, b_port = ends
    text = written(ends)
    for forms_of in (_elided, _last_words):
        a_forms, b_forms = forms_of(a), forms_of(b)
        while True:
            text = written((a_forms[0], a_port, b_forms[0], b_port))
            rest = (forms for forms in (a_forms, b_forms) if len(forms) > 1)
            longer = max(rest, key=lambda forms: len(forms[0]), default=None)
            if width_of(text) <= room:
                return text
            if longer is None:
                break
            longer.pop(0)
    return text


def fitted_way(names: Sequence[str], width_of: Callable[[str], float], room: float) -> str:
    """The names in their order within a width: elided, the longest first, and then without those in the middle.

    The first and the last name are always there. The result may still be wider than the room.
    """
    forms = [_elided(name) for name in names]
    while width_of(text := ARROW.join(one[0] for one in forms)) > room:
        longest = max((one for one in forms if len(one) > 1), key=lambda one: len(one[0]), default=None)
        if longest is None:
            break
        longest.pop(0)
    shown = [one[0] for one in forms]
    while width_of(text) > room and len(shown) > 2:
        middle = len(shown) // 2
        del shown[middle]
        text = ARROW.join((*shown[:middle], ELLIPSIS, *shown[middle:]))
    return text


class WayDelegate(LinesDelegate):
    """Writes the names that ENDS_ROLE holds, and below them the rest of the text, as wide as the column."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        """Shorten the names to the width of the column."""
        super().initStyleOption(option, index)
        names, room = index.data(ENDS_ROLE), option.rect.width() - INSET_PX
        if names and room > 0:
            _, *rest = option.text.split(LINE)
            option.text = LINE.join((fitted_way(names, option.fontMetrics.horizontalAdvance, room), *rest))


def _elided(name: str) -> list[str]:
    return [name, *elisions(name)]


def _last_words(name: str) -> list[str]:
    """The shortest elision, and what is left of it without first words, down to the last two words."""
    shortest, words = _elided(name)[-1], _WORD_ENDS.split(name)
    tails = (ELLIPSIS + "".join(words[first:]) for first in range(2, len(words) - 2, 2))
    return [shortest, *(one for one in tails if len(one) < len(shortest))]


class EndsDelegate(QStyledItemDelegate):
    """Writes what ENDS_ROLE holds as wide as its column."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        """Shorten the names to the width of the column."""
        super().initStyleOption(option, index)
        ends, room = index.data(ENDS_ROLE), option.rect.width() - INSET_PX
        if ends and room > 0:
            option.text = fitted(tuple(ends), option.fontMetrics.horizontalAdvance, room)


def fitted_link_name(text: str, width_of: Callable[[str], float], room: float) -> str:
    """A name as reports have it, "gpu-001 port rail1 to leaf-su1-r1 port 1/1", within a width where it is of a link."""
    found = _LINK_NAME.fullmatch(text)
    if found is None or width_of(text) <= room:
        return text
    a, a_port, b, b_port = found.groups()
    return fitted((a, a_port, b, b_port), width_of, room)


class LinkNameDelegate(QStyledItemDelegate):
    """Writes names of links as wide as their column, so that they stay apart; other texts as they are."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        """Shorten the name to the width of the column."""
        super().initStyleOption(option, index)
        room = option.rect.width() - INSET_PX
        if room > 0:
            option.text = fitted_link_name(option.text, option.fontMetrics.horizontalAdvance, room)


def shorten_links(table: RowTable) -> None:
    """Have the names of links in a table tell them apart."""
    table.setItemDelegate(LinkNameDelegate(table))


ENDS = Column("ends", "Link", text=written)
"""Of rows that have the `ends` of a link."""


def look_of_ends(row: Any, column: Column, role: int) -> Any:
    """What an EndsDelegate asks for."""
    return row.ends if role == ENDS_ROLE and column.key == ENDS.key else None
