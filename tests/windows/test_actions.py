"""The table of actions: one row a thing, reachable by menu, key, palette and shortcuts page."""

from collections import Counter

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QHelpEvent, QKeySequence
from PySide6.QtWidgets import QApplication, QMenu

from designer.model import operations
from designer.paths import resources_dir
from designer.windows.commands import menu_rows, menus
from designer.windows.commands.access_keys import marked, plain
from designer.windows.commands.actions import always
from designer.windows.commands.table import ACTIONS
from designer.windows.commands.view_commands import full_screen
from designer.windows.dialogs.shortcuts import keys_of
from designer.windows.picker import pickers


def ids_in(entries) -> list[str]:
    found = []
    for entry in entries:
        if isinstance(entry, tuple):
            found += ids_in(entry[1])
        elif entry is not None:
            found.append(entry)
    return found


def test_no_two_rows_share_an_id_or_a_key():
    assert [i for i, n in Counter(row.id for row in ACTIONS).items() if n > 1] == []
    keys = Counter(key.toString() for row in ACTIONS for key in row.shortcuts)
    assert [key for key, n in keys.items() if n > 1] == []


@pytest.mark.parametrize("row", ACTIONS, ids=lambda row: row.id)
def test_a_row_can_be_drawn_pressed_and_found(row):
    assert row.text
    assert row.menu
    assert not row.icon or (resources_dir() / "icons" / f"{row.icon}.svg").is_file()
    assert all(not key.isEmpty() and key.toString() for key in row.shortcuts)


def test_every_command_that_may_be_dimmed_says_why():
    assert [row.id for row in ACTIONS if row.enabled is not always and not row.reason] == []


def test_every_action_stands_in_exactly_one_menu():
    listed = Counter(
        i
        for _, entries in menu_rows.MENUS
        for i in ids_in(entries)
        if i not in (menu_rows.RECENT_FILES, menu_rows.EXAMPLES)
    )
    assert sorted(listed) == sorted(row.id for row in ACTIONS)
    assert set(listed.values()) == {1}


def test_toolbar_and_context_menus_name_actions_that_exist():
    known = {row.id for row in ACTIONS}
    for entries in (menus.TOOLBAR, menus.CONTEXT_ON_SELECTION, menus.CONTEXT_ON_CANVAS):
        assert set(ids_in(entries)) <= known
    icons = {row.id: row.icon for row in ACTIONS}
    assert all(icons[i] for i in menus.TOOLBAR if i is not None)


def test_every_action_is_offered_in_the_command_palette(window):
    window.desk.show_commands()
    offered = {choice.text.split(" ")[0] for choice in window.picker._choices}
    texts = {choice.text for choice in window.picker._choices}
    for row in ACTIONS:
        if row.id not in ("view.command_palette", "edit.undo", "edit.redo"):
            assert row.text in texts
    assert {"Undo", "Redo"} <= offered


