"""Things are taken as failed from the menus: by themselves, with their rack, with their plane."""

import pytest

from designer.model import operations
from designer.regeneration import recipes
from designer.topologies.rail_optimized import RailOptimizedParameters
from designer.windows.commands import menus


@pytest.fixture
def design(window):
    session = window.session
    family = recipes.family_named("rail-optimized")
    parameters = RailOptimizedParameters(servers=8, servers_per_su=8, planes=2)
    session.push(recipes.generated(session.design, family, parameters, session.catalog))
    return session.design


def test_a_switch_its_rack_and_its_plane_fail_and_are_restored(window, design):
    session, trigger = window.session, window.actions_table.trigger
    leaf = next(switch for switch in design.switches() if switch.role == "leaf")
    session.select([leaf.id])
    trigger("simulate.fail")
    assert session.failed == {leaf.id}
    links = sum(leaf.id in (one.a.device_id, one.b.device_id) for one in design.links.values())
    assert links > 1
    assert window.notice.text.text() == f"{leaf.name} marked as failed: {links} links out of use"
    trigger("simulate.restore")
    assert window.notice.text.text() == f"{leaf.name} restored: {links} links back in use"
    session.select([next(iter(design.links))])
    trigger("simulate.fail")
    assert window.notice.text.text() == "1 link marked as failed"
    trigger("simulate.restore")
    session.select([leaf.id])
    trigger("simulate.fail")
    trigger("simulate.fail_plane")
    assert session.failed == {one.id for one in design.switches() if one.plane == leaf.plane}
    trigger("simulate.restore_all")
    trigger("simulate.fail_rack")
    rack = design.placements[leaf.id].rack_id
    assert session.failed == set(design.mounted(rack)) & set(design.devices)
    trigger("simulate.restore")
    assert leaf.id not in session.failed and session.failed
    session.select([rack])
    trigger("simulate.restore")
    assert not session.failed


def test_a_selected_group_fails_with_all_it_holds(window, design):
    group = next(group for group in design.groups.values() if group.kind == "scalable unit")
    window.session.select([group.id])
    window.actions_table.trigger("simulate.fail")
    assert len(window.session.failed) >= 8


def test_the_context_menu_offers_failing_and_the_panel_opens(window, design):
    window.session.select([design.servers()[0].id])
    menu = menus.context_menu(window, window.actions_table, on_selection=True)
    assert "Failures" in [action.text() for action in menu.actions()]
    window.actions_table.trigger("failures.sweep")
    assert window.docks.shown("failures")


def test_failing_is_undone_by_itself_under_its_name(window, design):
    session, trigger = window.session, window.actions_table.trigger
    leaf = next(switch for switch in design.switches() if switch.role == "leaf")
    session.select([leaf.id])
    trigger("simulate.fail")
    assert session.undo_stack.undoText() == f"Fail {leaf.name}"
    trigger("edit.undo")
    assert not session.failed and leaf.id in design.devices
    trigger("edit.redo")
    trigger("simulate.restore_all")
    assert session.undo_stack.undoText() == f"Restore {leaf.name}"
    trigger("edit.undo")
    assert session.failed == {leaf.id}


def test_the_button_of_the_inspector_restores_what_is_selected(window, qtbot):
    session = window.session
    for name in ("leaf-1", "leaf-2"):
        type_, types = session.catalog.get("nvidia-qm9700"), session.catalog.types
        session.push(operations.add_device(session.design, type_, 0, 0, catalog_types=types, name=name))
    session.mark_as_failed(frozenset(("d1", "d2")), "Fail")
    session.select(("d1",))
    bar = window.docks.inspector.failed_bar
    qtbot.waitUntil(lambda: not bar.isHidden(), timeout=5_000)
    bar.restore.click()
    assert session.failed == frozenset(("d2",)) and session.undo_stack.undoText() == "Restore leaf-1"


def test_what_was_marked_as_failed_is_not_said_after_its_undo(window, design, qtbot):
    session, status = window.session, window.status
    stack = session.undo_stack
    session.select(design.devices)
    window.actions_table.trigger("simulate.fail")
    count = len(session.failed)
    assert count > 8 and status.simulation.text().endswith(f"{count} marked as failed")
    assert window.notice.isVisible() and "marked as failed" in window.notice.text.text()
    stack.undo()
    assert "marked as failed" not in status.simulation.text() and window.notice.isHidden()
    stack.redo()
    assert status.simulation.text().endswith(f"{count} marked as failed")


def test_the_undo_of_an_earlier_step_leaves_what_was_said_since_alone(window, design):
    session, notice = window.session, window.notice
    session.push(operations.rename(design, next(iter(design.devices)), "one"))
    session.undo_stack.undo()
    notice.say("Saved")
    session.undo_stack.redo()
    session.undo_stack.undo()
    assert notice.isVisible(), "it was said before the step that is undone"
    session.undo_stack.redo()
    notice.complain("The disk is full.")
    session.undo_stack.undo()
    assert notice.isVisible(), "complaints stay"
