"""A long choice under headings, that one finds by typing a part of it."""

from collections.abc import Callable, Sequence
from typing import cast

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QStandardItemModel
from PySide6.QtWidgets import QComboBox, QCompleter

from designer.panels.widgets.fields import ChoiceField
from designer.panels.widgets.labels import mark_refused
from designer.units import format_counted

HEADING = ""
"""The value of a heading, which nobody can choose."""
MOST_SEEN = 18

Section = tuple[str, Sequence[tuple[str, str]]]


class SearchField(ChoiceField):
    """A choice of (value, text) pairs under headings; `chosen` is called for choices of the user alone.

    `refused` says why what was typed is none. `entered` follows a choice, and Esc: the keyboard is free again.
    """

    refused = Signal(str)
    entered = Signal()

    def __init__(self, name: str, chosen: Callable[[str], None]) -> None:
        super().__init__(name, lambda value: self._take(value, chosen))
        self.setEditable(True)
        self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.setMaxVisibleItems(MOST_SEEN)
        self.setStyleSheet("combobox-popup: 0;")  # else the list takes the height of the screen
        completer = QCompleter(self.model(), self)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setCompletionMode(QCompleter.CompletionMode.PopupCompletion)
        completer.setMaxVisibleItems(MOST_SEEN)
        self.setCompleter(completer)
        completer.activated.connect(lambda _text: QTimer.singleShot(0, self, self.entered.emit))
        self._completer = completer
        self._shown = ""
        line = self.lineEdit()
        if line is not None:
            line.returnPressed.connect(self._finish)
            line.textEdited.connect(lambda: mark_refused(line, False))

    def show_sections(self, sections: Sequence[Section], value: str, first: Sequence[tuple[str, str]] = ()) -> None:
        """Offer these, each under its heading after those that have none, with `value` chosen."""
        self._shown = value
        listed = [*first, *(pair for title, choices in sections for pair in ((HEADING, title), *choices))]
        before = list(self._choices)
        self.show_choices(listed, value)
        if self._choices != before:
            model = cast(QStandardItemModel, self.model())
            for row, (known, _) in enumerate(self._choices):
                if known == HEADING:
                    item = model.item(row)
                    item.setFlags(Qt.ItemFlag.NoItemFlags)
                    font = item.font()
                    font.setBold(True)
                    item.setFont(font)
        self._show_beginning()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Select all of the text at a click too: what is typed then takes its place."""
        super().focusInEvent(event)
        line = self.lineEdit()
        if line is not None and event.reason() is Qt.FocusReason.MouseFocusReason:
            QTimer.singleShot(0, line, line.selectAll)  # the press itself puts the cursor somewhere

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Show the choice again, where what was typed was none."""
        super().focusOutEvent(event)
        self._show_again()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc shows the choice again and frees the keyboard, where no list is open."""
        if event.key() == Qt.Key.Key_Escape:
            self._show_again()
            self.entered.emit()
            event.accept()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            event.ignore()  # the line has chosen, or an open list will
        else:
            super().keyPressEvent(event)

    def hidePopup(self) -> None:
        """Close the list of all choices; the keyboard is free then."""
        was_open = self.view().isVisible()
        super().hidePopup()
        if was_open:
            QTimer.singleShot(0, self, self.entered.emit)

    def _take(self, value: str, chosen: Callable[[str], None]) -> None:
        if value == HEADING:
            self._show_again()
        else:
            self._shown = value
            chosen(value)
            QTimer.singleShot(0, self, self._show_again)  # the completer writes what was picked, taken or not

    def _finish(self) -> None:
        """Choose what was typed where it names one choice; else say why not, and show the choice again."""
        popup = self._completer.popup()
        if popup is not None and popup.isVisible() and popup.currentIndex().isValid():
            return  # which chooses that
        typed = self.currentText().strip()
        text = typed.lower()
        rows = [row for row, (value, _) in enumerate(self._choices) if value != HEADING]
        named = [row for row in rows if text in (self._choices[row][0].lower(), _name(self._choices[row][1]).lower())]
        found = named or [row for row in rows if text and text in self._choices[row][1].lower()]
        if len(found) == 1:
            if self._choices[found[0]][0] != self._shown:
                self.setCurrentIndex(found[0])
                self.activated.emit(found[0])
            self.entered.emit()
            return
        self.refused.emit(_reason(self.accessibleName().lower(), typed, len(found)))
        self._show_again()
        line = self.lineEdit()
        if line is not None:
            mark_refused(line, True)
            line.selectAll()

    def _show_beginning(self) -> None:
        line = self.lineEdit()
        if line is not None:
            line.setCursorPosition(0)

    def _show_again(self) -> None:
        values = [known for known, _ in self._choices]
        if self._shown in values:
            index = values.index(self._shown)
            self.setCurrentIndex(index)
            self.setEditText(self.itemText(index))
            self._show_beginning()
            line = self.lineEdit()
            if line is not None:
                mark_refused(line, False)


def _reason(word: str, text: str, n_found: int) -> str:
    """Why a text chooses nothing, and what would."""
    if n_found:
        return f"{format_counted(n_found, word)} fit “{text}”: type more of the name, or choose from the list."
    return f"No {word} fits “{text}”: type a part of a name or figure, or choose from the list."


def _name(text: str) -> str:
    """The name in a choice that says more behind it."""
    return text.partition("·")[0].strip()
