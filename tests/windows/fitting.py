"""What cannot be read in a window as it stands: texts that are cut, and parts that lie outside or over each other."""

from collections.abc import Iterator
from itertools import combinations

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QComboBox,
    QHeaderView,
    QLabel,
    QLineEdit,
    QMainWindow,
    QScrollArea,
    QStackedLayout,
    QStyle,
    QStyleOptionComboBox,
    QStyleOptionFrame,
    QTabBar,
    QToolBar,
    QToolButton,
    QWidget,
)

from designer.panels.widgets.labels import ElidedLabel

SMALL = QSize(1100, 700)
SLACK_PX = 2
LEAST_LETTERS = 6


def faults(top: QWidget) -> list[str]:
    """What is cut, too large or lies over something else in a window, a sentence for each."""
    found = [*_size(top)] if top.isWindow() else []
    for widget in top.findChildren(QWidget):
        if widget.window() is top.window() and widget.isVisible() and not widget.visibleRegion().isEmpty():
            found += [f"{_called(widget)}: {fault}" for fault in _faults_of(widget, top)]
    return found


def _size(top: QWidget) -> Iterator[str]:
    if top.width() > SMALL.width() or top.height() > SMALL.height():
        yield f"the window is {top.width()} x {top.height()}"


def _faults_of(widget: QWidget, top: QWidget) -> Iterator[str]:
    if isinstance(widget, QHeaderView):
        yield from _headings(widget)
    elif isinstance(widget, QTabBar):
        yield from _tabs(widget)
    elif isinstance(widget, QLabel):
        yield from _label(widget)
    elif isinstance(widget, QAbstractButton):
        if _shows_text(widget) and widget.width() + SLACK_PX < _least(widget):
            yield f"cut, {widget.width()} of {_least(widget)} px"
        if _shows_text(widget) and widget.height() + 2 * SLACK_PX < widget.fontMetrics().height():
            yield f"cut, {widget.height()} px high"
    elif isinstance(widget, QLineEdit):
        yield from _line(widget)
    elif isinstance(widget, QComboBox):
        option = QStyleOptionComboBox()
        widget.initStyleOption(option)
        control, field = QStyle.ComplexControl.CC_ComboBox, QStyle.SubControl.SC_ComboBoxEditField
        room = widget.style().subControlRect(control, option, field, widget)
        needed = widget.fontMetrics().horizontalAdvance(widget.currentText())
        if needed > room.width() + SLACK_PX:
            yield f"{widget.currentText()!r} cut, {room.width()} of {needed} px"
    if (
        isinstance(widget, QScrollArea)
        and widget.widget().layout() is not None  # not a picture
        and widget.horizontalScrollBar().maximum() > SLACK_PX
    ):
        yield f"scrolls sideways by {widget.horizontalScrollBar().maximum()} px"
    yield from _outside(widget, top)
    yield from _overlaps(widget)


def _shows_text(button: QAbstractButton) -> bool:
    if button.property("kind") == "crumb":
        return False  # it writes as much as fits by itself
    is_icon = isinstance(button, QToolButton) and button.toolButtonStyle() == Qt.ToolButtonStyle.ToolButtonIconOnly
    return bool(button.text()) and not (is_icon and not button.icon().isNull())


def _least(button: QAbstractButton) -> int:
    return max(button.minimumSizeHint().width(), button.fontMetrics().horizontalAdvance(_plain(button.text())))


def _plain(text: str) -> str:
    return text.replace("&&", "\0").replace("&", "").replace("\0", "&")


def _headings(header: QHeaderView) -> Iterator[str]:
    if header.orientation() != Qt.Orientation.Horizontal:
        return
    for number in range(header.count()):
        title = header.model().headerData(number, header.orientation())
        if header.isSectionHidden(number) or not title:
            continue
        needed, room = header.sectionSizeFromContents(number).width(), header.sectionSize(number)
        if room + SLACK_PX < needed:
            yield f"heading {title!r} cut, {room} of {needed} px"


