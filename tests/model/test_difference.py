"""The difference of two designs makes the one equal to the other, and back."""

import pytest

from designer.model.design import Design, from_entities
from designer.model.difference import difference
from designer.paths import resources_dir
from designer.storage import document

EXAMPLES = resources_dir().parent / "examples"


@pytest.fixture(scope="module")
def designs() -> tuple[Design, Design]:
    return document.load(EXAMPLES / "fat-tree-16-2to1.fabric"), document.load(EXAMPLES / "faults.fabric")


def test_a_difference_turns_one_design_into_the_other_and_undo_turns_it_back(designs):
    one, other = (design.snapshot() for design in designs)
    before = list(one.entities())
    edit = difference(one, other, "Reload")
    one.apply(edit)
    assert list(one.entities()) == list(other.entities())
    one.apply(edit.inverted())
    assert list(one.entities()) == before


def test_equal_designs_differ_by_nothing(designs):
    same = from_entities([e for e in designs[0].entities() if e.id != "settings"], designs[0].settings)
    assert not difference(designs[0], same, "Reload")


def test_only_what_differs_is_changed(designs):
    whole = designs[0]
    link = next(iter(whole.links.values()))
    less = from_entities([e for e in whole.entities() if e.id not in ("settings", link.id)], whole.settings)
    (change,) = difference(less, whole, "Reload").changes
    assert (change.before, change.after) == (None, link)
