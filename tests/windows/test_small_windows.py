"""A small window: the canvas gives way first, the panels stay readable, and everything comes back.

On a screen of 1100 by 700 pixels with letters of 14 pt every dialog and every panel can be read.
"""

import contextlib
import re
from pathlib import Path

import pytest
from fitting import SMALL, faults
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QFont, QFontInfo, QFontMetrics
from PySide6.QtWidgets import QLineEdit, QScrollArea, QTabBar, QToolButton, QTreeView
from pytestqt.exceptions import TimeoutError as QtBotTimeoutError

import designer.windows
from designer.panels.widgets import fitting
from designer.panels.widgets.appearance import style_sheet
from designer.panels.widgets.row_table import ROW_ROLE
from designer.panels.widgets.rows import LEAST_DETAIL, ROUNDING, detail_width
from designer.regeneration import recipes
from designer.storage import document
from designer.topologies.rail_optimized import RailOptimizedParameters
from designer.windows.application import follow_text_size
from designer.windows.dialogs.table import DIALOGS
from designer.windows.shell.docks import MOST_SHARES, NARROW_WIDTHS, PLACES

pytestmark = pytest.mark.own_window

FAULTS = Path(__file__).parents[2] / "examples" / "faults.fabric"
WINDOWS = 4
"""Every so many dialogs are read in one window."""


def widths(window):
    return {name: window.docks._docks[name].width() for name in ("palette", "inspector")}


def test_the_canvas_gives_way_first_and_the_panels_are_as_before_when_the_window_grows(window, qtbot):
    window.resize(1440, 900)
    qtbot.waitUntil(lambda: window.views.canvas.width() > 700)
    docks = [window.docks._docks[name] for name in ("palette", "inspector")]
    window.resizeDocks(docks, [300, 390], Qt.Orientation.Horizontal)
    qtbot.waitUntil(lambda: widths(window) == {"palette": 300, "inspector": 390})
    before = widths(window)
    window.resize(1300, 800)
    qtbot.waitUntil(lambda: window.views.canvas.width() < 620)
    assert widths(window) == before
    window.resize(1100, 700)
    qtbot.waitUntil(lambda: widths(window) == NARROW_WIDTHS)
    assert window.width() == 1100
    window.resize(1590, 960)
    qtbot.waitUntil(lambda: widths(window) == before)


def test_the_drawing_has_most_of_a_small_window(window, qtbot):
    window.resize(1100, 700)
    canvas = window.views.canvas
    qtbot.waitUntil(lambda: canvas.width() > 580)
    assert canvas.height() > 350
    window.docks.show("failures")
    qtbot.waitUntil(lambda: window.docks.failures.isVisible())
    assert canvas.height() > 350


def test_no_side_panel_gets_narrower_than_its_fields_and_studies_leave_them_their_room(window, qtbot):
    window.resize(1000, 650)
    window.docks.show("studies")
    qtbot.waitUntil(lambda: window.docks.studies.isVisible())
    assert window.width() == 1000
    assert widths(window)["palette"] >= 200
    assert widths(window)["inspector"] >= 280


def test_the_welcome_screen_fits_a_small_window(window, qtbot):
    window.views.show_welcome()
    qtbot.waitUntil(lambda: window.minimumWidth() <= 700)
    window.resize(700, 600)
    qtbot.waitUntil(lambda: window.width() == 700)
    card = window.views.welcome.buttons["file.open"]
    assert card.mapTo(window, card.rect().topRight()).x() <= 700


@pytest.fixture
def small_screen(qapp, monkeypatch):
    """14 pt, and a desktop of 1100 by 700 pixels."""
    usual, large = qapp.font(), qapp.font()
    large.setPointSize(14)
    qapp.setFont(large)
    monkeypatch.setattr(fitting, "room_for", lambda _window: QRect(QPoint(0, 0), SMALL))
    yield
    qapp.setFont(usual)


@pytest.fixture
def small(small_screen, window, catalog):
    """A fabric of eight servers in a window of that size."""
    family, session = recipes.family_named("rail-optimized"), window.session
    parameters = RailOptimizedParameters(servers=8, servers_per_su=4)
    session.push(recipes.generated(session.design, family, parameters, catalog))
    window.resize(SMALL)
    return window


