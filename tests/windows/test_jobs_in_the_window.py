"""Jobs in the main window: made of what is selected, run by a command, marks switched."""

import pytest

from designer.model.placed_jobs import whole
from designer.topologies import fat_tree
from designer.windows.picker import pickers

PATIENCE_MS = 60_000


@pytest.fixture
def fabric(window, catalog):
    parameters = fat_tree.FatTreeParameters(switch="generic-switch-8x400g", server="generic-host", servers=16)
    window.session.push(fat_tree.build(window.session.design, parameters, catalog))
    return window.session


def test_selected_servers_and_groups_become_jobs_that_run_together(window, fabric, qtbot):
    trigger, design = window.actions_table.trigger, fabric.design
    fabric.select([])
    trigger("job.from_selection")
    assert (
        "Select servers, racks or groups first" in window.notice.text.text() and not fabric.workbench.placed_jobs.jobs
    )
    servers = [server.id for server in design.servers()]
    fabric.select(servers[8:12])
    trigger("arrange.group")
    (group,) = {design.devices[one].group_id for one in servers[8:12]}

    fabric.select(servers[:4])
    trigger("job.from_selection")
    fabric.select([group])
    trigger("job.from_selection")

    assert window.docks.shown("studies")
    first, second = fabric.workbench.placed_jobs.jobs
    assert first.servers == whole(servers[:4]) and second.servers == whole(servers[8:12])
    trigger("job.run")
    qtbot.waitUntil(lambda: fabric.workbench.placed_jobs.state in ("current", "failed"), timeout=PATIENCE_MS)
    assert fabric.workbench.placed_jobs.state == "current", fabric.workbench.placed_jobs.error
    trigger("job.marks")
    assert not fabric.workbench.placed_jobs.marked and not window.actions_table["job.marks"].isChecked()


def test_the_simulation_runs_on_the_selected_servers(window, fabric, qtbot):
    servers = [server.id for server in fabric.design.servers()]
    fabric.select([servers[1], servers[3], servers[8]])

    window.actions_table.trigger("job.simulate_here")

    assert fabric.workbench.simulation.scenario.ranks == (1, 3, 8)
    qtbot.waitUntil(lambda: fabric.workbench.simulation.heat is not None, timeout=PATIENCE_MS)
    assert fabric.workbench.simulation.current_result.ranks == 3
    assert window.docks.simulation.controls.fields["ranks"].line.text() == "1, 3, 8"


def test_clicking_a_job_selects_its_servers(window, fabric):
    servers = [server.id for server in fabric.design.servers()]
    fabric.select(servers[2:5])
    window.actions_table.trigger("job.from_selection")
    fabric.select([])

    study = window.docks.studies.jobs
    study.table.chosen.emit(study.table.rows[0])

    assert fabric.selection == frozenset(servers[2:5])


def test_the_inspector_names_the_jobs_of_a_server(window, fabric, qtbot):
    servers = [server.id for server in fabric.design.servers()]
    fabric.select(servers[:2])
    window.actions_table.trigger("job.from_selection")
    page = window.docks.inspector.device_page
    fabric.select(servers[:1])
    qtbot.waitUntil(lambda: page.jobs.whole_text == "job 1")
    fabric.workbench.placed_jobs.change(fabric.workbench.placed_jobs.jobs[0], name="training")
    qtbot.waitUntil(lambda: page.jobs.whole_text == "training")
    fabric.select(servers[2:3])
    qtbot.waitUntil(lambda: page.jobs.whole_text == "")
    assert not page.jobs.isVisible()


def test_a_job_is_found_by_its_name(window, fabric):
    servers = [server.id for server in fabric.design.servers()]
    for part in (servers[:2], servers[6:9]):
        fabric.select(part)
        window.actions_table.trigger("job.from_selection")
    fabric.workbench.placed_jobs.change(fabric.workbench.placed_jobs.jobs[0], name="pretraining")

    (choice,) = (one for one in pickers.named_things(window.desk) if one.text == "pretraining")
    choice.run()

    assert fabric.selection == frozenset(servers[:2]) and window.docks.studies.jobs.current.name == "pretraining"


