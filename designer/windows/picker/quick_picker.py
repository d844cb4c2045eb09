"""A line to type in and a list under it, over the window: the command palette, and finding a device by name."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QIcon, QKeyEvent
from PySide6.QtWidgets import QFrame, QLabel, QLineEdit, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from designer.panels.widgets.labels import label
from designer.panels.widgets.rows import DETAIL_ROLE, DetailDelegate
from designer.windows.picker.fuzzy import score_with

WIDTH = 560
TOP = 64
MOST_ROWS = 60
VISIBLE_ROWS = 12
ROW_PX = 28
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


class QuickPicker(QFrame):
    """Shown over the window; Esc, a click elsewhere or a choice closes it. Nothing is blocked meanwhile."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._choices: Sequence[Choice] = ()
        self._shown: list[Choice] = []
        self._before: QWidget | None = None
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
        self._column = column = QVBoxLayout(self)
        column.setContentsMargins(8, 8, 8, 8)
        column.setSpacing(6)
        column.addWidget(self.line)
        column.addWidget(self.list)
        column.addWidget(self.nothing)
        self.hide()

    def ask(self, placeholder: str, choices: Sequence[Choice]) -> None:
        """Show the choices; the first that matches best is ready to be taken with Enter."""
        self._choices = choices
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
        if watched is self.line:
            if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
                return self._key(event)
            if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
                # Keys of the picker are not shortcuts of the window while it is open.
                if event.key() in (Qt.Key.Key_Escape, Qt.Key.Key_Return, Qt.Key.Key_Up, Qt.Key.Key_Down):
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
            self._run()
        elif event.key() in steps and self._shown:
            row = self.list.currentRow() + steps[Qt.Key(event.key())]
            self.list.setCurrentRow(max(0, min(row, len(self._shown) - 1)))
        else:
            return False
        return True

    def _filter(self, pattern: str) -> None:
        if pattern.strip():
            scored = [
                (found, number)
                for number, choice in enumerate(self._choices)
                if (found := score_with(pattern, choice.name or choice.text, choice.also)) is not None
            ]
            scored.sort(key=lambda pair: (-pair[0], pair[1]))
            self._shown = [self._choices[number] for _, number in scored[:MOST_ROWS]]
        else:
            self._shown = list(self._choices[:MOST_ROWS])
        self.list.clear()
        for choice in self._shown:
            item = QListWidgetItem(choice.icon, choice.text)
            item.setData(DETAIL_ROLE, choice.detail)
            if not choice.enabled:
                item.setFlags(Qt.ItemFlag.ItemIsSelectable)
            self.list.addItem(item)
        self.list.setVisible(bool(self._shown))
        self.nothing.setVisible(not self._shown)
        if self._shown:
            self.list.setCurrentRow(0)
        self.list.setFixedHeight(min(len(self._shown), VISIBLE_ROWS) * ROW_PX + 4)
        self._column.activate()
        self.setFixedHeight(self._column.sizeHint().height())

    def _run(self) -> None:
        row = self.list.currentRow()
        if 0 <= row < len(self._shown) and self._shown[row].enabled:
            choice = self._shown[row]
            self.close_picker()
            choice.run()

    def _place(self) -> None:
        width = min(WIDTH, self._window.width() - 40)
        self.setFixedWidth(width)
        self.move((self._window.width() - width) // 2, TOP)
