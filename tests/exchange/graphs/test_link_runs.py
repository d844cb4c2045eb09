"""Lists of links: every name and fact comes back, rules join what counts on, and what is no list is refused."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from designer.exchange.graphs.link_runs import LONGEST_LINE, MOST_OF_RUN, ListedLink, link_lines, read_line

ANY = st.one_of(
    st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\n"), max_size=12),
    st.from_regex(r"(swp|--|a b|\[|\"|;|-)?[0-9]{0,3}(\[1-4\]|-1|/)?[0-9]{0,11}", fullmatch=True),
)
NAMES = ANY.filter(bool)
FACTS = st.dictionaries(st.sampled_from(("cable", "length_m")), NAMES, max_size=2)
LINKS = st.lists(st.builds(ListedLink, ANY, ANY, ANY, ANY, FACTS), max_size=12)


def flat(links):
    return Counter((one.a_device, one.a_port, one.z_device, one.z_port, *sorted(one.facts.items())) for one in links)


def back(text):
    return [link for line in text.split("\n") if line for link in read_line(line)]


@given(links=LINKS, joined=st.booleans())
def test_any_list_comes_back(links, joined):
    assert flat(back(link_lines(links, joined=joined))) == flat(links)


@given(
    start=st.integers(0, 200),
    step=st.integers(-40, 40),
    digits=st.integers(1, 4),
    count=st.integers(1, 30),
    before=NAMES,
    after=ANY,
)
def test_what_counts_on_comes_back_however_many_digits_it_has(start, step, digits, count, before, after):
    numbers = [start + number * step for number in range(count)]
    links = [ListedLink("", f"{before}{one:0{digits}}{after}", "spine", f"{at}", {}) for at, one in enumerate(numbers)]
    assert flat(back(link_lines(links))) == flat(links)


def test_a_rule_joins_what_counts_on():
    links = [ListedLink(f"leaf-{n:02}", "swp1s0", "spine", f"{2 * n}", {"cable": f"C{7 * n:04}"}) for n in range(1, 65)]
    (line,) = link_lines(links).split("\n")
    assert line == "leaf-[01-64] swp1s0 -- spine [2-128:2]; cable=C[0007-0448:7]"
    falling = [ListedLink("", f"{n}", "", "p", {}) for n in (12, 11, 10)]
    assert link_lines(falling) == "[10-12] -- p"
    crossed = [ListedLink("", f"{n}", "", f"{20 - n}", {}) for n in (9, 10, 11)]
    assert link_lines(crossed) == "[9-11] -- [11-9]"


def test_a_run_ends_where_the_rule_does():
    links = [ListedLink("", f"p{n}", "", f"q{m}", {}) for n, m in ((1, 1), (2, 2), (3, 3), (4, 9), (5, 10))]
    assert link_lines(links) == "p[1-3] -- q[1-3]\np[4-5] -- q[9-10]"
    below = [ListedLink("", f"b{n}", "", f"a{m}", {}) for n, m in ((1, 1), (2, 0))]
    assert flat(back(link_lines([*below, ListedLink("", "b3", "", "a-1", {})]))) == flat(
        [*below, ListedLink("", "b3", "", "a-1", {})]
    )


def test_no_run_is_longer_than_one_is_read():
    links = [ListedLink("", f"{n}", "", f"{n}", {}) for n in range(MOST_OF_RUN + 5)]
    lines = link_lines(links).split("\n")
    assert len(lines) == 2 and flat(back("\n".join(lines))) == flat(links)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "a",
        "a b",
        "a -- ",
        "a b c -- d",
        'a -- "b',
        'a" -- b',
        "a -- b; cable",
        "a -- b; =x",
        "p[1-3] -- q[1-4]",
        f"p[1-{MOST_OF_RUN + 1}] -- q",
        "p[1-999999999] -- q[1-999999999]",
        "p[1-4:0] -- q[1-4]",
        "p[1-4:2] -- q",
        "p -- q; length_m=[1-3:0]",
        f"{'p' * LONGEST_LINE} -- q",
    ],
)
def test_what_is_no_list_is_none(line):
    assert read_line(line) is None


@pytest.mark.timeout(5)
def test_lines_made_to_be_slow_are_not():
    for text in ('"' * 1900, '""' * 900 + " -- ", "a " * 900, "a -- b" + "; x=1" * 380 + ";", " " * 1900, "-" * 1900):
        for _ in range(50):
            read_line(text)


def test_brackets_in_quotation_marks_count_nothing():
    (link,) = read_line('"swp[1-4]" -- "a ""b"" ; c"')
    assert (link.a_port, link.z_port) == ("swp[1-4]", 'a "b" ; c')
    assert link_lines([link]) == '"swp[1-4]" -- "a ""b"" ; c"'
