"""Panels that a first window does not show are made when they are shown, and show what happened before."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QTabBar,
    QWidget,
)

from designer.model import operations
from designer.panels.comparison import ComparisonPanel
from designer.panels.simulation.failures import FailuresPanel
from designer.panels.simulation.panel import SimulationPanel
from designer.panels.simulation.paths import PathsPanel
from designer.panels.studies.histogram import LoadHistogram
from designer.panels.studies.panel import StudiesPanel
from designer.panels.tables import TablesPanel

pytestmark = pytest.mark.own_window

EXAMPLE = Path(__file__).parents[2] / "examples" / "fat-tree-16-2to1.fabric"
PATIENCE_MS = 60_000
LATE = {
    "simulation": SimulationPanel,
    "studies": StudiesPanel,
    "failures": FailuresPanel,
    "paths": PathsPanel,
    "comparison": ComparisonPanel,
    "tables": TablesPanel,
}


WITH_FIELDS = [name for name in LATE if name != "paths"]
"""Paths have none before some are asked for."""


def made(window):
    return {name for name, kind in LATE.items() if window.findChild(kind) is not None}


def test_a_new_window_makes_the_panels_that_it_shows(window):
    assert made(window) == set()


@pytest.mark.parametrize("name", LATE)
def test_a_panel_is_made_when_it_is_shown_and_once(window, qtbot, name):
    window.docks.show(name)
    assert made(window) == {name}
    panel = getattr(window.docks, name)
    qtbot.waitUntil(panel.isVisible)
    window.docks.toggle(name)
    window.docks.show(name)
    assert window.findChildren(LATE[name]) == [panel]


def test_a_click_on_its_tab_makes_a_panel(window, qtbot):
    bar, at = next(
        (bar, n) for bar in window.findChildren(QTabBar) for n in range(bar.count()) if bar.tabText(n) == "Simulation"
    )
    qtbot.mouseClick(bar, Qt.MouseButton.LeftButton, pos=bar.tabRect(at).center())
    assert made(window) == {"simulation"}
    assert window.docks.simulation.isVisible()


def test_a_panel_that_was_open_last_is_made_in_the_next_window(make_window, qtbot):
    first = make_window()
    first.show()
    first.views.show_canvas()
    first.docks.show("studies")
    first.close()
    second = make_window()
    second.show()
    second.views.show_canvas()
    qtbot.waitUntil(lambda: second.docks.shown("studies"))
    assert "studies" in made(second)
    assert second.docks.studies.isVisible()


@pytest.mark.parametrize("name", [name for name in LATE if name != "paths"])
def test_the_keyboard_goes_into_a_panel_that_is_made_for_it(window, name):
    window.docks.focus(name)
    assert getattr(window.docks, name).isAncestorOf(QApplication.focusWidget())


def test_a_panel_behind_others_gets_the_keyboard_as_soon_as_it_is_made(window, qtbot):
    window.docks.show("findings")
    window.docks._docks["studies"].show()  # in front of the findings, which are a tab beside it
    window.docks._docks["findings"].raise_()
    window.docks.focus("simulation")  # a tab behind the inspector
    assert window.docks.simulation.isAncestorOf(QApplication.focusWidget())


def sizes(window):
    return {name: dock.geometry().getRect() for name, dock in window.docks._docks.items() if window.docks.shown(name)}


def test_docks_have_the_sizes_that_they_have_when_all_panels_are_made_at_once(make_window, qtbot):
    windows = [make_window(settings=f"{n}.ini") for n in range(2)]
    for name in LATE:
        getattr(windows[0].docks, name)
    found = [[], []]
    for window, seen in zip(windows, found, strict=True):
        window.show()
        qtbot.waitExposed(window)
        window.views.show_canvas()
        kept = window.saveState()
        for act in (
            lambda docks: docks.show("studies"),
            lambda docks: docks.show("simulation"),
            lambda docks: docks.toggle("failures"),
            lambda docks: docks.put_away(),
            lambda docks: docks.bring_back(),
            lambda _docks, window=window: window.resize(1024, 700),
            lambda docks: docks.show("tables"),
            lambda _docks, window=window, kept=kept: window.restoreState(kept),
        ):
            act(window.docks)
            for _turn in range(3):  # bars and docks ask for their room one after the other
                QApplication.processEvents()
            seen.append(sizes(window))
        window.hide()
    assert found[1] == found[0]


def shown_in(panel):
    """All that is seen of it: texts, fields, boxes, cells and columns, and what can be used."""
    seen = []
    for one in panel.findChildren(QWidget):
        if not one.isVisibleTo(panel) or one.objectName().startswith("qt_"):
            continue
        value = next((read(one) for kind, read in READ if isinstance(one, kind)), None)
        if value:
            seen.append((type(one).__name__, value, one.isEnabled()))
    return seen


def cells_of(view):
    model, header = view.model(), getattr(view, "header", lambda: None)()
    shown = [n for n in range(model.columnCount()) if header is None or not header.isSectionHidden(n)]
    titles = [model.headerData(n, Qt.Orientation.Horizontal) for n in shown] if header is not None else []
    return titles, [[model.index(row, n).data() for n in shown] for row in range(model.rowCount())]


READ = (
    (QLabel, QLabel.text),
    (QAbstractButton, lambda button: button.text() and (button.text(), button.isChecked(), button.toolTip())),
    (QComboBox, lambda box: ([box.itemText(n) for n in range(box.count())], box.currentText())),
    (QLineEdit, lambda line: (line.text(), line.placeholderText())),
    (QTabBar, lambda bar: [bar.tabText(n) for n in range(bar.count())]),
    (QAbstractItemView, cells_of),
    (LoadHistogram, lambda histogram: histogram.counts),
)


def made_now(kind, window):
    panel = kind(window.session) if kind in (PathsPanel, TablesPanel) else kind(window.session, window.appearance)
    panel.setParent(window, Qt.WindowType.Window)  # goes with it
    return panel


def differences(window, qtbot):
    """What panels made now show otherwise than those made before all that happened, each seen at the same size."""
    found = {}
    for name, kind in LATE.items():
        window.docks.show(name)
        early = getattr(window.docks, name)
        qtbot.waitUntil(early.isVisible)
        late = made_now(kind, window)
        late.resize(early.size())
        late.show()
        qtbot.waitExposed(late)
        QApplication.processEvents()
        assert shown_in(early), name
        if shown_in(late) != shown_in(early):
            found[name] = [pair for pair in zip(shown_in(early), shown_in(late), strict=False) if pair[0] != pair[1]]
        late.hide()
    return found


@pytest.fixture
def early(window):
    """A window that made these panels before anything happened, with a small design."""
    for name in LATE:
        getattr(window.docks, name)
    window.session.open(EXAMPLE)
    window.views.show_canvas()
    return window


def run(window, qtbot):
    simulation = window.session.workbench.simulation
    simulation.run()
    qtbot.waitUntil(lambda: simulation.state == "current", timeout=PATIENCE_MS)


def test_panels_made_late_show_of_a_design_what_those_made_early_do(early, qtbot):
    assert not differences(early, qtbot)
    early.session.select([early.session.design.servers()[0].id])
    scenario = early.session.workbench.simulation.scenario
    early.session.workbench.simulation.scenario = replace(scenario, collective="all-to-all", routing="ecmp")
    assert not differences(early, qtbot)
    early.session.workbench.simulation.scenario = replace(scenario, collective=None, traffic="shift:1", model="nccl")
    assert not differences(early, qtbot)


def test_panels_made_late_show_of_a_run_what_those_made_early_do(early, qtbot):
    session = early.session
    run(early, qtbot)
    assert sum(early.docks.simulation.histogram.counts) > 0
    session.workbench.pins.pin()
    assert not differences(early, qtbot)
    session.push(operations.delete(session.design, [next(iter(session.design.links))]))
    assert session.workbench.simulation.state == "stale"
    assert not differences(early, qtbot)
    early.appearance.choice = "dark"
    assert not differences(early, qtbot)


def test_panels_made_early_show_the_runs_that_are_kept_of_a_design(early, qtbot):
    session, pins = early.session, early.session.workbench.pins
    run(early, qtbot)
    pins.pin()
    qtbot.waitUntil(lambda: not session.jobs.busy("pinned-keeping"), timeout=PATIENCE_MS)
    session.open(EXAMPLE)
    panel = early.docks.simulation
    assert pins.n_waiting == 1 and not pins.runs and panel.heat_choice.isHidden()
    qtbot.waitUntil(lambda: len(pins.runs) == 1, timeout=PATIENCE_MS)
    assert not panel.heat_choice.isHidden() and not differences(early, qtbot)


def test_panels_made_late_show_of_a_failure_what_those_made_early_do(early, qtbot):
    session = early.session
    run(early, qtbot)
    early.docks.failures.controls.show_kind("switch")
    early.docks.failures.run()
    qtbot.waitUntil(lambda: session.workbench.failures.state == "current", timeout=PATIENCE_MS)
    early.docks.failures.controls.show_kind("link")
    spine = next(one for one in session.design.devices.values() if one.role == "spine")
    session.mark_as_failed(frozenset((spine.id,)), "Fail spine", is_look=False)
    run(early, qtbot)
    session.workbench.simulation.find_healthy()
    qtbot.waitUntil(lambda: session.workbench.simulation.healthy is not None, timeout=PATIENCE_MS)
    assert not early.docks.failures.compared.isHidden()
    assert not differences(early, qtbot)


def test_panels_made_late_show_of_all_work_what_those_made_early_do(early, qtbot, answers):
    session, docks, job = early.session, early.docks, early.session.workbench
    session.select([one.id for one in session.design.servers()[:2]])
    early.actions_table.trigger("simulate.paths")
    qtbot.waitUntil(lambda: job.paths.found is not None and not job.paths.running, timeout=PATIENCE_MS)
    docks.failures.controls.show_kind("switch")
    docks.failures.run()
    qtbot.waitUntil(lambda: job.failures.state == "current", timeout=PATIENCE_MS)
    docks.failures.controls.show_kind("link")
    answers.on_open = [EXAMPLE]
    early.actions_table.trigger("file.compare")
    qtbot.waitUntil(lambda: job.comparison.figures is not None, timeout=PATIENCE_MS)
    assert not differences(early, qtbot)


def test_a_panel_made_while_a_short_run_repeats_another_has_one_state(early, qtbot):
    run(early, qtbot)
    simulation = early.session.workbench.simulation
    simulation.run()
    assert simulation.is_brief
    late = made_now(SimulationPanel, early)
    assert late._empty.isHidden() != late._results.isHidden()
    assert late.hot_links.table.isHidden() != late.hot_links.empty.isHidden()
    timeline = made_now(StudiesPanel, early).timeline
    assert timeline._results.isHidden() != timeline.empty.isHidden()
    qtbot.waitUntil(lambda: simulation.state == "current", timeout=PATIENCE_MS)