def fill(name, dialog, qtbot):
    """Bring in what makes a dialog full."""
    if name in ("training", "inference"):
        qtbot.waitUntil(dialog.missing.isVisible)
        dialog.form.set_text("gpu_tflops", "989")
    elif name == "phases":
        dialog.compute()
        qtbot.waitUntil(lambda: bool(dialog.steps))
    elif name == "regenerate":
        qtbot.waitUntil(lambda: dialog.regeneration is not None)
    elif name == "catalog":
        dialog.choose("dgx-h100")
    elif name == "hand_over":
        dialog.do()
        qtbot.waitUntil(dialog.steps.isVisible, timeout=60_000)


@pytest.mark.parametrize("first", range(WINDOWS))
def test_every_dialog_can_be_read_on_a_small_screen_in_large_letters(small, qtbot, first):
    found = {}
    for name in sorted(DIALOGS)[first::WINDOWS]:
        small.dialogs.show(name)
        dialog = small.dialogs[name]
        fill(name, dialog, qtbot)
        qtbot.wait(50)
        found[name] = lasting_faults(dialog, qtbot)
        dialog.close()
    assert found == {name: [] for name in found} != {}


OPENED_IN = {"own type": "catalog", "growth": "generate"}
"""Dialogs that others open, and these."""


def opened(name, dialog, qtbot):
    """A dialog that another opened, filled."""
    if name == "own type":
        dialog.choose("dgx-h100")
        dialog._copy()
        return dialog.editor
    qtbot.waitUntil(lambda: dialog.compare.isEnabled() and dialog._parameters is not None)
    dialog._compare()
    qtbot.waitUntil(lambda: bool(dialog.growth.remarks.text()), timeout=20_000)
    return dialog.growth


@pytest.mark.parametrize("name", sorted(OPENED_IN))
def test_a_dialog_that_another_opens_can_be_read_on_a_small_screen_in_large_letters(small, qtbot, name):
    small.dialogs.show(OPENED_IN[name])
    first = small.dialogs[OPENED_IN[name]]
    dialog = opened(name, first, qtbot)
    qtbot.wait(50)
    assert not lasting_faults(dialog, qtbot)
    assert QRect(QPoint(0, 0), SMALL).contains(dialog.geometry())
    dialog.close()
    first.close()


def test_every_dialog_of_the_program_is_walked_here():
    """A class that is neither in the table nor opened by one of its dialogs would be read by nobody."""
    walked = {place.partition(":")[2] for place in DIALOGS.values()} | {"OwnTypeDialog", "GrowthDialog"}
    bases = {"WorkerDialog", "WorkloadDialog"}
    sources = Path(designer.windows.__file__).parent.rglob("*.py")
    found = {
        name for one in sources for name in re.findall(r"class (\w+)\((?:QDialog|Work\w+Dialog)\)", one.read_text())
    }
    assert found - bases == walked


def lasting_faults(top, qtbot):
    """Those that are there for longer than a layout takes to follow what a worker has found."""
    with contextlib.suppress(QtBotTimeoutError):
        qtbot.waitUntil(lambda: not faults(top), timeout=2000)
    return faults(top)


def test_every_panel_can_be_read_in_a_small_window_in_large_letters(small, qtbot):
    found = {}
    for name in sorted(PLACES):
        small.docks.show(name)
        qtbot.waitUntil(lambda name=name: small.docks.shown(name))
        qtbot.wait(50)
        found[name] = lasting_faults(small, qtbot)
    assert found == {name: [] for name in PLACES}


@pytest.fixture
def small_with_run(small, qtbot):
    """The same with a result, and a device selected."""
    simulation = small.session.workbench.simulation
    small.docks.show("simulation")
    simulation.run()
    qtbot.waitUntil(lambda: simulation.state == "current", timeout=60_000)
    small.session.select([next(iter(small.session.design.devices))])
    return small


def test_a_result_and_what_is_selected_can_be_read_in_a_small_window_in_large_letters(small_with_run, qtbot):
    for name in ("simulation", "inspector"):
        small_with_run.docks.show(name)
        qtbot.wait(50)
        assert lasting_faults(small_with_run, qtbot) == []


def test_the_largest_letters_leave_the_panels_their_use_and_a_small_window_its_size(small_with_run, qapp, qtbot):
    window = small_with_run
    try:
        window.appearance.set_text_size(20)
        window.docks.show("simulation")
        area = window.docks.simulation.findChild(QScrollArea)
        qtbot.waitUntil(lambda: area.horizontalScrollBar().maximum() == 0)
        assert window.size() == SMALL
        bars = [bar for bar in window.findChildren(QTabBar) if bar.parent() is window and bar.isVisible()]
        assert bars and all(bar.elideMode() == Qt.TextElideMode.ElideNone and bar.usesScrollButtons() for bar in bars)
        window.resize(900, 700)
        qtbot.waitUntil(lambda: not window.status.counts.isVisible())
        window.resize(1600, 900)
        qtbot.waitUntil(window.status.counts.isVisible)
    finally:
        window.appearance.set_text_size(0)


