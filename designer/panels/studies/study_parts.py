"""What all studies are made of: options over a Run button, a bar of buttons, tables of figures, boxes to tick."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QCheckBox,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from designer.errors import sentence
from designer.model.shown_text import plain_text
from designer.panels.widgets.appearance import Appearance
from designer.panels.widgets.fitting import Said
from designer.panels.widgets.labels import ElidedLabel, enlarged, label
from designer.panels.widgets.progress import ShareBar
from designer.session.computation import StudyJob
from designer.tables.table import ResultTable

LEAST_OPTIONS_PX = 90
OPTIONS_WIDTH_PX = 216
CUT_OFF = "Cancelled: the design or the settings changed during the run."
STALE = "Out of date: the design or the settings have changed since the run."

ButtonRow = tuple[str, str, Callable[[], object]]
"""Its text, its tooltip, and what it does."""


class _Options(QScrollArea):
    """As high as the options in it, so that Run stands directly below them; in a low panel they scroll above it."""

    def __init__(self, options: QWidget, column: QVBoxLayout) -> None:
        """`column` lays out the options."""
        super().__init__()
        self._column = column
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.setWidget(options)

    def sizeHint(self) -> QSize:
        """As high as all options at the width there is."""
        column = self._column
        if column.hasHeightForWidth():
            return QSize(0, column.totalHeightForWidth(self.viewport().width()))
        return QSize(0, column.sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        """Some of the options."""
        return QSize(0, min(LEAST_OPTIONS_PX, self.sizeHint().height()))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow what the options need."""
        if watched is self.widget() and event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().eventFilter(watched, event)


def reported(job: StudyJob[Any, Any], current: str) -> str:
    """What state a study is in; `current` is the text for an answer that holds."""
    texts = {
        "running": "Computing …",
        "stale": f"{CUT_OFF if job.was_cut_off else STALE} Run again.",
        "current": current,
        "failed": sentence(job.error or ""),
        "idle": CUT_OFF if job.was_cut_off else "",
    }
    return texts[job.state]


