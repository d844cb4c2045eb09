"""Selecting many: find and its tags, by expression, and what is the same as what is selected."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from designer.analysis.cable_numbers import number_cables
from designer.model import operations
from designer.model.edit import Change, Edit
from designer.panels.widgets.rows import DETAIL_ROLE
from designer.storage import document
from designer.windows.picker.quick_picker import FORGIVES_MS

SUPERPOD = Path(__file__).parents[2] / "examples" / "superpod-h100-4su.fabric"
CONTROL, NONE = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.NoModifier


@pytest.fixture
def pod(window):
    window.session.replace(document.load(SUPERPOD), None)
    return window.session.design


def names(window):
    return sorted(window.session.design.entity(one).name for one in window.session.selection)


def ask(window, qtbot, action, text):
    window.actions_table.trigger(action)
    picker = window.desk.picker
    qtbot.keyClicks(picker.line, text)
    return picker


def rows(picker):
    return [picker.list.item(row).text() for row in range(picker.list.count())]


def test_what_an_expression_fits_is_counted_while_it_is_typed_and_selected_with_enter(window, pod, qtbot):
    picker = ask(window, qtbot, "select.expression", "role:leaf")
    assert rows(picker)[0] == "Select 32 devices"
    qtbot.keyClicks(picker.line, " su:2")
    assert rows(picker)[0] == "Select 8 devices"
    qtbot.keyClick(picker.line, Qt.Key.Key_Return)
    assert names(window) == [f"leaf-su2-r{n}" for n in range(1, 9)]
    assert not picker.isVisible()


def test_a_word_is_completed_with_tab(window, pod, qtbot):
    picker = ask(window, qtbot, "select.expression", "ro")
    assert "role:" in rows(picker)
    qtbot.keyClick(picker.line, Qt.Key.Key_Tab)
    assert picker.line.text() == "role:"
    qtbot.keyClicks(picker.line, "sp")
    qtbot.keyClick(picker.line, Qt.Key.Key_Tab)
    assert picker.line.text() == "role:spine"
    assert rows(picker)[0] == "Select 16 devices"


def test_a_fault_is_shown_with_its_place_and_enter_selects_nothing(window, pod, qtbot):
    picker = ask(window, qtbot, "select.expression", "zzz:1")
    assert picker.note.text().startswith("Character 1: nothing is called 'zzz'")
    assert picker.note.property("kind") == "error"
    qtbot.keyClick(picker.line, Qt.Key.Key_Return)
    assert picker.isVisible() and not window.session.selection
    picker.line.setText("name:nobody")
    assert picker.note.text() == "No matches: nothing fits name:nobody." and picker.note.property("kind") == "muted"


def test_the_term_that_leaves_nothing_is_named_and_no_completion_stands_as_the_answer(window, pod, qtbot):
    picker = ask(window, qtbot, "select.expression", "role:leaf su:2 free>0")
    assert picker.note.text() == "No matches: role:leaf su:2 fits 8 devices, none of which fits free>0."
    assert rows(picker) == ["0"] and picker.list.currentRow() == -1
    assert picker.list.item(0).data(DETAIL_ROLE) == "4 devices", "spines have ports that are free"
    qtbot.keyClick(picker.line, Qt.Key.Key_Return)
    assert picker.isVisible() and picker.line.text() == "role:leaf su:2 free>0"


def test_a_cable_is_found_by_its_number(window, pod, qtbot):
    window.session.push(number_cables(pod))
    link = next(one for one in pod.links.values() if one.cable == 421)
    for text in ("C0421", "c421"):
        picker = ask(window, qtbot, "edit.find", text)
        assert rows(picker)[0] == "C0421"
        assert pod.end_name(link.a) in picker.list.item(0).data(DETAIL_ROLE)
        picker.close_picker()
    picker = ask(window, qtbot, "edit.find", "C0421")
    qtbot.keyClick(picker.line, Qt.Key.Key_Return)
    assert pod.links[next(iter(window.session.selection))].cable == 421


def test_what_is_selected_is_counted_by_kind(window, pod, qtbot):
    picker = ask(window, qtbot, "select.expression", "su:2")
    kinds = rows(picker)[0].removeprefix("Select ")
    qtbot.keyClick(picker.line, Qt.Key.Key_Return)
    assert window.desk.notice.text.text() == f"{kinds} selected."


def test_hidden_layers_are_left_out_and_counted(window, pod, qtbot):
    window.session.push(operations.set_network(pod, [pod.find("spine-01").id], "oob"))
    window.session.hide_networks(["oob"])
    picker = ask(window, qtbot, "select.expression", "role:spine")
    qtbot.keyClick(picker.line, Qt.Key.Key_Return)
    assert len(window.session.selection) == 15
    assert "1 device on hidden layers left out" in window.desk.notice.text.text()


def test_find_goes_to_one_with_enter_and_selects_all_hits_with_control_enter(window, pod, qtbot):
    picker = ask(window, qtbot, "edit.find", "leaf-su3")
    assert "Ctrl+Enter selects all 8" in picker.note.text()
    qtbot.keyClick(picker.line, Qt.Key.Key_Return, CONTROL)
    assert names(window) == [f"leaf-su3-r{n}" for n in range(1, 9)]
    picker = ask(window, qtbot, "edit.find", "leaf-su3-r4")
    qtbot.keyClick(picker.line, Qt.Key.Key_Return)
    assert names(window) == ["leaf-su3-r4"]


def test_an_esc_that_follows_the_pick_takes_nothing_back(window, pod, qtbot):
    canvas = window.views.canvas
    window.show()
    canvas.setFocus()
    picker = ask(window, qtbot, "edit.find", "spine-08")
    qtbot.keyClick(picker.line, Qt.Key.Key_Return)
    qtbot.keyClick(canvas, Qt.Key.Key_Escape)
    assert names(window) == ["spine-08"]
    qtbot.keyClick(canvas, Qt.Key.Key_Escape)
    assert not window.session.selection, "the second one is meant"
    picker = ask(window, qtbot, "edit.find", "spine-08")
    qtbot.keyClick(picker.line, Qt.Key.Key_Return)
    qtbot.keyClick(canvas, Qt.Key.Key_A, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClick(canvas, Qt.Key.Key_Escape)
    assert not window.session.selection, "after another key too"
    picker = ask(window, qtbot, "edit.find", "spine-08")
    qtbot.keyClick(picker.line, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not picker._forgives.isActive(), timeout=4 * FORGIVES_MS)
    qtbot.keyClick(canvas, Qt.Key.Key_Escape)
    assert not window.session.selection, "and some time later"


def test_keys_of_a_command_that_cannot_be_used_say_why(window, pod, qtbot):
    window.show()
    window.actions_table.refresh()
    qtbot.keyClick(window.views.canvas, Qt.Key.Key_X)
    assert window.notice.text.text() == "Select devices or links that work."
    assert not window.session.failed


def test_find_selects_all_hits_beyond_those_listed(window, pod, qtbot):
    picker = ask(window, qtbot, "edit.find", "gpu")
    assert picker.list.count() == 60
    qtbot.keyClick(picker.line, Qt.Key.Key_Enter, Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.KeypadModifier)
    assert len(window.session.selection) == 127


def test_find_knows_tags_and_fields(window, pod, qtbot):
    spine = pod.find("spine-07").id
    window.session.push(operations.add_tags(pod, [spine], ("decommission",)))
    window.session.push(operations.set_field(pod, [spine], "Asset", "A-4711"))
    for text in ("decommission", "A-4711"):
        picker = ask(window, qtbot, "edit.find", text)
        qtbot.keyClick(picker.line, Qt.Key.Key_Return, CONTROL)
        assert names(window) == ["spine-07"]


def test_find_knows_tagged_links_and_nics(window, pod, qtbot):
    link, nic = next(iter(pod.links)), next(iter(pod.modules))
    window.session.push(operations.add_tags(pod, [link, nic], ("odd",)))
    picker = ask(window, qtbot, "edit.find", "odd")
    assert "Ctrl+Enter selects all 2" in picker.note.text()
    qtbot.keyClick(picker.line, Qt.Key.Key_Return, CONTROL)
    assert window.session.selection == {link, nic}
    picker = ask(window, qtbot, "edit.find", "odd")
    qtbot.keyClick(picker.line, Qt.Key.Key_Return)
    assert len(window.session.selection) == 1


def test_the_palette_keeps_no_note_and_no_way_to_take_all(window, pod, qtbot):
    ask(window, qtbot, "select.expression", "zzz:1")
    window.desk.show_commands()
    picker = window.desk.picker
    assert not picker.note.text() and picker.list.count() == 60
    qtbot.keyClicks(picker.line, "select all")
    qtbot.keyClick(picker.line, Qt.Key.Key_Return, CONTROL)
    assert not picker.isVisible()


@pytest.mark.parametrize(
    ("fact", "count"), [("type", 48), ("role", 32), ("rack", 8), ("rail", 4), ("network", 48), ("unit", 40)]
)
def test_what_is_the_same_is_selected(window, pod, fact, count):
    window.session.select([pod.find("leaf-su2-r3").id])
    window.actions_table.trigger(f"select.same_{fact}")
    assert len(window.session.selection) == count
    assert pod.find("leaf-su2-r3").id in window.session.selection


def test_what_has_nothing_in_common_is_said_and_stays_selected(window, pod, qtbot):
    spine = pod.find("spine-01").id
    window.session.select([spine])
    with qtbot.waitSignal(window.session.message) as said:
        window.actions_table.trigger("select.same_rail")
    assert said.args == ["Nothing that is selected has a rail."]
    assert window.session.selection == {spine}


def test_links_of_the_same_cable_are_selected(window, pod):
    window.session.select([next(iter(pod.links))])
    window.actions_table.trigger("select.same_type")
    assert len(window.session.selection) == 2040


def test_find_offers_the_exact_name_first_and_of_like_names_devices_before_racks_before_cables(window, pod, qtbot):
    leaf, link = pod.find("leaf-su1-r1"), next(iter(pod.links.values()))
    rack, group = next(iter(pod.racks.values())), next(iter(pod.groups.values()))
    window.session.push(
        Edit(
            "Name alike",
            (
                Change(link, replace(link, label="p01-lf01-p01-sp01-04")),
                Change(leaf, replace(leaf, name="p01-lf04")),
                Change(rack, replace(rack, name="p01-lf04b")),
                Change(group, replace(group, name="p01-lf04")),
            ),
        )
    )
    picker = ask(window, qtbot, "edit.find", "p01-lf04")
    details = [picker.list.item(row).data(DETAIL_ROLE) for row in range(3)]
    assert rows(picker) == ["p01-lf04", "p01-lf04", "p01-lf04b", "p01-lf01-p01-sp01-04"]
    assert details == [pod.device_type(leaf.id).model, "group", "rack"]
    qtbot.keyClick(picker.line, Qt.Key.Key_Return)
    assert window.session.selection == {leaf.id}


def details(picker):
    return [picker.list.item(row).data(DETAIL_ROLE) for row in range(picker.list.count())]


def test_find_goes_to_the_link_of_a_port_and_says_where_that_leads(window, pod, qtbot):
    picker = ask(window, qtbot, "edit.find", "gpu-001/rail2")
    assert rows(picker) == ["gpu-001 port rail2 (OSFP3P2)"] and details(picker) == ["to leaf-su1-r2 port 1/1"]
    qtbot.keyClick(picker.line, Qt.Key.Key_Return)
    (link_id,) = window.session.selection
    assert window.session.design.end_name(window.session.design.links[link_id].a).startswith("gpu-001 port rail2")


def test_find_says_by_which_tag_or_field_it_found_something(window, pod, qtbot):
    design = window.session.design
    leaf = next(one for one in design.devices.values() if one.name == "leaf-su1-r1")
    noted = replace(leaf, tags=("lab", "spare"), fields=(("Asset", "AB-1234"), ("Owner", "spare parts team")))
    window.session.push(Edit("Note", (Change(leaf, noted),)))
    for typed, said in (
        ("spare", "tag: spare · QM9700"),
        ("ab-12", "Asset: AB-1234 · QM9700"),
        ("leaf lab", "tag: lab · QM9700"),
        ("leaf-su1-r1", "QM9700"),
    ):
        assert details(ask(window, qtbot, "edit.find", typed))[0] == said
