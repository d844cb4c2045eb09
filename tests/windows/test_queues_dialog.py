"""The Queues dialog on a real fabric in the real window."""

import numpy as np
import pytest
from PySide6.QtCore import Qt

from designer.regeneration import recipes
from designer.simulation.queues.analysis import queues_of_design
from designer.simulation.queues.request import QueueSettings
from designer.simulation.scenario import Scenario
from designer.topologies.pgft import PgftParameters

TRAFFIC = Scenario(traffic="shift:4", size_bytes=2e5)


@pytest.fixture
def dialog(window):
    """4 leaf switches of 4 hosts with 2 uplinks each: 2:1."""
    session = window.session
    family = recipes.family_named("pgft")
    parameters = PgftParameters(children=(4, 4), parents=(1, 2))
    session.push(recipes.generated(session.design, family, parameters, session.catalog))
    session.workbench.simulation.scenario = TRAFFIC
    window.actions_table.trigger("simulate.queues")
    return window.dialogs["queues"]


@pytest.fixture
def computed(dialog, qtbot):
    dialog.form.set_text("duration_s", "2ms")
    qtbot.mouseClick(dialog.run_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: dialog.found is not None, timeout=90_000)
    return dialog


def test_it_shows_what_the_command_line_computes_and_selects_the_link(computed):
    session = computed._session
    again = queues_of_design(session.design, TRAFFIC, QueueSettings(duration_s=2e-3))
    found = computed.found
    assert len(computed.table.rows) == found.n_bottlenecks == again.n_bottlenecks == 8
    assert [row.peak_queue_bytes for row in found.bottlenecks] == [row.peak_queue_bytes for row in again.bottlenecks]
    assert session.selection == {found.bottlenecks[0].link_id}
    computed.table.choose(3)
    assert session.selection == {found.bottlenecks[3].link_id}
    assert computed.queue.row is found.bottlenecks[3]
    assert "ideal" in computed.conclusion.text()


def test_the_plot_has_the_queue_and_a_line_for_each_threshold(computed):
    row = computed.row
    lines = [item for item in computed.queue.widget.getPlotItem().items if hasattr(item, "angle")]
    at = sorted(10 ** float(line.value()) for line in lines)
    assert at == pytest.approx(sorted([row.k_min_bytes, row.k_max_bytes, row.xoff_bytes, row.stable_queue_bytes]))
    _, drawn = computed.queue.widget.getPlotItem().listDataItems()[0].getData()
    assert 10 ** np.max(drawn) == pytest.approx(row.peak_queue_bytes)
    _, fastest = computed.rates.widget.getPlotItem().listDataItems()[0].getData()
    assert fastest[0] <= 2.01 * row.fair_rate_gbps


def test_an_edit_and_another_traffic_make_the_answer_void(computed):
    session = computed._session
    session.workbench.simulation.scenario = Scenario(traffic="incast:3", size_bytes=1e5)
    assert computed.found is None
    assert not computed.table.rows
    assert "incast:3" in computed.traffic.text()
    assert computed.queue.row is None


def test_a_wrong_setting_is_named_and_nothing_runs(dialog, qtbot):
    dialog.form.set_text("k_min_bytes", "2MB")
    dialog.form.set_text("k_max_bytes", "1MB")
    qtbot.mouseClick(dialog.run_button, Qt.MouseButton.LeftButton)
    assert "Kmax should be more than Kmin" in dialog.refusal.text()
    assert not dialog._session.jobs.busy("queues")
    dialog.form.set_text("k_max_bytes", "much")
    qtbot.mouseClick(dialog.run_button, Qt.MouseButton.LeftButton)
    assert dialog.refusal.text().startswith("Kmax:")
    dialog.form.set_text("k_min_bytes", "little")
    qtbot.mouseClick(dialog.run_button, Qt.MouseButton.LeftButton)
    assert "Kmin:" in dialog.refusal.text()
    assert "Kmax:" in dialog.refusal.text()


def test_computing_can_be_cancelled_and_closing_stops_it(dialog, qtbot):
    dialog.form.set_text("duration_s", "2s")
    qtbot.mouseClick(dialog.run_button, Qt.MouseButton.LeftButton)
    assert dialog.run_button.text() == "Cancel"
    qtbot.mouseClick(dialog.run_button, Qt.MouseButton.LeftButton)
    assert dialog.run_button.text() == "Compute"
    qtbot.waitUntil(lambda: not dialog._session.jobs.busy("queues"), timeout=60_000)
    assert dialog.found is None


def test_traffic_without_a_bottleneck_says_what_to_choose(dialog, qtbot):
    dialog._session.workbench.simulation.scenario = Scenario(traffic="shift:1", size_bytes=2e5, ranks=4)
    qtbot.mouseClick(dialog.run_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: dialog.found is not None, timeout=60_000)
    assert "such as an incast" in dialog.conclusion.text()


def test_the_span_shown_ends_where_it_says(computed):
    computed.span.setCurrentIndex(1)
    computed.span.activated.emit(1)
    (_, end), _ = computed.queue.widget.getPlotItem().viewRange()
    assert end == pytest.approx(min(1.0, 1e3 * computed.row.course.end_s), rel=0.05)


def test_a_design_of_infiniband_alone_says_so_at_once_and_computes_nothing(window):
    session = window.session
    family = recipes.family_named("fat-tree")

    def draw(switch):
        parameters = family.parameters(server="dgx-h100", servers=4, switch=switch)
        session.push(recipes.generated(session.design, family, parameters, session.catalog))

    draw("nvidia-qm9700")
    window.actions_table.trigger("simulate.queues")
    dialog = window.dialogs["queues"]
    assert not dialog.run_button.isEnabled()
    assert (
        "InfiniBand" in dialog.conclusion.text()
        and "choose a design with Ethernet switches" in dialog.conclusion.text()
    )
    draw("nvidia-sn5600")
    assert dialog.run_button.isEnabled() and dialog.conclusion.text().startswith("Compute follows")
