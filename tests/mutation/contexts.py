"""A plug-in for pytest: notes for every line of the program which tests run it, in the coverage data, and in the file
named by TIMES how long each test took."""

import json
import os
import time
from pathlib import Path

import coverage
import pytest

_took_s: dict[str, float] = {}


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


def pytest_sessionfinish(session):
    if "TIMES" in os.environ:
        Path(os.environ["TIMES"]).write_text(json.dumps(_took_s), encoding="utf-8")
