"""A line to type in and a list under it, over the window: the command palette, and finding a device by name."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from PySide6.QtCore import QEvent, QObject, QSize, Qt, QTimer
from PySide6.QtGui import QIcon, QKeyEvent
from PySide6.QtWidgets import QFrame, QLabel, QLineEdit, QListWidget, QListWidgetItem, QVBoxLayout, QWidget
from shiboken6 import isValid

from designer.analysis.selecting.fuzzy import PREFIX, keywords_found, score_with
from designer.model.shown_text import visible_line
from designer.panels.widgets.labels import label, set_kind
from designer.panels.widgets.rows import DETAIL_ROLE, DetailDelegate
from designer.units import format_count, shortened

WIDTH = 560
TOP = 64
_WITH_ALL = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier
MOST_ROWS = 60
VISIBLE_ROWS = 12
ROW_PX = 28
FORGIVES_MS = 1000
"""An Esc within this time after a choice was meant for the picker."""
DIM_ROLE = int(Qt.ItemDataRole.UserRole) + 2


@dataclass(frozen=True, slots=True)
class Choice:
    """One row to pick. `enabled` False shows it, so that it can be found, but does not run it."""

    text: str
    detail: str
    run: Callable[[], None]
    icon: QIcon = field(default_factory=QIcon)
    enabled: bool = True
    also: str = ""
    """More words to find it by."""
    name: str = ""
    """What it is found by, where not all of its text counts."""
    entity_id: str = ""
    """The thing of the design that it stands for."""
    fills: str = ""
    """What the line becomes when it is picked, in place of running it."""
    order: int = 0
    """Which comes first of those whose names match in the same rank: that with the least."""
    clues: tuple[tuple[str, str], ...] = ()
    """Words to find it by, each with what it is: one that was meant is shown, as in "tag: spare"."""

    @property
    def words(self) -> str:
        """All words to find it by but its name."""
        return " ".join((self.also, *(text for _, text in self.clues)))

    def detail_for(self, pattern: str) -> str:
        """Its detail, after the clues by which the pattern found it."""
        found = keywords_found(pattern, self.name or self.text, [text for _, text in self.clues])
        clues = [f"{what}: {shortened(visible_line(text))}" for what, text in (self.clues[one] for one in found)]
        return " · ".join((*clues, *filter(None, (self.detail,))))


@dataclass(frozen=True, slots=True)
class Answer:
    """What a text gives that is typed: rows, and a note above them; `is_refused` says that the note is a fault.

    Where it `is_empty`, the note is all there is to say, and no row is ready to be taken.
    """

    note: str
    choices: Sequence[Choice]
    is_refused: bool = False
    is_empty: bool = False


class QuickPicker(QFrame):
    """Shown over the window; Esc, a click elsewhere or a choice closes it. Nothing is blocked meanwhile."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._choices: Sequence[Choice] = ()
        self._shown: list[Choice] = []
        self._hits: list[Choice] = []
        self._answer: Callable[[str], Answer] | None = None
        self._take_all: Callable[[list[Choice]], None] | None = None
        self._read: Callable[[str], tuple[str, Sequence[Choice]]] = lambda text: (text, ())
        self._before: QWidget | None = None
        self._forgiving: QWidget | None = None
        self._forgives = QTimer(self, singleShot=True, interval=FORGIVES_MS)
        self._forgives.timeout.connect(lambda: self._forgive_escape_in(None))
        """What has the keyboard since something was picked: until the next key or click, an Esc there is ignored."""
        self.setProperty("surface", "card")
        self.setObjectName("quick-picker")
        self.line = QLineEdit()
        self.line.textChanged.connect(self._filter)
        self.line.installEventFilter(self)
        self.list = QListWidget()
        self.list.setItemDelegate(DetailDelegate(self.list, ROW_PX))
        self.list.setIconSize(QSize(18, 18))
        self.list.setUniformItemSizes(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.itemClicked.connect(lambda _item: self._run())
        self.nothing: QLabel = label("No matches.", "muted")
        self.nothing.setContentsMargins(8, 4, 8, 4)
        self.note: QLabel = label("", "muted", wrap=True)
        self.note.setContentsMargins(8, 0, 8, 0)
        self._column = column = QVBoxLayout(self)
        column.setContentsMargins(8, 8, 8, 8)
        column.setSpacing(6)
        column.addWidget(self.line)
        column.addWidget(self.note)
        column.addWidget(self.list)
        column.addWidget(self.nothing)
        self.hide()

    def ask(
        self,
        placeholder: str,
        choices: Sequence[Choice],
        *,
        answer: Callable[[str], Answer] | None = None,
        take_all: Callable[[list[Choice]], None] | None = None,
        read: Callable[[str], tuple[str, Sequence[Choice]] | None] = lambda _text: None,
    ) -> None:
        """Show the choices; the first that matches best is ready to be taken with Enter.

        With `answer` the rows are its own for what is typed. `take_all` gets all that match at Ctrl+Enter or Alt+Enter.
        `read` says of a text that asks for something else what to search for, and among which choices.
        """
        self._choices, self._answer, self._take_all = choices, answer, take_all
        self._read = lambda text: read(text) or (text, choices)
        self._before = self.window().focusWidget()
        self.line.setPlaceholderText(placeholder)
        self.line.clear()
        self._filter("")
        self._place()
        self.show()
        self.raise_()
        self.line.setFocus(Qt.FocusReason.PopupFocusReason)

    def close_picker(self) -> None:
        """Hide the picker and give the keyboard back to what had it before."""
        if self.isVisible():
            self.hide()
            if self._before is not None and self._before.isVisible():
                self._before.setFocus(Qt.FocusReason.OtherFocusReason)

    # -- typing ---------------------------------------------------------------------------------------------------

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Step through the list, choose or close by keys of the line; hide where the line loses the focus."""
        if watched is self._forgiving and event.type() in (
            QEvent.Type.KeyPress,
            QEvent.Type.MouseButtonPress,
            QEvent.Type.FocusOut,
        ):
            self._forgive_escape_in(None)
            return isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape
        if watched is self.line:
            if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
                return self._key(event)
            if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
                # Keys of the picker are not shortcuts of the window while it is open.
                if event.key() in (
                    Qt.Key.Key_Tab,
                    Qt.Key.Key_Escape,
                    Qt.Key.Key_Return,
                    Qt.Key.Key_Up,
                    Qt.Key.Key_Down,
                ):
                    event.accept()
                    return True
            elif event.type() == QEvent.Type.FocusOut and self.isVisible():
                self.hide()
        return super().eventFilter(watched, event)

    def _key(self, event: QKeyEvent) -> bool:
        steps = {
            Qt.Key.Key_Down: 1,
            Qt.Key.Key_Up: -1,
            Qt.Key.Key_PageDown: VISIBLE_ROWS,
            Qt.Key.Key_PageUp: -VISIBLE_ROWS,
        }
        if event.key() == Qt.Key.Key_Escape:
            self.close_picker()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if self._take_all is not None and event.modifiers() & _WITH_ALL:
                self._run_all(self._take_all)
            else:
                self._run()
        elif event.key() == Qt.Key.Key_Tab:
            self._complete()
        elif event.key() in steps and self._shown:
            row = self.list.currentRow() + steps[Qt.Key(event.key())]
            self.list.setCurrentRow(max(0, min(row, len(self._shown) - 1)))
        else:
            return False
        return True

    def _filter(self, pattern: str) -> None:
        if self._answer is not None:
            answer = self._answer(pattern)
            self._hits, is_ready = list(answer.choices), not answer.is_empty
            self._say(answer.note, "error" if answer.is_refused else "muted")
        else:
            self._hits, is_ready = self._matching(pattern), True
            n_hits = len(self._literal(pattern)) if self._take_all is not None else 0
            self._say(f"Enter goes to it, Ctrl+Enter selects all {format_count(n_hits)}." if n_hits > 1 else "")
        self._shown = self._hits[:MOST_ROWS]
        self._show_rows(self._read(pattern)[0])
        self.list.setCurrentRow(0 if self._shown and is_ready else -1)

    def _matching(self, pattern: str) -> list[Choice]:
        """The choices that a pattern matches, the best first; all of them without one.

        Of those whose names begin with it, and of others that match alike, those that can be run are first.
        """
        pattern, choices = self._read(pattern)
        if not pattern.strip():
            return list(choices)
        scored = [
            (-min(found.rank, PREFIX), not choice.enabled, -found.rank, choice.order, -found.points, number)
            for number, choice in enumerate(choices)
            if (found := score_with(pattern, choice.name or choice.text, choice.words)) is not None
        ]
        return [choices[number] for *_, number in sorted(scored)]

    def _literal(self, pattern: str) -> list[Choice]:
        """Of the matches those that have every word as it is typed; all of them where none has."""
        words = pattern.lower().split()
        texts = (f"{one.name or one.text} {one.words}".lower() for one in self._hits)
        found = [one for one, text in zip(self._hits, texts, strict=True) if all(word in text for word in words)]
        return found or self._hits

    def _say(self, note: str, kind: str = "muted") -> None:
        """Show a note under the line; none where there is nothing to say."""
        self.note.setText(note)
        self.note.setVisible(bool(note))
        set_kind(self.note, kind)

    def _show_rows(self, pattern: str) -> None:
        self.list.clear()
        for choice in self._shown:
            item = QListWidgetItem(choice.icon, choice.text)
            item.setData(DETAIL_ROLE, choice.detail_for(pattern))
            if not choice.enabled:
                item.setFlags(Qt.ItemFlag.ItemIsSelectable)
            self.list.addItem(item)
        self.list.setVisible(bool(self._shown))
        self.nothing.setVisible(not self._shown and not self.note.text())
        self.list.setFixedHeight(min(len(self._shown), VISIBLE_ROWS) * ROW_PX + 4)
        self._column.activate()
        self.setFixedHeight(self._column.sizeHint().height())

    def _run(self) -> None:
        row = self.list.currentRow()
        if 0 <= row < len(self._shown) and self._shown[row].enabled:
            choice = self._shown[row]
            if choice.fills:
                self.line.setText(choice.fills)
                return
            self.close_picker()
            choice.run()
            self._expect_escape()

    def _expect_escape(self) -> None:
        """An Esc that comes right after was to close the picker: it takes back nothing of what was picked.

        Where what was picked asks in the picker itself, Esc closes that.
        """
        if not self.isVisible():
            self._forgive_escape_in(self.window().focusWidget())

    def _forgive_escape_in(self, widget: QWidget | None) -> None:
        if self._forgiving is not None and isValid(self._forgiving):
            self._forgiving.removeEventFilter(self)
        self._forgiving = widget
        if widget is not None:
            widget.installEventFilter(self)
            self._forgives.start()

    def _run_all(self, take_all: Callable[[list[Choice]], None]) -> None:
        hits = self._literal(self.line.text())
        if hits:
            self.close_picker()
            take_all(hits)

    def _complete(self) -> None:
        """Put the row that is chosen into the line, or the first that can be."""
        row = max(self.list.currentRow(), 0)
        choice = next((one for one in self._shown[row:] if one.fills), None)
        if choice is not None:
            self.line.setText(choice.fills)

    def _place(self) -> None:
        width = min(WIDTH, self._window.width() - 40)
        self.setFixedWidth(width)
        self.move((self._window.width() - width) // 2, TOP)
