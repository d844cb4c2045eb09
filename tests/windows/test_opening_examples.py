"""Examples are opened to be looked at and bent: what comes of them is saved elsewhere, and they stay as shipped."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QIcon, QImage

from designer.drawing.theme import THEMES
from designer.windows.commands import document_commands, menu_rows
from designer.windows.files.examples import SENTENCES, example_files, picture_of
from designer.windows.picker import pickers

NAME = "faults.fabric"
TITLE = "Deliberate faults"


@pytest.fixture
def example() -> Path:
    (path,) = [path for path in example_files() if path.name == NAME]
    return path


def from_the_menu(window, _qtbot) -> None:
    (action,) = [one for one in window._changing_menus[menu_rows.EXAMPLES].actions() if one.text() == NAME]
    action.trigger()


def from_the_welcome_screen(window, qtbot) -> None:
    window.views.show_welcome()
    listed = window.views.welcome.examples
    (item,) = listed.findItems("faults", Qt.MatchFlag.MatchExactly)
    qtbot.mouseClick(listed.viewport(), Qt.MouseButton.LeftButton, pos=listed.visualItemRect(item).center())


def from_the_command_palette(window, _qtbot) -> None:
    (choice,) = [
        choice for choice in pickers.commands(window.desk, window.actions_table) if choice.text == f"Open {NAME}"
    ]
    choice.run()


@pytest.mark.parametrize("opened", [from_the_menu, from_the_welcome_screen, from_the_command_palette])
def test_an_example_opens_without_a_file_and_saving_asks_where_to(
    window, example, answers, add, tmp_path, qtbot, opened
):
    shipped = example.read_bytes()
    opened(window, qtbot)
    session = window.session
    assert (session.path, session.dirty) == (None, False)
    assert window.windowTitle().startswith(TITLE)
    assert len(session.design.devices) > 5
    add("nvidia-qm9700")
    answers.on_save.append(tmp_path / "mine.fabric")
    window.actions_table.trigger("file.save")
    assert answers.asked == ["Save design deliberate-faults.fabric"]
    assert session.path == tmp_path / "mine.fabric"
    assert example.read_bytes() == shipped
    assert example not in window.preferences.recent_files


def test_every_example_has_a_picture_in_both_themes_and_a_sentence():
    for path in example_files():
        assert SENTENCES[path.stem].endswith(".")
        for theme in THEMES:
            assert not QImage(str(picture_of(path, theme))).isNull()


def test_the_welcome_screen_shows_pictures_of_examples_in_its_theme(window):
    listed = window.views.welcome.examples
    for theme in ("dark", "light"):
        window.appearance.choice = theme
        for row, path in enumerate(example_files()):
            shown = listed.item(row).icon().pixmap(listed.iconSize()).toImage()
            expected = QIcon(str(picture_of(path, theme))).pixmap(listed.iconSize()).toImage()
            assert shown == expected
            middle = listed.visualItemRect(listed.item(row)).center().y()
            painted = listed.grab().toImage()
            assert len({painted.pixel(x, middle) for x in range(8, 140)}) > 2, "the picture is painted"


def test_a_large_example_opens_without_a_file_too(window, qtbot):
    (path,) = [path for path in example_files() if path.name.startswith("superpod")]
    document_commands.open_example(window.desk, path)
    qtbot.waitUntil(lambda: len(window.session.design.devices) > 100)
    assert (window.session.path, window.session.dirty) == (None, False)


def test_an_example_that_was_once_opened_as_a_file_is_listed_once_and_opens_as_an_example(window, example):
    window.preferences.add_recent_file(example)
    from_the_command_palette(window, None)
    assert window.session.path is None
    (action,) = window._changing_menus[menu_rows.RECENT_FILES].actions()
    action.trigger()
    assert window.session.path is None


def test_a_file_that_is_named_is_that_file_wherever_it_stands(window, example):
    document_commands.open_path(window.desk, example)
    assert window.session.path == example


def test_recent_files_of_one_name_are_told_apart_by_their_folder(window, add, tmp_path):
    add("nvidia-qm9700")
    folders = [tmp_path / "north", tmp_path / "a-folder-of-a-rather-long-name" / "south"]
    for folder in folders:
        folder.mkdir(parents=True)
        window.session.save(folder / "pod.fabric")
        window.preferences.add_recent_file(folder / "pod.fabric")
    found = [
        choice for choice in pickers.commands(window.desk, window.actions_table) if choice.text == "Open pod.fabric"
    ]
    assert len(found) == 2
    assert sorted(choice.detail[-5:] for choice in found) == ["north", "south"]
    assert all(len(choice.detail) <= pickers.FOLDER_MOST for choice in found)


@pytest.mark.parametrize("action", ["file.save_as", "export.svg", "export.png", "export.cable_plan"])
def test_what_cannot_be_written_is_named_once(window, add, answers, qtbot, tmp_path, action):
    a, b = add("nvidia-qm9700"), add("dgx-h100")
    window.session.select([a, b])
    window.actions_table.trigger("link.connect")
    answers.on_save.append(tmp_path / "no" / "g.out")
    window.actions_table.trigger(action)
    qtbot.waitUntil(window.notice.isVisible)
    assert window.notice.text.text().count("g.out") == 1
