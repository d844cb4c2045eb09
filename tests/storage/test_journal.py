"""A journal of edits: played again it gives the same design, cut short what came before; it is only data."""

import os
import stat
from dataclasses import replace

import pytest

from designer.catalog.catalog import load
from designer.errors import DesignerError, FileFormatError
from designer.model import operations
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.storage import document, journal, recovery
from designer.storage.on_disk import digest
from designer.storage.saving import SaveError

CATALOG = load()


def edits_of(design: Design) -> list[Edit]:
    """Edits made on the design one by one: of every table, with an undo, and one thing changed twice in one."""
    done = []

    def do(edit: Edit) -> None:
        design.apply(edit)
        done.append(edit)

    for number in range(3):
        type_ = CATALOG.get(("nvidia-qm9700", "dgx-h100", "nvidia-sn5600")[number])
        do(operations.add_device(design, type_, 10.0 * number, 5.0, catalog_types=CATALOG.types))
    do(operations.add_rack(design, next(t for t in CATALOG.types.values() if hasattr(t, "units")), 0.0, 0.0, "R1"))
    do(operations.mount(design, design.switches()[0].id, next(iter(design.racks))))
    do(operations.group(design, list(design.devices)[:2], "Row Ω"))
    do(operations.connect_devices(design, design.switches()[0].id, design.servers()[0].id))
    do(operations.set_settings(design, name="Pod 2", notes="two\nlines"))
    do(operations.add_job(design, servers=(), size_bytes=1e6, traffic="shift:1"))
    do(done[-1].inverted())
    device = design.switches()[0]
    renamed = replace(device, name="a")
    do(Edit("Twice", (Change(device, renamed), Change(renamed, replace(device, name="b")))))
    do(operations.delete(design, [next(iter(design.links))]))
    do(operations.set_settings(design, name="Untitled", notes=""))
    return done


def written(edits: list[Edit]) -> bytes:
    return b"".join(journal.record(journal.edit_text(edit)) for edit in edits)


def test_edits_played_again_give_the_same_design():
    made = Design()
    data = written(edits_of(made))
    played = Design()
    journal.play(played, journal.records(data))
    assert document.encode(played) == document.encode(made)


def test_a_journal_cut_short_anywhere_gives_a_design_as_it_stood_after_some_edit():
    made = Design()
    edits = edits_of(made)
    stood, stages = Design(), {document.encode(Design())}
    for edit in edits:
        stood.apply(edit)
        stages.add(document.encode(stood))
    data = written(edits)
    whole = 0
    for length in (*range(0, len(data), 37), len(data)):
        played = Design()
        journal.play(played, journal.records(data[:length]))
        assert document.encode(played) in stages
        assert whole <= journal.whole_length(data[:length]) <= length
        whole = journal.whole_length(data[:length])
    assert whole == len(data)


def test_a_changed_byte_ends_the_journal_before_its_record():
    made = Design()
    data = bytearray(written(edits_of(made)))
    data[journal.whole_length(bytes(data[:5000])) + 60] ^= 1
    assert journal.whole_length(bytes(data)) == journal.whole_length(bytes(data[:5000]))


def test_what_an_edit_both_adds_and_removes_is_not_removed_when_played():
    type_ = CATALOG.get("nvidia-qm9700")
    edit = Edit("Add and remove", (Change(None, type_), Change(type_, None)))
    made, played = Design(), Design()
    made.apply(edit)
    journal.play(played, [journal.edit_text(edit)])
    assert document.encode(played) == document.encode(made)


