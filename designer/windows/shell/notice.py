"""A note at the foot of the drawing: what was refused or went wrong, in one sentence. It never blocks."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QFontInfo
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QToolButton, QWidget

from designer.canvas.framing import enlargement
from designer.drawing.parts.legend import MARGIN_PX, WIDTH_PX
from designer.model.shown_text import in_menu
from designer.panels.widgets.appearance import Appearance
from designer.panels.widgets.labels import enlarged, label
from designer.session.timers import later

PASSING_MS = 6000
MARGIN = 16
MOST_WIDTH_PX = 760
LEGEND_ROOM_PX = round(WIDTH_PX + 2 * MARGIN_PX)


class Notice(QFrame):
    """Passing notes leave by themselves; complaints stay until closed or replaced."""

    def __init__(self, over: QWidget, appearance: Appearance) -> None:
        super().__init__(over)
        self._over = over
        self._appearance = appearance
        self._tone = "info"
        self._stop: Callable[[], None] | None = None
        self._is_of_edit = False
        self.setProperty("surface", "notice")
        self.setObjectName("notice")
        self._icon = label()
        self.text = label("", wrap=True)
        self._do = QPushButton()
        self._do.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._do.clicked.connect(self._accept)
        self._offered: Callable[[], object] | None = None
        self._close = QToolButton()
        self._close.setProperty("kind", "quiet")
        self._close.clicked.connect(self._dismiss)
        self._line = line = QHBoxLayout(self)
        line.setContentsMargins(12, 8, 6, 8)
        line.setSpacing(10)
        line.addWidget(self._icon)
        line.addWidget(self.text, 1)
        line.addWidget(self._do)
        line.addWidget(self._close)
        self._timer = later(self, PASSING_MS, self.hide)
        over.installEventFilter(self)
        appearance.changed.connect(self._recolour)
        self.hide()

    def say(self, text: str) -> None:
        """A passing note."""
        self._show(text, "info")
        self._timer.start()

    def say_of_edit(self, text: str) -> None:
        """A passing note about the last edit: it leaves with the next one, as what it says of undo is no longer so."""
        self.say(text)
        self._is_of_edit = True

    def forget_edit(self) -> None:
        """The design was edited: a note about the edit before goes."""
        if self._is_of_edit:
            self._is_of_edit = False
            self.hide()

    def complain(self, text: str) -> None:
        """A note that stays."""
        self._timer.stop()
        self._show(text, "error")

    def wait(self, text: str, stop: Callable[[], None]) -> None:
        """A note that stays until `done`, or until the user closes it, which calls `stop`."""
        self._timer.stop()
        self._show(text, "info")
        self._stop = stop
        self._close.setToolTip("Cancel")

    def offer(self, text: str, what: str, accept: Callable[[], object], *, tone: str = "error") -> None:
        """A note that stays, with a button that says what a click on it does; it goes with the next edit."""
        self._timer.stop()
        self._show(text, tone, what)
        self._offered, self._is_of_edit = accept, True

    def _accept(self) -> None:
        accept, self._offered = self._offered, None
        self.hide()
        if accept is not None:
            accept()

    def done(self) -> None:
        """What was waited for is over."""
        if self._stop is not None:
            self._stop = None
            self.hide()

    def _dismiss(self) -> None:
        stop, self._stop = self._stop, None
        self.hide()
        if stop is not None:
            stop()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stay at the foot of the drawing when its size changes."""
        if watched is self._over and event.type() == QEvent.Type.Resize and self.isVisible():
            self._place()
        return super().eventFilter(watched, event)

    def _show(self, text: str, tone: str, offered: str = "") -> None:
        self._tone, self._stop, self._offered = tone, None, None
        self._do.setText(in_menu(offered))
        self._do.setVisible(bool(offered))
        self._is_of_edit = False
        self._close.setToolTip("Dismiss")
        self.text.setText(text)
        self.setProperty("tone", tone)
        self.style().unpolish(self)
        self.style().polish(self)
        self._recolour()
        self.show()
        self.raise_()
        self._place()

    def _place(self) -> None:
        room = self._over.width() - 2 * MARGIN
        wanted = self.text.fontMetrics().horizontalAdvance(self.text.text()) + 110
        wanted += 0 if self._do.isHidden() else self._do.sizeHint().width() + self._line.spacing()
        width = max(200, min(wanted, room, enlarged(MOST_WIDTH_PX)))
        self.setFixedWidth(width)
        height = self._line.totalHeightForWidth(width)
        self.setFixedHeight(height)
        # Clear of the legend, which stands in the left corner, where the view is wide enough for both.
        middle, beside = (self._over.width() - width) // 2, self._over.width() - width - MARGIN
        larger = enlargement(QFontInfo(self.font()).pixelSize(), self._over.width(), self._over.height())
        legend = round(LEGEND_ROOM_PX * larger)
        clear = legend if beside >= legend else 0
        self.move(max(middle, clear), self._over.height() - height - MARGIN)

    def _recolour(self) -> None:
        name = "error" if self._tone == "error" else "info"
        self._icon.setPixmap(self._appearance.pixmap(name, 20, name))
        self._close.setIcon(self._appearance.icon("close", "muted"))
