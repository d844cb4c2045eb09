"""A note at the foot of the drawing: what was refused or went wrong, in one sentence. It never blocks."""

from collections.abc import Callable, Iterator, Sequence

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QToolButton, QWidget

from designer.canvas.camera_view import CameraView
from designer.model.shown_text import in_menu
from designer.panels.widgets.appearance import Appearance
from designer.panels.widgets.labels import enlarged, label
from designer.session.timers import later

PASSING_MS = 6000
MARGIN = 16
MOST_WIDTH_PX = 760
NARROWER = 0.7
"""Times as wide, in more lines, where that lets a note stand next to a legend."""
LEAST_WIDTH_PX = 200


class Notice(QFrame):
    """Passing notes leave by themselves; complaints stay until closed or replaced."""

    def __init__(self, over: QWidget, appearance: Appearance) -> None:
        super().__init__(over)
        self._over = over
        self._appearance = appearance
        self._tone = "info"
        self._stop: Callable[[], None] | None = None
        self._is_of_edit = False
        self._step = self._said_at = 0
        """Where the undo stack is, and where it was when the note that is shown was said."""
        self._holds: Callable[[], bool] | None = None
        """Whether what a note says still holds; None for one that is about no state."""
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
        """A passing note: it leaves by itself, or when what was done before it is undone."""
        self._show(text, "info")
        self._timer.start()
        self._said_at = self._step

    def take_step(self, step: int) -> None:
        """The undo stack is at that step: a passing note that was said after a later one is no longer so."""
        self._step = step
        if step < self._said_at and self._timer.isActive():
            self._timer.stop()
            self.hide()

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

    def offer(
        self,
        text: str,
        what: str,
        accept: Callable[[], object],
        *,
        tone: str = "error",
        holds: Callable[[], bool] | None = None,
    ) -> None:
        """A note that stays, with a button that says what a click on it does; it goes with the next edit.

        One about a state goes as well when that no longer `holds`, whoever has ended it: see `look`.
        """
        self._timer.stop()
        self._show(text, tone, what)
        self._offered, self._is_of_edit, self._holds = accept, True, holds

    def look(self) -> None:
        """A state may have ended: a note about it that no longer holds goes."""
        if self._holds is not None and not self._holds():
            self._holds = None
            self.hide()

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
        """Stay at the foot of the drawing when its size changes, also while another tab is seen."""
        if watched is self._over and event.type() == QEvent.Type.Resize and not self.isHidden():
            self._place()
        return super().eventFilter(watched, event)

    def _show(self, text: str, tone: str, offered: str = "") -> None:
        self._tone, self._stop, self._offered = tone, None, None
        self._do.setText(in_menu(offered))
        self._do.setVisible(bool(offered))
        self._is_of_edit, self._holds = False, None
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
        """At the foot of the drawing, clear of legends: next to them, in more lines or above them."""
        room = self._over.size()
        most = room.width() - 2 * MARGIN
        wanted = self.text.fontMetrics().horizontalAdvance(self.text.text()) + 110
        wanted += 0 if self._do.isHidden() else self._do.sizeHint().width() + self._line.spacing()
        width = max(LEAST_WIDTH_PX, min(wanted, most, enlarged(MOST_WIDTH_PX)))
        narrow = max(LEAST_WIDTH_PX, round(NARROWER * width))
        plates = list(self._plates())
        shapes = [QRect(0, 0, one, self._line.totalHeightForWidth(one)) for one in (width, narrow)]
        at_foot, above = (
            [(shape, spot) for shape in shapes for spot in spots(shape, room.width(), room.height(), plates)]
            for spots in (_at_foot, _above)
        )
        place = shapes[0].translated((room.width() - width) // 2, room.height() - shapes[0].height() - MARGIN)
        for shape, spot in (*at_foot, *above):
            if not any(shape.translated(spot).intersects(one) for one in plates):
                place = shape.translated(spot)
                break
        self.setFixedSize(place.size())
        self.move(place.topLeft())

    def _plates(self) -> Iterator[QRect]:
        """Legends and all else that lies over the views that are seen."""
        for view in self._over.findChildren(CameraView):
            if view.isVisibleTo(self._over):
                at = view.mapTo(self._over, QPoint())
                for left, top, right, foot in view.subject.taken_px(view.sight):
                    rect = view.on_widget(QRectF(left, top, right - left, foot - top))
                    yield rect.toAlignedRect().translated(at)

    def _recolour(self) -> None:
        name = "error" if self._tone == "error" else "info"
        self._icon.setPixmap(self._appearance.pixmap(name, 20, name))
        self._close.setIcon(self._appearance.icon("close", "muted"))


def _at_foot(note: QRect, width: int, height: int, plates: Sequence[QRect]) -> list[QPoint]:
    """Places for a note at the foot of a room of that size: in the middle, then next to plates."""
    return _across(note, width, height - note.height() - MARGIN, plates)


def _above(note: QRect, width: int, height: int, plates: Sequence[QRect]) -> list[QPoint]:
    """Places for a note above plates in the lower half of a room of that size, the lowest first."""
    tops = {one.top() - note.height() - MARGIN for one in plates if 2 * one.top() > height}
    return [spot for top in sorted(tops, reverse=True) for spot in _across(note, width, top, plates)]


def _across(note: QRect, width: int, top: int, plates: Sequence[QRect]) -> list[QPoint]:
    middle, last = (width - note.width()) // 2, width - note.width() - MARGIN
    beside = (left for one in plates for left in (one.right() + MARGIN, one.left() - note.width() - MARGIN))
    lefts = {left for left in beside if MARGIN <= left <= last} | {middle}
    return [QPoint(left, top) for left in sorted(lefts, key=lambda left: (abs(left - middle), left))]
