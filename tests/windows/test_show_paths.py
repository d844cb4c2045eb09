"""Show Paths: select two, press P; every path is lit, listed hop by hop, and follows edits, failures and runs."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QHeaderView, QStyleOptionViewItem

from designer.exchange.diagram_options import DiagramOptions
from designer.exchange.exporters_diagram import lit_paths
from designer.panels.simulation.paths import _note
from designer.panels.widgets.cut_texts import LINE
from designer.simulation.paths.place import Place
from designer.simulation.paths.rows import FlowPath
from designer.simulation.scenario import Scenario
from designer.topologies import fat_tree, k_ary_fat_tree
from designer.windows.export.as_shown import as_shown

PATIENCE_MS = 60_000


@pytest.fixture
def session(window, catalog):
    """16 hosts under four leafs of eight ports and two spines, two links from each leaf to each."""
    parameters = fat_tree.FatTreeParameters(
        switch="generic-switch-8x400g", server="generic-host", servers=16, racks="none"
    )
    session = window.session
    session.push(fat_tree.build(session.design, parameters, catalog))
    session.workbench.simulation.scenario = Scenario(traffic="shift:4", size_bytes=1e9)
    return session


@pytest.fixture
def ends(session):
    return [one.id for one in session.design.servers() if one.name in ("host-01", "host-16")]


def found(session, qtbot, count=None):
    job = session.workbench.paths
    qtbot.waitUntil(
        lambda: job.found is not None and not job.running and count in (None, job.found.n_paths), timeout=PATIENCE_MS
    )
    return job.found


@pytest.fixture
def shown(window, session, ends, qtbot):
    session.select(ends)
    window.actions_table.trigger("simulate.paths")
    return found(session, qtbot)


def test_two_selected_devices_have_their_paths_lit_and_listed(window, session, ends, shown):
    panel = window.docks.paths
    assert window.docks.shown("paths") and panel.paths.rows == shown.paths
    assert shown.n_paths == 8 and [path.share for path in shown.paths] == pytest.approx([0.5] * 2)
    assert [hop.target for hop in panel.hops.rows] == [hop.target for hop in shown.paths[0].hops]
    assert "8 paths" in panel.summary.text() and "These are the paths that one flow would take." in panel.note.text()
    lit = window.views.canvas.fabric._spotlight.lit(window.views.canvas.fabric.composition)
    assert lit is not None and lit.links == set(shown.links) and set(lit.ends) == set(ends)


def test_both_ends_are_brought_into_sight(window, session, ends, qtbot):
    canvas = window.views.canvas
    canvas.look_at(canvas.subject.rect_of(ends[0]))
    session.select(ends)
    window.actions_table.trigger("simulate.paths")

    def are_seen():
        left, top, right, bottom = canvas.camera.seen(canvas.width(), canvas.height())
        rects = map(canvas.subject.rect_of, ends)
        return all(left <= one[0] and top <= one[1] and one[2] <= right and one[3] <= bottom for one in rects)

    assert not are_seen()
    qtbot.waitUntil(are_seen, timeout=PATIENCE_MS)


def test_loads_of_a_run_are_listed_as_soon_as_it_is_there(window, session, shown, qtbot):
    assert {hop.utilization for path in shown.paths for hop in path.hops} == {None}
    session.workbench.simulation.run()
    qtbot.waitUntil(lambda: session.workbench.simulation.state == "current", timeout=PATIENCE_MS)
    qtbot.waitUntil(lambda: found(session, qtbot).paths[0].utilization is not None, timeout=PATIENCE_MS)
    assert window.docks.paths.paths.rows[0].utilization == pytest.approx(1.0)


def test_a_failure_and_its_undo_are_followed(session, shown, qtbot):
    spine = next(one for one in session.design.switches() if one.role == "spine")
    session.mark_as_failed(frozenset((spine.id,)), "Fail spine", is_look=False)
    assert found(session, qtbot, 4).paths[0].share == pytest.approx(1)
    session.mark_as_failed(frozenset(), "Restore", is_look=False)
    assert found(session, qtbot, 8).n_groups == 2


def test_another_routing_and_an_edit_are_followed(session, ends, shown, qtbot):
    session.workbench.simulation.scenario = Scenario(traffic="shift:4", size_bytes=1e9, routing="ecmp")
    assert found(session, qtbot, 1).routing == "ecmp"
    session.undo_stack.undo()
    assert session.workbench.paths.asked is None, "with its ends the paths are gone"


def test_a_row_brings_its_links_out_and_a_hop_selects_its_own(window, session, shown):
    panel, job = window.docks.paths, session.workbench.paths
    panel.paths.chosen.emit(shown.paths[1])
    assert job.chosen == shown.paths[1].link_ids and panel.hops.rows == shown.paths[1].hops
    panel.hops.chosen.emit(panel.hops.rows[2])
    assert session.selection == set(shown.paths[1].hops[2].link_ids) == job.chosen
    assert job.asked is not None, "the list stays"


def test_the_ends_are_narrowed_and_swapped_in_the_panel(window, session, ends, shown, qtbot):
    panel, job = window.docks.paths, session.workbench.paths
    panel.buttons["Swap"].click()
    assert [place.device_id for place in job.asked] == [place.device_id for place in reversed(_places(session, ends))]
    first = found(session, qtbot)
    assert first.paths[0].hops[0].source == "host-16"
    port = panel.ends[0]._choices[1][0]
    panel._narrow(0, port)
    assert job.asked[0].port is not None and found(session, qtbot).source.startswith("host-16 ")
    assert panel.ends[0].value == port
    panel._narrow(0, "all")
    assert job.asked[0] == Place(job.asked[0].device_id)


def _places(session, ends):
    return sorted((Place(one) for one in ends), key=lambda place: session.design.device(place.device_id).name)


def test_esc_on_the_canvas_ends_the_paths_and_then_the_selection(window, session, ends, shown):
    canvas = window.views.canvas
    QTest.keyClick(canvas, Qt.Key.Key_Escape)
    assert session.workbench.paths.asked is None and session.selection == set(ends)
    assert canvas.fabric._spotlight.lit(canvas.fabric.composition) is None
    assert not window.docks.paths.empty.isHidden()
    QTest.keyClick(canvas, Qt.Key.Key_Escape)
    assert not session.selection


def test_esc_in_the_panel_ends_them_too(window, session, shown):
    QTest.keyClick(window.docks.paths.hops, Qt.Key.Key_Escape)
    assert session.workbench.paths.asked is None


def test_two_spines_are_refused_in_a_sentence(window, session, qtbot):
    spines = [one.id for one in session.design.switches() if one.role == "spine"]
    session.select(spines)
    window.actions_table.trigger("simulate.paths")
    job = session.workbench.paths
    qtbot.waitUntil(lambda: job.error is not None, timeout=PATIENCE_MS)
    assert "only pass traffic on" in window.docks.paths.summary.text()
    assert window.docks.paths._tables.isHidden()


def test_a_spine_can_be_an_end_and_exports_light_the_same(window, session, ends, qtbot):
    spine = next(one for one in session.design.switches() if one.role == "spine")
    session.select([ends[0], spine.id])
    window.actions_table.trigger("simulate.paths")
    shown = found(session, qtbot)
    assert spine.id in shown.devices and shown.links
    looks = as_shown(window.desk, DiagramOptions)
    assert looks["paths"] == ("host-01", spine.name) and looks["paths_of"] == "shift:4"
    links, lit_ends = lit_paths(session.design, DiagramOptions(**looks))
    assert links == set(shown.links) and set(lit_ends) == {ends[0], spine.id}
    session.workbench.paths.end()
    assert "paths" not in as_shown(window.desk, DiagramOptions)


def test_a_selected_link_stands_for_its_port_on_the_server(window, session, ends, qtbot):
    link = session.design.links_of(ends[0])[0]
    session.select([link.id, ends[1]])
    window.actions_table.trigger("simulate.paths")
    assert found(session, qtbot).n_paths == 8
    assert session.workbench.paths.asked[0].device_id == ends[0] and session.workbench.paths.asked[0].port


@pytest.mark.parametrize(("count", "text"), [(0, "Select two"), (1, "(now 1 is)"), (3, "(now 3 are)")])
def test_another_selection_than_two_ends_is_answered_with_a_sentence(window, session, ends, count, text):
    session.select([one.id for one in session.design.servers()][:count])
    window.actions_table.trigger("simulate.paths")
    assert text in window.notice.text.text()
    assert session.workbench.paths.asked is None


def test_findings_come_back_to_the_front_when_the_paths_end(window, session, shown):
    session.workbench.paths.end()
    assert window.docks.shown("findings") and not window.docks.shown("paths")


def test_the_rest_is_dimmed_and_the_path_is_not(window, session, ends, qtbot):
    canvas = window.views.canvas
    window.resize(1400, 900)
    other = next(one.id for one in session.design.servers() if one.name == "host-08")

    def colour(device_id):
        box = canvas.box_px(device_id)
        return canvas.grab().toImage().pixelColor(int(box.left() + box.width() * 0.5), int(box.bottom() - 4))

    before = {one: colour(one) for one in (ends[0], other)}
    canvas.fabric.session.workbench.paths.show((Place(ends[0]), Place(ends[1])))
    found(session, qtbot)
    background = canvas.theme.background
    assert colour(ends[0]) == before[ends[0]]
    dimmed = colour(other)
    assert dimmed != before[other] or before[other].name() == background


def test_a_device_the_mouse_rests_on_lights_its_links_and_moving_on_ends_it(window, session, ends, qtbot):
    canvas = window.views.canvas
    window.resize(1400, 900)
    spotlight, composition = canvas.fabric._spotlight, canvas.fabric.composition
    box = canvas.box_px(ends[0])
    QTest.mouseMove(canvas, QPoint(int(box.center().x()), int(box.center().y())))
    assert spotlight.lit(composition) is None, "not while it passes by"
    qtbot.waitUntil(lambda: spotlight.lit(composition) is not None, timeout=5_000)
    lit = spotlight.lit(composition)
    assert lit.links == {link.id for link in session.design.links_of(ends[0])} and ends[0] in lit.devices
    QTest.mouseMove(canvas, QPoint(4, 4))
    qtbot.waitUntil(lambda: spotlight.lit(composition) is None)


@pytest.mark.own_window
def test_a_press_ends_what_the_mouse_rested_on(window, session, ends, qtbot):
    canvas = window.views.canvas
    spotlight, composition = canvas.fabric._spotlight, canvas.fabric.composition
    box = canvas.box_px(ends[0])
    at = QPoint(int(box.center().x()), int(box.center().y()))
    QTest.mouseMove(canvas, at)
    qtbot.waitUntil(lambda: spotlight.lit(composition) is not None, timeout=5_000)
    QTest.mousePress(canvas, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
    assert spotlight.lit(composition) is None
    QTest.mouseRelease(canvas, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)


def test_the_table_is_copied_as_the_command_line_lists_it(window, shown):
    table = window.docks.paths.results()
    assert table.headings[:4] == ["path", "from", "port", "to"]
    assert len(table.values) == sum(len(path.hops) for path in shown.paths)


@pytest.fixture
def three_tiers(window, catalog, qtbot):
    """Paths of 16 hosts in four pods, between the first and the last."""
    session = window.session
    parameters = k_ary_fat_tree.KAryFatTreeParameters(k=4)
    session.push(k_ary_fat_tree.build(session.design, parameters, catalog))
    servers = [one.id for one in session.design.servers()]
    session.select((servers[0], servers[-1]))
    window.actions_table.trigger("simulate.paths")
    return found(session, qtbot)


def test_rows_say_what_distinguishes_paths_and_a_note_what_all_lead_through(window, three_tiers):
    panel = window.docks.paths
    shown = [panel.paths.texts(number)[0] for number in range(len(panel.paths.rows))]
    assert shown == [
        "spine-01 → core-01 → spine-07",
        "spine-01 → core-02 → spine-07",
        "spine-02 → core-03 → spine-08",
        "spine-02 → core-04 → spine-08",
    ]
    assert "All listed paths lead through leaf-01 and leaf-08." in panel.note.text()


@pytest.mark.parametrize("width", [250, 180, 120])
def test_rows_of_paths_stay_apart_and_whole_in_a_narrow_list(window, three_tiers, width):
    table = window.docks.paths.paths
    table.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Interactive)
    table.header().resizeSection(0, width)
    written = []
    for row in range(4):
        option = QStyleOptionViewItem()
        table.initViewItemOption(option)
        index = table.model().index(row, 0)
        option.rect = QRect(0, 0, width, 100)
        table.itemDelegateForIndex(index).initStyleOption(option, index)
        written.append(option.text)
        n_lines = 1 + option.text.count(LINE)
        assert table.itemDelegateForIndex(index).sizeHint(option, index).height() >= (
            n_lines * option.fontMetrics.lineSpacing()
        )
    assert len(set(written)) == 4


def test_routing_latency_and_kinds_of_shares_are_named(window, shown):
    panel = window.docks.paths
    assert panel.summary.text().startswith("Routing: Spray. 1 flow, 8 paths")
    assert panel.note.text().startswith("The traffic (shift:4) sends nothing from host-01 to host-16.")
    latency = FlowPath.COLUMNS[-2]
    assert latency.key == "latency_ns" and latency.shown(shown.paths[0].latency_ns) in panel.way.text()
    assert panel.way.text().startswith("host-01 → host-16: 4 hops, latency ")
    headings = [[column.title for column in table.shown.columns] for table in (panel.paths, panel.hops)]
    assert "Path share" in headings[0] and "Link share" in headings[1]
    assert "Load" not in headings[0]


def test_in_a_narrow_panel_both_lists_keep_share_and_load(window, shown, qtbot):
    panel, scrolled = window.docks.paths, window.docks._docks["paths"].widget()
    scrolled.setWidgetResizable(False)  # else the panel is as wide as its dock

    def hidden(table):
        return [column.key for number, column in enumerate(table.shown.columns) if table.isColumnHidden(number)]

    panel.resize(480, 250)
    panel.hops.resize(200, 200)
    assert hidden(panel.paths) == ["paths", "capacity_gbps", "latency_ns"]
    assert hidden(panel.hops) == ["capacity_gbps", "latency_ns"]
    panel.resize(1400, 250)
    panel.paths.resize(600, 200)
    panel.hops.resize(600, 200)
    assert hidden(panel.paths) == hidden(panel.hops) == []


@pytest.mark.parametrize("more_px", [0, 40])
def test_both_ends_of_a_hop_share_the_room_with_their_ports_and_no_figure_is_cut(window, shown, qtbot, more_px):
    table = window.docks.paths.hops
    scrolled = window.docks._docks["paths"].widget()
    scrolled.setWidgetResizable(False)
    window.docks.paths.resize(1400, 250)
    table.resize(2000, 200)  # with all columns
    table.resize(table.least_width_px() + table.width() - table.viewport().width() + more_px, 200)
    qtbot.waitUntil(lambda: table.header().length() <= table.viewport().width(), timeout=PATIENCE_MS)
    sizes = {column.key: table.columnWidth(number) for number, column in enumerate(table.shown.columns)}
    assert abs(sizes["end"] - sizes["far_end"]) <= 1 and sizes["latency_ns"] >= table.wanted_px(5)
    hop = shown.paths[0].hops[1]
    assert len(hop.link_ids) == 2
    for number, (name, ports) in enumerate(((hop.source, hop.port), (hop.target, hop.target_port))):
        option, index = QStyleOptionViewItem(), table.model().index(1, number)
        table.initViewItemOption(option)
        option.rect = QRect(0, 0, sizes["end"] // 2, 20)
        table.itemDelegateForIndex(index).initStyleOption(option, index)
        assert option.text.startswith("…") and option.text.endswith(f"{name[-2:]} {ports.split(', ')[0]} +1")


def test_of_paths_that_are_not_all_listed_the_note_is_of_the_listed_ones_alone(window, three_tiers):
    some = replace(three_tiers, n_groups=9, n_paths=9)
    assert _note(three_tiers).endswith("lead through leaf-01 and leaf-08.")
    assert _note(some).endswith("All listed paths lead through leaf-01 and leaf-08; others may lead elsewhere.")
