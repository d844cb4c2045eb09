"""Kernels are loaded before anybody waits; compiling them holds nobody up, and ends with the window."""

import sys

import pytest

from designer import warm_up as engine
from designer.graph import compiled_files
from designer.paths import compiled_dir
from designer.session.jobs import Jobs
from designer.session.warm_up import COMPILE, LANE, WarmUp

PATIENCE_MS = 30_000
COMPILES = "from designer.graph import compiled_files as f; f.private_folder(f.compiled_dir()); f.mark_complete()"


@pytest.fixture
def loads(monkeypatch, tmp_path) -> list[int]:
    """One entry for each time the kernels are loaded; none is compiled yet."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    counted: list[int] = []
    monkeypatch.setattr(engine, "warm_up", lambda progress: counted.append(1))
    return counted


@pytest.fixture
def jobs(qtbot):
    jobs = Jobs()
    yield jobs
    jobs.shut_down()


def test_kernels_that_are_there_are_loaded_and_no_process_is_started(loads, jobs, qtbot):
    compiled_files.private_folder(compiled_dir())
    compiled_files.mark_complete()
    warm_up = WarmUp(jobs, ("no-such-program",))
    warm_up.start()
    qtbot.waitUntil(lambda: not jobs.busy(LANE), timeout=PATIENCE_MS)
    assert loads == [1]
    assert not warm_up.is_compiling


def test_where_there_are_none_a_process_compiles_them_and_then_they_are_loaded(loads, jobs, qtbot):
    warm_up = WarmUp(jobs, (sys.executable, "-c", COMPILES))
    warm_up.start()
    qtbot.waitUntil(lambda: bool(loads), timeout=PATIENCE_MS)
    assert compiled_files.is_complete()


def test_what_cannot_be_kept_is_compiled_once(loads, jobs, qtbot, tmp_path):
    mark = tmp_path / "runs"
    warm_up = WarmUp(jobs, (sys.executable, "-c", f"open({str(mark)!r}, 'a').write('x')"))
    ended = []
    warm_up.ended.connect(lambda: ended.append(1))
    warm_up.start()
    qtbot.waitUntil(lambda: bool(ended) and not jobs.busy(LANE), timeout=PATIENCE_MS)
    assert not warm_up.is_compiling
    assert mark.read_text() == "x"
    assert loads == []


def test_a_window_that_closes_does_not_wait_for_the_compiler(loads, jobs, qtbot):
    warm_up = WarmUp(jobs, (sys.executable, "-c", "import time; time.sleep(100)"))
    warm_up.start()
    qtbot.waitUntil(lambda: warm_up.is_compiling, timeout=PATIENCE_MS)
    warm_up.stop()
    assert not warm_up.is_compiling
    assert not jobs.busy(LANE)
    assert loads == []


def test_a_program_that_cannot_be_started_holds_nothing_up(loads, jobs, qtbot):
    warm_up = WarmUp(jobs, ("no-such-program",))
    with qtbot.waitSignal(warm_up.ended, timeout=PATIENCE_MS):
        warm_up.start()
    assert not warm_up.is_compiling


def test_the_process_is_the_program_itself_at_low_priority():
    assert COMPILE[0] == sys.executable
    assert COMPILE[1:] == ("-P", "-m", "designer", "compile", "--low-priority")
