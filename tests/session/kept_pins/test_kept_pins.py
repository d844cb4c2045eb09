"""Pinned runs of a design that has a file are there again when it is opened the next time."""

import pytest
from pinning import numbers, pinned, restate, runs_of, settle, unlink

from designer.errors import ParameterError
from designer.model import operations
from designer.model.edit import Change, Edit
from designer.model.entities import Revision
from designer.session import kept_pins


def test_pinned_runs_are_there_again_with_their_numbers_loads_and_baseline(session, again, qtbot):
    pinned(session, qtbot, collective="all-reduce", size_bytes=2**20)
    session.mark_as_failed(frozenset([session.design.switches()[0].id]), "Fail", is_look=False)
    second = pinned(session, qtbot, collective="all-reduce", size_bytes=2**21)
    session.workbench.pins.set_baseline(second)
    other = again()
    runs = runs_of(other, qtbot)
    assert [one.number for one in runs] == [1, 2] and other.workbench.pins.baseline is runs[1]
    for was, now in zip(session.workbench.pins.runs, runs, strict=True):
        assert now.result.time_s == was.result.time_s and now.heat.utilization == was.heat.utilization
        assert (now.name, now.broken, now.failed) == (was.name, was.broken, was.failed)
        assert now.scenario == was.scenario and not other.workbench.heat_view.is_earlier(now)
    assert runs[1].broken == 1
    assert pinned(other, qtbot, collective="all-to-all").number == 3
    assert [one.number for one in runs_of(again(), qtbot)] == [1, 2, 3]


def test_the_name_of_a_run_is_kept_with_it_on_one_line(session, again, qtbot):
    run = pinned(session, qtbot, collective="all-reduce")
    session.workbench.pins.rename(run, "Two\nspines \x1b")
    (kept,) = runs_of(again(), qtbot)
    assert kept.name == kept.own_name == "Two spines \\u001b"


@pytest.mark.parametrize(("revision", "said"), [(None, "of an earlier design"), ("B", "of revision B, changed since")])
def test_a_run_says_of_what_it_is_where_the_design_was_changed_since(session, again, qtbot, revision, said):
    if revision is not None:
        record = Revision("v1", revision, "2026-11-01", digest="d" * 64)
        session.push(Edit("record", (Change(None, record),)))
    pinned(session, qtbot, collective="all-reduce")
    unlink(session)
    session.save()
    other = again()
    (run,) = runs_of(other, qtbot)
    assert other.workbench.heat_view.is_earlier(run) and run.of_earlier == said
    other.workbench.heat_view.show_pinned(run)
    heat = other.workbench.heat_view.heat
    assert heat.label == f"Pinned run 1, {said}" and heat.other_design == "no longer there: 1 link"
    unlink(other)
    assert other.workbench.heat_view.is_earlier(run)


def test_names_and_notes_do_not_make_a_run_one_of_an_earlier_design(session, again, qtbot):
    pinned(session, qtbot, collective="all-reduce")
    session.push(operations.set_settings(session.design, project="Hall 3"))
    session.save()
    other = again()
    (run,) = runs_of(other, qtbot)
    assert not other.workbench.heat_view.is_earlier(run)
    unlink(other)
    assert other.workbench.heat_view.is_earlier(run)


def test_what_is_unpinned_is_not_kept_and_neither_is_its_design(session, again, qtbot):
    first = pinned(session, qtbot, collective="all-reduce")
    unlink(session)
    second = pinned(session, qtbot, collective="all-reduce")
    settle(session, qtbot)
    folder = kept_pins.folder_of(session.path)
    assert len(list(folder.iterdir())) == 3
    session.workbench.pins.unpin(first)
    session.save()
    assert [one.number for one in runs_of(again(), qtbot)] == [2]
    assert len(list(folder.iterdir())) == 2
    session.workbench.pins.unpin(second)
    assert runs_of(again(), qtbot) == () and not folder.exists()


