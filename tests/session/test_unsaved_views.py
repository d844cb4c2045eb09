"""Colors and labels of the view are saved with the design, and nobody is asked about them."""

import pytest

from designer.model import collapsing, operations
from designer.model.looks import toggle_label
from designer.storage import document


@pytest.fixture
def saved(open_session, tmp_path):
    session = open_session("fat-tree", switch="generic-switch-8x400g", server="generic-host", servers=8, racks="none")
    session.push(operations.set_settings(session.design, name="pod"))
    session.save(tmp_path / "pod.fabric")
    return session


def look(session, **values):
    session.push(operations.set_settings(session.design, **values))


def test_colors_and_labels_leave_a_design_as_saved_and_an_edit_does_not(saved):
    look(saved, color_devices_by="rail")
    look(saved, color_links_by="speed")
    look(saved, link_lines="orthogonal")
    saved.push(toggle_label(saved.design, "unit"))
    assert not saved.dirty
    look(saved, name="other")
    assert saved.dirty
    saved.undo_stack.undo()
    assert not saved.dirty
    look(saved, color_devices_by="role", name="both")
    assert saved.dirty


def test_collapsing_leaves_a_design_as_saved_and_another_name_does_not(open_session, tmp_path):
    saved = open_session("k-ary-fat-tree", k=4)
    saved.save(tmp_path / "pods.fabric")
    saved.push(collapsing.collapse_all(saved.design))
    assert collapsing.collapsed_keys(saved.design) and not saved.dirty
    saved.push(collapsing.expand_all(saved.design))
    saved.push(collapsing.collapse_kind(saved.design, [next(iter(saved.design.devices))]))
    assert not saved.dirty
    group = next(iter(saved.design.groups))
    saved.push(operations.rename(saved.design, group, "other"))
    assert saved.dirty


def test_they_are_saved_with_the_design(saved):
    look(saved, color_devices_by="rail")
    saved.save(saved.path)
    assert document.load(saved.path).settings.color_devices_by == "rail"
    saved.undo_stack.undo()
    assert not saved.dirty
    look(saved, name="other")
    assert saved.dirty  # though the step after which it was saved is none of the stack any more
    saved.undo_stack.undo()
    assert not saved.dirty


def test_they_can_be_undone(saved):
    look(saved, color_devices_by="rail")
    saved.undo_stack.undo()
    assert saved.design.settings.color_devices_by != "rail"
