"""The simulation panel on a real fabric: choices become the scenario, results are shown only while current."""

import threading
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt

from designer.drawing.display_list import CONGESTED_CLASS, FULL_BY_DESIGN, colour_of_class
from designer.drawing.heat import Heat, bucket_of
from designer.drawing.theme import LIGHT
from designer.errors import sentence
from designer.model import operations
from designer.panels.simulation.heat_legend import HeatLegend
from designer.panels.simulation.hot_links import hottest
from designer.panels.simulation.panel import SimulationPanel
from designer.panels.studies.histogram import BINS, counted
from designer.simulation import catalogue
from designer.tables.columns import as_json
from designer.topologies import fat_tree

PATIENCE_MS = 60_000


@pytest.fixture
def panel(qtbot, session, catalog, appearance):
    parameters = fat_tree.FatTreeParameters(
        switch="generic-switch-8x400g", server="generic-host", servers=16, racks="none"
    )
    session.push(fat_tree.build(session.design, parameters, catalog))
    panel = SimulationPanel(session, appearance)
    qtbot.addWidget(panel)
    panel.run_wanted.connect(session.workbench.simulation.run)
    panel.resize(370, 1000)
    panel.show()
    return panel


@pytest.fixture
def computed(panel, session, qtbot):
    qtbot.mouseClick(panel.controls.run, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: session.workbench.simulation.heat is not None, timeout=PATIENCE_MS)
    return session.workbench.simulation.current_result


def choose(field, text):
    index = field.findText(text)
    assert index >= 0, text
    field.setCurrentIndex(index)
    field.activated.emit(index)


def enter(qtbot, field, text):
    field.line.setFocus()
    field.line.selectAll()
    qtbot.keyClicks(field.line, text)
    qtbot.keyClick(field.line, Qt.Key.Key_Return)


def test_before_the_first_run_the_panel_says_what_a_run_shows(panel):
    assert panel._empty.isVisible()
    assert not panel._results.isVisible()
    assert panel.controls.state.text() == "Not run yet."


def test_every_collective_pattern_and_routing_can_be_chosen(panel, session):
    controls = panel.controls
    for row in catalogue.COLLECTIVES:
        choose(controls.traffic, row.title)
        assert session.workbench.simulation.scenario.collective == row.name
    for row in catalogue.PATTERNS:
        if row.default or not row.parameter:
            choose(controls.traffic, f"{row.title} (pattern)")
            assert session.workbench.simulation.scenario.traffic == row.traffic(16)
    for row in catalogue.routings_alone():
        choose(controls.fields["routing"], row.title)
        assert session.workbench.simulation.scenario.routing == row.name


def test_settings_of_a_routing_are_shown_with_it_alone_and_set_the_run(panel, session, qtbot):
    controls, fields = panel.controls, panel.controls.fields
    for row in catalogue.routings_alone():
        choose(fields["routing"], row.title)
        shown = {name for name in catalogue.ROUTING_SETTINGS if fields[name].isVisible()}
        assert shown == set(row.settings), row.name
    choose(fields["routing"], "ECMP")
    enter(qtbot, fields["queue_pairs"], "4")
    choose(fields["hash_seeds"], "the same")
    enter(qtbot, fields["hash_fields"], "dst-ip,src-ip")
    scenario = session.workbench.simulation.scenario
    assert (scenario.queue_pairs, scenario.hash_seeds, scenario.hash_fields) == (4, "same", ("src-ip", "dst-ip"))
    enter(qtbot, fields["hash_fields"], "ttl")
    assert session.workbench.simulation.scenario == scenario
    assert not controls.finish()


def test_the_algorithms_offered_are_those_of_the_collective(panel, session):
    choose(panel.controls.traffic, "All-reduce")
    choose(panel.controls.algorithm, "Hierarchical")
    assert session.workbench.simulation.scenario.algorithm == "hierarchical"
    choose(panel.controls.traffic, "All-to-all")
    assert session.workbench.simulation.scenario.algorithm is None
    offered = [panel.controls.algorithm.itemText(i) for i in range(panel.controls.algorithm.count())]
    assert "Hierarchical" in offered and "Ring" not in offered
    choose(panel.controls.traffic, "Send-receive")
    assert not panel.controls.algorithm.isVisible()


