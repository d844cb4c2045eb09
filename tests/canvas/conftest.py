"""A real canvas over a real session, and a hand that draws on it."""

from collections.abc import Iterator

import pytest
import shiboken6
from disposal import dispose_of
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest

from designer.canvas.view import CanvasView
from designer.model import operations
from designer.model.entities import Device, Rack
from designer.session.session import Session

LEFT = Qt.MouseButton.LeftButton
NO_KEYS = Qt.KeyboardModifier.NoModifier


class Hand:
    """Adds devices by the verbs, and moves the mouse over the view."""

    def __init__(self, view: CanvasView) -> None:
        self.view = view
        self.session = view.session

    @property
    def design(self):
        return self.session.design

    def add(self, type_id: str, x: float, y: float) -> str:
        types = self.session.catalog.types
        edit = operations.add_device(self.design, types[type_id], x, y, catalog_types=types)
        self.session.push(edit)
        return next(c.after.id for c in edit.changes if isinstance(c.after, Device))

    def add_rack(self, x: float, y: float) -> str:
        edit = operations.add_rack(self.design, self.session.catalog.types["rack-42u"], x, y)
        self.session.push(edit)
        return next(c.after.id for c in edit.changes if isinstance(c.after, Rack))

    def at(self, x: float, y: float) -> QPoint:
        """The pixel of a canvas point."""
        return QPointF(*self.view.camera.to_view(x, y)).toPoint()

    def middle(self, device_id: str) -> QPoint:
        return self.view.box_px(device_id).center().toPoint()

    def click(self, at: QPoint, keys: Qt.KeyboardModifier = NO_KEYS) -> None:
        QTest.mouseMove(self.view, at)
        QTest.mouseClick(self.view, LEFT, keys, at)

    def press(self, at: QPoint, keys: Qt.KeyboardModifier = NO_KEYS) -> None:
        QTest.mouseMove(self.view, at)
        QTest.mousePress(self.view, LEFT, keys, at)

    def drag(self, start: QPoint, end: QPoint, keys: Qt.KeyboardModifier = NO_KEYS, *, let_go: bool = True) -> None:
        self.press(start, keys)
        for share in range(1, 7):
            QTest.mouseMove(self.view, start + (end - start) * share / 6)
        if let_go:
            QTest.mouseRelease(self.view, LEFT, keys, end)

    def key(self, key: Qt.Key, keys: Qt.KeyboardModifier = NO_KEYS) -> None:
        QTest.keyClick(self.view, key, keys)


@pytest.fixture
def session(qtbot, catalog) -> Iterator[Session]:
    session = Session(catalog)
    yield session
    dispose_of(session)


@pytest.fixture
def view(qtbot, session) -> Iterator[CanvasView]:
    view = CanvasView(session)
    view.resize(1000, 700)
    view.show()
    qtbot.waitExposed(view)
    view.zoom_to_fit()
    yield view
    view.close()
    shiboken6.delete(view)


@pytest.fixture
def hand(view) -> Hand:
    return Hand(view)
