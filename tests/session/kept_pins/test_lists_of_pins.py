"""The list of pinned runs on the disk: what cannot be written or read is reported, and nothing in it is trusted."""

import json
import os
from dataclasses import replace

import pytest
from pinning import list_of, numbers, pinned, restate, runs_of, settle, unlink

from designer.errors import FileFormatError
from designer.session import kept_pins
from designer.storage import document

posix = pytest.mark.skipif(os.name == "nt", reason="needs symbolic links")


@pytest.fixture
def messages(session):
    heard = []
    session.message.connect(heard.append)
    return heard


@pytest.fixture
def kept(session, qtbot):
    """The file of a design of which one run is kept."""
    pinned(session, qtbot, collective="all-reduce")
    settle(session, qtbot)
    return session.path


# -- what cannot be written -----------------------------------------------------------------------------------------


def test_a_full_disk_leaves_the_list_as_it_was_says_so_and_is_tried_again_at_the_end(
    session, kept, messages, qtbot, monkeypatch
):
    def full(_descriptor):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        pinned(session, qtbot, collective="all-to-all")
        settle(session, qtbot)
    folder = kept_pins.folder_of(kept)
    assert messages == [f"Pinned runs are not kept for the next time: there is no space left on the disk of {folder}"]
    assert numbers(kept) == [1] and len(session.workbench.pins.runs) == 2
    session.close()
    assert numbers(kept) == [1, 2]


@pytest.mark.parametrize("is_closed", [True, False])
def test_a_folder_that_cannot_be_written_to_is_reported_and_holds_nothing_up(
    session, messages, qtbot, caplog, is_closed
):
    folder = kept_pins.folder_of(session.path)
    settle(session, qtbot)
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.write_text("no folder")
    pinned(session, qtbot, collective="all-reduce")
    if is_closed:
        session.close()
        assert "pinned runs are not kept" in caplog.text and not messages
    else:
        settle(session, qtbot)
        assert [one.partition(": ")[0] for one in messages] == ["Pinned runs are not kept for the next time"]
    folder.unlink()


def test_what_could_not_be_kept_before_another_design_is_opened_is_said_after_it_is(session, messages, qtbot):
    folder = kept_pins.folder_of(session.path)
    settle(session, qtbot)
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.write_text("no folder")
    pinned(session, qtbot, collective="all-reduce")
    session.new()
    assert not messages
    qtbot.waitUntil(lambda: bool(messages))
    folder.unlink()
    assert messages[0].startswith("Pinned runs are not kept for the next time: ")


def test_a_list_that_would_be_too_long_to_read_is_not_written(session, kept, messages, qtbot, monkeypatch):
    size = list_of(kept).stat().st_size
    monkeypatch.setattr(kept_pins, "MOST_BYTES", size)
    assert numbers(kept) == [1]
    pinned(session, qtbot, collective="all-to-all")
    settle(session, qtbot)
    assert messages == [
        "Pinned runs are not kept for the next time: there are too many runs, or too much has failed in them"
    ]
    assert numbers(kept) == [1]


def test_runs_whose_flows_are_read_from_a_file_are_pinned_until_the_end_and_say_so(
    session, messages, qtbot, monkeypatch, tmp_path
):
    pins, run = session.workbench.pins, pinned(session, qtbot, collective="all-reduce")
    assert pins.is_kept(run) and not messages
    settle(session, qtbot)
    file_run = replace(run, scenario=replace(run.scenario, collective=None, traffic=f"pairs:{tmp_path / 'flows.csv'}"))
    kept_pins.keep(session.path, [file_run], None)
    assert numbers(session.path) == [] and not pins.is_kept(file_run)
    monkeypatch.setattr(kept_pins, "can_be_kept", lambda _run: False)
    unlink(session)
    assert pinned(session, qtbot, collective="all-reduce").number == 2
    assert messages == ["Run 2 is pinned until the design is closed: its traffic or routing file is not kept."]


@posix
def test_what_is_kept_is_for_this_user_alone(kept):
    folder = kept_pins.folder_of(kept)
    assert {file.stat().st_mode & 0o777 for file in folder.iterdir()} == {0o600}
    assert folder.stat().st_mode & 0o777 == 0o700


def test_what_a_killed_program_left_half_written_goes_with_the_next_run_that_is_kept(session, kept, qtbot):
    left = [kept_pins.folder_of(kept) / name for name in (f".{'0' * 32}.saving-1", "0" * kept_pins.DIGITS)]
    for file in left:
        file.write_text("{")
        os.utime(file, (0, 0))
    pinned(session, qtbot, collective="all-to-all")
    settle(session, qtbot)
    assert not any(file.exists() for file in left) and numbers(kept) == [1, 2]


