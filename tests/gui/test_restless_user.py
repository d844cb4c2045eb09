"""A restless user: random commands, drags, drops, keys and fixes; nothing breaks, and undo and redo are exact."""

import math
import random

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QTimer
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDragMoveEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from designer.canvas import backing
from designer.canvas.dropping import MIME_TYPE
from designer.drawing.composition import Composition
from designer.storage import document
from designer.windows.shell.main_window import ACTIONS, MainWindow

STEPS = 350
LEFT = Qt.MouseButton.LeftButton
KEYS = (Qt.Key.Key_Left, Qt.Key.Key_Down, Qt.Key.Key_Delete, Qt.Key.Key_Escape, Qt.Key.Key_Space)
NOT_PRESSED = ("file.quit", "view.full_screen", "view.presentation", "file.new", "file.open")
"""Those that leave the design behind, whose undo would then end with it."""


class RestlessUser:
    def __init__(self, window: MainWindow, seed: int) -> None:
        self.window, self.session, self.canvas = window, window.session, window.views.canvas
        self.random = random.Random(seed)
        self.types = sorted(window.session.catalog.types)
        self.commands = [row.id for row in ACTIONS if row.id not in NOT_PRESSED]

    def act(self) -> str:
        deeds = (self.press, self.drag, self.drag, self.drop, self.drop, self.click, self.choose, self.mend, self.type)
        deed = self.random.choice(deeds)
        deed()
        for widget in QApplication.topLevelWidgets():
            if widget is not self.window and widget.isVisible():
                widget.close()
        return deed.__name__

    def keys(self) -> Qt.KeyboardModifier:
        held = Qt.KeyboardModifier
        return self.random.choice(
            [held.NoModifier, held.NoModifier, held.ShiftModifier, held.ControlModifier, held.AltModifier]
        )

    def point(self) -> QPoint:
        return QPoint(self.random.randrange(self.canvas.width()), self.random.randrange(self.canvas.height()))

    def press(self) -> None:
        self.window.actions_table.trigger(self.random.choice(self.commands))

    def drag(self) -> None:
        devices = sorted(self.session.design.devices)
        spots = [self.canvas.box_px(one) for one in self.random.sample(devices, min(2, len(devices)))]
        start, end = ([box.center().toPoint() for box in spots if box is not None] + [self.point(), self.point()])[:2]
        keys = self.keys()
        QTest.mousePress(self.canvas, LEFT, keys, start)
        for share in (1, 2, 3, 4):
            QTest.mouseMove(self.canvas, start + (end - start) * share / 4)
        if self.random.random() < 0.1:
            QTest.keyClick(self.canvas, Qt.Key.Key_Escape)
        if self.random.random() < 0.1:
            self.window.actions_table.trigger("edit.undo")
        QTest.mouseRelease(self.canvas, LEFT, keys, end)

    def drop(self) -> None:
        data, at = QMimeData(), self.point()
        data.setData(MIME_TYPE, self.random.choice(self.types).encode())
        copy, none = Qt.DropAction.CopyAction, Qt.KeyboardModifier.NoModifier
        self.canvas.dragEnterEvent(QDragEnterEvent(at, copy, data, LEFT, none))
        self.canvas.dragMoveEvent(QDragMoveEvent(at, copy, data, LEFT, none))
        if self.random.random() < 0.1:
            self.canvas.dragLeaveEvent(QDragLeaveEvent())
        else:
            self.canvas.dropEvent(QDropEvent(QPointF(at), copy, data, LEFT, none))

    def click(self) -> None:
        QTest.mouseClick(self.canvas, LEFT, self.keys(), self.point())

    def choose(self) -> None:
        devices = sorted(self.session.design.devices)
        self.session.select(self.random.sample(devices, min(len(devices), self.random.randrange(1, 6))))

    def mend(self) -> None:
        report = self.session.workbench.validation.report if self.session.workbench.validation.is_current else None
        fixes = [finding.fix for finding in report.findings if finding.fix is not None] if report is not None else []
        if fixes:
            fix = self.random.choice(fixes)
            self.session.attempt(lambda: fix)

    def type(self) -> None:
        QTest.keyClick(self.canvas, self.random.choice(KEYS), self.keys())


@pytest.mark.parametrize("seed", [1, 2])
def test_whatever_a_restless_user_does_nothing_breaks_and_undo_is_exact(
    window: MainWindow, seed: int, qtbot, monkeypatch: pytest.MonkeyPatch
):
    session, user = window.session, RestlessUser(window, seed)

    def close_what_waits() -> None:
        waiting = QApplication.activeModalWidget() or QApplication.activePopupWidget()
        if waiting is not None:
            waiting.close()

    closer = QTimer()
    closer.timeout.connect(close_what_waits)
    closer.start(20)
    for step in range(STEPS):
        user.act()
        if step % 10 == 0:
            qtbot.wait(1)
            window.views.canvas.grab()
    session.jobs.end_threads()  # else the question of an export might come later, with nobody to close it
    closer.stop()
    session.workbench.simulation.live = False
    session.workbench.simulation.stop()
    session.workbench.comparison.end()
    assert session.undo_stack.count() > 20
    window.views.canvas.gesture.cancel()
    window.views.canvas._come_to_rest()
    window.views.canvas._resting.stop()  # else what the mouse rests on might be lit between the two pictures
    for budget in ("SMOOTH_BUDGET_S", "QUICK_BUDGET_S", "LATE_S", "SLICE_S"):
        monkeypatch.setattr(backing, budget, math.inf)  # a busy machine would paint one of the two with quick lines
    followed = window.views.canvas.grab().toImage()
    afresh = Composition(session.design, session.hidden_networks)
    afresh.notes.are_shown = session.annotations_shown
    window.views.canvas.fabric.composition = afresh
    assert window.views.canvas.grab().toImage() == followed
    end, steps = document.encode(session.design), session.undo_stack.index()
    while session.undo_stack.canUndo():
        session.undo_stack.undo()
    assert not session.design.devices and not session.design.links
    for _ in range(steps):
        session.undo_stack.redo()
    assert document.encode(session.design) == end
