"""While something is dragged, devices and racks in sight show what they have left for it; the rest is veiled."""

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QDragMoveEvent, QFont, QFontMetricsF
from PySide6.QtTest import QTest

from designer.canvas import budget_marks, marks
from designer.canvas.dropping import MIME_TYPE
from designer.canvas.glyphs import Fonts
from designer.canvas.marks import _place_beside
from designer.model.budgets import Budget

LEFT, NO_KEYS = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


@pytest.fixture
def written(monkeypatch):
    """The figures painted since, each with whether it fits."""
    found = []
    paint = budget_marks._paint_figure

    def noted(painter, sight, plate, text, *, fits):
        found.append((text, fits))
        return paint(painter, sight, plate, text, fits=fits)

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


@pytest.mark.parametrize("scale", [0.35, 0.5, 0.7, 1.0, 2.0])
def test_no_figure_lies_over_the_name_of_its_device(hand, three, monkeypatch, scale):
    plates = []
    monkeypatch.setattr(budget_marks, "_paint_figure", lambda _p, _s, plate, _t, *, fits: plates.append(plate) or plate)
    view = hand.view
    view.zoom_by(scale / view.camera.scale)
    pulled(hand, three[0])
    names = [view.fabric.name_rect(one, view.sight) for one in three]
    assert plates
    assert not any(plate.intersects(name) for plate in plates for name in names)
    boxes = [view.box_px(one) for one in three]
    assert all(any(abs(plate.top() - box.bottom()) < 16 for box in boxes) for plate in plates), "at the foot of its box"


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


def test_a_box_too_narrow_for_no_match_has_no_badge_but_its_veil(qtbot):
    metrics = QFontMetricsF(Fonts(QFont()).at(budget_marks.LETTER_PX))
    none = Budget(0, 0, "", False)
    width = metrics.horizontalAdvance("no match") + 8 - 2 * budget_marks.OVERHANG_PX
    assert budget_marks._text_for(QRectF(0, 0, width + 1, 40), none, metrics) == "no match"
    assert budget_marks._text_for(QRectF(0, 0, width - 1, 40), none, metrics) == ""


@pytest.mark.parametrize("figure", [(118, 118, 60, 16), (118, 60, 60, 16)])
def test_the_note_at_the_cursor_stands_clear_of_figures(figure):
    view, size, at = QRectF(0, 0, 600, 400), QSizeF(120, 30), QPointF(100, 100)
    bare = _place_beside(at, size, view, ())
    assert bare.topLeft() == QPointF(118, 118)
    clear = _place_beside(at, size, view, (QRectF(*figure),))
    assert not clear.intersects(QRectF(*figure)) and view.contains(clear)
    assert (clear == bare) == (not bare.intersects(QRectF(*figure)))


def test_the_note_stays_in_view_and_off_the_cursor_where_figures_are_everywhere():
    view, size = QRectF(0, 0, 300, 200), QSizeF(120, 30)
    figures = tuple(QRectF(x, y, 20, 10) for x in range(0, 300, 20) for y in range(0, 200, 10))
    for at in (QPointF(5, 5), QPointF(295, 195), QPointF(150, 100)):
        plate = _place_beside(at, size, view, figures)
        assert view.contains(plate) and not plate.contains(at)


def test_while_a_line_is_pulled_the_note_covers_no_budget(hand, three, monkeypatch):
    placed = []
    place = marks._place_beside

    def noted(at, size, view, figures):
        placed.append((place(at, size, view, figures), figures))
        return placed[-1][0]

    monkeypatch.setattr(marks, "_place_beside", noted)
    hand.view.set_tool("connect")
    start, box = hand.middle(three[0]), hand.view.box_px(three[1])
    hand.drag(start, box.center().toPoint() - QPoint(0, 6), let_go=False)
    hand.view.grab()
    plate, figures = placed[-1]
    assert len(figures) >= 2
    assert not any(plate.intersects(one) for one in figures)


def test_a_line_is_pulled_over_racks_that_are_drawn_without_counting_ports_of_theirs(hand, view):
    one = hand.add("nvidia-qm9700", 0.0, 0.0)
    rack = hand.add_rack(300.0, 0.0)
    view.zoom_to_fit()
    view.set_tool("connect")
    hand.drag(hand.middle(one), hand.at(300.0, 0.0), let_go=False)
    assert view.gesture.budgets().of(rack) is None
    view.repaint()
    view.gesture.cancel()
