"""Texts fit their boxes, whatever alphabet a name is in; what has no room keeps what tells it from its like."""

import numpy as np
import pytest

from designer.drawing.counts import CountPlaces, Taken
from designer.drawing.text import (
    begins_with,
    cut_by_words,
    elided,
    elisions,
    first_to_last,
    fitted_label,
    fitted_name,
    row_forms,
    short_form,
    usual_first_word,
    width_of,
)
from designer.placement.direct import torus_points


@pytest.mark.parametrize(
    ("wide", "narrow"),
    [("leaf", "lëàf"), ("漢字", "ab"), ("Щит", "ab"), ("🚀", "a"), ("Zürich", "Zurich"), ("ab", "i\u0301i\u0301")],
)
def test_the_width_follows_the_letters(wide, narrow):
    assert width_of(wide, 10) >= width_of(narrow, 10)


def test_marks_on_letters_and_joiners_take_no_room():
    assert width_of("é", 10) == width_of("e\u0301", 10) == width_of("e", 10)
    assert width_of("a\u200db", 10) == width_of("ab", 10)
    assert elided("Zürich-Höngg", width_of("Zurich-Hongg", 10), 10) == "Zürich-Höngg"


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("Group 12", "12"),
        ("leaf-su1-r8", "8"),
        ("12", ""),
        ("Pod", ""),
        ("", ""),
        ("Cube 2-0-1", "2-0-1"),
        ("2-0-1", ""),
    ],
)
def test_a_name_without_room_keeps_its_number(name, short):
    assert short_form(name) == short


@pytest.mark.parametrize(
    ("name", "forms"),
    [
        ("leaf-su1-r8", ("lea…su1-r8", "…su1-r8")),
        ("spine-01", ("spi…01", "…01")),
        ("router-0-3-2", ("route…0-3-2", "rout…0-3-2", "rou…0-3-2", "…0-3-2")),
        ("tor12", ()),
        ("pod1-srv-01", ()),
        ("gpu-001", ("…001",)),
        ("12", ()),
        ("login-node", ()),
        ("Plant 4, training cluster", ()),
        ("Rack 3 of row 12", ("Rac…3 of row 12", "…3 of row 12")),
        ("", ()),
    ],
)
def test_elisions_show_that_they_are_and_keep_what_tells_a_name_from_its_like(name, forms):
    assert elisions(name)[-len(forms) :] == forms if forms else elisions(name) == ()


@pytest.mark.parametrize(
    ("name", "room", "shown"),
    [
        ("router-0-3-2", 12, "router-0-3-2"),
        ("router-0-3-2", 9, "rou…0-3-2"),
        ("router-0-3-2", 8, "0-3-2"),
        ("router-0-3-2", 5, "0-3-2"),
        ("router-0-3-2", 4, ""),
        ("gpu-001", 6, "001"),
        ("leaf-su2-r3", 6, "su2-r3"),
        ("leaf-su2-r3", 5, ""),
        ("hall1-rack02-of-the-leaf-r3", 12, ""),
        ("login-node", 8, "logi…ode"),
        ("login-node", 4, ""),
        ("1 filer behind the door of the hall", 9, "1 filer…"),
    ],
)
def test_a_name_is_written_as_much_of_as_fits_or_not_at_all(name, room, shown):
    assert fitted_label(name, len, room) == shown


@pytest.mark.parametrize(
    ("name", "room", "shown"),
    [
        ("leaf-su2-r3", 10, "lea…su2-r3"),
        ("leaf-su2-r3", 9, "…su2-r3"),
        ("leaf-su2-r3", 7, "…su2-r3"),
        ("leaf-su2-r3", 6, ""),
        ("login-node", 8, "logi…ode"),
        ("Plant 4, training cluster", 18, "Plant 4, training…"),
        ("Plant 4, training cluster", 17, "Plant 4,…"),
    ],
)
def test_a_name_of_a_list_shows_what_was_left_out(name, room, shown):
    assert fitted_name(name, len, room) == shown


@pytest.mark.parametrize(
    ("text", "room", "shown"),
    [
        ("Router 6 x 400G", 15, "Router 6 x 400G"),
        ("Router 6 x 400G", 14, "Router…"),
        ("Router 6 × 400G old", 16, "Router 6 × 400G…"),
        ("Router 6 x 400G", 8, "Router…"),
        ("Router 6 x 400G", 6, ""),
        ("QM9700", 5, ""),
        ("", 0, ""),
    ],
)
def test_a_text_is_cut_between_its_words_alone(text, room, shown):
    assert cut_by_words(text, len, room) == shown


