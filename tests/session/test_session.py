"""A session over a real design: edits, undo, selection, background jobs that drop what is stale."""

import logging
import threading

import pytest
from disposal import dispose_of
from PySide6.QtCore import QThread

from designer.analysis.new_designs import new_design
from designer.catalog.catalog import Catalog, load
from designer.errors import EditError, PortError
from designer.model.design import Design
from designer.model.edit import Change, Edit, added
from designer.model.entities import Device, End, Link, Placement
from designer.model.hardware.ports import CageGroup, PortMode
from designer.model.hardware.switches import SwitchType
from designer.placement import floor
from designer.placement.cable_lengths import route_cables
from designer.session.jobs import Jobs, Outcome
from designer.session.session import Session
from designer.topologies.families import FAMILIES

SWITCH = SwitchType("sw4", "Acme", "Four", ("ethernet",), (CageGroup(4, "QSFP"),), (PortMode("4x100G", 1, 100.0),))


def two_switches() -> Edit:
    return Edit(
        "Add switches",
        added(
            [
                SWITCH,
                Device("d1", "leaf-1", "sw4"),
                Placement("d1", 0, 0),
                Device("d2", "leaf-2", "sw4"),
                Placement("d2", 200, 0),
            ]
        ),
    )


@pytest.fixture
def session(qtbot):
    session = Session(Catalog({}))
    yield session
    dispose_of(session)


def tables(design: Design) -> list:
    return list(design.entities())


def test_an_edit_pushed_can_be_undone_and_redone_and_each_step_is_heard(session):
    heard = []
    session.changed.connect(heard.append)
    before = tables(session.design)
    session.push(two_switches())
    after = tables(session.design)
    session.undo_stack.undo()
    assert tables(session.design) == before
    session.undo_stack.redo()
    assert tables(session.design) == after
    assert [edit.label for edit in heard] == ["Add switches"] * 3
    assert heard[1].changes[0].after is None


def test_an_empty_edit_leaves_no_trace_on_the_undo_stack(session):
    session.push(Edit("Nothing", ()))
    assert session.undo_stack.count() == 0


def test_an_edit_that_does_not_fit_is_refused_and_the_undo_stack_stays_as_it_was(session):
    session.push(two_switches())
    with pytest.raises(EditError):
        session.push(Edit("Again", added([Device("d1", "leaf-1", "sw4")])))
    assert session.undo_stack.count() == 1
    session.undo_stack.undo()
    assert not session.design.devices


def test_a_refused_verb_becomes_a_message_and_returns_false(session, qtbot):
    def refuse() -> Edit:
        raise PortError("leaf-1 port 9: there is no such port")

    with qtbot.waitSignal(session.message) as caught:
        assert session.attempt(refuse) is False
    assert caught.args == ["leaf-1 port 9: there is no such port"]


def test_what_an_edit_removes_leaves_the_selection(session):
    session.push(two_switches())
    session.select(["d1", "d2", "no-such-thing"])
    assert session.selection == {"d1", "d2"}
    device, placement = session.design.devices["d2"], session.design.placements["d2"]
    session.push(Edit("Delete", (Change(placement, None), Change(device, None))))
    assert session.selection == {"d1"}


def test_undoing_back_to_the_saved_point_makes_the_document_clean(session):
    heard = []
    session.dirty_changed.connect(heard.append)
    session.push(two_switches())
    assert session.dirty
    session.undo_stack.undo()
    assert not session.dirty
    assert heard == [True, False]


def test_another_design_starts_with_no_history_and_no_selection(session):
    session.push(two_switches())
    session.select(["d1"])
    session.new()
    assert session.undo_stack.count() == 0
    assert session.selection == frozenset()
    assert not session.dirty
    assert not session.design.devices


def test_one_snapshot_is_made_a_revision_and_it_does_not_follow_later_edits(session):
    session.push(two_switches())
    snapshot = session.snapshot()
    assert session.snapshot() is snapshot
    session.push(Edit("Link", added([Link("l1", End("d1", "1"), End("d2", "1"))])))
    assert not snapshot.links
    assert session.snapshot() is not snapshot


