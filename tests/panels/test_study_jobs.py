"""Jobs placed on servers: added, changed, run together, kept true to the design, marked on the canvas."""

import pytest
import shiboken6
from disposal import dispose_of
from PySide6.QtCore import Qt

from designer.canvas.hits import Target
from designer.canvas.tooltips import tooltip_of
from designer.canvas.view import CanvasView
from designer.drawing.job_names import HEIGHT
from designer.drawing.parts.legend import MARGIN_PX
from designer.graph.building.build import build
from designer.graph.endpoints import ranks_of_servers
from designer.model import operations
from designer.panels.studies.study_jobs import JobsStudy
from designer.session.session import Session
from designer.simulation.scenario import Scenario
from designer.topologies import pgft

PATIENCE_MS = 60_000


@pytest.fixture
def fabric(session, catalog):
    """Four leafs of four hosts with two uplinks each."""
    session.push(pgft.build(session.design, pgft.PgftParameters(children=(4, 4), parents=(1, 2)), catalog))
    session.workbench.simulation.scenario = Scenario(traffic="shift:2", size_bytes=1e8, latency=False)
    return session


@pytest.fixture
def study(fabric, appearance, qtbot):
    study = JobsStudy(fabric, appearance)
    qtbot.addWidget(study)
    study.resize(900, 340)
    study.show()
    return study


def hosts(session, *numbers):
    servers = session.design.servers()
    return [servers[number].id for number in numbers]


def cells(study, row):
    return study.table.texts(row)


def run(study, session, qtbot):
    qtbot.mouseClick(study.run, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: session.workbench.placed_jobs.state in ("current", "failed"), timeout=PATIENCE_MS)


def enter(qtbot, field, text):
    field.line.setFocus()
    field.line.selectAll()
    qtbot.keyClicks(field.line, text)
    qtbot.keyClick(field.line, Qt.Key.Key_Return)


def test_without_jobs_the_study_says_how_to_make_one(study):
    assert study.empty.isVisible() and not study.table.isVisible() and not study.form.isVisible()
    assert not study.run.isEnabled() and not study.buttons["Remove"].isEnabled()


def test_two_jobs_on_shared_uplinks_show_their_times_alone_and_together(study, fabric, qtbot):
    fabric.workbench.placed_jobs.add(hosts(fabric, 0, 1, 4, 5))
    fabric.workbench.placed_jobs.add(hosts(fabric, 2, 3, 6, 7))
    run(study, fabric, qtbot)

    assert cells(study, 0) == ["job 1", "4", "shift:2", "100 MB", "2 ms", "4 ms", "2.00 ×", "", "job 2"]
    assert "of job 1 and" in study.why.text() and study.why.isVisible()
    assert fabric.workbench.heat_view.heat is not None and fabric.workbench.heat_view.heat.busiest == pytest.approx(1)
    assert fabric.workbench.simulation.heat is None  # the simulation panel's own result is another thing
    assert study.results().values[0][6] == pytest.approx(2)


def test_an_edit_makes_the_result_stale_and_takes_the_heat_away(study, fabric, qtbot):
    fabric.workbench.placed_jobs.add(hosts(fabric, 0, 1, 4, 5))
    run(study, fabric, qtbot)
    assert fabric.workbench.heat_view.heat is not None

    link = next(iter(fabric.design.links))
    fabric.push(operations.delete(fabric.design, [link]))

    assert fabric.workbench.placed_jobs.state == "stale" and fabric.workbench.heat_view.heat is None
    assert "Out of date" in study.state.text()


def test_the_form_changes_the_chosen_job(study, fabric, qtbot):
    fabric.workbench.placed_jobs.add(hosts(fabric, 0, 1, 4, 5))
    fabric.workbench.placed_jobs.add(hosts(fabric, 2, 3))
    study.table.choose(0)
    enter(qtbot, study.form.name, "training")
    enter(qtbot, study.form.fields["size_bytes"], "2GiB")
    enter(qtbot, study.form.fields["start_s"], "3 ms")
    index = study.form.traffic.findText("All-reduce")
    study.form.traffic.setCurrentIndex(index)
    study.form.traffic.activated.emit(index)
    study.form.fields["loop"].setCurrentIndex(1)
    study.form.fields["loop"].activated.emit(1)

    job = fabric.workbench.placed_jobs.jobs[0]
    assert (job.name, job.collective, job.start_s, job.loop) == ("training", "all-reduce", 0.003, False)
    assert job.size_bytes == 2 * 2**30
    assert cells(study, 0)[:4] == ["training", "4", "all-reduce, ring", "2 GiB"]

    enter(qtbot, study.form.name, "job 2")
    assert study.form.name.refusal.text() == "Another job is called job 2."
    enter(qtbot, study.form.fields["size_bytes"], "much")
    assert "'much'" in study.form.fields["size_bytes"].refusal.text()