def test_runs_pinned_before_the_design_had_a_file_are_kept_with_each_file_it_gets(open_session, qtbot, tmp_path):
    session = open_session("rail-optimized", servers=4, servers_per_su=2)
    pinned(session, qtbot, collective="all-reduce")
    for name in ("a.fabric", "b.fabric"):
        session.save(tmp_path / name)
        settle(session, qtbot)
        assert [one.number for one in kept_pins.listed(tmp_path / name)] == [1]


def test_long_runs_wait_until_they_are_wanted_and_what_is_pinned_meanwhile_comes_after_them(
    session, again, late, qtbot
):
    pinned(session, qtbot, collective="all-reduce")
    other = again()
    pins = other.workbench.pins
    assert pins.n_waiting == 1 and not pins.runs and not other.jobs.busy("pinned")
    pinned(other, qtbot, collective="all-to-all")
    settle(other, qtbot)
    assert numbers(session.path) == [1, 2], "nothing is lost meanwhile"
    pins.restore()
    assert [one.number for one in runs_of(other, qtbot)] == [1, 2] and pins.baseline is pins.runs[0]
    assert [one.number for one in kept_pins.listed(session.path)] == [1, 2]


def test_what_is_pinned_just_before_the_window_is_closed_is_kept(session, qtbot):
    pinned(session, qtbot, collective="all-reduce")
    session.close()
    assert numbers(session.path) == [1]


def test_what_is_pinned_just_before_its_file_is_read_again_is_there_again(session, qtbot):
    pinned(session, qtbot, collective="all-reduce")
    session.open(session.path)
    assert [one.number for one in runs_of(session, qtbot)] == [1]


def test_what_is_dropped_just_before_its_design_is_saved_as_another_file_is_kept_with_neither(
    session, qtbot, tmp_path, monkeypatch
):
    file, pins, run = session.path, session.workbench.pins, pinned(session, qtbot, collective="all-reduce")
    pinned(session, qtbot, collective="all-to-all")
    settle(session, qtbot)
    with monkeypatch.context() as patched:
        patched.setattr(session.jobs, "run", lambda *_: None)  # the worker has not come to it yet
        pins.unpin(run)
    session.save(tmp_path / "b.fabric")
    settle(session, qtbot)
    assert numbers(file) == numbers(session.path) == [2]


@pytest.mark.usefixtures("late")
def test_runs_that_wait_go_along_to_another_file(session, again, qtbot, tmp_path):
    pinned(session, qtbot, collective="all-reduce")
    other = again()
    other.save(tmp_path / "b.fabric")
    settle(other, qtbot)
    assert other.workbench.pins.n_waiting == 1 and numbers(other.path) == [1]
    other.workbench.pins.restore()
    assert [one.number for one in runs_of(other, qtbot)] == [1]
    assert [one.design for one in kept_pins.listed(other.path)] == [
        one.design for one in kept_pins.listed(session.path)
    ]
    other.open(other.path)
    other.workbench.pins.restore()
    assert [one.number for one in runs_of(other, qtbot)] == [1]


@pytest.mark.usefixtures("late")
def test_runs_that_wait_are_there_too_where_they_cannot_be_kept_with_the_other_file(session, again, qtbot, tmp_path):
    pinned(session, qtbot, collective="all-reduce")
    other, folder = again(), kept_pins.folder_of(tmp_path / "b.fabric")
    folder.write_text("no folder")
    other.save(tmp_path / "b.fabric")
    settle(other, qtbot)
    folder.unlink()
    other.workbench.pins.restore()
    assert [one.number for one in runs_of(other, qtbot)] == [1]


def test_runs_that_are_being_computed_go_along_to_another_file(session, again, qtbot, tmp_path):
    pinned(session, qtbot, collective="all-reduce")
    other = again()
    assert other.jobs.busy("pinned")
    other.save(tmp_path / "b.fabric")
    assert [one.number for one in runs_of(other, qtbot)] == [1] and numbers(other.path) == [1]