def test_a_pattern_that_needs_a_file_waits_for_it(panel, session, tmp_path, qtbot):
    before = session.workbench.simulation.scenario
    choose(panel.controls.traffic, "Pairs from a file (pattern)")
    assert session.workbench.simulation.scenario == before
    assert panel.controls.parameter.isVisible()
    path = tmp_path / "pairs.csv"
    path.write_text("0,5,1000000\n")
    enter(qtbot, panel.controls.parameter, str(path))
    assert session.workbench.simulation.scenario.traffic == f"pairs:{path}"


@pytest.mark.parametrize(("shown", "row"), [("All-reduce", "algorithm"), ("Incast (pattern)", "parameter")])
def test_a_form_that_turns_back_from_a_file_shows_what_holds(panel, session, shown, row):
    choose(panel.controls.traffic, shown)
    before, value = session.workbench.simulation.scenario, panel.controls.parameter.line.text()
    choose(panel.controls.traffic, "Pairs from a file (pattern)")
    choose(panel.controls.traffic, shown)
    assert session.workbench.simulation.scenario == before
    assert panel.controls.algorithm.isVisible() == (row == "algorithm")
    assert panel.controls.parameter.isVisible() == (row == "parameter")
    assert panel.controls.parameter.line.text() == value
    assert panel.controls.finish()


def test_while_the_file_is_missing_the_old_result_is_not_called_current(panel, session, computed):
    choose(panel.controls.traffic, "Pairs from a file (pattern)")
    state = panel.controls.state.text()
    assert state == "Enter the file for Pairs from a file (pattern), then run. " + (
        "The result shown is for the previous traffic."
    )
    choose(panel.controls.traffic, "All-reduce")
    assert panel.controls.state.text().startswith("Current: computed in")


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("size_bytes", "big"),
        ("size_bytes", "0"),
        ("ranks", "some"),
        ("seed", "x"),
        ("channels", "0"),
        ("channels", "a"),
        ("efficiency", "2"),
        ("efficiency", "much"),
    ],
)
def test_nonsense_is_refused_in_place_and_the_scenario_stays(panel, session, qtbot, field, text):
    before = session.workbench.simulation.scenario
    editor = panel.controls.fields[field]
    editor.line.setText(text)
    qtbot.keyClick(editor.line, Qt.Key.Key_Return)
    assert editor.refusal.text()
    assert session.workbench.simulation.scenario == before


def test_ranks_are_a_list_or_a_file_and_every_order_runs(panel, session, qtbot, tmp_path):
    (tmp_path / "hosts.txt").write_text("9\n3\n0-2, 12\n")
    enter(qtbot, panel.controls.fields["ranks"], str(tmp_path / "hosts.txt"))
    assert session.workbench.simulation.scenario.ranks == (9, 3, 0, 1, 2, 12)
    enter(qtbot, panel.controls.fields["ranks"], "7, 0-2")
    for order in catalogue.ORDERS:
        choose(panel.controls.fields["order"], order.title)
        session.workbench.simulation.run()
        qtbot.waitUntil(lambda: session.workbench.simulation.state == "current", timeout=PATIENCE_MS)
        assert (
            session.workbench.simulation.current_result.ranks,
            session.workbench.simulation.current_result.model.rank_order,
        ) == (4, order.name)


def test_in_network_reduction_is_offered_only_with_algorithms_that_have_it(panel, session):
    choose(panel.controls.fields["in_network_reduction"], "in the network")
    assert session.workbench.simulation.scenario.in_network_reduction
    choose(panel.controls.algorithm, "Direct")
    assert (
        not session.workbench.simulation.scenario.in_network_reduction
        and not panel.controls.fields["in_network_reduction"].isEnabled()
    )
    choose(panel.controls.algorithm, "Double binary tree")
    assert (
        panel.controls.fields["in_network_reduction"].isEnabled() and panel.controls.fields["chunk_bytes"].isEnabled()
    )


@pytest.mark.parametrize(("size", "says_so"), [("64 KiB", True), ("64 GiB", False)])
def test_next_to_a_time_that_its_start_up_would_dominate_the_panel_says_so(panel, session, qtbot, size, says_so):
    enter(qtbot, panel.controls.fields["size_bytes"], size)
    session.workbench.simulation.run()
    qtbot.waitUntil(lambda: session.workbench.simulation.state == "current", timeout=PATIENCE_MS)
    note = "less than 84 µs: a start-up, 8.4 µs by NCCL's cost model, is not counted"
    assert panel.summary.units["Time"].text() == ("without start-up" if says_so else "")
    assert (note in panel.summary.figures["Time"].toolTip()) == says_so
    assert (note in panel.summary.note.text()) == says_so


