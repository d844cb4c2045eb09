"""A bar above the design keeps its sentence whole, however narrow it is."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from designer.panels.widgets.appearance import Appearance
from designer.windows.shell.bar import Bar

SENTENCE = "Unsaved work on k-ary fat-tree, 8,192 servers (never saved) was recovered from 14:05."


@pytest.mark.parametrize(("width_px", "is_below"), [(1100, False), (440, True)])
def test_the_buttons_of_a_narrow_bar_stand_below_its_sentence(qtbot, qapp, icons, width_px, is_below):
    window = QWidget()
    qtbot.addWidget(window)
    buttons = [QPushButton(text) for text in ("Restore", "Discard", "Later")]
    bar = Bar("bar", Appearance(qapp, "light", icons), buttons)
    bar.text.setText(SENTENCE)
    column = QVBoxLayout(window)
    column.addWidget(bar)
    column.addStretch(1)
    window.resize(width_px, 400)
    bar.show()
    window.show()
    qtbot.waitExposed(window)

    def foot():
        return bar.text.mapTo(bar, bar.text.rect().bottomLeft()).y()

    qtbot.waitUntil(lambda: (buttons[0].y() > foot()) == is_below)
    needed = bar.text.fontMetrics().boundingRect(0, 0, bar.text.width(), 9999, Qt.TextFlag.TextWordWrap, SENTENCE)
    assert bar.text.height() >= needed.height()
    assert bar.height() < 130
