"""Saving: the file is the old one or the new one, whole, whatever happens on the way."""

import os
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from designer.model import operations
from designer.storage import document, in_place, saving
from designer.storage.saving import SaveError

posix = pytest.mark.skipif(os.name != "posix", reason="needs a POSIX system")


def folder_of(path):
    return sorted(one.name for one in path.parent.iterdir())


@pytest.fixture
def saved(pod, tmp_path):
    path = tmp_path / "pod.fabric"
    document.save(pod, path)
    return path


def test_a_save_leaves_one_file_and_nothing_beside_it(saved):
    assert folder_of(saved) == ["pod.fabric"]


def test_a_text_path_will_do(pod, tmp_path):
    document.save(pod, str(tmp_path / "pod.fabric"))
    assert document.load(str(tmp_path / "pod.fabric")).settings.name == "Pod 1"


@posix
def test_a_new_file_has_the_mode_every_new_file_has(pod, tmp_path):
    before = os.umask(0o027)
    try:
        document.save(pod, tmp_path / "pod.fabric")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "pod.fabric").stat().st_mode) == 0o640


@posix
def test_saving_again_keeps_the_mode(pod, saved):
    saved.chmod(0o604)
    document.save(pod, saved)
    assert stat.S_IMODE(saved.stat().st_mode) == 0o604


def change_and_save(pod, path, name="Pod 2"):
    pod.apply(operations.set_settings(pod, name=name))
    document.save(pod, path)
    return document.encode(pod)


@posix
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664])
def test_the_new_file_is_never_more_readable_than_the_old_one(pod, saved, monkeypatch, mode):
    saved.chmod(mode)
    seen = []
    write = os.fdopen

    def watched(descriptor, *how):
        seen.append(stat.S_IMODE(os.fstat(descriptor).st_mode))
        return write(descriptor, *how)

    monkeypatch.setattr(saving.os, "fdopen", watched)
    change_and_save(pod, saved)
    assert seen == [0o600]
    assert stat.S_IMODE(saved.stat().st_mode) == mode


@posix
@pytest.mark.skipif(not hasattr(os, "setxattr"), reason="Python knows no extended attributes here")
def test_saving_again_keeps_extended_attributes(pod, saved):
    try:
        os.setxattr(saved, "user.origin", b"drawing office")
    except OSError:
        pytest.skip("the file system has none")
    change_and_save(pod, saved)
    assert os.getxattr(saved, "user.origin") == b"drawing office"


@posix
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root gives files away")
def test_saving_again_keeps_owner_and_group(pod, saved):
    os.chown(saved, 12345, 23456)
    saved.chmod(0o664)
    change_and_save(pod, saved)
    found = saved.stat()
    assert (found.st_uid, found.st_gid, stat.S_IMODE(found.st_mode)) == (12345, 23456, 0o664)


@posix
def test_a_file_whose_owner_cannot_be_given_is_written_over_and_stays_the_same_file(pod, saved, monkeypatch):
    def refused(*_):
        raise PermissionError(1, "Operation not permitted")

    before = saved.stat()
    monkeypatch.setattr(saving.os, "fchmod", refused)
    data = change_and_save(pod, saved)
    assert saved.stat().st_ino == before.st_ino
    assert saved.read_bytes() == data
    assert folder_of(saved) == ["pod.fabric"]


@posix
@pytest.mark.parametrize("name", ["Pod 2", "A much longer name for the same pod", "P"])
def test_every_name_of_a_file_with_several_shows_what_was_saved(pod, saved, tmp_path, name):
    other = tmp_path / "away" / "same.fabric"
    other.parent.mkdir()
    os.link(saved, other)
    data = change_and_save(pod, saved, name)
    assert other.read_bytes() == saved.read_bytes() == data
    assert other.samefile(saved)
    assert (folder_of(saved), folder_of(other)) == (["away", "pod.fabric"], ["same.fabric"])


