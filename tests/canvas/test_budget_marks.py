"""While something is dragged, devices and racks in sight show what they have left for it; the rest is veiled."""

import pytest
from PySide6.QtCore import QMimeData, QPoint, QRectF, Qt
from PySide6.QtGui import QDragMoveEvent, QFont, QFontMetricsF
from PySide6.QtTest import QTest

from designer.canvas import budget_marks
from designer.canvas.dropping import MIME_TYPE
from designer.canvas.glyphs import Fonts
from designer.model.budgets import Budget

LEFT, NO_KEYS = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


@pytest.fixture
def written(monkeypatch):
    """The figures painted since, each with whether it fits."""
    found = []
    paint = budget_marks._paint_figure

    def noted(painter, sight, rect, text, metrics, *, fits):
        found.append((text, fits))
        paint(painter, sight, rect, text, metrics, fits=fits)

    monkeypatch.setattr(budget_marks, "_paint_figure", noted)
    return found


@pytest.fixture
def three(hand):
    """A leaf, a spine that takes its links, and a switch of another rate."""
    made = [hand.add("nvidia-qm9700", -220.0, 0.0), hand.add("nvidia-qm9700", 0.0, 0.0)]
    made.append(hand.add("nvidia-qm8700", 220.0, 0.0))
    hand.view.zoom_to_fit()
    return made


def pulled(hand, device_id):
    """A line pulled from the device onto bare canvas, not let go."""
    hand.view.set_tool("connect")
    start = hand.middle(device_id)
    hand.drag(start, start + QPoint(0, 120), let_go=False)
    return hand.view.grab().toImage()


def colour_in(image, hand, device_id):
    """Of the box near its upper left corner, where nothing is written."""
    box = hand.view.box_px(device_id)
    return image.pixelColor(box.topLeft().toPoint() + QPoint(8, int(box.height() / 2)))


def test_a_line_shows_what_the_others_have_left(hand, three, written):
    pulled(hand, three[0])
    assert ("64 of 64 at 400G", True) in written
    assert ("no match", False) in written
    assert len(set(written)) == 2


def test_what_cannot_take_the_line_is_veiled_and_comes_back(hand, three):
    before = hand.view.grab().toImage()
    during = pulled(hand, three[0])
    kept, veiled = three[1], three[2]
    assert colour_in(during, hand, kept) == colour_in(before, hand, kept)
    assert colour_in(during, hand, veiled).lightness() > colour_in(before, hand, veiled).lightness()
    hand.key(Qt.Key.Key_Escape)
    QTest.mouseRelease(hand.view, LEFT, NO_KEYS, hand.at(0, 200))
    hand.view.notes.drop()
    assert colour_in(hand.view.grab().toImage(), hand, veiled) == colour_in(before, hand, veiled)


def test_very_many_in_sight_show_nothing(hand, three, written, monkeypatch):
    monkeypatch.setattr(budget_marks, "MOST", 2)
    pulled(hand, three[0])
    assert written == []


def dragged_over(hand, type_id):
    data = QMimeData()
    data.setData(MIME_TYPE, type_id.encode())
    hand.view.dragMoveEvent(QDragMoveEvent(QPoint(30, 300), Qt.DropAction.CopyAction, data, LEFT, NO_KEYS))
    hand.view.grab()


def test_a_nic_shows_the_slots_of_servers_and_none_of_switches(hand, written):
    hand.add("dgx-h100", -100.0, 0.0)
    hand.add("nvidia-qm9700", 100.0, 0.0)
    hand.view.zoom_to_fit()
    dragged_over(hand, "connectx-7-ndr-2p")
    texts = dict(written)
    assert any(text.endswith("slots") and fits for text, fits in texts.items())
    assert texts["no match"] is False


def test_a_server_shows_the_units_of_racks(hand, written):
    hand.add_rack(0.0, 0.0)
    hand.add("nvidia-qm9700", 300.0, 0.0)
    hand.view.zoom_to_fit()
    dragged_over(hand, "dgx-h100")
    assert set(written) == {("42 of 42 U", True)}


def test_where_there_is_less_room_less_is_written(qtbot, monkeypatch):
    monkeypatch.setattr(budget_marks, "LEAST_WIDTH_PX", 1.0)
    metrics = QFontMetricsF(Fonts(QFont()).at(budget_marks.LETTER_PX))
    budget = Budget(12, 64, "", True, 400)
    for text in ("12 of 64 at 400G", "12 of 64", "12 free", "12"):
        width = metrics.horizontalAdvance(text) + 8.5 - 2 * budget_marks.OVERHANG_PX
        assert budget_marks._text_for(QRectF(0, 0, width, 40), budget, metrics) == text
        assert budget_marks._text_for(QRectF(0, 0, width - 1, 40), budget, metrics) != text
        assert budget_marks._text_for(QRectF(0, 0, width, 6), budget, metrics) == ""