def test_runs_that_could_not_be_computed_this_time_stay_kept(session, again, qtbot, monkeypatch):
    first = pinned(session, qtbot, collective="all-reduce")
    pinned(session, qtbot, collective="all-to-all")
    session.workbench.pins.set_baseline(first)
    settle(session, qtbot)
    read = kept_pins.scenario_text.read

    def refuse(texts):
        scenario = read(texts)
        if scenario.collective == "all-reduce":
            raise ParameterError("no longer known")
        return scenario

    with monkeypatch.context() as patched:
        patched.setattr(kept_pins.scenario_text, "read", refuse)
        other = again()
        assert [one.number for one in runs_of(other, qtbot)] == [2]
        assert pinned(other, qtbot, collective="all-gather").number == 3
        settle(other, qtbot)
    assert numbers(session.path) == [1, 2, 3]
    other = again()
    assert [one.number for one in runs_of(other, qtbot)] == [1, 2, 3]
    assert other.workbench.pins.baseline.number == 1


def test_a_defect_while_runs_are_computed_again_loses_none(session, again, qtbot, monkeypatch):
    pinned(session, qtbot, collective="all-reduce")
    settle(session, qtbot)
    with monkeypatch.context() as patched:
        patched.setattr(kept_pins, "differ", None)
        other = again()
        assert runs_of(other, qtbot) == (), "nothing waits, or each look at the panel would compute them again"
        pinned(other, qtbot, collective="all-to-all")
        settle(other, qtbot)
    assert [one.number for one in runs_of(again(), qtbot)] == [1, 2]


def test_the_runs_of_the_design_before_are_gone_before_the_list_of_the_next_is_read(session, qtbot, monkeypatch):
    pins, seen = session.workbench.pins, []
    session.workbench.heat_view.show_pinned(pinned(session, qtbot, collective="all-reduce"))
    settle(session, qtbot)

    def look(_path):
        seen.append((pins.runs, pins.baseline, session.workbench.heat_view.pinned))
        return ()

    monkeypatch.setattr(kept_pins, "listed", look)
    session.open(session.path)
    assert seen == [((), None, None)]


def test_a_design_saved_over_another_does_not_have_its_runs(session, again, open_session, qtbot):
    pinned(session, qtbot, collective="all-reduce")
    settle(session, qtbot)
    other = open_session("fat-tree", servers=16)
    other.save(session.path)
    settle(other, qtbot)
    assert not kept_pins.folder_of(session.path).exists() and runs_of(again(), qtbot) == ()


def test_a_file_that_is_only_opened_has_its_list_left_as_it_is(session, again, qtbot, monkeypatch):
    pinned(session, qtbot, collective="all-reduce")
    settle(session, qtbot)
    monkeypatch.setattr(kept_pins, "keep", None)
    other = again()
    assert not other.jobs.busy("pinned-keeping")
    assert [one.number for one in runs_of(other, qtbot)] == [1]


@pytest.mark.usefixtures("late")
def test_a_baseline_that_is_chosen_while_runs_wait_stays_it(session, again, qtbot):
    pinned(session, qtbot, collective="all-reduce")
    other = again()
    pins = other.workbench.pins
    second = pinned(other, qtbot, collective="all-to-all")
    pins.set_baseline(second)
    settle(other, qtbot)
    assert [one.is_baseline for one in kept_pins.listed(other.path)] == [False, True]
    pins.restore()
    assert len(runs_of(other, qtbot)) == 2 and pins.baseline is second
    other.open(other.path)
    pins.restore()
    assert runs_of(other, qtbot)[1] is pins.baseline
    other.open(other.path)
    third = pinned(other, qtbot, collective="all-gather")
    pins.restore()
    assert len(runs_of(other, qtbot)) == 3 and pins.baseline.number == 2 != third.number, "none was chosen this time"