@posix
def test_a_disk_that_fills_up_while_a_file_is_written_over_leaves_the_old_content(pod, saved, tmp_path, monkeypatch):
    os.link(saved, tmp_path / "same.fabric")
    before, sync, calls = saved.read_bytes(), os.fsync, []

    def full(descriptor):
        calls.append(descriptor)
        if len(calls) == 2:  # the journal is whole, the file itself is not
            raise OSError(28, "No space left on device")
        sync(descriptor)

    monkeypatch.setattr(saving.os, "fsync", full)
    with pytest.raises(SaveError, match=r"^pod\.fabric could not be saved: there is no space left on the disk of "):
        change_and_save(pod, saved)
    monkeypatch.undo()
    assert saved.read_bytes() == before
    assert folder_of(saved) == ["pod.fabric", "same.fabric"]


def journal_of(path, old, new):
    journal = path.with_name(f".{path.name}.writing-over")
    journal.write_bytes(b"fabric-journal 1 %d %d\n" % (len(old), len(new)) + old + new)
    return journal


@posix
@pytest.mark.parametrize("name", ["Pod 2", "A much longer name for the same pod", "P"])
@pytest.mark.parametrize("share", [0.0, 0.01, 0.5, 1.0])
def test_a_file_half_written_over_is_finished_by_its_next_reader(pod, saved, name, share):
    old = saved.read_bytes()
    pod.apply(operations.set_settings(pod, name=name))
    new = document.encode(pod)
    n_written = round(share * len(new))
    journal = journal_of(saved, old, new)
    partly = new[:n_written] + old[n_written:]
    saved.write_bytes(partly)
    read = document.load(saved)
    assert document.encode(read) == saved.read_bytes() == (old if partly == old else new)
    assert journal.exists() == (partly == old), "where nothing was written yet, whoever writes may be at it"


@posix
def test_a_file_half_written_over_is_finished_before_it_is_saved_again(pod, saved):
    old = saved.read_bytes()
    pod.apply(operations.set_settings(pod, name="The second pod"))
    new = document.encode(pod)
    journal_of(saved, old, new)
    saved.write_bytes(new[:500] + old[500:])
    seen = []
    saving.replace_file(saved, b"{}", lambda target: seen.append(target.read_bytes()))
    assert seen == [new], "whoever decides whether to write sees a whole file"


@posix
def test_a_journal_that_does_not_explain_the_file_counts_for_nothing(pod, saved, tmp_path):
    old = saved.read_bytes()
    pod.apply(operations.set_settings(pod, name="Pod 2"))
    journal_of(saved, old, document.encode(pod))
    pod.apply(operations.set_settings(pod, name="Pod 3"))
    later = document.encode(pod)
    saved.write_bytes(later)
    assert document.load(saved).settings.name == "Pod 3"
    assert saved.read_bytes() == later
    heads = (b"1 5 999999999", b"2 0 0", b"1 five 5", b"1 5 five", b"1 -5 5", b"1 5", b"1 5 5 5")
    for damaged in (b"", b"x" * 1000, *(b"fabric-journal %s\n" % head for head in heads)):
        saved.with_name(".pod.fabric.writing-over").write_bytes(damaged)
        assert document.load(saved).settings.name == "Pod 3"
    change_and_save(pod, saved, "Pod 4")
    assert folder_of(saved) == ["pod.fabric"]


@posix
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root gives files away")
def test_a_journal_that_another_user_laid_beside_the_file_counts_for_nothing(pod, saved):
    """In a folder that many may write in, anybody could else put a design of theirs into the file."""
    old = saved.read_bytes()
    pod.apply(operations.set_settings(pod, name="Not mine"))
    new = document.encode(pod)
    journal = journal_of(saved, old, new)
    partly = new[:500] + old[500:]
    for owner, content in ((12345, partly), (os.geteuid(), new)):
        saved.write_bytes(partly)
        os.chown(journal, owner, -1)
        in_place.finish(saved)
        assert saved.read_bytes() == content
        assert journal.exists() == (content == partly)


