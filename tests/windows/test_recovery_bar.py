"""A window that was killed leaves its unsaved work to the next, which offers it without getting in the way."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from designer.session import autosave
from designer.session.autosave import LANE, find_leftovers
from designer.storage import document, recovery
from designer.windows.application import keep_unsaved_work
from designer.windows.commands.document_commands import open_after_asking

pytestmark = pytest.mark.own_window

ROOT = Path(__file__).resolve().parents[2]

WORKS_UNTIL_KILLED = """
import sys
from pathlib import Path
from designer.catalog.catalog import load
from designer.panels.widgets.appearance import Appearance
from designer.session import autosave
from designer.session.preferences import Preferences
from designer.session.session import Session
from designer.windows.commands.adding import add_type
from designer.windows.application import keep_unsaved_work, make_application
from designer.windows.dialogs.questions import Questions
from designer.windows.commands.document_commands import open_path
from designer.windows.shell.main_window import MainWindow

autosave.QUIET_S = 0.0
folder, file = Path(sys.argv[1]), sys.argv[2]
app = make_application(["fabric-designer"])
catalog = load()
session = Session(catalog)
window = MainWindow(session, Preferences(folder / "w.ini"), Appearance(app, "light"), Questions())
window.show()
keep_unsaved_work(window, folder / "recovery")
if file:
    open_path(window.desk, Path(file))
add_type(window.desk, "dgx-h100")
def told():
    if session.autosave.kept_revision == session.design.revision:
        print("kept", flush=True)
