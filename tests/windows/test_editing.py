"""Editing from the window: clipboard, duplicate, arrange, connect, find; each is one undo step."""

import os
import subprocess
import sys

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from designer.model import annotating, collapsing, operations
from designer.model.several import labelled
from designer.session import large_edits, prepared
from designer.storage import document
from designer.windows.commands import edit_commands
from designer.windows.commands.adding import add_type
from designer.windows.commands.arrange_commands import split_in_tiers


def entities(window):
    return list(window.session.design.entities())


@pytest.fixture
def pair(window, add):
    """A leaf and a server with one link, selected."""
    leaf, server = add("nvidia-qm9700"), add("dgx-h100")
    window.session.select([leaf, server])
    window.actions_table.trigger("link.connect")
    assert len(window.session.design.links) == 1
    return leaf, server


def test_adding_from_the_palette_selects_the_new_device_and_undo_removes_it(window, add):
    before = entities(window)
    device = add("nvidia-qm9700")
    assert window.session.selection == {device}
    window.actions_table.trigger("edit.undo")
    assert [e for e in entities(window) if e not in before] == []


def test_devices_added_one_after_the_other_do_not_lie_on_each_other(window, add):
    for _ in range(8):
        add("nvidia-qm9700")
    spots = [(p.x, p.y) for p in window.session.design.placements.values()]
    for number, (x, y) in enumerate(spots):
        assert all(abs(x - u) >= 120 or abs(y - v) >= 44 for u, v in spots[number + 1 :])


def test_a_nic_from_the_palette_goes_into_the_selected_server(window, add):
    server = add("generic-host")
    window.session.select([server])
    window.actions_table.refresh()
    modules = window.session.design.modules_of(server)
    window.session.push(window_remove(window, [m.id for m in modules]))
    add_type(window.desk, "generic-nic")
    assert len(window.session.design.modules_of(server)) == 1
    window.session.select([])
    add_type(window.desk, "generic-nic")
    assert window.notice.isVisible()
    assert "Select the servers" in window.notice.text.text()


def window_remove(window, ids):
    from designer.model import operations

    return operations.remove_modules(window.session.design, ids)


def test_copy_and_paste_bring_devices_and_the_link_between_them(window, pair):
    window.session.select(pair)
    window.actions_table.trigger("edit.copy")
    window.actions_table.trigger("edit.paste")
    design = window.session.design
    assert len(design.devices) == 4
    assert len(design.links) == 2
    assert window.session.selection.isdisjoint(pair)
    assert len(window.session.selection) == 2
    assert len({device.name for device in design.devices.values()}) == 4
    window.actions_table.trigger("edit.undo")
    assert len(design.devices) == 2


LEFT_EMPTY = "1 cable label is left empty in the copy: no two cables may have the same."


def test_labels_that_a_copy_cannot_have_are_mentioned(window, pair, make_window):
    session, table = window.session, window.actions_table
    (link,) = session.design.links.values()
    session.select(pair)
    table.trigger("edit.duplicate")
    assert not window.notice.isVisible(), "there was no label"
    session.push(labelled(session.design, [link.id], "Rail 8 spare"))
    session.select(pair)
    table.trigger("edit.duplicate")
    assert window.notice.text.text() == LEFT_EMPTY
    table.trigger("edit.undo")
    assert not window.notice.isVisible()
    session.select(pair)
    table.trigger("edit.copy")
    table.trigger("edit.paste")
    assert window.notice.isVisible() and window.notice.text.text() == LEFT_EMPTY
    other = make_window(settings="other.ini")
    other.actions_table.trigger("edit.paste")
    assert [one.label for one in other.session.design.links.values()] == ["Rail 8 spare"]
    assert not other.notice.isVisible()


def test_cut_and_paste_move_through_the_clipboard_into_another_window(window, pair, make_window, qtbot):
    window.session.select(pair)
    window.actions_table.trigger("edit.cut")
    assert not window.session.design.devices
    other = make_window(settings="other.ini")
    other.show()
    other.views.show_canvas()
    other.actions_table.trigger("edit.paste")
    assert len(other.session.design.devices) == 2
    assert len(other.session.design.links) == 1


