"""Which annotations a rectangle selects, and a title block that bears the name of a file saved just now."""

from dataclasses import replace

import pytest

from designer.model.annotating import annotate
from designer.model.edit import Change, Edit


@pytest.fixture
def note(session):
    """Adds an annotation at a place, so many units across and down."""

    def added(kind, x, y, dx, dy):
        session.push(annotate(session.design, kind, (x - dx / 2, y - dy / 2), (x + dx / 2, y + dy / 2)))
        return list(session.design.annotations)[-1]

    return added


@pytest.mark.parametrize(
    ("kind", "area", "is_taken"),
    [
        ("text", (-200.0, -200.0, -40.0, -20.0), True),
        ("text", (-200.0, -200.0, -60.0, -20.0), False),
        ("text", (-10.0, -10.0, 10.0, 10.0), True),
        ("zone", (-10.0, -10.0, 10.0, 10.0), False),
        ("zone", (-200.0, -200.0, 0.0, 200.0), False),
        ("zone", (-200.0, -200.0, 200.0, 200.0), True),
        ("arrow", (-10.0, -10.0, 10.0, 10.0), True),
        ("arrow", (20.0, -30.0, 45.0, -10.0), False),
        ("arrow", (40.0, 20.0, 90.0, 90.0), True),
    ],
)
def test_a_rectangle_selects_what_it_touches_and_what_is_behind_the_fabric_where_it_holds_all(
    hand, note, kind, area, is_taken
):
    one = note(kind, 0.0, 0.0, 100.0, 60.0)
    assert (one in hand.view.fabric.within(area)) == is_taken


def test_a_text_sent_behind_the_fabric_is_selected_where_the_rectangle_holds_all_of_it(hand, session, note):
    one = note("text", 0.0, 0.0, 100.0, 60.0)
    text = session.design.annotations[one]
    session.push(Edit("Send to back", (Change(text, replace(text, level=-1)),)))
    assert one not in hand.view.fabric.within((-10.0, -10.0, 10.0, 10.0))


def test_a_title_block_bears_the_name_of_the_file_at_once(hand, session, note, tmp_path):
    note("title-block", 0.0, 0.0, 300.0, 100.0)
    hand.view.zoom_to_fit()
    before = hand.view.grab().toImage()
    assert hand.view.grab().toImage() == before
    session.save(tmp_path / "fourth.fabric")
    assert session.design.name == "fourth"
    assert hand.view.grab().toImage() != before