def test_a_design_that_someone_removed_is_written_again_with_the_next_run(session, kept, qtbot):
    (file,) = (one for one in kept_pins.folder_of(kept).iterdir() if one.name != kept_pins.LIST)
    file.unlink()
    pinned(session, qtbot, collective="all-to-all")
    settle(session, qtbot)
    assert file.exists() and numbers(kept) == [1, 2]


# -- what cannot be read --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{",
        '{"runs": []}',
        '{"version": 0, "runs": []}',
        '{"version": "1", "runs": []}',
        '{"version": 1, "runs": 3}',
        '{"version": 1, "runs": [{"number": 1}]}',
        '{"version": 1, "runs": ["abc"]}',
        "[" * 200_000,
        "1" * 5_000,
    ],
)
def test_a_damaged_list_has_no_runs_and_is_reported(kept, again, qtbot, text):
    list_of(kept).write_text(text)
    before = {file.name: file.read_bytes() for file in kept_pins.folder_of(kept).iterdir()}
    other = again()
    assert not other.messages, "what is said of the file itself comes first"
    qtbot.waitUntil(lambda: bool(other.messages))
    aside = kept_pins.folder_of(kept).with_suffix(".unreadable")
    why = "their list is damaged"
    assert other.messages == [f"The pinned runs of pod.fabric cannot be shown: {why}. It is kept as {aside}."]
    assert runs_of(other, qtbot) == () and other.design.devices
    pinned(other, qtbot, collective="all-gather")
    settle(other, qtbot)
    assert numbers(kept) == [1]
    assert {file.name: file.read_bytes() for file in aside.iterdir()} == before, "with the designs it leads to"


def test_a_list_damaged_while_its_design_is_open_is_set_aside_before_the_next_run_is_pinned(session, kept, qtbot):
    folder = kept_pins.folder_of(kept)
    for number, text in enumerate(("{", "[", '{"version": 0')):
        list_of(kept).write_text(text)
        pinned(session, qtbot, collective=("all-to-all", "all-gather", "reduce-scatter")[number])
        settle(session, qtbot)
        assert numbers(kept) == list(range(1, number + 3)), "those that this window has"
        aside = folder.with_name(f"{folder.name}.unreadable{number or ''}")
        assert (aside / kept_pins.LIST).read_text() == text


def test_a_damaged_list_that_cannot_be_set_aside_is_not_replaced(session, kept, qtbot, monkeypatch):
    def refuse(*_given):
        raise OSError("the disk is full")

    messages = []
    session.message.connect(messages.append)
    list_of(kept).write_text("{")
    monkeypatch.setattr(kept_pins.shutil, "copytree", refuse)
    pinned(session, qtbot, collective="all-to-all")
    settle(session, qtbot)
    assert list_of(kept).read_text() == "{"
    assert messages == [
        "Pinned runs are not kept for the next time: their list is damaged, and cannot be kept elsewhere"
    ]


@pytest.mark.parametrize(
    "values",
    [
        {"number": float("inf")},
        {"number": float("nan")},
        {"number": 0},
        {"number": 1.5},
        {"number": kept_pins.MOST_NUMBER + 1},
        {"wall_s": 10**400},
        {"wall_s": float("nan")},
        {"wall_s": -1.0},
        {"failed": "abc"},
        {"design": "../pod.fabric"},
        {"design": 3},
        {"run": 3},
    ],
)
def test_a_list_with_values_that_none_of_ours_has_is_damaged(kept, values):
    restate(kept, **values)
    with pytest.raises(FileFormatError, match="their list is damaged"):
        kept_pins.listed(kept)


def test_a_list_of_a_newer_version_is_reported_and_left_as_it_is(session, kept, again, qtbot, tmp_path):
    newer = json.loads(list_of(kept).read_text()) | {"version": kept_pins.VERSION + 1, "runs": {"of": "another kind"}}
    list_of(kept).write_text(json.dumps(newer))
    before = {file.name: file.read_bytes() for file in kept_pins.folder_of(kept).iterdir()}
    other = again()
    pinned(other, qtbot, collective="all-to-all")
    unlink(other)
    pinned(other, qtbot, collective="all-to-all")
    settle(other, qtbot)
    by = "pinned with a newer version of Fabric Designer"
    assert other.messages[0] == f"The pinned runs of pod.fabric cannot be shown: they were {by}"
    assert other.messages[-1] == f"Pinned runs are not kept for the next time: those of this file were {by}"
    assert {file.name: file.read_bytes() for file in kept_pins.folder_of(kept).iterdir()} == before
    other.save(tmp_path / "b.fabric")
    settle(other, qtbot)
    assert numbers(other.path) == [1, 2]
    other.save(kept)
    settle(other, qtbot)
    assert numbers(kept) == [1, 2], "another design is in the file now"


def test_a_list_that_is_too_long_is_not_read(kept, again, qtbot, monkeypatch):
    monkeypatch.setattr(kept_pins, "MOST_BYTES", list_of(kept).stat().st_size - 1)
    other = again()
    qtbot.waitUntil(lambda: bool(other.messages))
    assert other.messages[0].startswith(
        "The pinned runs of pod.fabric cannot be shown: their list is too long. It is kept"
    )


