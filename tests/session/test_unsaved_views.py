"""Colors, labels, lines and what is collapsed are saved with the design: to lose them is asked about, as any change."""

import pytest

from designer.model import collapsing, operations
from designer.model.looks import toggle_label, toggle_link_label
from designer.storage import document


@pytest.fixture
def saved(open_session, tmp_path):
    session = open_session("fat-tree", switch="generic-switch-8x400g", server="generic-host", servers=8, racks="none")
    session.push(operations.set_settings(session.design, name="pod"))
    session.save(tmp_path / "pod.fabric")
    return session


def look(session, **values):
    session.push(operations.set_settings(session.design, **values))


@pytest.mark.parametrize(
    "edit",
    [
        lambda design: operations.set_settings(design, color_devices_by="rail"),
        lambda design: operations.set_settings(design, color_links_by="speed"),
        lambda design: operations.set_settings(design, link_lines="orthogonal"),
        lambda design: toggle_label(design, "unit"),
        lambda design: toggle_link_label(design, "cable"),
        collapsing.collapse_all,
    ],
)
def test_what_the_file_keeps_of_the_look_is_unsaved_until_it_is_saved_or_undone(saved, edit):
    heard = []
    saved.dirty_changed.connect(heard.append)
    saved.push(edit(saved.design))
    kept = document.encode(saved.design)
    assert saved.dirty
    saved.undo_stack.undo()
    assert not saved.dirty
    saved.undo_stack.redo()
    assert saved.dirty
    saved.save(saved.path)
    assert not saved.dirty and heard == [True, False, True, False]
    assert document.encode(document.load(saved.path)) == kept


def test_the_color_that_is_chosen_already_is_no_change(saved):
    look(saved, color_devices_by=saved.design.settings.color_devices_by)
    assert not saved.dirty and saved.undo_stack.isClean()


def test_what_was_saved_and_undone_is_unsaved(saved):
    look(saved, color_devices_by="rail")
    saved.save(saved.path)
    saved.undo_stack.undo()
    assert saved.dirty
    look(saved, color_devices_by="role")
    saved.undo_stack.undo()
    assert saved.dirty, "the file has the colors of a step that is none of the stack any more"


def test_going_to_a_bookmark_leaves_a_design_as_saved(saved):
    look(saved, color_devices_by="rail")
    saved.push(operations.add_bookmark(saved.design, "Rails"))
    look(saved, color_devices_by="kind")
    saved.save(saved.path)
    (one,) = saved.design.bookmarks.values()

    def go():
        assert saved.attempt(lambda: operations.look_edit(saved.design, one), is_look=True)

    go()
    assert saved.design.settings.color_devices_by == "rail" and not saved.dirty
    look(saved, name="other")
    assert saved.dirty
    saved.undo_stack.undo()
    assert not saved.dirty
    saved.save(saved.path)
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


def test_an_edit_that_goes_on_from_a_bookmark_is_unsaved(saved):
    saved.push(operations.set_settings(saved.design, color_devices_by="rail"), is_look=True)
    assert not saved.dirty
    saved.push(operations.set_settings(saved.design, name="other"), goes_on=True)
    assert saved.dirty