def test_a_window_opens_no_larger_than_its_screen(small_screen, make_window):
    window = make_window()
    assert window.sizeHint().width() < SMALL.width() and window.sizeHint().height() < SMALL.height()


def test_a_dialog_that_was_larger_comes_back_onto_the_screen(small, qtbot):
    small.dialogs.show("cost")
    dialog = small.dialogs["cost"]
    dialog.close()
    dialog.resize(1600, 900)
    dialog.move(900, 600)
    small.dialogs.show("cost")
    assert QRect(QPoint(0, 0), SMALL).contains(dialog.geometry())


def test_panels_at_the_bottom_reach_under_the_palette_in_a_narrow_window(small, qtbot):
    small.docks.show("studies")
    bottom, palette = small.docks._docks["studies"], small.docks._docks["palette"]
    qtbot.waitUntil(lambda: bottom.geometry().left() == palette.geometry().left())
    small.resize(1500, 900)
    qtbot.waitUntil(lambda: bottom.geometry().left() > palette.geometry().right())


def test_a_text_size_of_the_settings_is_taken_at_once_kept_and_read_in_a_small_window(qapp, make_window, qtbot):
    usual, window = qapp.font(), make_window(settings="kept.ini")
    try:
        follow_text_size(window.appearance, window.preferences)
        window.resize(SMALL)
        window.dialogs.show("settings")
        dialog = window.dialogs["settings"]
        dialog.text_size.setCurrentIndex(dialog.text_size.findText("14 pt"))
        dialog.text_size.activated.emit(dialog.text_size.currentIndex())
        assert window.font().pointSize() == dialog.font().pointSize() == 14
        dialog.adjustSize()
        assert not lasting_faults(dialog, qtbot) and not lasting_faults(window, qtbot)
        dialog.close()
        window.preferences.flush()
        assert make_window(settings="kept.ini").preferences.text_size_pt == 14
        window.preferences.text_size_pt = 21
        assert window.preferences.text_size_pt == 14, "not a size that is offered"
        window.preferences.text_size_pt = 0
        assert window.font().pointSize() == usual.pointSize()
    finally:
        qapp.setFont(usual)


def test_larger_letters_make_the_line_over_the_drawing_and_the_palette_larger(window, qapp, qtbot):
    usual, line = qapp.font(), window.views.panes["canvas"].crumbs
    window.resize(SMALL)
    qtbot.waitUntil(lambda: widths(window) == NARROW_WIDTHS)
    try:
        window.appearance.set_text_size(20)
        height = QFontMetrics(qapp.font()).height()
        qtbot.waitUntil(lambda: line.height() >= height)
        shown = [one for one in line.findChildren(QToolButton) if one.isVisible()]
        qtbot.waitUntil(lambda: all(one.height() >= height for one in shown))
        qtbot.waitUntil(lambda: widths(window)["palette"] == round(window.width() * MOST_SHARES["palette"]))
    finally:
        window.appearance.set_text_size(0)
        qapp.setFont(usual)


@pytest.mark.parametrize(
    ("room", "detail", "shown"),
    [
        (400, "64 × 400G", "whole"),
        (130, "64 × 400G", "nothing"),
        (130, "/home/kim/designs/pods/new", "cut"),
        (90, "/home/kim/designs/pods/new", "nothing"),
    ],
)
def test_a_name_of_the_palette_is_whole_and_its_figures_are_never_cut(small_screen, qapp, room, detail, shown):
    metrics = QFontMetrics(qapp.font())
    width, whole = detail_width(room, "QM97", detail, metrics), metrics.horizontalAdvance(detail)
    assert {"whole": width >= whole, "nothing": width == 0, "cut": LEAST_DETAIL <= width < whole}[shown]
    assert not width or room - width >= metrics.horizontalAdvance("QM97") + ROUNDING


def test_headings_are_larger_than_large_letters(small_screen, window):
    sizes = [int(one) for one in re.findall(r"font-size: (\d+)px", style_sheet(window.appearance.chrome))]
    assert len(sizes) == 3 and min(sizes) > QFontInfo(window.font()).pixelSize() > 15


