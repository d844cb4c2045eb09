"""Opening, saving, leaving: nothing is lost, and what is refused is said in the window."""

import re
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication

from designer.model import operations
from designer.storage import document
from designer.windows.files import large_files
from designer.windows.files.opening import OPENING


@pytest.fixture
def saved(window, add, answers, tmp_path) -> Path:
    add("nvidia-qm9700")
    path = tmp_path / "pod.fabric"
    answers.on_save.append(path)
    window.actions_table.trigger("file.save")
    return path


def test_saving_asks_for_a_name_once_and_clears_the_star(window, saved, add, answers):
    assert saved.is_file()
    assert not window.isWindowModified()
    assert "pod.fabric" in window.windowTitle()
    add("dgx-h100")
    assert window.isWindowModified()
    window.actions_table.trigger("file.save")
    assert not window.isWindowModified()
    assert len([question for question in answers.asked if "Save" in question]) == 1


def test_a_design_is_called_as_its_file_until_it_is_given_a_name(window, saved, add, answers, tmp_path, qtbot):
    def svg_title() -> str:
        answers.on_save.append(tmp_path / "drawing.svg")
        window.actions_table.trigger("export.svg")
        return re.search('<title id="title">(.*)</title>', (tmp_path / "drawing.svg").read_text())[1]

    session, field = window.session, window.docks.inspector.design_page.name.line
    assert (session.design.name, session.snapshot().name, svg_title()) == ("pod",) * 3
    session.select(())
    qtbot.waitUntil(lambda: field.text() == "pod")
    answers.on_save.append(tmp_path / "second.fabric")
    window.actions_table.trigger("file.save_as")
    assert (session.design.name, session.snapshot().name) == ("second", "second"), "renamed with its file"
    qtbot.waitUntil(lambda: field.text() == "second")
    assert document.load(tmp_path / "second.fabric").name == "second", "for the command line, too"
    session.push(operations.set_settings(session.design, name="Hall 3"))
    answers.on_save.append(tmp_path / "third.fabric")
    window.actions_table.trigger("file.save_as")
    assert (session.design.name, svg_title()) == ("Hall 3", "Hall 3"), "a name that was given stays"
    assert document.load(tmp_path / "third.fabric").name == "Hall 3"
    session.undo_stack.undo()
    assert session.design.name == "third", "undone, it is called as its file again"
    session.undo_stack.redo()
    assert session.design.name == "Hall 3"
    window.actions_table.trigger("file.save")
    window.actions_table.trigger("file.new")
    assert session.design.name == "Untitled"
    answers.on_open.append(tmp_path / "second.fabric")
    window.actions_table.trigger("file.open")
    qtbot.waitUntil(lambda: session.design.name == "second")


def test_a_name_without_suffix_gets_ours(window, add, answers, tmp_path):
    add("nvidia-qm9700")
    answers.on_save.append(tmp_path / "pod")
    window.actions_table.trigger("file.save_as")
    assert (tmp_path / "pod.fabric").is_file()


def test_what_was_saved_opens_equal(window, saved, answers):
    before = list(window.session.design.entities())
    window.actions_table.trigger("file.new")
    assert not window.session.design.devices
    answers.on_open.append(saved)
    window.actions_table.trigger("file.open")
    assert list(window.session.design.entities()) == before
    assert window.session.path == saved
    assert saved.read_bytes() == document.encode(window.session.design)


@pytest.mark.parametrize(
    "content", [b"", b"{", b"nonsense", b"[]", b'{"format": "fabric-design", "version": 99}', b"\x00" * 100]
)
def test_a_file_that_is_none_is_refused_with_a_sentence_and_the_design_stays(window, saved, tmp_path, answers, content):
    before = list(window.session.design.entities())
    bad = tmp_path / "bad.fabric"
    bad.write_bytes(content)
    answers.on_open.append(bad)
    window.actions_table.trigger("file.open")
    assert window.notice.isVisible()
    assert "bad.fabric" in window.notice.text.text()
    assert list(window.session.design.entities()) == before
    assert window.session.path == saved