def test_everything_is_collapsed_closed_up_and_expanded_by_workers_where_it_is_much(window, monkeypatch, qtbot):
    window.session.replace(document.load("examples/superpod-h100-4su.fabric"), None)
    monkeypatch.setattr(large_edits, "LARGE_EDIT", 1)
    session, count = window.session, len(window.session.design.devices)
    for command, said in (
        ("view.collapse_all", "Collapsing"),
        ("view.close_up", "Closing up"),
        ("view.expand_all", "Expanding"),
    ):
        before = session.design.revision
        window.actions_table.trigger(command)
        assert f"{said} {count} devices" in window.notice.text.text() and session.design.revision == before
        qtbot.waitUntil(lambda before=before: session.design.revision == before + 1)
        assert bool(collapsing.collapsed_keys(session.design)) is (command != "view.expand_all")


def test_very_many_devices_are_cut_pasted_and_deleted_by_workers(window, pair, monkeypatch, qtbot):
    for module in (edit_commands, large_edits, prepared):
        monkeypatch.setattr(module, "LARGE_EDIT", 1)
    session = window.session
    session.select(pair)
    window.actions_table.trigger("edit.cut")
    assert "Copying 2 items …" in window.notice.text.text() and len(session.design.devices) == 2
    qtbot.waitUntil(lambda: not session.design.devices)
    window.actions_table.trigger("edit.paste")
    qtbot.waitUntil(lambda: len(session.design.devices) == 2)
    assert len(session.design.links) == 1 and session.selection == frozenset(session.design.devices)
    window.actions_table.trigger("edit.duplicate")
    qtbot.waitUntil(lambda: len(session.design.devices) == 4)
    assert len(session.selection) == 2
    window.actions_table.trigger("edit.delete")
    qtbot.waitUntil(lambda: len(session.design.devices) == 2)
    assert not session.selection


def test_a_program_that_ends_with_something_on_the_clipboard_ends_without_a_crash():
    code = (
        "from PySide6.QtWidgets import QApplication\nfrom designer.windows.shell.clipboard import Clipboard\n"
        "application = QApplication([])\nclipboard = Clipboard()\nclipboard.put('{}')\nprint(clipboard.content())"
    )
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    command = [sys.executable, "-c", code]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, env=environment)
    assert (ended.returncode, ended.stdout) == (0, "b'{}'\n")


@pytest.mark.parametrize("text", ["", "hello", "{}", '{"format": "fabric-fragment", "version": 1, "devices": 7}'])
def test_a_clipboard_that_holds_no_devices_is_told_and_changes_nothing(window, pair, text):
    before = entities(window)
    QGuiApplication.clipboard().setText(text)
    window.actions_table.trigger("edit.paste")
    assert entities(window) == before
    assert window.notice.isVisible()


def test_duplicate_delete_and_undo(window, pair):
    before = entities(window)
    window.session.select(pair)
    window.actions_table.trigger("edit.duplicate")
    assert len(window.session.design.devices) == 4
    window.actions_table.trigger("edit.delete")
    assert len(window.session.design.devices) == 2
    window.actions_table.trigger("edit.undo")
    window.actions_table.trigger("edit.undo")
    assert [e for e in entities(window) if e not in before] == []


def test_a_duplicate_stands_clear_beside_and_the_next_repeats_how_far_the_copy_was_moved(window, pair):
    session, design = window.session, window.session.design
    session.push(operations.move(design, {pair[0]: (0.0, 0.0), pair[1]: (0.0, 100.0)}))
    session.select(pair)
    before = {one: design.placements[one] for one in pair}
    window.actions_table.trigger("edit.duplicate")
    first = sorted(session.selection)
    step = design.placements[first[0]].x - before[pair[0]].x
    assert step >= 120 and [design.placements[one].y for one in first] == [0.0, 100.0]
    session.push(operations.move(design, {one: (200.0, 30.0 + 100.0 * row) for row, one in enumerate(first)}))
    window.actions_table.trigger("edit.duplicate")
    second = sorted(session.selection)
    assert [(design.placements[one].x, design.placements[one].y) for one in second] == [(400.0, 60.0), (400.0, 160.0)]
    assert len(design.links) == 3
    session.select([pair[0]])  # another thing: beside again
    window.actions_table.trigger("edit.duplicate")
    (third,) = session.selection
    assert design.placements[third].y != 30.0


