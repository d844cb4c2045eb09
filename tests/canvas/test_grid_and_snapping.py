"""The grid, and what drags come into line with, as chosen in the View menu and remembered."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint

from designer.canvas.snapping import snapped
from designer.session.drafting import SPACINGS, Drafting, read, written

BOX = np.array((3.0, 50.0, 120.0, 44.0))  # its middle at 63, 72


@pytest.mark.parametrize(
    "drafting", [Drafting(), *(Drafting(False, spacing, to_neighbours=False, to_grid=True) for spacing in SPACINGS)]
)
def test_settings_are_read_as_they_were_written(drafting):
    assert read(written(drafting)) == drafting


@pytest.mark.parametrize("text", ["", "spacing=7", "spacing=", "grid_shown=yes", "what", "to_grid=2 = =="])
def test_what_cannot_be_read_is_as_at_first(text):
    assert read(text) == Drafting()


def test_the_middle_goes_to_the_grid_where_no_neighbour_is_in_line():
    none, beside = np.empty((0, 4)), np.array([(300.0, 52.0, 120.0, 44.0)])
    assert (snapped(none, BOX, 6.0, 48.0).dx, snapped(none, BOX, 6.0, 48.0).dy) == (-15.0, 24.0)
    assert (snapped(none, BOX, 6.0).dx, snapped(none, BOX, 6.0).dy) == (0.0, 0.0)
    both = snapped(beside, BOX, 6.0, 48.0)
    assert (both.dx, both.dy) == (-15.0, 2.0)  # in line with the neighbor in height, on the grid across


def test_drags_keep_to_what_is_chosen(hand, session):
    hand.add("nvidia-qm9700", 0.0, 0.0)
    moved = hand.add("nvidia-qm9700", 301.0, 3.0)
    hand.view.zoom_to_fit()
    hand.view.zoom_reset()

    def drag(**values):
        session.drafting.choose(replace(session.drafting.now, **values))
        start = hand.middle(moved)
        hand.drag(start, start + QPoint(10, 0))
        place = session.design.placements[moved]
        session.undo_stack.undo()
        return place.x, place.y

    assert drag() == (311.0, 0.0)
    assert drag(to_neighbours=False) == (311.0, 3.0)
    assert drag(to_grid=True, spacing=48) == (288.0, 0.0)


def test_the_grid_is_drawn_as_chosen(hand, session):
    hand.add("nvidia-qm9700", 0.0, 0.0)
    pictures = []
    for drafting in (Drafting(), Drafting(spacing=48), Drafting(grid_shown=False)):
        session.drafting.choose(drafting)
        hand.view._come_to_rest()
        pictures.append(hand.view.grab().toImage())
    assert pictures[0] != pictures[1] != pictures[2] != pictures[0]
