"""A plug-in for pytest: notes for every line of the program which tests run it, in the coverage data."""

import coverage
import pytest


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item, nextitem):
    measured = coverage.Coverage.current()
    if measured is not None:
        measured.switch_context(item.nodeid)
    yield
    if measured is not None:
        measured.switch_context("")
