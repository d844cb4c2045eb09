"""Walls, trays and other fixtures are found by expressions and listed like everything else."""

import pytest

from designer.analysis.selecting.finder import Finder
from designer.analysis.selecting.listing import listing
from designer.model import operations
from designer.model.design import Design
from designer.model.furnishing import add_fixture, add_tray


@pytest.fixture
def design():
    design = Design()
    design.apply(add_fixture(design, "column", (0, 0, 1, 2), "B4"))
    design.apply(add_fixture(design, "wall", (0, 0, 8, 0.2)))
    design.apply(add_tray(design, [(0, 0), (3, 0), (3, 4)]))
    design.apply(operations.add_tags(design, ["f1"], ["load-bearing"]))
    design.apply(operations.set_field(design, ["f2"], "Owner", "landlord"))
    return design


@pytest.mark.parametrize(
    ("expression", "ids"),
    [
        ("kind:column", ("f1",)),
        ("kind:wall,tray", ("f2", "f3")),
        ("B4", ("f1",)),
        ("name:tray*", ("f3",)),
        ("tag:load-bearing", ("f1",)),
        ("Owner:landlord", ("f2",)),
        ("id:f3", ("f3",)),
    ],
)
def test_an_expression_finds_fixtures(design, expression, ids):
    assert Finder(design).find(expression).ids == ids


def test_fixtures_are_listed_with_their_measures(design):
    found = Finder(design).find("name:*")
    assert found.text == "3 fixtures"
    column, _, tray = listing(design, found.ids).as_json()["fixtures"]
    assert (column["name"], column["x_m"], column["depth_m"], column["length_m"]) == ("B4", 0.5, 2.0, None)
    assert (tray["kind"], tray["x_m"], tray["length_m"], tray["corners"]) == ("tray", None, 7.0, "0,0 3,0 3,4")
    assert list(column["tags"]) == ["load-bearing"]
