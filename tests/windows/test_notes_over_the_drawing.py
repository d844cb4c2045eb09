"""Notes at the foot of the drawing: clear of legends, and in sight whatever happened while another tab was seen."""

import pytest
from PySide6.QtCore import QRect
from PySide6.QtWidgets import QWidget

from designer.windows.shell.notice import MARGIN, Notice

TEXT = "The drawing shows differences, not loads, until the comparison ends."


@pytest.fixture
def noted(window, monkeypatch):
    """A window with plates where a test puts them, and what shows a note that stays."""
    window.views.show_canvas()
    window.resize(1400, 900)
    window.show()
    plates = []
    canvas = window.views.canvas
    monkeypatch.setattr(canvas.subject, "taken_px", lambda _sight, *, soon=False: tuple(plates))

    def show():
        window.notice.offer(TEXT, "End Comparison", lambda: None)
        return window.notice.geometry()

    return window, plates, show


def on_views(window, plate):
    left, top, right, foot = plate
    at = window.views.canvas.mapTo(window.views, window.views.canvas.rect().topLeft())
    return QRect(round(left), round(top), round(right - left), round(foot - top)).translated(at)


def test_a_note_stands_in_the_middle_of_the_foot_where_nothing_is_there(noted):
    window, _, show = noted
    place = show()
    assert abs(place.center().x() - window.views.rect().center().x()) <= 1
    assert place.bottom() + MARGIN == window.views.rect().bottom()


@pytest.mark.parametrize("share", [0.3, 0.45, 0.8])
@pytest.mark.parametrize("at_right", [False, True])
def test_a_note_covers_no_legend_at_either_side_of_the_foot(noted, share, at_right):
    window, plates, show = noted
    across, down = window.views.canvas.extent
    left = across * (1 - share) - 12 if at_right else 12
    plates.append((left, down - 90, left + across * share, down - 12))
    place = show()
    assert not place.intersects(on_views(window, plates[0]))
    assert window.views.rect().contains(place)
    if share == 0.3:
        assert place.bottom() + MARGIN == window.views.rect().bottom(), "there is room next to it"
    if share == 0.8:
        assert place.bottom() < on_views(window, plates[0]).top(), "there is none"


def test_a_note_stays_at_the_foot_of_a_drawing_that_changes_its_size_unseen(qtbot, window):
    over = QWidget()
    qtbot.addWidget(over)
    over.resize(900, 600)
    over.show()
    notice = Notice(over, window.appearance)
    notice.complain(TEXT)
    over.hide()
    over.resize(900, 400)
    over.show()
    assert notice.isVisible() and notice.geometry().bottom() + MARGIN == over.rect().bottom()
