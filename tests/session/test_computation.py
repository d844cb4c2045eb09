"""A computation: what its value is of, whether that still stands there, and what ends it."""

import threading
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QObject

from designer.errors import DesignerError
from designer.session import jobs as jobs_module
from designer.session.computation import Computation
from designer.session.jobs import Jobs

PATIENCE_MS = 30_000


class Squares(Computation[int, int]):
    """Squares the number that stands there."""

    def __init__(self, owner: QObject, jobs: Jobs) -> None:
        super().__init__(owner, jobs, "squares", lambda: self.number)
        self.number = 1
        self.gate = threading.Event()
        self.gate.set()
        self.heard: list[str] = []
        self.state_changed.connect(lambda: self.heard.append(self.state))

    def run(self, delay_ms: int = 0) -> None:
        self.ask(self._begin, delay_ms)

    def _begin(self):
        number, gate = self.number, self.gate

        def work(progress):
            gate.wait(10)
            progress(1.0)
            if number < 0:
                raise DesignerError(f"{number} is below 0")
            return number * number

        return work


@pytest.fixture
def owner(qapp):
    return QObject()


@pytest.fixture
def jobs(owner):
    jobs = Jobs(owner)
    yield jobs
    jobs.shut_down()


@pytest.fixture
def squares(owner, jobs):
    return Squares(owner, jobs)


def at(qtbot, squares, state):
    qtbot.waitUntil(lambda: squares.state == state, timeout=PATIENCE_MS)


def test_a_value_is_current_stale_where_something_else_stands_there_and_current_again_after_that(squares, qtbot):
    assert squares.state == "idle" and not squares.has_answer
    squares.number = 3
    squares.run()
    assert squares.state == "running" and not squares.is_current
    at(qtbot, squares, "current")
    assert squares.value == 9 and squares.is_current and squares.wall_s > 0
    squares.number = 4
    assert not squares.is_current
    squares.follow()
    assert squares.state == "stale" and squares.value == 9 and not squares.was_cut_off
    squares.number = 3
    squares.follow()
    assert squares.state == "current" and squares.is_current
    squares.follow()
    assert squares.heard == ["running", "current", "stale", "current"]


def test_what_a_value_took_is_split_in_start_up_and_its_own_time(squares, qtbot, monkeypatch):
    monkeypatch.setattr(jobs_module, "time", SimpleNamespace(perf_counter=iter([10.0, 17.0]).__next__))
    monkeypatch.setattr(jobs_module, "START_UP", SimpleNamespace(total_s=1.0))
    squares._begin = lambda: lambda progress: setattr(jobs_module.START_UP, "total_s", 6.0)
    squares.run()
    at(qtbot, squares, "current")
    assert (squares.wall_s, squares.start_up_s, squares.own_s) == (7.0, 5.0, 2.0)


def test_a_change_ends_what_is_under_way_and_its_value_never_comes(squares, jobs, qtbot):
    squares.run()
    at(qtbot, squares, "current")
    squares.gate.clear()
    squares.number = 2
    squares.run()
    squares.follow()
    assert squares.state == "running", "of what stands there still"
    squares.number = 5
    squares.follow()
    assert squares.state == "stale" and squares.was_cut_off and not jobs.busy("squares")
    squares.gate.set()
    squares.run()
    at(qtbot, squares, "current")
    assert squares.value == 25 and not squares.was_cut_off


def test_a_change_back_to_what_the_value_is_of_ends_what_is_under_way_too(squares, qtbot):
    squares.run()
    at(qtbot, squares, "current")
    squares.gate.clear()
    squares.number = 2
    squares.run()
    squares.number = 1
    squares.follow()
    assert squares.state == "current" and squares.value == 1 and not squares.was_cut_off
    squares.gate.set()


def test_cancelling_leaves_the_value_that_was_there(squares, qtbot):
    squares.gate.clear()
    squares.run()
    squares.cancel()
    assert squares.state == "idle" and squares.value is None
    squares.gate.set()
    squares.run()
    at(qtbot, squares, "current")
    squares.number = 2
    squares.run(PATIENCE_MS)
    assert squares.is_waiting
    squares.cancel()
    assert squares.state == "stale" and squares.value == 1 and not squares.is_waiting


def test_what_is_refused_is_one_sentence_and_the_value_stays(squares, qtbot):
    squares.run()
    at(qtbot, squares, "current")
    squares.number = -1
    squares.run()
    at(qtbot, squares, "failed")
    assert squares.error == "-1 is below 0" and squares.value == 1 and not squares.is_current
    squares.number = 1
    squares.follow()
    assert squares.state == "current" and squares.error is None


def test_what_is_asked_for_later_is_of_what_stands_there_when_it_begins(squares, qtbot):
    squares.run(PATIENCE_MS)
    squares.number = 7
    assert squares.state == "running" and squares.is_waiting
    squares.start_in(1)
    at(qtbot, squares, "current")
    assert squares.value == 49 and squares.is_current


def test_a_value_that_was_worked_out_elsewhere_counts_and_nothing_is_left_after_forgetting(squares, qtbot):
    squares.put(100)
    assert squares.is_current and squares.heard == []
    squares.forget()
    assert squares.state == "idle" and squares.value is None and squares.error is None
    squares.follow()
    assert squares.heard == ["idle"]


def test_threads_that_were_ended_begin_again_with_the_next_request(qtbot, squares, jobs):
    squares.number = 2
    squares.run()
    at(qtbot, squares, "current")
    jobs.end_threads()
    assert not any(lane._thread.isRunning() for lane in jobs._lanes.values())
    squares.number = 3
    squares.run()
    at(qtbot, squares, "current")
    assert squares.value == 9
