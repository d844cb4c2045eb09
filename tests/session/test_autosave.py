"""Unsaved work of a session is kept while it goes on, by one window each, and goes when nothing is unsaved."""

import os
import threading
from pathlib import Path

import pytest
from disposal import dispose_of

from designer.catalog.catalog import load
from designer.errors import Cancelled
from designer.model import operations
from designer.model.design import Design
from designer.regeneration import recipes
from designer.session import autosave
from designer.session.autosave import claim, find_leftovers
from designer.session.jobs import Jobs
from designer.session.keeping import Keeper, Origin
from designer.session.session import Session
from designer.storage import document, recovery
from designer.topologies.families import FAMILIES
from designer.topologies.fat_tree import FatTreeParameters

CATALOG = load()


@pytest.fixture
def folder(tmp_path) -> Path:
    return tmp_path / "state" / "recovery"


@pytest.fixture
def make_session(qtbot, folder, monkeypatch):
    monkeypatch.setattr(autosave, "QUIET_S", 0.0)
    monkeypatch.setattr(autosave, "MOST_SHARE", 1e9)
    made: list[Session] = []

    def make() -> Session:
        session = Session(CATALOG)
        session.autosave.start(folder)
        made.append(session)
        return session

    yield make
    for session in made:
        dispose_of(session)


@pytest.fixture
def session(make_session) -> Session:
    return make_session()


def add_switch(session: Session) -> None:
    type_ = CATALOG.types["nvidia-qm9700"]
    session.push(operations.add_device(session.design, type_, 0.0, 0.0, catalog_types=CATALOG.types))


def is_kept(session: Session) -> bool:
    return session.autosave.kept_revision == session.design.revision


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir()) if folder.exists() else []


def kept_design(folder: Path) -> Design:
    (file,) = recovery.files(folder)
    return recovery.load(recovery.describe(file))


def test_each_edit_is_kept_and_nothing_is_while_nothing_is_unsaved(session, folder, qtbot):
    assert names(folder) == []
    for number in (1, 2):
        add_switch(session)
        qtbot.waitUntil(lambda: is_kept(session))
        assert len(kept_design(folder).devices) == number


def test_saving_removes_it_and_the_next_edit_is_kept_again(session, folder, tmp_path, qtbot):
    add_switch(session)
    qtbot.waitUntil(lambda: is_kept(session))
    session.save(tmp_path / "pod.fabric")
    qtbot.waitUntil(lambda: names(folder) == [])
    add_switch(session)
    qtbot.waitUntil(lambda: is_kept(session))
    assert recovery.describe(recovery.files(folder)[0]).path == tmp_path / "pod.fabric"


def test_an_undo_back_to_what_is_saved_removes_it(session, folder, qtbot):
    add_switch(session)
    qtbot.waitUntil(lambda: is_kept(session))
    session.undo_stack.undo()
    qtbot.waitUntil(lambda: names(folder) == [])
    session.undo_stack.redo()
    qtbot.waitUntil(lambda: is_kept(session))
    assert len(kept_design(folder).devices) == 1


def test_another_document_removes_it(session, folder, qtbot):
    add_switch(session)
    qtbot.waitUntil(lambda: is_kept(session))
    session.new()
    qtbot.waitUntil(lambda: names(folder) == [])


def test_what_is_dropped_while_it_is_written_goes_after_that(session, folder, qtbot, monkeypatch):
    begun, go_on, keep = threading.Event(), threading.Event(), recovery.keep

    def slow(*arguments) -> None:
        begun.set()
        go_on.wait(10)
        keep(*arguments[:-1])

    monkeypatch.setattr(recovery, "keep", slow)
    add_switch(session)
    qtbot.waitUntil(begun.is_set)
    session.autosave.drop()
    go_on.set()
    qtbot.waitUntil(lambda: not session.jobs.busy(autosave.LANE))
    assert names(folder) == []


@pytest.fixture
def no_copies(make_session, monkeypatch):
    """Copies of the design are not written: journals alone have the edits."""
    monkeypatch.setattr(autosave, "QUIET_S", 3600.0)


def left_by_kill(session: Session, folder: Path) -> bytes:
    """The design that the next window would restore if this one were killed now, as bytes."""
    (file,) = recovery.files(folder)
    return document.encode(recovery.load(recovery.describe(file)))


@pytest.mark.usefixtures("no_copies")
def test_every_edit_undo_and_redo_is_in_the_journal_at_once(make_session, folder, tmp_path, qtbot):
    session = make_session()
    for saved in (False, True):
        if saved:
            session.save(tmp_path / "pod.fabric")
            qtbot.waitUntil(lambda: names(folder) == [])
        stack, add = session.undo_stack, lambda: add_switch(session)
        for act in (add, add, stack.undo, stack.redo):
            act()
            qtbot.waitUntil(lambda: is_kept(session))
            assert left_by_kill(session, folder) == document.encode(session.design)
    (file,) = recovery.files(folder)
    assert not recovery.describe(file).is_whole


