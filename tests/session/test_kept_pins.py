"""Pinned runs of a design that has a file are there again when it is opened the next time."""

import json
from dataclasses import replace

import pytest
from disposal import dispose_of

from designer.model import operations
from designer.model.edit import Change, Edit
from designer.model.entities import Revision
from designer.session import kept_pins
from designer.session.session import Session
from designer.simulation.scenario import Scenario

PATIENCE_MS = 60_000


@pytest.fixture
def session(open_session, tmp_path):
    made = open_session("rail-optimized", servers=4, servers_per_su=2)
    made.save(tmp_path / "pod.fabric")
    return made


@pytest.fixture
def again(qtbot, catalog, session):
    """again() -> Session that has opened the file, once all that was pinned is kept."""
    opened = []

    def go():
        for one in (session, *opened):
            settle(one, qtbot)
        opened.append(Session(catalog))
        opened[-1].open(session.path)
        return opened[-1]

    yield go
    for one in opened:
        dispose_of(one)


def settle(session, qtbot):
    busy = session.jobs.busy
    qtbot.waitUntil(lambda: not busy("pinned-keeping") and not busy("pinned"), timeout=PATIENCE_MS)


def pinned(session, qtbot, **scenario):
    simulation = session.workbench.simulation
    simulation.scenario = Scenario(**scenario)
    simulation.run()
    qtbot.waitUntil(lambda: simulation.state == "current", timeout=PATIENCE_MS)
    return session.workbench.pins.pin()


def runs_of(session, qtbot):
    settle(session, qtbot)
    assert not session.workbench.pins.n_waiting
    return session.workbench.pins.runs


def unlink(session):
    session.push(operations.delete(session.design, [next(iter(session.design.links))]))


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
    session, again, qtbot, monkeypatch
):
    pinned(session, qtbot, collective="all-reduce")
    monkeypatch.setattr(kept_pins, "QUICK_S", -1.0)
    other = again()
    pins = other.workbench.pins
    assert pins.n_waiting == 1 and not pins.runs and not other.jobs.busy("pinned")
    pinned(other, qtbot, collective="all-to-all")
    settle(other, qtbot)
    assert [one.number for one in kept_pins.listed(session.path)] == [1], "nothing is lost meanwhile"
    pins.restore()
    assert [one.number for one in runs_of(other, qtbot)] == [1, 2] and pins.baseline is pins.runs[0]
    assert [one.number for one in kept_pins.listed(session.path)] == [1, 2]


@pytest.mark.parametrize(
    "text", ["", "[]", "{", '{"runs": 3}', '{"runs": [{"design": "../x"}]}', '{"runs": [{"number": 1}]}', "[" * 200_000]
)
def test_a_damaged_list_has_no_runs(session, again, qtbot, text):
    pinned(session, qtbot, collective="all-reduce")
    settle(session, qtbot)
    (kept_pins.folder_of(session.path) / kept_pins.LIST).write_text(text)
    assert runs_of(again(), qtbot) == ()


def test_a_list_that_leads_out_of_its_folder_is_none(session, qtbot):
    pinned(session, qtbot, collective="all-reduce")
    settle(session, qtbot)
    file = kept_pins.folder_of(session.path) / kept_pins.LIST
    stated = json.loads(file.read_text())
    stated["runs"][0]["design"] = f"../{session.path.name}"
    file.write_text(json.dumps(stated))
    assert kept_pins.listed(session.path) == ()


def test_a_run_that_cannot_be_computed_again_is_left_out(session, again, qtbot):
    pinned(session, qtbot, collective="all-reduce")
    second = pinned(session, qtbot, collective="all-to-all")
    settle(session, qtbot)
    file = kept_pins.folder_of(session.path) / kept_pins.LIST
    stated = json.loads(file.read_text())
    stated["runs"][0]["design"] = "0" * kept_pins.DIGITS
    file.write_text(json.dumps(stated))
    assert [one.number for one in runs_of(again(), qtbot)] == [2] == [second.number]


def test_flows_read_from_a_file_are_not_kept(session, qtbot, tmp_path):
    run = pinned(session, qtbot, collective="all-reduce")
    file_run = replace(run, scenario=replace(run.scenario, collective=None, traffic=f"pairs:{tmp_path / 'flows.csv'}"))
    kept_pins.keep(session.path, [file_run], None)
    assert kept_pins.listed(session.path) == ()
