"""Fuzzy matching: a few letters in order find a command."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from designer.analysis.selecting.fuzzy import EXACT, LOOSE, PART, PREFIX, WORDS, keywords_found, score, score_with


def best(pattern: str, texts: list[str]) -> str:
    return max((text for text in texts if score(pattern, text) is not None), key=lambda text: score(pattern, text))


COMMANDS = ["Connect Selected", "Connect Evenly", "Zoom to Fit", "Zoom to Selection", "Select All", "Save As", "Save"]


def test_initials_find_the_command():
    assert best("ce", COMMANDS) == "Connect Evenly"
    assert best("zf", COMMANDS) == "Zoom to Fit"
    assert best("sa", COMMANDS) in ("Save As", "Save", "Select All")


def test_a_whole_word_beats_scattered_letters():
    assert best("save", COMMANDS) == "Save"
    assert best("fit", COMMANDS) == "Zoom to Fit"


def test_words_may_stand_in_any_order():
    assert best("selection zoom", COMMANDS) == "Zoom to Selection"


def test_letters_out_of_order_do_not_match():
    assert score("tif", "Zoom to Fit") is None
    assert score("xyz", "Zoom to Fit") is None


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("undelete", "Undo the Last Edit, Delete"),
        ("torus", "Go to the Routing of Spray Used"),
        ("elnk", "Delete Link"),
        ("aport", "Add a Part"),
    ],
)
def test_letters_scattered_over_a_text_do_not_match(pattern, text):
    """A command that is offered for want of a better one would be run by Enter."""
    assert score(pattern, text) is None


@pytest.mark.parametrize(
    ("pattern", "text"),
    [("coev", "Connect Evenly"), ("leaf7", "leaf-07"), ("su2r3", "leaf-su2-r3"), ("g12", "gpu-0012")],
)
def test_beginnings_of_words_and_numbers_without_their_zeros_match(pattern, text):
    assert score(pattern, text) is not None


def test_a_number_is_not_found_from_its_middle_on():
    assert score("leaf7", "leaf-17") is None


@given(st.text(max_size=30), st.text(max_size=30))
def test_any_text_can_be_scored_and_matches_itself(pattern, text):
    score(pattern, text)
    assert score(text, text) is not None


def test_a_keyword_finds_a_command_only_by_its_beginning():
    assert score_with("preferences", "Settings…", "preferences options") is not None
    assert score_with("pref set", "Settings…", "preferences options") is not None
    assert score_with("references", "Settings…", "preferences options") is None
    assert score_with("po", "Settings…", "preferences options") is None  # initials are those of the name


def test_a_match_of_the_name_comes_before_one_of_keywords():
    by_name, by_keyword = score_with("theme", "Dark Theme", "colour"), score_with("theme", "Settings", "theme")
    assert by_name > by_keyword


def test_special_characters_of_a_search_are_letters_like_others():
    assert score_with("(.*", "Settings…", "anything") is None
    assert score_with("(x", "Settings…", "more (x)") is not None


def test_the_exact_name_comes_first_then_its_beginning_words_parts_and_initials():
    ranked = ["lf04", "lf04-old", "p01-lf04", "p01-xlf04", "lf01-p01-sp0-4"]
    scores = [score("lf04", one) for one in ranked]
    assert None not in scores
    assert scores == sorted(scores, reverse=True)
    assert [one.rank for one in scores] == [EXACT, PREFIX, WORDS, PART, LOOSE]


def test_a_long_name_that_has_the_letters_of_another_comes_after_that_other():
    assert score("p01-lf04", "p01-lf04") > score("p01-lf04", "p01-lf01-p01-sp01-04")
    assert score("P01-LF04 ", "p01-lf04").rank == EXACT


def test_a_word_counts_where_it_stands_best():
    assert score("lf0", "plf0-lf04").rank == WORDS


def test_two_letters_are_rather_initials_than_the_middle_of_a_word():
    assert score("ce", "Connect Evenly") > score("ce", "Trace")


def test_keywords_that_were_meant_are_those_that_the_name_does_not_match():
    keywords = ("spare", "Rack row 7", "spare part")
    assert keywords_found("leaf spare", "leaf-01", keywords) == (0,)
    assert keywords_found("row 7", "leaf-01", keywords) == (1,)
    assert keywords_found("leaf", "leaf-01", keywords) == ()
    assert keywords_found("pare", "leaf-01", keywords) == ()