def test_a_job_follows_its_servers_and_says_when_they_are_gone(study, fabric, qtbot):
    fabric.workbench.placed_jobs.add(hosts(fabric, 0, 1, 4))
    fabric.push(operations.delete(fabric.design, hosts(fabric, 0, 1)))
    assert cells(study, 0)[1] == "1"

    run(study, fabric, qtbot)

    assert fabric.workbench.placed_jobs.state == "failed"
    assert "fewer than two GPUs" in study.state.text()
    fabric.undo_stack.undo()
    run(study, fabric, qtbot)
    assert fabric.workbench.placed_jobs.state == "current"


def test_every_change_of_a_job_is_undone_under_its_name(study, fabric, qtbot):
    stack = fabric.undo_stack
    job = fabric.workbench.placed_jobs.add(hosts(fabric, 0, 1, 4, 5))
    assert stack.undoText() == "Add job 1"
    enter(qtbot, study.form.name, "training")
    assert stack.undoText() == "Rename job 1 to training"
    enter(qtbot, study.form.fields["size_bytes"], "2GiB")
    assert stack.undoText() == "Change size of training"
    qtbot.mouseClick(study.buttons["Remove"], Qt.MouseButton.LeftButton)
    assert stack.undoText() == "Delete training" and study.empty.isVisible()
    for _ in range(3):
        stack.undo()
    assert fabric.design.jobs[job.id] == job and cells(study, 0)[0] == "job 1"
    stack.undo()
    assert not fabric.design.jobs and study.empty.isVisible()


def test_an_edit_of_a_job_outdates_jobs_but_not_the_single_run(study, fabric, qtbot):
    fabric.workbench.simulation.run()
    qtbot.waitUntil(lambda: fabric.workbench.simulation.heat is not None, timeout=PATIENCE_MS)
    job = fabric.workbench.placed_jobs.add(hosts(fabric, 0, 1, 4, 5))
    assert fabric.workbench.simulation.state == "current" and fabric.workbench.simulation.heat is not None
    run(study, fabric, qtbot)
    jobs_heat = fabric.workbench.heat_view.heat

    fabric.workbench.placed_jobs.change(job, colour="#b0413e")
    assert fabric.workbench.placed_jobs.state == "current" and fabric.workbench.heat_view.heat is jobs_heat

    fabric.workbench.placed_jobs.change(fabric.workbench.placed_jobs.jobs[0], size_bytes=2e8)
    assert fabric.workbench.placed_jobs.state == "stale"
    assert (
        fabric.workbench.simulation.state == "current"
        and fabric.workbench.heat_view.heat is fabric.workbench.simulation.heat
    )

    fabric.undo_stack.undo()
    assert fabric.workbench.placed_jobs.state == "current" and fabric.workbench.heat_view.heat is jobs_heat


def test_an_edit_of_a_job_ends_the_run_under_way_unless_it_is_of_a_colour(study, fabric, qtbot):
    job = fabric.workbench.placed_jobs.add(hosts(fabric, 0, 1, 4, 5))
    fabric.workbench.placed_jobs.run()
    fabric.workbench.placed_jobs.change(job, colour="#b0413e")
    assert fabric.workbench.placed_jobs.state == "running"
    fabric.workbench.placed_jobs.change(fabric.workbench.placed_jobs.jobs[0], order="rail")
    assert fabric.workbench.placed_jobs.state == "idle" and "Cancelled" in study.state.text()


def test_deleting_servers_says_what_becomes_of_their_jobs(study, fabric, qtbot):
    fabric.workbench.placed_jobs.add(hosts(fabric, 0, 1, 4))
    fabric.workbench.placed_jobs.add(hosts(fabric, 0, 1))
    with qtbot.waitSignal(fabric.message) as reported:
        fabric.push(operations.delete(fabric.design, hosts(fabric, 0, 1)))
    assert reported.args == ["1 host is left to job 1; no host is left to job 2, which was deleted"]
    assert [cells(study, row)[:2] for row in range(len(study.table.rows))] == [["job 1", "1"]]
    fabric.undo_stack.undo()
    assert [cells(study, row)[:2] for row in range(2)] == [["job 1", "3"], ["job 2", "2"]]