def test_what_is_pasted_stands_at_the_pointer_or_in_place(window, pair, qtbot):
    session, canvas = window.session, window.views.canvas
    session.select(pair)
    window.actions_table.trigger("edit.copy")
    before = {one: session.design.placements[one] for one in pair}
    window.actions_table.trigger("edit.paste_in_place")
    places = [session.design.placements[one] for one in sorted(session.selection)]
    assert [(one.x, one.y) for one in places] == [(before[one].x, before[one].y) for one in pair]
    QTest.mouseMove(canvas, QPoint(120, 90))
    window.actions_table.trigger("edit.paste")
    places = [session.design.placements[one] for one in session.selection]
    x, y = (sum(getattr(one, axis) for one in places) / 2 for axis in "xy")
    assert (x, y) == pytest.approx(canvas.camera.to_canvas(120, 90))


def covered(window):
    """Pairs of boxes of which one covers a part of the other."""
    boxes = window.views.canvas.fabric.composition.boxes.tolist()
    return [
        (a, b)
        for number, a in enumerate(boxes)
        for b in boxes[number + 1 :]
        if a[0] < b[0] + b[2] and b[0] < a[0] + a[2] and a[1] < b[1] + b[3] and b[1] < a[1] + a[3]
    ]


@pytest.mark.parametrize("is_over_the_canvas", [True, False])
def test_what_is_pasted_covers_nothing_and_stays_selected(window, add, is_over_the_canvas):
    session, canvas = window.session, window.views.canvas
    ids = [add("nvidia-qm9700"), *(add("dgx-h100") for _ in range(8))]
    places = {one: (150.0 * number, 0.0) for number, one in enumerate(ids)}
    session.push(operations.move(session.design, places))
    canvas.zoom_to_fit()
    session.select(ids[1:5])
    window.actions_table.trigger("edit.copy")
    if is_over_the_canvas:
        QTest.mouseMove(canvas, canvas.box_px(ids[2]).center().toPoint())
    for number in range(1, 4):
        window.actions_table.trigger("edit.paste")
        assert session.selection == set(list(session.design.devices)[len(ids) + 4 * (number - 1) :])
        assert len(session.selection) == 4 and not covered(window)
        assert all(abs(session.design.placements[one].y) < 250 for one in session.selection), "near by"


def test_what_gives_way_when_pasted_does_not_stand_between_what_is_linked(window, pair):
    session, canvas = window.session, window.views.canvas
    leaf, server = pair
    session.push(operations.move(session.design, {leaf: (0.0, -150.0), server: (0.0, 0.0)}))
    canvas.zoom_to_fit()
    session.select([server])
    window.actions_table.trigger("edit.copy")
    QTest.mouseMove(canvas, canvas.box_px(server).center().toPoint() - QPoint(0, 3))
    window.actions_table.trigger("edit.paste")
    (new,) = session.selection
    assert session.design.placements[new].y > 44.0
    QTest.mouseMove(canvas, QPoint(*map(int, canvas.camera.to_view(0.0, -75.0))))
    window.actions_table.trigger("edit.paste")
    (new,) = session.selection
    assert session.design.placements[new].y == pytest.approx(-75.0, abs=2.0), "what is free there stays there"


def test_an_annotation_is_pasted_where_the_pointer_is_also_over_a_device(window, pair):
    session, canvas = window.session, window.views.canvas
    session.push(annotating.annotate(session.design, "text", (0.0, 400.0), (90.0, 420.0), text="Here"))
    (note,) = session.design.annotations
    session.select([note])
    window.actions_table.trigger("edit.copy")
    canvas.zoom_to_fit()
    over = canvas.box_px(pair[0]).center().toPoint()
    QTest.mouseMove(canvas, over)
    window.actions_table.trigger("edit.paste")
    (new,) = session.selection
    place = session.design.placements[new]
    assert (place.x, place.y) == pytest.approx(canvas.camera.to_canvas(over.x(), over.y()))


