"""Findings about what has just been drawn wait until its first link, or until a check of everything."""

import pytest
from PySide6.QtCore import Qt

from designer.canvas.view import CanvasView
from designer.model import operations
from designer.panels.findings.panel import FindingsPanel
from designer.session.session import Session
from designer.validation.engine import validate


@pytest.fixture
def drawn(qtbot, session, catalog):
    """Three servers and a switch, just drawn."""
    design = session.design
    for type_id, count, y in (("dgx-h100", 3, 100.0), ("nvidia-qm9700", 1, 0.0)):
        spots = [(120.0 * number, y) for number in range(count)]
        session.push(operations.add_devices(design, catalog.get(type_id), spots, catalog_types=catalog.types))
    return [*design.devices]


def checked(qtbot, session: Session):
    qtbot.waitUntil(lambda: session.workbench.validation.is_current, timeout=10_000)
    return session.workbench.validation.report


def about(report):
    return {one for finding in report.findings for one in finding.subjects}


def test_nothing_is_said_of_what_was_just_drawn_but_how_much_waits(qtbot, session, drawn):
    report = checked(qtbot, session)
    assert not about(report) & set(drawn)
    assert session.workbench.validation.waiting == set(drawn), "the switch too, though nothing is said of it"
    assert about(validate(session.design)) >= set(drawn[:3])  # whoever else checks sees all


def test_the_first_link_ends_the_wait_of_its_ends_and_undo_brings_it_back(qtbot, session, drawn):
    checked(qtbot, session)
    session.push(operations.connect_devices(session.design, drawn[0], drawn[3]))
    for act, waiting in ((None, drawn[1:3]), ("undo", drawn), ("redo", drawn[1:3])):
        if act is not None:
            getattr(session.undo_stack, act)()
        checked(qtbot, session)
        assert session.workbench.validation.waiting == set(waiting)


def test_a_device_whose_last_link_was_deleted_is_reported(qtbot, session, drawn):
    session.push(operations.connect_devices(session.design, drawn[0], drawn[3]))
    session.push(operations.delete(session.design, [*session.design.links]))
    report = checked(qtbot, session)
    assert drawn[0] in about(report)


def test_a_check_of_everything_reports_what_waits_and_what_is_drawn_later_waits_again(qtbot, session, drawn, catalog):
    checked(qtbot, session)
    session.workbench.validation.check_all()
    assert about(checked(qtbot, session)) >= set(drawn[:3])
    assert not session.workbench.validation.waiting
    type_ = catalog.get("dgx-h100")
    session.push(operations.add_devices(session.design, type_, [(0.0, 300.0)], catalog_types=catalog.types))
    new = [*session.design.devices][-1]
    report = checked(qtbot, session)
    assert new not in about(report) and drawn[0] in about(report)
    assert session.workbench.validation.waiting == {new}


def test_an_opened_design_is_checked_whole(qtbot, session, drawn, tmp_path):
    session.save(tmp_path / "half.fabric")
    session.open(tmp_path / "half.fabric")
    assert about(checked(qtbot, session)) >= set(drawn[:3])
    assert not session.workbench.validation.waiting


def test_what_is_about_a_link_or_a_device_that_is_connected_too_is_said(qtbot, session, drawn):
    session.push(operations.connect_devices(session.design, drawn[0], drawn[3]))
    session.push(operations.rename(session.design, drawn[1], session.design.device(drawn[0]).name))
    report = checked(qtbot, session)
    assert any(set(drawn[:2]) <= set(finding.subjects) for finding in report.findings)


def test_such_a_finding_marks_the_device_that_is_connected_and_not_the_one_under_construction(qtbot, session, drawn):
    view = CanvasView(session)
    qtbot.addWidget(view)
    session.push(operations.connect_devices(session.design, drawn[0], drawn[3]))
    session.push(operations.rename(session.design, drawn[1], session.design.device(drawn[0]).name))
    checked(qtbot, session)
    qtbot.waitUntil(lambda: drawn[0] in view.fabric._worst)
    assert drawn[1] not in view.fabric._worst
    session.workbench.validation.check_all()
    checked(qtbot, session)
    qtbot.waitUntil(lambda: drawn[1] in view.fabric._worst)


def test_the_panel_says_how_many_wait_and_a_click_shows_their_findings(qtbot, session, drawn, appearance):
    panel = FindingsPanel(session, appearance)
    qtbot.addWidget(panel)
    panel.show()
    checked(qtbot, session)
    assert (
        panel.waiting.text() == "Findings about 4 devices under construction wait until their first link: check all now"
    )
    assert panel._empty.texts[0] == "No findings about what is connected." or panel.model.rows
    qtbot.mouseClick(panel.waiting, Qt.MouseButton.LeftButton)
    checked(qtbot, session)
    assert not panel.waiting.isVisible()
    assert {row.code for row in panel.model.rows} >= {"REACH-001"}


def test_switches_that_are_not_linked_yet_are_not_called_in_order(qtbot, session, catalog, appearance):
    panel = FindingsPanel(session, appearance)
    qtbot.addWidget(panel)
    panel.show()
    switch = catalog.get("nvidia-qm9700")
    session.push(operations.add_devices(session.design, switch, [(0.0, 0.0)], catalog_types=catalog.types))
    checked(qtbot, session)
    assert panel.waiting.isVisible() and panel._empty.texts[0] != "No findings."
