"""Unsaved work in the recovery folder: kept whole, described, and refused with a sentence where it is damaged."""

import json
import os

import pytest

from designer.errors import FileFormatError
from designer.model import operations
from designer.storage import document, recovery
from designer.storage.saving import SaveError


@pytest.fixture
def kept(pod, tmp_path):
    file = recovery.new_file(tmp_path)
    recovery.keep(pod, "pod.fabric", tmp_path / "pod.fabric", file)
    return file


def test_what_is_kept_says_whose_it_is_and_is_read_back_equal(pod, kept, tmp_path):
    leftover = recovery.describe(kept)
    assert (leftover.name, leftover.path) == ("pod.fabric", tmp_path / "pod.fabric")
    assert list(recovery.load(leftover).entities()) == list(pod.entities())
    assert recovery.files(tmp_path) == [kept]


@pytest.mark.skipif(os.name != "posix", reason="needs a POSIX system")
def test_unsaved_work_is_for_its_user_alone_whoever_may_read_the_file_and_the_folder(pod, tmp_path):
    folder = tmp_path / "recovery"
    folder.mkdir()
    folder.chmod(0o755)
    umask = os.umask(0)
    try:
        recovery.make_folder(folder)
        file = recovery.new_file(folder)
        recovery.keep(pod, "pod.fabric", tmp_path / "pod.fabric", file)
        assert (folder.stat().st_mode & 0o777, file.stat().st_mode & 0o777) == (0o700, 0o600)
        file.chmod(0o644)  # as an older program left it
        recovery.keep(pod, "pod.fabric", tmp_path / "pod.fabric", file)
        assert file.stat().st_mode & 0o777 == 0o600
    finally:
        os.umask(umask)


def test_the_highest_generation_is_that_of_a_journal_or_of_the_copy(pod, tmp_path):
    """A later one is begun with the next number: were it lower, its edits would be mixed with older ones."""
    file = tmp_path / "a.recovery"
    assert recovery.highest_generation(file) == 0
    recovery.journal_file(file, 2).touch()
    assert recovery.highest_generation(file) == 2, "a journal without its copy"
    recovery.keep(pod, "pod.fabric", None, file, generation=3)
    assert recovery.highest_generation(file) == 3
    recovery.journal_file(file, 12).touch()
    assert recovery.highest_generation(file) == 12
    head, _, rest = file.read_bytes().partition(b"\n")
    newer = json.loads(head) | {"version": 99, "generation": 20}
    file.write_bytes(json.dumps(newer).encode() + b"\n" + rest)
    assert recovery.highest_generation(file) == 12, "a newer program's copy says nothing to this one"


def test_a_design_never_saved_has_no_path(pod, tmp_path):
    recovery.keep(pod, "Pod 1", None, tmp_path / "a.recovery")
    assert recovery.describe(tmp_path / "a.recovery").path is None


def test_keeping_again_replaces_it_in_one_step_and_tells_how_far_it_is(pod, kept):
    shares = []
    recovery.keep(pod, "other.fabric", None, kept, shares.append)
    assert recovery.describe(kept).name == "other.fabric"
    assert shares[-1] == 1.0 and shares == sorted(shares)
    assert [one.name for one in kept.parent.iterdir()] == [kept.name]


def test_what_is_saved_all_the_same_is_known_to_be(pod, kept, tmp_path):
    leftover = recovery.describe(kept)
    assert not recovery.is_saved(leftover)
    document.save(pod, tmp_path / "pod.fabric")
    assert recovery.is_saved(leftover)


def test_a_file_changed_after_that_is_known(pod, kept, tmp_path):
    leftover = recovery.describe(kept)
    path = tmp_path / "pod.fabric"
    assert recovery.changed_after_s(leftover) is None
    document.save(pod, path)
    os.utime(path, (leftover.kept_at_s - 60, leftover.kept_at_s - 60))
    assert recovery.changed_after_s(leftover) is None
    os.utime(path, (leftover.kept_at_s + 60, leftover.kept_at_s + 60))
    assert recovery.changed_after_s(leftover) == pytest.approx(leftover.kept_at_s + 60)