def test_what_is_pasted_out_of_sight_is_brought_into_view(window, pair):
    session, canvas = window.session, window.views.canvas
    session.select(pair)
    window.actions_table.trigger("edit.copy")
    canvas.move_camera(canvas.camera.moved(5000.0, 0.0))
    window.actions_table.trigger("edit.paste_in_place")
    rect = canvas.rect()
    assert any(rect.intersects(canvas.box_px(one).toRect()) for one in session.selection)


def test_align_and_distribute(window, add):
    ids = [add("nvidia-qm9700") for _ in range(3)]
    staggered = {one: (150.0 * number**2, 90.0 * number) for number, one in enumerate(ids)}
    window.session.push(operations.move(window.session.design, staggered))
    window.session.select(ids)
    window.actions_table.trigger("align.left")
    assert len({window.session.design.placements[i].x for i in ids}) == 1
    window.actions_table.trigger("edit.undo")
    window.actions_table.trigger("align.centre-y")
    assert len({window.session.design.placements[i].y for i in ids}) == 1
    window.actions_table.trigger("distribute.x")
    xs = sorted(window.session.design.placements[i].x for i in ids)
    assert xs[1] - xs[0] == pytest.approx(xs[2] - xs[1])


def test_group_and_ungroup(window, pair):
    window.session.select(pair)
    window.actions_table.trigger("arrange.group")
    assert [group.name for group in window.session.design.groups.values()] == ["group-1"]
    assert window.actions_table["arrange.ungroup"].isEnabled()
    window.actions_table.trigger("arrange.ungroup")
    assert not window.session.design.groups


def test_connect_evenly_joins_servers_to_leafs_with_the_same_number_of_links(window, add):
    leafs = [add("nvidia-qm9700") for _ in range(2)]
    servers = [add("dgx-h100") for _ in range(2)]
    window.session.select([*leafs, *servers])
    assert split_in_tiers(window.session) == (sorted(servers), sorted(leafs))
    window.actions_table.trigger("link.connect_evenly")
    design = window.session.design
    assert window.construction.text.text() == "Adds 16 links; 56 ports left on each switch."
    assert not design.links
    window.construction.accept()
    per_pair = {}
    for link in design.links.values():
        key = frozenset((link.a.device_id, link.b.device_id))
        per_pair[key] = per_pair.get(key, 0) + 1
    assert len(per_pair) == 4
    assert set(per_pair.values()) == {4}


def test_switches_are_split_by_height_for_connecting_evenly(window, add):
    from designer.model import operations

    up, down = add("nvidia-qm9700"), add("nvidia-qm9700")
    window.session.push(operations.move(window.session.design, {up: (0, 0), down: (0, 300)}))
    window.session.select([up, down])
    assert split_in_tiers(window.session) == ([down], [up])


def test_a_connection_that_is_refused_is_told_in_the_window(window, add):
    a, b = add("nvidia-qm8790"), add("nvidia-sn5600")
    window.session.select([a, b])
    window.actions_table.trigger("link.connect")
    assert not window.session.design.links
    assert window.notice.isVisible()
    assert window.notice.text.text()


def test_finding_a_device_by_name_selects_it(window, pair, qtbot):
    from PySide6.QtCore import Qt

    _, server = pair
    name = window.session.design.device(server).name
    window.session.select([])
    window.actions_table.trigger("edit.find")
    qtbot.keyClicks(window.picker.line, name)
    qtbot.keyClick(window.picker.line, Qt.Key.Key_Return)
    assert window.session.selection == {server}


def test_selecting_all_and_neighbours(window, pair, add):
    lone = add("nvidia-qm9700")
    window.actions_table.trigger("edit.select_all")
    assert window.session.selection >= {*pair, lone}
    window.session.select([pair[0]])
    window.actions_table.trigger("edit.select_neighbours")
    assert window.session.selection == set(pair)
    window.actions_table.trigger("edit.select_none")
    assert not window.session.selection