def test_a_folder_that_cannot_be_written_is_told(window, add, answers, tmp_path):
    add("nvidia-qm9700")
    answers.on_save.append(tmp_path / "no" / "such" / "folder" / "pod.fabric")
    window.actions_table.trigger("file.save_as")
    assert window.notice.isVisible()
    assert "pod.fabric" in window.notice.text.text()
    assert window.session.dirty


def test_unsaved_changes_are_asked_about_and_cancel_keeps_everything(window, add, answers):
    device = add("nvidia-qm9700")
    answers.on_unsaved.append("cancel")
    window.actions_table.trigger("file.new")
    assert device in window.session.design.devices
    answers.on_unsaved.append("discard")
    window.actions_table.trigger("file.new")
    assert not window.session.design.devices


def test_answering_save_saves_before_leaving_and_stays_when_no_file_is_chosen(window, add, answers, tmp_path):
    device = add("nvidia-qm9700")
    answers.on_unsaved.append("save")
    answers.on_save.append(None)
    window.actions_table.trigger("file.new")
    assert device in window.session.design.devices
    answers.on_unsaved.append("save")
    answers.on_save.append(tmp_path / "kept.fabric")
    window.actions_table.trigger("file.new")
    assert not window.session.design.devices
    assert document.load(tmp_path / "kept.fabric").devices


def test_closing_with_unsaved_changes_can_be_cancelled(window, add, answers):
    add("nvidia-qm9700")
    answers.on_unsaved.append("cancel")
    window.close()
    assert window.isVisible()


def test_recent_files_are_listed_newest_first_and_open(window, saved, answers, tmp_path):
    other = tmp_path / "other.fabric"
    answers.on_save.append(other)
    window.actions_table.trigger("file.save_as")
    assert [path.name for path in window.preferences.recent_files] == ["other.fabric", "pod.fabric"]
    menu = window._changing_menus["recent-files"]
    assert [action.text() for action in menu.actions()] == ["other.fabric", "pod.fabric"]
    menu.actions()[1].trigger()
    assert window.session.path == saved
    other.unlink()
    assert [path.name for path in window.preferences.recent_files] == ["pod.fabric"]


def test_a_design_file_dropped_on_the_window_opens(window, saved, qtbot):
    window.actions_table.trigger("file.new")
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(saved))])
    enter = QDragEnterEvent(
        QPoint(5, 5), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    )
    QApplication.sendEvent(window, enter)
    assert enter.isAccepted()
    drop = QDropEvent(
        QPointF(5, 5), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    )
    QApplication.sendEvent(window, drop)
    qtbot.waitUntil(lambda: window.session.path == saved)


def test_the_welcome_screen_offers_recent_files_and_gives_way_to_the_canvas(window, saved, qtbot):
    window.actions_table.trigger("file.welcome")
    assert window.views.on_welcome()
    assert not window.toolbar.isVisible()
    assert window.views.welcome.recent.count() == 1
    rect = window.views.welcome.recent.visualItemRect(window.views.welcome.recent.item(0))
    qtbot.mouseClick(window.views.welcome.recent.viewport(), Qt.MouseButton.LeftButton, pos=rect.center())
    assert not window.views.on_welcome()
    assert window.toolbar.isVisible()
    assert window.docks.shown("palette")


@pytest.mark.parametrize(
    ("action", "suffix", "starts"),
    [
        ("export.svg", ".svg", b"<"),
        ("export.png", ".png", b"\x89PNG"),
        ("export.cable_plan", ".csv", b""),
        ("export.cable_plan_xlsx", ".xlsx", b"PK"),
        ("export.bill", ".xlsx", b"PK"),
    ],
)
def test_hand_over_files_are_written(window, add, answers, qtbot, tmp_path, action, suffix, starts):
    a, b = add("nvidia-qm9700"), add("dgx-h100")
    window.session.select([a, b])
    window.actions_table.trigger("link.connect")
    path = tmp_path / f"out{suffix}"
    answers.on_save.append(path)
    window.actions_table.trigger(action)
    qtbot.waitUntil(path.exists)
    assert path.read_bytes().startswith(starts)
    assert path.stat().st_size > 50
    content = {"cable_plan": "cable-plan", "bill": "bill-of-materials"}.get(action[7:].removesuffix("_xlsx"), "diagram")
    assert answers.asked[-1].endswith(f" untitled-{content}{suffix}")


