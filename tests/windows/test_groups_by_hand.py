"""Groups in the window: copied, arrayed, locked, filled and nested by the commands for devices."""

import pytest
from PySide6.QtCore import Qt

from designer.model import operations
from designer.panels.inspector.inspector_container import ContainerPage


@pytest.fixture
def unit(window, add):
    """A group of two servers on a leaf switch, selected by its title."""
    session = window.session
    leaf, *servers = add("nvidia-qm9700"), add("dgx-h100"), add("dgx-h100")
    session.push(operations.connect_evenly(session.design, servers, [leaf]))
    session.push(operations.group(session.design, [leaf, *servers], "SU 1", "scalable unit"))
    (group,) = session.design.groups
    session.select([group])
    return group


def names(window):
    return [one.name for one in window.session.design.groups.values()]


def test_a_group_is_duplicated_as_a_group_that_is_selected_then(window, unit):
    window.actions_table.trigger("edit.duplicate")
    design = window.session.design
    assert names(window) == ["SU 1", "SU 2"]
    assert [design.groups[one].name for one in window.session.selection] == ["SU 2"]
    assert len(design.links) == 2 * len(design.links_of(design.members(unit)[0]))
    window.actions_table.trigger("edit.duplicate")
    xs = [[design.placements[one].x for one in design.members(group)] for group in design.groups]
    assert [b - a for a, b in zip(xs[0], xs[1], strict=True)] == [b - a for a, b in zip(xs[1], xs[2], strict=True)]


def test_a_copied_group_stands_clear_of_the_frame_of_its_original(window, unit):
    window.actions_table.trigger("edit.duplicate")
    window.views.canvas.zoom_to_fit()
    frames = [one.rect for one in window.views.canvas.fabric.composition.containers]
    one, other = sorted(frames)
    assert one[2] < other[0] or one[3] < other[1] or other[3] < one[1], frames


def test_a_group_is_copied_pasted_and_cut(window, unit):
    window.actions_table.trigger("edit.copy")
    window.actions_table.trigger("edit.paste")
    assert names(window) == ["SU 1", "SU 2"]
    window.session.select([unit])
    window.actions_table.trigger("edit.cut")
    assert names(window) == ["SU 2"] and len(window.session.design.devices) == 3


def test_a_group_becomes_an_array_of_groups(window, unit, qtbot):
    window.actions_table.trigger("arrange.array")
    bar = window.construction
    qtbot.waitUntil(lambda: window.views.canvas.fabric.ghosts.shown is not None)
    bar.accept()
    assert names(window) == ["SU 1", "SU 2", "SU 3", "SU 4"]
    lefts = sorted(one.rect[0] for one in window.views.canvas.fabric.composition.containers)
    rights = sorted(one.rect[2] for one in window.views.canvas.fabric.composition.containers)
    assert all(left > right for left, right in zip(lefts[1:], rights, strict=False)), "frames stand clear"


def test_a_group_is_locked_with_all_that_is_in_it(window, unit):
    design = window.session.design
    window.actions_table.trigger("arrange.lock")
    assert all(design.placements[one].locked for one in design.members(unit))
    window.actions_table.trigger("arrange.lock")
    assert not any(one.locked for one in design.placements.values())


def test_ctrl_g_nests_groups_and_add_to_group_fills_one(window, unit, add):
    session, design = window.session, window.session.design
    more = add("dgx-h100")
    session.select([unit, more])
    window.actions_table.trigger("arrange.add_to_group")
    assert more in design.members(unit) and len(design.members(unit)) == 4
    session.select([unit])
    window.actions_table.trigger("edit.duplicate")
    session.select([*design.groups, more])
    window.actions_table.trigger("arrange.group")
    outer = next(one for one in design.groups.values() if one.name == "group-1")
    assert sorted(design.groups[one].name for one in design.members(outer.id)) == ["SU 1", "SU 2"]
    assert more in design.members(unit), "what is in a selected group stays there"


def test_a_new_group_is_selected_with_the_cursor_in_its_name(window, add, qtbot):
    servers, canvas = [add("dgx-h100"), add("dgx-h100")], window.views.canvas
    window.session.select(servers)
    window.actions_table.trigger("arrange.group")
    (group,) = window.session.design.groups
    assert window.session.selection == {group} and canvas.name_editor.entity_id == group
    qtbot.keyClicks(canvas.name_editor, "SU 1")
    qtbot.keyClick(canvas.name_editor, Qt.Key.Key_Return)
    assert names(window) == ["SU 1"]
    assert set(window.session.design.devices) == set(servers), "what is typed is no shortcut"


def test_the_kind_of_a_group_is_chosen_in_the_inspector(window, unit, qtbot):
    field = window.docks.inspector.findChild(ContainerPage).kind_field
    assert field.value == "scalable unit"
    field.setCurrentIndex(field.findText("Pod"))
    field.activated.emit(field.currentIndex())
    assert window.session.design.groups[unit].kind == "pod"
    rack = window.session.catalog.types["rack-42u"]
    window.session.push(operations.add_rack(window.session.design, rack, 0.0, 900.0))
    window.session.select(list(window.session.design.racks))
    qtbot.waitUntil(field.isHidden)