def test_a_run_whose_design_is_gone_is_left_out(session, again, qtbot):
    pinned(session, qtbot, collective="all-reduce")
    second = pinned(session, qtbot, collective="all-to-all")
    settle(session, qtbot)
    restate(session.path, design="0" * kept_pins.DIGITS)
    other = again()
    assert [one.number for one in runs_of(other, qtbot)] == [2] == [second.number]
    assert other.messages == ["1 pinned run cannot be shown again: the design as it was is missing"]
    pinned(other, qtbot, collective="all-gather")
    settle(other, qtbot)
    assert numbers(session.path) == [2, 3], "there is nothing to compute the first of any more"


@posix
def test_a_design_that_is_another_or_leads_elsewhere_is_not_read(session, kept, again, qtbot):
    (file,) = (one for one in kept_pins.folder_of(kept).iterdir() if one.name != kept_pins.LIST)
    unlink(session)
    session.save()
    file.unlink()
    file.symlink_to(kept)
    other = again()
    assert runs_of(other, qtbot) == ()
    assert other.messages == ["1 pinned run cannot be shown again: the design as it was is damaged"]


def test_a_design_of_a_newer_version_is_reported_and_stays_kept(kept, again, qtbot):
    (file,) = (one for one in kept_pins.folder_of(kept).iterdir() if one.name != kept_pins.LIST)
    stated = json.loads(file.read_text()) | {"version": 10**6}
    data = json.dumps(stated).encode()
    file.with_name(kept_pins._named(data)).write_bytes(data)
    restate(kept, design=kept_pins._named(data))
    other = again()
    assert runs_of(other, qtbot) == () and other.workbench.pins.n_left_out == 1
    (message,) = other.messages
    assert message.startswith("1 pinned run cannot be shown again: the design as it was was written by a newer version")
    pinned(other, qtbot, collective="all-to-all")
    settle(other, qtbot)
    assert numbers(kept) == [1, 2]


def test_failures_of_what_the_design_never_had_are_reported_or_left_out(kept, again, qtbot):
    restate(kept, failed=["nothing of that name", "../../etc", "\ud800"])
    other = again()
    assert len(runs_of(other, qtbot)) + other.workbench.pins.n_left_out == 1


def test_each_design_is_read_once_for_all_its_runs(session, again, qtbot, monkeypatch):
    for collective in ("all-reduce", "all-to-all", "all-gather"):
        pinned(session, qtbot, collective=collective)
    settle(session, qtbot)
    read, reads = document.read, []
    monkeypatch.setattr(kept_pins.document, "read", lambda file: (reads.append(file.name), read(file))[1])
    runs = runs_of(again(), qtbot)
    assert len(runs) == 3 and len({id(one.design) for one in runs}) == 1
    assert runs[0].design.file_stem == "pod"
    assert sum(name != "pod.fabric" for name in reads) == 1


# -- two windows ----------------------------------------------------------------------------------------------------


def test_two_windows_on_one_file_keep_the_runs_of_both(session, kept, again, qtbot):
    one, other = again(), again()
    for each, collective in ((one, "all-to-all"), (other, "all-gather"), (one, "reduce-scatter")):
        assert runs_of(each, qtbot)
        pinned(each, qtbot, collective=collective)
        settle(each, qtbot)
    third = again()
    runs = runs_of(third, qtbot)
    assert [run.number for run in runs] == [1, 2, 3, 4]
    assert [run.scenario.collective for run in runs] == ["all-reduce", "all-to-all", "reduce-scatter", "all-gather"]
    third.workbench.pins.unpin(runs[3])
    settle(third, qtbot)
    assert numbers(kept) == [1, 2, 3]


def test_a_window_that_drops_a_run_of_its_own_leaves_those_of_others(session, kept, again, qtbot):
    other = again()
    pinned(other, qtbot, collective="all-to-all")
    settle(other, qtbot)
    session.workbench.pins.unpin(session.workbench.pins.runs[0])
    settle(session, qtbot)
    assert [run.run for run in kept_pins.listed(kept)] == [(("collective", "all-to-all"),)]


def test_runs_of_another_window_are_not_lost_where_the_file_was_opened_without_any(session, again, qtbot):
    one, other = again(), again()
    pinned(one, qtbot, collective="all-reduce")
    settle(one, qtbot)
    pinned(other, qtbot, collective="all-to-all")
    settle(other, qtbot)
    assert numbers(session.path) == [1, 2]


def test_a_run_that_two_windows_pinned_is_there_once(session, again, qtbot):
    one, other = again(), again()
    for each in (one, other):
        pinned(each, qtbot, collective="all-reduce")
        settle(each, qtbot)
    assert numbers(session.path) == [1]
