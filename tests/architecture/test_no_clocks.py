"""Tests ask what the program does, and benchmarks how long it takes: a busy machine fails no test."""

import ast
from pathlib import Path

TESTS = Path(__file__).parents[1]
CLOCKS = {
    "monotonic",
    "monotonic_ns",
    "perf_counter",
    "perf_counter_ns",
    "process_time",
    "process_time_ns",
    "thread_time",
    "thread_time_ns",
    "QElapsedTimer",
    "timeit",
}


def clocks_read_in(source):
    """Lines on which a clock is named that measures how long something takes."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Attribute(attr=name) | ast.Name(id=name):
                names = {name}
            case ast.ImportFrom():
                names = {alias.name for alias in node.names}
            case _:
                continue
        if names & CLOCKS:
            yield node.lineno


def test_no_test_outside_the_benchmarks_measures_how_long_something_takes():
    files = [path for path in TESTS.rglob("test_*.py") if TESTS / "benchmarks" not in path.parents]
    assert len(files) > 100
    found = [f"{path.relative_to(TESTS)}:{line}" for path in files for line in clocks_read_in(path.read_text("utf-8"))]
    assert found == []


def test_a_clock_that_is_read_is_found():
    assert list(clocks_read_in("import time\nstart = time.process_time()\n")) == [2]
    assert list(clocks_read_in("from time import perf_counter as now\n")) == [1]
    assert list(clocks_read_in("import time\nold = time.time() - 60\n")) == []
