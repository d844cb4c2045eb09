"""What fixes the finding that is read is tried in a worker: not of every finding, and for the design as it stands."""

from dataclasses import replace

import pytest
from disposal import dispose_of
from PySide6.QtCore import QTimer

from designer.errors import ParameterError
from designer.session import validation as validation_module
from designer.session.session import Session
from designer.validation.findings import Severity
from designer.validation.proposals import proposals
from tests.validation.crossed_rails import crossed

PATIENCE_MS = 20_000


@pytest.fixture
def session(qtbot, catalog):
    opened = Session(catalog)
    opened.replace(crossed(catalog), None)
    validation = opened.workbench.validation
    validation.check_all()
    qtbot.waitUntil(lambda: validation.is_current and validation.report is not None, timeout=PATIENCE_MS)
    yield opened
    dispose_of(opened)


@pytest.fixture
def fixes(session):
    return session.workbench.validation.fixes


def finding(session, code="RAIL-001"):
    return next(one for one in session.workbench.validation.report.open if one.code == code)


def is_about_to_try(fixes):
    return any(timer.isActive() for timer in fixes.findChildren(QTimer))


def test_fixes_of_the_finding_that_is_read_are_known_soon_and_no_more_after_an_edit(session, fixes, qtbot):
    with qtbot.waitSignal(fixes.changed, timeout=PATIENCE_MS):
        fixes.read(finding(session))
    assert [one.label for one in fixes.known] == [one.label for one in proposals(session.design, finding(session))]
    session.push(fixes.known[0].edit)
    assert fixes.known == ()


def test_a_waived_finding_and_those_of_large_designs_are_not_tried_when_they_are_read(session, fixes, monkeypatch):
    found = finding(session)
    fixes.read(replace(found, waiver="accepted"))
    assert not is_about_to_try(fixes)
    monkeypatch.setattr(validation_module, "TRIED_LINKS_MOST", len(session.design.links) - 1)
    fixes.read(found)
    assert not is_about_to_try(fixes)
    monkeypatch.setattr(validation_module, "TRIED_LINKS_MOST", len(session.design.links))
    fixes.read(found)
    assert is_about_to_try(fixes)


def test_in_a_large_design_a_fix_is_tried_once_it_is_to_be_applied(session, fixes, qtbot, monkeypatch):
    monkeypatch.setattr(validation_module, "TRIED_LINKS_MOST", 0)
    with qtbot.waitSignal(session.changed, timeout=PATIENCE_MS):
        fixes.apply(finding(session), lambda found: found[0])
    qtbot.waitUntil(lambda: session.workbench.validation.is_current, timeout=PATIENCE_MS)
    report = session.workbench.validation.report
    assert all(one.severity is Severity.INFO for one in report.open)


def test_why_nothing_could_be_tried_is_reported(session, fixes, qtbot, monkeypatch):
    def fails(*_asked):
        raise ParameterError("the design cannot be checked")

    monkeypatch.setattr("designer.validation.proposals.proposals", fails)
    with qtbot.waitSignal(session.message, timeout=PATIENCE_MS) as said:
        fixes.read(finding(session))
    assert "cannot be checked" in said.args[0] and fixes.known == ()