@posix
def test_a_link_is_followed_and_stays_a_link(pod, saved, tmp_path):
    away = tmp_path / "away"
    away.mkdir()
    link = away / "link.fabric"
    link.symlink_to(saved)
    pod.apply(operations.set_settings(pod, name="Pod 2"))
    document.save(pod, link)
    assert link.is_symlink()
    assert document.load(saved).settings.name == "Pod 2"
    assert folder_of(link) == ["link.fabric"]


@posix
def test_a_link_to_a_file_that_is_not_there_yet_makes_it(pod, tmp_path):
    link = tmp_path / "link.fabric"
    link.symlink_to(tmp_path / "new.fabric")
    document.save(pod, link)
    assert link.is_symlink()
    assert (tmp_path / "new.fabric").is_file()


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("none/pod.fabric", "pod.fabric could not be saved: there is no folder"),
        (".", "could not be saved: there is a folder of that name"),
        ("x" * 300, "could not be saved: the name is too long"),
    ],
)
def test_a_place_that_takes_no_file_is_named(pod, tmp_path, name, sentence):
    with pytest.raises(SaveError) as caught:
        document.save(pod, tmp_path / name)
    assert sentence in str(caught.value)
    assert list(tmp_path.iterdir()) == []


@posix
def test_a_write_protected_file_or_folder_is_left_alone(pod, folder_of_a_user):
    saved = folder_of_a_user / "pod.fabric"
    document.save(pod, saved)
    before = saved.read_bytes()
    saved.chmod(0o444)
    with pytest.raises(SaveError, match=r"^pod\.fabric could not be saved: it is write-protected$"):
        document.save(pod, saved)
    saved.chmod(0o644)
    saved.parent.chmod(0o555)
    try:
        with pytest.raises(SaveError, match=r"^pod\.fabric could not be saved: you may not write in"):
            document.save(pod, saved)
    finally:
        saved.parent.chmod(0o755)
    assert saved.read_bytes() == before


@posix
def test_a_device_or_pipe_is_not_written_to(pod, tmp_path):
    os.mkfifo(tmp_path / "pipe.fabric")
    with pytest.raises(SaveError, match=r"^pipe\.fabric could not be saved: it is not an ordinary file$"):
        document.save(pod, tmp_path / "pipe.fabric")
    with pytest.raises(SaveError, match=r"^null could not be saved: it is not an ordinary file$"):
        document.save(pod, "/dev/null")
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)


LIMITED = """
import resource, signal, sys
from designer.storage import document
from designer.storage.saving import SaveError
design = document.load(sys.argv[1])
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
try:
    document.save(design, sys.argv[1])
except SaveError as error:
    print(error)
"""


@posix
def test_a_write_that_the_system_breaks_off_leaves_the_old_file_and_no_other(saved):
    before = saved.read_bytes()
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, str(saved)], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert done.stdout == "pod.fabric could not be saved: file too large\n"
    assert saved.read_bytes() == before
    assert folder_of(saved) == ["pod.fabric"]


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_full_disk_is_told_and_leaves_the_old_file_and_no_other(pod, saved, monkeypatch, step):
    before = saved.read_bytes()

    def full(*_):
        raise OSError(28, "No space left on device")

    pod.apply(operations.set_settings(pod, name="Pod 2"))
    monkeypatch.setattr(saving.os, step, full)
    with pytest.raises(SaveError, match=r"^pod\.fabric could not be saved: there is no space left on the disk of "):
        document.save(pod, saved)
    monkeypatch.undo()
    assert saved.read_bytes() == before
    assert folder_of(saved) == ["pod.fabric"]


def test_a_design_that_cannot_be_written_never_touches_the_file(pod, saved, monkeypatch):
    before = saved.read_bytes()
    monkeypatch.setattr(document, "SIZE_MOST", 1000)
    with pytest.raises(SaveError):
        document.save(pod, saved)
    assert saved.read_bytes() == before


