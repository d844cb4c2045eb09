"""The outline dock: filled as it is opened, one selection with the canvas, search."""

import pytest
from PySide6.QtCore import Qt

from designer.model import operations
from designer.panels.outline import OutlinePanel
from designer.panels.widgets.appearance import Appearance
from designer.panels.widgets.rows import all_rows, rows_under
from designer.storage import document


@pytest.fixture
def panel(qtbot, qapp, session):
    session.replace(document.load("examples/superpod-h100-4su.fabric"), None)
    panel = OutlinePanel(session, Appearance(qapp, "light"))
    qtbot.addWidget(panel)
    panel.resize(260, 600)
    panel.show()
    qtbot.waitExposed(panel)
    return panel


def line(panel, title):
    return next(item for item in all_rows(panel.tree) if item.text(0) == title)


def test_only_what_is_opened_is_filled(panel):
    assert len(all_rows(panel.tree)) == 2
    root = panel.tree.topLevelItem(0)
    root.setExpanded(True)
    assert not rows_under(line(panel, "SU 1"))


def test_a_device_selected_elsewhere_is_revealed_and_a_line_selects_its_devices(panel, session):
    gpu = session.design.find("gpu-040").id
    session.select([gpu])
    chosen = panel.tree.selectedItems()
    assert [item.text(0) for item in chosen] == ["gpu-040"]
    panel.tree.setCurrentItem(line(panel, "Leaf switches"))
    assert {session.design.devices[one].role for one in session.selection} == {"leaf"}


def test_several_lines_select_all_of_theirs(panel, session):
    panel.tree.topLevelItem(0).setExpanded(True)
    for title in ("SU 1", "SU 3"):
        line(panel, title).setSelected(True)
    assert {session.design.groups[one].name for one in session.selection} == {"SU 1", "SU 3"}


def test_a_search_lists_hits_and_says_where_there_are_none(panel):
    panel.search.setText("spine-0")
    panel.refresh()
    assert [item.text(0) for item in all_rows(panel.tree)][:2] == ["spine-01", "spine-02"]
    panel.search.setText("nobody")
    panel.refresh()
    assert panel.tree.isHidden()


def test_an_edit_keeps_open_what_was_open(panel, session):
    panel.tree.topLevelItem(0).setExpanded(True)
    unit = next(one.id for one in session.design.groups.values() if one.name == "SU 1")
    line(panel, "SU 1").setExpanded(True)
    session.push(operations.rename(session.design, unit, "North"))
    panel.refresh()
    assert line(panel, "North").isExpanded()
    assert rows_under(line(panel, "North"))


def test_entering_a_line_goes_there(panel, qtbot):
    panel.tree.topLevelItem(0).setExpanded(True)
    with qtbot.waitSignal(panel.going) as going:
        panel.tree.itemActivated.emit(line(panel, "SU 2"), 0)
    assert len(going.args[0]) == 1
    assert panel.tree.focusPolicy() & Qt.FocusPolicy.TabFocus