def test_a_type_that_became_another_kind_of_thing_is_played():
    switch, server = CATALOG.get("nvidia-qm9700"), CATALOG.get("dgx-h100")
    made, edits = Design(), []
    for edit in (
        Edit("Switch", (Change(None, switch),)),
        Edit("Server", (Change(switch, None), Change(None, replace(server, id=switch.id)))),
    ):
        made.apply(edit)
        edits.append(edit)
    played = Design()
    journal.play(played, journal.records(written(edits)))
    assert played.types == made.types


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"[]",
        b"null",
        b"{",
        b'{"devices": 7}',
        b'{"unknown": []}',
        b'{"removed": {"types": ["x"]}}',
        b'{"removed": {"__dict__": ["x"]}}',
        b'{"removed": {"settings": ["settings"]}}',
        b"\xff",
        b"[" * 100_000,
        b'{"devices": [{"id": "d1", "name": "a", "type_id": "none"}]}',
        b'{"devices": [{"id": "d1", "name": "a\\u0007", "type_id": "none"}]}',
        b'{"groups": [{"id": "g1", "name": "a", "parent_id": "g1"}]}',
        b'{"jobs": [{"id": "j1", "name": "a", "size_bytes": 1, "servers": ["d1-999999999"]}]}',
        b'{"rack_types": [{"id": "r", "vendor": "v", "model": "m", "units": 100000000}]}',
        b'{"settings": {"notes": 7}}',
    ],
    ids=range(17),
)
def test_what_no_program_wrote_is_refused_with_a_sentence_and_changes_nothing(text):
    design = Design()
    with pytest.raises(DesignerError) as caught:
        journal.play(design, [text])
    assert str(caught.value) and "\n" not in str(caught.value)
    assert not design.devices and not design.groups and not design.types


@pytest.mark.parametrize("head", [b"-0000001 ", b"ffffffff ", b"00000000", b"0x000001 ", b"+0000001 ", b"\n" * 26])
def test_lengths_that_are_none_end_the_journal(head):
    assert list(journal.records(head + journal.record(b"{}"))) == []
    assert list(journal.records(journal.record(b"{}") + head)) == [b"{}"]


def test_a_writer_goes_on_behind_what_is_whole_for_its_user_alone(tmp_path):
    path = tmp_path / "a.journal"
    first = journal.record(b"one")
    path.write_bytes(first + b"0000")
    umask = os.umask(0)
    try:
        writer = journal.Writer(path)
        writer.append(b"two")
        writer.sync()
        writer.close()
        other = journal.Writer(tmp_path / "b.journal")
        other.close()
    finally:
        os.umask(umask)
    assert list(journal.records(path.read_bytes())) == [b"one", b"two"]
    if os.name == "posix":
        assert stat.S_IMODE((tmp_path / "b.journal").stat().st_mode) == 0o600


def test_a_write_that_fails_half_way_leaves_the_records_before_it(tmp_path, monkeypatch):
    writer = journal.Writer(tmp_path / "a.journal")
    writer.append(b"one")
    write = os.write

    def full(descriptor: int, data: bytes) -> int:
        if len(data) < 30:
            raise OSError(28, "No space left on device")
        return write(descriptor, data[:10])

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(OSError, match="No space"):
        writer.append(b"two and more")
    monkeypatch.undo()
    writer.append(b"three")
    writer.close()
    assert list(journal.records((tmp_path / "a.journal").read_bytes())) == [b"one", b"three"]


# -- unsaved work with journals -------------------------------------------------------------------------------------


@pytest.fixture
def begun(pod, tmp_path):
    """Unsaved work that goes on from a file, with one edit."""
    path, file = tmp_path / "pod.fabric", tmp_path / "a.recovery"
    version = document.save(pod, path)
    recovery.begin("pod.fabric", path, file, version.digest)
    edit = operations.set_settings(pod, name="Pod 2")
    recovery.journal_file(file, 0).write_bytes(written([edit]))
    pod.apply(edit)
    return file


def load_kept(file):
    return document.encode(recovery.load(recovery.describe(file)))


def test_edits_of_a_file_need_no_copy_of_it(pod, begun):
    assert load_kept(begun) == document.encode(pod)
    assert begun.stat().st_size < 1000


def test_a_file_that_is_another_by_now_is_no_ground_for_the_edits(pod, begun, tmp_path):
    document.save(pod, tmp_path / "pod.fabric")
    with pytest.raises(FileFormatError, match="another version of pod"):
        load_kept(begun)