def test_what_a_killed_save_left_long_ago_is_swept_up_and_what_is_new_is_not(pod, saved):
    old, new = (saved.with_name(f".pod.fabric.saving-{name}") for name in ("0000", "1111"))
    other = saved.with_name(".other.fabric.saving-2222")
    for leftover in (old, new, other):
        leftover.write_bytes(b"{")
    long_ago = time.time() - 2 * saving.STALE_AFTER_S
    for leftover in (old, other):
        os.utime(leftover, (long_ago, long_ago))
    document.save(pod, saved)
    assert folder_of(saved) == [other.name, new.name, "pod.fabric"]


@posix
def test_opening_sweeps_up_too_and_leaves_what_is_no_file_of_this_user(saved):
    old, folder, link = (saved.with_name(f".pod.fabric.saving-{name}") for name in ("0000", "1111", "2222"))
    old.write_bytes(b"{")
    folder.mkdir()
    link.symlink_to(saved)
    for leftover in (old, folder):
        os.utime(leftover, (1, 1))
    os.utime(link, (1, 1), follow_symlinks=False)
    kept = [folder.name, link.name]
    if os.geteuid() == 0:
        foreign = saved.with_name(".pod.fabric.saving-3333")
        foreign.write_bytes(b"{")
        os.chown(foreign, 12345, 12345)
        os.utime(foreign, (1, 1))
        kept.append(foreign.name)
    document.load(saved)
    assert folder_of(saved) == [*kept, "pod.fabric"]


# -- killed while saving --------------------------------------------------------------------------------------------

ROOT = Path(__file__).resolve().parents[2]

SAVE_FOR_EVER = """
import sys
from designer.storage import document
designs = [document.load(path) for path in sys.argv[2:]]
print("ready", flush=True)
while True:
    for design in designs:
        document.save(design, sys.argv[1])
"""


@posix
def test_a_program_killed_while_writing_over_a_file_with_two_names_loses_nothing(pod, superpod_bytes, tmp_path):
    sources = [tmp_path / "first.fabric", tmp_path / "second.fabric"]
    sources[0].write_bytes(superpod_bytes)
    document.save(pod, sources[1])
    whole = [source.read_bytes() for source in sources]
    target = tmp_path / "pod.fabric"
    target.write_bytes(whole[0])
    os.link(target, tmp_path / "same.fabric")
    for attempt in range(8):
        kill_while_saving(target, sources, after_s=0.002 + 0.011 * attempt)
        document.load(target)
        assert target.read_bytes() in whole
        assert target.stat().st_nlink == 2


@posix
@pytest.mark.parametrize("there_before", [True, False])
def test_a_program_killed_while_saving_leaves_the_old_file_or_the_new_one_whole(
    pod, superpod_bytes, tmp_path, there_before
):
    sources = [tmp_path / "first.fabric", tmp_path / "second.fabric"]
    sources[0].write_bytes(superpod_bytes)
    document.save(pod, sources[1])
    whole = [source.read_bytes() for source in sources]
    target = tmp_path / "there" / "pod.fabric"
    target.parent.mkdir()
    seen = set()
    for attempt in range(8):
        if there_before:
            target.write_bytes(whole[attempt % 2])
        else:
            target.unlink(missing_ok=True)
        kill_while_saving(target, sources, after_s=0.002 + 0.011 * attempt)
        if there_before or target.exists():
            found = target.read_bytes()
            assert found in whole, f"{len(found)} bytes that are neither the old file nor the new one"
            assert document.encode(document.load(target)) == found
            seen.add(whole.index(found))
    assert seen


def kill_while_saving(target, sources, after_s):
    """Start a program that saves again and again, and end it without warning."""
    command = [sys.executable, "-c", SAVE_FOR_EVER, str(target), *map(str, sources)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT) as program:
        assert program.stdout.readline() == b"ready\n"
        time.sleep(after_s)
        program.send_signal(signal.SIGKILL)
        assert program.wait() == -signal.SIGKILL
