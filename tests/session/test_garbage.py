"""Cycles with Qt objects in them are freed in the window's thread, however busy the workers are."""

import gc
import threading
import weakref
from collections.abc import Iterator

import pytest
from disposal import dispose_of
from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QLabel

from designer.catalog.catalog import load
from designer.errors import ParameterError
from designer.model.edit import Change, Edit
from designer.model.entities import Group
from designer.session import garbage
from designer.session.garbage import GarbageCollector
from designer.session.jobs import Jobs, Outcome, Progress
from designer.session.session import Session

CYCLES = 200


class Knot(QObject):
    """A Qt object that only the garbage collector can free."""

    def __init__(self) -> None:
        super().__init__()
        self.itself = self
        self.timer = QTimer(self)
        self.timer.start(60_000)  # Qt complains, and so the test fails, when a running timer ends in another thread
        self.label = QLabel("in a cycle")


@pytest.fixture
def collector(qapp, monkeypatch) -> Iterator[GarbageCollector]:
    monkeypatch.setattr(garbage, "INTERVAL_MS", 5)
    gc.collect()
    collector = GarbageCollector()
    collector.start()
    yield collector
    collector.stop()
    gc.disable()  # as the tests run


@pytest.fixture
def jobs(qapp) -> Iterator[Jobs]:
    jobs = Jobs()
    yield jobs
    jobs.shut_down()


def _make_cycles(progress: Progress) -> int:
    """Work that would set off Python's own collector a hundred times over."""
    made = 0
    for _ in range(100):
        kept = [[number] for number in range(2000)]
        for one in kept:
            one.append(one)
        made += len(kept)
        progress(made / 200_000)
    return made


def test_busy_workers_never_free_the_windows_objects(collector, jobs, qtbot):
    freed_in: list[int] = []
    done: list[Outcome] = []
    for name in ("one", "two", "three"):
        jobs.run(name, _make_cycles, done.append)
    for _ in range(CYCLES):
        weakref.finalize(Knot(), lambda: freed_in.append(threading.get_ident()))
    qtbot.waitUntil(lambda: len(done) == 3, timeout=60_000)
    gc.collect()
    qtbot.waitUntil(lambda: len(freed_in) == CYCLES, timeout=60_000)
    assert set(freed_in) == {threading.get_ident()}
    assert [outcome.value for outcome in done] == [200_000] * 3


def test_the_timer_frees_cycles_without_being_asked(collector, qtbot):
    freed: list[bool] = []
    weakref.finalize(Knot(), lambda: freed.append(True))
    litter = [[number] for number in range(gc.get_threshold()[0] + 1)]
    qtbot.waitUntil(lambda: bool(freed), timeout=60_000)
    assert litter


def test_what_workers_make_in_masses_is_looked_through_once_and_passed_over(passes_over, collector, jobs, qtbot):
    done: list[Outcome] = []
    freed: list[bool] = []
    weakref.finalize(Knot(), lambda: freed.append(True))
    before = gc.get_freeze_count()
    jobs.run("one", lambda _progress: [[number] for number in range(5 * garbage.MANY_NEW)], done.append)
    qtbot.waitUntil(lambda: bool(done) and gc.get_freeze_count() > before + 4 * garbage.MANY_NEW, timeout=60_000)
    assert freed  # before the rest was passed over


def test_what_a_large_edit_makes_is_passed_over_without_a_look(passes_over, collector, jobs, qtbot):
    done: list[Outcome] = []
    looks: list[bool] = []
    made: list[list[int]] = []
    gc.callbacks.append(look := lambda _phase, _info: looks.append(bool(garbage._makers)))

    def work(progress: Progress) -> None:
        with garbage.making_records():
            for _ in range(20):
                made.extend([number] for number in range(garbage.MANY_NEW))
                progress(0.5)

    before = gc.get_freeze_count()
    jobs.run("one", work, done.append)
    qtbot.waitUntil(lambda: bool(done), timeout=60_000)
    gc.callbacks.remove(look)
    assert gc.get_freeze_count() > before + len(made)
    assert not any(looks)


def test_a_look_is_taken_again_after_a_large_edit_that_failed(passes_over, collector, jobs, qtbot):
    done: list[Outcome] = []
    freed: list[bool] = []

    def work(_progress: Progress) -> None:
        with garbage.making_records():
            raise ParameterError("select at least two devices")

    jobs.run("one", work, done.append)
    qtbot.waitUntil(lambda: bool(done), timeout=60_000)
    weakref.finalize(Knot(), lambda: freed.append(True))
    litter = [[number] for number in range(gc.get_threshold()[0] + 1)]
    qtbot.waitUntil(lambda: bool(freed), timeout=60_000)
    assert litter


def test_python_collects_by_itself_again_once_it_stops(collector):
    assert not gc.isenabled()
    collector.stop()
    assert gc.isenabled()


def _group(number: int) -> Group:
    return Group(id=f"group-{number}", name=f"group-{number}")


def test_a_large_design_that_comes_in_is_not_walked_through_for_garbage(passes_over, qapp):
    catalog = load()
    session, before = Session(catalog), gc.get_freeze_count()
    session.push(Edit("few", (Change(None, _group(1)),)))
    assert gc.get_freeze_count() == before
    groups = tuple(Change(None, _group(number)) for number in range(2, 20_002))
    session.push(Edit("many", groups))
    assert gc.get_freeze_count() > before + len(groups)
    dispose_of(session)
