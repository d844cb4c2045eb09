"""The main job, end to end, with mouse and keyboard in the real window: draw, check, simulate, change, save, reopen."""

from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QMimeData, QPoint, QPointF, QRectF, Qt, QTimer
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from designer.model import operations
from designer.model.design import Design
from designer.panels.widgets.rows import ID_ROLE, rows_under, sections
from designer.storage import document
from designer.windows.shell.main_window import MainWindow

PATIENCE_MS = 90_000
STEP_MS = 15
LEFT = Qt.MouseButton.LeftButton


class Driver:
    """A user's hands on the window."""

    def __init__(self, window: MainWindow, qtbot) -> None:
        self.window = window
        self.qtbot = qtbot

    @property
    def design(self) -> Design:
        return self.window.session.design

    @property
    def canvas(self) -> QWidget:
        return self.window.views.canvas

    def drag_in(self, type_id: str, x_px: int, y_px: int) -> str:
        """Drag a type from the palette onto the canvas; returns the id of the device that is there then."""
        before = set(self.design.devices)
        self.drop(type_id, QPoint(x_px, y_px))
        self.qtbot.waitUntil(lambda: set(self.design.devices) != before, timeout=5000)
        (new,) = set(self.design.devices) - before
        return new

    def drop(self, type_id: str, at: QPoint) -> None:
        """Drag a type from the palette and let it go there on the canvas."""
        tree, handle = self.window.docks.palette.tree, self.window.windowHandle()
        section = next(s for s in sections(tree) if s.text(0) != "Recently used" and _has(s, type_id))
        item = next(row for row in rows_under(section) if row.data(0, ID_ROLE) == type_id)
        tree.scrollToItem(item)
        if QGuiApplication.platformName() == "offscreen":  # has no drags between widgets
            self._let_go(tree.mimeData([item]), at)
            return
        start = _in_window(tree.viewport(), tree.visualItemRect(item).center())
        end = _in_window(self.canvas, at)
        moves = iter([*(start + (end - start) * share / 8 for share in range(1, 9)), end])
        done: list[bool] = []

        def step() -> None:
            # Runs inside the drag's own event loop.
            here = next(moves, None)
            if here is not None:
                QTest.mouseMove(handle, here)
            else:
                timer.stop()
                QTest.mouseRelease(handle, LEFT, Qt.KeyboardModifier.NoModifier, end)
                done.append(True)

        timer = QTimer()
        timer.setInterval(STEP_MS)
        timer.timeout.connect(step)
        QTest.mousePress(handle, LEFT, Qt.KeyboardModifier.NoModifier, start)
        timer.start()
        QTest.mouseMove(handle, start + QPoint(14, 3))
        QTest.mouseMove(handle, start + QPoint(30, 6))
        self.qtbot.waitUntil(lambda: bool(done), timeout=5000)
        QTest.qWait(STEP_MS)

    def _let_go(self, data: QMimeData, at: QPoint) -> None:
        copy, no_keys = Qt.DropAction.CopyAction, Qt.KeyboardModifier.NoModifier
        for event in (
            QDragEnterEvent(at, copy, data, LEFT, no_keys),
            QDragMoveEvent(at, copy, data, LEFT, no_keys),
            QDropEvent(QPointF(at), copy, data, LEFT, no_keys),
        ):
            QCoreApplication.sendEvent(self.canvas, event)
            assert event.isAccepted()

    def box(self, device_id: str) -> QPoint:
        box: QRectF | None = self.window.views.canvas.box_px(device_id)
        assert box is not None
        return box.center().toPoint()

    def drag_on_canvas(self, start: QPoint, end: QPoint) -> None:
        handle = self.window.windowHandle()
        QTest.mouseMove(handle, _in_window(self.canvas, start))
        QTest.mousePress(handle, LEFT, Qt.KeyboardModifier.NoModifier, _in_window(self.canvas, start))
        for share in range(1, 9):
            QTest.mouseMove(handle, _in_window(self.canvas, start + (end - start) * share / 8))
            QTest.qWait(STEP_MS)
        QTest.mouseRelease(handle, LEFT, Qt.KeyboardModifier.NoModifier, _in_window(self.canvas, end))
        QTest.qWait(STEP_MS)

    def click(self, at: QPoint, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        QTest.mouseClick(self.window.windowHandle(), LEFT, modifier, _in_window(self.canvas, at))
        QTest.qWait(STEP_MS)

    def key(self, key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        QTest.keyClick(self.window.windowHandle(), key, modifier)
        QTest.qWait(STEP_MS)

    def wait(self, test) -> None:
        self.qtbot.waitUntil(test, timeout=PATIENCE_MS)


def _has(section, type_id: str) -> bool:
    return any(row.data(0, ID_ROLE) == type_id for row in rows_under(section))


def _in_window(widget: QWidget, at: QPoint) -> QPoint:
    return widget.mapTo(widget.window(), at)


@pytest.fixture
def driver(window: MainWindow, qtbot) -> Driver:
    return Driver(window, qtbot)


CONTROL = Qt.KeyboardModifier.ControlModifier


def test_two_leafs_two_spines_four_servers_drawn_checked_simulated_changed_undone_saved_and_reopened(
    driver: Driver, window: MainWindow, file_path: Path, qtbot
):
    session = window.session
    # Draw: drag everything in from the palette.
    spines = [driver.drag_in("nvidia-qm9700", x, 120) for x in (330, 630)]
    leafs = [driver.drag_in("nvidia-qm9700", x, 300) for x in (330, 630)]
    servers = [driver.drag_in("dgx-h100", x, 480) for x in (180, 380, 580, 780)]
    assert len(driver.design.switches()) == 4
    assert len(driver.design.servers()) == 4
    assert len(driver.design.modules) == 32

    # Connect with the connect tool, device to device: each drag takes the next free matching ports.
    driver.click(QPoint(40, 40))
    driver.key(Qt.Key.Key_C)
    for number, server in enumerate(servers):
        for _ in range(2):  # two servers a leaf, so that a ring of all climbs to the spines
            driver.drag_on_canvas(driver.box(server), driver.box(leafs[number // 2]))
    for leaf in leafs:
        for spine in spines:
            driver.drag_on_canvas(driver.box(leaf), driver.box(spine))
    assert len(driver.design.links) == 8 + 4
    driver.key(Qt.Key.Key_V)
    assert window.views.tool == "select"

    # Checked without asking: the report is of the design as it stands.
    driver.wait(lambda: session.workbench.validation.is_current)
    assert not any("no such port" in finding.message for finding in session.workbench.validation.report.findings)

    # Run an all-reduce: the heat is there.
    driver.key(Qt.Key.Key_F5)
    driver.wait(lambda: session.workbench.simulation.heat is not None)
    assert session.workbench.simulation.scenario.collective == "all-reduce"
    before = dict(session.workbench.simulation.heat.utilization)
    assert max(map(max, before.values())) > 0
    hot_picture = window.views.canvas.grab().toImage()

    # Live: delete one spine uplink, and the heat changes.
    driver.key(Qt.Key.Key_F6)
    assert session.workbench.simulation.live
    ends = {leafs[0], spines[0]}
    uplink = next(link.id for link in driver.design.links.values() if {link.a.device_id, link.b.device_id} == ends)
    driver.click(window.views.canvas.link_px(uplink).center().toPoint())
    assert session.selection == {uplink}
    entities_before = list(driver.design.entities())
    driver.key(Qt.Key.Key_Delete)
    assert uplink not in driver.design.links
    driver.wait(
        lambda: (
            session.workbench.simulation.heat is not None
            and uplink not in session.workbench.simulation.heat.utilization
        )
    )
    after = dict(session.workbench.simulation.heat.utilization)
    assert uplink not in after
    assert {i: pair for i, pair in before.items() if i != uplink} != after
    assert window.views.canvas.grab().toImage() != hot_picture

    # Undo brings link and heat back.
    driver.key(Qt.Key.Key_Z, CONTROL)
    assert list(driver.design.entities()) == entities_before
    driver.wait(
        lambda: (
            session.workbench.simulation.heat is not None
            and dict(session.workbench.simulation.heat.utilization) == before
        )
    )

    # Save, and reopen equal.
    driver.key(Qt.Key.Key_S, CONTROL)
    assert file_path.is_file()
    assert not window.isWindowModified()
    driver.key(Qt.Key.Key_N, CONTROL)
    assert not driver.design.devices
    driver.key(Qt.Key.Key_O, CONTROL)
    assert list(driver.design.entities()) == entities_before
    assert file_path.read_bytes() == document.encode(driver.design)


def test_a_connection_over_the_port_budget_is_refused_and_says_why(driver: Driver, window: MainWindow, qtbot):
    host = driver.drag_in("generic-host", 200, 400)
    switches = [driver.drag_in("generic-switch", x, 150) for x in (200, 500)]
    driver.click(QPoint(40, 40))
    driver.key(Qt.Key.Key_C)
    driver.drag_on_canvas(driver.box(host), driver.box(switches[0]))
    assert len(driver.design.links) == 1
    with qtbot.waitSignal(window.views.canvas.cursor_message):
        driver.drag_on_canvas(driver.box(host), driver.box(switches[1]))
    assert len(driver.design.links) == 1


def test_a_nic_dropped_on_a_server_is_installed_in_its_next_free_slot(driver: Driver, window: MainWindow, qtbot):
    server = driver.drag_in("generic-host", 300, 300)
    modules = [module.id for module in driver.design.modules_of(server)]
    window.session.push(operations.remove_modules(driver.design, modules))
    assert not driver.design.ports(server)
    driver.drop("generic-nic", driver.box(server))
    qtbot.waitUntil(lambda: len(driver.design.modules) == 1, timeout=5000)
    assert set(driver.design.devices) == {server}
    assert len(driver.design.ports(server)) == 1