class RunColumn(QWidget):
    """The left of a study: `options` to fill, which scroll; below them Run or Cancel, progress and messages."""

    run_wanted = Signal()
    cancel_wanted = Signal()

    def __init__(self, appearance: Appearance, run_text: str = "Run", width_px: int = OPTIONS_WIDTH_PX) -> None:
        super().__init__()
        self._appearance = appearance
        self._run_text = run_text
        self._running = False
        self.run = QPushButton()
        self.run.setProperty("kind", "primary")
        self.run.clicked.connect(self._run_or_cancel)
        self.progress = ShareBar()
        self.state = label("", "muted", wrap=True)
        page = QWidget()
        page.setProperty("surface", "base")
        self.options = QVBoxLayout(page)
        self.options.setContentsMargins(12, 10, 12, 10)
        self.options.setSpacing(6)
        foot = QVBoxLayout()
        foot.setContentsMargins(12, 4, 12, 8)
        foot.setSpacing(4)
        for widget in (self.run, self.progress, Said(self.state)):
            foot.addWidget(widget)
        self.setProperty("surface", "base")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._width_px = width_px
        self.setFixedWidth(enlarged(width_px))
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(_Options(page, self.options))
        whole.addLayout(foot)
        whole.addStretch(1)
        appearance.changed.connect(self._show_button)
        self.show_state(False, "")

    def _run_or_cancel(self) -> None:
        (self.cancel_wanted if self._running else self.run_wanted).emit()

    def changeEvent(self, event: QEvent) -> None:
        """Larger letters need a wider column."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.setFixedWidth(enlarged(self._width_px))

    @property
    def says_error(self) -> bool:
        """Whether the text below the options is an error."""
        return bool(self.state.property("kind") == "error")

    def show_state(self, running: bool, text: str, *, error: bool = False, whole: str = "") -> None:
        """Show a run under way or at rest, with Cancel or Run and a text.

        `whole` is what a tooltip adds to the text.
        """
        self._running = running
        self.progress.setVisible(running)
        if not running:
            self.progress.setValue(0)
        self._show_button()
        self.say(text, error=error, whole=whole)

    def say(self, text: str, *, error: bool = False, whole: str = "") -> None:
        """Say it below the button; `whole` is what a tooltip adds to it."""
        self.state.setText(text)
        self.state.setToolTip(plain_text(whole))
        self.state.setVisible(bool(text))
        self.state.setProperty("kind", "error" if error else "muted")
        self.state.style().unpolish(self.state)
        self.state.style().polish(self.state)

    def _show_button(self) -> None:
        self.run.setText("Cancel" if self._running else self._run_text)
        self.run.setIcon(self._appearance.icon("stop" if self._running else "play", "on_accent"))


class ButtonBar(QWidget):
    """A field or two at the left, buttons at the right."""

    def __init__(self, fields: Sequence[QWidget], buttons: Sequence[ButtonRow]) -> None:
        super().__init__()
        self.setProperty("surface", "base")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.buttons: dict[str, QPushButton] = {}
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 8, 8, 2)
        row.setSpacing(6)
        has_note = False
        for field in fields:
            is_note = isinstance(field, ElidedLabel)
            row.addWidget(field, 1 if is_note else 0)
            has_note = has_note or is_note
        if not has_note:
            row.addStretch(1)  # a note takes all the room there is itself
        for text, tip, act in buttons:
            button = self.buttons[text] = QPushButton(text)
            button.setToolTip(plain_text(tip))
            button.clicked.connect(lambda _checked=False, act=act: act())
            row.addWidget(button)


class FoldingBar(QWidget):
    """Two rows of buttons in one line, the second at its right end, or below each other where they do not fit."""

    def __init__(self, first: QHBoxLayout, second: QHBoxLayout) -> None:
        super().__init__()
        self.setProperty("surface", "base")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._halves = first, second
        self._line = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._line.setContentsMargins(8, 8, 8, 2)
        self._line.setSpacing(6)
        for half in self._halves:
            half.setSpacing(6)
            self._line.addLayout(half)
        first.addStretch(1)
        second.insertStretch(0, 1)

    def _room(self, widths: Iterable[int]) -> int:
        margins = self._line.contentsMargins()
        return sum(widths) + margins.left() + margins.right()

    def minimumSizeHint(self) -> QSize:
        """As wide as its wider half, as they can stand below each other."""
        widest = max(half.minimumSize().width() for half in self._halves)
        return QSize(self._room([widest]), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put both halves in one line where they fit, else below each other."""
        fits = self._room(half.sizeHint().width() + self._line.spacing() for half in self._halves) <= self.width()
        direction = QBoxLayout.Direction.LeftToRight if fits else QBoxLayout.Direction.TopToBottom
        self._line.setDirection(direction)
        super().resizeEvent(event)


class Ticks(QWidget):
    """Boxes to tick, each with its explanation as a tooltip."""

    def __init__(self, name: str, changed: object) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._changed = changed
        self.boxes: dict[str, QCheckBox] = {}
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(4)

    def offer(self, choices: Sequence[tuple[str, str, str]]) -> None:
        """(name, title, explanation) of each box; those ticked before stay so."""
        if list(self.boxes) == [name for name, *_ in choices]:
            return
        kept = set(self.ticked)
        for box in self.boxes.values():
            box.hide()
            box.deleteLater()
        self.boxes = {}
        for name, title, explanation in choices:
            box = self.boxes[name] = QCheckBox(title)
            box.setToolTip(plain_text(explanation))
            box.setChecked(name in kept)
            box.toggled.connect(self._changed)
            self._column.addWidget(box)

    @property
    def ticked(self) -> list[str]:
        """The names that are ticked, in the order of the boxes."""
        return [name for name, box in self.boxes.items() if box.isChecked()]

    def tick(self, names: Sequence[str]) -> None:
        """Tick the boxes of these names and clear all others."""
        for name, box in self.boxes.items():
            box.setChecked(name in names)


def copy(table: ResultTable) -> None:
    """Put a table of results on the clipboard, its cells separated by tabs."""
    QGuiApplication.clipboard().setText(table.tabbed())


def csv_writer(table: ResultTable) -> Callable[[Path], object]:
    """What writes the table, as it is now, into a file."""
    text = table.csv()
    return lambda path: Path(path).write_text(text, "utf-8", newline="")