def test_edits_made_while_the_design_is_copied_are_kept_at_once(session, folder, qtbot, monkeypatch):
    begun, go_on, keep = threading.Event(), threading.Event(), recovery.keep

    def slow(*arguments) -> int:
        begun.set()
        go_on.wait(10)
        return keep(*arguments)

    monkeypatch.setattr(recovery, "keep", slow)
    add_switch(session)
    qtbot.waitUntil(begun.is_set)
    add_switch(session)
    qtbot.waitUntil(lambda: is_kept(session))
    assert left_by_kill(session, folder) == document.encode(session.design)
    go_on.set()
    qtbot.waitUntil(lambda: not session.jobs.busy(autosave.LANE))
    add_switch(session)
    qtbot.waitUntil(lambda: is_kept(session))
    assert recovery.describe(recovery.files(folder)[0]).is_whole
    assert left_by_kill(session, folder) == document.encode(session.design)


def test_a_large_edit_is_copied_and_edits_after_it_go_on_from_the_copy(session, folder, qtbot, monkeypatch):
    monkeypatch.setattr(autosave, "LARGE_EDIT", 50)
    family = next(one for one in FAMILIES if one.name == "fat-tree")
    add_switch(session)
    session.push(recipes.generated(session.design, family, FatTreeParameters(servers=8), CATALOG))
    add_switch(session)
    qtbot.waitUntil(lambda: is_kept(session))
    assert left_by_kill(session, folder) == document.encode(session.design)
    assert len(recovery.journals(recovery.files(folder)[0])) <= 2


def test_a_long_journal_is_replaced_by_a_copy(session, folder, qtbot, monkeypatch):
    monkeypatch.setattr(autosave, "JOURNAL_LEAST_BYTES", 100)
    for _ in range(40):
        add_switch(session)
        qtbot.waitUntil(lambda: is_kept(session) and not session.jobs.busy(autosave.LANE))
        qtbot.wait(1)
        assert left_by_kill(session, folder) == document.encode(session.design)
    journals = recovery.journals(recovery.files(folder)[0])
    assert len(journals) <= 2
    assert sum(path.stat().st_size for path in journals.values()) < 10_000


@pytest.mark.usefixtures("no_copies")
def test_a_journal_that_could_not_be_written_is_made_good_by_a_copy(session, folder, qtbot, monkeypatch):
    add_switch(session)
    qtbot.waitUntil(lambda: is_kept(session))
    write = os.write

    def full(descriptor: int, data: bytes) -> int:
        if bytes(data[:30]).find(b" ") == 8:
            raise OSError(28, "No space left on device")
        return write(descriptor, data)

    monkeypatch.setattr(os, "write", full)
    reported: list[str] = []
    session.autosave.failed.connect(reported.append)
    add_switch(session)
    qtbot.waitUntil(lambda: bool(reported))
    assert "no space left" in reported[0]
    monkeypatch.setattr(os, "write", write)
    add_switch(session)
    qtbot.waitUntil(lambda: is_kept(session))
    assert left_by_kill(session, folder) == document.encode(session.design)


@pytest.mark.usefixtures("no_copies")
def test_what_was_restored_is_gone_on_with_in_the_same_journal(make_session, folder, qtbot):
    first = make_session()
    add_switch(first)
    qtbot.waitUntil(lambda: is_kept(first))
    first.close()
    journal_file = recovery.journal_file(recovery.files(folder)[0], 0)
    journal_file.write_bytes(journal_file.read_bytes() + b"cut sho")
    (offer,) = find_leftovers(folder).offers
    second = make_session()
    second.replace(recovery.load(offer.leftover), None, unsaved=True)
    second.autosave.adopt(offer.claim)
    add_switch(second)
    qtbot.waitUntil(lambda: is_kept(second))
    assert left_by_kill(second, folder) == document.encode(second.design)
    assert len(second.design.devices) == 2


def test_what_was_restored_from_a_copy_without_edits_since_is_kept_anew(make_session, folder, qtbot):
    first = make_session()
    add_switch(first)
    qtbot.waitUntil(lambda: is_kept(first) and recovery.describe(recovery.files(folder)[0]).is_whole)
    first.close()
    assert recovery.journals(recovery.files(folder)[0]) == {}
    for _ in range(2):
        (offer,) = find_leftovers(folder).offers
        session = make_session()
        session.replace(recovery.load(offer.leftover), None, unsaved=True)
        session.autosave.adopt(offer.claim)
        session.push(operations.delete(session.design, list(session.design.devices)))
        add_switch(session)
        before = recovery.describe(offer.leftover.file).generation
        qtbot.waitUntil(
            lambda before=before, file=offer.leftover.file, session=session: (
                recovery.describe(file).generation > before and is_kept(session)
            )
        )
        assert left_by_kill(session, folder) == document.encode(session.design)
        session.close()


def test_a_design_whose_file_is_missing_is_copied_without_an_edit(session, folder, tmp_path, qtbot):
    add_switch(session)
    session.save(tmp_path / "pod.fabric")
    qtbot.waitUntil(lambda: names(folder) == [])
    (tmp_path / "pod.fabric").unlink()
    session.disk.look()
    qtbot.waitUntil(lambda: session.dirty and is_kept(session))
    assert left_by_kill(session, folder) == document.encode(session.design)


