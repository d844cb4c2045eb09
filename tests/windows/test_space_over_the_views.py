"""Space pans the view under the mouse although the findings have the keyboard; the Pan Tool pans every view."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from designer.model.wiring import connect_devices

pytestmark = pytest.mark.own_window

LEFT, NO_KEYS, SPACE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, Qt.Key.Key_Space


@pytest.mark.parametrize("name", ["canvas", "floor", "elevation"])
def test_space_over_a_view_pans_it_while_the_findings_have_the_keyboard(window, add, qtbot, name):
    add("nvidia-qm9700")
    add("nvidia-qm9700")
    window.session.push(connect_devices(window.session.design, *window.session.design.devices))
    window.show()
    window.activateWindow()
    qtbot.waitExposed(window)
    view = getattr(window.views, name)
    window.views.show_view(view)
    table = window.docks.findings.table
    qtbot.waitUntil(lambda: table.model().rowCount() > 0)
    window.docks.show("findings")
    qtbot.waitUntil(table.isVisible)
    table.setFocus()
    qtbot.waitUntil(lambda: QApplication.focusWidget() is table)
    window.session.select(())
    before = view.camera
    for spot in (QPoint(110, 100), QPoint(100, 100)):
        QTest.mouseMove(view, spot)
    QTest.keyPress(table, SPACE)
    QTest.mousePress(view, LEFT, NO_KEYS, QPoint(100, 100))
    QTest.mouseMove(view, QPoint(160, 130))
    QTest.mouseRelease(view, LEFT, NO_KEYS, QPoint(160, 130))
    QTest.keyRelease(QApplication.focusWidget(), SPACE)
    assert view.camera == before.moved(60.0, 30.0)
    assert not window.session.selection and view.cursor().shape() is Qt.CursorShape.ArrowCursor


@pytest.mark.parametrize("name", ["canvas", "floor", "elevation"])
def test_the_pan_tool_pans_every_view(window, name):
    view = getattr(window.views, name)
    window.views.show_view(view)
    window.actions_table.trigger("tool.pan")
    assert view.tool == "pan" and view.cursor().shape() is Qt.CursorShape.OpenHandCursor
    window.actions_table.trigger("tool.connect")
    assert view.tool == ("connect" if name == "canvas" else "select")