@pytest.mark.usefixtures("late")
def test_the_kept_baseline_is_it_again_where_the_chosen_one_is_dropped_before(session, again, qtbot):
    pinned(session, qtbot, collective="all-reduce")
    other = again()
    pins = other.workbench.pins
    second = pinned(other, qtbot, collective="all-to-all")
    pins.set_baseline(second)
    pins.unpin(second)
    pins.restore()
    assert [one.number for one in runs_of(other, qtbot)] == [1] and pins.baseline is pins.runs[0]


@pytest.mark.usefixtures("late")
def test_the_kept_baseline_stays_it_in_the_list_where_the_chosen_one_is_dropped(session, again, qtbot):
    pinned(session, qtbot, collective="all-reduce")
    session.workbench.pins.set_baseline(pinned(session, qtbot, collective="all-to-all"))
    other = again()
    pins = other.workbench.pins
    third = pinned(other, qtbot, collective="all-gather")
    pins.set_baseline(third)
    pins.unpin(third)
    settle(other, qtbot)
    assert [one.is_baseline for one in kept_pins.listed(other.path)] == [False, True]


def test_what_could_not_be_computed_of_one_file_is_not_kept_with_the_next(session, again, qtbot, tmp_path):
    pinned(session, qtbot, collective="all-reduce")
    settle(session, qtbot)
    restate(session.path, run=[["no such setting", "1"]])
    other = again()
    assert runs_of(other, qtbot) == ()
    other.new()
    other.save(tmp_path / "b.fabric")
    settle(other, qtbot)
    assert numbers(session.path) == [1] and not kept_pins.folder_of(other.path).exists()


@pytest.mark.usefixtures("late")
def test_what_could_not_be_computed_of_one_file_is_not_kept_with_the_next_that_has_its_design(
    session, again, qtbot, tmp_path
):
    pinned(session, qtbot, collective="all-reduce")
    session.save(tmp_path / "c.fabric")
    settle(session, qtbot)
    restate(session.path, run=[["no such setting", "1"]])
    other = again()
    pins = other.workbench.pins
    pins.restore()
    assert runs_of(other, qtbot) == () and pins.n_left_out == 1
    other.open(tmp_path / "pod.fabric")
    assert pins.n_waiting == 1 and pins.n_left_out == 0
    pinned(other, qtbot, collective="all-to-all")
    settle(other, qtbot)
    assert numbers(other.path) == [1, 2]


def test_designs_of_runs_that_are_dropped_are_not_held(session, qtbot):
    memory, run = kept_pins.Memory(), pinned(session, qtbot, collective="all-reduce")
    settle(session, qtbot)
    kept_pins.keep(session.path, [run], None, memory=memory)
    assert [design for design, _name in memory.names.values()] == [run.design]
    kept_pins.keep(session.path, [], None, memory=memory)
    assert not memory.names


def test_each_design_is_written_once_for_all_its_runs(session, qtbot, monkeypatch):
    settle(session, qtbot)
    encoded, encode = [], kept_pins.document.encode
    monkeypatch.setattr(kept_pins.document, "encode", lambda design: (encoded.append(design), encode(design))[1])
    for collective in ("all-reduce", "all-to-all", "all-gather"):
        pinned(session, qtbot, collective=collective)
        settle(session, qtbot)
    assert len(encoded) == 1
    unlink(session)
    pinned(session, qtbot, collective="all-reduce")
    settle(session, qtbot)
    assert len(encoded) == 2 and numbers(session.path) == [1, 2, 3, 4]


def test_runs_of_a_design_that_is_no_longer_open_are_computed_no_further(session, again, qtbot):
    pinned(session, qtbot, collective="all-reduce")
    other = again()
    assert other.jobs.busy("pinned")
    other.new()
    assert not other.jobs.busy("pinned") and runs_of(other, qtbot) == ()