def test_f2_renames_the_selected_device_on_its_card(window, pair, qtbot):
    window.activateWindow()
    window.session.select([pair[0]])
    window.actions_table.trigger("edit.rename")
    line = window.views.canvas.name_editor
    qtbot.waitUntil(line.hasFocus)
    qtbot.keyClicks(line, "leaf-07")
    from PySide6.QtCore import Qt

    qtbot.keyClick(line, Qt.Key.Key_Return)
    assert window.session.design.device(pair[0]).name == "leaf-07"


@pytest.mark.parametrize("name", ["palette", "inspector", "simulation", "findings"])
def test_every_panel_can_be_reached_and_hidden_by_keyboard(window, name, qtbot):
    window.activateWindow()
    window.actions_table.trigger(f"goto.{name}")
    assert window.docks.shown(name)
    panel = window.docks._panels[name]
    qtbot.waitUntil(lambda: panel.isAncestorOf(window.focusWidget()))
    window.actions_table.trigger(f"panel.{name}")
    qtbot.waitUntil(lambda: not window.docks.shown(name))
    window.actions_table.trigger(f"panel.{name}")
    qtbot.waitUntil(lambda: window.docks.shown(name))


def test_an_empty_canvas_says_how_to_begin_and_a_drawn_one_does_not(window, add, qtbot):
    assert window._hint.isVisible()
    add("nvidia-qm9700")
    qtbot.waitUntil(lambda: not window._hint.isVisible())


def test_how_to_begin_is_not_said_over_annotations(window, qtbot):
    window.session.push(annotating.annotate(window.session.design, "title-block", (0.0, 0.0), (300.0, 100.0)))
    qtbot.waitUntil(lambda: not window._hint.isVisible())


def test_deleting_several_links_at_once_is_told_with_the_way_back(window, pair):
    leaf, server = pair
    design = window.session.design
    window.session.push(operations.connect_devices(design, server, leaf, 4))
    window.session.select(design.links)
    window.actions_table.trigger("edit.delete")
    assert not design.links
    assert window.notice.text.text() == "5 links deleted. Ctrl+Z brings them back."
    window.actions_table.trigger("edit.undo")
    window.session.select([server])
    window.actions_table.trigger("edit.delete")
    assert window.notice.text.text() == "server-01 with 5 links deleted. Ctrl+Z brings them back."
    assert window.notice.isVisible()
    window.session.push(operations.rename(window.session.design, next(iter(window.session.design.devices)), "other"))
    assert not window.notice.isVisible(), "Ctrl+Z would take back the renaming, not the deletion"


def test_one_of_the_links_of_a_line_is_taken_from_the_menu(window, pair, qtbot):
    leaf, server = pair
    design = window.session.design
    assert not window.actions_table.rows["edit.select_one_link"].enabled(window.desk)
    window.session.push(operations.connect_devices(design, server, leaf, 4))
    window.session.select(design.links)
    window.actions_table.trigger("edit.select_one_link")
    assert len(window.session.selection) == 1
    qtbot.waitUntil(window.docks.inspector.link_page.isVisible)


def test_after_a_rename_and_enter_the_keyboard_belongs_to_the_view(window, add, qtbot):
    leaf = add("nvidia-qm9700")
    window.show()
    window.activateWindow()
    qtbot.waitExposed(window)
    for name, view in (("leaf-1", window.views.canvas), ("leaf-2", window.views.floor)):
        window.views.show_view(view)
        window.session.select([leaf])
        window.actions_table.trigger("edit.rename")
        in_inspector = window.docks.inspector.device_page.name.line
        line = window.views.canvas.name_editor if view is window.views.canvas else in_inspector
        qtbot.waitUntil(line.hasFocus)
        qtbot.keyClicks(line, name)
        qtbot.keyClick(line, Qt.Key.Key_Return)
        assert window.session.design.device(leaf).name == name
        assert window.focusWidget() is view


def test_a_refused_name_keeps_the_keyboard(window, add, qtbot):
    leaf = add("nvidia-qm9700")
    window.session.select([leaf])
    window.docks.inspector.focus_name()
    line = window.docks.inspector.device_page.name.line
    line.clear()
    qtbot.keyClick(line, Qt.Key.Key_Return)
    assert window.docks.inspector.device_page.name.refusal.isVisibleTo(window)
    assert window.focusWidget() is line
