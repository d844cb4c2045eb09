"""Windows fit their screen, and what is larger than the room there is scrolls: panels, forms, bodies of dialogs."""

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QDialog,
    QFrame,
    QLabel,
    QScrollArea,
    QSizePolicy,
    QStyle,
    QVBoxLayout,
    QWidget,
)

LEAST_LINES = 3
FRAME_PX = QSize(40, 80)
"""What is left free around a window: for its frame, and to see what is behind it."""


def fitting(window: QWidget, wanted: QSize) -> QSize:
    """A size as far as the screen of the window has room for it and for a frame."""
    return wanted.boundedTo(room_for(window).size() - FRAME_PX)


def room_for(window: QWidget) -> QRect:
    """What the desktop leaves free of the screen that a window is on."""
    return window.screen().availableGeometry()


def keep_on_screen(window: QWidget) -> None:
    """Make a window that is larger than its screen smaller, and bring one that reaches over an edge back."""
    room = room_for(window)
    if window.size() != fitting(window, window.size()):
        window.resize(fitting(window, window.size()))
    frame = window.frameGeometry()
    if not room.contains(frame):
        window.move(_inside(frame, room))


def _inside(frame: QRect, room: QRect) -> QPoint:
    x = max(room.left(), min(frame.left(), room.right() + 1 - frame.width()))
    return QPoint(x, max(room.top(), min(frame.top(), room.bottom() + 1 - frame.height())))


class Scrolled(QScrollArea):
    """As high as there is room, so that the foot of its widget is always in sight; scrolls where it must."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidget(widget)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the widget the height there is."""
        self._limit_height()
        super().resizeEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow what the widget needs."""
        if watched is self.widget() and event.type() == QEvent.Type.LayoutRequest:
            self._limit_height()
            self.updateGeometry()
        return super().eventFilter(watched, event)

    def _limit_height(self) -> None:
        widget = self.widget()
        if widget is not None:
            # Else a scroll area gives a widget with wrapped texts the height it would like best.
            widget.setMaximumHeight(max(least_height(widget, self.viewport().width()), self.viewport().height()))


class Said(Scrolled):
    """A wrapped text at the foot of a column: as high as it is where there is room, else some lines that scroll."""

    def __init__(self, text: QLabel) -> None:
        super().__init__(text)
        self._text = text
        policy = text.sizePolicy()
        policy.setHeightForWidth(True)  # else it is cut rather than scrolled
        text.setSizePolicy(policy)
        for one in (text, self.viewport()):
            one.setAutoFillBackground(False)  # what it stands on goes on behind it
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def event(self, event: QEvent) -> bool:
        """Take room for another text, or the first one: a label says so to what it is in, and not to a filter."""
        if event.type() == QEvent.Type.LayoutRequest:
            self._limit_height()
            self.updateGeometry()
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """At another width the text has another height."""
        super().resizeEvent(event)
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        """As high as the text at the width there is."""
        return QSize(0, self._text.heightForWidth(self.width()) if not self._text.isHidden() else 0)

    def minimumSizeHint(self) -> QSize:
        """Some lines of the text."""
        return QSize(0, min(self.sizeHint().height(), LEAST_LINES * self.fontMetrics().lineSpacing()))


class _Body(Scrolled):
    """All of a dialog but its buttons: asks for what it needs, as far as the screen has room for it."""

    def __init__(self, widget: QWidget, foot: QWidget) -> None:
        super().__init__(widget)
        self._body, self._foot = widget, foot

    def minimumSizeHint(self) -> QSize:
        window, body = self.window(), self._body
        width = max(body.minimumSizeHint().width(), window.width())
        needed = QSize(body.minimumSizeHint().width(), least_height(body, width) + self._foot.sizeHint().height())
        if needed.height() > fitting(window, needed).height():  # it scrolls, and what scrolls has a bar
            needed.setWidth(
                needed.width() + self.style().pixelMetric(QStyle.PixelMetric.PM_ScrollBarExtent, None, self)
            )
        return fitting(window, needed) - QSize(0, self._foot.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.updateGeometry()  # wrapped texts need another height

    def sizeHint(self) -> QSize:
        return self._body.sizeHint().expandedTo(self.minimumSizeHint())


class FormColumn(QScrollArea):
    """A form that scrolls up and down, in a column of at least so many pixels and as wide as the form needs."""

    def __init__(self, form: QWidget, least_px: int) -> None:
        super().__init__()
        self._form, self._least_px = form, least_px
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidget(form)
        self._fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow what the form needs."""
        if watched is self.widget() and event.type() == QEvent.Type.LayoutRequest:
            self._fit()
        return super().eventFilter(watched, event)

    def _fit(self) -> None:
        bar = self.style().pixelMetric(QStyle.PixelMetric.PM_ScrollBarExtent, None, self)
        self.setFixedWidth(max(self._least_px, self._form.minimumSizeHint().width() + bar))


def least_height(widget: QWidget, width: int) -> int:
    """The height below which something in a widget of that width is cut."""
    layout = widget.layout()
    least = widget.minimumSizeHint().height()
    if layout is None:
        return max(least, widget.heightForWidth(width))
    if not layout.hasHeightForWidth():
        return least
    return max(least, layout.totalMinimumHeightForWidth(width))


def scroll_inside(dialog: QDialog) -> None:
    """Let all of a dialog but its last row, the buttons, scroll where its screen is too small for it."""
    whole = dialog.layout()
    if not isinstance(whole, QVBoxLayout) or whole.count() < 2:
        return
    end = whole.itemAt(whole.count() - 1)
    if end is not None and isinstance(end.widget(), QAbstractScrollArea):
        return  # there are no buttons, and a list that scrolls by itself has all the room
    margins, spacing = whole.contentsMargins(), whole.spacing()
    last = whole.takeAt(whole.count() - 1)
    body, foot = QWidget(), QWidget()
    body.setLayout(whole)
    row = QVBoxLayout(foot)
    row.setContentsMargins(margins.left(), spacing, margins.right(), margins.bottom())
    widget, layout = (last.widget(), last.layout()) if last is not None else (None, None)
    if widget is not None:
        row.addWidget(widget)
    elif layout is not None:
        row.addLayout(layout)
    whole.setContentsMargins(margins.left(), margins.top(), margins.right(), 0)
    outer = QVBoxLayout(dialog)
    outer.setContentsMargins(0, 0, 0, 0)
    outer.setSpacing(0)
    outer.addWidget(_Body(body, foot), 1)
    outer.addWidget(foot)
