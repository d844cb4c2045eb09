"""Space pans what the mouse is over, also while a list or button has the keyboard, unless it is in use there."""

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QPushButton,
    QSpinBox,
    QWidget,
)

from designer.canvas.view import CanvasView

LEFT, NO_KEYS = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
SPACE = Qt.Key.Key_Space


class Desk:
    """A canvas beside a list, a line and a button, in a window that is active."""

    def __init__(self, session, qtbot):
        self.window, self.view = QWidget(), CanvasView(session)
        self.list, self.line, self.button = QListWidget(), QLineEdit(), QPushButton("Run")
        self.number, self.named = QSpinBox(), QComboBox()
        self.named.setEditable(True)
        row = QHBoxLayout(self.window)
        for widget in (self.view, self.list, self.line, self.button, self.number, self.named):
            row.addWidget(widget)
        self.list.setSelectionMode(QListWidget.SelectionMode.MultiSelection)
        self.list.addItems(["leaf-01", "leaf-02"])
        self.list.setCurrentRow(0)
        self.list.clearSelection()
        self.window.resize(1200, 480)
        self.window.move(0, 510)  # not under the display's own mouse, which stands in the middle
        qtbot.addWidget(self.window)
        self.window.show()
        with qtbot.waitActive(self.window):  # else the display may take the keyboard away later
            self.window.activateWindow()
        self.focus(self.list, qtbot)

    def focus(self, widget, qtbot):
        widget.setFocus()
        qtbot.waitUntil(lambda: QApplication.focusWidget() is widget)

    def point(self, x=100, y=100):
        """Move the mouse there: sent to the view, as a window over it would keep the display's mouse from it."""
        at = QPointF(x, y)
        button, buttons = Qt.MouseButton.NoButton, Qt.MouseButton.NoButton
        event = QMouseEvent(QEvent.Type.MouseMove, at, self.view.mapToGlobal(at), button, buttons, NO_KEYS)
        QApplication.sendEvent(self.view, event)

    @property
    def pans(self) -> bool:
        return self.view.cursor().shape() is Qt.CursorShape.OpenHandCursor


@pytest.fixture
def desk(session, qtbot):
    return Desk(session, qtbot)


def test_space_pans_under_the_mouse_while_a_list_has_the_keyboard(desk):
    before = desk.view.camera
    desk.point()
    QTest.keyPress(desk.list, SPACE)
    assert desk.pans
    QTest.mousePress(desk.view, LEFT, NO_KEYS, QPoint(100, 100))
    QTest.mouseMove(desk.view, QPoint(160, 130))
    QTest.mouseRelease(desk.view, LEFT, NO_KEYS, QPoint(160, 130))
    assert desk.view.camera == before.moved(60.0, 30.0)
    assert not desk.list.selectedItems()
    QTest.keyRelease(QApplication.focusWidget(), SPACE)
    assert not desk.pans


def test_pressing_the_mouse_takes_the_keyboard_and_the_held_space_along(desk, qtbot):
    desk.point()
    QTest.keyPress(desk.list, SPACE)
    desk.focus(desk.view, qtbot)
    assert desk.pans
    QTest.keyRelease(desk.view, SPACE)
    assert not desk.pans


def test_a_held_space_is_let_go_although_the_mouse_has_left(desk):
    desk.point()
    QTest.keyPress(desk.list, SPACE)
    QApplication.sendEvent(desk.view, QEvent(QEvent.Type.Leave))
    assert desk.pans
    QTest.keyRelease(desk.list, SPACE)
    assert not desk.pans and not desk.list.selectedItems()


def test_a_list_keeps_its_space_where_the_mouse_is_elsewhere(desk):
    QTest.keyClick(desk.list, SPACE)
    assert len(desk.list.selectedItems()) == 1
    desk.point()
    QApplication.sendEvent(desk.view, QEvent(QEvent.Type.Leave))
    QTest.keyClick(desk.list, SPACE)
    assert not desk.list.selectedItems()