@pytest.fixture
def jobs(qtbot):
    jobs = Jobs()
    yield jobs
    jobs.shut_down()


def test_work_runs_in_another_thread_and_its_value_arrives_in_this_one(jobs, qtbot):
    seen: list[tuple[object, object]] = []
    here = QThread.currentThread()
    jobs.run("lane", lambda progress: threading.get_ident(), lambda o: seen.append((o.value, QThread.currentThread())))
    qtbot.waitUntil(lambda: bool(seen))
    assert seen[0][0] != threading.get_ident()
    assert seen[0][1] is here


def test_the_latest_request_wins_and_the_one_before_it_is_told_to_stop(jobs, qtbot):
    outcomes: list[Outcome] = []
    entered, stopped = threading.Event(), threading.Event()

    def endless(progress):
        entered.set()
        try:
            while True:
                progress(0.5)
        finally:
            stopped.set()

    jobs.run("lane", endless, outcomes.append)
    assert entered.wait(5)
    jobs.run("lane", lambda progress: "second", outcomes.append)
    jobs.run("lane", lambda progress: "third", outcomes.append)
    qtbot.waitUntil(lambda: bool(outcomes))
    assert stopped.is_set()
    assert [outcome.value for outcome in outcomes] == ["third"]


def test_a_cancelled_request_is_never_delivered(jobs, qtbot):
    outcomes: list[Outcome] = []
    gate = threading.Event()
    jobs.run("lane", lambda progress: gate.wait(5), outcomes.append)
    jobs.cancel("lane")
    gate.set()
    last: list[Outcome] = []
    jobs.run("lane", lambda progress: "after", last.append)
    qtbot.waitUntil(lambda: bool(last))
    assert outcomes == []


def test_a_defect_in_a_job_is_logged_and_becomes_one_sentence(jobs, qtbot, caplog):
    outcomes: list[Outcome] = []

    def broken(progress):
        raise ZeroDivisionError("engine defect")

    with caplog.at_level(logging.ERROR):
        jobs.run("lane", broken, outcomes.append)
        qtbot.waitUntil(lambda: bool(outcomes))
    assert "ZeroDivisionError" in outcomes[0].error
    assert "engine defect" in caplog.text


def test_a_refusal_of_the_engine_arrives_as_its_sentence(jobs, qtbot):
    outcomes: list[Outcome] = []

    def refuse(progress):
        raise PortError("no ranks")

    jobs.run("lane", refuse, outcomes.append)
    qtbot.waitUntil(lambda: bool(outcomes))
    assert outcomes[0].error == "no ranks"


def test_shutting_down_ends_every_thread_and_later_requests_are_ignored(qtbot):
    jobs = Jobs()
    entered = threading.Event()

    def endless(progress):
        entered.set()
        while True:
            progress(0.1)

    jobs.run("a", endless, lambda outcome: None)
    assert entered.wait(5)
    threads = [lane._thread for lane in jobs._lanes.values()]
    jobs.shut_down()
    assert all(thread.isFinished() for thread in threads)
    jobs.run("b", lambda progress: 1, lambda outcome: None)
    assert not jobs.busy("b")


def test_cables_follow_a_rack_that_moves_and_undo_takes_both_back(qtbot):
    catalog = load()
    family = next(one for one in FAMILIES if one.name == "rail-optimized")
    session = Session(catalog, new_design(family, {"servers": 8, "servers_per_su": 4}, catalog, "pod", "auto").design)
    design = session.design
    before = list(design.entities())
    rack_id = design.placements[design.find("spine-01").id].rack_id
    assert session.attempt(lambda: floor.place_racks(design, {rack_id: (90.0, 3.0)}))
    assert not route_cables(design)
    session.undo_stack.undo()
    assert list(design.entities()) == before
    session.close()