def test_work_that_is_not_written_yet_is_when_the_program_is_told_to_end(session, folder, monkeypatch):
    monkeypatch.setattr(Jobs, "run", lambda *_: None)  # no worker gets to it
    add_switch(session)
    session.mark_unsaved()
    session.autosave.keep_at_once()
    assert left_by_kill(session, folder) == document.encode(session.design)
    add_switch(session)
    session.autosave.keep_at_once()
    assert left_by_kill(session, folder) == document.encode(session.design)


def test_a_full_disk_is_told_once_and_work_goes_on(session, folder, qtbot, monkeypatch):
    reported: list[str] = []
    session.autosave.failed.connect(reported.append)
    fsync = os.fsync

    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    for number in (1, 2):
        add_switch(session)
        qtbot.waitUntil(lambda: bool(reported) and not session.jobs.busy(autosave.LANE))
        session.autosave.keep_now()
        qtbot.waitUntil(lambda: not session.jobs.busy(autosave.LANE))
        assert len(session.design.devices) == number
    assert reported == [f"Unsaved work is not kept in case of a crash: there is no space left on the disk of {folder}."]
    monkeypatch.setattr(os, "fsync", fsync)
    session.autosave.keep_now()
    qtbot.waitUntil(lambda: is_kept(session))


def test_a_folder_that_cannot_be_made_is_told(session, folder, qtbot):
    folder.parent.write_text("a file where the folder should be")
    reported: list[str] = []
    session.autosave.failed.connect(reported.append)
    add_switch(session)
    qtbot.waitUntil(lambda: bool(reported))
    assert "could not be made" in reported[0]
    assert session.design.devices


def test_a_window_that_is_closed_with_unsaved_work_leaves_it_for_the_next(make_session, folder, qtbot):
    first = make_session()
    add_switch(first)
    qtbot.waitUntil(lambda: is_kept(first))
    assert find_leftovers(folder).offers == ()  # the first window still lives
    first.close()
    (offer,) = find_leftovers(folder).offers
    assert find_leftovers(folder).offers == ()  # claimed
    second = make_session()
    second.replace(recovery.load(offer.leftover), offer.leftover.path, unsaved=True)
    second.autosave.adopt(offer.claim)
    assert second.dirty
    assert recovery.files(folder) == [offer.claim.file]
    add_switch(second)
    qtbot.waitUntil(lambda: is_kept(second))
    assert len(kept_design(folder).devices) == 2
    for _ in range(3):
        second.undo_stack.undo()
    assert second.dirty  # no file has it as it was restored


def test_what_was_dropped_is_not_left(make_session, folder, qtbot):
    session = make_session()
    add_switch(session)
    qtbot.waitUntil(lambda: is_kept(session))
    session.autosave.drop()
    session.close()
    assert names(folder) == []


def test_leftovers_are_found_newest_first_those_saved_all_the_same_go_and_damaged_ones_are_set_aside(folder, tmp_path):
    folder.mkdir(parents=True)
    design = Design()
    document.save(design, tmp_path / "saved.fabric")
    (folder / "bad.recovery").write_bytes(b"{")
    recovery.keep(design, "saved.fabric", tmp_path / "saved.fabric", folder / "saved.recovery")
    for name in ("a", "b"):
        recovery.keep(design, name, tmp_path / f"{name}.fabric", folder / f"{name}.recovery")
    found = find_leftovers(folder)
    assert [offer.leftover.name for offer in found.offers] == ["b", "a"]
    assert len(found.refused) == 1 and "bad.recovery" in found.refused[0]
    assert (folder / "bad.unreadable").read_bytes() == b"{"
    assert not (folder / "saved.recovery").exists()
    for offer in found.offers:
        offer.claim.let_go()
    (only,) = find_leftovers(folder, tmp_path / "." / "a.fabric").offers
    assert only.leftover.name == "a"
    only.claim.remove()
    assert names(folder) == ["b.recovery", "bad.unreadable"]


def test_a_copy_that_begins_after_the_removal_leaves_no_lock(folder):
    folder.mkdir(parents=True)
    keeper = Keeper(claim(folder / "a.recovery"))
    generation = keeper.next_generation(follows=False)
    keeper.remove()
    with pytest.raises(Cancelled):
        keeper.copy(Design(), Origin("a", None, ""), generation)
    assert names(folder) == []


def test_off_nothing_is_kept_and_what_was_goes(session, folder, qtbot):
    add_switch(session)
    qtbot.waitUntil(lambda: is_kept(session))
    session.autosave.stop()
    qtbot.waitUntil(lambda: names(folder) == [])
    add_switch(session)
    session.autosave.keep_now()
    assert not session.jobs.busy(autosave.LANE) or session.autosave.file is None
    assert names(folder) == []


def test_a_lock_is_never_too_old(folder):
    folder.mkdir(parents=True)
    first, second = claim(folder / "a.recovery"), claim(folder / "a.recovery")
    assert first.take()
    os.utime(folder / "a.recovery.lock", (1, 1))
    assert not second.take()
    first.let_go()
    assert second.take()
    second.remove()