from PySide6.QtCore import QTimer
timer = QTimer()
timer.timeout.connect(told)
timer.start(5)
app.exec()
"""


def work_until_killed(folder: Path, file: Path | None = None) -> None:
    """A window of another process with unsaved work, killed as soon as that was recovered."""
    command = [sys.executable, "-c", WORKS_UNTIL_KILLED, str(folder), str(file or "")]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "kept\n"
            assert find_leftovers(folder / "recovery").offers == ()  # it still lives
        finally:
            os.kill(process.pid, getattr(signal, "SIGKILL", signal.SIGTERM))


@pytest.fixture(autouse=True)
def at_once(monkeypatch) -> None:
    monkeypatch.setattr(autosave, "QUIET_S", 0.0)
    monkeypatch.setattr(autosave, "MOST_SHARE", 1e9)


@pytest.fixture
def folder(tmp_path) -> Path:
    made = tmp_path / "recovery"
    made.mkdir()
    return made


@pytest.fixture
def look(window, folder, qtbot):
    def looked() -> None:
        keep_unsaved_work(window, folder)
        qtbot.waitUntil(lambda: not window.session.jobs.busy("recovery"))

    return looked


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def leave(window, folder: Path, file: Path | None = None, name: str = "pod.fabric") -> Path:
    """What a killed window with the design of this one would leave."""
    kept = recovery.new_file(folder)
    recovery.keep(window.session.design, name, file, kept)
    return kept


def restored(window, qtbot) -> None:
    window.recovery.restore_button.click()
    qtbot.waitUntil(lambda: window.session.dirty)


def test_a_killed_window_s_work_is_offered_restored_and_saved_over_its_file(window, add, tmp_path, folder, look, qtbot):
    add("nvidia-qm9700")
    path = tmp_path / "pod.fabric"
    window.session.save(path)
    window.session.new()
    work_until_killed(tmp_path, path)
    look()
    assert window.recovery.isVisible()
    assert window.recovery.text.text().startswith("Unsaved work on pod.fabric (2 devices) from ")
    assert not window.session.design.devices
    restored(window, qtbot)
    session = window.session
    assert not window.recovery.isVisible()
    assert (len(session.design.devices), session.path, window.isWindowModified()) == (2, path, True)
    assert len(document.load(path).devices) == 1
    assert len(recovery.files(folder)) == 1  # until it is saved
    window.actions_table.trigger("file.save")
    assert len(document.load(path).devices) == 2
    qtbot.waitUntil(lambda: names(folder) == [])


def test_a_killed_window_s_design_without_a_file_is_offered_too(window, answers, tmp_path, folder, look, qtbot):
    work_until_killed(tmp_path)
    look()
    assert "Untitled (never saved to a file, 1 device) from " in window.recovery.text.text()
    restored(window, qtbot)
    assert window.session.path is None and len(window.session.design.devices) == 1
    answers.on_save.append(tmp_path / "kept.fabric")
    window.actions_table.trigger("file.save")
    assert document.load(tmp_path / "kept.fabric").devices


def test_restoring_takes_nothing_unsaved_away(window, add, answers, folder, look, qtbot):
    leave(window, folder)
    look()
    mine = add("dgx-h100")
    answers.on_unsaved.append("cancel")
    window.recovery.restore_button.click()
    assert list(window.session.design.devices) == [mine] and window.recovery.isVisible()
    answers.on_unsaved.append("discard")
    window.recovery.restore_button.click()
    qtbot.waitUntil(lambda: not window.recovery.isVisible())
    assert not window.session.design.devices and window.session.dirty


def test_discarded_it_goes_and_the_next_is_offered(window, folder, look):
    leave(window, folder, name="first.fabric")
    leave(window, folder, name="second.fabric")
    look()
    assert "second.fabric" in window.recovery.text.text() and "Next: first.fabric from " in window.recovery.text.text()
    window.recovery.discard_button.click()
    assert "first.fabric" in window.recovery.text.text()
    window.recovery.discard_button.click()
    assert not window.recovery.isVisible() and names(folder) == []


def test_postponed_it_is_offered_again_when_its_file_is_opened_and_by_other_windows(
    window, add, tmp_path, folder, look, qtbot
):
    add("nvidia-qm9700")
    path, other = tmp_path / "pod.fabric", tmp_path / "other.fabric"
    window.session.save(other)
    window.session.save(path)
    add("nvidia-qm9700")
    kept = leave(window, folder, path)
    window.session.undo_stack.undo()
    look()
    assert find_leftovers(folder).offers == ()  # this window offers it
    window.recovery.later_button.click()
    assert not window.recovery.isVisible() and kept.exists()
    open_after_asking(window.desk, other)
    qtbot.waitUntil(lambda: not window.session.jobs.busy("recovery"))
    assert not window.recovery.isVisible()
    open_after_asking(window.desk, path)
    qtbot.waitUntil(window.recovery.isVisible)
    window.recovery.later_button.click()
    (offer,) = find_leftovers(folder).offers
    offer.claim.let_go()


def test_a_file_changed_since_or_gone_is_told(window, tmp_path, folder, look, qtbot):
    path = tmp_path / "pod.fabric"
    kept = leave(window, folder, path)
    look()
    assert "The file itself no longer exists." in window.recovery.text.text()
    window.recovery.later_button.click()
    document.save(window.session.design, path)
    kept.write_bytes(kept.read_bytes() + b"\n")
    later = recovery.describe(kept).kept_at_s + 7200
    os.utime(path, (later, later))
    window.recovery.look()
    qtbot.waitUntil(window.recovery.isVisible)
    assert "The file has been changed since then, at " in window.recovery.text.text()


def test_work_that_was_cut_short_is_refused_with_a_sentence_and_set_aside(window, add, folder, look, qtbot):
    add("dgx-h100")
    before = list(window.session.design.entities())
    kept = leave(window, folder)
    window.session.undo_stack.setClean()
    kept.write_bytes(kept.read_bytes()[:-200])
    look()
    window.recovery.restore_button.click()
    qtbot.waitUntil(lambda: not window.recovery.isVisible())
    assert "the unsaved work of pod.fabric" in window.notice.text.text()
    assert names(folder) == [f"{kept.stem}.unreadable"]
    assert list(window.session.design.entities()) == before


def test_closing_without_saving_leaves_nothing(make_window, answers, add, folder, look, window, qtbot):
    look()
    add("dgx-h100")
    qtbot.waitUntil(lambda: window.session.autosave.file is not None)
    answers.on_unsaved.append("discard")
    window.close()
    assert names(folder) == []


def test_a_disk_that_is_full_is_told_in_passing_and_work_goes_on(window, add, look, qtbot, monkeypatch):
    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    look()
    monkeypatch.setattr(os, "fsync", full)
    add("dgx-h100")
    qtbot.waitUntil(lambda: "no space left on the disk" in window.notice.text.text())
    window.notice.hide()
    add("dgx-h100")
    window.session.autosave.keep_now()
    qtbot.waitUntil(lambda: not window.session.jobs.busy(LANE))
    assert not window.notice.isVisible()
    assert len(window.session.design.devices) == 2


def test_it_can_be_switched_off_in_the_settings(window, add, folder, look, qtbot):
    look()
    add("dgx-h100")
    qtbot.waitUntil(lambda: window.session.autosave.file is not None)
    window.dialogs.show("settings")
    window.dialogs["settings"].keep.click()
    qtbot.waitUntil(lambda: names(folder) == [])
    assert not window.preferences.keeps_unsaved
    window.dialogs["settings"].keep.click()
    qtbot.waitUntil(lambda: window.session.autosave.file is not None)


def test_a_file_opened_over_restored_work_is_as_saved_as_its_file(window, answers, tmp_path, folder, look, qtbot):
    window.session.save(tmp_path / "plain.fabric")
    window.session.new()
    leave(window, folder)
    look()
    restored(window, qtbot)
    answers.on_unsaved.append("discard")

    open_after_asking(window.desk, tmp_path / "plain.fabric")

    assert window.session.name == "plain.fabric"
    assert not window.session.dirty and not window.isWindowModified()


def test_a_later_tab_offers_only_what_belongs_to_files_that_it_opens(window, add, tmp_path, folder, qtbot):
    add("nvidia-qm9700")
    path = tmp_path / "pod.fabric"
    window.session.save(path)
    add("nvidia-qm9700")
    leave(window, folder, path)
    leave(window, folder, None, "other")
    keep_unsaved_work(window, folder, offers=False)
    qtbot.wait(50)
    assert not window.session.jobs.busy("recovery") and not window.recovery.offers
    window.recovery.look(path)
    qtbot.waitUntil(lambda: bool(window.recovery.offers))
    assert "pod.fabric" in window.recovery.text.text()