def test_the_list_of_findings_has_all_of_a_narrow_panel_until_one_is_chosen(small, qtbot):
    small.docks.show("findings")
    panel = small.docks.findings
    qtbot.waitUntil(lambda: panel.model.rowCount() > 0 and not panel.detail.isVisible())
    assert panel.table.width() > 0.95 * panel.width()
    panel.table.setCurrentIndex(panel.table.model().index(0, 0))
    qtbot.waitUntil(panel.detail.isVisible)
    assert panel.table.width() < panel.width() - panel.detail.minimumWidth() + 10


@pytest.mark.parametrize("name", ["room.mount", "link.connect_evenly", "arrange.array"])
def test_the_bar_of_a_construction_can_be_read_in_a_small_window_in_large_letters(small, qtbot, name):
    small.session.select(list(small.session.design.devices)[:6])
    small.actions_table.trigger(name)
    qtbot.waitUntil(small.construction.isVisible)
    qtbot.wait(50)
    assert not lasting_faults(small.construction, qtbot)


def test_the_list_of_shortcuts_has_the_room_below_its_filter(small, qtbot):
    small.dialogs.show("shortcuts")
    dialog = small.dialogs["shortcuts"]
    qtbot.waitUntil(lambda: dialog.findChild(QLineEdit).y() < 40)
    assert dialog.findChild(QTreeView).height() > 0.8 * dialog.height()


@pytest.mark.parametrize("size_pt", [9, 10, 20])
def test_titles_of_panels_keep_the_feet_of_their_letters(window, qtbot, size_pt):
    dock = window.docks._docks["findings"]
    dock.setWindowTitle("gjpqy")
    font = dock.font()
    font.setPointSize(size_pt)
    dock.setFont(font)
    font.setWeight(QFont.Weight.DemiBold)
    qtbot.waitUntil(lambda: dock.widget().y() > QFontMetrics(font).height())
    image = dock.grab(QRect(0, 0, 120, dock.widget().y() - 2)).toImage()
    light = [[image.pixelColor(x, y).lightness() for x in range(4, 118)] for y in range(image.height())]
    inked = [y for y, row in enumerate(light) if max(row) - min(row) > 40]
    assert inked[-1] - inked[0] + 1 >= QFontMetrics(font).tightBoundingRect("gjpqy").height()


@pytest.mark.parametrize(("size_pt", "least"), [(11, 280), (14, 280), (20, 340)])
def test_no_page_of_the_inspector_is_cut_in_a_small_window(small_screen, window, qapp, qtbot, size_pt, least):
    usual = qapp.font()
    try:
        window.appearance.set_text_size(size_pt)
        window.session.replace(document.load(FAULTS), None)
        window.resize(1100, 700)
        design, panel = window.session.design, window.docks.inspector
        chosen = [next(iter(table)) for table in (design.devices, design.links, design.groups, design.racks)]
        for ids in ((), *((one,) for one in chosen), tuple(design.devices)[:5]):
            window.session.select(frozenset(ids))
            panel.refresh()
            scroll = panel._scrolls[panel._page()]
            qtbot.waitUntil(
                lambda scroll=scroll: scroll.widget().minimumSizeHint().width() <= scroll.viewport().width()
            )
        assert least <= window.docks._docks["inspector"].width() <= 0.38 * window.width()
    finally:
        window.appearance.set_text_size(0)
        qapp.setFont(usual)


@pytest.mark.parametrize("size_pt", [11, 14, 20])
def test_the_severity_of_a_finding_is_whole_in_large_letters(small_screen, window, qapp, qtbot, size_pt):
    usual = qapp.font()
    try:
        window.appearance.set_text_size(size_pt)
        window.resize(1100, 700)
        window.session.replace(document.load(FAULTS), None)
        window.docks.show("findings")
        panel = window.docks.findings
        qtbot.waitUntil(lambda: panel.model.rowCount() > 10, timeout=60_000)
        rows = panel.filter.rowCount()
        found = (panel.filter.index(row, 0) for row in range(rows))
        panel.table.setCurrentIndex(next(one for one in found if one.data(ROW_ROLE).severity == "warning"))
        qtbot.waitUntil(lambda: panel.detail.isVisible() and panel.detail.title.text().startswith("Warning"))
    finally:
        window.appearance.set_text_size(0)
        qapp.setFont(usual)
