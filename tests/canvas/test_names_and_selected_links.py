"""Names cut to the room they have, and the links of what is selected brought out where they are drawn."""

import numpy as np
import pytest
from PySide6.QtGui import QFont, QFontMetricsF

from designer.canvas.ghosts import ghosts_of
from designer.drawing.level_of_detail import Detail, LinkDetail
from designer.drawing.text import fitted_label
from designer.model import operations, rings


@pytest.fixture
def metrics(qapp):
    return QFontMetricsF(QFont())


@pytest.mark.parametrize(
    ("name", "short"), [("storage-leaf-12", "storage-l…12"), ("spine-01", "01"), ("gpu-001", "001")]
)
def test_a_name_without_room_is_elided_to_a_part_of_it(metrics, name, short):
    width = metrics.horizontalAdvance
    assert fitted_label(name, width, width(name) + 1) == name
    assert fitted_label(name, width, width(short) + 0.1) == short


def test_a_name_without_a_number_is_elided_in_its_middle(metrics):
    cut = fitted_label("login-node", metrics.horizontalAdvance, 0.7 * metrics.horizontalAdvance("login-node"))
    assert cut.startswith("lo") and "…" in cut and cut.endswith("de")


@pytest.fixture
def ring(hand):
    ids = [hand.add("generic-switch", 150.0 * number, 0.0) for number in range(4)]
    edit = rings.close_ring(hand.design, ids)
    ghosts = ghosts_of(hand.design, edit)
    hand.session.push(edit)
    return ids, ghosts


@pytest.mark.parametrize("links", [LinkDetail.BUNDLES, LinkDetail.SINGLES])
def test_the_links_of_a_selection_are_brought_out_where_they_are_drawn(hand, ring, links):
    composition = hand.view.fabric.composition
    rows = [composition.projection.row_of[one] for one in ring[0]]
    drawn = {tuple(line) for line in np.round(composition.lines(Detail(links)).xy, 3).tolist()}
    brought_out = {tuple(line) for line in np.round(composition.lines_of_devices(rows, Detail(links)).xy, 3).tolist()}
    assert brought_out == drawn


def test_a_preview_bows_as_the_links_will(hand, ring):
    drawn = hand.view.fabric.composition.lines(Detail(LinkDetail.BUNDLES)).xy
    bow = drawn[drawn[:, [1, 3]].min(axis=1) < -40]
    assert len(bow) == 3
    assert _either_way(bow) <= _either_way(ring[1].lines)


def test_each_link_taken_as_broken_is_marked_along_its_own_course(hand, ring):
    composition = hand.view.fabric.composition
    link_paths = [composition.link_path(row) for row in range(len(composition.projection.link_ids))]
    assert sorted(len(link_path) for link_path in link_paths) == [1, 1, 1, 3]
    drawn = composition.lines(Detail(LinkDetail.SINGLES)).xy
    assert _either_way(np.concatenate(link_paths)) == _either_way(drawn)


def _either_way(xy):
    return {frozenset({(x1, y1), (x2, y2)}) for x1, y1, x2, y2 in np.round(xy, 3).tolist()}


def test_the_status_line_forgets_a_device_that_an_edit_took_away(hand, ring, qtbot):
    stated = []
    hand.view.cursor_message.connect(stated.append)
    hand.click(hand.middle(ring[0][0]))
    assert stated[-1]
    hand.session.undo_stack.undo()
    assert stated[-1] == ""


@pytest.mark.parametrize("what", ["link", "device"])
def test_a_chosen_link_does_not_strike_its_own_label_through(hand, what, qtbot):
    a, b = hand.add("nvidia-qm9700", 0.0, 0.0), hand.add("nvidia-qm9700", 0.0, 300.0)
    hand.session.push(operations.connect_evenly(hand.design, [a], [b], 4))
    hand.view.resize(800, 600)
    hand.view.zoom_to_fit()
    middle, beside = hand.at(0.0, 150.0), hand.at(0.0, 80.0)

    def around(place):
        hand.view.grab()  # begun coarse, and finer when things rest
        qtbot.waitUntil(lambda: not hand.view._rest.isActive() and not hand.view._go_on.isActive())
        picture = hand.view.grab().toImage()
        return [picture.pixelColor(place.x() + dx, place.y() + dy).name() for dx in range(-9, 10) for dy in (-5, 0, 5)]

    hand.session.select([])
    label, line = around(middle), around(beside)
    hand.session.select([next(iter(hand.design.links))] if what == "link" else [a])
    assert around(beside) != line
    assert around(middle) == label
