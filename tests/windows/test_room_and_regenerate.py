"""The room in the window, and generating again with a preview."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication, QShortcut
from PySide6.QtTest import QTest

from designer.analysis.cable_places import Places
from designer.analysis.survey import survey
from designer.model import operations
from designer.model.edit import Change, Edit
from designer.model.entities import FABRIC, Revision
from designer.panels.inspector.inspector_container import ContainerPage
from designer.placement import floor
from designer.regeneration import recipes
from designer.session import async_undo, prepared
from designer.storage import document
from designer.topologies.rail_optimized import RailOptimizedParameters
from designer.validation.engine import validate
from designer.windows.dialogs import regenerate as regenerate_dialog

SMALL = RailOptimizedParameters(servers=15, servers_per_su=8)


@pytest.fixture
def fabric(window):
    session = window.session
    family = recipes.family_named("rail-optimized")
    session.push(recipes.generated(session.design, family, SMALL, session.catalog))
    return next(group.id for group in session.design.groups.values() if group.kind == FABRIC)


def names(widget):
    return [widget.item(row).text() for row in range(widget.count())]


@pytest.fixture
def dialog(window, fabric, qtbot):
    window.actions_table.trigger("fabric.regenerate")
    dialog = window.dialogs["regenerate"]
    qtbot.waitUntil(lambda: dialog.regeneration is not None)
    return dialog


def test_views_are_switched_and_zoomed_by_the_same_actions(window, fabric):
    for name in ("floor", "elevation", "canvas"):
        action, view = f"view.{name}", getattr(window.views, name)
        window.actions_table.trigger(action)
        assert window.views.current is view
        assert view.isVisible()
        scale = view.camera.scale
        window.actions_table.trigger("view.zoom_in")
        assert view.camera.scale > scale
        assert window.actions_table[action].isChecked()


def test_a_fabric_gets_a_room_lengths_and_cables_in_three_commands(window, fabric):
    design = window.session.design
    before = document.encode(design)
    stated = []
    window.notice.say = stated.append
    for action in ("room.auto_place", "room.route", "room.media"):
        window.actions_table.trigger(action)
    routed = r"[0-9,]+ cables routed: [0-9,]+ m, shortest [0-9.]+ m, longest [0-9.]+ m"
    assert re.fullmatch(rf"{routed}\.", stated[0])
    assert re.fullmatch(rf"{routed}; [0-9,]+ links over .+\.", stated[1])
    assert window.views.current is window.views.floor
    assert all(floor.place_of(rack) is not None for rack in design.racks.values())
    assert {link.length_source for link in design.links.values()} == {"routed"}
    assert all(link.medium_id for link in design.links.values())
    assert validate(design).errors == 0
    for _ in range(3):
        window.session.undo_stack.undo()
    assert document.encode(design) == before


def test_the_lengths_of_cables_say_which_have_none_and_why(window, fabric):
    session, stated = window.session, []
    session.push(operations.mount(session.design, session.design.find("gpu-01").id, None))
    window.notice.say = stated.append
    for action in ("room.auto_place", "room.route"):
        window.actions_table.trigger(action)
    assert re.search(r"cables routed: .+; 8 links without a length: gpu-01 stands in no rack\.$", stated[0])


def test_one_command_prepares_the_hand_over_and_reports_it(window, fabric, qtbot):
    design = window.session.design
    before = document.encode(design)
    stated = []
    window.notice.say = stated.append
    window.actions_table.trigger("room.prepare")
    qtbot.waitUntil(lambda: bool(stated), timeout=60_000)
    assert all(floor.place_of(rack) is not None for rack in design.racks.values())
    assert all(link.length_m and link.medium_id for link in design.links.values())
    assert re.fullmatch(
        rf"{len(design.links):,} cables routed: [0-9,]+ m, .+, longest [0-9.]+ m\. "
        r"Open: 15 servers, 18 switches and 7 racks without a part number; to be decided: .+",
        stated[0],
    )
    window.session.undo_stack.undo()
    assert document.encode(design) == before
    window.session.push(operations.mount(design, design.find("gpu-01").id, None))
    window.actions_table.trigger("room.prepare")
    qtbot.waitUntil(lambda: len(stated) == 2, timeout=60_000)
    assert (
        " Open: 8 links without a length; 15 servers, 18 switches and 7 racks without a part number; to be decided: "
        in stated[1]
    )


def test_selected_racks_are_copied_turned_and_taken_off_the_floor(window, fabric):
    design = window.session.design
    window.actions_table.trigger("room.auto_place")
    rack = next(iter(design.racks))
    window.session.select([rack])
    count = len(design.racks)
    window.actions_table.trigger("room.copy_rack")
    assert len(design.racks) == count + 1
    window.session.select([rack])
    facing = design.racks[rack].facing
    window.actions_table.trigger("room.turn")
    assert design.racks[rack].facing != facing
    window.actions_table.trigger("room.off_floor")
    assert floor.place_of(design.racks[rack]) is None


def test_a_row_is_named_by_the_command_and_in_the_inspector_and_plans_have_the_name(window, fabric, qtbot):
    session, trigger = window.session, window.actions_table.trigger
    session.push(floor.auto_place(session.design))
    (only,) = floor.rows(session.design)
    session.push(floor.place_racks(session.design, {one: (n * 0.6, 4.8) for n, one in enumerate(only.rack_ids[:2])}))
    first, second, *_ = floor.rows(session.design)
    session.select([first.rack_ids[0]])
    trigger("room.rename_row")
    editor = window.views.floor.name_editor
    assert window.views.current is window.views.floor and editor.isVisible() and editor.text() == first.name
    editor.setText("Cold row")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    session.select([second.rack_ids[0]])
    qtbot.waitUntil(lambda: window.docks.inspector.findChild(ContainerPage) is not None)
    page = window.docks.inspector.findChild(ContainerPage)
    page.show_container(second.rack_ids[0])
    page.row.line.setText("Hot row")
    page.row.finish()
    assert [row.name for row in floor.rows(session.design)][:2] == ["Cold row", "Hot row"]
    page.row.line.setText("cold row")
    page.row.finish()
    assert "nother row is called" in page.row.refusal.text()
    places = Places(survey(session.design))
    assert {places.row(one) for rack in first.rack_ids for one in session.design.mounted(rack)} == {"Cold row"}


def test_racks_on_the_floor_are_aligned_distributed_and_grouped_by_the_commands_for_devices(window, fabric, qtbot):
    actions, design = window.actions_table, window.session.design
    actions.trigger("room.auto_place")
    racks = list(design.racks)[:3]
    window.session.select(racks)
    window.views.show_canvas()
    assert not any(actions[name].isEnabled() for name in ("align.top", "distribute.x")), "none is drawn on the canvas"
    window.views.show_view(window.views.floor)
    for name in ("align.top", "distribute.x", "arrange.group"):
        qtbot.waitUntil(actions[name].isEnabled)
    window.session.push(floor.place_racks(design, {one: (n * n * 1.0, 50.0 + n * 0.1) for n, one in enumerate(racks)}))
    actions.trigger("align.top")
    actions.trigger("distribute.x")
    assert [floor.place_of(design.racks[one]) for one in racks] == [(0.0, 50.0), (2.0, 50.0), (4.0, 50.0)]
    actions.trigger("arrange.group")
    (group,) = window.session.selection
    assert sorted(design.members(group)) == sorted(racks)


def test_racks_that_are_locked_on_the_floor_stay_when_dragged_nudged_or_placed_anew(window, fabric, qtbot):
    actions, design, view = window.actions_table, window.session.design, window.views.floor
    actions.trigger("room.auto_place")
    rack, other = list(design.racks)[:2]
    window.session.select([rack])
    window.views.show_view(view)
    qtbot.waitUntil(actions["arrange.lock"].isEnabled)
    before = [floor.place_of(design.racks[one]) for one in (rack, other)]
    actions.trigger("arrange.lock")
    assert design.racks[rack].is_locked and window.session.undo_stack.undoText() == "Lock 1 rack"
    qtbot.waitUntil(actions["arrange.lock"].isChecked)
    window.session.select([rack, other])
    view.setFocus()
    qtbot.keyClick(view, Qt.Key.Key_Right)
    moved = [floor.place_of(design.racks[one]) for one in (rack, other)]
    assert moved[0] == before[0] and moved[1] == (round(before[1][0] + 0.1, 4), before[1][1])
    view.zoom_to_fit()
    for one, goes in ((rack, False), (other, True)):
        window.session.select([one])
        at, stood = view.box_px(one).center().toPoint(), floor.place_of(design.racks[one])
        qtbot.mousePress(view, Qt.MouseButton.LeftButton, pos=at)
        for step in (20, 60, 120):
            qtbot.mouseMove(view, at + QPoint(0, step))
        qtbot.mouseRelease(view, Qt.MouseButton.LeftButton, pos=at + QPoint(0, 120))
        assert (floor.place_of(design.racks[one]) != stood) is goes
    actions.trigger("room.auto_place")
    assert floor.place_of(design.racks[rack]) == before[0] and not floor.overlaps(design)
    window.session.select([rack])
    qtbot.waitUntil(actions["arrange.lock"].isChecked)
    actions.trigger("arrange.lock")
    assert not design.racks[rack].is_locked


def test_going_to_a_finding_stays_in_the_elevation_where_that_shows_it(window, fabric):
    window.actions_table.trigger("view.elevation")
    design = window.session.design
    window.views.go_to(frozenset([next(iter(design.racks))]))
    assert window.views.current is window.views.elevation
    window.views.go_to(frozenset([next(iter(design.links))]))
    assert window.views.current is window.views.canvas


def test_measures_of_the_room_are_edits_of_the_design(window, fabric):
    window.actions_table.trigger("room.measures")
    dialog = window.dialogs["room"]
    field = dialog.fields["tray_height_m"]
    field.line.setText("3.2")
    field.finish()
    assert window.session.design.settings.tray_height_m == 3.2
    field.line.setText("high")
    field.finish()
    assert field.refusal.text() == "'high' is not a length: write meters, like 30 or 2.5 m."
    dialog.fields["cross_trays_m"].line.setText("-3.6, 3.6")
    dialog.fields["cross_trays_m"].finish()
    assert window.session.design.settings.cross_trays_m == (-3.6, 3.6)
    window.session.undo_stack.undo()
    assert dialog.fields["cross_trays_m"].line.text() == ""


def test_a_racks_power_budget_is_set_in_the_inspector(window, fabric, qtbot):
    design = window.session.design
    rack = next(iter(design.racks))
    window.session.select([rack])
    qtbot.waitUntil(lambda: window.docks.inspector.findChild(ContainerPage) is not None)
    page = window.docks.inspector.findChild(ContainerPage)
    page.show_container(rack)
    assert page.power.text().startswith("up to 40.8 kW")
    page.budget.line.setText("38.5")
    page.budget.finish()
    assert design.racks[rack].power_budget_w == 38_500
    leaf = next(one for one in design.devices.values() if one.role == "leaf")
    maker = replace(design.types[leaf.type_id], power_max_w=None)
    window.session.push(Edit("Unknown power", (Change(design.types[leaf.type_id], maker),)))
    page.show_container(design.placements[leaf.id].rack_id)
    assert page.power.text().endswith(f"not known for {maker.model}") and "up to" not in page.power.text()
    assert "0 W" not in page.power.text()
    place = design.placements[leaf.id]
    window.session.push(Edit("Mount", (Change(place, replace(place, rack_id=rack, unit=40)),)))
    page.show_container(rack)
    assert page.power.text().startswith("at least 40.8 kW; not known for")


def test_the_form_shows_the_recipe_and_nothing_is_to_be_done_yet(dialog):
    assert dialog.form.parameters() == SMALL
    assert not dialog.accept_button.isEnabled()
    assert names(dialog.changes.lists["Added"]) == []
    assert len(names(dialog.changes.lists["Kept"])) == len(dialog._session.design.devices)


def test_the_preview_tells_what_comes_and_the_button_does_it_in_one_step(dialog, window, qtbot):
    design = window.session.design
    window.session.push(operations.rename(design, design.find("leaf-su1-r1").id, "my leaf"))
    qtbot.waitUntil(lambda: dialog.regeneration is not None)
    before, steps = document.encode(design), window.session.undo_stack.count()
    dialog.form.set_text("servers", "31")
    qtbot.waitUntil(lambda: dialog.accept_button.isEnabled())
    added = names(dialog.changes.lists["Added"])
    assert {"gpu-16", "gpu-31", "leaf-su4-r8"} <= set(added)
    assert dialog._conflict_title.text() == "All hand edits are kept, 1 name given by hand among them."
    dialog.regenerate()
    assert window.session.undo_stack.count() == steps + 1
    assert window.session.undo_stack.undoText() == "Regenerate Rail-optimized"
    assert {design.find(name).id for name in added}
    assert design.find("my leaf").role == "leaf"
    assert not dialog.isVisible()
    window.session.undo_stack.undo()
    assert document.encode(design) == before


def test_what_changes_is_listed_by_name_and_counted_before_it_is_done(dialog, window, qtbot):
    design = window.session.design
    for name in ("leaf-su1-r1", "gpu-02"):
        window.session.push(operations.rename(design, design.find(name).id, f"my {name}"))
    qtbot.waitUntil(lambda: dialog.regeneration is not None)
    dialog.form.set_text("servers_per_su", "6")
    qtbot.waitUntil(lambda: dialog.accept_button.isEnabled())
    found, shown = dialog.regeneration, dialog.changes
    assert dialog._conflict_title.text() == "All hand edits are kept, 2 names given by hand among them."
    assert found.moved and found.unplugged
    assert names(shown.lists["Moved"]) == [f"{name}: {old} → {new}" for name, old, new in found.moved]
    assert names(shown.lists["Links Removed"]) == list(found.unplugged)
    titles = [shown.tabText(number) for number in range(shown.count())]
    assert titles == [
        f"Added {len(found.added)}",
        f"Removed {len(found.removed)}",
        f"Moved {len(found.moved)}",
        f"Renamed {len(found.renamed)}",
        f"Links on Other Ports {len(found.replugged)}",
        f"Links Removed {len(found.unplugged)}",
        f"Kept {len(found.kept)}",
    ]
    dialog.copy_button.click()
    rows = [line.split("\t") for line in QGuiApplication.clipboard().text().splitlines()]
    assert rows[0] == ["Change", "Before", "After"]
    name, old, new = found.moved[0]
    assert ["Moved", f"{name}: {old}", new] in rows
    assert ["Links Removed", found.unplugged[0], ""] in rows
    assert not [row for row in rows if row[0] == "Kept"]


def test_changes_by_hand_are_counted_and_a_link_leads_to_their_list(dialog, window, qtbot):
    qtbot.waitUntil(lambda: dialog.by_hand.text() == "Nothing was changed by hand.", timeout=20_000)
    assert dialog._conflict_title.isHidden()
    design = window.session.design
    window.session.push(operations.rename(design, design.find("leaf-su1-r1").id, "my leaf"))
    window.session.push(operations.delete(design, [next(iter(design.links))]))
    said = "Changed by hand since it was generated: 1 device renamed, 1 link removed. <a"
    qtbot.waitUntil(lambda: dialog.by_hand.text().startswith(said), timeout=20_000)
    assert not dialog._conflict_title.isHidden()
    dialog.by_hand.linkActivated.emit("list")
    comparison = window.session.workbench.comparison
    qtbot.waitUntil(lambda: comparison.found is not None and not comparison.running, timeout=20_000)
    assert window.docks.shown("comparison") and not dialog.isVisible()
    assert len(comparison.found.rows) == 2


@pytest.mark.own_window
def test_labelled_devices_are_renamed_only_where_that_is_asked_for(dialog, window, qtbot):
    qtbot.waitUntil(lambda: dialog.regeneration is not None)
    assert dialog.rename.isHidden(), "nothing is labelled"
    window.session.push(Edit("Record", (Change(None, Revision("v1", "1")),)))
    dialog.form.set_text("servers", "127")
    dialog.form.set_text("servers_per_su", "32")
    qtbot.waitUntil(lambda: dialog.accept_button.isEnabled())
    assert not dialog.rename.isHidden()
    assert dialog.regeneration.renamed == ()
    dialog.rename.setChecked(True)
    qtbot.waitUntil(lambda: dialog.accept_button.isEnabled())
    assert ("gpu-01", "gpu-001") in dialog.regeneration.renamed
    dialog.regenerate()
    reported = re.compile(r"Regenerate Rail-optimized: \d+ devices added, ")
    qtbot.waitUntil(lambda: reported.match(window.notice.text.text()) is not None)


def test_conflicts_are_listed_before_it_is_done(dialog, window, qtbot):
    design = window.session.design
    window.session.push(operations.rename(design, design.find("gpu-15").id, "the last"))
    dialog.form.set_text("servers", "8")
    qtbot.waitUntil(lambda: dialog.accept_button.isEnabled())
    assert names(dialog.conflicts) == ["the last was renamed by hand and is not part of the new fabric"]
    assert "the last" in names(dialog.changes.lists["Removed"])


def test_a_unit_built_out_for_servers_to_come_is_told_of(dialog, qtbot):
    dialog.form.set_text("servers", "10")
    qtbot.waitUntil(lambda: dialog.accept_button.isEnabled())
    assert dialog.remark.text() == "SU 2 has 2 of 8 servers; its uplinks are built for all 8 to leave room for growth."
    dialog.form.set_text("servers", "16")
    qtbot.waitUntil(lambda: not dialog.remark.isVisible())


def test_nonsense_is_refused_with_a_sentence(dialog, qtbot):
    dialog.form.set_text("servers", "many")
    qtbot.waitUntil(lambda: dialog.refusal.isVisible())
    assert dialog.refusal.text() == "Servers: 'many' is not a whole number."
    assert not dialog.accept_button.isEnabled()


def test_an_edit_made_meanwhile_makes_the_preview_anew(dialog, window, qtbot):
    dialog.form.set_text("servers", "16")
    qtbot.waitUntil(lambda: dialog.accept_button.isEnabled())
    window.session.push(operations.rename(window.session.design, "d1", "first"))
    assert dialog.regeneration is None
    assert not dialog.accept_button.isEnabled()
    qtbot.waitUntil(lambda: dialog.accept_button.isEnabled())
    dialog.regenerate()
    assert window.session.design.find("first").id == "d1"


@pytest.fixture
def all_is_large(monkeypatch) -> None:
    for module in (prepared, async_undo, regenerate_dialog):
        monkeypatch.setattr(module, "LARGE_EDIT", 1)


def test_a_large_regeneration_is_done_by_a_worker_and_undone_by_one(dialog, window, all_is_large, qtbot):
    design, stack = window.session.design, window.session.undo_stack
    before, count = document.encode(design), stack.count()
    dialog.form.set_text("servers", "31")
    qtbot.waitUntil(lambda: dialog.accept_button.isEnabled())
    dialog.regenerate()
    assert dialog.isVisible() and stack.count() == count
    qtbot.waitUntil(lambda: not dialog.isVisible())
    assert stack.count() == count + 1 and design.find("gpu-31")
    window.actions_table.trigger("edit.undo")
    assert "Undoing Regenerate Rail-optimized …" in window.notice.text.text()
    qtbot.waitUntil(lambda: not window.session.async_undo.waiting)
    assert not window.notice.isVisible()
    assert document.encode(design) == before


def test_an_edit_while_a_worker_regenerates_stands_and_the_preview_is_made_anew(dialog, window, all_is_large, qtbot):
    session = window.session
    dialog.form.set_text("servers", "31")
    qtbot.waitUntil(lambda: dialog.accept_button.isEnabled())
    dialog.regenerate()
    session.push(operations.rename(session.design, "d1", "first"))
    count = session.undo_stack.count()
    qtbot.waitUntil(lambda: dialog.accept_button.isEnabled())
    assert session.undo_stack.count() == count and dialog.isVisible()
    dialog.regenerate()
    qtbot.waitUntil(lambda: not dialog.isVisible())
    assert session.design.find("first").id == "d1" and session.design.find("gpu-31")


def test_closing_the_dialog_stops_a_worker_that_regenerates(dialog, window, all_is_large, qtbot):
    dialog.form.set_text("servers", "31")
    qtbot.waitUntil(lambda: dialog.accept_button.isEnabled())
    count = window.session.undo_stack.count()
    dialog.regenerate()
    dialog.close()
    assert not window.session.jobs.busy(regenerate_dialog.LANE)
    assert window.session.undo_stack.count() == count


def test_examples_keep_their_recipes_and_can_be_generated_again(window, qtbot):
    path = Path(__file__).parents[2] / "examples" / "superpod-h100-4su.fabric"
    window.session.open(path)
    window.actions_table.trigger("fabric.regenerate")
    dialog = window.dialogs["regenerate"]
    qtbot.waitUntil(lambda: dialog.regeneration is not None)
    assert dialog.regeneration.edit.changes == ()
    assert len(dialog.regeneration.kept) == len(window.session.design.devices) == 175


def test_without_a_generated_fabric_there_is_nothing_to_regenerate(window):
    assert not window.actions_table.rows["fabric.regenerate"].enabled(window.desk)


def test_escape_closes_the_measures_and_they_leave_with_their_design(window, fabric, qtbot):
    window.actions_table.trigger("room.measures")
    dialog = window.dialogs["room"]
    aisle = dialog.fields["aisle_m"].line
    aisle.setFocus()
    qtbot.keyClicks(aisle, "9")
    qtbot.keyClick(aisle, Qt.Key.Key_Escape)
    assert dialog.isVisible()  # the first takes back what was typed
    qtbot.keyClick(aisle, Qt.Key.Key_Escape)
    assert not dialog.isVisible()
    window.actions_table.trigger("room.measures")
    window.session.new()
    assert not dialog.isVisible()


def test_save_in_the_measures_saves_the_design_with_what_is_being_typed(window, fabric, qtbot, answers, tmp_path):
    window.actions_table.trigger("room.measures")
    dialog = window.dialogs["room"]
    aisle = dialog.fields["aisle_m"].line
    answers.on_save.append(tmp_path / "room.fabric")
    aisle.selectAll()
    qtbot.keyClicks(aisle, "1.5")
    dialog.findChild(QShortcut).activated.emit()
    qtbot.waitUntil(lambda: (tmp_path / "room.fabric").exists())
    assert window.session.design.settings.aisle_m == 1.5