def test_size_and_ranks_are_typed_as_people_write_them(panel, session, qtbot):
    enter(qtbot, panel.controls.fields["size_bytes"], "64 MiB")
    assert session.workbench.simulation.scenario.size_bytes == 64 * 2**20
    enter(qtbot, panel.controls.fields["ranks"], "0-7")
    assert session.workbench.simulation.scenario.ranks == tuple(range(8))
    enter(qtbot, panel.controls.fields["ranks"], "all")
    assert session.workbench.simulation.scenario.ranks is None


def gated(monkeypatch):
    """Holds computations back until the event is set."""
    from designer.session import engine

    gate, real = threading.Event(), engine.up_to_date

    def held(*asked):
        gate.wait(60)
        return real(*asked)

    monkeypatch.setattr(engine, "up_to_date", held)
    return gate


def test_a_failure_is_told_against_the_run_before_it_and_reasons_with_how_many_are_alike(
    panel, session, qtbot, computed
):
    assert not panel.summary.compare_runs.isVisible()
    spine = next(device for device in session.design.switches() if device.role == "spine")
    session.set_failed(frozenset({spine.id}))
    session.workbench.simulation.run()
    qtbot.waitUntil(lambda: session.workbench.simulation.heat is not None, timeout=PATIENCE_MS)
    assert panel.summary.compare_runs.isVisible()
    words = f"{spine.name} failed: 8 links between switches lost, still 40.32 ms."
    assert words in panel.summary.compare_runs.text()
    (first, *_) = session.workbench.simulation.current_result.bottlenecks
    assert first.alike == 16  # every NIC: the fabric has room for a ring even so
    assert "(and 15 more link directions with as many flows and the same demand)" in panel.summary.why.text()


def test_while_a_run_is_brief_the_last_rows_stay_and_go_where_it_takes_long(
    panel, session, qtbot, computed, monkeypatch
):
    gate = gated(monkeypatch)
    session.workbench.simulation.live = True
    spine = next(device for device in session.design.switches() if device.role == "spine")
    session.push(operations.delete(session.design, [session.design.links_of(spine.id)[0].id]))
    assert session.workbench.simulation.state == "running"
    assert panel.hot_links.table.isVisible()
    assert panel.summary.figures["Time"].isEnabled()
    qtbot.waitUntil(lambda: not panel.hot_links.table.isVisible(), timeout=PATIENCE_MS)
    assert not panel.summary.figures["Time"].isEnabled()
    gate.set()
    qtbot.waitUntil(lambda: session.workbench.simulation.heat is not None, timeout=PATIENCE_MS)
    assert panel.hot_links.table.isVisible()
    assert panel.summary.figures["Time"].isEnabled()


def test_a_run_shows_time_bandwidth_reason_and_hot_links(panel, session, computed):
    figures = {name: shown.text() for name, shown in panel.summary.figures.items()}
    assert all(text and text != "–" for text in figures.values())
    assert panel.summary.why.isVisible()
    assert panel.hot_links.table.rows
    assert panel.legend.isVisible()
    assert "Current" in panel.controls.state.text()
    assert sum(panel.histogram.counts) == len(session.design.links)


def test_a_stale_result_is_greyed_said_to_be_stale_and_names_no_hot_link(panel, session, computed):
    link = next(iter(session.design.links))
    session.push(operations.delete(session.design, [link]))
    assert "Out of date" in panel.controls.state.text()
    assert not panel.summary.figures["Time"].isEnabled()
    assert not panel.hot_links.table.isVisible()
    assert not panel.summary.why.isVisible()
    assert not panel.legend.isVisible()


def test_clicking_a_hot_link_asks_to_go_there(panel, session, computed, qtbot):
    table = panel.hot_links.table
    expected = hottest(session.design, session.workbench.simulation.heat)[0].link_id
    with qtbot.waitSignal(panel.going) as caught:
        qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=table.rect_of(0).center())
    assert caught.args == [frozenset((expected,))]