def test_jobs_are_saved_with_the_design_and_there_when_it_is_opened_again(window, fabric, answers, tmp_path):
    fabric.save(tmp_path / "pod.fabric")
    fabric.select([server.id for server in fabric.design.servers()][:4])
    window.actions_table.trigger("job.from_selection")
    assert fabric.dirty, "a job is a change of the design"
    jobs = fabric.workbench.placed_jobs.jobs
    fabric.save()
    fabric.new()
    assert window.docks.studies.jobs.empty.isVisibleTo(window.docks.studies.jobs)

    fabric.open(tmp_path / "pod.fabric")

    assert fabric.workbench.placed_jobs.jobs == jobs
    assert window.docks.studies.jobs.table.texts(0)[0] == "job 1"


def test_a_jobs_file_is_saved_taken_into_another_design_and_taken_again(window, fabric, answers, tmp_path):
    servers = [server.id for server in fabric.design.servers()]
    for part in (servers[:4], servers[6:9]):
        fabric.select(part)
        window.actions_table.trigger("job.from_selection")
    before = fabric.workbench.placed_jobs.jobs
    answers.on_save.append(tmp_path / "jobs.yaml")
    window.actions_table.trigger("job.save_file")
    fabric.workbench.placed_jobs.remove(before[0])
    fabric.workbench.placed_jobs.change(before[1], size_bytes=5e6)

    answers.on_open.append(tmp_path / "jobs.yaml")
    window.docks.studies.jobs.open_file.trigger()

    assert fabric.undo_stack.undoText() == "Take jobs from jobs.yaml"
    taken = {job.name: job for job in fabric.workbench.placed_jobs.jobs}
    assert {name: (job.servers, job.size_bytes, job.traffic) for name, job in taken.items()} == {
        job.name: (job.servers, job.size_bytes, job.traffic) for job in before
    }
    assert taken["job 2"].id == before[1].id
    count = fabric.undo_stack.count()
    answers.on_open.append(tmp_path / "jobs.yaml")
    window.actions_table.trigger("job.open_file")
    assert fabric.undo_stack.count() == count, "the same jobs again change nothing"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("colour: red", "holds no jobs"),
        ("- {name: a, traffic: 'shift:1', ranks: 0-99, size: 1M}", "there is no GPU 16"),
        ("- {name: a, traffic: 'shift:1', ranks: 0-3}", "job a needs a size"),
        ("- {name: a, traffic: 'shift:1', size: 1M}\n" * 2, "two jobs are called a"),
        (None, "jobs.yaml"),
    ],
)
def test_a_jobs_file_that_does_not_fit_is_refused_in_the_window(window, fabric, answers, tmp_path, text, words):
    path = tmp_path / "jobs.yaml"
    if text is not None:
        path.write_text(text, "utf-8")
    answers.on_open.append(path)
    window.actions_table.trigger("job.open_file")
    assert words in window.notice.text.text() and not fabric.design.jobs


def test_a_job_moves_to_the_selected_servers_and_takes_a_colour_that_is_asked_for(window, fabric, monkeypatch):
    servers = [server.id for server in fabric.design.servers()]
    fabric.select(servers[:4])
    window.actions_table.trigger("job.from_selection")
    form = window.docks.studies.jobs.form
    fabric.select([])
    form.servers.take.click()
    assert fabric.workbench.placed_jobs.jobs[0].servers == whole(servers[:4]), "nothing is selected to move to"
    fabric.select(servers[8:14])
    form.servers.take.click()
    assert fabric.workbench.placed_jobs.jobs[0].servers == whole(servers[8:14]) and form.servers.stated.text() == "6"

    monkeypatch.setattr(window.desk.questions, "colour", lambda _title, _colour: "#00aa11", raising=False)
    form.colour.activated.emit(form.colour.findText("Other…"))
    assert fabric.workbench.placed_jobs.jobs[0].colour == "#00aa11"