def test_a_count_stands_off_boxes_and_other_counts():
    lines = np.array([[0.0, 0.0, 100.0, 0.0], [0.0, 0.0, 100.0, 0.0]])
    places = CountPlaces(lines, Taken(np.array([[40.0, -5.0, 60.0, 5.0]])), (-50.0, -50.0, 200.0, 100.0))
    first = places.place_on(lines[0], 10, 8)
    second = places.place_on(lines[1], 10, 8)
    assert first is not None and second is not None
    assert abs(first[0] - 50) >= 15 and abs(first[0] - second[0]) >= 10


def test_a_count_is_not_cut_by_the_edge_of_the_drawing():
    line = np.array([0.0, 0.0, 20.0, 100.0])
    for left, top in ((0.0, 0.0), (5.0, 40.0), (-20.0, -60.0)):
        places = CountPlaces(line[None], Taken(np.empty((0, 4))), (left, top, 40.0, 100.0))
        x, y = places.place_on(line, 20, 10)
        assert left + 10 <= x <= left + 30 and top + 5 <= y <= top + 95
    assert CountPlaces(line[None], Taken(np.empty((0, 4))), (0.0, 0.0, 15.0, 100.0)).place_on(line, 20, 10) is None


def test_the_layers_of_a_torus_fill_their_rows_and_small_ones_end_beside_the_first():
    routers, _ = torus_points((4, 4, 8))
    layers = [routers[16 * number : 16 * number + 16] for number in range(8)]
    tops = [min(y for _, y in layer) for layer in layers]
    lefts = [min(x for x, _ in layer) for layer in layers]
    assert max(tops[:4]) < min(tops[4:])  # two rows of four
    assert abs(lefts[7] - lefts[0]) < (lefts[1] - lefts[0]) / 4


@pytest.mark.parametrize(("room", "shown"), [(8, "net-01"), (5, "n…01"), (4, "n…01"), (3, "")])
def test_a_name_next_to_others_of_another_kind_keeps_some_of_its_first_word(room, shown):
    assert fitted_label("net-01", len, room, are_alike=False) == shown


@pytest.mark.parametrize(
    ("names", "word"),
    [
        (["rack-01", "rack-02", "rack-10a", "spare"], "rack-"),
        (["rack-01", "rack-02", "net-01"], "rack-"),
        (["rack-01", "net-01"], ""),
        (["spare"], ""),
        ([], ""),
    ],
)
def test_the_word_that_most_names_begin_with_may_be_left_out_of_those(names, word):
    assert usual_first_word(names) == word


def test_a_name_of_another_kind_is_not_taken_for_one_of_the_usual():
    assert [begins_with(one, "rack-") for one in ("rack-07", "net-07", "spare")] == [True, False, True]
    assert not begins_with("7", "")


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (["Group 2", "Group 10", *(f"Group {one}" for one in (1, 3, 4, 5, 6, 7, 8, 9))], "Group 1 to Group 10"),
        (["Group 1", "Group 3"], ""),
        (["Group 1", "Cell 2"], ""),
        (["Group 1", "Plant"], ""),
        ([], ""),
    ],
)
def test_names_that_are_numbered_one_by_one_are_said_by_the_first_and_the_last(names, said):
    assert first_to_last(names) == said


@pytest.mark.parametrize(
    ("names", "titles", "forms"),
    [
        (["spine-01", "spine-02"], [], [["01", "02"]]),
        (["leaf-su1-r1", "leaf-su1-r2"], ["Fabric", "SU 1"], [["su1-r1", "su1-r2"], ["r1", "r2"]]),
        (["leaf-su1-r1", "leaf-su1-r2"], ["SU 2"], [["su1-r1", "su1-r2"]]),
        (["leaf-su1-r1-1", "leaf-su1-r1-2"], ["SU 1"], [["su1-r1-1", "su1-r1-2"]]),
        (["pod1-leaf-01", "pod1-leaf-02"], ["pod-1"], [["01", "02"]]),
        (["leaf-su1-r1", "leaf-su2-r1"], ["SU 1"], [["su1-r1", "su2-r1"]]),
        (["leaf-1-a", "leaf-1-b"], ["1"], [["1-a", "1-b"]]),
        (["spine-01", "core-01"], [], []),
        (["spine-01"], [], []),
        (["alpha", "beta"], [], []),
        ([], [], []),
    ],
)
def test_the_forms_of_a_row_leave_out_what_all_names_have_and_a_title_says(names, titles, forms):
    assert list(row_forms(names, titles)) == forms
