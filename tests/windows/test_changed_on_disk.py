"""Two windows, an editor or a checkout write the same file: nobody's work is written over without a question."""

import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtWidgets import QMessageBox, QPushButton, QWidget

from designer.storage import document, recovery
from designer.windows.application import keep_unsaved_work
from designer.windows.dialogs.questions import Questions
from designer.windows.files import large_files
from designer.windows.files.saving import free_name

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "faults.fabric"
WRITES = """
import sys
from pathlib import Path
from designer.storage import document
document.save(document.load(sys.argv[1]), sys.argv[2])
"""


@pytest.fixture
def path(window, add, tmp_path) -> Path:
    """A file that this window has open, with one switch."""
    add("nvidia-qm9700")
    path = tmp_path / "pod.fabric"
    window.session.save(path)
    return path


def write_elsewhere(path: Path) -> bytes:
    """Another process writes a fabric to the file; returns what it wrote."""
    command = [sys.executable, "-c", WRITES, str(EXAMPLE), str(path)]
    subprocess.run(command, cwd=ROOT, check=True)
    return path.read_bytes()


@pytest.fixture
def theirs(path) -> bytes:
    """What somebody else wrote over it, the way editors and checkouts do."""
    other = path.with_name("theirs")
    other.write_bytes(EXAMPLE.read_bytes())
    other.replace(path)
    return path.read_bytes()


def look(window, qtbot) -> None:
    window.session.disk.look()
    qtbot.waitUntil(lambda: not window.session.jobs.busy("disk"))


def ids(window) -> set[str]:
    return set(window.session.design.devices)


def test_saving_over_what_another_program_saved_asks_and_cancel_keeps_both(window, path, add, answers):
    theirs = write_elsewhere(path)
    add("dgx-h100")
    answers.on_changed.append("cancel")
    window.actions_table.trigger("file.save")
    assert answers.asked == ["changed pod.fabric"]
    assert path.read_bytes() == theirs
    assert window.session.dirty and len(ids(window)) == 2


def test_overwriting_is_done_once_it_was_asked_for(window, path, theirs, add, answers):
    add("dgx-h100")
    answers.on_changed.append("overwrite")
    window.actions_table.trigger("file.save")
    assert set(document.load(path).devices) == ids(window)
    add("dgx-h100")
    window.actions_table.trigger("file.save")  # our own file by now
    assert not window.session.dirty


def test_what_is_written_while_the_question_stands_is_asked_about(window, path, theirs, add, answers, monkeypatch):
    add("dgx-h100")
    written = []

    def answer(_name: str) -> str:
        if not written:
            path.write_bytes(theirs.replace(b"Deliberate", b"Accidental"))
            written.append(path.read_bytes())
            return "overwrite"
        return "cancel"

    monkeypatch.setattr(answers, "changed_on_disk", answer)
    window.actions_table.trigger("file.save")
    assert path.read_bytes() == written[0]


def test_save_as_suggests_a_free_name_and_leaves_theirs(window, path, theirs, add, answers):
    add("dgx-h100")
    mine = path.with_name("pod-2.fabric")
    answers.on_changed.append("save-as")
    answers.on_save.append(mine)
    window.actions_table.trigger("file.save")
    assert answers.asked[-1] == "Save design pod-2.fabric"
    assert path.read_bytes() == theirs
    assert (window.session.path, window.session.dirty) == (mine, False)
    assert free_name(path) == path.with_name("pod-3.fabric")


def test_reloading_shows_theirs_and_undo_brings_mine_back(window, path, theirs, add, answers, qtbot):
    add("dgx-h100")
    mine = list(window.session.design.entities())
    answers.on_changed.append("reload")
    with qtbot.waitSignal(window.session.disk.reloaded):
        window.actions_table.trigger("file.save")
    assert document.encode(window.session.design) == theirs == path.read_bytes()
    assert not window.session.dirty
    window.actions_table.trigger("edit.undo")
    assert list(window.session.design.entities()) == mine
    assert window.session.dirty
    window.actions_table.trigger("file.save")  # theirs was seen, and a step back from it was wanted
    assert set(document.load(path).devices) == ids(window)


def test_a_large_design_asks_as_well(window, path, theirs, add, answers, qtbot, monkeypatch):
    monkeypatch.setattr(large_files, "LARGE_RECORDS", 0)
    add("dgx-h100")
    answers.on_changed.append("cancel")
    window.actions_table.trigger("file.save")
    qtbot.waitUntil(lambda: answers.asked == ["changed pod.fabric"])
    assert path.read_bytes() == theirs
    answers.on_changed.append("overwrite")
    window.actions_table.trigger("file.save")
    qtbot.waitUntil(lambda: not window.session.dirty)
    assert set(document.load(path).devices) == ids(window)


