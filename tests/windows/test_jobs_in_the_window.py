"""Jobs in the main window: made of what is selected, run by a command, marks switched."""

import pytest

from designer.topologies import fat_tree

PATIENCE_MS = 60_000


@pytest.fixture
def fabric(window, catalog):
    parameters = fat_tree.FatTreeParameters(switch="generic-switch-8x400g", server="generic-host", servers=16)
    window.session.push(fat_tree.build(window.session.design, parameters, catalog))
    return window.session


def test_selected_servers_and_groups_become_jobs_that_run_together(window, fabric, qtbot):
    trigger, design = window.actions_table.trigger, fabric.design
    fabric.select([])
    assert not window.actions_table.rows["job.from_selection"].enabled(window)
    servers = [server.id for server in design.servers()]
    fabric.select(servers[8:12])
    trigger("arrange.group")
    (group,) = {design.devices[one].group_id for one in servers[8:12]}

    fabric.select(servers[:4])
    trigger("job.from_selection")
    fabric.select([group])
    trigger("job.from_selection")

    assert window.panel_shown("studies")
    first, second = fabric.placed_jobs.jobs
    assert first.servers == tuple(servers[:4]) and second.servers == tuple(servers[8:12])
    trigger("job.run")
    qtbot.waitUntil(lambda: fabric.placed_jobs.state in ("current", "failed"), timeout=PATIENCE_MS)
    assert fabric.placed_jobs.state == "current", fabric.placed_jobs.error
    trigger("job.marks")
    assert not fabric.placed_jobs.marked and not window.actions_table["job.marks"].isChecked()


def test_the_simulation_runs_on_the_selected_servers(window, fabric, qtbot):
    servers = [server.id for server in fabric.design.servers()]
    fabric.select([servers[1], servers[3], servers[8]])

    window.actions_table.trigger("job.simulate_here")

    assert fabric.simulation.scenario.ranks == (1, 3, 8)
    qtbot.waitUntil(lambda: fabric.heat is not None, timeout=PATIENCE_MS)
    assert fabric.result.ranks == 3
    assert window.simulation.controls.ranks.line.text() == "1, 3, 8"


def test_clicking_a_job_selects_its_servers(window, fabric):
    servers = [server.id for server in fabric.design.servers()]
    fabric.select(servers[2:5])
    window.actions_table.trigger("job.from_selection")
    fabric.select([])

    study = window.studies.jobs
    study.table.itemClicked.emit(study.table.topLevelItem(0), 0)

    assert fabric.selection == frozenset(servers[2:5])
