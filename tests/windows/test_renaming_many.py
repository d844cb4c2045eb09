"""The dialog that renames many: a live preview, faults before anything changes, one step to undo."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialogButtonBox

from designer.analysis.renaming.renaming import RenameOptions
from designer.storage import document

SUPERPOD = Path(__file__).parents[2] / "examples" / "superpod-h100-4su.fabric"


@pytest.fixture
def pod(window):
    window.session.replace(document.load(SUPERPOD), None)
    return window.session.design


@pytest.fixture
def dialog(window, pod, qtbot):
    window.session.select([pod.find(f"leaf-su2-r{n}").id for n in range(1, 9)])
    window.actions_table.trigger("edit.rename")
    dialog = window.desk.dialogs["rename"]
    qtbot.waitUntil(lambda: len(dialog.table.rows) == 8)
    return dialog


def shown(qtbot, dialog, first, column=1):
    qtbot.waitUntil(lambda: len(dialog.table.rows) > 0 and dialog.table.texts(0)[column] == first)


def test_f2_with_several_selected_opens_it_with_the_names_as_they_are(dialog):
    assert dialog.table.texts(0) == ["leaf-su2-r1", "leaf-su2-r1", ""]
    assert dialog.summary.text() == "No name changes." and not dialog.apply.isEnabled()
    assert dialog.pattern.text() == "{name}"


def test_a_pattern_is_previewed_applied_and_undone_in_one_step(dialog, window, pod, qtbot):
    before = document.encode(pod)
    dialog.pattern.clear()
    qtbot.keyClicks(dialog.pattern, "tor-{su}-r{rail:02}")
    shown(qtbot, dialog, "tor-2-r01")
    assert dialog.table.texts(7)[:2] == ["leaf-su2-r8", "tor-2-r08"]
    assert pod.find("leaf-su2-r1"), "nothing has changed yet"
    qtbot.mouseClick(dialog.apply, Qt.MouseButton.LeftButton)
    assert pod.find("tor-2-r08").rail == 8 and not dialog.isVisible()
    assert window.session.undo_stack.undoText() == "Rename 8 devices"
    window.session.undo_stack.undo()
    assert document.encode(pod) == before


@pytest.mark.parametrize(
    ("field", "text", "refusal"),
    [
        ("pattern", "leaf-{su}", "8 of 8 names cannot be used; leaf-2: 8 devices would have this name."),
        ("pattern", "{rack", "A brace is not closed: write {{ for a brace in a name."),
        ("find", "leaf-su2-r", ""),
    ],
)
def test_what_cannot_be_is_flagged_and_cannot_be_applied(dialog, pod, qtbot, field, text, refusal):
    dialog.form.set_text(field, text)
    if refusal:
        qtbot.waitUntil(lambda: dialog.refusal.text() == refusal)
        assert not dialog.apply.isEnabled()
        dialog.do()
        assert pod.find("leaf-su2-r1")
    else:
        shown(qtbot, dialog, "1")
        assert dialog.apply.isEnabled() and not dialog.refusal.isVisible()


def test_find_and_replace_may_be_a_regular_expression(dialog, qtbot):
    dialog.form.set_text("find", r"su(\d)-r(\d)")
    dialog.form.set_text("replacement", r"\2 \1")
    dialog.form.show_value("is_regular", True)
    shown(qtbot, dialog, "leaf-1 2")
    dialog.form.set_text("find", "(a+)+")
    qtbot.waitUntil(lambda: "repeated group" in dialog.refusal.text())


def test_blanks_are_found_and_replaced(dialog, qtbot):
    dialog.pattern.setText("{role} {n}")
    dialog.form.set_text("find", " ")
    dialog.form.set_text("replacement", "_")
    shown(qtbot, dialog, "leaf_1")


def test_a_pasted_column_names_them_in_order(dialog, pod, qtbot):
    dialog.list.setPlainText("\n".join(f"tor{n}\tcell" for n in range(1, 8)))
    qtbot.waitUntil(lambda: dialog.refusal.text() == "7 names for 8 things: give one for each.")
    dialog.list.setPlainText("\n".join(f"tor{n}" for n in range(1, 9)) + "\n")
    shown(qtbot, dialog, "tor1")
    qtbot.mouseClick(dialog.apply, Qt.MouseButton.LeftButton)
    assert pod.find("tor8").rail == 8


def test_it_follows_the_selection_and_later_edits(dialog, window, pod, qtbot):
    dialog.pattern.setText("x{n}")
    shown(qtbot, dialog, "x1")
    window.session.select([pod.find("spine-01").id])
    qtbot.waitUntil(lambda: len(dialog.table.rows) == 1)
    assert dialog.table.texts(0)[0] == "spine-01"
    window.session.select([])
    qtbot.waitUntil(lambda: dialog.refusal.text() == "Select devices, racks, groups or links to rename first.")


def test_a_field_of_the_menu_goes_to_the_cursor(dialog, qtbot):
    dialog.pattern.setText("leaf-")
    action = next(one for one in dialog.insert.menu().actions() if one.text().startswith("{rail}"))
    action.trigger()
    assert dialog.pattern.text() == "leaf-{rail}"


def test_every_field_has_a_name_and_the_dialog_leads_to_the_guide(dialog):
    assert all(editor.accessibleName() for editor in dialog.form.editors.values())
    assert dialog.buttons.button(QDialogButtonBox.StandardButton.Help) is not None


def open_for(window, dialog, qtbot, ids):
    window.session.select(ids)
    window.actions_table.trigger("edit.rename_many")
    qtbot.waitUntil(lambda: len(dialog.table.rows) == len(ids))


def test_it_opens_with_the_names_as_they_are_for_another_selection(dialog, window, pod, qtbot):
    """The last pattern, find and replace, and list would rename all of it on Enter."""
    leafs = window.session.selection
    dialog.pattern.setText("tor{n:02}")
    dialog.form.set_text("start", "3")
    dialog.form.set_text("find", "o")
    dialog.form.set_text("replacement", "0")
    shown(qtbot, dialog, "t0r03")
    qtbot.mouseClick(dialog.apply, Qt.MouseButton.LeftButton)
    assert pod.find("t0r10") and not dialog.isVisible()
    open_for(window, dialog, qtbot, leafs)
    assert dialog.pattern.text() == "tor{n:02}" and not dialog.apply.isEnabled(), "for the same it stays"
    dialog.list.setPlainText("x")
    dialog.close()
    racks = sorted(pod.racks)[:3]
    open_for(window, dialog, qtbot, racks)
    assert (dialog.pattern.text(), dialog.list.toPlainText()) == ("{name}", "")
    assert dialog.form.parameters() == RenameOptions()
    assert dialog.table.texts(0)[:2] == [pod.racks[racks[0]].name] * 2 and not dialog.apply.isEnabled()


def test_names_of_another_selection_cannot_be_given_before_the_preview_is_there(dialog, window, pod, qtbot):
    dialog.pattern.setText("tor{n:02}")
    shown(qtbot, dialog, "tor01")
    dialog.close()
    window.session.select([pod.find("spine-01").id])
    window.actions_table.trigger("edit.rename_many")
    assert not dialog.apply.isEnabled() and not dialog.table.rows
    dialog.do()
    assert pod.find("leaf-su2-r1"), "nothing was renamed"


def test_names_are_given_as_they_are_shown(dialog, pod, qtbot):
    """Enter right after a keystroke: the preview is not of what stands in the form yet."""
    dialog.pattern.setText("tor{n:02}")
    shown(qtbot, dialog, "tor01")
    dialog.pattern.setText("tor{n:03}")
    dialog.do()
    assert pod.find("leaf-su2-r1")
    shown(qtbot, dialog, "tor001")
    dialog.do()
    assert pod.find("tor001")