def test_an_export_that_cannot_be_written_is_told(window, add, answers, tmp_path):
    add("nvidia-qm9700")
    answers.on_save.append(tmp_path / "no" / "folder" / "out.svg")
    window.actions_table.trigger("export.svg")
    assert window.notice.isVisible()
    assert "out.svg" in window.notice.text.text()


def test_the_window_comes_back_as_it_was_left(make_window, qtbot):
    first = make_window(settings="kept.ini")
    first.show()
    qtbot.waitExposed(first)
    first.views.show_canvas()
    first.docks.toggle("findings")
    first.resize(1200, 800)
    first.close()
    second = make_window(settings="kept.ini")
    second.show()
    qtbot.waitExposed(second)
    assert not second.docks.shown("findings")
    assert second.docks.shown("palette")


@pytest.fixture
def all_is_large(monkeypatch) -> None:
    monkeypatch.setattr(large_files, "LARGE_BYTES", 0)
    monkeypatch.setattr(large_files, "LARGE_RECORDS", 0)


def test_a_large_design_is_saved_and_opened_in_the_background(window, all_is_large, add, answers, tmp_path, qtbot):
    add("nvidia-qm9700")
    before, path = list(window.session.design.entities()), tmp_path / "pod.fabric"
    answers.on_save.append(path)
    window.actions_table.trigger("file.save")
    assert window.session.dirty and "Saving pod.fabric" in window.notice.text.text()
    qtbot.waitUntil(lambda: not window.session.dirty)
    window.actions_table.trigger("file.new")
    answers.on_open.append(path)
    window.actions_table.trigger("file.open")
    assert not window.session.design.devices and "Opening pod.fabric" in window.notice.text.text()
    qtbot.waitUntil(lambda: bool(window.session.design.devices))
    assert list(window.session.design.entities()) == before
    assert (window.session.path, window.session.dirty) == (path, False)


def test_what_is_changed_while_saving_stays_unsaved(window, all_is_large, add, answers, tmp_path, qtbot):
    add("nvidia-qm9700")
    path = tmp_path / "pod.fabric"
    answers.on_save.append(path)
    window.actions_table.trigger("file.save")
    add("dgx-h100")
    qtbot.waitUntil(lambda: window.session.path == path)
    assert window.session.dirty
    assert len(document.load(path).devices) == 1


def test_what_is_changed_while_a_large_file_is_opened_is_asked_about(window, saved, all_is_large, add, answers, qtbot):
    window.actions_table.trigger("file.new")
    answers.on_open.append(saved)
    window.actions_table.trigger("file.open")
    mine = add("dgx-h100")
    answers.on_unsaved.append("cancel")
    qtbot.waitUntil(lambda: not answers.on_unsaved)
    assert list(window.session.design.devices) == [mine]


def test_opening_can_be_stopped_and_a_faulty_file_is_refused(window, all_is_large, answers, tmp_path, qtbot):
    path = tmp_path / "bad.fabric"
    path.write_bytes(b'{"format": "fabric-design", "version": 99}')
    answers.on_open += [path, path]
    window.actions_table.trigger("file.open")
    window.notice._close.click()
    assert not window.session.jobs.busy(OPENING) and not window.notice.isVisible()
    window.actions_table.trigger("file.open")
    qtbot.waitUntil(lambda: "newer version" in window.notice.text.text())


def test_leaving_waits_until_a_large_design_is_saved(window, all_is_large, add, answers, tmp_path):
    add("nvidia-qm9700")
    answers.on_unsaved.append("save")
    answers.on_save.append(tmp_path / "kept.fabric")
    window.actions_table.trigger("file.new")
    assert not window.session.design.devices
    assert document.load(tmp_path / "kept.fabric").devices
