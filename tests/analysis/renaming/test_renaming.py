"""Renaming many: patterns, lists, find and replace, the order as drawn, and what cannot be."""

import contextlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from designer.analysis.renaming import replacing as guard
from designer.analysis.renaming.pattern import LONGEST, read_pattern
from designer.analysis.renaming.renaming import RenameOptions, drawn_order, read_names, renaming
from designer.analysis.renaming.replacing import check_regular, replacing
from designer.analysis.selecting.finder import Finder
from designer.errors import ParameterError
from designer.model import operations
from designer.storage import document

SUPERPOD = Path(__file__).parents[3] / "examples" / "superpod-h100-4su.fabric"


@pytest.fixture(scope="module")
def finder():
    return Finder(document.load(SUPERPOD))


@pytest.fixture
def design(finder):
    return finder.index.design.snapshot()


def new_names(finder, expression, names=(), **options):
    made = renaming(finder.index.design, finder.find(expression).ids, RenameOptions(**options), names)
    return [row.new for row in made.rows], made


@pytest.mark.parametrize(
    ("expression", "pattern", "first"),
    [
        ("role:leaf", "tor-{su}-r{rail:02}", ["tor-1-r01", "tor-1-r02"]),
        ("role:leaf", "{role}-{n:03}", ["leaf-001", "leaf-002"]),
        ("role:leaf", "{name}.dc1", ["leaf-su1-r1.dc1", "leaf-su1-r2.dc1"]),
        ("role:leaf su:2", "{rack}-u{u}", ["net-02-u42", "net-02-u41"]),
        ("role:spine", "{type:lower}-{n}-{network:upper}", ["qm9700-1-COMPUTE", "qm9700-2-COMPUTE"]),
        ("role:spine", "{kind}{{{n:2}}}", ["switch{1}", "switch{2}"]),
        ("kind:rack", "R{n:02}", ["R01", "R02"]),
        ("kind:group SU", "Pod {n}", ["Pod 1", "Pod 2"]),
        ("C0001 or C0002", "{cable} {a} {b}", ["C0001 leaf-su1-r1 spine-01", "C0002 leaf-su1-r1 spine-01"]),
        ("role:leaf group:*2", "{group}/{rail}", ["SU 2/1", "SU 2/2"]),
    ],
)
def test_a_pattern_gives_names_of_facts(finder, expression, pattern, first):
    names, made = new_names(finder, expression, pattern=pattern)
    assert names[:2] == first
    assert made.edit is not None and len(made.edit.changes) == made.n_changed == len(names)


def test_one_edit_renames_all_and_undo_restores_the_bytes(finder, design):
    before = document.encode(design)
    made = renaming(design, finder.find("role:leaf").ids, RenameOptions(pattern="tor-{n:02}"))
    assert made.edit.label == "Rename 32 devices" and made.summary == "32 of 32 names change"
    design.apply(made.edit)
    assert design.find("tor-32").role == "leaf"
    design.apply(made.edit.inverted())
    assert document.encode(design) == before


def test_names_follow_the_drawing_row_by_row(design):
    leafs = [design.find(f"leaf-su1-r{n}").id for n in (1, 2, 3, 4)]
    x, y = design.placements[leafs[0]].x, design.placements[leafs[0]].y
    places = {leafs[0]: (x + 300, y), leafs[1]: (x, y + 5), leafs[2]: (x + 100, y + 500), leafs[3]: (x, y + 490)}
    design.apply(operations.move(design, places))
    links = [next(iter(design.links))]
    assert drawn_order(design, [*links, *leafs]) == [leafs[1], leafs[0], leafs[3], leafs[2], *links]
    assert drawn_order(design, leafs[::-1]) == drawn_order(design, leafs)
    group = design.device(leafs[0]).group_id
    assert drawn_order(design, [leafs[2], group])[0] == group


def test_counting_begins_where_it_is_told(finder):
    assert new_names(finder, "role:spine", pattern="s{n}", start=17)[0][0] == "s17"


@pytest.mark.parametrize(
    ("expression", "options", "fault"),
    [
        ("role:leaf", {"pattern": "leaf-{su}"}, "8 devices would have this name"),
        ("leaf-su1-r1", {"pattern": "spine-01"}, "another device has this name"),
        ("role:spine", {"pattern": "{role}-{rail}"}, "it has no rail"),
        ("role:spine", {"find": "spine-", "replacement": "", "pattern": "spine-"}, "cannot be empty"),
        ("role:spine", {"pattern": "{n}" + "x" * 200}, "can have 200 characters at most, not 201"),
        ("role:spine", {"pattern": "{n}\x1b"}, "holds a line break or control character"),
        ("kind:rack", {"pattern": "{role}"}, "it has no role"),
        ("role:spine", {"pattern": "{rack:02}{n}"}, "{rack:02} is for numbers, and its rack is net-05"),
    ],
)
def test_what_cannot_be_is_said_in_its_row_and_nothing_is_done(finder, expression, options, fault):
    _, made = new_names(finder, expression, **options)
    assert made.edit is None
    assert fault in made.faults[0].fault
    assert "cannot be used" in made.summary


def test_names_may_change_places_and_others_may_keep_theirs(finder):
    names, made = new_names(finder, "leaf-su1-r1 or leaf-su1-r2", names=("leaf-su1-r2", "leaf-su1-r1"))
    assert names == ["leaf-su1-r2", "leaf-su1-r1"] and made.edit is not None
    assert not new_names(finder, "role:leaf")[1].edit


