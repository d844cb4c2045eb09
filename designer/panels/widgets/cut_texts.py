"""Cells with texts that are too wide, cut to what tells them apart: names, links, paths; tooltips have them whole."""

import re
from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QSize, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QAbstractItemView, QStyledItemDelegate, QStyleOptionViewItem, QToolTip, QTreeView

from designer.drawing.text import ELLIPSIS, cut_by_words, elisions, fitted_name
from designer.model.design import Design
from designer.model.entities import End
from designer.model.shown_text import plain_text
from designer.panels.widgets.rows import DETAIL_ROLE
from designer.tables.columns import Column

ARROW = " → "
INSET_PX, AIR_PX = 8, 8
"""Around the text of a cell, and above and below several lines."""
AFTER_DECORATION_PX = 4
"""In addition where a swatch or picture stands before the text: not more than Qt leaves, or columns would be cut."""
LINE = "\u2028"
"""What parts the lines of a cell as Qt lays it out."""
ENDS_ROLE = DETAIL_ROLE + 2
"""The ends of a link: (name, port, name, port)."""
WAY_LINES = 2
"""So many lines a path takes before its names are elided."""
MOST_WORDS = 4
"""A text of more words is a sentence: it is cut at its end."""
_LINK_NAME = re.compile(r"(.+) port (\S+) to (.+) port (\S+)")
_WORD_ENDS = re.compile(r"([-_. ])")

Ends = tuple[str, str, str, str]
Width = Callable[[str], float]


def written(ends: Ends) -> str:
    """The link in full: "gpu-001 rail1 → leaf-su1-r1 1/1"."""
    a, a_port, b, b_port = ends
    return f"{a} {a_port}{ARROW}{b} {b_port}"


def ends_of(design: Design, a: End, b: End) -> Ends:
    """Names and ports of both ends of a link, in the order of the ends."""
    return design.device(a.device_id).name, a.port, design.device(b.device_id).name, b.port


def cut(text: str, width_of: Width, room: float) -> str:
    """The text within a width: of a link both ends, of a name what tells it from its like, of a sentence its words.

    As it is where nothing shorter says anything.
    """
    if width_of(text) <= room:
        return text
    link = _LINK_NAME.fullmatch(text)
    if link is not None:
        a, a_port, b, b_port = link.groups()
        return fitted((a, a_port, b, b_port), width_of, room)
    if len(text.split()) <= MOST_WORDS:
        return fitted_name(text, width_of, room) or text
    return cut_by_words(text, width_of, room) or _first_name(text, width_of, room) or text


def _first_name(text: str, width_of: Width, room: float) -> str:
    """The name that a text begins with, "…su1-r3…" of "leaf-su1-r3 8/1, 8/2 and 2 more"; "" where that does not fit."""
    first = text.split(maxsplit=1)[0]
    short = fitted_name(first, lambda one: width_of(one + ELLIPSIS), room) if elisions(first) else ""
    return f"{short}{ELLIPSIS}" if short else ""


