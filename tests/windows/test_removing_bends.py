"""Bends of lines are removed by a command, from the menus and the palette, or one by one with Del."""

import pytest

from designer.model.bending import bend_links
from designer.topologies import rail_optimized


@pytest.fixture
def bent(window, catalog):
    """The ids of the links of a line with two bends, which are selected."""
    session = window.session
    session.push(rail_optimized.build(session.design, rail_optimized.RailOptimizedParameters(servers=4), catalog))
    link = next(iter(session.design.links.values()))
    session.push(bend_links(session.design, [link.id], [(5.0, 5.0), (90.0, 40.0)], link.a.device_id))
    session.select([link.id])
    return [link.id]


def bends(window, ids):
    return [window.session.design.links[one].bends for one in ids]


def test_remove_bends_lets_the_line_find_its_own_way_as_one_step_to_undo(window, bent):
    actions = window.actions_table
    actions.before_menu()
    assert actions["lines.remove_bends"].isEnabled()
    actions.trigger("lines.remove_bends")
    assert bends(window, bent) == [()]
    actions.before_menu()
    assert not actions["lines.remove_bends"].isEnabled()
    actions.trigger("edit.undo")
    assert bends(window, bent) == [((5.0, 5.0), (90.0, 40.0))]


def test_del_removes_the_bend_that_was_clicked_and_the_links_when_none_was(window, bent):
    window.session.held_bend = (90.0, 40.0)
    window.actions_table.trigger("edit.delete")
    assert bends(window, bent) == [((5.0, 5.0),)]
    window.session.held_bend = (90.0, 40.0)  # of a bend that is there no more
    window.actions_table.trigger("edit.delete")
    assert not window.session.design.links.keys() & set(bent)


def test_del_removes_all_that_is_selected_since_a_bend_was_clicked(window, bent):
    window.session.held_bend = (90.0, 40.0)
    window.actions_table.trigger("edit.select_all")
    window.actions_table.trigger("edit.delete")
    assert not window.session.design.links and not window.session.design.devices


def test_the_preview_of_tidy_says_whose_bends_go(window, bent):
    window.actions_table.trigger("edit.select_none")
    window.actions_table.trigger("arrange.tidy")
    assert "Bends of 1 link are removed." in window.construction.text.text()
