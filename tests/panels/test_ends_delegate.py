"""A link in a narrow column: what tells it from its neighbors stays."""

import pytest

from designer.panels.widgets.ends_delegate import fitted, fitted_link_name, fitted_way, written

ENDS = ("gpu-001", "rail1", "leaf-su1-r1", "1/1")


@pytest.mark.parametrize(
    ("room", "text"),
    [
        (31, "gpu-001 rail1 → leaf-su1-r1 1/1"),
        (30, "gpu-001 rail1 → lea…su1-r1 1/1"),
        (28, "gpu-001 rail1 → l…su1-r1 1/1"),
        (27, "gp…001 rail1 → l…su1-r1 1/1"),
        (26, "g…001 rail1 → l…su1-r1 1/1"),
        (1, "g…001 rail1 → …su1-r1 1/1"),
    ],
)
def test_names_are_elided_and_ports_are_not(room, text):
    assert fitted(ENDS, len, room) == text
    assert written(ENDS) == "gpu-001 rail1 → leaf-su1-r1 1/1"


def test_links_of_one_switch_stay_apart_however_narrow():
    links = [(f"server-{n:02d}", "rail1", "switch-03", f"{n}/1") for n in range(1, 33)]
    assert len({fitted(ends, len, 10) for ends in links}) == len(links)


def test_long_names_lose_their_first_words_before_a_port_is_cut():
    ends = ("pod1-srv-01", "rail1", "pod1-leaf-01", "1/1")
    assert fitted(ends, len, 34) == "p…1-srv-01 rail1 → p…1-leaf-01 1/1"
    assert fitted(ends, len, 30) == "…srv-01 rail1 → …leaf-01 1/1"


@pytest.mark.parametrize(
    ("room", "text"),
    [
        (38, "leaf-su1-r1 → spine-03 → leaf-su4-r1"),
        (30, "l…su1-r1 → spine-03 → l…su4-r1"),
        (26, "l…su1-r1 → s…03 → l…su4-r1"),
        (24, "l…su1-r1 → … → l…su4-r1"),
        (1, "l…su1-r1 → … → l…su4-r1"),
    ],
)
def test_a_way_keeps_its_first_and_its_last_switch(room, text):
    assert fitted_way(("leaf-su1-r1", "spine-03", "leaf-su4-r1"), len, room) == text


def test_names_of_links_in_reports_stay_apart_and_other_names_are_as_they_are():
    names = [f"gpu-00{n} port rail{rail} to leaf-su1-r{rail} port 1/{n}" for n in range(1, 5) for rail in range(1, 9)]
    assert [fitted_link_name(one, len, 50) for one in names] == names
    assert fitted_link_name(names[0], len, 31) == "gpu-001 rail1 → leaf-su1-r1 1/1"
    assert len({fitted_link_name(one, len, 10) for one in names}) == len(names)
    assert fitted_link_name("leaf-su1-r1 of a long name", len, 5) == "leaf-su1-r1 of a long name"
