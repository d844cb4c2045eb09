"""A link as a cell of a narrow table: both ends with their ports, names elided where it is narrow."""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QModelIndex, QPersistentModelIndex
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from designer.drawing.text import elisions
from designer.model.design import Design
from designer.model.entities import End
from designer.panels.widgets.rows import DETAIL_ROLE
from designer.tables.columns import Column

ENDS_ROLE = DETAIL_ROLE + 2
"""The ends of a link: (name, port, name, port)."""

ARROW = " → "
INSET_PX = 8

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

    Elided as far as they can be, the names may still be wider than the room.
    """
    a, a_port, b, b_port = ends
    a_forms, b_forms = [a, *elisions(a)], [b, *elisions(b)]
    while True:
        text = written((a_forms[0], a_port, b_forms[0], b_port))
        longer = max((forms for forms in (a_forms, b_forms) if len(forms) > 1), key=lambda f: len(f[0]), default=None)
        if longer is None or width_of(text) <= room:
            return text
        longer.pop(0)


class EndsDelegate(QStyledItemDelegate):
    """Writes what ENDS_ROLE holds as wide as its column."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        """Shorten the names to the width of the column."""
        super().initStyleOption(option, index)
        ends, room = index.data(ENDS_ROLE), option.rect.width() - INSET_PX
        if ends and room > 0:
            option.text = fitted(tuple(ends), option.fontMetrics.horizontalAdvance, room)


ENDS = Column("ends", "Link", text=written)
"""Of rows that have the `ends` of a link."""


def look_of_ends(row: Any, column: Column, role: int) -> Any:
    """What an EndsDelegate asks for."""
    return row.ends if role == ENDS_ROLE and column.key == ENDS.key else None