def test_edits_that_were_saved_are_in_the_file_and_only_those_after_it_are_played(pod, begun, tmp_path):
    saved, other = document.encode(pod), document.encode(Design())
    marks = [journal.mark_text(5), journal.mark_text(6)]
    later = operations.set_settings(pod, name="Pod 3")
    announced = [journal.saved_text(5, digest(saved)), journal.saved_text(6, digest(other))]
    with recovery.journal_file(begun, 0).open("ab") as file:
        for text in (marks[0], journal.edit_text(later), *marks[1:], *announced):
            file.write(journal.record(text))
    before = document.encode(pod)
    pod.apply(later)
    assert load_kept(begun) == document.encode(pod)  # killed before it was saved
    (tmp_path / "pod.fabric").write_bytes(before)
    assert load_kept(begun) == document.encode(pod)  # and after
    assert not recovery.is_saved(recovery.describe(begun))
    document.save(pod, tmp_path / "pod.fabric")
    with pytest.raises(FileFormatError, match="another version"):  # that nobody announced
        load_kept(begun)


def test_a_copy_makes_the_journals_before_it_count_for_nothing(pod, begun):
    recovery.keep(pod, "pod.fabric", None, begun, generation=1)
    assert load_kept(begun) == document.encode(pod)
    edit = operations.set_settings(pod, name="Pod 3")
    recovery.journal_file(begun, 1).write_bytes(written([edit]))
    pod.apply(edit)
    assert load_kept(begun) == document.encode(pod)


def test_journals_are_followed_from_one_to_the_next_and_not_past_one_that_was_cut_short(pod, begun):
    before = document.encode(pod)
    edit = operations.set_settings(pod, name="Pod 3")
    pod.apply(edit)
    recovery.journal_file(begun, 7).write_bytes(written([edit]))
    assert load_kept(begun) == before  # nothing leads to it
    first = recovery.journal_file(begun, 0)
    data = first.read_bytes() + journal.record(journal.next_text(7))
    first.write_bytes(data[:-1])
    assert load_kept(begun) == before
    first.write_bytes(data)
    assert load_kept(begun) == document.encode(pod)
    assert recovery.last_generation(begun) == 7


def test_journals_that_lead_in_a_circle_come_to_an_end(begun):
    recovery.journal_file(begun, 0).write_bytes(journal.record(journal.next_text(0)))
    assert recovery.load(recovery.describe(begun)).settings.name == "Pod 1"


def test_edits_that_are_saved_all_the_same_are_known_to_be(pod, begun, tmp_path):
    leftover = recovery.describe(begun)
    assert not recovery.is_saved(leftover)
    recovery.keep(pod, "pod.fabric", tmp_path / "pod.fabric", begun, generation=1)
    edit = operations.set_settings(pod, name="Pod 3")
    recovery.journal_file(begun, 1).write_bytes(written([edit]))
    document.save(pod, tmp_path / "pod.fabric")
    assert not recovery.is_saved(recovery.describe(begun))
    pod.apply(edit)
    document.save(pod, tmp_path / "pod.fabric")
    assert recovery.is_saved(recovery.describe(begun))


def test_journals_go_and_are_set_aside_with_the_rest_and_stray_ones_are_swept(begun, tmp_path):
    stray, fresh = recovery.journal_file(tmp_path / "b.recovery", 0), recovery.journal_file(tmp_path / "c.recovery", 0)
    for one in (stray, fresh, recovery.journal_file(begun, 0)):
        one.write_bytes(b"")
        os.utime(one, (1, 1))
    os.utime(fresh)
    recovery.sweep(tmp_path)
    assert not stray.exists() and fresh.exists() and recovery.journal_file(begun, 0).exists()
    recovery.set_aside(begun)
    assert {"a.unreadable", "a.unreadable.0.journal"} <= {one.name for one in tmp_path.iterdir()}
    recovery.begin("x", None, begun)
    recovery.journal_file(begun, 3).write_bytes(b"")
    recovery.remove(begun)
    assert not begun.exists() and not recovery.journals(begun)


def test_journals_too_large_are_refused_unread(begun, monkeypatch):
    monkeypatch.setattr(journal, "SIZE_MOST", 10)
    with pytest.raises(FileFormatError, match="which is not read"):
        load_kept(begun)


def test_an_edit_no_file_can_hold_is_refused_before_it_is_written(pod):
    settings = replace(pod.settings, default_cable_length_m=float("nan"))
    with pytest.raises(SaveError):
        journal.edit_text(Edit("NaN", (Change(pod.settings, settings),)))