def test_a_list_that_is_worked_in_with_the_keyboard_keeps_its_space_wherever_the_mouse_rests(desk):
    desk.point()
    QTest.keyClick(desk.list, Qt.Key.Key_Down)
    QTest.keyClick(desk.list, SPACE)
    assert [item.text() for item in desk.list.selectedItems()] == ["leaf-02"]
    desk.point(120, 100)
    QTest.keyPress(desk.list, SPACE)
    assert desk.pans


def test_a_button_pressed_before_the_mouse_came_is_let_go_as_a_button(desk, qtbot):
    pressed = []
    desk.button.clicked.connect(lambda: pressed.append(True))
    desk.focus(desk.button, qtbot)
    QTest.keyPress(desk.button, SPACE)
    desk.point()
    QTest.keyRelease(desk.button, SPACE)
    assert pressed and not desk.pans


def test_repeats_of_a_held_key_neither_let_go_nor_reach_the_list(desk):
    desk.point()
    QTest.keyPress(desk.list, SPACE)
    for kind in (QEvent.Type.KeyRelease, QEvent.Type.KeyPress):
        QApplication.sendEvent(desk.list, QKeyEvent(kind, SPACE, Qt.KeyboardModifier.NoModifier, " ", True))
        assert desk.pans and not desk.list.selectedItems()


def test_control_and_space_stay_with_the_list(desk):
    desk.point()
    QTest.keyPress(desk.list, SPACE, Qt.KeyboardModifier.ControlModifier)
    assert not desk.pans and len(desk.list.selectedItems()) == 1


@pytest.mark.parametrize("name", ["line", "number", "named"])
def test_where_text_is_typed_space_stays(desk, qtbot, name):
    widget = getattr(desk, name)
    desk.focus(widget, qtbot)
    desk.point()
    QTest.keyPress(widget, SPACE)
    assert not desk.pans
    QTest.keyRelease(widget, SPACE)
    assert desk.line.text() == (" " if name == "line" else "")


def test_a_button_just_clicked_is_not_pressed_again_by_panning_but_one_reached_by_keyboard_is(desk, qtbot):
    pressed = []
    desk.button.clicked.connect(lambda: pressed.append(True))
    QTest.mouseClick(desk.button, LEFT)
    desk.point()
    QTest.keyPress(desk.button, SPACE)
    assert desk.pans
    QTest.keyRelease(desk.button, SPACE)
    assert len(pressed) == 1
    desk.focus(desk.line, qtbot)
    desk.focus(desk.button, qtbot)
    QTest.keyClick(desk.button, SPACE)
    assert len(pressed) == 2 and not desk.pans


def test_space_pans_where_nothing_has_the_keyboard(desk, qtbot):
    desk.list.clearFocus()
    qtbot.waitUntil(lambda: QApplication.focusWidget() is None)
    desk.point()
    QTest.keyPress(desk.window, SPACE)
    assert desk.pans


def test_when_the_keyboard_goes_elsewhere_space_is_let_go(desk, qtbot):
    desk.point()
    QTest.keyPress(desk.list, SPACE)
    assert desk.pans
    desk.focus(desk.line, qtbot)
    assert not desk.pans


@pytest.mark.parametrize("name", ["view", "list"])
def test_when_a_menu_opens_space_is_let_go(desk, qtbot, name):
    widget = getattr(desk, name)
    desk.focus(widget, qtbot)
    desk.point()
    QTest.keyPress(widget, SPACE)
    assert desk.pans
    QApplication.sendEvent(widget, QFocusEvent(QEvent.Type.FocusOut, Qt.FocusReason.PopupFocusReason))
    assert not desk.pans


def test_a_hidden_view_takes_no_space(desk):
    desk.point()
    desk.view.hide()
    QTest.keyClick(desk.list, SPACE)
    assert len(desk.list.selectedItems()) == 1


def test_a_list_that_is_deleted_is_forgotten(desk, qtbot):
    desk.point()
    desk.list.deleteLater()
    qtbot.waitUntil(lambda: QApplication.focusWidget() is not desk.list)
    desk.focus(desk.line, qtbot)
    desk.point(130, 100)
    QTest.keyPress(desk.view, SPACE)
    assert desk.pans