def _tabs(bar: QTabBar) -> Iterator[str]:
    for number in range(bar.count()):
        if not bar.isTabVisible(number):
            continue
        text = _plain(bar.tabText(number))
        if bar.tabRect(number).width() < bar.fontMetrics().horizontalAdvance(text):
            yield f"tab {text!r} cut"
    last = bar.tabRect(bar.count() - 1)
    if (
        bar.count()
        and not bar.usesScrollButtons()
        and (last.right() > bar.width() + SLACK_PX or bar.tabRect(0).left() < 0)
    ):
        yield f"tabs need {sum(bar.tabRect(n).width() for n in range(bar.count()))} of {bar.width()} px"


def _label(widget: QLabel) -> Iterator[str]:
    text = widget.text()
    if not text:
        return
    if isinstance(widget, ElidedLabel):  # it gives up its tail by design, and its tooltip has the whole
        if text != widget.whole_text and len(text) < LEAST_LETTERS:
            yield f"{widget.whole_text!r} shortened to {text!r}"
        return
    room = widget.contentsRect()
    if widget.wordWrap():
        needed = widget.heightForWidth(widget.width())
        if needed > widget.height() + SLACK_PX:
            yield f"{widget.height()} of {needed} px high"
        longest = max((widget.fontMetrics().horizontalAdvance(word) for word in text.split()), default=0)
        if widget.textFormat() == Qt.TextFormat.PlainText and longest > room.width() + SLACK_PX:
            yield f"a word is {longest} px wide, of {room.width()}"
        return
    needed = widget.sizeHint()
    if needed.width() > widget.width() + SLACK_PX:
        yield f"cut, {widget.width()} of {needed.width()} px"
    if needed.height() > widget.height() + 2 * SLACK_PX:
        yield f"cut, {widget.height()} of {needed.height()} px high"


def _line(line: QLineEdit) -> Iterator[str]:
    if isinstance(line.parentWidget(), QComboBox):
        return
    option = QStyleOptionFrame()
    line.initStyleOption(option)
    room = line.style().subElementRect(QStyle.SubElement.SE_LineEditContents, option, line)
    text = "" if line.text() else line.placeholderText()
    needed = line.fontMetrics().horizontalAdvance(text)
    buttons = sum(one.width() for one in line.findChildren(QAbstractButton) if one.isVisible())
    if needed > room.width() - buttons:
        yield f"{text!r} cut, {room.width() - buttons} of {needed} px"
    if line.height() + SLACK_PX < line.fontMetrics().height():
        yield f"cut, {line.height()} px high"


def _scrolls(widget: QWidget) -> bool:
    parent = widget.parentWidget()
    while parent is not None and not parent.isWindow():
        if isinstance(parent, QAbstractScrollArea | QTabBar | QToolBar):
            return True
        parent = parent.parentWidget()
    return False


def _outside(widget: QWidget, top: QWidget) -> Iterator[str]:
    parent = widget.parentWidget()
    if parent is None or _scrolls(widget) or widget.isWindow():
        return
    here = QRect(widget.mapTo(parent, QPoint(0, 0)), widget.size())
    if not parent.rect().adjusted(-SLACK_PX, -SLACK_PX, SLACK_PX, SLACK_PX).contains(here):
        yield f"outside {_called(parent)} by {here} in {parent.rect()}"


def _overlaps(widget: QWidget) -> Iterator[str]:
    layout = widget.layout()
    if layout is None or isinstance(layout, QStackedLayout) or isinstance(widget, QMainWindow | QAbstractScrollArea):
        return
    items = [layout.itemAt(number).widget() for number in range(layout.count())]
    shown = [one for one in items if one is not None and one.isVisible()]
    for one, other in combinations(shown, 2):
        both = one.geometry().intersected(other.geometry())
        if min(both.width(), both.height()) > SLACK_PX:
            yield f"{_called(one)} lies over {_called(other)}"


def _called(widget: QWidget) -> str:
    text = getattr(widget, "text", None)
    words = str(text())[:50] if callable(text) else ""
    kind = type(widget).__name__
    return f"{kind} {words or widget.accessibleName() or widget.objectName()!r}"
