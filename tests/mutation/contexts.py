"""A plug-in for pytest: notes for every line of the program which tests run it, in the coverage data, and in the file
named by TIMES how long each test took that passed.
"""

import json
import os
import time
from pathlib import Path

import coverage
import pytest

_took_s: dict[str, float] = {}
_failed: set[str] = set()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item, nextitem):
    measured = coverage.Coverage.current()
    if measured is not None:
        measured.switch_context(item.nodeid)
    started = time.monotonic()
    yield
    _took_s[item.nodeid] = time.monotonic() - started
    if measured is not None:
        measured.switch_context("")


def pytest_runtest_logreport(report):
    if report.failed:
        _failed.add(report.nodeid)


def pytest_sessionfinish(session):
    if "TIMES" in os.environ:
        passed = {test: took_s for test, took_s in _took_s.items() if test not in _failed}
        Path(os.environ["TIMES"]).write_text(json.dumps(passed), encoding="utf-8")