def test_a_colour_is_chosen_from_those_any_eyes_tell_apart_or_asked_for(study, fabric, qtbot):
    job = fabric.workbench.placed_jobs.add(hosts(fabric, 0, 1))
    field, asked = study.form.colour, []
    study.form.colour_wanted.connect(asked.append)
    assert field.value == job.colour and not field.itemIcon(field.currentIndex()).isNull()

    field.activated.emit(field.findText("Indigo"))
    assert fabric.workbench.placed_jobs.servers_by_colour() == {"#3f3fa8": tuple(hosts(fabric, 0, 1))}
    field.activated.emit(field.findText("Other…"))
    assert asked == [job.id] and field.value == "#3f3fa8"
    fabric.workbench.placed_jobs.change(fabric.workbench.placed_jobs.jobs[0], colour="#123456")
    assert field.value == "#123456"


def test_a_job_whose_words_are_not_known_is_shown_and_says_so_when_run(study, fabric, qtbot):
    edit = operations.add_job(fabric.design, "odd", collective="all-change", size_bytes=1e6, start_s=1.0)
    fabric.push(edit)
    assert cells(study, 0)[:4] == ["odd", "16", "all-change", "1 MB"] and study.form.servers.stated.text() == "all 16"
    enter(qtbot, study.form.name, "odder")
    assert cells(study, 0)[0] == "odder"
    run(study, fabric, qtbot)
    assert fabric.workbench.placed_jobs.state == "failed" and "no collective 'all-change'" in study.state.text()


def test_the_chosen_job_stays_chosen_and_one_that_comes_is_chosen(study, fabric, qtbot):
    for part in ((0, 1), (2, 3), (4, 5)):
        fabric.workbench.placed_jobs.add(hosts(fabric, *part))
    assert study.current.name == "job 3"
    study.table.choose(1)
    fabric.workbench.placed_jobs.change(fabric.workbench.placed_jobs.jobs[0], size_bytes=5e6)
    fabric.workbench.placed_jobs.remove(fabric.workbench.placed_jobs.jobs[0])
    assert study.current.name == "job 2"
    fabric.undo_stack.undo()
    assert study.current.name == "job 1", "what an undo brings back came just now"


def test_of_many_jobs_the_chosen_one_is_in_sight_and_the_first_notes_are_said(study, fabric, qtbot):
    for number in range(12):
        fabric.workbench.placed_jobs.add(hosts(fabric, number, number + 1, number + 2))
    run(study, fabric, qtbot)
    assert fabric.workbench.placed_jobs.state == "current", fabric.workbench.placed_jobs.error
    seen = study.table.viewport().rect()
    qtbot.waitUntil(lambda: seen.intersects(study.table.visualRect(study.table.currentIndex())))
    assert study.current.name == "job 12"
    qtbot.waitUntil(lambda: study.same_gpus.text().endswith("; and 8 more."), timeout=PATIENCE_MS)
    assert study.same_gpus.text().startswith("2 GPUs are in both job 1 and job 2;")
    assert study.same_gpus.toolTip().count("\n") == 10 and study.same_gpus.isVisible()
    assert "in both" not in study.notes.text(), "it is said once"


def test_moving_through_the_table_with_the_keys_selects_the_servers(study, fabric, qtbot):
    fabric.workbench.placed_jobs.add(hosts(fabric, 0, 1))
    fabric.workbench.placed_jobs.add(hosts(fabric, 2, 3))
    with qtbot.waitActive(study):
        study.activateWindow()
    study.table.setFocus()
    qtbot.waitUntil(study.table.hasFocus)
    qtbot.keyClick(study.table, Qt.Key.Key_Up)
    assert fabric.selection == frozenset(hosts(fabric, 0, 1))
    qtbot.keyClick(study.table, Qt.Key.Key_Down)
    assert fabric.selection == frozenset(hosts(fabric, 2, 3))


def test_a_job_can_be_removed_and_another_design_has_none(study, fabric, qtbot):
    fabric.workbench.placed_jobs.add(hosts(fabric, 0, 1))
    fabric.workbench.placed_jobs.add(hosts(fabric, 2, 3))
    study.table.choose(0)
    qtbot.mouseClick(study.buttons["Remove"], Qt.MouseButton.LeftButton)
    assert [job.name for job in fabric.workbench.placed_jobs.jobs] == ["job 2"]

    fabric.new()

    assert not fabric.workbench.placed_jobs.jobs and study.empty.isVisible()