def test_labels_of_links_may_be_alike_and_empty(finder, design):
    ids = [one.id for one in design.links_of(design.find("spine-01").id)[:3]]
    made = renaming(design, [*ids, next(iter(design.modules))], RenameOptions(pattern="trunk"))
    assert [row.new for row in made.rows] == ["trunk"] * 3 and made.edit is not None
    design.apply(made.edit)
    made = renaming(design, ids, RenameOptions(find="trunk"))
    assert [row.new for row in made.rows] == [""] * 3 and made.edit is not None


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("{rok}", "{rok} is no field: there is {name}, {n}"),
        ("{name!r}", "{name} is no field"),
        ("{name.__class__}", "is no field"),
        ("{n:>999999999}", "has no such form"),
        ("{n", "a brace is not closed"),
        ("n}", "a brace is not closed"),
        ("{}", "is no field"),
        ("x" * (LONGEST + 1), "500 characters at most"),
    ],
)
def test_a_pattern_that_cannot_be_read_is_refused(pattern, message):
    with pytest.raises(ParameterError) as refused:
        read_pattern(pattern)
    assert message in str(refused.value)


@given(st.text(max_size=40))
def test_whatever_pattern_is_typed_is_read_or_refused(text):
    with contextlib.suppress(ParameterError):
        read_pattern(text).name({"name": "leaf"})


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ({"find": "su1-", "replacement": "a."}, "leaf-a.r1"),
        ({"find": "LEAF"}, "leaf-su1-r1"),
        ({"find": "LEAF", "replacement": r"\1", "ignores_case": True}, r"\1-su1-r1"),
        ({"find": r"su(\d)-r(\d)", "replacement": r"\2.\1", "is_regular": True}, "leaf-1.1"),
        ({"find": ".", "replacement": "_"}, "leaf-su1-r1"),
        ({"find": "^leaf|r", "replacement": "x", "is_regular": True}, "x-su1-x1"),
        ({"pattern": "{role} {n}", "find": " ", "replacement": "-"}, "leaf-1"),
    ],
)
def test_find_and_replace_work_on_what_the_pattern_gives(finder, options, name):
    assert new_names(finder, "leaf-su1-r1", **options)[0] == [name]


@pytest.mark.parametrize(
    ("find", "message"),
    [
        ("(", "is no regular expression"),
        ("(a+)+$", "a repeated group"),
        ("(a|a)*", "a repeated group"),
        ("(?:a){9}", "a repeated group"),
        (".*.*.*.*x", "may repeat 3 times"),
        ("a?" * 11, "may have 10 of ? and |"),
        ("(a|a)" * 11, "may have 10 of ? and |"),
        ("x" * 201, "200 characters at most"),
        ("a{99999999999}", "is no regular expression"),
    ],
)
def test_an_expression_that_is_faulty_or_could_take_for_ever_is_refused(find, message):
    with pytest.raises(ParameterError) as refused:
        replacing(find, "", is_regular=True)
    assert message in str(refused.value)


@pytest.mark.parametrize(
    "find", [r"[)+]*\)+", r"\*\*\*\*\*", "[*+?|{}]", "(?i:leaf)?-", "a+?b*?", "[]*+*+*]x", r"(a)\1"]
)
def test_harmless_expressions_are_taken(find):
    check_regular(find)


def test_a_replacement_that_names_no_group_is_refused(finder):
    with pytest.raises(ParameterError, match="invalid group reference"):
        new_names(finder, "role:leaf", find="a", replacement=r"\3", is_regular=True)


def test_names_that_take_too_long_together_are_given_up(finder, monkeypatch):
    monkeypatch.setattr(guard, "TIME_MOST_S", -1.0)
    with pytest.raises(ParameterError, match="takes too long"):
        new_names(finder, "role:leaf", find="a", is_regular=True)


def test_the_worst_expression_that_is_taken_ends():
    assert replacing(".*.*.*x", "", is_regular=True)("a" * 60) == "a" * 60


def test_a_pasted_column_is_read_line_by_line_and_counted(finder):
    assert read_names("a\r\n b\tother\n\nc\n\n") == ("a", "b", "", "c")
    assert new_names(finder, "spine-01 or spine-02", names=read_names("x\ny"), pattern="{name}-{n}")[0] == [
        "x-1",
        "y-2",
    ]
    with pytest.raises(ParameterError, match="1 name for 2 things: give one for each"):
        new_names(finder, "spine-01 or spine-02", names=("x",))
    assert new_names(finder, "spine-01 or spine-02", names=("x", ""))[1].faults[0].fault == "it has no name"


def test_nothing_to_rename_is_refused(finder):
    with pytest.raises(ParameterError, match="select devices, racks, groups or links to rename first"):
        renaming(finder.index.design, finder.find("kind:nic").ids, RenameOptions())


def test_names_that_are_otherwise_alike_are_counted_by_themselves(finder):
    names, made = new_names(finder, "role:leaf su:1 or role:spine", pattern="p2-{role}-{i:02}")
    assert names[:2] == ["p2-spine-01", "p2-spine-02"]
    assert [one for one in names if "leaf" in one] == [f"p2-leaf-{number:02}" for number in range(1, 9)]
    assert made.edit is not None
    names, _ = new_names(finder, "role:leaf", pattern="su{su}-{i}", start=0)
    assert names[:9] == [*(f"su1-{number}" for number in range(8)), "su2-0"]
    names, made = new_names(finder, "role:leaf or role:spine", pattern="{rail}-{i}")
    assert made.edit is None and {row.fault for row in made.faults} == {"it has no rail"}