@pytest.mark.own_window
def test_typing_in_the_palette_and_pressing_enter_runs_the_command(window, qtbot):
    window.activateWindow()
    qtbot.keyClick(window, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    assert window.picker.isVisible()
    qtbot.keyClicks(window.picker.line, "dark theme")
    qtbot.keyClick(window.picker.line, Qt.Key.Key_Return)
    assert not window.picker.isVisible()
    assert window.preferences.theme == "dark"
    assert window.appearance.dark


def test_escape_closes_the_palette_and_nothing_happens(window, qtbot):
    window.desk.show_commands()
    qtbot.keyClicks(window.picker.line, "new")
    qtbot.keyClick(window.picker.line, Qt.Key.Key_Escape)
    assert not window.picker.isVisible()


def test_a_command_of_the_palette_that_asks_there_leaves_enter_and_escape_alive(window, add, qtbot):
    picker, leaf = window.picker, add("nvidia-qm9700")
    for how_often in range(2):
        window.session.select([leaf])
        window.actions_table.trigger("view.command_palette")
        qtbot.keyClicks(picker.line, "set color")
        qtbot.keyClick(picker.line, Qt.Key.Key_Return)
        assert picker.isVisible() and "Teal" in [one.text for one in picker._shown], f"time {how_often + 1}"
        qtbot.keyClick(picker.line, Qt.Key.Key_Escape)
        assert picker.isHidden(), f"time {how_often + 1}"
    window.actions_table.trigger("view.command_palette")
    qtbot.keyClicks(picker.line, "set color")
    qtbot.keyClick(picker.line, Qt.Key.Key_Return)
    qtbot.keyClicks(picker.line, "teal")
    qtbot.keyClick(picker.line, Qt.Key.Key_Return)
    assert window.session.design.devices[leaf].colour == "#09a383" and picker.isHidden()


def test_a_command_that_cannot_be_done_now_is_shown_but_not_run(window, qtbot):
    window.desk.show_commands()
    qtbot.keyClicks(window.picker.line, "duplicate")
    assert window.picker._shown[0].text == "Duplicate"
    assert not window.picker._shown[0].enabled
    qtbot.keyClick(window.picker.line, Qt.Key.Key_Return)
    assert window.picker.isVisible()


def test_the_shortcuts_page_lists_every_key_and_filters(window, qtbot):
    window.actions_table.trigger("help.shortcuts")
    dialog = window.dialogs["shortcuts"]
    shown = {}
    for number in range(dialog.tree.topLevelItemCount()):
        section = dialog.tree.topLevelItem(number)
        shown |= {section.child(n).text(0): section.child(n).text(1) for n in range(section.childCount())}
    for row in ACTIONS:
        assert shown[row.text.replace("…", "")] == keys_of(row)
    qtbot.keyClicks(dialog.search, "ctrl+shift+z")
    visible = [
        section.child(n).text(0)
        for section in (dialog.tree.topLevelItem(k) for k in range(dialog.tree.topLevelItemCount()))
        for n in range(section.childCount())
        if not section.child(n).isHidden()
    ]
    assert visible == ["Redo"]


def test_undo_and_redo_name_what_they_would_do(window, add):
    add("nvidia-qm9700")
    window.actions_table.refresh()
    label = window.session.undo_stack.undoText()
    assert label
    assert window.actions_table["edit.undo"].text() == f"&Undo {label}"
    window.actions_table.trigger("edit.undo")
    assert window.actions_table["edit.redo"].text() == f"&Redo {label}"
    assert not window.actions_table["edit.undo"].isEnabled()


def test_keys_in_a_text_field_are_text_and_not_commands(window, add, qtbot):
    add("nvidia-qm9700")
    window.activateWindow()
    before = len(window.session.design.devices)
    window.docks.palette.search.setFocus()
    qtbot.keyClicks(window.docks.palette.search, "xvcdf")
    qtbot.keyClick(window.docks.palette.search, Qt.Key.Key_Backspace)
    assert window.docks.palette.search.text() == "xvcd"
    assert window.views.tool == "select"
    assert len(window.session.design.devices) == before


def test_shortcuts_are_shown_in_the_tool_tips(window):
    action = window.actions_table["simulate.run"]
    assert QKeySequence("F5").toString(QKeySequence.SequenceFormat.NativeText) in action.toolTip()


def test_words_that_name_no_command_find_none_and_enter_does_nothing(window, qtbot):
    before = window.session.design.revision
    for words in ("frobnicate", "fxdlt", "open the pod bay doors"):
        window.desk.show_commands()
        qtbot.keyClicks(window.picker.line, words)
        assert window.picker._shown == [], words
        assert window.picker.nothing.isVisible()
        assert window.picker.nothing.text() == "No matches."
        qtbot.keyClick(window.picker.line, Qt.Key.Key_Return)
        assert window.picker.isVisible()
        window.picker.close_picker()
    assert window.session.design.revision == before


def test_a_search_for_a_command_does_not_offer_to_undo_what_was_just_done(window, add, qtbot):
    add("nvidia-qm9700")
    window.desk.show_commands()
    qtbot.keyClicks(window.picker.line, "add")
    assert window.picker._shown
    assert not any(choice.text.startswith("Undo") for choice in window.picker._shown)
    window.picker.line.setText("undo")
    assert window.picker._shown[0].text.startswith("Undo Add")


def test_every_row_of_a_menu_has_a_letter_that_picks_it_its_own_while_letters_last(window):
    def check(menu):
        rows = [action for action in menu.actions() if not action.isSeparator()]
        letters = [action.text()[action.text().index("&") + 1].lower() for action in rows]
        for action, letter in zip(rows, letters, strict=True):
            if letters.count(letter) > 1:
                assert set(plain(action.text()).lower()) - set(" -…") <= set(letters), action.text()
        for action in rows:
            if action.menu() is not None and action.menu() not in window._changing_menus.values():
                check(action.menu())

    for title in window.menuBar().actions():
        check(title.menu())


def test_a_right_click_offers_only_what_can_be_done(window, add):
    table = window.actions_table
    on_canvas = [one.text() for one in menus.context_menu(window, table, on_selection=False).actions()]
    assert "Restore All" not in map(plain, on_canvas) and "Select All" not in map(plain, on_canvas)
    add("nvidia-qm9700")
    window.session.select(window.session.design.devices)
    menu = menus.context_menu(window, table, on_selection=True)
    assert all(one.isEnabled() for one in menu.actions() if not one.isSeparator())
    offered = [plain(one.text()) for one in menu.actions()]
    assert "Delete" in offered and "Select Same" in offered
    assert not {"Build", "Align", "Flip", "Expand", "Connect Selected"} & set(offered)


def test_the_command_palette_shows_commands_without_the_marks_of_their_letters(window, add):
    add("nvidia-qm9700")
    window.desk.show_commands()
    assert not [choice.text for choice in window.picker._choices if "&" in choice.text]


def test_letters_are_marked_at_the_beginning_of_words_first_and_shared_only_where_none_is_left():
    assert marked(["Save", "Save As…", "&Quit", "Quit It"]) == ["&Save", "Save &As…", "&Quit", "Quit &It"]
    assert marked(["Save", "Save As…", "Aa"]) == ["&Save", "Sa&ve As…", "&Aa"]  # the one who can gives way
    assert marked(["Aa", "Aa"]) == ["&Aa", "&Aa"]
    assert plain("&Undo Add A && B") == "Undo Add A & B"


def test_a_maximized_window_is_maximized_again_after_the_full_screen(window):
    window.showMaximized()
    full_screen(window.desk)
    assert window.isFullScreen()
    full_screen(window.desk)
    assert window.isMaximized() and not window.isFullScreen()
    window.showNormal()


def test_what_can_be_done_with_very_many_is_known_soon_after_they_are_selected(window, qtbot, monkeypatch):
    monkeypatch.setattr("designer.windows.commands.actions.MANY_SELECTED", 2)
    session, actions = window.session, window.actions_table
    for x in (0, 300):
        type_ = session.catalog.types["nvidia-qm9700"]
        session.push(operations.add_device(session.design, type_, x, 0, catalog_types=session.catalog.types))
    actions.refresh()
    refreshed = []
    monkeypatch.setattr(actions, "refresh", lambda: refreshed.append(actions["edit.delete"].isEnabled()))
    actions.trigger("edit.select_all")
    assert len(session.selection) == 2 and not refreshed
    monkeypatch.undo()
    qtbot.waitUntil(actions["edit.delete"].isEnabled)
    actions.trigger("edit.select_none")
    assert not actions["edit.delete"].isEnabled()


def test_a_command_that_cannot_be_used_says_why(window, add):
    action = window.actions_table["room.mount"]
    window.actions_table.refresh()
    assert not action.isEnabled() and action.toolTip().endswith("The design has no devices yet.")
    device = add("dgx-h100")
    window.actions_table.refresh()
    assert action.isEnabled() and "no devices" not in action.toolTip()
    window.session.select([device])
    window.actions_table.refresh()
    assert "Select two devices." in window.actions_table["link.connect"].toolTip()
    found = next(one for one in pickers.commands(window.desk, window.actions_table) if one.text == "Connect Selected")
    assert (found.enabled, found.detail) == (False, "Select two devices.")


def test_a_menu_shows_the_tips_of_dimmed_commands_alone(window):
    menu = next(one for one in window.findChildren(QMenu) if window.actions_table["room.mount"] in one.actions())
    menu.popup(window.mapToGlobal(window.rect().topLeft()))
    for action_id, is_shown in (("room.mount", True), ("room.measures", False)):
        at = menu.actionGeometry(window.actions_table[action_id]).center()
        QApplication.sendEvent(menu, QHelpEvent(QEvent.Type.ToolTip, at, menu.mapToGlobal(at)))
        assert menu.toolTipsVisible() is is_shown
    menu.close()
