"""The findings table shows what validation says, goes there, and applies fixes."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QApplication, QStyleOptionViewItem

from designer.model import operations
from designer.model.edit import Edit, added
from designer.model.entities import End, Link, Placement, Rack
from designer.model.hardware.racks import RackType
from designer.panels.findings.findings_model import JUST_NOW, NEWS_COLUMN, fitted_message
from designer.panels.findings.panel import FindingsPanel
from designer.topologies import fat_tree
from designer.validation.engine import RULES


@pytest.fixture
def findings(qtbot, session, appearance):
    panel = FindingsPanel(session, appearance)
    qtbot.addWidget(panel)
    panel.resize(1100, 240)
    panel.show()
    return panel


@pytest.fixture
def faulty(session, catalog, qtbot):
    """Two switches of one name, and two links on one port: checked."""
    for x in (0, 200):
        session.push(
            operations.add_device(
                session.design, catalog.get("nvidia-qm9700"), x, 0, catalog_types=catalog.types, name="leaf"
            )
        )
    a, b = (device.id for device in session.design.switches())
    session.push(operations.connect_devices(session.design, a, b))
    first = next(iter(session.design.links.values()))
    session.push(Edit("Use a port twice", added([Link("l900", End(first.a.device_id, first.a.port), End(b, "32/2"))])))
    qtbot.waitUntil(lambda: session.workbench.validation.is_current, timeout=60_000)
    return session.workbench.validation.report


def test_findings_are_listed_worst_first_and_what_was_not_checked_last(findings, faulty):
    severities = [row.severity for row in findings.model.rows]
    assert severities == sorted(severities, key=["error", "warning", "info", "not checked"].index)
    assert severities.count("error") == faulty.errors > 0
    assert severities.count("not checked") == len(faulty.not_checked)


def test_no_number_is_shown_before_the_first_check_is_done(findings, session, catalog, qtbot):
    assert findings.toggles["error"].text() == "0 errors", "of an empty design"
    made = operations.add_device(session.design, catalog.get("nvidia-qm9700"), 0, 0, catalog_types=catalog.types)
    session.push(made)
    findings.refresh()
    if session.workbench.validation.report is None:
        assert findings.toggles["error"].text() == "… errors"
    qtbot.waitUntil(lambda: session.workbench.validation.is_current, timeout=60_000)
    assert findings.toggles["error"].text() == "0 errors"


def test_the_number_of_errors_and_warnings_is_told_for_the_title(findings, session, faulty, qtbot):
    with qtbot.waitSignal(findings.counted) as caught:
        findings.refresh()
    assert caught.args == [faulty.errors, faulty.warnings]


def test_clicking_a_finding_asks_to_go_to_its_subjects(findings, faulty, qtbot):
    finding = findings.model.rows[0].finding
    rect = findings.table.visualRect(findings.filter.index(0, 2))
    with qtbot.waitSignal(findings.going) as caught:
        qtbot.mouseClick(findings.table.viewport(), Qt.MouseButton.LeftButton, pos=rect.center())
    assert caught.args == [frozenset(finding.subjects)]


def test_a_fix_is_applied_and_undone(findings, session, faulty, qtbot):
    row = next(
        n for n, row in enumerate(findings.model.rows) if row.finding is not None and row.finding.fix is not None
    )
    code = findings.model.rows[row].code
    count = sum(r.code == code and r.finding is not None for r in findings.model.rows)
    findings.table.setCurrentIndex(findings.filter.index(row, 0))
    assert findings.fix.isVisible()
    before = list(session.design.entities())
    qtbot.mouseClick(findings.fix, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: list(session.design.entities()) != before)
    qtbot.waitUntil(lambda: session.workbench.validation.is_current, timeout=60_000)
    assert sum(r.code == code and r.finding is not None for r in findings.model.rows) < count
    session.undo_stack.undo()
    assert list(session.design.entities()) == before


def test_the_first_click_on_a_fix_in_the_table_applies_it_and_no_row_moves(findings, session, faulty, qtbot):
    row = next(n for n, one in enumerate(findings.model.rows) if one.finding is not None and one.finding.fix)
    findings.table.setCurrentIndex(findings.filter.index(-1, -1))
    findings._explain()
    QApplication.processEvents()
    assert not findings.fix.isVisible()
    height, index = findings.table.height(), findings.filter.index(row, 4)
    at = findings.table.visualRect(index).center()
    before = session.undo_stack.count()
    qtbot.mousePress(findings.table.viewport(), Qt.MouseButton.LeftButton, pos=at)
    QApplication.processEvents()
    assert findings.fix.isVisible()
    assert findings.table.height() == height
    qtbot.mouseRelease(findings.table.viewport(), Qt.MouseButton.LeftButton, pos=at)
    qtbot.waitUntil(lambda: session.undo_stack.count() == before + 1)


def test_while_the_design_is_checked_again_no_fix_can_be_applied(findings, session, faulty, catalog):
    row = next(
        n for n, row in enumerate(findings.model.rows) if row.finding is not None and row.finding.fix is not None
    )
    findings.table.setCurrentIndex(findings.filter.index(row, 0))
    session.push(operations.rename(session.design, session.design.switches()[0].id, "other"))
    assert not findings.fix.isEnabled()
    before = session.undo_stack.count()
    findings.apply_fix()
    assert session.undo_stack.count() == before


def test_the_filter_and_the_severity_switches_hide_rows(findings, faulty, qtbot):
    total = findings.filter.rowCount()
    errors = sum(row.severity == "error" for row in findings.model.rows)
    findings.toggles["error"].click()
    assert findings.filter.rowCount() == total - errors
    findings.toggles["error"].click()
    qtbot.keyClicks(findings.search, "no finding says this")
    assert findings.filter.rowCount() == 0
    assert not findings.table.isVisible()
    findings.search.clear()
    assert findings.filter.rowCount() == total


def test_stepping_goes_round(findings, faulty, qtbot):
    rows = findings.filter.rowCount()
    for _ in range(rows + 1):
        findings.step(1)
    assert findings.table.currentIndex().row() == 0
    findings.step(-1)
    assert findings.table.currentIndex().row() == rows - 1


def test_an_empty_design_is_told_there_is_nothing_to_check(findings):
    assert not findings.table.isVisible()
    assert "Nothing to check yet." in findings._empty._what.text()


def test_before_the_first_check_nothing_is_said_to_be_satisfied(findings, session, catalog, qtbot):
    validation = session.workbench.validation
    session.push(operations.add_device(session.design, catalog.get("nvidia-qm9700"), 0, 0, catalog_types=catalog.types))
    validation.value = None
    findings.refresh()
    assert findings._empty.texts[0] == "No findings yet."
    validation.check_all()
    qtbot.waitUntil(lambda: validation.is_current, timeout=60_000)
    findings.refresh()
    assert findings._empty.texts[0] != "No findings yet."


def test_in_a_narrow_panel_the_finding_has_more_room_than_where_it_is_and_its_fix(session, appearance, catalog, qtbot):
    parameters = fat_tree.FatTreeParameters(servers=16, oversubscription=2.0, racks="none")
    session.push(fat_tree.build(session.design, parameters, catalog))
    panel = FindingsPanel(session, appearance)
    qtbot.addWidget(panel)
    panel.resize(1500, 240)
    panel.show()
    qtbot.waitUntil(lambda: session.workbench.validation.is_current and bool(panel.model.rows))
    widths = [panel.table.columnWidth(column) for column in range(5)]
    assert widths[2] > widths[3] > 0
    panel.resize(1000, 240)
    qtbot.waitUntil(lambda: panel.table.columnWidth(3) == panel.table.columnWidth(4) == 0)
    assert panel.table.width() > 1.5 * panel.detail.width()
    panel.resize(640, 240)
    qtbot.waitUntil(lambda: panel.table.columnWidth(3) == panel.table.columnWidth(4) == 0)
    panel.table.setCurrentIndex(panel.filter.index(0, 0))
    row = panel.current_row()
    assert panel.detail.message.text() == row.message
    assert row.subjects.split(" and ")[0] in panel.detail.where.text()


@pytest.mark.parametrize(("width", "beside"), [(640, 230), (780, 230), (860, 300), (1200, 340)])
def test_the_list_has_its_room_before_the_finding_that_is_read_in_full(findings, width, beside):
    findings.resize(width, 240)
    assert abs(findings.detail.width() - beside) < 12


def test_a_finding_without_a_fix_says_what_to_do_by_hand(findings, faulty, session, qtbot):
    """Two racks in one place: which of them moves is for somebody to say."""
    racks = [Rack(f"r{number}", f"A0{number}", "own", x_m=0.0, y_m=0.0) for number in (1, 2)]
    places = [Placement(rack.id, 0, 0) for rack in racks]
    session.push(Edit("Add racks", added([RackType("own", "Acme", "Own", 42), *racks, *places])))
    qtbot.waitUntil(lambda: any(row.finding is not None and not row.fix for row in findings.model.rows))
    rows = findings.model.rows
    by_hand = next(n for n, row in enumerate(rows) if row.finding is not None and not row.fix)
    findings.table.setCurrentIndex(findings.filter.index(by_hand, 0))
    severity = rows[by_hand].severity.capitalize()
    assert findings.detail.title.text().startswith(severity)
    remedy = next(rule.advice for rule in RULES if rule.code == rows[by_hand].code)
    assert findings.detail.fix_label.text() == f"By hand: {remedy}"
    fixed = next(n for n, row in enumerate(rows) if row.fix)
    findings.table.setCurrentIndex(findings.filter.index(fixed, 0))
    assert findings.detail.fix_label.text() == f"Fix: {rows[fixed].fix}"


def test_fixes_that_come_later_than_the_first_findings_are_read_in_full(session, catalog, findings, qtbot):
    findings.resize(1100, 130)  # low enough for a scroll bar from the beginning, so that the width stays
    parameters = fat_tree.FatTreeParameters(servers=16, racks="none")
    session.push(fat_tree.build(session.design, parameters, catalog))
    qtbot.waitUntil(lambda: session.workbench.validation.is_current and bool(findings.model.rows), timeout=60_000)
    before = findings.table.columnWidth(4)
    spine = next(device.id for device in session.design.switches() if device.role == "spine")
    session.push(operations.delete(session.design, [session.design.links_of(spine)[0].id]))
    qtbot.waitUntil(
        lambda: session.workbench.validation.is_current and session.workbench.validation.report.errors > 0,
        timeout=60_000,
    )
    fix = findings.filter.index(0, 4).data()
    assert fix
    assert before < findings.table.columnWidth(4)
    assert findings.table.columnWidth(4) > findings.table.fontMetrics().horizontalAdvance(fix)


def test_columns_are_widened_for_other_findings_and_not_after_every_edit(session, findings, faulty, qtbot):
    a, b = (device.id for device in session.design.switches())
    validation = session.workbench.validation
    findings.table.setColumnWidth(4, 30)
    session.push(operations.move(session.design, {a: (-900.0, 40.0)}))
    qtbot.waitUntil(lambda: validation.is_current, timeout=60_000)
    assert findings.table.columnWidth(4) == 30, "Qt would have asked every cell how wide it is"
    session.push(operations.rename(session.design, b, "leaf-1"))
    qtbot.waitUntil(lambda: validation.is_current, timeout=60_000)
    assert findings.table.columnWidth(4) > 30


@pytest.mark.parametrize("room", [60, 50, 44, 40])
def test_a_finding_that_is_too_long_keeps_its_figures(room):
    message = "leaf-switch-07: 12.8 Tb/s down, 6.4 Tb/s up: 2:1"
    shown = fitted_message(message, len, room)
    assert shown.endswith(": 12.8 Tb/s down, 6.4 Tb/s up: 2:1")
    assert len(shown) <= room
    assert (shown == message) == (room >= len(message))
    assert shown.partition(": ")[0].endswith("07")


def test_a_finding_whose_figures_do_not_fit_is_written_from_its_beginning():
    message = "leaf-switch-07: 12.8 Tb/s down, 6.4 Tb/s up: 2:1"
    assert fitted_message(message, len, 20) == message


def test_of_a_finding_without_a_subject_nothing_is_elided_before_the_middle():
    assert fitted_message("no rail is complete", len, 5) == "no rail is complete"


def test_the_table_of_findings_writes_a_long_one_with_its_figures(findings, faulty):
    column = findings.table.column("message")
    message = "leaf-switch-07: 12.8 Tb/s down, 6.4 Tb/s up: 2:1"
    findings.table.show_rows([replace(findings.table.rows[0], message=message)])
    delegate, index = findings.table.itemDelegateForColumn(column), findings.table.index_of(0, column)
    shown = []
    for width in (2000, findings.table.fontMetrics().horizontalAdvance(message) - 10):
        option = QStyleOptionViewItem()
        option.rect = QRect(0, 0, width, 24)
        delegate.initStyleOption(option, index)
        shown.append(option.text)
    whole, fitted = shown
    assert whole == message != fitted
    assert fitted.endswith("07: 12.8 Tb/s down, 6.4 Tb/s up: 2:1")


def test_findings_of_the_last_edit_are_marked_and_those_it_fixed_are_struck_out(findings, session, faulty, qtbot):
    session.workbench.validation.check_all()
    qtbot.waitUntil(lambda: session.workbench.validation.is_current, timeout=60_000)
    assert findings.table.isColumnHidden(NEWS_COLUMN) and findings.toggles["fixed"].isHidden()
    row = next(n for n, row in enumerate(findings.model.rows) if row.code == "NAME-001")
    findings.table.setCurrentIndex(findings.filter.index(row, 0))
    with qtbot.waitSignal(session.changed):
        findings.apply_fix()
    qtbot.waitUntil(lambda: session.workbench.validation.is_current, timeout=60_000)
    fixed = [one for one in findings.model.rows if one.severity == "fixed"]
    assert "NAME-001" in {one.code for one in fixed} and not findings.table.isColumnHidden(NEWS_COLUMN)
    assert findings.toggles["fixed"].text().endswith("just fixed") and not findings.toggles["fixed"].isHidden()
    session.undo_stack.undo()
    qtbot.waitUntil(lambda: session.workbench.validation.is_current, timeout=60_000)
    back = [one for one in findings.model.rows if one.code == "NAME-001"]
    assert [one.news for one in back] == [JUST_NOW] and back[0].severity == "error"


def test_the_panel_says_that_the_whole_fabric_is_still_checked(findings, session, faulty, qtbot):
    link = next(iter(session.design.links))
    session.push(operations.delete(session.design, [link]))
    assert "whole fabric" in findings.state.whole_text
    qtbot.waitUntil(lambda: session.workbench.validation.is_current, timeout=60_000)
    assert not findings.state.whole_text


def test_a_subject_without_its_first_word_says_in_a_sentence_that_some_is_missing():
    message = "Trial group 4: trial-4-1 is linked to 2 of 3 switches of the group"
    shown = {fitted_message(message, len, room).partition(":")[0] for room in range(20, 80)}
    assert "Trial group 4" in shown and "…4" in shown and "4" not in shown