@pytest.mark.parametrize(
    "head",
    [
        b"",
        b"\n",
        b'{"format": "fabric-recov',
        b'{"format": "fabric-design", "version": 1, "name": "a", "path": null, "kept_at_s": 1}\n',
        b'{"format": "fabric-recovery", "version": 1, "name": "a", "path": "etc/a", "kept_at_s": 1}\n',
        b'{"format": "fabric-recovery", "version": 1, "name": "a", "path": "/a\\u0000b", "kept_at_s": 1}\n',
        b'{"format": "fabric-recovery", "version": 1, "name": "a", "path": null, "kept_at_s": 1e300}\n',
        b'{"format": "fabric-recovery", "version": 1, "name": 7, "path": null, "kept_at_s": 1}\n',
        b'{"format": "fabric-recovery", "version": 1, "name": "\xff", "path": null, "kept_at_s": 1}\n',
        b"[" * 200_000,
        b"\x00" * 200_000,
    ],
)
def test_a_first_line_that_is_none_is_refused(tmp_path, head):
    file = tmp_path / "a.recovery"
    file.write_bytes(head)
    with pytest.raises(FileFormatError) as caught:
        recovery.describe(file)
    assert "\n" not in str(caught.value)


def test_a_name_cannot_bring_line_breaks_into_the_window(tmp_path):
    file = tmp_path / "a.recovery"
    file.write_bytes(
        b'{"format": "fabric-recovery", "version": 1, "name": "a\\nb\\u202e", "path": null, "kept_at_s": 1}\n'
    )
    assert "\n" not in recovery.describe(file).name


def test_a_newer_program_s_file_is_left_alone(tmp_path):
    file = tmp_path / "a.recovery"
    for newer in (b'"version": 3', b'"version": 2, "document": 999'):
        file.write_bytes(b'{"format": "fabric-recovery", %s, "name": "a", "path": null, "kept_at_s": 1}\n' % newer)
        assert recovery.describe(file) is None


def test_an_older_program_s_file_is_read(pod, tmp_path):
    file = tmp_path / "a.recovery"
    head = b'{"format": "fabric-recovery", "version": 1, "name": "a", "path": null, "kept_at_s": 1}\n'
    file.write_bytes(head + document.encode(pod))
    assert list(recovery.load(recovery.describe(file)).entities()) == list(pod.entities())


@pytest.mark.parametrize("share", [0.3, 0.9])
def test_a_design_that_was_cut_short_is_refused_by_its_name(kept, share):
    whole = kept.read_bytes()
    kept.write_bytes(whole[: int(len(whole) * share)])
    with pytest.raises(FileFormatError, match=r"the unsaved work of pod\.fabric"):
        recovery.load(recovery.describe(kept))


def test_set_aside_it_is_kept_and_not_listed(kept):
    content = kept.read_bytes()
    aside = recovery.set_aside(kept)
    assert aside.read_bytes() == content
    assert recovery.files(kept.parent) == []


def test_a_disk_that_is_full_leaves_what_was_kept(pod, kept, monkeypatch):
    before = kept.read_bytes()
    monkeypatch.setattr(os, "fsync", _full)
    with pytest.raises(SaveError, match="no space left"):
        recovery.keep(pod, "other", None, kept)
    assert kept.read_bytes() == before
    assert recovery.files(kept.parent) == [kept]


def _full(_descriptor):
    raise OSError(28, "No space left on device")


def test_half_written_files_of_killed_programs_go_after_an_hour(kept):
    old, new = (kept.parent / f".x.recovery.saving-{one}" for one in ("old", "new"))
    for path in (old, new):
        path.write_bytes(b"{")
    os.utime(old, (1, 1))
    recovery.sweep(kept.parent)
    assert not old.exists() and new.exists() and kept.exists()


def test_a_folder_that_is_not_there_holds_nothing(tmp_path):
    assert recovery.files(tmp_path / "none") == []
    recovery.sweep(tmp_path / "none")


def test_work_of_the_same_length_as_the_file_is_unsaved_all_the_same(pod, kept, tmp_path):
    other = pod.snapshot()
    other.apply(operations.set_settings(other, name="Pod 2"))
    document.save(other, tmp_path / "pod.fabric")
    assert len(document.encode(other)) == len(document.encode(pod))
    assert not recovery.is_saved(recovery.describe(kept))
    document.save(pod, tmp_path / "pod.fabric")
    assert recovery.is_saved(recovery.describe(kept))