@pytest.mark.parametrize("answer", ["cancel", "reload"])
def test_closing_with_save_asks_too_and_stays_if_it_is_not_written(window, path, theirs, add, answers, qtbot, answer):
    add("dgx-h100")
    answers.on_unsaved.append("save")
    answers.on_changed.append(answer)
    window.close()
    assert window.isVisible()
    qtbot.waitUntil(lambda: not window.session.jobs.busy("reloading"))
    assert path.read_bytes() == theirs
    assert window.session.dirty == (answer == "cancel")


def test_restored_work_asks_before_it_takes_the_place_of_a_file_that_was_written_since(
    window, path, add, answers, tmp_path, qtbot
):
    folder = tmp_path / "recovery"
    recovery.make_folder(folder)
    add("dgx-h100")
    session = window.session
    recovery.keep(session.design, "pod.fabric", path, recovery.new_file(folder), began_from=session.file_version.digest)
    session.new()
    theirs = write_elsewhere(path)
    keep_unsaved_work(window, folder)
    qtbot.waitUntil(window.recovery.isVisible)
    window.recovery.restore_button.click()
    qtbot.waitUntil(window.disk_bar.isVisible)
    answers.on_changed.append("cancel")
    window.actions_table.trigger("file.save")
    assert path.read_bytes() == theirs


def test_work_kept_meanwhile_says_which_file_it_goes_on_from(window, path, add, tmp_path, qtbot):
    keep_unsaved_work(window, tmp_path / "recovery")
    add("dgx-h100")
    window.session.autosave.keep_now()
    qtbot.waitUntil(lambda: window.session.autosave.file is not None)
    (kept,) = recovery.files(tmp_path / "recovery")
    assert recovery.describe(kept).began_from == window.session.file_version.digest


def test_the_window_that_comes_to_the_front_tells_of_the_change_and_reloads(window, path, theirs, qtbot):
    other = QWidget()
    qtbot.addWidget(other)
    other.show()
    with qtbot.waitActive(other):
        other.activateWindow()
    assert not window.disk_bar.isVisible()
    with qtbot.waitSignal(window.session.disk.changed):
        window.activateWindow()
    assert window.disk_bar.isVisible()
    assert window.disk_bar.text.text() == "pod.fabric changed on disk."
    with qtbot.waitSignal(window.session.disk.reloaded):
        window.disk_bar.reload_button.click()
    assert not window.disk_bar.isVisible()
    assert document.encode(window.session.design) == theirs


def test_keeping_mine_is_unsaved_work_and_is_not_asked_about_until_it_changes_again(window, path, theirs, qtbot):
    look(window, qtbot)
    window.disk_bar.keep_button.click()
    assert not window.disk_bar.isVisible() and window.session.dirty
    look(window, qtbot)
    assert not window.disk_bar.isVisible()
    path.write_bytes(theirs + b"\n")
    look(window, qtbot)
    assert window.disk_bar.isVisible() and "has unsaved changes" in window.disk_bar.text.text()


def test_saving_what_was_kept_still_asks(window, path, theirs, answers, qtbot):
    look(window, qtbot)
    window.disk_bar.keep_button.click()
    answers.on_changed.append("cancel")
    window.actions_table.trigger("file.save")
    assert path.read_bytes() == theirs


def test_a_file_that_vanished_is_told_its_design_is_unsaved_and_saving_writes_it_again(window, path, qtbot):
    before = path.read_bytes()
    path.unlink()
    look(window, qtbot)
    assert "no longer on disk" in window.disk_bar.text.text()
    assert window.session.dirty
    window.disk_bar.save_button.click()
    assert path.read_bytes() == before
    assert not window.disk_bar.isVisible() and not window.session.dirty


def test_a_file_that_cannot_be_read_any_more_leaves_the_design_as_it_is(window, path, qtbot):
    before = list(window.session.design.entities())
    path.write_bytes(b"<<<<<<< HEAD")
    look(window, qtbot)
    window.disk_bar.reload_button.click()
    qtbot.waitUntil(lambda: "pod.fabric" in window.notice.text.text())
    assert list(window.session.design.entities()) == before
    assert window.disk_bar.isVisible()


def test_opening_another_file_takes_the_bar_away(window, path, theirs, tmp_path, qtbot):
    look(window, qtbot)
    assert window.disk_bar.isVisible()
    window.session.new()
    assert not window.disk_bar.isVisible()


@pytest.mark.parametrize(
    ("button", "answer"),
    [("Overwrite", "overwrite"), ("Save As…", "save-as"), ("Reload", "reload"), ("Cancel", "cancel")],
)
def test_the_question_has_an_answer_a_button(window, qtbot, monkeypatch, button, answer):
    def press(box: QMessageBox) -> int:
        (found,) = [one for one in box.findChildren(QPushButton) if one.text().replace("&", "") == button]
        box.show()
        found.click()
        return 0

    monkeypatch.setattr(QMessageBox, "exec", press)
    questions = Questions()
    questions.parent = window
    assert questions.changed_on_disk("pod.fabric") == answer