def test_the_reason_leads_to_its_link(panel, session, computed, qtbot):
    bottleneck = next(b for b in computed.bottlenecks if b.link_id is not None)
    assert f'href="{bottleneck.link_id}"' in panel.summary.why.text()
    with qtbot.waitSignal(panel.going) as caught:
        panel.summary.why.linkActivated.emit(bottleneck.link_id)
    assert caught.args == [frozenset((bottleneck.link_id,))]


def test_live_is_one_switch_with_the_session(panel, session, qtbot):
    panel.controls.live.click()
    assert session.workbench.simulation.live
    qtbot.waitUntil(lambda: session.workbench.simulation.heat is not None, timeout=PATIENCE_MS)
    session.workbench.simulation.live = False
    assert not panel.controls.live.isChecked()


def test_run_becomes_cancel_while_computing(panel, session, qtbot):
    session.workbench.simulation.run()
    assert panel.controls.run.text() == "Cancel"
    assert panel.controls.progress.isVisible()
    panel.controls.run.click()
    assert session.workbench.simulation.state == "idle"
    assert panel.controls.run.text() == "Run"


def test_a_failure_is_told_in_one_sentence(panel, session, qtbot):
    enter(qtbot, panel.controls.fields["ranks"], "100000")
    panel.controls.run.click()
    qtbot.waitUntil(lambda: session.workbench.simulation.state == "failed", timeout=PATIENCE_MS)
    assert panel.controls.state.text() == sentence(session.workbench.simulation.error)
    assert panel._empty.isVisible()


def test_the_model_of_a_result_can_be_read(panel, session, computed):
    text = panel.assumptions.text.text()
    for name in as_json(computed.model):
        assert name.replace("_", " ") in text