def fitted(ends: Ends, width_of: Width, room: float) -> str:
    """The link within a width: names elided, the longer first, ports as they are.

    Where elided names are too long, their first words go: "…srv-01", and then the ports. The result may still be wider
    than the room.
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
    return f"{a_forms[0]}{ARROW}{b_forms[0]}"


def fitted_end(name: str, ports: Sequence[str], width_of: Width, room: float) -> str:
    """A device and its ports within a width, as "…su1-r3 21/1 +3": of the forms of the ports the last one stays whole.

    Forms of the ports are tried before the name is elided, which loses its first words at last. The result may still be
    wider than the room.
    """
    whole = [f"{name} {one}".rstrip() for one in ports]
    found = next((one for one in whole if width_of(one) <= room), None)
    if found is not None:
        return found
    short = fitted_name(name, lambda one: width_of(f"{one} {ports[-1]}".rstrip()), room)
    forms = (f"{one} {ports[-1]}".rstrip() for one in ([short] if short else _last_words(name)))
    return next((one for one in forms if width_of(one) <= room), f"{_last_words(name)[-1]} {ports[-1]}".rstrip())


def fitted_way(names: Sequence[str], width_of: Width, room: float) -> list[str]:
    """The names in their order, in lines of a width: whole in two lines, else elided, the longest first.

    All names are there, in as many lines as that takes; one that is too long may be wider than the room.
    """
    forms = [_elided(name) for name in names]
    while len(lines := _wrapped([one[0] for one in forms], width_of, room)) > WAY_LINES:
        longest = max((one for one in forms if len(one) > 1), key=lambda one: len(one[0]), default=None)
        if longest is None:
            break
        longest.pop(0)
    return lines


def _wrapped(names: Sequence[str], width_of: Width, room: float) -> list[str]:
    """The names with arrows between them, each line as full as it may be."""
    lines = [names[0]]
    for number, name in enumerate(names[1:], 2):
        longer = f"{lines[-1]}{ARROW}{name}"
        if width_of(longer + (ARROW.rstrip() if number < len(names) else "")) <= room:
            lines[-1] = longer
        else:
            lines[-1] += ARROW.rstrip()
            lines.append(name)
    return lines


def _elided(name: str) -> list[str]:
    return [name, *elisions(name)]


def _last_words(name: str) -> list[str]:
    """The shortest elision, and what is left of it without first words, down to the last two words."""
    shortest, words = _elided(name)[-1], _WORD_ENDS.split(name)
    tails = (ELLIPSIS + "".join(words[first:]) for first in range(2, len(words) - 2, 2))
    return [shortest, *(one for one in tails if len(one) < len(shortest))]


class CutDelegate(QStyledItemDelegate):
    """Cuts the texts of cells to their columns, so that they stay apart, and shows them whole in the tooltip."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        """Cut the text to the width of the column."""
        super().initStyleOption(option, index)
        room = option.rect.width() - INSET_PX
        if option.features & QStyleOptionViewItem.ViewItemFeature.HasDecoration:
            room -= option.decorationSize.width() + AFTER_DECORATION_PX
        if room > 0:
            option.text = self.cut(index, option.text, option.fontMetrics.horizontalAdvance, room)

    def cut(self, index: QModelIndex | QPersistentModelIndex, text: str, width_of: Width, room: float) -> str:
        """The text as it is written in a column of that width."""
        return cut(text, width_of, room)

    def helpEvent(
        self,
        event: QHelpEvent,
        view: QAbstractItemView,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> bool:
        """Show the whole text of a cell that is cut, before what else its tooltip says."""
        whole = str(index.data() or "")
        seen = QStyleOptionViewItem(option)
        self.initStyleOption(seen, index)
        is_cut = seen.text != self.displayText(index.data(), seen.locale) or (
            seen.fontMetrics.horizontalAdvance(seen.text) > option.rect.width() - INSET_PX
        )
        tip = str(index.data(Qt.ItemDataRole.ToolTipRole) or "")
        if not is_cut or not whole or plain_text(whole) in tip:
            return super().helpEvent(event, view, option, index)
        QToolTip.showText(event.globalPos(), plain_text(f"{whole}\n{tip}" if tip else whole), view)
        return True


class LinesDelegate(CutDelegate):
    """Leaves air around cells of several lines, so that rows can be distinguished."""

    def cut(self, index: QModelIndex | QPersistentModelIndex, text: str, width_of: Width, room: float) -> str:
        """Each line as it is written in a column of that width."""
        return LINE.join(cut(line, width_of, room) for line in text.split(LINE))

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """The size of a cell, with air around texts of several lines."""
        hint = super().sizeHint(option, index)
        return hint + QSize(0, AIR_PX) if "\n" in str(index.data()) else hint


class WayDelegate(LinesDelegate):
    """Writes the names that ENDS_ROLE holds in as many lines as the column needs, and below them the rest of the text.

    Rows of its view are not of one height, and are laid out again where the column becomes wider or narrower.
    """

    def cut(self, index: QModelIndex | QPersistentModelIndex, text: str, width_of: Width, room: float) -> str:
        """The names wrapped to the width of the column."""
        names, (_, *rest) = index.data(ENDS_ROLE), text.split(LINE)
        return LINE.join((*fitted_way(names, width_of, room), *rest)) if names else text

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """As high as its lines are in the column as it is now."""
        hint, view = super().sizeHint(option, index), option.widget
        if not isinstance(view, QTreeView):
            return hint
        text = str(index.data()).replace("\n", LINE)
        room = view.columnWidth(index.column()) - INSET_PX
        n_lines = 1 + self.cut(index, text, option.fontMetrics.horizontalAdvance, room).count(LINE)
        return QSize(hint.width(), n_lines * option.fontMetrics.lineSpacing() + AIR_PX)


class WordsDelegate(WayDelegate):
    """Writes each line of a text whole, in as many lines as the column needs."""

    def cut(self, index: QModelIndex | QPersistentModelIndex, text: str, width_of: Width, room: float) -> str:
        """Each line wrapped between its words."""
        return LINE.join(part for line in text.split(LINE) for part in _in_words(line, width_of, room))


def _in_words(line: str, width_of: Width, room: float) -> list[str]:
    first, *rest = line.split(" ")
    lines = [first]
    for word in rest:
        longer = f"{lines[-1]} {word}"
        lines = [*lines[:-1], longer] if width_of(longer) <= room else [*lines, word]
    return lines


class EndsDelegate(CutDelegate):
    """Writes what ENDS_ROLE holds as wide as its column."""

    def cut(self, index: QModelIndex | QPersistentModelIndex, text: str, width_of: Width, room: float) -> str:
        """The names of both ends cut to the width of the column."""
        ends = index.data(ENDS_ROLE)
        return fitted(tuple(ends), width_of, room) if ends else super().cut(index, text, width_of, room)


class EndDelegate(CutDelegate):
    """Writes the device and the ports of a cell as wide as its column: ENDS_ROLE holds (name, forms of the ports)."""

    def cut(self, index: QModelIndex | QPersistentModelIndex, text: str, width_of: Width, room: float) -> str:
        """The name cut so that a port is still written."""
        end = index.data(ENDS_ROLE)
        if not end:
            return super().cut(index, text, width_of, room)
        name, ports = end
        return fitted_end(name, ports, width_of, room)


ENDS = Column("ends", "Link", text=written)
"""Of rows that have the `ends` of a link."""


def look_of_ends(row: Any, column: Column, role: int) -> Any:
    """What an EndsDelegate asks for."""
    return row.ends if role == ENDS_ROLE and column.key == ENDS.key else None
