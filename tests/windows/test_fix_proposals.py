"""What a fix changes besides its finding is said before it is applied, and fixes that belong together are one edit."""

import pytest

from designer.model import operations
from tests.validation.crossed_rails import crossed

ALONE = "Move the link at gpu-01 port rail1 to leaf-su1-r1"
JOINED = f"{ALONE} and add 1 uplink to leaf-su1-r1"


@pytest.fixture
def window(window, catalog, qtbot):
    """The design with a crossed rail, checked, with its findings in sight."""
    session = window.session
    session.replace(crossed(catalog), None)
    window.docks.show("findings")
    validation = session.workbench.validation
    validation.check_all()
    qtbot.waitUntil(lambda: validation.is_current and validation.report is not None, timeout=10_000)
    return window


def choose(window, qtbot, code):
    """Make the first finding of a rule current, and wait until what fixes it is known."""
    panel = window.docks.findings
    panel.show_finding(next(one.finding for one in panel.model.rows if one.code == code and one.finding is not None))
    qtbot.waitUntil(lambda: bool(window.session.workbench.validation.fixes.known), timeout=10_000)
    return panel


def codes(window):
    return {one.code for one in window.session.workbench.validation.report.open if one.severity.value != "info"}


def settled(window, qtbot):
    qtbot.waitUntil(lambda: window.session.workbench.validation.is_current, timeout=10_000)


@pytest.mark.parametrize("code", ["OVER-001", "RAIL-001"])
def test_one_fix_clears_both_findings_about_a_leaf_as_one_edit(window, qtbot, code):
    panel, count = choose(window, qtbot, code), window.session.undo_stack.count()
    clears = "Clears 1 error and 2 warnings (OVER-001, RAIL-001, SPREAD-001)."
    assert panel.detail.fix_label.text().startswith(f"Fix: {JOINED}. {clears} Connects ")
    with qtbot.waitSignal(window.session.changed):
        window.actions_table.trigger("check.fix")
    settled(window, qtbot)
    assert window.session.undo_stack.count() == count + 1
    assert codes(window) == set()
    assert "Clears 1 error and 2 warnings" in window.notice.text.text()


def test_the_fix_that_adds_an_error_is_named_second_with_the_error(window, qtbot):
    panel = choose(window, qtbot, "RAIL-001")
    said = panel.detail.other_label.text()
    assert said.startswith("Or: Move the link at gpu-01 port rail1 to leaf-su1-r1. Clears 1 error and 1 warning")
    assert "Adds 1 error: leaf-su1-r1: 3.2 Tb/s down, 2.8 Tb/s up: 1.14:1, limit 1:1" in said
    assert panel.detail.other.isVisible()


def test_a_fix_that_adds_an_error_is_applied_once_somebody_insists(window, qtbot):
    panel, count = choose(window, qtbot, "RAIL-001"), window.session.undo_stack.count()
    panel.detail.other.click()
    assert window.session.undo_stack.count() == count
    assert "Adds 1 error" in window.notice.text.text()
    window.notice._do.click()
    settled(window, qtbot)
    assert window.session.undo_stack.count() == count + 1
    assert codes(window) == {"OVER-001", "SPREAD-001"}


def test_a_click_on_the_fix_in_the_table_applies_what_stands_there_and_asks_about_its_error(window, qtbot):
    panel, count = choose(window, qtbot, "RAIL-001"), window.session.undo_stack.count()
    panel.table.setCurrentIndex(panel.table.currentIndex().siblingAtColumn(4))
    panel._take(panel.current_row())
    assert window.session.undo_stack.count() == count
    assert window.notice.text.text().startswith("Move the link at gpu-01 port rail1 to leaf-su1-r1. Adds 1 error")


def test_a_fix_that_is_wanted_before_its_effect_is_known_waits_for_it(window, qtbot):
    panel = window.docks.findings
    panel.show_finding(next(one.finding for one in panel.model.rows if one.code == "RAIL-001" and one.finding))
    fixes = window.session.workbench.validation.fixes
    assert not fixes.known
    panel.apply_fix()
    assert fixes.is_trying and "Checking what it changes" in panel.detail.fix_label.text()
    settled(window, qtbot)
    qtbot.waitUntil(lambda: not fixes.is_trying, timeout=10_000)
    settled(window, qtbot)
    assert codes(window) == set()


@pytest.mark.parametrize(("button", "title"), [("preview", JOINED), ("preview_other", ALONE)])
def test_each_fix_is_previewed_with_what_it_clears_and_adds(window, qtbot, button, title):
    panel = choose(window, qtbot, "RAIL-001")
    getattr(panel.detail, button).click()
    qtbot.waitUntil(lambda: window.construction.isVisible(), timeout=10_000)
    assert window.construction.title.text() == f"RAIL-001: {title}"
    assert ("Adds 1 error" in window.construction.text.text()) == (button == "preview_other")
    assert "Clears 1 error" in window.construction.text.text()
    window.construction.close_bar()


def test_a_fix_is_applied_from_a_panel_that_is_hidden(window, qtbot):
    panel = window.docks.findings
    panel.show_finding(next(one.finding for one in panel.model.rows if one.code == "RAIL-001" and one.finding))
    window.docks._docks["findings"].hide()
    with qtbot.waitSignal(window.session.changed):
        panel.apply_fix()
    settled(window, qtbot)
    assert codes(window) == set()


def test_fixes_are_tried_once_the_check_that_found_them_is_whole(window, qtbot):
    """While rules about the whole fabric are behind, what a fix would change is not known."""
    panel, validation = choose(window, qtbot, "RAIL-001"), window.session.workbench.validation
    switch = window.session.design.switches()[-1]
    window.session.push(operations.rename(window.session.design, switch.id, "another"))
    settled(window, qtbot)
    qtbot.waitUntil(lambda: bool(validation.fixes.known), timeout=10_000)
    assert panel.detail.fix_label.text().startswith(f"Fix: {JOINED}. Clears ")