def test_running_the_simulation_shows_its_own_heat_again(study, fabric, qtbot):
    fabric.workbench.placed_jobs.add(hosts(fabric, 0, 1, 4, 5))
    run(study, fabric, qtbot)
    fabric.workbench.simulation.run()
    qtbot.waitUntil(lambda: fabric.workbench.simulation.heat is not None, timeout=PATIENCE_MS)

    assert fabric.workbench.heat_view.heat is fabric.workbench.simulation.heat


def test_ranks_of_servers_are_those_of_the_graph(fabric):
    chosen = hosts(fabric, 5, 2, 9)
    graph = build(fabric.design)

    ranks = ranks_of_servers(fabric.design, chosen)

    assert {graph.device_ids[graph.device[rank]] for rank in ranks} == set(chosen)


def test_the_canvas_marks_servers_in_their_jobs_colour(study, fabric, qtbot):
    canvas = CanvasView(fabric)
    qtbot.addWidget(canvas)
    canvas.resize(900, 600)
    canvas.show()
    canvas.zoom_to_fit()
    plain = canvas.grab().toImage()
    job = fabric.workbench.placed_jobs.add(hosts(fabric, 0, 1))
    (first,) = hosts(fabric, 0)
    box = canvas.box_px(first)
    spot = (round(box.center().x()), round(box.bottom()) - 2)

    marked = canvas.grab().toImage()
    study.marks.click()

    assert marked.pixelColor(*spot).name() == job.colour != plain.pixelColor(*spot).name()
    assert not fabric.workbench.placed_jobs.marked
    assert canvas.grab().toImage().pixelColor(*spot).name() == plain.pixelColor(*spot).name()


def test_jobs_of_a_file_are_marked_as_they_were_when_it_was_saved(study, fabric, catalog, qtbot, tmp_path):
    job = fabric.workbench.placed_jobs.add(hosts(fabric, 0, 1))
    fabric.save(tmp_path / "jobs.fabric")
    again = Session(catalog)
    canvas = CanvasView(again)
    qtbot.addWidget(canvas)
    canvas.resize(900, 600)
    canvas.show()
    canvas.grab()  # the empty design has been painted, and has no jobs
    again.open(tmp_path / "jobs.fabric")

    box = canvas.box_px(hosts(again, 0)[0])
    spot = (round(box.center().x()), round(box.bottom()) - 2)

    assert again.workbench.placed_jobs.names_on(hosts(again, 0)[0]) == [job.name]
    assert canvas.grab().toImage().pixelColor(*spot).name() == job.colour
    dispose_of(again)


def test_the_foot_of_the_canvas_names_the_jobs(study, fabric, qtbot):
    canvas = CanvasView(fabric)
    qtbot.addWidget(canvas)
    canvas.resize(700, 500)
    job = fabric.workbench.placed_jobs.add(hosts(fabric, 0, 1))

    def colours_at_the_foot():
        image, middle = canvas.grab().toImage(), round(canvas.height() - MARGIN_PX - HEIGHT / 2)
        return {image.pixelColor(x, middle).name() for x in range(60)}

    assert job.colour in colours_at_the_foot()
    fabric.workbench.placed_jobs.marked = False
    assert job.colour not in colours_at_the_foot()


def test_jobs_saved_in_the_window_are_read_by_the_command_line(study, fabric, qtbot, tmp_path):
    from designer.catalog import yaml_text
    from designer.simulation.jobs.design_jobs import jobs_of
    from designer.simulation.jobs.job_text import job_from

    fabric.workbench.placed_jobs.add(hosts(fabric, 0, 1, 4, 5))
    fabric.workbench.placed_jobs.add(hosts(fabric, 2, 3, 7))
    study.saving.connect(lambda _title, suffix, write: write(tmp_path / f"jobs{suffix}"))
    study.save_file.trigger()

    rows = yaml_text.read(tmp_path / "jobs.yaml").value["jobs"]

    expected = jobs_of(fabric.design, {"latency": False})
    assert [job_from(fields, 1, {"latency": False}) for fields in rows] == expected


def test_the_tooltip_of_a_server_names_its_jobs(fabric):
    (server,) = hosts(fabric, 3)
    fabric.workbench.placed_jobs.add([server])

    reported = tooltip_of(
        fabric.design, Target(device_id=server), None, "idle", fabric.workbench.placed_jobs.names_on(server)
    )

    assert "Jobs" in reported and "job 1" in reported


def test_the_study_goes_on_without_the_menu_of_its_button(study, fabric):
    """A wrapper of an action that only its menu owns goes with the menu."""
    shiboken6.delete(study.files.menu())
    fabric.new()
    assert not study.save_file.isEnabled() and study.open_file.isEnabled()
