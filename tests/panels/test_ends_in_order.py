"""Two names of what a link joins stand as people count, wherever a text has them."""

from dataclasses import replace

import numpy as np
import pytest

from designer.analysis.cable_places import ends_in_order
from designer.analysis.trail import trail
from designer.canvas.hits import Target
from designer.canvas.tooltips import tooltip_of
from designer.drawing.composition import Composition
from designer.drawing.link_ends import ends_text
from designer.model import operations
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.panels.inspector.inspector_links import LinksPage
from designer.session.session import Session
from designer.validation.inspection import Inspection


@pytest.mark.parametrize(
    ("first", "second", "ordered"),
    [
        ("Group 18", "Group 17", ("Group 17", "Group 18")),
        ("Group 9", "Group 10", ("Group 9", "Group 10")),
        ("Group 10", "Group 9", ("Group 9", "Group 10")),
        ("router-1-0", "router-0-3", ("router-0-3", "router-1-0")),
        ("server-1", "leaf-1", ("server-1", "leaf-1")),
        ("spine-1", "leaf-2", ("spine-1", "leaf-2")),
        ("leaf-3", "leaf-3", ("leaf-3", "leaf-3")),
    ],
)
def test_names_that_differ_in_numbers_alone_stand_as_people_count(first, second, ordered):
    assert ends_in_order(first, second) == ordered


@pytest.fixture
def pair(catalog):
    """Two routers with two links, the higher number drawn, made and linked first; with their links."""
    design = Design()
    for x, name in ((0.0, "router-10"), (300.0, "router-9")):
        design.apply(operations.add_device(design, catalog.get("nvidia-qm9700"), x, 0.0, catalog_types=catalog.types))
        made = list(design.devices.values())[-1]
        design.apply(Edit("Rename", (Change(made, replace(made, name=name)),)))
    design.apply(operations.connect_devices(design, *design.devices, 2))
    return design


def test_the_trail_of_a_link_names_its_ends_as_people_count(pair):
    assert trail(pair, list(pair.links)[:1])[-1].title == "router-9 – router-10"


def test_a_hot_spot_names_the_boxes_as_people_count(pair):
    assert ends_text(Composition(pair).projection, np.arange(2)) == "router-9 – router-10"


def test_a_rule_names_two_devices_as_people_count(pair):
    assert Inspection(pair).pair_name(*pair.devices) == "router-9 to router-10"


def test_the_tooltip_of_links_that_lie_on_each_other_names_the_boxes_as_people_count(pair):
    assert "<b>router-9 – router-10</b>" in tooltip_of(pair, Target(link_ids=tuple(pair.links)), None, "")


def test_the_page_of_several_links_names_the_devices_as_people_count(pair, catalog, qtbot):
    session = Session(catalog, pair)
    session.select(pair.links)
    page = LinksPage(session)
    qtbot.addWidget(page)
    page.refresh()
    assert page.between.text() == "router-9 to router-10"
    session.close()