def test_loads_are_counted_into_bins_with_full_links_in_the_last():
    counts = counted(np.array([0.0, 0.049, 0.05, 0.5, 0.999, 1.0, 1.2]))
    assert len(counts) == BINS
    assert counts[0] == 2
    assert counts[1] == 1
    assert counts[BINS // 2] == 1
    assert counts[-1] == 3


def test_the_legend_paints_the_scale(qtbot, session, appearance):
    legend = HeatLegend(session, appearance)
    qtbot.addWidget(legend)
    legend.resize(300, legend.sizeHint().height())
    image = legend.grab().toImage()
    row = [image.pixelColor(x, 10).name() for x in range(30, image.width() - 30, 8)]
    assert len(set(row)) > 15


def test_all_links_can_be_copied_and_saved(panel, computed, qtbot, qapp, tmp_path):
    panel.hot_links.copy.click()
    head, *rows = qapp.clipboard().text().splitlines()
    assert head.split("\t")[:4] == ["from", "from_port", "to", "to_port"]
    assert len(rows) == 2 * len(computed.graph.link_ids)
    with qtbot.waitSignal(panel.saving) as caught:
        panel.hot_links.save.click()
    caught.args[2](tmp_path / "links.csv")
    assert (tmp_path / "links.csv").read_text().count("\n") == len(rows) + 1


def test_another_network_can_carry_the_traffic(panel, session):
    choose(panel.controls.fields["network"], "Storage")
    assert session.workbench.simulation.scenario.network == "storage"


def test_networks_that_the_design_does_not_have_are_grey_until_they_are_drawn(panel, session):
    def grey():
        model = panel.controls.fields["network"].model()
        return [model.item(row).text() for row in range(model.rowCount()) if not model.item(row).isEnabled()]

    assert grey() == ["Storage", "In-band management", "North-south", "Out-of-band management"]
    leaf = next(switch for switch in session.design.switches() if switch.role == "leaf")
    session.push(operations.set_network(session.design, [leaf.id], "storage"))
    assert grey() == ["In-band management", "North-south", "Out-of-band management"]
    session.undo_stack.undo()
    assert "Storage" in grey()


def test_an_incast_begins_with_as_many_senders_as_there_are(panel, session, qtbot):
    choose(panel.controls.traffic, "Incast (pattern)")
    assert session.workbench.simulation.scenario.traffic == "incast:15"
    session.workbench.simulation.scenario = replace(
        session.workbench.simulation.scenario, ranks=4, traffic="all-to-all"
    )
    choose(panel.controls.traffic, "Incast (pattern)")
    assert session.workbench.simulation.scenario.traffic == "incast:3"


def test_links_that_are_full_all_the_time_come_before_those_full_for_a_moment(session, catalog, qtbot):
    parameters = fat_tree.FatTreeParameters(
        switch="generic-switch-8x400g", server="generic-host", servers=8, oversubscription=2, racks="none"
    )
    session.push(fat_tree.build(session.design, parameters, catalog))
    first, second, *rest = session.design.links
    peaks = {one: (0.5, 1.0 - 1e-13 if one == second else 1.0) for one in (first, second, *rest)}
    means = {one: (0.4, 1.0 if one == second else 0.6) for one in peaks}
    ranked = hottest(session.design, Heat(0, peaks), means)
    assert (ranked[0].link_id, ranked[0].mean) == (second, 1.0)
    assert {row.mean for row in ranked[1:]} == {0.6}


def test_hot_links_have_the_colours_of_the_drawing(session, catalog):
    """Links that NICs fill and congested ones are both at 100 %, and differ in color."""
    parameters = fat_tree.FatTreeParameters(
        switch="generic-switch-8x400g", server="generic-host", servers=8, oversubscription=2, racks="none"
    )
    session.push(fat_tree.build(session.design, parameters, catalog))
    first, second, third, *_ = session.design.links
    heat = Heat(0, {first: (1.0, 0.0), second: (0.0, 1.0), third: (0.3, 0.0)}, congested={second: (0.0, 1.0)})
    colour = {row.link_id: colour_of_class(row.number, LIGHT) for row in hottest(session.design, heat)}
    assert colour == {
        first: colour_of_class(FULL_BY_DESIGN, LIGHT),
        second: colour_of_class(CONGESTED_CLASS, LIGHT),
        third: colour_of_class(bucket_of(0.3), LIGHT),
    }
    assert len(set(colour.values())) == 3


def test_the_figures_say_which_gpus_send_over_nics_of_others(qtbot, session, catalog, appearance):
    parameters = fat_tree.FatTreeParameters(servers=2, nics_per_server=7)
    session.push(fat_tree.build(session.design, parameters, catalog))
    panel = SimulationPanel(session, appearance)
    qtbot.addWidget(panel)
    panel.run_wanted.connect(session.workbench.simulation.run)
    panel.show()
    qtbot.mouseClick(panel.controls.run, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: session.workbench.simulation.heat is not None, timeout=PATIENCE_MS)
    stated = "2 GPUs have no NIC in service of their own and send over those of other GPUs"
    assert stated in panel.summary.notices.text()
    assert "gpu-01 and 1 more server: GPU 7 over rail7" in panel.assumptions.text.text()


def test_entries_of_the_traffic_list_explain_themselves(panel):
    traffic = panel.controls.traffic
    row = traffic.findText("All-to-all (pattern)")
    tip = traffic.itemData(row, Qt.ItemDataRole.ToolTipRole)
    assert "one flow to every other rank" in tip and "no algorithm" in tip
    assert traffic.itemData(traffic.findText("All-to-all"), Qt.ItemDataRole.ToolTipRole)


def test_after_a_failure_the_panel_says_that_the_result_is_out_of_date_and_why(panel, session, computed):
    session.set_failed(frozenset({next(iter(session.design.switches())).id}))
    assert "switch on Settings > Rerun after failures" in panel.controls.state.text()
    session.workbench.simulation.reruns_after_failures = True
    session.workbench.simulation.wall_s = 5.0
    session.workbench.simulation.start_up_s = 0.0
    panel.controls.refresh_state()
    assert "The run took 5 s, and those over 2 s are not repeated by themselves" in panel.controls.state.text()


def test_the_time_to_load_the_simulation_is_named_where_it_is_most_of_a_run(panel, session, computed):
    simulation = session.workbench.simulation
    for took, loading, stated in (
        (6.3, 6.2, "Current: computed in 6.3 s, 6.2 s of it to load the simulation once."),
        (6.3, 3.0, "Current: computed in 6.3 s."),
        (0.5, 0.4, "Current: computed in 500 ms."),
    ):
        simulation.wall_s, simulation.start_up_s = took, loading
        panel.controls.refresh_state()
        assert panel.controls.state.text() == stated
