"""The quick tour of docs/draw.md: a pod of 2 spines, 2 leafs and 8 servers in at most 20 actions by mouse and keys.

A drag counts as one action, and so does a click, a key chord, or a text that is typed.
"""

from collections import Counter
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from designer.windows.shell.main_window import MainWindow

LEFT = Qt.MouseButton.LeftButton
MOST_ACTIONS = 20
GUIDE = Path(__file__).resolve().parents[2] / "docs" / "draw.md"


class CountingHands:
    """Mouse and keys on the window, counted as a user counts them."""

    def __init__(self, window: MainWindow, qtbot) -> None:
        self.window = window
        self.qtbot = qtbot
        self.actions: list[str] = []

    def press(self, keys: str) -> None:
        """One key or chord, sent to the window, wherever the keyboard is."""
        self.actions.append(keys)
        combination = QKeySequence(keys)[0]
        QTest.keyClick(self.window.windowHandle(), combination.key(), combination.keyboardModifiers())
        QTest.qWait(1)

    def type(self, text: str) -> None:
        self.actions.append(text)
        for letter in text:
            QTest.keyClick(self.window.windowHandle(), letter)

    def drag(self, start: QPoint, end: QPoint, keys: Qt.KeyboardModifier) -> None:
        self.actions.append("drag")
        canvas: QWidget = self.window.views.canvas
        QTest.mousePress(canvas, LEFT, keys, start)
        for share in range(1, 9):
            QTest.mouseMove(canvas, start + (end - start) * share / 8)
        QTest.mouseRelease(canvas, LEFT, keys, end)

    def around(self, names: set[str]) -> tuple[QPoint, QPoint]:
        """Two corners of empty canvas with these devices between them."""
        view = self.window.views.canvas
        boxes = [view.box_px(one.id) for one in self.window.session.design.devices.values() if one.name in names]
        left, top = min(box.left() for box in boxes), min(box.top() for box in boxes)
        right, bottom = max(box.right() for box in boxes), max(box.bottom() for box in boxes)
        return QPoint(round(left) - 12, round(top) - 12), QPoint(round(right) + 12, round(bottom) + 12)


@pytest.fixture
def hands(window: MainWindow, qtbot) -> CountingHands:
    return CountingHands(window, qtbot)


def draw_the_pod(hands: CountingHands) -> None:
    hands.press("Alt+1")
    hands.type("8x dgx h100 as gpu-1")
    hands.press("Return")
    hands.type("2x qm9700 as leaf-1")
    hands.press("Return")
    hands.press("Alt+0")
    hands.press("Ctrl+A")
    hands.press("Ctrl+L")
    hands.press("Return")
    hands.press("Alt+1")
    hands.type("2x qm9700 as spine-1")
    hands.press("Return")
    hands.drag(*hands.around({"leaf-1", "leaf-2"}), Qt.KeyboardModifier.ShiftModifier)
    hands.press("Ctrl+L")
    hands.press("Return")
    hands.press("Ctrl+A")
    hands.press("Ctrl+Shift+T")
    hands.press("Return")


def test_a_pod_is_drawn_named_linked_and_tidy_in_at_most_twenty_actions(hands, window):
    draw_the_pod(hands)
    design = window.session.design
    names = {"gpu-1", "gpu-2", "gpu-3", "gpu-4", "gpu-5", "gpu-6", "gpu-7", "gpu-8"}
    by_name = {device.name: one for one, device in design.devices.items()}
    assert set(by_name) == names | {"leaf-1", "leaf-2", "spine-1", "spine-2"}
    assert len(design.links) == 128
    pairs = Counter(
        frozenset(design.device(end.device_id).name for end in (link.a, link.b)) for link in design.links.values()
    )
    leafs, spines = ("leaf-1", "leaf-2"), ("spine-1", "spine-2")
    assert pairs == {frozenset({one, leaf}): 4 for one in names for leaf in leafs} | {
        frozenset({leaf, spine}): 16 for leaf in leafs for spine in spines
    }
    rows = [{design.placements[by_name[one]].y for one in tier} for tier in (spines, leafs, sorted(names))]
    assert [len(row) for row in rows] == [1, 1, 1]
    (spine_y,), (leaf_y,), (server_y,) = rows
    assert spine_y < leaf_y < server_y
    assert [design.device(by_name[one]).role for one in (*spines, *leafs)] == ["spine", "spine", "leaf", "leaf"]
    assert len(hands.actions) <= MOST_ACTIONS
    assert not window.session.workbench.validation.waiting


def test_the_quick_tour_of_the_guide_says_what_is_done_here(hands):
    draw_the_pod(hands)
    tour = GUIDE.read_text(encoding="utf-8").split("## A pod in")[1].split("\n## ")[0]
    steps = [line for line in tour.splitlines() if line[:1].isdigit()]
    said = [word.replace("Enter", "Return") for line in steps for word in _bold_and_code(line)]
    assert said == [one for one in hands.actions if one != "drag"]


def _bold_and_code(line: str) -> list[str]:
    """What is pressed or typed in a line: chords in bold, texts as code."""
    found, rest = [], line
    while True:
        starts = {mark: rest.find(mark) for mark in ("**", "`") if mark in rest}
        if not starts:
            return found
        mark = min(starts, key=lambda one: starts[one])
        _, found_here, rest = rest.split(mark, 2)
        if not found_here.startswith("Shift"):
            found.append(found_here)
