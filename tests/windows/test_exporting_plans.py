"""A plan with gaps is checked in a worker and asked about; prepared first, the export goes on."""

import threading

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QMessageBox

from designer.model import operations
from designer.model.entities import FABRIC
from designer.regeneration import recipes
from designer.storage import document
from designer.topologies.rail_optimized import RailOptimizedParameters
from designer.windows.dialogs.questions import Questions
from designer.windows.files.exporting import CHECKING, WRITING

SMALL = RailOptimizedParameters(servers=15, servers_per_su=8)


@pytest.fixture
def fabric(window):
    """A fabric with racks that have no place yet, so that no cable of it has a length."""
    session = window.session
    session.push(recipes.generated(session.design, recipes.family_named("rail-optimized"), SMALL, session.catalog))
    return next(group.id for group in session.design.groups.values() if group.kind == FABRIC)


@pytest.fixture
def export(window, qtbot):
    """Export a cable plan and wait until nothing of it is under way."""

    def run(then=lambda: None):
        jobs = window.session.jobs
        window.actions_table.trigger("export.cable_plan")
        then()
        qtbot.waitUntil(lambda: not any(map(jobs.busy, (CHECKING, "prepare", WRITING))), timeout=60_000)

    return run


def headline(design):
    return f"{len(design.links)} of {len(design.links)} links lack what ordering needs"


def test_gaps_are_found_in_a_worker_and_nothing_is_written_on_cancel(window, fabric, answers, export):
    answers.on_gaps.append("cancel")
    asked_at_once = []
    export(lambda: asked_at_once.extend(answers.asked))
    assert asked_at_once == [], "the window does not wait for the gaps"
    assert answers.asked == [headline(window.session.design)]
    assert "have no place on the floor" in answers.reasons[0]


def test_prepared_first_the_export_goes_on_with_the_prepared_design(window, fabric, answers, export, tmp_path):
    design, path = window.session.design, tmp_path / "plan.csv"
    before, stated = document.encode(design), headline(design)
    answers.on_gaps.append("prepare")
    answers.on_save.append(path)
    export()
    assert all(link.length_m and link.medium_id for link in design.links.values())
    assert answers.asked[0] == stated and len(answers.asked) == 2, "a plan without gaps is written without a question"
    assert path.read_text(encoding="utf-8").count("\n") > len(design.links)
    assert "no length" not in path.read_text(encoding="utf-8")
    window.session.undo_stack.undo()
    assert document.encode(design) == before


def test_what_preparing_cannot_fill_is_asked_about_once_more(window, fabric, answers, export, tmp_path):
    design, path = window.session.design, tmp_path / "plan.csv"
    window.session.push(operations.mount(design, design.find("gpu-01").id, None))
    answers.on_gaps += ["prepare", "export"]
    answers.on_save.append(path)
    export()
    assert answers.asked[1].endswith(" links lack what ordering needs, prepared")
    assert answers.reasons[0] == "8 links: no length: gpu-01 stands in no rack"
    assert "no length: gpu-01 stands in no rack" in path.read_text(encoding="utf-8")


def test_an_export_anyway_says_the_gaps_in_the_file(window, fabric, answers, export, tmp_path):
    answers.on_gaps.append("export")
    answers.on_save.append(tmp_path / "plan.csv")
    export()
    assert "no length: " in (tmp_path / "plan.csv").read_text(encoding="utf-8")


def test_gaps_of_a_design_that_was_edited_meanwhile_are_found_again(window, fabric, answers, export):
    design = window.session.design
    answers.on_gaps.append("cancel")
    export(lambda: window.session.push(operations.delete(design, [next(iter(design.links))])))
    assert answers.asked == [headline(design)]


def test_gaps_of_a_design_that_is_no_longer_open_are_not_asked_about(window, fabric, answers, export):
    export(lambda: window.session.new())
    assert answers.asked == []


def test_an_export_while_one_is_still_written_is_refused_by_name(window, fabric, answers, qtbot, tmp_path):
    jobs, gate, path = window.session.jobs, threading.Event(), tmp_path / "second.csv"
    answers.on_gaps.append("export")
    answers.on_save.append(path)
    jobs.run(WRITING, lambda _progress: gate.wait(60), lambda _outcome: None)
    window.actions_table.trigger("export.cable_plan")
    qtbot.waitUntil(window.notice.isVisible)
    assert window.notice.text.text().startswith("second.csv was not written: another export is still being written.")
    gate.set()
    qtbot.waitUntil(lambda: not jobs.busy(WRITING))
    assert not path.exists()


@pytest.mark.parametrize(("may_prepare", "offered"), [(True, True), (False, False)])
def test_preparing_is_offered_where_it_may_help_and_closing_the_question_is_cancelling(
    window, qtbot, may_prepare, offered
):
    buttons = []

    def look_and_leave():
        box = QApplication.activeModalWidget()
        assert isinstance(box, QMessageBox)
        buttons.extend(button.text().replace("&", "") for button in box.buttons())
        box.reject()

    QTimer.singleShot(0, look_and_leave)
    asked = ("Cable plan", "1 of 2 links lacks what ordering needs", ["why"])
    assert Questions().plan_gaps(*asked, may_prepare=may_prepare) == "cancel"
    assert ("Prepare First" in buttons) is offered
    assert "Export Anyway" in buttons
